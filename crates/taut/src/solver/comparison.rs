//! Whether an implicit method would come further than an explicit one for the same work.

use super::choice::Chosen;
use super::target::Target;
use crate::method::Method;
use crate::motion::Statistics;
use crate::run::Driver;

/// So many implicit steps are tried; the first half of them finds out how long they may be.
const TRIED_STEPS: usize = 8;
/// The implicit method has to come so many times as far.
const CLEARLY: f64 = 1.2;
/// What an evaluation in a stage of an implicit method costs, its share of linear algebra included, in evaluations of an explicit
/// one. For mechanisms these solve a saddle-point system; measured on a governor and on an oregonator.
const STAGE_OF_MECHANISM: f64 = 0.3;
const STAGE_OF_FIRST_ORDER: f64 = 2.0;
/// Derivative blocks cost so many evaluations.
const BLOCKS: f64 = 3.0;

impl Chosen<'_, '_> {
    /// Tries some implicit steps from where an explicit run has come to, and compares how far both go for their work.
    pub(super) fn compare(&self, explicit: &mut Driver<'_>, until: f64) -> bool {
        let (t, y) = (explicit.stepper.time(), explicit.stepper.state().to_vec());
        let radau = self.driver_of(&Method::radau(), t, &y, Statistics::default());
        let Ok(mut driver) = radau else { return false };
        let stage = match self.target() {
            Target::Mechanical(_) => STAGE_OF_MECHANISM,
            _ => STAGE_OF_FIRST_ORDER,
        };
        let work = |count: &Statistics| stage * count.rhs as f64 + BLOCKS * count.jacobians as f64;
        let mut halfway = (t, 0.0);
        for step in 0..TRIED_STEPS {
            if step == TRIED_STEPS / 2 {
                halfway = (driver.stepper.time(), work(&driver.count));
            }
            if driver.reached(until) || driver.step(until).is_err() {
                break;
            }
        }
        let (reached, done) = (driver.stepper.time(), work(&driver.count));
        explicit.count.add_work(&driver.count);
        let implicit = (reached - halfway.0).abs() / (done - halfway.1);
        let evaluations = explicit.stepper.stages() as f64;
        implicit > CLEARLY * explicit.proposed().abs() / evaluations
    }
}
