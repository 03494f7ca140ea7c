//! The equations (17) of Jay 1998 for a mechanical system in the form (M(q) v)' = ∂T/∂q + f − Gᵀλ (8f).
//!
//! Positions are eliminated: Qᵢ = q₀ + h Σ aᵢⱼ Vⱼ with Lobatto IIIA, whose last row is b, so that Q_s = q₁. The residuals:
//! M(Qᵢ) Vᵢ − M(q₀) v₀ − h Σ Σ a⁽ᵍ⁾ᵢⱼ f⁽ᵍ⁾(Qⱼ, Vⱼ) + … of stages (17b) and end (17f); g(Qᵢ)/h of the stages from the
//! second on (17c), (17e); and G(q₁) v₁ + g_t (17g) in the place of the first, where g(Q₁) = g(q₀) holds already.
//! A spring has g(Qᵢ) = C Λᵢ instead and begins with the multiplier of the last step, Λ₁ = λ₀; that is g(q₀) = C λ₀, but
//! without the loss of digits of g(q₀)/C. A nonholonomic constraint h(q, v) = 0 holds at the end, and in the mean with the
//! weights bⱼ cⱼ^(i−1), i = 1 … s − 1, over the stages: Lobatto IIIB then determines all multipliers, since
//! Σ bⱼ cⱼ^(i−1) aⱼₗ = bₗ (1 − cₗ^i)/i.

use std::ops::Range;

use taut_tableau::Matrix;

use super::arrived::Arrived;
use super::coefficients::{Group, SparkCoefficients};
use super::impulses::damp_positions;
use super::unknowns::Unknowns;
use crate::equations::Layout;
use crate::geometry::evaluated::Evaluated;
use crate::linear::{Combination, Stages};
use crate::motion::Statistics;
use crate::system::{Constraint, Fault, MechanicalSystem, Partitioned, Structure, Terms};

/// The equations of one step.
pub(crate) struct SparkEquations<'a> {
    pub(crate) system: &'a dyn MechanicalSystem,
    pub(crate) method: SparkCoefficients,
    pub(crate) unknowns: Unknowns,
    pub(crate) compliance: Vec<f64>,
    /// which constraints restrict positions
    pub(crate) holonomic: Vec<bool>,
    /// all of them do
    pub(super) all_holonomic: bool,
    pub(crate) layout: Layout,
    pub(crate) t: f64,
    pub(crate) h: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    /// M(q₀) v₀
    pub(crate) momentum: Vec<f64>,
    /// what is missing in q₀ and in M(q₀) v₀
    pub(crate) lost: [Vec<f64>; 2],
    /// M(q₀) v₀ with what is missing in it
    pub(crate) whole_momentum: Vec<f64>,
    /// Q₁ … Q_s
    pub(crate) positions: Vec<f64>,
    /// the positions on which rods are imposed, when they are others
    pub(crate) constrained: Vec<f64>,
    /// h f − Gᵀ hΛ at each stage of each group
    pub(crate) impulses: Vec<f64>,
    combination: Combination,
    /// the rows of [`SparkCoefficients::positions`] that move stages
    moving: Matrix,
    /// the coefficients of the impulses, in their order: rows of the stages, and of the end
    pub(super) weights: (Matrix, Matrix),
    /// no stage depends on the multipliers of the last one, so that the end follows from the stages
    pub(crate) end_is_apart: bool,
    /// the end is left for [`Self::find_end`]
    pub(crate) stages_alone: bool,
    /// the saddle-point system of the end
    pub(crate) end: Vec<f64>,
    /// velocities 0
    pub(crate) at_rest: Vec<f64>,
    /// no constraint has a rate beyond G v
    pub(crate) rate_is_gv: bool,
    /// for each group whether all constraint forces are among them
    pub(super) holds_all: Vec<bool>,
    /// M, G and the forces of each group at each stage
    pub(crate) masses: Vec<f64>,
    pub(crate) jacobians: Vec<f64>,
    pub(super) forces: Vec<f64>,
    /// the terms of each group
    pub(super) parts: Vec<Terms>,
    /// forces depend on positions alone
    pub(super) forces_of_positions: bool,
    /// they act on no stage where the last one is, so that they are asked for at the end of the iteration only
    pub(super) last_forces_wait: bool,
    /// both stages have one velocity, which impulses at the beginning balance, so that positions are what is left to be found
    pub(crate) balances_at_once: bool,
    /// the iteration has ended
    pub(crate) ends: bool,
    /// the forces at the beginning of the next step, which are those at the end of the last one, where they are known
    pub(super) first_forces: Option<Vec<f64>>,
    /// M is constant and was evaluated
    pub(super) mass_is_known: bool,
    /// M and G of the first stage, which does not move, are known, and so are its forces
    first_is_known: (bool, bool),
    pub(crate) constraint: Vec<f64>,
    pub(super) selected: Vec<f64>,
    /// which share of each coordinate is damped
    pub(crate) shares: Vec<f64>,
    /// which constraints have the positions of the beginning at the first stage, whatever the velocities
    pub(crate) begins: Vec<bool>,
}

