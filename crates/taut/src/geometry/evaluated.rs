//! What a mechanical system has at one state, and the blocks of the saddle matrices made of it.

use crate::linear::{Blocks, SaddlePattern};
use crate::system::{Dynamics, Fault, MechanicalSystem, Structure};

/// M, f, g, G and derivatives of g at one state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluated {
    pub(crate) mass: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) constraint: Vec<f64>,
    pub(crate) jacobian: Vec<f64>,
    pub(crate) rate: Vec<f64>,
    pub(crate) curvature: Vec<f64>,
}

impl Evaluated {
    pub(crate) fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.n(), structure.m());
        Evaluated {
            mass: vec![0.0; structure.mass.nnz()],
            force: vec![0.0; n],
            constraint: vec![0.0; m],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            rate: vec![0.0; m],
            curvature: vec![0.0; m],
        }
    }

    /// Where M, f, g and G are written, and the curvature.
    fn places(&mut self) -> (Dynamics<'_>, &mut [f64]) {
        let Evaluated { mass, force, constraint, jacobian, curvature, .. } = self;
        (Dynamics { mass, force, constraint, jacobian }, curvature)
    }

    /// M, f, g and G at one state.
    pub(crate) fn dynamics(
        &mut self,
        system: &dyn MechanicalSystem,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), Fault> {
        system.dynamics(t, q, v, &mut self.places().0)
    }

    /// M, f, g, G and the curvature of the constraints at one state.
    pub(crate) fn dynamics_and_curvature(
        &mut self,
        system: &dyn MechanicalSystem,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), Fault> {
        let (mut out, curvature) = self.places();
        system.dynamics_and_curvature(t, q, v, &mut out, curvature)
    }
}

/// M, f, g and G of all stages of a step, for a system that evaluates them together.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluatedTogether {
    t: Vec<f64>,
    mass: Vec<f64>,
    force: Vec<f64>,
    constraint: Vec<f64>,
    jacobian: Vec<f64>,
    holds_all: bool,
}

impl EvaluatedTogether {
    /// Evaluates at the times t + c h, where that costs less together.
    pub(crate) fn evaluate(
        &mut self,
        system: &dyn MechanicalSystem,
        (t, h, c): (f64, f64, &[f64]),
        q: &[f64],
        v: &[f64],
    ) -> Result<(), Fault> {
        self.holds_all = system.takes_several();
        if !self.holds_all {
            return Ok(());
        }
        let (structure, count) = (system.structure(), c.len());
        self.t.clear();
        self.t.extend(c.iter().map(|c| t + c * h));
        self.mass.resize(count * structure.mass.nnz(), 0.0);
        self.force.resize(count * structure.n(), 0.0);
        self.constraint.resize(count * structure.m(), 0.0);
        self.jacobian.resize(count * structure.jacobian.nnz(), 0.0);
        let EvaluatedTogether { mass, force, constraint, jacobian, .. } = self;
        let mut out = Dynamics { mass, force, constraint, jacobian };
        system.dynamics_of_several(&self.t, q, v, &mut out)
    }

    /// Whether the stages were evaluated together.
    pub(crate) fn holds_all(&self) -> bool {
        self.holds_all
    }

    /// M, f, g and G of stage i where they lie; what was evaluated for it alone when the stages were not evaluated together.
    pub(crate) fn of<'e>(&'e self, i: usize, alone: &'e Evaluated) -> [&'e [f64]; 4] {
        let Evaluated { mass, force, constraint, jacobian, .. } = alone;
        let alone = [mass.as_slice(), force, constraint, jacobian];
        if !self.holds_all {
            return alone;
        }
        let all = [&self.mass, &self.force, &self.constraint, &self.jacobian];
        std::array::from_fn(|part| &all[part][i * alone[part].len()..][..alone[part].len()])
    }

    /// Copies what belongs to stage i, when the stages were evaluated together.
    pub(crate) fn give(&self, i: usize, to: &mut Evaluated) {
        if self.holds_all {
            let part = |all: &[f64], one: &mut [f64]| one.copy_from_slice(&all[i * one.len()..][..one.len()]);
            part(&self.mass, &mut to.mass);
            part(&self.force, &mut to.force);
            part(&self.constraint, &mut to.constraint);
            part(&self.jacobian, &mut to.jacobian);
        }
    }
}

/// The blocks that Newton's matrices are made of.
#[derive(Clone, Debug)]
pub(crate) struct FrozenBlocks {
    pub(crate) mass: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    pub(crate) stiffness: Vec<f64>,
    pub(crate) jacobian: Vec<f64>,
}

impl FrozenBlocks {
    pub(crate) fn new(structure: &Structure) -> Self {
        FrozenBlocks {
            mass: vec![0.0; structure.mass.nnz()],
            damping: vec![0.0; structure.damping.nnz()],
            stiffness: vec![0.0; structure.stiffness.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
        }
    }

    pub(crate) fn blocks<'b>(&'b self, compliance: &'b [f64], relaxation: &'b [f64]) -> Blocks<'b> {
        Blocks {
            mass: &self.mass,
            damping: &self.damping,
            stiffness: &self.stiffness,
            jacobian: &self.jacobian,
            compliance,
            relaxation,
        }
    }
}

/// The pattern of the saddle matrices of a system.
pub(crate) fn saddle_pattern(structure: &Structure) -> SaddlePattern {
    SaddlePattern {
        n: structure.n(),
        m: structure.m(),
        mass: structure.mass.clone(),
        damping: structure.damping.clone(),
        stiffness: structure.stiffness.clone(),
        jacobian: structure.jacobian.clone(),
    }
}

/// d of damped springs; empty when there is none.
pub(crate) fn relaxation_times(structure: &Structure) -> Vec<f64> {
    let times = structure.constraints.iter().map(|c| c.relaxation());
    if times.clone().any(|d| d > 0.0) { times.collect() } else { Vec::new() }
}

/// The name of a row of a saddle matrix.
pub(crate) fn row_name(structure: &Structure, row: usize) -> String {
    let coordinate = structure.coordinates.get(row).cloned();
    let constraint = structure.constraints.get(row.wrapping_sub(structure.n())).map(|c| c.name.clone());
    coordinate.or(constraint).unwrap_or_default()
}
