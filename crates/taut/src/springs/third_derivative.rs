//! The third derivative of the rigid multipliers along the motion.
//!
//! Velocities of smooth motion contain C (d² − T²) λ₀''': where a motion whips, an error of it would be a small impulse after each
//! step, whose direction turns within the next one. The quintic polynomial through both ends of a step knows λ₀''' to the third power of
//! the share of the step in the time scale of the motion, that is not at all where steps of a high order are as long as that.

use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::geometry::probe::Probe;
use crate::motion::Statistics;

/// Differences reach twice this share of a step in both directions: their error is the square of it, that of rounding 1e-16 over
/// its third power.
const SHARE_OF_STEP: f64 = 5e-3;
/// What the third derivative adds to velocities is negligible below this share of the tolerance.
const NEGLIGIBLE: f64 = 1e-2;
/// Places and weights of the difference that is the third derivative.
const DIFFERENCE: [(f64, f64); 4] = [(-2.0, -0.5), (-1.0, 1.0), (1.0, -1.0), (2.0, 0.5)];

impl Manifold<'_> {
    /// What the third derivative may add to velocities without being looked at: a share of the tolerance.
    pub(crate) fn weigh_velocities(&mut self, rtol: f64, weights: &[f64]) {
        let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(*weight));
        self.neglected.negligible = NEGLIGIBLE * rtol / largest;
    }

    /// Finds λ₀''' at a state whose λ₀, λ₀', λ₀'' and accelerations at a distance δ were just found; `h` is the length of the last
    /// step, 0 when there was none.
    pub(super) fn find_third(
        &mut self,
        probe: &mut Probe,
        (t, h, delta): (f64, f64, f64),
        (q, v): (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.neglected.find_third(t) && !self.third_matters() {
            return Ok(());
        }
        probe.find_snap(delta);
        let reach = SHARE_OF_STEP
            * match h {
                0.0 => self.time_scale_at_start(q, v, &probe.a[1]),
                h => h.abs().max(self.neglected.slowest),
            };
        self.neglected.third.fill(0.0);
        for (place, weight) in DIFFERENCE {
            let delta = place * reach;
            self.guess_side(probe, delta);
            self.look_to_side(probe, (0, t, delta), q, v, count)?;
            for (third, lambda) in self.neglected.third.iter_mut().zip(&probe.lambda[0]) {
                *third += weight * lambda / reach.powi(3);
            }
        }
        probe.snap.fill(0.0);
        probe.begin_sides();
        Ok(())
    }

    /// Whether λ₀''', known roughly, adds more than a negligible velocity.
    fn third_matters(&self) -> bool {
        let Self { neglected, relaxation, .. } = self;
        let adds = |k: usize| {
            let square = neglected.slowest.powi(2) + relaxation[k].powi(2);
            self.smooth_compliance(k) * square * neglected.third[k].abs()
        };
        (0..relaxation.len()).any(|k| !self.creeping[k] && adds(k) > neglected.negligible)
    }

    /// Accelerations and multipliers a time δ later, from their derivatives here.
    fn guess_side(&self, probe: &mut Probe, delta: f64) {
        let Probe { a: [side, here, _], jerk, snap, .. } = probe;
        for (k, side) in side.iter_mut().enumerate() {
            *side = here[k] + delta * (jerk[k] + 0.5 * delta * snap[k]);
        }
        let [here, first, second] = &self.neglected.here;
        for (k, side) in probe.lambda[0].iter_mut().enumerate() {
            *side = here[k] + delta * (first[k] + 0.5 * delta * second[k]);
        }
    }
}
