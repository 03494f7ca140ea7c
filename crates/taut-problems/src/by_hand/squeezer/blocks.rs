//! The Newton blocks of the squeezer.

use taut::system::Terms;

use super::{Inner, Loops, Squeezer};

impl Squeezer {
    /// K = ∂(f − M a − Gᵀλ)/∂q: the Hessian of λ·g, the spring, and what M and f owe to Θ, Φ, Ω.
    pub(super) fn write_stiffness(
        &self,
        terms: Terms,
        inner: &Inner,
        loops: &Loops,
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
    ) {
        let Loops { crank, rod, gamma, left, delta, right, epsilon } = loops;
        let pull = [lambda[0] + lambda[2] + lambda[4], lambda[1] + lambda[3] + lambda[5]];
        let at_rod = pull[0] * rod[0] + pull[1] * rod[1];
        let at_crank = pull[0] * crank[0] + pull[1] * crank[1];
        let at_gamma = lambda[0] * gamma[1] - lambda[1] * gamma[0];
        let at_left = lambda[2] * left[1] - lambda[3] * left[0];
        let at_delta = lambda[2] * delta[0] + lambda[3] * delta[1];
        let at_right = lambda[4] * right[0] + lambda[5] * right[1];
        let at_epsilon = lambda[4] * epsilon[1] - lambda[5] * epsilon[0];
        let spring = if terms.contain(Terms::POTENTIAL) { self.spring(inner).slope } else { 0.0 };

        let c = &self.inertia;
        let (crank_sin, crank_cos) = (c.crank * inner.sin_theta, c.crank * inner.cos_theta);
        let (left_sin, left_cos) = (c.left * inner.sin_phi, c.left * inner.cos_phi);
        let (right_sin, right_cos) = (c.right * inner.sin_omega, c.right * inner.cos_omega);
        // − ∂(M a)/∂(Θ, Φ, Ω) in the two rows of each block
        let mut by_theta = [-crank_sin * (2.0 * a[0] + a[1]), -crank_sin * a[0]];
        let mut by_phi = [-left_cos * a[4], -left_cos * (a[3] + 2.0 * a[4])];
        let mut by_omega = [right_cos * a[6], right_cos * (a[5] + 2.0 * a[6])];
        if terms.contain(Terms::CORIOLIS) {
            by_theta[0] -= crank_cos * v[1] * (v[1] + 2.0 * v[0]);
            by_theta[1] += crank_cos * v[0] * v[0];
            by_phi[0] -= left_sin * v[4] * v[4];
            by_phi[1] += left_sin * v[3] * (v[3] + 2.0 * v[4]);
            by_omega[0] += right_sin * v[6] * v[6];
            by_omega[1] -= right_sin * v[5] * (v[5] + 2.0 * v[6]);
        }
        if terms.contain(Terms::KINETIC) {
            by_theta[1] += crank_cos * v[0] * (v[0] + v[1]);
            by_phi[0] -= left_sin * v[4] * (v[4] + v[3]);
            by_omega[0] += right_sin * v[6] * (v[6] + v[5]);
        }
        stiffness.copy_from_slice(&[
            at_crank - at_rod,
            -at_rod,
            by_theta[0] - at_rod,
            by_theta[1] - at_rod,
            spring - at_gamma,
            by_phi[0] - at_left,
            by_phi[1] - at_left,
            -at_left,
            -at_left - at_delta,
            by_omega[0] - at_right,
            by_omega[1] - at_right,
            -at_right,
            -at_right - at_epsilon,
        ]);
    }

    pub(super) fn write_damping(&self, terms: Terms, inner: &Inner, v: &[f64], damping: &mut [f64]) {
        let c = &self.inertia;
        let (crank, left, right) =
            (c.crank * inner.sin_theta, c.left * inner.cos_phi, c.right * inner.cos_omega);
        damping.fill(0.0);
        if terms.contain(Terms::CORIOLIS) {
            damping[0] = -2.0 * crank * v[1];
            damping[1] = 2.0 * crank * v[0];
            damping[2] = -2.0 * crank * (v[0] + v[1]);
            damping[6] = -2.0 * left * (v[3] + v[4]);
            damping[7] = 2.0 * left * v[4];
            damping[8] = -2.0 * left * v[3];
            damping[10] = 2.0 * right * (v[5] + v[6]);
            damping[11] = -2.0 * right * v[6];
            damping[12] = 2.0 * right * v[5];
        }
        if terms.contain(Terms::KINETIC) {
            damping[1] += crank * (2.0 * v[0] + v[1]);
            damping[3] += crank * v[0];
            damping[5] += left * v[4];
            damping[7] += left * (2.0 * v[4] + v[3]);
            damping[9] -= right * v[6];
            damping[11] -= right * (2.0 * v[6] + v[5]);
        }
    }
}
