//! When each stage gets its own Jacobian.

use super::ImplicitCore;
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::stage_equations::StageEquations;

/// The iteration with one Jacobian may fail once in so many accepted steps,
const STEPS_BETWEEN_FAILURES: usize = 5;
/// and this often in all, before the one with a Jacobian for each stage is tried.
const FAILURES: usize = 2;
/// When it fails there, too, it is not tried again for so many steps; for twice as many each time,
const PAUSE: usize = 10;
/// up to so many;
const LONGEST_PAUSE: usize = 320;
/// unless the step has become shorter than this share of the one that it failed with.
const MUCH_SHORTER: f64 = 0.25;
/// It stays for so many steps at least,
const STEPS_INSIDE: usize = 5;
/// and until the other iteration would contract by this. (With 0.2 it came and went.)
const LEAVES_BELOW: f64 = 0.1;
/// Where the other iteration would contract by less than this, it failed for want of a good prediction, and goes on. (Van der
/// Pol's equations at 1e-8 took twelve times the Jacobians otherwise.)
const STAYS_FROM: f64 = 0.2;

/// What decides it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    /// whether each stage has its own Jacobian
    pub(super) on: bool,
    /// failures of the iteration with one Jacobian lately
    failures: usize,
    /// accepted steps since the last of them
    since: usize,
    /// for so many steps it is not tried
    paused: usize,
    pause: usize,
    /// the length of the step that it failed with
    failed_with: f64,
    /// steps since it was taken up
    inside: usize,
    /// what the iteration with one Jacobian would contract by
    contraction: f64,
}

impl Default for Turning {
    fn default() -> Self {
        Turning {
            on: false,
            failures: 0,
            since: 0,
            paused: 0,
            pause: PAUSE,
            failed_with: 0.0,
            inside: 0,
            contraction: f64::INFINITY,
        }
    }
}

impl Turning {
    /// The iteration with one Jacobian has failed in a step of length h; whether the other is to be tried.
    fn fail(&mut self, h: f64) -> bool {
        self.failures = if self.since > STEPS_BETWEEN_FAILURES { 1 } else { self.failures + 1 };
        self.since = 0;
        let permitted = self.paused == 0 || h.abs() < MUCH_SHORTER * self.failed_with;
        permitted && self.failures >= FAILURES
    }

    fn take_up(&mut self) {
        *self = Turning { on: true, pause: self.pause, ..Turning::default() };
    }

    fn give_up(&mut self, h: f64) {
        self.failed_with = h.abs();
        self.paused = self.pause;
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
    }

    /// A step was accepted.
    pub(super) fn accept(&mut self) {
        self.since += 1;
        self.paused = self.paused.saturating_sub(1);
        if self.on {
            self.inside += 1;
            if self.inside >= STEPS_INSIDE && self.contraction < LEAVES_BELOW {
                *self = Turning { pause: self.pause, ..Turning::default() };
            }
        }
    }

    /// What decides how the run goes on; with snapshots of earlier versions, which do not know it, as from the beginning.
    pub(super) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        if let Some(snapshot) = fields.restored() {
            *self = Turning::default();
            if snapshot.get("turning").is_err() {
                return Ok(());
            }
        }
        let Turning { on, failures, since, paused, pause, failed_with, inside, .. } = self;
        fields.entry("turning", &mut [on, failed_with, failures, since, paused, pause, inside])
    }
}

impl ImplicitCore {
    /// After a failure of the iteration with one Jacobian: tries the one with a Jacobian for each stage, at the same step
    /// and from the same prediction.
    pub(super) fn try_turning(
        &mut self,
        equations: &mut dyn StageEquations,
        step: (f64, f64, &[f64]),
        scales: &Scales,
        tolerance: f64,
        count: &mut Statistics,
    ) -> Option<usize> {
        if self.constant_steps || !self.options.stage_jacobians || !self.turning.fail(step.1) {
            return None;
        }
        match self.solve_turning(equations, step, scales, tolerance, count) {
            Some(Ok(iterations)) => {
                let method = &self.methods[self.current];
                if equations.contraction_of_one_jacobian(method) >= STAYS_FROM {
                    self.turning.take_up();
                }
                Some(iterations)
            }
            Some(Err(_)) => {
                equations.turn(&self.methods[self.current], None);
                self.turning.give_up(step.1);
                None
            }
            None => None,
        }
    }

    /// Solves the stage equations with a Jacobian for each stage where that was taken up before; nothing elsewhere.
    pub(super) fn go_on_turning(
        &mut self,
        equations: &mut dyn StageEquations,
        step: (f64, f64, &[f64]),
        scales: &Scales,
        tolerance: f64,
        count: &mut Statistics,
    ) -> Option<Result<usize, StepFailure>> {
        let solved = match self.turning.on {
            true => self.solve_turning(equations, step, scales, tolerance, count),
            false => None,
        };
        if solved.is_none() {
            equations.turn(&self.methods[self.current], None);
        }
        solved
    }

    /// Solves the stage equations with a Jacobian for each stage; nothing where the equations have no such iteration.
    pub(super) fn solve_turning(
        &mut self,
        equations: &mut dyn StageEquations,
        (t, h, y): (f64, f64, &[f64]),
        scales: &Scales,
        tolerance: f64,
        count: &mut Statistics,
    ) -> Option<Result<usize, StepFailure>> {
        if !equations.turn(&self.methods[self.current], Some(scales)) {
            return None;
        }
        let method = &*self.methods[self.current];
        self.unknowns.resize(method.stages * equations.unknowns(), 0.0);
        self.past.predict(&self.methods, method, equations, h, &mut self.unknowns);
        equations.begin(t, h, y, method, &self.unknowns);
        self.reuse.forget_blocks();
        self.reuse.forget_factors();
        self.newton.be_patient(false);
        self.newton.forget();
        let unknowns = &mut self.unknowns;
        let iterated = self.newton.iterate(equations, method, unknowns, scales, tolerance, count);
        let cleaned = iterated.and_then(|iterations| {
            if equations.finish(method, unknowns, count)? {
                Ok(iterations)
            } else {
                Err(out_of_reach(iterations))
            }
        });
        if cleaned.is_ok() && self.turning.inside + 1 >= STEPS_INSIDE {
            self.turning.contraction = equations.contraction_of_one_jacobian(method);
        }
        Some(cleaned)
    }
}

fn out_of_reach(iterations: usize) -> StepFailure {
    StepFailure::Newton { contraction: f64::INFINITY, iterations }
}
