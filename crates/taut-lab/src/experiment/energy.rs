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
    /// the energy at the start
    pub energy_at_start: f64,
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
        let errors = values.iter().map(|value| value - first).collect();
        Ok(EnergyError { times, errors, energy_at_start: first, motion })
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

    /// The width of the band of errors between two times.
    pub fn band_on(&self, from: f64, to: f64) -> f64 {
        let within = self.points().into_iter().filter(|(time, _)| (from..=to).contains(time));
        let (least, largest) = within
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), (_, error)| (l.min(error), m.max(error)));
        largest - least
    }

    /// The slope of the least-squares line through the errors, per unit of time.
    pub fn drift(&self) -> f64 {
        least_squares(&self.points()).0
    }

    /// The same over one quarter of the time, from 0 to 3.
    pub fn drift_on(&self, quarter: usize) -> f64 {
        let points = self.points();
        let length = points.len() / 4;
        least_squares(&points[quarter * length..(quarter + 1) * length]).0
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
        self.growth_on(from, f64::INFINITY)
    }

    /// The same between two times.
    pub fn growth_on(&self, from: f64, to: f64) -> f64 {
        let points: Vec<(f64, f64)> = self
            .times
            .iter()
            .zip(self.running_maximum())
            .filter(|(time, error)| (from..=to).contains(*time) && *error > 0.0)
            .map(|(time, error)| (time.ln(), error.ln()))
            .collect();
        least_squares(&points).0
    }
}
