//! How a multistep method begins: a step of a one-step method, whose stages are its past.

use super::{Multistep, PATIENT_AFTER};
use crate::control::error_norm::larger;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::stage_equations::StepEquations;

/// After the first step, steps go on with this share of it, the distance of its last two stages.
const AFTER_START: f64 = 0.4;

impl<E: StepEquations> Multistep<E> {
    /// A step of the one-step method; its own error estimate.
    pub(super) fn attempt_start(
        &mut self,
        to: f64,
        count: &mut Statistics,
    ) -> Result<(usize, usize), StepFailure> {
        let t = self.history.time();
        let mut tolerance = self.newton_tolerance();
        if self.pace.rejections >= PATIENT_AFTER {
            tolerance = tolerance.max(self.options.newton.share_of_tolerance * self.scales.rtol());
        }
        let start = (t, to - t, self.y.as_slice());
        let iterations =
            self.starter.solve(self.equations.stages(), start, &self.scales, tolerance, count)?;
        let allowed = self.error_tolerance();
        let method = self.starter.method();
        self.equations.stages().end(method, &self.starter.unknowns, &mut self.attempted.y);
        self.equations.approach(method, to, &self.attempted.y, count)?;
        if !self.takes_constant_steps() {
            self.scales.widen(&self.attempted.y);
            let unknowns = &self.starter.unknowns;
            let error = self.equations.estimate(method, unknowns, &self.scales, allowed, count)?;
            self.attempted.error = larger(0.0, error - self.forgiven(to)) / allowed;
        }
        Ok((iterations, self.starter.most_iterations()))
    }

    /// Takes the stages of the first step, moved onto their constraints, into the past.
    fn keep_stages(&mut self, count: &mut Statistics) {
        let method = self.starter.method();
        let (t, h) = (self.history.time(), self.attempted.t - self.history.time());
        let (d, m) = (self.layout.differential(), self.layout.m());
        let size = self.unknowns.len();
        self.equations.stage_rates(method, &self.starter.unknowns, &mut self.rates);
        for i in 0..method.stages - 1 {
            let stage = &mut self.predicted;
            stage.copy_from_slice(&self.y);
            for (j, rates) in self.rates.chunks_exact(d).enumerate() {
                for (y, rate) in stage.iter_mut().zip(rates) {
                    *y += h * method.a[(i, j)] * rate;
                }
            }
            stage[d..].copy_from_slice(&self.starter.unknowns[(i + 1) * size - m..][..m]);
            let time = t + method.c[i] * h;
            // One that cannot be moved there is left out.
            if self.equations.complete(time, stage, count).is_ok() {
                self.history.push(time, stage);
            }
        }
    }

    /// Commits a step of the one-step method.
    pub(super) fn accept_start(&mut self, count: &mut Statistics) {
        if !self.takes_constant_steps() {
            self.keep_stages(count);
        }
        self.history.push(self.attempted.t, &self.attempted.y);
        self.starter.reject(true, false);
        self.reuse.forget_blocks();
        self.last_order = self.history.points() - 1;
        if !self.takes_constant_steps() {
            self.pace.begin(self.history.points(), AFTER_START);
        }
    }
}
