//! A run that somebody else drives, step by step.

use super::observer::Nobody;
use super::session::{Interruption, Session};
use crate::error::Error;
use crate::motion::{Motion, Statistics, Stop};
use crate::start::ConsistentStart;

/// What an accepted step has reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// the time
    pub t: f64,
    /// the length of the step
    pub h: f64,
    /// the state: (q, v, λ), or x
    pub y: Vec<f64>,
    /// what the run cost so far
    pub statistics: Statistics,
}

/// The accepted steps of a run, one after the other; see [`Solver::steps`](crate::Solver::steps).
pub struct Steps<'r> {
    run: &'r mut dyn Advance,
    start: Option<ConsistentStart>,
    stop: Option<Stop>,
}

impl<'r> Steps<'r> {
    pub(crate) fn new(run: &'r mut dyn Advance, start: Option<ConsistentStart>) -> Self {
        Steps { run, start, stop: None }
    }

    /// What the steps so far give back: output, events, statistics.
    pub fn motion(self) -> Motion {
        self.run.motion(self.stop.unwrap_or(Stop::Observer), self.start)
    }
}

impl Iterator for Steps<'_> {
    type Item = Result<Step, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stop.is_some() {
            return None;
        }
        let before = self.run.reached();
        match self.run.advance() {
            Ok(stop) => {
                let ended = stop == Some(Stop::End);
                self.stop = stop;
                (!ended).then(|| {
                    let (t, y, statistics) = self.run.step();
                    Ok(Step { t, h: t - before, y, statistics })
                })
            }
            Err(interruption) => {
                self.stop = Some(Stop::Observer);
                Some(Err(self.run.error(interruption, self.start.take())))
            }
        }
    }
}

/// A run as its driver sees it.
pub(crate) trait Advance {
    /// The time that was reached.
    fn reached(&self) -> f64;

    /// One accepted step; why the run ended, if it did.
    fn advance(&mut self) -> Result<Option<Stop>, Interruption>;

    /// Time, state and statistics after a step.
    fn step(&self) -> (f64, Vec<f64>, Statistics);

    /// What the run gives back.
    fn motion(&mut self, stop: Stop, start: Option<ConsistentStart>) -> Motion;

    /// Why the run does not go on, with what it gives back.
    fn error(&mut self, interruption: Interruption, start: Option<ConsistentStart>) -> Error {
        match interruption {
            Interruption::Failed(error) => error,
            Interruption::Stopped(reason) => {
                Error::Stopped { reason, motion: Box::new(self.motion(Stop::Observer, start)) }
            }
        }
    }
}

impl Advance for Session<'_, '_> {
    fn reached(&self) -> f64 {
        self.time()
    }

    fn advance(&mut self) -> Result<Option<Stop>, Interruption> {
        Session::advance(self, &mut Nobody)
    }

    fn step(&self) -> (f64, Vec<f64>, Statistics) {
        (self.time(), self.state(), self.statistics())
    }

    fn motion(&mut self, stop: Stop, start: Option<ConsistentStart>) -> Motion {
        Session::motion(self, stop, start)
    }
}
