//! The constraint manifold at one state: projections onto it, accelerations along it.
//!
//! Everything here is one factorisation of [M Gᵀ; G 0]: the projections (2.7), (2.8) of Schropp 2003, which for
//! mechanical systems change positions and velocities least in the norm of M, and the multipliers from the acceleration
//! constraint. Springs whose vibrations are followed are no constraints here: their multipliers are given. Springs in
//! smooth motion are taken along with the rods, moved by what they stretch (see [`super::springs`]).

use super::failure::StepFailure;
use super::mechanical_stages::{Evaluated, row_name, saddle_pattern};
use super::springs::Probe;
use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::system::{Constraint, Mechanism, Structure};

/// A projection gives up after so many corrections.
const MOST_CORRECTIONS: usize = 12;
/// Residuals of constraints below so many units of rounding count as zero.
const ROUNDING_UNITS: f64 = 1.0;

/// The constraint manifold at one state.
pub(crate) struct Manifold<'a> {
    system: &'a dyn Mechanism,
    evaluated: Evaluated,
    /// G without the rows of springs
    rigid_jacobian: Vec<f64>,
    /// 1 for springs whose vibrations are followed, whose rows then say that nothing is corrected; 0 for the rest
    pub(super) followed: Vec<f64>,
    has_springs: bool,
    /// c of g = c λ
    pub(super) compliance: Vec<f64>,
    /// c λ, c λ' and c λ'' of springs in smooth motion: how far and how fast they stretch
    pub(super) stretching: [Vec<f64>; 3],
    /// scratch space to find them
    pub(super) probe: Probe,
    saddle: Saddle,
    /// [M − hD, Gᵀ; G, 0] where friction is strong, and whether it was factored
    against_friction: Option<(Saddle, bool)>,
    pattern: Pattern,
    pub(super) correction: Vec<f64>,
    n: usize,
}