impl<'a> SparkEquations<'a> {
    pub(crate) fn new(system: &'a dyn MechanicalSystem, method: SparkCoefficients) -> Self {
        let structure = system.structure();
        let has_springs = structure.constraints.iter().any(|constraint| constraint.compliance() > 0.0);
        let method = method.for_system(system.terms(), has_springs);
        let (n, m) = (structure.n(), structure.m());
        let unknowns = Unknowns { stages: method.stages, n, m };
        let begins = method.begins_with_stage();
        let forces_of_positions = structure.damping.nnz() == 0 && structure.constant_mass;
        let weights = method.impulse_weights();
        // Columns behind the last one that acts on a stage are left out of the coefficients.
        let last = (method.stages - 1) * method.groups.len();
        let last_acts_late = (0..method.stages).all(|i| weights.0.row(i).get(last..).is_none_or(is_zero));
        let end_is_apart = end_is_apart(&method, structure);
        let last_forces_wait = forces_of_positions && last_acts_late;
        let holds_all = |group: &Group| structure.constraints.iter().all(|c| group.holds(c.compliance()));
        SparkEquations {
            system,
            unknowns,
            compliance: structure.constraints.iter().map(|c| c.compliance()).collect(),
            holonomic: structure.constraints.iter().map(|c| c.is_holonomic()).collect(),
            all_holonomic: structure.holonomic() == m,
            layout: Layout::mechanical(n, m),
            t: 0.0,
            h: 0.0,
            q: vec![0.0; n],
            v: vec![0.0; n],
            lambda: vec![0.0; m],
            momentum: vec![0.0; n],
            lost: [vec![0.0; n], vec![0.0; n]],
            whole_momentum: vec![0.0; n],
            positions: vec![0.0; method.stages * n],
            constrained: if method.imposes_on_stages() { Vec::new() } else { vec![0.0; method.stages * n] },
            impulses: vec![0.0; method.stages * method.groups.len() * n],
            combination: Combination::default(),
            moving: method.moving(),
            forces_of_positions,
            last_forces_wait,
            balances_at_once: last_forces_wait && end_is_apart && has_one_velocity(&method, &weights.0),
            ends: false,
            first_forces: None,
            end_is_apart,
            stages_alone: false,
            end: vec![0.0; n + m],
            at_rest: vec![0.0; n],
            rate_is_gv: !system.constraints_move() && structure.holonomic() == structure.m(),
            weights,
            holds_all: method.groups.iter().map(holds_all).collect(),
            masses: vec![0.0; method.stages * structure.mass.nnz()],
            jacobians: vec![0.0; method.stages * structure.jacobian.nnz()],
            forces: vec![0.0; method.stages * method.groups.len() * n],
            parts: method.groups.iter().map(|group| group.terms).collect(),
            mass_is_known: false,
            first_is_known: (false, false),
            constraint: vec![0.0; m],
            selected: vec![0.0; m],
            shares: vec![0.0; n],
            begins: vec![begins; m],
            method,
        }
    }

    /// Starts a step of length h at the state `here`, where M and G may be `known`.
    pub(crate) fn begin(&mut self, t: f64, h: f64, here: &Arrived, known: Option<&Evaluated>) {
        let (q, v, lambda) = self.layout.split(&here.y);
        (self.t, self.h) = (t, h);
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.lambda.copy_from_slice(lambda);
        self.momentum.copy_from_slice(&here.p);
        self.set_shares();
        self.lost[0].copy_from_slice(&here.lost[0]);
        self.lost[1].copy_from_slice(&here.lost[1]);
        for (whole, (p, lost)) in self.whole_momentum.iter_mut().zip(here.p.iter().zip(&here.lost[1])) {
            *whole = p + lost;
        }
        for (position, (q, lost)) in self.positions.iter_mut().zip(q.iter().zip(&here.lost[0])) {
            *position = q + lost;
        }
        self.first_is_known = (false, false);
        if let Some(known) = known.filter(|_| self.first_stays()) {
            // A constant M was taken over in the first step.
            if !self.mass_is_known {
                self.masses[..known.mass.len()].copy_from_slice(&known.mass);
            }
            self.jacobians[..known.jacobian.len()].copy_from_slice(&known.jacobian);
            self.first_is_known.0 = true;
            if let Some(forces) = &self.first_forces {
                self.forces[..forces.len()].copy_from_slice(forces);
                self.first_is_known.1 = true;
            }
        }
    }

