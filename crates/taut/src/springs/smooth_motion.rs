//! Springs in smooth motion: stiff springs without the vibrations that their stiffness would allow.
//!
//! A smooth motion of g(q) = c λ (Lubich 1992, Theorem 2.2) satisfies G v = c λ' and G a + curvature = c λ''. Along it
//! the multipliers are functions of positions and velocities, up to O(c) those of the rigid constraint, so that λ' and
//! λ'' are their first and second difference along the motion. Velocities projected with them are off by O(c²): nothing
//! is divided by c, and c = 0 is the rod.
//!
//! A damper beside the spring, g + d g' = c λ, has two limits. When its relaxation time d is short, too, the spring is in
//! smooth motion as before, with g = c λ − d g', g' = c λ' − d g'' and g'' = c λ''. When d is long, the spring creeps: g is as
//! slow as everything else, and g' = (c λ − g)/d is a condition on velocities, with g'' = (c λ' − g')/d.

use super::vibrations::{largest_difference, time_scale};
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::geometry::probe::Probe;
use crate::motion::Statistics;

/// Differences along the motion reach this share of a step in both directions: the errors δ² of the difference and
/// 1e-16/δ² of its rounding balance.
const SHARE_OF_STEP: f64 = 1e-3;
/// Where no step was taken yet: this share of the time scale of the motion,
const SHARE_OF_TIME_SCALE: f64 = 1e-4;
/// which is not longer than so many times that of the slowest vibration: where rods and springs hold everything, only rounding errors
/// move, and what they seem to do in 1e12 s has nothing to do with the motion.
const MOST_VIBRATIONS: f64 = 1e7;
/// Accelerations are refined with the factors of a state close by until they change by less than the root of this share;
/// what is left is smaller still, by the distance of both states.
const REFINED_TO: f64 = 1e-20;
/// Most passes of the projection of a start onto smooth motion, each of which gains a factor c.
const START_PASSES: usize = 3;

