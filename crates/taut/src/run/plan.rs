//! What is asked of a run.

use super::event::Event;
use super::output::Output;
use crate::equations::Layout;
use crate::system::{MechanicalSystem, PartitionedSystem};

/// What is asked of a run, and how its states look from outside.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a, 's> {
    pub(crate) end: f64,
    /// times at which the method begins anew
    pub(crate) breaks: &'s [f64],
    pub(crate) output: &'s Output,
    /// whether output is kept in the motion
    pub(crate) keep_output: bool,
    /// whether what is between steps is kept in the motion
    pub(crate) keep_inside: bool,
    pub(crate) events: &'s [Event<'s>],
    /// whose energy and residuals are watched
    pub(crate) watched: Option<Watched<'a>>,
    pub(crate) snapshot_every: Option<usize>,
    pub(crate) translation: Option<&'s Translation<'s>>,
    /// accelerations (or rates) at the start; empty where they are not known
    pub(crate) rates: &'s [f64],
    /// constraints, by number, that are not in force
    pub(crate) released: &'s [usize],
    /// the impulses of constraints that it took to make the start consistent
    pub(crate) impulses: &'s [(String, f64)],
    /// what decides which phase of a motion this is, for snapshots
    pub(crate) phase: &'s [f64],
}

/// Times that differ by this share of them are the same but for rounding.
const SAME_TIME: f64 = 4.0 * f64::EPSILON;

impl Plan<'_, '_> {
    /// The end of the smooth piece that begins at t.
    pub(crate) fn next_break(&self, t: f64) -> f64 {
        let until = self.end;
        let ahead = self.breaks.iter().copied().filter(|&time| (time - t) * (until - time) > 0.0);
        ahead.min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs())).unwrap_or(until)
    }

    /// Where the smooth piece begins that follows one up to t, and where it ends. What jumps has a break on both sides; no step leads from
    /// one to the other: it would be as short as the rounding of times, and forces that hold constraints are rounding errors in it.
    pub(crate) fn next_piece(&self, t: f64) -> (f64, f64) {
        let (mut begins, mut ends) = (t, self.next_break(t));
        while ends != self.end && (ends - begins).abs() <= SAME_TIME * begins.abs() {
            (begins, ends) = (ends, self.next_break(ends));
        }
        (begins, ends)
    }
}

/// How the state of a stepper looks from outside, when it is not the state that was asked for.
pub(crate) struct Translation<'t> {
    /// where everything lies in the state that was asked for
    pub(crate) layout: Layout,
    /// from the state of the stepper to that state
    pub(crate) map: StateMap<'t>,
}

/// From one state vector to another, at a time.
type StateMap<'t> = Box<dyn Fn(f64, &[f64]) -> Vec<f64> + 't>;

/// A system whose energy and residuals are watched.
#[derive(Clone, Copy)]
pub(crate) enum Watched<'a> {
    Mechanical(&'a dyn MechanicalSystem),
    Partitioned(&'a dyn PartitionedSystem),
}
