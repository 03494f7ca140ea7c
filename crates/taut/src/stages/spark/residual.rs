//! The residuals of the equations of a step.

use super::equations::{SparkEquations, of_stage};
use super::unknowns::Unknowns;
use crate::control::error_norm::{Scales, larger, largest_of, root_mean, weighted_square};
use crate::motion::Statistics;
use crate::stages::step_residuals::StepResiduals;
use crate::system::Fault;

impl StepResiduals for SparkEquations<'_> {
    /// The residuals of all equations.
    fn residual(&mut self, x: &[f64], residual: &mut [f64], count: &mut Statistics) -> Result<(), Fault> {
        let unknowns = self.unknowns;
        let stages = unknowns.stages;
        self.place_stages(x);
        for i in 0..stages {
            count.rhs += usize::from(self.evaluate_stage(i, x)?);
            if !self.waits(i) {
                self.find_impulses(i, x);
            }
            self.constraint_residual(i, x, residual);
        }
        self.balances(x, 0..stages, &mut residual[..stages * unknowns.n]);
        if self.stages_alone {
            return Ok(());
        }
        self.balances(x, stages..stages + 1, &mut residual[unknowns.velocities(stages)]);
        self.end_residual(x, residual)?;
        self.impose_rods_elsewhere(residual)?;
        self.nonholonomic_residuals(x, residual)
    }

    /// The size of an update, of the positions of all stages and of the velocity at the end. The velocities of the
    /// stages are not asked: rounding errors of g, divided by h, are in them, and go no further. Where stages are alone, the
    /// velocity at the end is still to be found.
    fn size(&self, update: &[f64], scales: &Scales) -> f64 {
        let Unknowns { stages, n, .. } = self.unknowns;
        let (q_scales, v_scales, _) = self.layout.split(scales.inverse());
        let squares = (0..stages).map(|i| weighted_square(&update[self.unknowns.velocities(i)], q_scales));
        let positions = self.h.abs() * root_mean(squares.sum(), stages * n);
        if self.stages_alone {
            return positions;
        }
        let end = &update[self.unknowns.velocities(stages)];
        larger(positions, root_mean(weighted_square(end, v_scales), n))
    }

    /// What a rounding error of the largest position or velocity means in the norm of [`Self::size`]: the equations carry
    /// it to all others.
    fn rounding(&self, x: &[f64], scales: &Scales) -> f64 {
        let positions = self.rounding_of_positions(scales);
        if self.stages_alone {
            return positions;
        }
        let (_, v_scales, _) = self.layout.split(scales.inverse());
        let velocities = &x[self.unknowns.velocities(self.unknowns.stages)];
        positions.max(f64::EPSILON * (largest_of(velocities) * largest_of(v_scales)))
    }
}

impl SparkEquations<'_> {
    /// What a rounding error of the largest position means.
    pub(super) fn rounding_of_positions(&self, scales: &Scales) -> f64 {
        let (q_scales, _, _) = self.layout.split(scales.inverse());
        f64::EPSILON * (largest_of(&self.q) * largest_of(q_scales)).max(1.0)
    }

    /// (g(Qᵢ) − C Λᵢ)/h of a stage, which was evaluated. The first one, when it lies at the beginning, has none.
    fn constraint_residual(&self, i: usize, x: &[f64], residual: &mut [f64]) {
        if i == 0 && self.begins_with_stage() {
            return;
        }
        let (multipliers, h) = (&x[self.unknowns.multipliers(i)], self.h);
        for (k, row) in residual[self.unknowns.multipliers(i)].iter_mut().enumerate() {
            *row = (self.constraint[k] - self.compliance[k] * multipliers[k] / h) / h;
        }
    }

    /// G(q₁) v₁ + g_t of rods and h Λ₁ − h λ₀ of springs, in the place of the first stage.
    fn end_residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Fault> {
        let (unknowns, h) = (self.unknowns, self.h);
        if unknowns.m == 0 {
            return Ok(());
        }
        let q = &self.positions[unknowns.stage(unknowns.stages - 1)];
        let v = &x[unknowns.velocities(unknowns.stages)];
        if self.rate_is_gv {
            // The last stage, where G was evaluated, is the end.
            let pattern = &self.system.structure().jacobian;
            let jacobian = &self.jacobians[of_stage(unknowns.stages - 1, pattern.nnz())];
            self.constraint.fill(0.0);
            pattern.multiply_add(jacobian, v, &mut self.constraint, 1.0);
        } else {
            self.system.constraint_rate(self.t + h, q, v, &mut self.constraint)?;
        }
        let multipliers = &x[unknowns.multipliers(0)];
        for (k, row) in residual[unknowns.multipliers(0)].iter_mut().enumerate() {
            if self.compliance[k] == 0.0 {
                *row = self.constraint[k];
            } else if self.begins[k] {
                *row = multipliers[k] - h * self.lambda[k];
            }
        }
        Ok(())
    }

    /// g/h of rods where the stages lie elsewhere (17c).
    fn impose_rods_elsewhere(&mut self, residual: &mut [f64]) -> Result<(), Fault> {
        let unknowns = self.unknowns;
        for (i, q) in self.constrained.chunks_exact(unknowns.n).enumerate().skip(1) {
            self.system.constraint(self.t + self.method.c[i] * self.h, q, &mut self.constraint)?;
            let rows = residual[unknowns.multipliers(i)].iter_mut().zip(&self.constraint);
            for ((row, g), compliance) in rows.zip(&self.compliance) {
                *row = if *compliance == 0.0 { g / self.h } else { *row };
            }
        }
        Ok(())
    }

    /// The moments of h(q, v) over the stages.
    fn nonholonomic_residuals(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Fault> {
        if self.all_holonomic {
            return Ok(());
        }
        let unknowns = self.unknowns;
        for j in 0..unknowns.stages {
            let (q, v) = (&self.positions[unknowns.stage(j)], &x[unknowns.velocities(j)]);
            self.system.constraint_rate(self.stage_time(j), q, v, &mut self.constraint)?;
            for i in 1..unknowns.stages {
                let rows = residual[unknowns.multipliers(i)].iter_mut();
                for ((row, rate), holonomic) in rows.zip(&self.constraint).zip(&self.holonomic) {
                    *row += if *holonomic { 0.0 } else { self.method.moments[(i, j)] * rate };
                }
            }
        }
        Ok(())
    }
}
