//! The impulses of a stage, and which share of them is damped (Jay 1998, section 7).

use taut_tableau::Matrix;

use super::coefficients::Share;
use super::equations::{SparkEquations, of_stage};

impl SparkEquations<'_> {
    /// The shares of damping of a step, from the state where it begins.
    pub(super) fn set_shares(&mut self) {
        self.method.damping.write(self.t, &self.q, &self.v, &mut self.shares);
        if self.method.toward_damped().is_some() {
            self.begins.fill(true);
            for (k, coordinate) in self.system.structure().jacobian.entries() {
                self.begins[k] &= self.shares[coordinate] == 0.0;
            }
        }
    }

    /// h f − Gᵀ hΛ of all groups at stage i, which was evaluated. Where stages are alone, the last one has no Λ.
    pub(crate) fn find_impulses(&mut self, i: usize, x: &[f64]) {
        let n = self.unknowns.n;
        let of_groups = of_stage(i, self.parts.len() * n);
        let impulses = self.impulses[of_groups.clone()].iter_mut();
        for (impulse, force) in impulses.zip(&self.forces[of_groups.clone()]) {
            *impulse = self.h * force;
        }
        let motion = self.method.toward_damped().is_some();
        if !motion {
            self.damp(i);
        }
        if !(self.stages_alone && i + 1 == self.unknowns.stages) {
            self.add_reactions(i, x);
        }
        if motion {
            self.damp(i);
        }
    }

    /// Hands what is damped of the impulses at stage i over to the groups that take it.
    fn damp(&mut self, i: usize) {
        let n = self.unknowns.n;
        let impulses = &mut self.impulses[of_stage(i, self.parts.len() * n)];
        for (g, group) in self.method.groups.iter().enumerate().filter(|(_, g)| g.share != Share::Stays) {
            let (takers, others) = impulses.split_at_mut(g * n);
            for (k, (impulse, share)) in others.iter_mut().zip(&self.shares).enumerate() {
                takers[k] += share * *impulse;
                *impulse -= share * *impulse;
                if group.share == Share::Elastic && *share > 0.0 {
                    takers[n + k] += *impulse;
                    *impulse = 0.0;
                }
            }
        }
    }

    /// Adds −Gᵀ hΛ at stage i to the impulses of the groups that hold rods and springs.
    fn add_reactions(&mut self, i: usize, x: &[f64]) {
        let n = self.unknowns.n;
        let pattern = &self.system.structure().jacobian;
        let jacobian = &self.jacobians[of_stage(i, pattern.nnz())];
        let impulses = self.impulses[of_stage(i, self.parts.len() * n)].chunks_exact_mut(n.max(1));
        let multipliers = &x[self.unknowns.multipliers(i)];
        for ((g, group), impulse) in self.method.groups.iter().enumerate().zip(impulses) {
            if self.holds_all[g] {
                pattern.transpose_multiply_add(jacobian, multipliers, impulse, -1.0);
            } else if group.rods || group.springs {
                let multipliers = multipliers.iter().zip(&self.compliance);
                for (selected, (multiplier, compliance)) in self.selected.iter_mut().zip(multipliers) {
                    *selected = if group.holds(*compliance) { *multiplier } else { 0.0 };
                }
                pattern.transpose_multiply_add(jacobian, &self.selected, impulse, -1.0);
            }
        }
    }
}

/// Adds h αₖ Σ (c − a)ᵢⱼ Vⱼₖ to the displacements of all stages, α the shares of damping.
pub(super) fn damp_positions(
    toward: Option<&Matrix>,
    h: f64,
    shares: &[f64],
    velocities: &[f64],
    displacements: &mut [f64],
) {
    let (Some(toward), n) = (toward, shares.len().max(1)) else { return };
    for (i, displacement) in displacements.chunks_exact_mut(n).enumerate() {
        for (weight, velocity) in toward.row(i).iter().zip(velocities.chunks_exact(n)) {
            for ((d, share), v) in displacement.iter_mut().zip(shares).zip(velocity) {
                *d += h * weight * share * v;
            }
        }
    }
}
