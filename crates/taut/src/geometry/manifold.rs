//! The constraint manifold at one state: projections onto it, accelerations along it.
//!
//! Everything here is one factorisation of [M Gᵀ; G 0]: the projections (2.7), (2.8) of Schropp 2003, which for
//! mechanical systems change positions and velocities least in the norm of M, and the multipliers from the acceleration
//! constraint. Springs whose vibrations are followed are no constraints here: their multipliers are given. Springs in
//! smooth motion are taken along with the rods, moved by what they stretch; those that creep back under a strong damper
//! are conditions on velocities (see [`crate::springs::smooth_motion`]).

mod accelerations;
mod projection;
mod room;

use super::evaluated::{Evaluated, row_name, saddle_pattern};
use super::probe::{Neglected, Probe};
use crate::failure::StepFailure;
use crate::linear::{Blocks, Choice, Inverse, Pattern, Pivots, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::system::{Constraint, MechanicalSystem, Structure, Terms};
use room::Room;

/// The constraint manifold at one state.
pub(crate) struct Manifold<'a> {
    system: &'a dyn MechanicalSystem,
    evaluated: Evaluated,
    /// G without the rows of springs
    rigid_jacobian: Vec<f64>,
    /// 1 for springs whose vibrations are followed, whose rows then say that nothing is corrected; 0 for the rest
    pub(crate) followed: Vec<f64>,
    /// springs that creep back under their dampers
    pub(crate) creeping: Vec<bool>,
    has_springs: bool,
    has_dampers: bool,
    /// c and d of g + d g' = c λ
    pub(crate) compliance: Vec<f64>,
    pub(crate) relaxation: Vec<f64>,
    /// g/d of springs that creep, 0 of everything else
    creep: Vec<f64>,
    /// g, g' and g'' of springs in smooth motion: how far and how fast they stretch. For those that creep only what λ adds
    /// to them: nothing, c λ/d and c λ'/d.
    pub(crate) stretching: [Vec<f64>; 3],
    /// scratch space to find them
    pub(crate) probe: Probe,
    /// what smooth motion leaves out
    pub(crate) neglected: Neglected,
    saddle: Saddle,
    choice: Choice,
    /// [M − hD, Gᵀ; G, 0] where friction is strong, and whether it was factored
    against_friction: Option<(Saddle, bool)>,
    pattern: Pattern,
    pub(crate) correction: Vec<f64>,
    /// two right-hand sides that are solved together
    pair: Vec<f64>,
    /// the positions that everything was evaluated at last
    at: Vec<f64>,
    all_holonomic: bool,
    /// G v is the first time derivative of the constraints
    rate_is_a_product: bool,
    n: usize,
}

impl Drop for Manifold<'_> {
    fn drop(&mut self) {
        room::give_back(self);
    }
}

impl<'a> Manifold<'a> {
    pub(crate) fn new(system: &'a dyn MechanicalSystem, choice: Choice) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let all_holonomic = structure.constraints.iter().all(Constraint::is_holonomic);
        let has_springs = structure.constraints.iter().any(|c| c.compliance() > 0.0);
        let Room { evaluated, numbers, flags: creeping, saddle, correction, pair, at } =
            room::find(structure, choice);
        let [mut compliance, mut relaxation, followed, creep, stretched, rate, curved] = numbers;
        for (k, constraint) in structure.constraints.iter().enumerate() {
            (compliance[k], relaxation[k]) = (constraint.compliance(), constraint.relaxation());
        }
        let mut manifold = Manifold {
            system,
            evaluated,
            rigid_jacobian: vec![0.0; if has_springs { structure.jacobian.nnz() } else { 0 }],
            followed,
            creeping,
            has_springs,
            has_dampers: structure.constraints.iter().any(|c| c.relaxation() > 0.0),
            compliance,
            relaxation,
            creep,
            stretching: [stretched, rate, curved],
            // Nobody looks along the motion but for springs.
            probe: if has_springs { Probe::new(n, m) } else { Probe::default() },
            neglected: if has_springs { Neglected::new(m) } else { Neglected::default() },
            saddle,
            choice,
            against_friction: None,
            pattern: structure.jacobian.clone(),
            correction,
            pair,
            at,
            all_holonomic,
            rate_is_a_product: all_holonomic && !system.constraints_move(),
            n,
        };
        manifold.follow_springs(|_| true);
        manifold
    }

