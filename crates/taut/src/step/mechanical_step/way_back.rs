//! The way back into smooth motion: of springs whose vibrations have died out.

use super::MechanicalStep;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::springs::vibrations::{STEP_PER_VIBRATION, SpringMotion};

/// Steps of this share of the longest that resolve a vibration are as long.
const NEARLY: f64 = 0.5;
/// Vibrations that are forgotten may be this share of the tolerance.
const NEGLIGIBLE: f64 = 0.3;

impl MechanicalStep<'_> {
    /// Now and then looks whether springs that have left smooth motion are back in it: whether they vibrate negligibly, and
    /// again some steps later, and what smooth motion would have left out in between. The state was just evaluated.
    pub(super) fn look_for_smooth_motion(
        &mut self,
        t: f64,
        y: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let away = (0..self.layout.m()).any(|k| self.treatment.may_come_back(k));
        // Steps that resolve vibrations by themselves lose nothing by following them.
        let resolved = self.h.abs() < NEARLY * STEP_PER_VIBRATION * self.fastest_followed;
        let resolved = resolved && self.fastest_followed.is_finite();
        if !away || resolved || !self.treatment.way_back.is_due() {
            return Ok(());
        }
        let was_calm = self.treatment.way_back.calm;
        let calm = self.is_calm(t, y, was_calm, count)?;
        self.treatment.way_back.found(calm);
        if calm && was_calm {
            for k in 0..self.layout.m() {
                if self.treatment.may_come_back(k) {
                    self.treatment.change(k, t, SpringMotion::Smooth);
                }
            }
        }
        let measured = self.manifold.neglected.clone();
        self.treat_springs();
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.factor(count)?;
        if self.manifold.has_smooth_springs() {
            self.manifold.project_positions_along(t, self.h, q, v, lambda, count)?;
            self.manifold.project_velocities(t, q, v, count)?;
        } else if calm {
            // Nothing else needs these derivatives before the next look.
            self.manifold.neglected = measured;
        }
        self.manifold.evaluate(t, q, v, count)
    }

    /// Whether springs that have left smooth motion vibrate negligibly.
    fn is_calm(
        &mut self,
        t: f64,
        y: &[f64],
        was_calm: bool,
        count: &mut Statistics,
    ) -> Result<bool, StepFailure> {
        let (q, v, _) = self.layout.split(y);
        let treatment = &self.treatment;
        let taken_along = |k: usize| {
            treatment.may_come_back(k) || treatment.motions[k].is_some_and(SpringMotion::is_taken_along)
        };
        self.manifold.follow_springs(|k| !taken_along(k));
        self.manifold.let_creep(|k| treatment.is(k, SpringMotion::Creeping));
        let slowest = (0..self.layout.m()).filter(|&k| treatment.may_come_back(k));
        let slowest = slowest.fold(0.0, |slowest: f64, k| slowest.max(treatment.times[k]));
        if !was_calm {
            self.manifold.neglected.forget(slowest);
        }
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.factor(count)?;
        self.manifold.find_stretching(t, self.h, q, v, count)?;
        let weights = self.weights.split_at(self.layout.n());
        let times = &self.treatment.times;
        let left_out = self.manifold.left_out(t, times, weights, count);
        self.manifold.neglected.keep(t);
        let vibration = self.manifold.vibration(t, (q, v), weights, count)?;
        Ok(vibration <= NEGLIGIBLE * self.rule.rtol && left_out <= NEGLIGIBLE * self.rule.rtol)
    }
}
