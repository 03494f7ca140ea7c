//! What goes along with a run.

use crate::motion::{Change, Invariants, Statistics};

/// What an observer sees after each accepted step.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// the time that was reached
    pub t: f64,
    /// the state that was reached
    pub y: &'a [f64],
    /// the length of the step
    pub h: f64,
    /// the stages of the step; its order with bdf, adams and taylor
    pub stages: usize,
    /// the deviation of the energy from that where the run began or went on, where it is watched
    pub energy_error: f64,
    /// what was kept so far, since the run began or went on: maxima over the accepted steps
    pub invariants: &'a Invariants,
    /// constraints, by number, that are not in force
    pub released: &'a [usize],
    /// what it cost so far
    pub statistics: &'a Statistics,
}

/// Goes along with a run: shows progress, writes files, stops it.
pub trait Observer {
    /// Called with what the user should know about the run, before the first step or as soon as it is found.
    fn warning(&mut self, _text: &str) {}

    /// Called after each accepted step; false stops the run.
    fn step(&mut self, _view: &View<'_>) -> bool {
        true
    }

    /// The places of each step, as shares of it, at which [`inside`](Self::inside) is to be called: increasing, 1 for its end.
    fn places(&self) -> &'static [f64] {
        &[]
    }

    /// Called with the state where the run begins, if there are [`places`](Self::places), and with the states at the places of
    /// each accepted step, from dense output and before [`step`](Self::step). Looking inside is not counted as work of the run.
    fn inside(&mut self, _t: f64, _y: &[f64]) {}

    /// Called where events have changed the motion, with the state after it.
    fn changed(&mut self, _change: &Change, _y: &[f64]) {}

    /// Called with each state of the output, in order.
    fn output(&mut self, _t: f64, _y: &[f64]) {}

    /// Whether a snapshot that is due shall be taken: a large one takes time.
    fn wants_snapshot(&mut self) -> bool {
        true
    }

    /// Called with a snapshot when one is due and wanted, and at the end of the run; see [`Solver::snapshot_every`](crate::Solver::snapshot_every).
    fn snapshot(&mut self, _snapshot: &super::Snapshot) {}
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {}
