//! What the polynomials through the stages leave of the equations between them.

use super::MechanicalStages;
use crate::motion::Statistics;
use crate::stages::coefficients::Middle;
use crate::stages::stage_equations::StageEquations;
use crate::system::Fault;

/// out += Σ factor wᵢ xᵢ for the first entries of stage values that lie `stride` apart.
fn combine(weights: &[f64], factor: f64, stages: &[f64], stride: usize, out: &mut [f64]) {
    for (weight, stage) in weights.iter().zip(stages.chunks_exact(stride)) {
        for (out, x) in out.iter_mut().zip(stage) {
            *out += factor * weight * x;
        }
    }
}

impl MechanicalStages<'_> {
    /// In the middle of the step, at θ: by how much the velocity differs from the derivative of the position, into `rates`, and
    /// f − Gᵀλ − M a, into `balance`. At the stages both are nothing.
    pub(crate) fn defect_in_the_middle(
        &mut self,
        middle: &Middle,
        unknowns: &[f64],
        (rates, balance): (&mut [f64], &mut [f64]),
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let (n, size, h) = (self.layout.n(), self.unknowns(), self.h);
        self.inside.resize(size, 0.0);
        let (q, v) = (&mut self.update_q[..n], &mut self.update_v[..n]);
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
        combine(&middle.integrals, h, &self.stage_v, n, q);
        combine(&middle.integrals, h, unknowns, size, v);
        self.inside.fill(0.0);
        combine(&middle.values, 1.0, unknowns, size, &mut self.inside);
        rates.copy_from_slice(v);
        combine(&middle.values, -1.0, &self.stage_v, n, rates);
        self.evaluated.dynamics(self.system, self.t + middle.theta * h, q, v)?;
        count.rhs += 1;
        let (a, lambda) = self.inside.split_at(n);
        balance.copy_from_slice(&self.evaluated.force);
        self.pattern.mass.multiply_add(&self.evaluated.mass, a, balance, -1.0);
        self.pattern.jacobian.transpose_multiply_add(&self.evaluated.jacobian, lambda, balance, -1.0);
        Ok(())
    }
}
