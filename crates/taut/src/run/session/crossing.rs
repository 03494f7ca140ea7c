//! Singular configurations on the way, and constraints that follow from others.

use super::Session;
use crate::error::{Error, RunError};
use crate::motion::Redundant;
use crate::run::driver::Driver;
use crate::start::ConsistentStart;

/// A step is made shorter so often at most.
const MOST_HALVINGS: usize = 4;

impl<'a> Session<'a, '_> {
    /// One accepted step. Where steps of the method meet a singular configuration, others cross it.
    pub(super) fn take_step(&mut self) -> Result<(), RunError> {
        loop {
            self.driver.step(self.until)?;
            let Some((near, h)) = self.driver.meets.take() else { return Ok(()) };
            let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
            self.steppers.keep_following(self.driver.followed_springs());
            match self.steppers.crossing(t, &y, None, self.driver.count) {
                Ok(driver) => self.replace(driver),
                Err(_) => {
                    let (at, constraints) = (near.at.unwrap_or(t), near.constraints);
                    return Err(RunError::Singular { t, at, constraints, cause: None });
                }
            }
            self.driver.propose(h);
        }
    }

    /// The method goes on where a singular configuration has been crossed. Where it cannot, what crossed it does.
    pub(super) fn end_crossing(&mut self) {
        if !self.driver.stepper.passage().is_some_and(|passage| passage.is_done()) {
            return;
        }
        let h = self.driver.proposed();
        let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
        self.steppers.keep_following(self.driver.followed_springs());
        let Ok(driver) = self.steppers.driver(t, &y, self.driver.count) else { return };
        self.replace(driver);
        if self.driver.reached(self.until) || self.driver.begin_with(h, self.until).is_err() {
            self.driver.propose(h);
        }
    }

    /// A new stepper of the method where the last one has come to, at a time that is the same up to rounding.
    pub(super) fn renew(&mut self, t: f64) -> Result<(), Error> {
        let y = self.driver.stepper.state().to_vec();
        self.steppers.keep_following(self.driver.followed_springs());
        let driver = self.steppers.driver(t, &y, self.driver.count)?;
        self.replace(driver);
        Ok(())
    }

    /// Another driver goes on.
    fn replace(&mut self, driver: Driver<'a>) {
        self.record.spring_spans.extend(self.driver.spring_spans());
        self.driver = driver;
    }

    /// Whether other constraints should be left out from now on: those that are imposed come to depend on each other.
    pub(super) fn prefers_other_constraints(&mut self) -> bool {
        let crosses = self.driver.near().is_some();
        let Some(guard) = &self.guard else { return false };
        if !self.driver.has_moved() || self.driver.reached(self.plan.end) || crosses {
            return false;
        }
        let (t, state) = (self.time(), self.state());
        let (q, v, _) = self.layout().split(&state);
        guard.prefers_others(t, q, v).unwrap_or(false)
    }

    /// Shortens the next step where the constraints that are imposed would come to depend on each other at its end, as far as that is known
    /// before it is taken: others are to be left out first. Long steps would end anywhere.
    pub(super) fn stay_before_dependence(&mut self) {
        let Some(guard) = self.guard.as_ref().filter(|_| !self.driver.reached(self.until)) else { return };
        let first = self.driver.proposed() == 0.0;
        // What a first step fails with is said where it is taken.
        if first && self.driver.begin_with(f64::INFINITY, self.until).is_err() {
            return;
        }
        let (t, mut y) = (self.time(), self.driver.stepper.state().to_vec());
        for _ in 0..MOST_HALVINGS {
            let to = self.driver.next_time(self.until);
            if !self.driver.stepper.look_ahead(to - t, &mut y) {
                return;
            }
            let state = self.outward(to, &y);
            let (q, v, _) = self.layout().split(&state);
            if !guard.is_too_thin(to, q, v).unwrap_or(false) {
                return;
            }
            self.driver.propose(0.5 * (to - t));
        }
    }

    /// Keeps which constraints were left out until now.
    pub(super) fn note_left_out(&mut self, to: f64) {
        let Some(guard) = &self.guard else { return };
        let from = self.phase_began;
        for name in guard.names_left_out() {
            let same = |past: &&mut Redundant| past.name == name && past.to == from;
            match self.record.left_out.iter_mut().find(same) {
                Some(past) => past.to = to,
                None => self.record.left_out.push(Redundant { name, from, to }),
            }
        }
    }

    /// Constraints that followed from others: those that were left out, and those in configurations that were passed.
    pub(super) fn redundant(&mut self, to: f64, start: Option<&ConsistentStart>) -> Vec<Redundant> {
        self.note_left_out(to);
        let Some(start) = start else { return Vec::new() };
        let from = self.began.0;
        let at = |name: &String, t: f64| Redundant { name: name.clone(), from: t, to: t };
        let at_start = start.passing.iter().map(|name| at(name, from));
        let passages = self.record.passages.iter();
        let passed = passages.flat_map(|(t, names)| names.iter().map(|name| at(name, *t)));
        self.record.left_out.iter().cloned().chain(at_start).chain(passed).collect()
    }
}