    /// Whether M and G of the first stage do not depend on the unknowns.
    fn first_stays(&self) -> bool {
        self.begins_with_stage() && self.all_holonomic
    }

    /// M(q) v
    pub(crate) fn momentum(&mut self, q: &[f64], v: &[f64], p: &mut [f64]) -> Result<(), Fault> {
        let pattern = &self.system.structure().mass;
        let mass = &mut self.masses[..pattern.nnz()];
        self.system.mass(q, mass)?;
        p.fill(0.0);
        pattern.multiply_add(mass, v, p, 1.0);
        Ok(())
    }

    /// The time of stage i; forces of every class are evaluated there.
    pub(crate) fn stage_time(&self, i: usize) -> f64 {
        self.t + self.method.c[i] * self.h
    }

    /// Qᵢ = q₀ + h Σ aᵢⱼ Vⱼ (17a), (17d), and where constraints are imposed (17c)
    pub(crate) fn place_stages(&mut self, x: &[f64]) {
        let Unknowns { stages, n, .. } = self.unknowns;
        let velocities = Stages { values: &x[..stages * n], stride: n };
        let moved = &mut self.positions[(stages - self.moving.rows()) * n..];
        // h is multiplied by the sum: one rounding error of size h, whatever the number of stages.
        self.combination.combine(&self.moving, self.h, velocities, moved, n);
        damp_positions(self.method.toward_damped(), self.h, &self.shares, velocities.values, moved);
        for position in moved.chunks_exact_mut(n.max(1)) {
            for ((position, q), lost) in position.iter_mut().zip(&self.q).zip(&self.lost[0]) {
                *position = q + (*position + lost);
            }
        }
        if !self.method.imposes_on_stages() {
            let mut constrained = std::mem::take(&mut self.constrained);
            for (i, position) in constrained.chunks_exact_mut(n).enumerate() {
                self.place(self.method.a.row(i), x, position);
            }
            self.constrained = constrained;
        }
    }

    /// q₀ + h Σ wⱼ Vⱼ
    fn place(&self, weights: &[f64], x: &[f64], position: &mut [f64]) {
        position.fill(0.0);
        for (j, weight) in weights.iter().enumerate() {
            add_multiple(position, *weight, &x[self.unknowns.velocities(j)]);
        }
        for ((position, q), lost) in position.iter_mut().zip(&self.q).zip(&self.lost[0]) {
            *position = q + (self.h * *position + lost);
        }
    }

    /// Whether the first stage lies at the beginning of the step.
    pub(crate) fn begins_with_stage(&self) -> bool {
        self.moving.rows() < self.unknowns.stages
    }

    /// Evaluates all stages, and their impulses.
    ///
    /// At the end of a step they have to be those of the unknowns `x`, which were changed after the last evaluation, or what
    /// is lost between them adds up.
    pub(crate) fn evaluate(&mut self, x: &[f64], count: &mut Statistics) -> Result<(), Fault> {
        self.place_stages(x);
        for i in 0..self.unknowns.stages {
            count.rhs += usize::from(self.evaluate_stage(i, x)?);
            self.find_impulses(i, x);
        }
        Ok(())
    }

    /// The impulses of all groups at stage i.
    pub(crate) fn impulses_of(&self, i: usize) -> impl Iterator<Item = &[f64]> {
        let n = self.unknowns.n;
        self.impulses[of_stage(i, self.parts.len() * n)].chunks_exact(n.max(1))
    }

    /// M, g, G and the forces of all groups at stage i; what the unknowns cannot change is evaluated once in a step. Whether
    /// forces were evaluated.
    pub(crate) fn evaluate_stage(&mut self, i: usize, x: &[f64]) -> Result<bool, Fault> {
        let (structure, t, n) = (self.system.structure(), self.stage_time(i), self.unknowns.n);
        let (q, v) = (&self.positions[self.unknowns.stage(i)], &x[self.unknowns.velocities(i)]);
        let (size, waits) = (self.parts.len() * n, self.waits(i));
        let forces = &mut self.forces[i * size..(i + 1) * size];
        if i == 0 && self.first_is_known.0 {
            let asked = structure.damping.nnz() > 0 || !self.first_is_known.1;
            if asked {
                self.first_is_known.1 = true;
                for (terms, force) in self.parts.iter().zip(forces.chunks_exact_mut(n.max(1))) {
                    self.system.force(*terms, t, q, v, force)?;
                }
            }
            return Ok(asked);
        }
        if waits && self.mass_is_known {
            self.system.constraint(t, q, &mut self.constraint)?;
            return Ok(false);
        }
        let parts = if waits { &[] } else { self.parts.as_slice() };
        let mass = &mut self.masses[of_stage(i, structure.mass.nnz())];
        let mut out = Partitioned {
            mass: (!self.mass_is_known).then_some(mass),
            forces,
            constraint: &mut self.constraint,
            jacobian: &mut self.jacobians[of_stage(i, structure.jacobian.nnz())],
        };
        self.system.partitioned(parts, t, q, v, &mut out)?;
        let asked = !parts.is_empty();
        if i == 0 && self.first_stays() {
            self.first_is_known = (true, true);
        }
        self.mass_is_known |= structure.constant_mass && i + 1 == self.unknowns.stages;
        Ok(asked)
    }

