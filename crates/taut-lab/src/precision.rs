//! Work against precision: one problem, one method, many tolerances.

use std::time::{Duration, Instant};

use taut::method::Method;
use taut::motion::Statistics;
use taut::options::Options;
use taut_problems::Problem;

use crate::comparison::{Comparison, solver_of, start_of};
use crate::error::LabError;

/// One run, repeated, against a reference.
#[derive(Clone, Debug)]
pub struct Point {
    /// relative and absolute tolerance
    pub rtol: f64,
    /// the error of positions, rms of |eᵢ|/(1 + |yᵢ|); of all variables where the system is of first order
    pub error_q: f64,
    /// that of velocities, where there are some
    pub error_v: Option<f64>,
    /// that of multipliers, where they are known
    pub error_lambda: Option<f64>,
    /// what the run cost
    pub statistics: Statistics,
    /// the shortest time of all repeats
    pub seconds: f64,
}

/// How much time is spent on measuring.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// a run is repeated for so long
    pub repeats: Duration,
    /// after a run that took longer no smaller tolerance is tried
    pub longest: Duration,
    /// a run gives up after so many steps
    pub most_steps: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { repeats: Duration::from_millis(50), longest: Duration::from_secs(1), most_steps: 100_000 }
    }
}

/// The time at which a problem is compared: its usual end where there is a reference, or the first reference.
pub fn comparison_time(problem: &Problem) -> Option<f64> {
    let at_end = problem.references.iter().find(|reference| reference.t == problem.t_end);
    at_end.or(problem.references.first()).map(|reference| reference.t)
}

/// Errors and times of a method for each tolerance, the largest first. It ends with the first run that fails or takes
/// too long.
///
/// # Errors
/// The problem has no reference, or not even the first run succeeds.
pub fn work_precision(
    problem: &Problem,
    method: &Method,
    tolerances: &[f64],
    patience: &Patience,
) -> Result<Vec<Point>, LabError> {
    let missing = || LabError::NoReference { problem: problem.name.clone(), t: problem.t_end };
    let t = comparison_time(problem).ok_or_else(missing)?;
    let comparison = Comparison::at(problem, t)?;
    let mut points = Vec::new();
    for &tolerance in tolerances {
        match measure(problem, t, &comparison, method, tolerance, patience) {
            Ok(point) => points.push(point),
            Err(error) if points.is_empty() => return Err(error),
            Err(_) => break,
        }
        if points.last().is_some_and(|point| point.seconds > patience.longest.as_secs_f64()) {
            break;
        }
    }
    Ok(points)
}

fn measure(
    problem: &Problem,
    t: f64,
    comparison: &Comparison,
    method: &Method,
    tolerance: f64,
    patience: &Patience,
) -> Result<Point, LabError> {
    let options =
        Options { rtol: tolerance, atol: tolerance, most_steps: patience.most_steps, ..Options::default() };
    let solver = solver_of(problem).method(method.clone()).options(options);
    let start = start_of(problem);
    let begun = Instant::now();
    let mut seconds = f64::INFINITY;
    let motion = loop {
        let run = Instant::now();
        let motion = solver
            .run(problem.start.t, t, &start)
            .map_err(|cause| LabError::Run { problem: problem.name.clone(), cause })?;
        seconds = seconds.min(run.elapsed().as_secs_f64());
        if begun.elapsed() > patience.repeats {
            break motion;
        }
    };
    let errors: Vec<(&str, f64)> = comparison
        .groups()
        .iter()
        .map(|group| group.name.as_str())
        .zip(comparison.weighted_errors(&motion.y))
        .collect();
    let error = |name: &str| errors.iter().find(|(group, _)| *group == name).map(|(_, error)| *error);
    let largest = errors.iter().fold(0.0, |largest: f64, (_, error)| largest.max(*error));
    Ok(Point {
        rtol: tolerance,
        error_q: error("q").unwrap_or(largest),
        error_v: error("v"),
        error_lambda: error("lambda"),
        statistics: motion.statistics,
        seconds,
    })
}

/// The time that a method needs for an error, interpolated between its runs in logarithms; nothing outside of them.
pub fn time_for_error(points: &[Point], error: f64) -> Option<f64> {
    let known = || points.iter().filter(|point| point.error_q > 0.0);
    let between = known().zip(known().skip(1)).filter(|(coarse, fine)| {
        let (low, high) = (fine.error_q.min(coarse.error_q), fine.error_q.max(coarse.error_q));
        (low..=high).contains(&error)
    });
    let time = |(coarse, fine): (&Point, &Point)| {
        let (from, to) = (coarse.error_q.ln(), fine.error_q.ln());
        let share = if from == to { 1.0 } else { (error.ln() - from) / (to - from) };
        ((1.0 - share) * coarse.seconds.ln() + share * fine.seconds.ln()).exp()
    };
    between.map(time).min_by(f64::total_cmp)
}
