//! The times of the output.

use taut::run::Output;

use crate::arguments::Run;
use crate::outcome::Failure;

/// More times than this are a mistake of the command line: the file would have gigabytes.
const MOST_TIMES: f64 = 1e8;
/// How many states make a smooth picture.
const STATES_OF_A_PICTURE: usize = 2001;

/// The times at which states are wanted, from a start (or a checkpoint) to an end.
pub fn output_times(run: &Run, from: f64, until: f64, resumed_at: Option<f64>) -> Result<Output, Failure> {
    let times = match (run.samples, run.every) {
        (Some(samples), _) => equidistant(from, until, samples)?,
        (None, Some(distance)) => every(from, until, distance)?,
        (None, None) if run.out.is_some() => return Ok(Output::Steps),
        (None, None) if run.plot.is_some() => equidistant(from, until, STATES_OF_A_PICTURE)?,
        (None, None) => return Ok(Output::End),
    };
    let ahead = |time: &f64| resumed_at.is_none_or(|t| (time - t) * (until - from).signum() > 0.0);
    Ok(Output::Times(times.into_iter().filter(ahead).collect()))
}

fn equidistant(from: f64, until: f64, samples: usize) -> Result<Vec<f64>, Failure> {
    if samples < 2 || samples as f64 > MOST_TIMES {
        return Err(Failure::wrong(format!(
            "--samples is {samples}, but must be between 2 and {MOST_TIMES}"
        )));
    }
    let last = samples - 1;
    let time = |k: usize| if k == last { until } else { from + (until - from) * (k as f64 / last as f64) };
    Ok((0..samples).map(time).collect())
}

fn every(from: f64, until: f64, distance: f64) -> Result<Vec<f64>, Failure> {
    // An end that misses a multiple by rounding only is one.
    const SLACK: f64 = 1e-9;
    let count = (until - from).abs() / distance;
    if !(distance > 0.0 && count <= MOST_TIMES) {
        return Err(Failure::wrong(format!(
            "--every is {distance}, but must be positive and not shorter than 1/{MOST_TIMES} of the run"
        )));
    }
    let whole = (count * (1.0 + SLACK)).floor();
    let direction = (until - from).signum();
    let time = |k: usize| {
        let meets_end = k as f64 == whole && (count - whole).abs() <= SLACK * count.max(1.0);
        if meets_end { until } else { from + direction * distance * k as f64 }
    };
    Ok((0..=whole as usize).map(time).collect())
}
