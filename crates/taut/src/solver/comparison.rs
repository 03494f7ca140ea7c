//! Whether an implicit method would come further than an explicit one for the same work.

use super::choice::Chosen;
use super::target::Target;
use crate::method::Method;
use crate::motion::Statistics;
use crate::run::Driver;

/// So many implicit steps are tried at most; the first half of them finds out how long they may be.
const TRIED_STEPS: usize = 8;
/// Where many explicit steps are rejected, or rates jump within them, implicit ones are rejected, too, for a while.
const TRIED_IN_TROUBLE: usize = 40;
/// The implicit method has to come so many times as far.
const CLEARLY: f64 = 1.2;
/// A few steps that come so many times as far, their derivatives included, need no others.
const PLAINLY: f64 = 4.0;
/// Where no step was suspicious it has to come so many times as far, and steps of the explicit method are as accurate as they should
/// be. (On the chain of Fermi, Pasta and Ulam `radau` comes 2.6 times as far at 1e-6, and is 40 times as wrong at 1e-8.)
const BY_FAR: f64 = 10.0;
/// What an evaluation in a stage of an implicit method costs, its share of linear algebra included, in evaluations of an explicit
/// one. For mechanisms these solve a saddle-point system; measured on a governor and on an oregonator.
const STAGE_OF_MECHANISM: f64 = 0.3;
const STAGE_OF_FIRST_ORDER: f64 = 2.0;
/// Derivative blocks cost at least so many evaluations, and one for each entry of a row: the outer solar system, where each body
/// pulls at all others, takes 18.
const FEWEST_BLOCKS: f64 = 3.0;

/// Where a run has come to, and for which work.
#[derive(Clone, Copy)]
struct Progress {
    t: f64,
    work: f64,
}

impl Progress {
    /// How far it has come since then for each evaluation.
    fn rate_since(self, before: Progress) -> f64 {
        (self.t - before.t).abs() / (self.work - before.work)
    }
}

impl Chosen<'_, '_> {
    /// Predicted work of a run of a method so far, in evaluations of an explicit method on this system: what methods are
    /// compared by.
    fn progress(&self, driver: &Driver<'_>) -> Progress {
        let (stage, blocks) = match self.target() {
            Target::Mechanical(system) => (STAGE_OF_MECHANISM, &system.structure().stiffness),
            Target::FirstOrder { system, .. } => (STAGE_OF_FIRST_ORDER, &system.composition().jacobian),
            // Nothing is chosen among for these.
            Target::Partitioned(_) => return Progress { t: driver.stepper.time(), work: 0.0 },
        };
        let blocks = FEWEST_BLOCKS.max(blocks.nnz() as f64 / blocks.rows().max(1) as f64);
        let work = stage * driver.count.rhs as f64 + blocks * driver.count.jacobians as f64;
        Progress { t: driver.stepper.time(), work }
    }

    /// Tries some implicit steps from where an explicit run has come to, and compares how far both go for their work.
    pub(super) fn compare(&self, explicit: &mut Driver<'_>, until: f64) -> bool {
        let (t, y) = (explicit.stepper.time(), explicit.stepper.state().to_vec());
        let radau = self.driver_of(&Method::radau(), t, &y, Statistics::default());
        let Ok(mut driver) = radau else { return false };
        // As when it takes over. A guess from one state would be far too short where explicit steps have left something of
        // what is stiff, and eight steps would not tell how long they may become.
        driver.propose(explicit.proposed());
        let watch = explicit.stepper.stiffness();
        let (suspected, pace) =
            watch.map_or((false, None), |watch| (watch.suspects_stiffness(), watch.pace_in_trouble(t)));
        let enough = match (suspected, pace) {
            (true, None) => (PLAINLY, CLEARLY),
            (true, Some(_)) => (PLAINLY, PLAINLY),
            _ => (BY_FAR, BY_FAR),
        };
        // What steps have come to on the mean, where they vary much: the next one may be short for a moment.
        let rate = pace.unwrap_or(explicit.proposed().abs()) / explicit.stepper.stages() as f64;
        let tried = if pace.is_some() { TRIED_IN_TROUBLE } else { TRIED_STEPS };
        let pays = self.comes_further((&mut driver, tried), rate, until, enough);
        explicit.count.add_work(&driver.count);
        pays
    }

    /// Whether a run that begins where an explicit one is comes further for its work than at this `rate`, so many times in all or in its
    /// last steps.
    fn comes_further(
        &self,
        (driver, tried): (&mut Driver<'_>, usize),
        rate: f64,
        until: f64,
        (plainly, clearly): (f64, f64),
    ) -> bool {
        let began = self.progress(driver);
        let (mut before, mut halfway) = (began, began);
        for step in 0..tried {
            if step == tried / 2 {
                halfway = before;
            }
            if driver.reached(until) || driver.step(until).is_err() {
                break;
            }
            let now = self.progress(driver);
            if now.rate_since(began) > plainly * rate {
                return true;
            }
            before = now;
        }
        before.rate_since(halfway) > clearly * rate
    }
}