    /// Whether a constraint is no spring.
    pub(crate) fn is_rigid(&self, row: usize) -> bool {
        self.compliance[row] == 0.0
    }

    /// Chooses the springs whose vibrations are followed; the others are taken along with the rods.
    pub(crate) fn follow_springs(&mut self, follow: impl Fn(usize) -> bool) {
        for (k, followed) in self.followed.iter_mut().enumerate() {
            *followed = if self.compliance[k] > 0.0 && follow(k) { 1.0 } else { 0.0 };
        }
        self.creeping.fill(false);
        self.creep.fill(0.0);
        self.stretching.iter_mut().for_each(|stretching| stretching.fill(0.0));
        self.select_rigid_rows();
    }

    /// Chooses those that creep among the springs that are taken along.
    pub(crate) fn let_creep(&mut self, creeps: impl Fn(usize) -> bool) {
        for (k, creeping) in self.creeping.iter_mut().enumerate() {
            *creeping = self.followed[k] == 0.0 && self.relaxation[k] > 0.0 && creeps(k);
        }
    }

    /// Whether there are springs in smooth motion.
    pub(crate) fn has_smooth_springs(&self) -> bool {
        self.compliance.iter().zip(&self.followed).any(|(c, followed)| *c > 0.0 && *followed == 0.0)
    }

    /// Whether there are dampers beside springs.
    pub(crate) fn has_dampers(&self) -> bool {
        self.has_dampers
    }

