//! Instructions at equal error, from runs at many tolerances.

use crate::callgrind;
use crate::workloads::{Failure, Prepared, counted};

/// A run: its error, and its instructions.
pub type Run = (f64, f64);

/// Tolerances that are powers of the root of 10, the loosest first.
pub fn tolerances(powers: std::ops::RangeInclusive<i32>) -> impl Iterator<Item = f64> {
    powers.rev().map(|power| 10_f64.powf(0.5 * f64::from(power)))
}

/// Runs inside of [`counted`], after a call of it that ends what came before.
pub fn counted_alone(run: Prepared) -> Result<(), Failure> {
    counted(Box::new(|| Ok(())))?;
    counted(run)
}

/// The instructions of each run that this program counts alone where it runs with these arguments.
pub fn counts(arguments: &[&str]) -> Result<Vec<f64>, Failure> {
    let counts = callgrind::each(arguments)?;
    Ok(counts.into_iter().skip(1).step_by(2).map(|count| count as f64).collect())
}

/// The instructions for an error: the least of those of runs that are as accurate, and of what lies between two runs.
pub fn at_error(runs: &[Run], error: f64) -> f64 {
    let exact = runs.iter().filter(|run| run.0 <= error).map(|run| run.1);
    let coarse = || runs.iter().filter(|run| run.0 > error);
    let between = |fine: &Run| {
        let interpolated = |coarse: &Run| {
            let share = (coarse.0 / error).ln() / (coarse.0 / fine.0).ln();
            coarse.1 * (fine.1 / coarse.1).powf(share)
        };
        coarse().map(interpolated).fold(f64::INFINITY, f64::min)
    };
    let fine = runs.iter().filter(|run| run.0 <= error);
    fine.map(between).chain(exact).fold(f64::INFINITY, f64::min)
}
