//! Springs are put right after a step: what that does along the manifold.
//!
//! A step ends with springs that are stretched by α and stretch by β beyond smooth motion. As steps do not resolve what becomes
//! of that, it is taken away as if it were over at once; but the motion turns while it goes on. With x = α, x' = β at first,
//! c μ = x + d x' and x'' = −A μ the spring pulls with μ beyond smooth motion, until x = x' = 0:
//!
//! ∫ μ = A⁻¹β,   ∫ s μ = −A⁻¹α,   ∫ s² μ = −2 A⁻¹γ   with   γ = c A⁻¹β + d α,
//!
//! vibrations in the mean as well. So velocities change by −M⁻¹Gᵀ A⁻¹β + M⁻¹Ġᵀ A⁻¹α + M⁻¹G̈ᵀ A⁻¹γ and positions by
//! −M⁻¹Gᵀ A⁻¹α − 2 M⁻¹Ġᵀ A⁻¹γ. The first terms are the projections. Without the others a pendulum whose spring is put right would
//! gain angular momentum. γ counts where there are dampers: d is longer than a vibration there.

use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::geometry::probe::Probe;
use crate::motion::Statistics;

/// Differences of G along the motion reach this share of a step in both directions, or of a vibration where that is longer: in steps that
/// become short the second difference would be a rounding error over their square, and put energy into the motion.
const SHARE_OF_STEP: f64 = 1e-3;

impl Manifold<'_> {
    /// Moves positions onto rods and onto the stretching of smooth motion, and velocities along; `lambda` are the
    /// multipliers of the step, which say how far its springs are stretched.
    pub(crate) fn project_positions_along(
        &mut self,
        t: f64,
        h: f64,
        q: &mut [f64],
        v: &mut [f64],
        lambda: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.find_stretching(t, h, q, v, count)?;
        self.project_positions(t, q, count)?;
        if !self.has_smooth_springs() || h == 0.0 {
            return Ok(());
        }
        let mut probe = std::mem::take(&mut self.probe);
        self.find_impulses(&mut probe, lambda, count);
        let found = self.turn(&mut probe, (t, h), q, v, count);
        if found.is_ok() {
            let [of_positions, of_velocities] = &probe.along;
            v.iter_mut().zip(of_velocities).for_each(|(v, change)| *v += change);
            if self.has_dampers() {
                q.iter_mut().zip(of_positions).for_each(|(q, change)| *q -= 2.0 * change);
            }
        }
        self.probe = probe;
        found
    }

    /// A⁻¹α, of the stretch α that the step has beyond smooth motion, and A⁻¹γ where there are dampers. What is known of α is c λ
    /// with the multipliers of the step, or with a damper, whose part is lost with the velocities of the step, g itself.
    fn find_impulses(&mut self, probe: &mut Probe, lambda: &[f64], count: &mut Statistics) {
        let n = self.structure().n();
        let [of_stretch, of_delay] = &mut probe.impulse;
        for (k, lambda) in lambda.iter().enumerate() {
            let stretched = match self.relaxation[k] {
                0.0 => self.smooth_compliance(k) * lambda,
                _ => self.evaluated().constraint[k],
            };
            of_stretch[k] = if self.creeping[k] { 0.0 } else { stretched - self.stretching[0][k] };
        }
        if self.has_dampers() {
            for (k, rate) in of_delay.iter_mut().enumerate() {
                *rate = self.evaluated().rate[k] - self.stretching[1][k];
            }
            self.impulse_of_stretch(of_delay, count);
            for (k, delay) in of_delay.iter_mut().enumerate() {
                *delay = self.smooth_compliance(k) * *delay + self.relaxation[k] * of_stretch[k];
            }
            self.impulse_of_stretch(of_delay, count);
        }
        self.correction[n..].copy_from_slice(of_stretch);
        self.solve_correction(count);
        of_stretch.copy_from_slice(&self.correction[n..]);
    }

    /// Replaces a stretch x of springs in smooth motion by A⁻¹x.
    fn impulse_of_stretch(&mut self, x: &mut [f64], count: &mut Statistics) {
        self.solve_for_stretch(|k, _| x[k], count);
        for (x, impulse) in x.iter_mut().zip(&self.correction[self.structure().n()..]) {
            *x = -impulse;
        }
    }

    /// M⁻¹Ġᵀ A⁻¹γ, and M⁻¹Ġᵀ A⁻¹α + M⁻¹G̈ᵀ A⁻¹γ, along the manifold.
    fn turn(
        &mut self,
        probe: &mut Probe,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (pattern, dampers) = (&self.structure().jacobian, self.has_dampers());
        let [of_stretch, of_delay] = &probe.impulse;
        let [of_positions, of_velocities] = &mut probe.along;
        of_positions.fill(0.0);
        of_velocities.fill(0.0);
        let reach = SHARE_OF_STEP * h.abs().max(self.neglected.slowest);
        for delta in [-reach, reach] {
            for (k, moved) in probe.q.iter_mut().enumerate() {
                *moved = q[k] + delta * v[k];
                if dampers {
                    *moved += 0.5 * delta * delta * probe.a[1][k];
                }
            }
            self.evaluate_geometry(t + delta, &probe.q, v)?;
            let jacobian = &self.evaluated().jacobian;
            pattern.transpose_multiply_add(jacobian, of_stretch, of_velocities, 0.5 / delta);
            if dampers {
                let second = 1.0 / (delta * delta);
                pattern.transpose_multiply_add(jacobian, of_delay, of_velocities, second);
                pattern.transpose_multiply_add(jacobian, of_delay, of_positions, 0.5 / delta);
            }
        }
        if dampers {
            self.evaluate_geometry(t, q, v)?;
            let second = -2.0 / (reach * reach);
            pattern.transpose_multiply_add(&self.evaluated().jacobian, of_delay, of_velocities, second);
            self.tangent_velocities(of_positions, count);
        }
        self.tangent_velocities(of_velocities, count);
        Ok(())
    }
}
