//! The times of the output.

use taut::run::Output;

use crate::arguments::Run;
use crate::outcome::Failure;

/// More times than this are a mistake of the command line: the file would have gigabytes.
const MOST_TIMES: f64 = 1e8;

/// The times at which states are wanted, from a start to an end.
pub fn output_times(run: &Run, from: f64, until: f64) -> Result<Output, Failure> {
    match (run.samples, run.every) {
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
