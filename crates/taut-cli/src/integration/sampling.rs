//! The times of the output.

use taut::run::Output;

use crate::arguments::Run;
use crate::checkpoint::Course;
use crate::outcome::Failure;

/// More times than this are a mistake of the command line: the file would have gigabytes.
const MOST_TIMES: f64 = 1e8;

/// More constant steps than this do not end while somebody waits.
const MOST_CONSTANT_STEPS: f64 = 1e11;

/// The times at which states are wanted, from a start to an end.
pub fn output_times(run: &Run, from: f64, course: &Course) -> Result<Output, Failure> {
    let until = course.until;
    match (course.samples, course.every) {
        (Some(samples), _) => equidistant(from, until, samples),
        (None, Some(distance)) => every(from, until, distance),
        (None, None) if run.out.is_some() => Ok(Output::Steps),
        (None, None) => Ok(Output::End),
    }
}

fn equidistant(first: f64, last: f64, count: usize) -> Result<Output, Failure> {
    if count < 2 || count as f64 > MOST_TIMES {
        return Err(Failure::wrong(format!("--samples is {count}, but must be between 2 and {MOST_TIMES}")));
    }
    Ok(Output::Samples { first, last, count })
}

fn every(first: f64, last: f64, distance: f64) -> Result<Output, Failure> {
    if !(distance > 0.0 && (last - first).abs() / distance <= MOST_TIMES) {
        return Err(Failure::wrong(format!(
            "--every is {distance}, but must be positive and not shorter than 1/{MOST_TIMES} of the run"
        )));
    }
    Ok(Output::Every { first, last, distance })
}

/// Whether constant steps of a length come to an end, and within what was allowed.
pub fn check_constant_steps(step: Option<f64>, allowed: Option<u64>, span: f64) -> Result<(), Failure> {
    let Some(step) = step else { return Ok(()) };
    let (steps, most) = (span.abs() / step.abs(), allowed.map_or(MOST_CONSTANT_STEPS, |most| most as f64));
    if steps <= most * (1.0 + 1e-9) {
        return Ok(());
    }
    let limit = if allowed.is_some() { "--max-steps allows" } else { "the command takes at most" };
    Err(Failure::wrong(format!("--step {step:e} takes {steps:.1e} steps, and {limit} {most:e}")))
}
