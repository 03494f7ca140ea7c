//! Singular configurations on the way, and constraints that follow from others.

use super::Session;
use crate::error::RunError;
use crate::motion::Redundant;
use crate::start::ConsistentStart;

impl Session<'_, '_> {
    /// One accepted step. Where steps of the method meet a singular configuration, others cross it.
    pub(super) fn take_step(&mut self) -> Result<(), RunError> {
        loop {
            self.driver.step(self.until)?;
            let Some((near, h)) = self.driver.meets.take() else { return Ok(()) };
            let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
            match self.steppers.crossing(t, &y, None, self.driver.count) {
                Ok(driver) => self.driver = driver,
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
        if !self.driver.stepper.has_crossed() {
            return;
        }
        let h = self.driver.proposed();
        let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
        let Ok(driver) = self.steppers.driver(t, &y, self.driver.count) else { return };
        self.driver = driver;
        if self.driver.reached(self.until) || self.driver.begin_with(h, self.until).is_err() {
            self.driver.propose(h);
        }
    }
}

/// Constraints that followed from others: those left out all along, and those in configurations that were passed.
pub(super) fn redundant(
    from: f64,
    to: f64,
    start: Option<&ConsistentStart>,
    passages: &[(f64, Vec<String>)],
) -> Vec<Redundant> {
    let Some(start) = start else { return Vec::new() };
    let left_out = start.redundant.iter().map(|name| Redundant { name: name.clone(), from, to });
    let at_start = start.passing.iter().map(|name| Redundant { name: name.clone(), from, to: from });
    let passed = passages.iter().flat_map(|(at, names)| {
        names.iter().map(|name| Redundant { name: name.clone(), from: *at, to: *at })
    });
    left_out.chain(at_start).chain(passed).collect()
}