impl Manifold<'_> {
    /// Finds how fast springs in smooth motion stretch at a state, with the factors at hand; `h` is the length of the
    /// last step, 0 when there was none.
    pub(crate) fn find_stretching(
        &mut self,
        t: f64,
        h: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if !self.has_smooth_springs() {
            return Ok(());
        }
        self.stretching[2].fill(0.0);
        let mut probe = std::mem::take(&mut self.probe);
        let found = self.differences(&mut probe, t, h, q, v, count);
        self.probe = probe;
        found
    }

    fn differences(
        &mut self,
        probe: &mut Probe,
        t: f64,
        h: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        probe.a[1].fill(0.0);
        probe.lambda[1].fill(0.0);
        self.refined_at(probe, 1, t, q, v, count)?;
        let delta = match h {
            0.0 => SHARE_OF_TIME_SCALE * self.time_scale_at_start(q, v, &probe.a[1]),
            h => SHARE_OF_STEP * h.abs().max(self.neglected.slowest),
        };
        if !delta.is_finite() {
            return Ok(());
        }
        probe.begin_sides();
        // Without the jerk λ'' would be wrong: where the step does not say it, a first round finds it.
        if !std::mem::take(&mut probe.knows_jerk) {
            probe.jerk.fill(0.0);
            self.look_to_both_sides(probe, (t, delta), q, v, count)?;
            probe.find_jerk(delta);
        }
        self.look_to_both_sides(probe, (t, delta), q, v, count)?;
        probe.find_jerk(delta);
        let [before, here, after] = &probe.lambda;
        for k in 0..self.compliance.len() {
            self.neglected.here[0][k] = here[k];
            self.neglected.here[1][k] = (after[k] - before[k]) / (2.0 * delta);
            self.neglected.here[2][k] = (after[k] - 2.0 * here[k] + before[k]) / (delta * delta);
        }
        self.find_third(probe, (t, h, delta), (q, v), count)?;
        self.stretch_with_accelerations(probe, (t, delta), q, v, count)?;
        self.refined_at(probe, 1, t, q, v, count)?;
        for k in 0..self.compliance.len() {
            let stretching = self.smooth_compliance(k) * probe.lambda[1][k];
            match self.creeping[k] {
                true => self.stretching[1][k] = stretching / self.relaxation[k],
                false => self.stretching[0][k] = stretching - self.relaxation[k] * self.stretching[1][k],
            }
        }
        Ok(())
    }

    /// The time scale of the motion where no step was taken yet, as far as differences may reach with it.
    pub(super) fn time_scale_at_start(&self, q: &[f64], v: &[f64], a: &[f64]) -> f64 {
        let (motion, slowest) = (time_scale(q, v, a), self.neglected.slowest);
        if slowest > 0.0 && motion.is_finite() { motion.min(MOST_VIBRATIONS * slowest) } else { motion }
    }

    /// g'' = c (λ₀'' − d λ₀''') and g' = c λ' − d g'', with the multipliers λ of motion with this g''.
    fn stretch_with_accelerations(
        &mut self,
        probe: &mut Probe,
        (t, delta): (f64, f64),
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        for k in 0..self.compliance.len() {
            let (c, d) = (self.smooth_compliance(k), self.relaxation[k]);
            let [_, first, second] = &self.neglected.here;
            self.stretching[2][k] = match self.creeping[k] {
                true => c * first[k] / d,
                false => c * (second[k] - d * self.neglected.third[k]),
            };
        }
        for (side, delta) in [(0, -delta), (2, delta)] {
            self.change_accelerations(delta);
            let looked = self.look_to_side(probe, (side, t, delta), q, v, count);
            self.change_accelerations(-delta);
            looked?;
        }
        let [before, _, after] = &probe.lambda;
        for k in 0..self.compliance.len() {
            let (c, d) = (self.smooth_compliance(k), self.relaxation[k]);
            self.stretching[1][k] = match self.creeping[k] {
                true => c * self.neglected.here[0][k] / d,
                false => c * (after[k] - before[k]) / (2.0 * delta) - d * self.stretching[2][k],
            };
        }
        Ok(())
    }

    /// g'' of springs in smooth motion a time δ later.
    fn change_accelerations(&mut self, delta: f64) {
        for k in 0..self.compliance.len() {
            if !self.creeping[k] {
                self.stretching[2][k] += delta * self.smooth_compliance(k) * self.neglected.third[k];
            }
        }
    }

    fn look_to_both_sides(
        &mut self,
        probe: &mut Probe,
        (t, delta): (f64, f64),
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.look_to_side(probe, (0, t, -delta), q, v, count)?;
        self.look_to_side(probe, (2, t, delta), q, v, count)
    }

    /// Accelerations and multipliers a time δ later on the Taylor polynomial of the motion.
    pub(super) fn look_to_side(
        &mut self,
        probe: &mut Probe,
        (side, t, delta): (usize, f64, f64),
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        probe.move_along(q, v, delta);
        let (q, v) = (std::mem::take(&mut probe.q), std::mem::take(&mut probe.v));
        let found = self.refined_at(probe, side, t + delta, &q, &v, count);
        (probe.q, probe.v) = (q, v);
        found
    }

    /// Moves a start onto smooth motion: what vibrates there would be damped anyway, at the cost of short steps.
    pub(crate) fn begin_smoothly(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let mut before = 1.0;
        for _ in 0..START_PASSES {
            let (start_q, start_v) = (q.to_vec(), v.to_vec());
            self.evaluate_geometry(t, q, v)?;
            self.factor(count)?;
            self.find_stretching(t, 0.0, q, v, count)?;
            self.project_positions(t, q, count)?;
            self.project_velocities(t, q, v, count)?;
            let moved = relative_change(q, &start_q).max(relative_change(v, &start_v));
            // The next pass would change as much less than this one as this one has changed less than the last.
            if moved * moved <= f64::EPSILON * before {
                break;
            }
            before = moved;
        }
        self.evaluate(t, q, v, count)?;
        self.factor(count)
    }

    /// c of a spring in smooth motion, 0 of everything else.
    pub(super) fn smooth_compliance(&self, k: usize) -> f64 {
        if self.followed[k] == 0.0 { self.compliance[k] } else { 0.0 }
    }

    /// Accelerations and multipliers at a state, from those that are known roughly.
    fn refined_at(
        &mut self,
        probe: &mut Probe,
        side: usize,
        t: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.evaluate(t, q, v, count)?;
        let (a, lambda) = (&mut probe.a[side], &mut probe.lambda[side]);
        self.refine_accelerations(t, a, lambda, REFINED_TO, count)
    }
}

/// How far a pass has moved a state, relative to its largest entry.
fn relative_change(x: &[f64], before: &[f64]) -> f64 {
    let size = x.iter().fold(f64::MIN_POSITIVE, |largest: f64, x| largest.max(x.abs()));
    largest_difference(x, before) / size
}
