//! The error of the energy along a motion.

use taut::Solver;
use taut::motion::Motion;
use taut::run::Output;
use taut::system::MechanicalSystem;

use crate::error::LabError;
use crate::slope::least_squares;

/// The error of the energy at the end of every step.
#[derive(Clone, Debug)]
pub struct EnergyError {
    /// the times, from 0 at the start of the run
    pub times: Vec<f64>,
    /// energy minus energy at the start
    pub errors: Vec<f64>,
    /// the run, without its trajectory
    pub motion: Motion,
}

impl EnergyError {
    /// Runs a solver of `system` from t to `until` and keeps `energy(t, q, v)` after every step.
    pub fn along(
        solver: Solver<'_>,
        problem: &str,
        system: &dyn MechanicalSystem,
        (t, until): (f64, f64),
        start: &[f64],
        energy: impl Fn(f64, &[f64], &[f64]) -> f64,
    ) -> Result<Self, LabError> {
        let failed = |cause| LabError::Run { problem: problem.to_owned(), cause };
        let mut motion = solver.output(Output::Steps).run(t, until, start).map_err(failed)?;
        let n = system.structure().n();
        let trajectory = std::mem::take(&mut motion.trajectory);
        let (times, values): (Vec<f64>, Vec<f64>) =
            trajectory.iter().map(|(time, y)| (time - t, energy(time, &y[..n], &y[n..2 * n]))).unzip();
        let first = values.first().copied().unwrap_or(0.0);
        Ok(EnergyError { times, errors: values.iter().map(|value| value - first).collect(), motion })
    }

    /// The errors over time, as a curve.
    pub fn points(&self) -> Vec<(f64, f64)> {
        self.times.iter().copied().zip(self.errors.iter().copied()).collect()
    }

    /// The least and the largest error.
    pub fn band(&self) -> (f64, f64) {
        let least = self.errors.iter().copied().fold(0.0, f64::min);
        (least, self.errors.iter().copied().fold(0.0, f64::max))
    }

    /// The slope of the least-squares line through the errors, per unit of time.
    pub fn drift(&self) -> f64 {
        least_squares(&self.points()).0
    }

    /// The largest absolute error up to each time.
    pub fn running_maximum(&self) -> Vec<f64> {
        let mut largest = 0.0_f64;
        let grow = |error: &f64| {
            largest = largest.max(error.abs());
            largest
        };
        self.errors.iter().map(grow).collect()
    }

    /// The exponent with which the running maximum grows from the time `from` on, by least squares in logarithms.
    pub fn growth(&self, from: f64) -> f64 {
        let points: Vec<(f64, f64)> = self
            .times
            .iter()
            .zip(self.running_maximum())
            .filter(|(time, error)| **time >= from && *error > 0.0)
            .map(|(time, error)| (time.ln(), error.ln()))
            .collect();
        least_squares(&points).0
    }
}
