//! What goes along with a run of a sweep: extremes of what is observed, residuals, its trajectory, the wish to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use taut::motion::Change;
use taut::run::{Observer, View};

use crate::integration::Accounts;
use crate::model::Subject;
use crate::output::Destination;
use crate::table::Table;

/// The extremes of what a model observes, at its steps.
pub struct Extremes<'a> {
    subject: &'a Subject,
    values: Vec<f64>,
    least: Vec<f64>,
    most: Vec<f64>,
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
    /// for each equation of a first-order model whether it has no derivative
    rows: Vec<bool>,
    rate: Vec<f64>,
    /// the least and the largest energy of a model that is no mechanism and has one
    energies: Option<(f64, f64)>,
    trajectory: Option<(Table<'a>, Destination)>,
    /// what could not be written
    pub trouble: Option<std::io::Error>,
    stop: &'a AtomicBool,
}

impl<'a> Extremes<'a> {
    /// Goes along with the run of a model.
    pub fn new(subject: &'a Subject, trajectory: Option<Destination>, stop: &'a AtomicBool) -> Self {
        let count = subject.model.observers.names().len();
        let rows =
            subject.evolution().map(|system| system.composition().algebraic_rows()).unwrap_or_default();
        let rows = if rows.contains(&true) { rows } else { Vec::new() };
        Extremes {
            subject,
            values: vec![0.0; count],
            least: vec![f64::INFINITY; count],
            most: vec![f64::NEG_INFINITY; count],
            algebraic: 0.0,
            rate: vec![0.0; rows.len()],
            energies: subject.partition().map(|_| (f64::INFINITY, f64::NEG_INFINITY)),
            rows,
            trajectory: trajectory.map(|destination| (Table::new(subject), destination)),
            trouble: None,
            stop,
        }
    }

    /// Least and largest value of everything that is observed.
    pub fn each(&self) -> impl Iterator<Item = (f64, f64)> {
        self.least.iter().copied().zip(self.most.iter().copied())
    }

    /// Completes the trajectory; what could not be written is an error.
    pub fn finish(&mut self) -> std::io::Result<()> {
        let finished = self.trajectory.take().map_or(Ok(()), |(_, destination)| destination.finish());
        self.trouble.take().map_or(finished, Err)
    }

    /// Looks at a state: after each step, where events have changed the motion, and at the end where it began.
    pub fn look(&mut self, t: f64, y: &[f64]) {
        if self.values.is_empty() {
            return;
        }
        self.subject.model.observe(t, y, &mut self.values);
        for (k, &value) in self.values.iter().enumerate() {
            // What is no number stays: `f64::min` and `f64::max` would drop it.
            if !(self.least[k] <= value || self.least[k].is_nan()) {
                self.least[k] = value;
            }
            if !(self.most[k] >= value || self.most[k].is_nan()) {
                self.most[k] = value;
            }
        }
    }

    /// What was added up over the steps, for a motion that began at a state.
    pub fn accounts(&self, t: f64, began: &[f64]) -> Accounts {
        let at_start = self.energies.and_then(|_| self.subject.energy(t, began));
        let error = |((least, most), start): ((f64, f64), f64)| (most - start).max(start - least).max(0.0);
        Accounts {
            algebraic: self.algebraic,
            energy_at_start: at_start,
            energy_error: self.energies.zip(at_start).map_or(0.0, error),
            ..Accounts::default()
        }
    }

    fn look_at_energy(&mut self, t: f64, y: &[f64]) {
        let Some((least, most)) = &mut self.energies else { return };
        if let Some(energy) = self.subject.energy(t, y) {
            (*least, *most) = (least.min(energy), most.max(energy));
        }
    }

    fn look_at_residual(&mut self, t: f64, x: &[f64]) {
        let Some(system) = self.subject.evolution().filter(|_| !self.rows.is_empty()) else { return };
        if system.rate(t, x, &mut self.rate).is_err() {
            return;
        }
        let algebraic = self.rate.iter().zip(&self.rows).filter(|(_, algebraic)| **algebraic);
        for (residual, _) in algebraic {
            if !(residual.abs() <= self.algebraic) {
                self.algebraic = residual.abs();
            }
        }
    }
}

impl Observer for Extremes<'_> {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.look_at_residual(view.t, view.y);
        self.look(view.t, view.y);
        self.look_at_energy(view.t, view.y);
        self.trouble.is_none() && !self.stop.load(Ordering::Relaxed)
    }

    fn changed(&mut self, change: &Change, y: &[f64]) {
        self.look(change.t, y);
    }

    fn output(&mut self, t: f64, y: &[f64]) {
        let Some((table, destination)) = &mut self.trajectory else { return };
        if self.trouble.is_none() {
            self.trouble = destination.row(table.row(t, y)).err();
        }
    }
}