    /// M(Q_r) V_r − M(q₀) v₀ − Σ a⁽ᵍ⁾_rj impulse⁽ᵍ⁾ⱼ of all stages, or of the end (17f).
    pub(crate) fn balances(&self, x: &[f64], rows: Range<usize>, balances: &mut [f64]) {
        let (Unknowns { stages, n, .. }, pattern) = (self.unknowns, &self.system.structure().mass);
        let impulses = Stages { values: &self.impulses, stride: n };
        let weights = if rows.start == 0 { &self.weights.0 } else { &self.weights.1 };
        self.combination.combine(weights, -1.0, impulses, balances, n);
        for (r, balance) in rows.zip(balances.chunks_exact_mut(n.max(1))) {
            balance.iter_mut().zip(&self.whole_momentum).for_each(|(balance, p)| *balance -= p);
            // The end has the position, and so the mass, of the last stage.
            let mass = &self.masses[of_stage(r.min(stages - 1), pattern.nnz())];
            pattern.multiply_add(mass, &x[self.unknowns.velocities(r)], balance, 1.0);
        }
    }

    /// How G v₁ of rods, or h(q, v₁), changes when the end of the step is displaced: a difference over the small share
    /// `share` of the displacement.
    pub(crate) fn end_rate_change(
        &mut self,
        x: &[f64],
        displacement: &[f64],
        share: f64,
        change: &mut [f64],
    ) -> Result<(), Fault> {
        let (unknowns, t) = (self.unknowns, self.t + self.h);
        let v = &x[unknowns.velocities(unknowns.stages)];
        self.place_stages(x);
        let q = &mut self.positions[unknowns.stage(unknowns.stages - 1)];
        self.system.constraint_rate(t, q, v, &mut self.constraint)?;
        for (q, d) in q.iter_mut().zip(displacement) {
            *q += share * d;
        }
        self.system.constraint_rate(t, q, v, change)?;
        for (k, change) in change.iter_mut().enumerate() {
            let rod = self.compliance[k] == 0.0;
            *change = if rod { (*change - self.constraint[k]) / share } else { 0.0 };
        }
        Ok(())
    }

    /// The two parts of the error estimate (38): h Σ eᵢ Vᵢ of positions and h Σ eᵢ kᵢ of momenta.
    pub(crate) fn estimate(&self, x: &[f64], positions: &mut [f64], momenta: &mut [f64]) {
        positions.fill(0.0);
        momenta.fill(0.0);
        for (i, weight) in self.method.error_weights.iter().enumerate() {
            let v = self.unknowns.estimating_velocities(i).map_or(&*self.v, |range| &x[range]);
            for (error, v) in positions.iter_mut().zip(v) {
                *error += self.h * weight * v;
            }
            for impulse in self.impulses_of(i) {
                add_multiple(momenta, *weight, impulse);
            }
        }
    }
}

/// Whether the end of a step follows from its stages: no stage depends on the reactions of the last one.
fn end_is_apart(method: &SparkCoefficients, structure: &Structure) -> bool {
    let rods = structure.constraints.iter().all(Constraint::is_rod);
    method.begins_with_stage() && method.imposes_on_stages() && rods && method.last_reaction_is_apart()
}

/// Whether there are two stages with one velocity V, and q₀ + h V is where the second one lies.
fn has_one_velocity(method: &SparkCoefficients, weights: &Matrix) -> bool {
    method.stages == 2 && weights.row(0) == weights.row(1) && method.a.row(1) == [0.5, 0.5]
}

/// The numbers of stage i in an array with so many for each stage.
pub(crate) fn of_stage(i: usize, size: usize) -> Range<usize> {
    i * size..(i + 1) * size
}

fn is_zero(weights: &[f64]) -> bool {
    weights.iter().all(|weight| *weight == 0.0)
}

pub(crate) fn add_multiple(sum: &mut [f64], factor: f64, vector: &[f64]) {
    if factor == 0.0 {
        return;
    }
    for (sum, x) in sum.iter_mut().zip(vector) {
        *sum += factor * x;
    }
}