impl<'a> Manifold<'a> {
    pub(crate) fn new(system: &'a dyn Mechanism, choice: Choice) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let pattern = SaddlePattern {
            damping: Pattern::empty(n, n),
            stiffness: Pattern::empty(n, n),
            ..saddle_pattern(structure)
        };
        let mut manifold = Manifold {
            system,
            evaluated: Evaluated::new(structure),
            rigid_jacobian: vec![0.0; structure.jacobian.nnz()],
            followed: vec![0.0; m],
            has_springs: structure.constraints.iter().any(|c| c.compliance() > 0.0),
            compliance: structure.constraints.iter().map(Constraint::compliance).collect(),
            stretching: std::array::from_fn(|_| vec![0.0; m]),
            probe: Probe::new(n, m),
            saddle: Saddle::symmetric(&pattern, choice),
            against_friction: None,
            pattern: structure.jacobian.clone(),
            correction: vec![0.0; n + m],
            n,
        };
        manifold.follow_springs(|_| true);
        manifold
    }

    /// Chooses the springs whose vibrations are followed; the others are taken along with the rods.
    pub(crate) fn follow_springs(&mut self, follow: impl Fn(usize) -> bool) {
        for (k, followed) in self.followed.iter_mut().enumerate() {
            *followed = if self.compliance[k] > 0.0 && follow(k) { 1.0 } else { 0.0 };
        }
        self.stretching.iter_mut().for_each(|stretching| stretching.fill(0.0));
        self.select_rigid_rows();
    }

    /// 1 for springs whose vibrations are followed.
    pub(crate) fn followed(&self) -> &[f64] {
        &self.followed
    }

    /// Whether there are springs in smooth motion.
    pub(crate) fn has_smooth_springs(&self) -> bool {
        self.compliance.iter().zip(&self.followed).any(|(c, followed)| *c > 0.0 && *followed == 0.0)
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
        count.rhs += 1;
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
        self.evaluated.mass.copy_from_slice(&near.mass);
        self.evaluated.jacobian.copy_from_slice(&near.jacobian);
        self.select_rigid_rows();
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
        };
        count.factorizations += 1;
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
        let structure = self.structure();
        self.saddle
            .assemble_and_factor(&blocks, scales)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))
    }

    /// From now on corrections are smallest in the norm of M − hD, D = ∂f/∂v: in the norm of M alone they would move
    /// what strong friction holds, and friction would answer with forces of the size of D.
    pub(crate) fn respect_friction(&mut self, choice: Choice) {
        let structure = self.structure();
        let pattern =
            SaddlePattern { stiffness: Pattern::empty(self.n, self.n), ..saddle_pattern(structure) };
        self.against_friction = Some((Saddle::new(&pattern, choice), false));
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
        };
        count.factorizations += 1;
        *factored = true;
        let scales = Scales { alpha: 1.0, beta: -h, gamma: 0.0, delta: 1.0 };
        saddle
            .assemble_and_factor(&blocks, scales)
            .map_err(|s| StepFailure::singular(s, |row| row_name(structure, row)))
    }

    /// Whether there are so many coordinates and constraints that the elimination is sparse.
    pub(crate) fn is_sparse(&self) -> bool {
        self.saddle.is_sparse()
    }

    /// The values for which the pivots of [M Gᵀ; G 0] were chosen, for a snapshot.
    pub(crate) fn pivots_chosen_for(&self) -> &[f64] {
        self.saddle.pivots_chosen_for()
    }

    /// Chooses the pivots of [M Gᵀ; G 0] as in a snapshot; false when it does not fit.
    pub(crate) fn choose_pivots_for(&mut self, values: &[f64]) -> bool {
        self.saddle.choose_pivots_for(values)
    }

    /// Replaces a right-hand side of [M Gᵀ; G 0] by its solution.
    pub(crate) fn solve_once(&self, system: &mut [f64]) {
        self.saddle.solve_once(system);
    }

    /// Solves for the least change that takes the residuals in the last m places of the correction away.
    pub(super) fn solve_correction(&mut self, count: &mut Statistics) {
        self.correction[..self.n].fill(0.0);
        for (row, spring) in self.correction[self.n..].iter_mut().zip(&self.followed) {
            *row = if *spring == 0.0 { -*row } else { 0.0 };
        }
        match &self.against_friction {
            Some((saddle, true)) => saddle.solve_once(&mut self.correction),
            _ => self.saddle.solve_once(&mut self.correction),
        }
        count.solves += 1;
    }

    /// The largest residual of a rod, relative to the rounding error of its evaluation, and which rod it is.
    fn largest_residual(&self, x: &[f64]) -> (f64, usize) {
        let mut largest = (0.0, 0);
        for (k, spring) in self.followed.iter().enumerate() {
            let residual = self.correction[self.n + k].abs();
            if *spring == 0.0 && residual > largest.0 {
                largest = (residual, k);
            }
        }
        let scale = x.iter().fold(0.0_f64, |scale, x| scale.max(x.abs())) * self.jacobian_scale();
        let unit = ROUNDING_UNITS * f64::EPSILON * scale;
        (if largest.0 <= unit { 0.0 } else { largest.0 }, largest.1)
    }

    fn jacobian_scale(&self) -> f64 {
        self.rigid_jacobian().iter().fold(0.0_f64, |scale, g| scale.max(g.abs()))
    }

    /// Corrects `x` until `residual` of it vanishes to rounding, with the factors at hand.
    fn correct(
        &mut self,
        x: &mut [f64],
        count: &mut Statistics,
        residual: impl Fn(&[f64], &mut [f64]) -> Result<(), crate::system::Fault>,
    ) -> Result<(), StepFailure> {
        let mut previous = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            residual(x, &mut self.correction[self.n..])?;
            let (largest, worst) = self.largest_residual(x);
            if largest == 0.0 {
                return Ok(());
            }
            if largest.is_nan() || largest >= 0.5 * previous {
                return self.stagnated(largest, worst, previous);
            }
            previous = largest;
            self.solve_correction(count);
            for (x, correction) in x.iter_mut().zip(&self.correction) {
                *x += correction;
            }
        }
        residual(x, &mut self.correction[self.n..])?;
        let (largest, worst) = self.largest_residual(x);
        self.stagnated(largest, worst, previous)
    }

    /// Residuals that no longer fall are rounding errors of the formula when they are small, a failure otherwise.
    fn stagnated(&self, largest: f64, worst: usize, previous: f64) -> Result<(), StepFailure> {
        let small = f64::EPSILON.sqrt() * self.jacobian_scale();
        if largest <= small && previous <= small {
            return Ok(());
        }
        let constraint = self.structure().constraints[worst].name.clone();
        Err(StepFailure::Projection { constraint, residual: largest })
    }

    /// Moves positions onto g(t, q) = 0, of springs in smooth motion onto g = c λ.
    pub(crate) fn project_positions(
        &mut self,
        t: f64,
        q: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let system = self.system;
        let stretching = std::mem::take(&mut self.stretching[0]);
        let corrected = self.correct(q, count, |q, g| {
            system.constraint(t, q, g)?;
            g.iter_mut().zip(&stretching).for_each(|(g, stretching)| *g -= stretching);
            Ok(())
        });
        self.stretching[0] = stretching;
        corrected
    }

    /// One step towards the positions with g(t, q) = 0 that are closest to `origin` in the norm of M: solves
    /// M (d + q − origin) + Gᵀμ = 0, G d = −g with what was evaluated last. Returns |d| relative to |q|.
    pub(crate) fn approach_closest(
        &mut self,
        t: f64,
        origin: &[f64],
        q: &mut [f64],
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let (balance, rows) = self.correction.split_at_mut(self.n);
        let moved: Vec<f64> = q.iter().zip(origin).map(|(q, origin)| q - origin).collect();
        balance.fill(0.0);
        self.system.structure().mass.multiply_add(&self.evaluated.mass, &moved, balance, -1.0);
        self.system.constraint(t, q, rows)?;
        clear_springs(&self.compliance, rows);
        rows.iter_mut().for_each(|row| *row = -*row);
        self.saddle.solve(&mut self.correction);
        count.solves += 1;
        let mut size = (0.0_f64, 1.0_f64);
        for (q, d) in q.iter_mut().zip(&self.correction) {
            *q += d;
            size = (size.0.max(d.abs()), size.1.max(q.abs()));
        }
        Ok(size.0 / size.1)
    }

    /// Moves velocities onto G v + g_t = 0 (and h = 0), of springs in smooth motion onto G v + g_t = c λ'.
    pub(crate) fn project_velocities(
        &mut self,
        t: f64,
        q: &[f64],
        v: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let system = self.system;
        count.projections += 1;
        let stretching = std::mem::take(&mut self.stretching[1]);
        let corrected = self.correct(v, count, |v, rate| {
            system.constraint_rate(t, q, v, rate)?;
            rate.iter_mut().zip(&stretching).for_each(|(rate, stretching)| *rate -= stretching);
            Ok(())
        });
        self.stretching[1] = stretching;
        corrected
    }

    /// Takes the part of a vector away that is normal to the manifold: e − M⁻¹Gᵀ(G M⁻¹Gᵀ)⁻¹ G e.
    pub(crate) fn project_tangent(&mut self, e: &mut [f64], count: &mut Statistics) {
        self.correction[self.n..].fill(0.0);
        let jacobian = if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian };
        self.pattern.multiply_add(jacobian, e, &mut self.correction[self.n..], 1.0);
        self.solve_correction(count);
        for (e, correction) in e.iter_mut().zip(&self.correction) {
            *e += correction;
        }
    }

    /// Replaces momenta p by the velocities along the manifold that they give: v with M v + Gᵀμ = p and G v = 0.
    pub(crate) fn tangent_velocities(&mut self, p: &mut [f64], count: &mut Statistics) {
        self.correction.fill(0.0);
        self.correction[..self.n].copy_from_slice(p);
        self.saddle.solve(&mut self.correction);
        count.solves += 1;
        p.copy_from_slice(&self.correction[..self.n]);
    }

    /// Accelerations and multipliers from M a = f − Gᵀλ and the acceleration constraint, at the state evaluated last.
    /// The multipliers of springs whose vibrations are followed are taken as they are.
    ///
    /// Factors of a state nearby need a second pass, which refines with the matrices at hand.
    pub(crate) fn accelerations(
        &mut self,
        t: f64,
        a: &mut [f64],
        lambda: &mut [f64],
        passes: usize,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        for (lambda, followed) in lambda.iter_mut().zip(&self.followed) {
            *lambda *= followed;
        }
        a.fill(0.0);
        let jacobian = if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian };
        for pass in 0..passes {
            let (balance, rows) = self.correction.split_at_mut(self.n);
            balance.copy_from_slice(&self.evaluated.force);
            let structure = self.system.structure();
            // The first pass begins with a = 0, and λ = 0 but for springs.
            if pass > 0 {
                structure.mass.multiply_add(&self.evaluated.mass, a, balance, -1.0);
            }
            if pass > 0 || self.has_springs {
                self.pattern.transpose_multiply_add(&self.evaluated.jacobian, lambda, balance, -1.0);
            }
            let known = self.evaluated.curvature.iter().zip(&self.stretching[2]);
            for (row, ((curvature, stretching), followed)) in rows.iter_mut().zip(known.zip(&self.followed)) {
                *row = if *followed == 0.0 { stretching - curvature } else { 0.0 };
            }
            if pass > 0 {
                self.pattern.multiply_add(jacobian, a, rows, -1.0);
            }
            if passes > 1 {
                self.saddle.solve_once(&mut self.correction);
            } else {
                self.saddle.solve(&mut self.correction);
            }
            count.solves += 1;
            for (a, correction) in a.iter_mut().zip(&self.correction) {
                *a += correction;
            }
            for (lambda, correction) in lambda.iter_mut().zip(&self.correction[self.n..]) {
                *lambda += correction;
            }
        }
        structure_finite(self.structure(), a, lambda, t)
    }

    /// The multipliers g/c of chosen springs at the state evaluated last: what they are when vibrations are resolved.
    pub(crate) fn spring_multipliers(&self, lambda: &mut [f64], chosen: impl Fn(usize) -> bool) {
        for (k, compliance) in self.compliance.iter().enumerate() {
            if *compliance > 0.0 && chosen(k) {
                lambda[k] = self.evaluated.constraint[k] / compliance;
            }
        }
    }

    /// The residuals of positions, velocities and accelerations at a state: the largest |g|, |G v + g_t|
    /// and |G a + curvature| of the rods.
    pub(crate) fn residuals(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
    ) -> Result<[f64; 3], StepFailure> {
        // What was evaluated last may belong to an interpolated state.
        self.evaluate_geometry(t, q, v)?;
        self.evaluate_curvature(t, q, v)?;
        self.system.constraint(t, q, &mut self.evaluated.constraint)?;
        self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        let rows = &mut self.correction[self.n..];
        rows.copy_from_slice(&self.evaluated.curvature);
        let jacobian = if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian };
        self.pattern.multiply_add(jacobian, a, rows, 1.0);
        let rigid = |values: &[f64]| {
            values
                .iter()
                .zip(&self.compliance)
                .filter(|(_, c)| **c == 0.0)
                .fold(0.0, |m, (x, _)| f64::max(m, x.abs()))
        };
        let holonomic = self.structure().constraints.iter().map(|c| c.is_holonomic());
        let position = self.evaluated.constraint.iter().zip(holonomic).zip(&self.compliance);
        let position =
            position.filter(|((_, h), s)| *h && **s == 0.0).fold(0.0, |m, ((x, _), _)| f64::max(m, x.abs()));
        Ok([position, rigid(&self.evaluated.rate), rigid(&self.correction[self.n..])])
    }
}

/// Takes the rows of springs out.
fn clear_springs(compliance: &[f64], rows: &mut [f64]) {
    for (row, compliance) in rows.iter_mut().zip(compliance) {
        if *compliance > 0.0 {
            *row = 0.0;
        }
    }
}

fn structure_finite(structure: &Structure, a: &[f64], lambda: &[f64], t: f64) -> Result<(), StepFailure> {
    structure.finite_coordinates(a, "the acceleration", t)?;
    structure.finite_constraints(lambda, "the multiplier", t)?;
    Ok(())
}
