//! The motion: what a run gives back.

use super::{Inside, SpringSpan, Statistics};
use crate::equations::Layout;
use crate::start::ConsistentStart;

/// States at increasing (or, backwards, decreasing) times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    times: Vec<f64>,
    states: Vec<f64>,
}

impl Trajectory {
    /// Adds a state.
    pub(crate) fn push(&mut self, t: f64, y: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// State number k.
    pub fn state(&self, k: usize) -> &[f64] {
        let length = self.states.len() / self.times.len().max(1);
        &self.states[k * length..(k + 1) * length]
    }

    /// All states with their times.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.times.iter().enumerate().map(|(k, t)| (*t, self.state(k)))
    }
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// the name of the event
    pub event: String,
    /// when it happened
    pub t: f64,
    /// the state then
    pub y: Vec<f64>,
}

/// How often an event has happened, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct EventCount {
    /// the name of the event
    pub name: String,
    /// how often
    pub count: usize,
    /// when it happened first
    pub first: f64,
    /// and when last
    pub last: f64,
}

/// What events have changed, see [`Phases`](crate::Phases).
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// when
    pub t: f64,
    /// the events that did it, in the order they were given
    pub events: Vec<String>,
    /// by how much the energy has changed
    pub energy: f64,
    /// the impulse of each constraint that it took to make velocities consistent, where it is not zero
    pub impulses: Vec<(String, f64)>,
}

/// How well the run kept what the mechanics keeps: maxima over all accepted steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Invariants {
    /// |g|, |G v + g_t| and |G v' + curvature| of rigid constraints
    pub residuals: [f64; 3],
    /// the total energy at the start and at the end
    pub energy: (f64, f64),
    /// by how much events have changed the energy
    pub by_events: f64,
    /// the largest deviation from the energy at the start and what events have added to it
    pub energy_error: f64,
}

/// A constraint that followed from others, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Redundant {
    /// the constraint
    pub name: String,
    /// from this time on
    pub from: f64,
    /// to this one; the same where it followed from them in one configuration only, which was passed
    pub to: f64,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// the end time was reached
    End,
    /// a terminal event happened
    Event(String),
    /// an observer asked for it
    Observer,
}

/// What a run gives back.
#[derive(Clone, Debug)]
pub struct Motion {
    /// the method that was used last, which for `auto` is the one it chose
    pub method: &'static str,
    /// the number of stages that was used last
    pub stages: usize,
    /// what `auto` chose and why
    pub choice: Option<String>,
    /// what becomes of the vibrations of stiff springs, in words
    pub springs: Option<String>,
    /// how each spring was treated, and when
    pub spring_spans: Vec<SpringSpan>,
    /// what the user should know: stiffness that the method has to follow, a start that hardly was meant
    pub warning: Option<String>,
    /// where everything lies in a state vector
    pub layout: Layout,
    /// the time that was reached
    pub t: f64,
    /// the state that was reached
    pub y: Vec<f64>,
    /// the states that were asked for
    pub trajectory: Trajectory,
    /// what is between the steps, where it was [kept](crate::Solver::keep_inside)
    pub inside: Inside,
    /// events, in the order they happened
    pub crossings: Vec<Crossing>,
    /// how often events have happened, those before a snapshot included, in the order they were given
    pub events: Vec<EventCount>,
    /// what events have changed
    pub changes: Vec<Change>,
    /// constraints that followed from others, and when; their residuals are watched as those of all
    pub redundant: Vec<Redundant>,
    /// the state at which the first step began, with everything that was moved to be consistent; empty for a run that went on
    /// from a snapshot
    pub began: Vec<f64>,
    /// what was kept
    pub invariants: Invariants,
    /// what it cost
    pub statistics: Statistics,
    /// why it ended
    pub stop: Stop,
    /// the start of a mechanical system, after it was made consistent
    pub start: Option<ConsistentStart>,
}

impl Motion {
    /// The positions that were reached (or the variables).
    pub fn q(&self) -> &[f64] {
        self.layout.split(&self.y).0
    }

    /// The velocities that were reached.
    pub fn v(&self) -> &[f64] {
        self.layout.split(&self.y).1
    }

    /// The state at a time of the run, from what is between the steps; nothing where that was not
    /// [kept](crate::Solver::keep_inside), or before the start and after the end.
    pub fn at(&self, t: f64) -> Option<Vec<f64>> {
        self.inside.at(t)
    }

    /// The multipliers there.
    pub fn lambda(&self) -> &[f64] {
        self.layout.split(&self.y).2
    }
}
