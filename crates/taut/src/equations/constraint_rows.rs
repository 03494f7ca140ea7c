//! The rows of the constraints, each on its level.

use super::formulation::Level;
use super::view_layout::Parts;
use crate::system::{Evaluation, MechanicalSystem};

/// The constraints of a system, each on its level.
pub(super) struct ConstraintRows<'a> {
    system: &'a dyn MechanicalSystem,
    levels: Vec<Level>,
    compliance: Vec<f64>,
    relaxation: Vec<f64>,
}

/// What the rows are computed from.
pub(super) struct RowScratch {
    values: Vec<f64>,
    rate: Vec<f64>,
    jacobian: Vec<f64>,
}

impl<'a> ConstraintRows<'a> {
    pub(super) fn new(system: &'a dyn MechanicalSystem, levels: Vec<Level>) -> Self {
        let constraints = &system.structure().constraints;
        let compliance = constraints.iter().map(|c| c.compliance()).collect();
        let relaxation = constraints.iter().map(|c| c.relaxation()).collect();
        ConstraintRows { system, levels, compliance, relaxation }
    }

    pub(super) fn scratch(&self) -> RowScratch {
        let structure = self.system.structure();
        let values = vec![0.0; structure.m()];
        RowScratch { rate: values.clone(), values, jacobian: vec![0.0; structure.jacobian.nnz()] }
    }

    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// c of g = c λ; 0 for everything rigid.
    pub(super) fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// g + d g' − C λ, G v + g_t (or h), or G a + curvature, as the level of each constraint has it.
    pub(super) fn evaluate(
        &self,
        t: f64,
        at: Parts<&[f64]>,
        rows: &mut [f64],
        scratch: &mut RowScratch,
    ) -> Evaluation {
        let RowScratch { values, rate, jacobian } = scratch;
        let has_dampers = self.relaxation.iter().any(|d| *d > 0.0);
        if has_dampers || self.levels.contains(&Level::Velocity) {
            self.system.constraint_rate(t, at.q, at.v, rate)?;
            self.select(Level::Velocity, rate, rows);
        }
        if self.levels.contains(&Level::Position) {
            self.system.constraint(t, at.q, values)?;
            for ((g, compliance), lambda) in values.iter_mut().zip(&self.compliance).zip(at.lambda) {
                *g -= compliance * lambda;
            }
            if has_dampers {
                for ((g, d), rate) in values.iter_mut().zip(&self.relaxation).zip(&*rate) {
                    *g += d * rate;
                }
            }
            self.select(Level::Position, values, rows);
        }
        if self.levels.contains(&Level::Acceleration) {
            self.system.curvature(t, at.q, at.v, values)?;
            self.system.jacobian(t, at.q, at.v, jacobian)?;
            self.system.structure().jacobian.multiply_add(jacobian, at.a, values, 1.0);
            self.select(Level::Acceleration, values, rows);
        }
        Ok(())
    }

    fn select(&self, level: Level, values: &[f64], rows: &mut [f64]) {
        for ((row, value), of_row) in rows.iter_mut().zip(values).zip(&self.levels) {
            if *of_row == level {
                *row = *value;
            }
        }
    }
}
