//! What the polynomials through the stages leave of the equations between them.

use super::MechanicalStages;
use crate::linear::Stages;
use crate::motion::Statistics;
use crate::stages::coefficients::Middle;
use crate::stages::stage_equations::StageEquations;
use crate::system::Fault;

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
        let velocities = Stages { values: &self.stage_v, stride: n };
        let accelerations = Stages { values: unknowns, stride: size };
        let Middle { theta, values, integrals } = middle;
        let stages = values.len();
        self.combination.add(&self.q, h, integrals, velocities, q);
        self.combination.combine_rows(integrals, stages, h, accelerations, v, n);
        v.iter_mut().zip(&self.v).for_each(|(v, before)| *v += before);
        self.combination.add(v, -1.0, values, velocities, rates);
        self.combination.combine_rows(values, stages, 1.0, accelerations, &mut self.inside, size);
        self.evaluated.dynamics(self.system, self.t + theta * h, q, v)?;
        count.rhs += 1;
        let (a, lambda) = self.inside.split_at(n);
        balance.copy_from_slice(&self.evaluated.force);
        self.pattern.mass.multiply_add(&self.evaluated.mass, a, balance, -1.0);
        self.pattern.jacobian.transpose_multiply_add(&self.evaluated.jacobian, lambda, balance, -1.0);
        Ok(())
    }
}