    pub(crate) fn structure(&self) -> &'a Structure {
        self.system.structure()
    }

    /// M, f, g, G and the curvature at the state it was last evaluated at.
    pub(crate) fn evaluated(&self) -> &Evaluated {
        &self.evaluated
    }

    /// Evaluates M, f, g, G and the curvature of the constraints at a state.
    pub(crate) fn evaluate(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.evaluated.dynamics_and_curvature(self.system, t, q, v)?;
        self.at.copy_from_slice(q);
        count.rhs += 1;
        if self.has_dampers {
            self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        }
        self.select_rigid_rows();
        Ok(())
    }

    /// Evaluates M and G at a state.
    pub(crate) fn evaluate_geometry(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), StepFailure> {
        self.system.mass(q, &mut self.evaluated.mass)?;
        self.system.jacobian(t, q, v, &mut self.evaluated.jacobian)?;
        self.select_rigid_rows();
        Ok(())
    }

    /// Evaluates the curvature of the constraints at a state.
    pub(crate) fn evaluate_curvature(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), StepFailure> {
        Ok(self.system.curvature(t, q, v, &mut self.evaluated.curvature)?)
    }

    /// Takes over M and G that were evaluated close by.
    pub(crate) fn adopt_geometry(&mut self, near: &Evaluated) {
        self.adopt(&near.mass, &near.jacobian);
    }

    /// Takes over M and G of this state that were evaluated elsewhere.
    pub(crate) fn adopt(&mut self, mass: &[f64], jacobian: &[f64]) {
        self.evaluated.mass.copy_from_slice(mass);
        self.evaluated.jacobian.copy_from_slice(jacobian);
        self.select_rigid_rows();
    }

    /// Evaluates the forces and the curvature of the constraints at a state whose M and G are known.
    pub(crate) fn evaluate_motion(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        count.rhs += 1;
        self.system.force(Terms::ACCELERATING, t, q, v, &mut self.evaluated.force)?;
        if self.has_dampers {
            self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        }
        self.evaluate_curvature(t, q, v)
    }

    /// Takes over the forces at a state whose M and G are known, and evaluates the curvature of the constraints there.
    pub(crate) fn adopt_force(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        force: &[f64],
    ) -> Result<(), StepFailure> {
        self.evaluated.force.copy_from_slice(force);
        if self.has_dampers {
            self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        }
        self.evaluate_curvature(t, q, v)
    }

    /// G without the rows of springs.
    fn rigid_jacobian(&self) -> &[f64] {
        if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian }
    }

    fn select_rigid_rows(&mut self) {
        if !self.has_springs {
            return;
        }
        for (k, &row) in self.pattern.row_indices().iter().enumerate() {
            let rigid = self.followed[row] == 0.0;
            self.rigid_jacobian[k] = if rigid { self.evaluated.jacobian[k] } else { 0.0 };
        }
    }

    /// Factors [M Gᵀ; G 0] with what was evaluated last.
    pub(crate) fn factor(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let blocks = Blocks {
            mass: &self.evaluated.mass,
            damping: &[],
            stiffness: &[],
            jacobian: if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian },
            compliance: if self.has_springs { &self.followed } else { &[] },
            relaxation: &[],
        };
        count.factorizations += 1;
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
        let structure = self.structure();
        self.saddle
            .assemble_and_factor(&blocks, scales)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))
    }

    /// From now on corrections are smallest in the norm of M − hD, D = ∂f/∂v, where friction is strong: in the norm of M
    /// alone they would move what it holds, and friction would answer with forces of the size of D.
    pub(crate) fn respect_friction(&mut self, strong: bool, choice: Choice) {
        let structure = self.structure();
        let pattern =
            || SaddlePattern { stiffness: Pattern::empty(self.n, self.n), ..saddle_pattern(structure) };
        self.against_friction = strong.then(|| (Saddle::new(&pattern(), choice), false));
    }

    /// Factors [M − hD, Gᵀ; G, 0] where friction is to be respected, with what was evaluated last.
    pub(crate) fn factor_against_friction(
        &mut self,
        h: f64,
        damping: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let structure = self.structure();
        let Some((saddle, factored)) = &mut self.against_friction else { return Ok(()) };
        let blocks = Blocks {
            mass: &self.evaluated.mass,
            damping,
            stiffness: &[],
            jacobian: if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian },
            compliance: if self.has_springs { &self.followed } else { &[] },
            relaxation: &[],
        };
        count.factorizations += 1;
        *factored = true;
        let scales = Scales { alpha: 1.0, beta: -h, gamma: 0.0, delta: 1.0 };
        saddle
            .assemble_and_factor(&blocks, scales)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))
    }

    /// g and its rate at a state.
    pub(crate) fn measured_stretching(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        stretched: &mut [f64],
        rate: &mut [f64],
    ) -> Result<(), StepFailure> {
        self.system.constraint(t, q, stretched)?;
        Ok(self.system.constraint_rate(t, q, v, rate)?)
    }

    /// Whether there are so many coordinates and constraints that the elimination is sparse.
    pub(crate) fn is_sparse(&self) -> bool {
        self.saddle.is_sparse()
    }

    /// Hands pivots over, into a snapshot or out of it.
    pub(crate) fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        pivots.exchange(&mut self.saddle);
        if let Some((saddle, _)) = &mut self.against_friction {
            pivots.exchange(saddle);
        }
    }

    /// Replaces a right-hand side of [M Gᵀ; G 0] by its solution.
    pub(crate) fn solve_once(&self, system: &mut [f64]) {
        self.saddle.solve_once(system);
    }

    /// [`Self::solve_once`] for a system that is nothing but rows of constraints, whatever stands before them.
    pub(crate) fn solve_rows(&self, system: &mut [f64]) {
        self.saddle.solve_rows(system, self.n);
    }

    /// Finds the inverse of [M Gᵀ; G 0].
    pub(crate) fn invert(&self, inverse: &mut Inverse, count: &mut Statistics) {
        inverse.find(&self.saddle);
        count.solves += self.correction.len();
    }

    /// Replaces a right-hand side of [M Gᵀ; G 0] by its solution, refined where it needs to be.
    pub(crate) fn solve(&self, system: &mut [f64], count: &mut Statistics) {
        self.saddle.solve(system);
        count.solves += 1;
    }

    /// Solves for the least change that takes the residuals in the last m places of the correction away.
    pub(crate) fn solve_correction(&mut self, count: &mut Statistics) {
        for (row, spring) in self.correction[self.n..].iter_mut().zip(&self.followed) {
            *row *= spring - 1.0;
        }
        match &self.against_friction {
            Some((saddle, true)) => saddle.solve_rows(&mut self.correction, self.n),
            _ => self.saddle.solve_rows(&mut self.correction, self.n),
        }
        count.solves += 1;
    }

    /// Replaces momenta p by the velocities along the manifold that they give: v with M v + Gᵀμ = p and G v = 0.
    pub(crate) fn tangent_velocities(&mut self, p: &mut [f64], count: &mut Statistics) {
        self.correction.fill(0.0);
        self.correction[..self.n].copy_from_slice(p);
        self.saddle.solve(&mut self.correction);
        count.solves += 1;
        p.copy_from_slice(&self.correction[..self.n]);
    }
}
