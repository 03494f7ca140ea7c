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
        let h = self.h;
        let Arrived { y, p, lost: [lost_q, lost_p], .. } = end;
        let (q, _, _) = self.layout.split_mut(y);
        self.sum_up(x, lost_q, p);
        let before = self.q.iter().zip(&self.lost[0]);
        for ((q, lost_q), (before, lost)) in q.iter_mut().zip(lost_q).zip(before) {
            (*q, *lost_q) = two_sum(*before, h * *lost_q + lost);
        }
        let before = self.momentum.iter().zip(&self.lost[1]);
        for ((p, lost_p), (before, lost)) in p.iter_mut().zip(lost_p).zip(before) {
            (*p, *lost_p) = two_sum(*before, *p + lost);
        }
    }

    /// Σ wᵢ Vᵢ and the sum of all impulses.
    fn sum_up(&self, x: &[f64], displacement: &mut [f64], momentum: &mut [f64]) {
        let unknowns = self.unknowns;
        let mut impulses = self.impulses.chunks_exact(unknowns.n.max(1));
        if let (2, Some(first), Some(second), None) =
            (unknowns.stages, impulses.next(), impulses.next(), impulses.next())
        {
            // Two stages and forces of one kind are added up without a loop over them.
            add_two(self.method.a.row(1), [0, 1].map(|i| &x[unknowns.velocities(i)]), displacement);
            return add_two(self.method.a.row(2), [first, second], momentum);
        }
        displacement.fill(0.0);
        momentum.fill(0.0);
        for i in 0..unknowns.stages {
            // The last stage has the position of the end, to the last bit.
            let weight = self.method.a[(unknowns.stages - 1, i)];
            add_multiple(displacement, weight, &x[unknowns.velocities(i)]);
            for impulse in self.impulses_of(i) {
                add_multiple(momentum, self.method.a[(unknowns.stages, i)], impulse);
            }
        }
    }
}

/// w₀ x₀ + w₁ x₁
fn add_two(weights: &[f64], [first, second]: [&[f64]; 2], sum: &mut [f64]) {
    let Some(&[of_first, of_second]) = weights.first_chunk::<2>() else { return };
    for (sum, (first, second)) in sum.iter_mut().zip(first.iter().zip(second)) {
        *sum = of_first * first + of_second * second;
    }
}

/// The rounded sum of two numbers and its rounding error (Knuth).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}
