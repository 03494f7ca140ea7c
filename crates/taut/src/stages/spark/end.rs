//! The end of a step, from its stages.

use super::arrived::Arrived;
use super::equations::{SparkEquations, add_multiple, of_stage};
use super::unknowns::Unknowns;
use crate::system::Fault;

impl SparkEquations<'_> {
    /// M and G of the last stage, if that is the end of the step.
    pub(crate) fn geometry_of_end(&self) -> Option<(&[f64], &[f64])> {
        let (structure, last) = (self.system.structure(), self.unknowns.stages - 1);
        let geometry = || {
            let mass = &self.masses[of_stage(last, structure.mass.nnz())];
            (mass, &self.jacobians[of_stage(last, structure.jacobian.nnz())])
        };
        // G of conditions on velocities is that of the velocities of the stage.
        (self.method.imposes_on_stages() && self.all_holonomic).then(geometry)
    }

    /// The last multipliers and the velocity at the end, which follow from the other unknowns: (17f) and (17g) are
    /// `[M Gᵀ; G 0] (v₁, b_s hΛ_s) = (p₀ + …, −g_t)`, which `solve` solves. All stages were evaluated.
    pub(crate) fn find_end(&mut self, x: &mut [f64], solve: impl FnOnce(&mut [f64])) -> Result<(), Fault> {
        let Unknowns { stages, n, .. } = self.unknowns;
        let last = stages - 1;
        self.end[..n].copy_from_slice(&self.whole_momentum);
        let groups = self.method.groups.len();
        for (k, impulse) in self.impulses.chunks_exact(n).enumerate() {
            add_multiple(&mut self.end[..n], self.method.a[(stages, k / groups)], impulse);
        }
        let rows = &mut self.end[n..];
        rows.fill(0.0);
        if !self.rate_is_gv {
            let q = &self.positions[self.unknowns.stage(last)];
            self.system.constraint_rate(self.t + self.h, q, &self.at_rest, rows)?;
            rows.iter_mut().for_each(|row| *row = -*row);
        }
        solve(&mut self.end);
        let (v, reaction) = self.end.split_at(n);
        x[self.unknowns.velocities(stages)].copy_from_slice(v);
        let weight = 1.0 / self.method.a[(stages, last)];
        for (x, reaction) in x[self.unknowns.multipliers(last)].iter_mut().zip(reaction) {
            *x = weight * reaction;
        }
        self.stages_alone = false;
        self.find_impulses(last, x);
        Ok(())
    }

    /// The positions and momenta at the end of the step, and what their sums lose, from what was evaluated.
    pub(crate) fn end(&self, x: &[f64], end: &mut Arrived) {
        let (unknowns, h) = (self.unknowns, self.h);
        let Arrived { y, p, lost: [lost_q, lost_p], .. } = end;
        let (q, _, _) = self.layout.split_mut(y);
        lost_q.fill(0.0);
        p.fill(0.0);
        for i in 0..unknowns.stages {
            // The last stage has the position of the end, to the last bit.
            let weight = self.method.a[(unknowns.stages - 1, i)];
            add_multiple(lost_q, weight, &x[unknowns.velocities(i)]);
            for impulse in self.impulses_of(i) {
                add_multiple(p, self.method.a[(unknowns.stages, i)], impulse);
            }
        }
        for k in 0..unknowns.n {
            (q[k], lost_q[k]) = two_sum(self.q[k], h * lost_q[k] + self.lost[0][k]);
            (p[k], lost_p[k]) = two_sum(self.momentum[k], p[k] + self.lost[1][k]);
        }
    }
}

/// The rounded sum of two numbers and its rounding error (Knuth).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}
