//! Finding the places of nonzero entries by tracing a person's formulas.

use super::coloring::Coloring;
use super::force::Terms;
use super::mechanical::{Mass, Mechanical, Sparsity};
use super::mechanical_system::Structure;
use super::number::{Dependence, Scalar, WATCHED};
use super::terms::{Formulas, LANES, Motion, Scratch};
use crate::linear::Pattern;

/// The structure of a system, found with [`Dependence`] numbers.
///
/// The point of the trace is arbitrary but generic: no coordinate, velocity or multiplier is 0 or equal to another.
pub(crate) fn find_structure<M: Mechanical>(system: &M) -> Structure {
    let mut constraints = system.constraints();
    // The formulas give holonomic constraints first, in whatever order they are listed.
    constraints.sort_by_key(|constraint| !constraint.is_holonomic());
    let mut structure = Structure::dense(system.coordinates(), constraints);
    if system.sparsity() == Sparsity::Dense {
        return structure;
    }
    structure.mass = mass_pattern(system, structure.n());
    let mut trace = Trace::new(system, structure);
    trace.find_jacobian_pattern();
    trace.find_blocks();
    trace.structure
}

/// Whether a holonomic constraint depends on time.
pub(crate) fn constraints_move<M: Mechanical>(system: &M, structure: &Structure) -> bool {
    if system.sparsity() == Sparsity::Dense {
        return true;
    }
    let mut g = vec![Dependence::constant(0.0); structure.holonomic()];
    let q = generic_point(structure.n(), 0.3);
    system.constraint(Dependence::input(0.1, 0), &watch(&q, q.len()), &mut g);
    !g.iter().all(Dependence::is_constant)
}

fn mass_pattern<M: Mechanical>(system: &M, n: usize) -> Pattern {
    let mut places = Vec::new();
    system.mass::<f64>(&generic_point(n, 0.3), &mut Mass::places(n, &mut places));
    Pattern::from_entries(n, n, places)
}

pub(crate) fn generic_point(n: usize, offset: f64) -> Vec<f64> {
    (0..n).map(|i| offset + 0.618_033_988_749_894_9 * (i as f64 + 1.0) % 1.0).collect()
}

struct Trace<'a, M> {
    system: &'a M,
    structure: Structure,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<'a, M: Mechanical> Trace<'a, M> {
    fn new(system: &'a M, structure: Structure) -> Self {
        let n = structure.n();
        Trace { system, structure, q: generic_point(n, 0.3), v: generic_point(n, 0.7) }
    }

    /// Which coordinates (velocities) the holonomic (nonholonomic) constraints depend on.
    fn find_jacobian_pattern(&mut self) {
        let (n, m) = (self.structure.n(), self.structure.m());
        let holonomic = self.structure.holonomic();
        let mut places = Vec::new();
        let mut rows = vec![Dependence::constant(0.0); m];
        let t = Dependence::unwatched(0.1);
        for start in (0..n).step_by(WATCHED) {
            let (watched_q, watched_v) = (watch(&self.q, start), watch(&self.v, start));
            let still_q = watch(&self.q, n);
            let (g, h) = rows.split_at_mut(holonomic);
            self.system.constraint(t, &watched_q, g);
            self.system.nonholonomic(t, &still_q, &watched_v, h);
            for (k, row) in rows.iter().enumerate() {
                places.extend(row.inputs().map(|j| (k, start + j)));
            }
        }
        self.structure.jacobian = Pattern::from_entries(m, n, places);
    }

    /// The patterns of K and D, and whether M and G are constant.
    fn find_blocks(&mut self) {
        let n = self.structure.n();
        let mut stiffness = Vec::new();
        let mut damping = Vec::new();
        let (mut constant_mass, mut linear_constraints) = (true, true);
        for start in (0..n).step_by(WATCHED) {
            let (watched_q, watched_v) = (watch(&self.q, start), watch(&self.v, start));
            let (still_q, still_v) = (watch(&self.q, n), watch(&self.v, n));
            constant_mass &= self.mass_is_constant(&watched_q);
            linear_constraints &= self.jacobian_is_constant(&watched_q, &watched_v);
            for (i, row) in self.load(&watched_q, &still_v).iter().enumerate() {
                stiffness.extend(row.inputs().map(|j| (i, start + j)));
            }
            for (i, row) in self.load(&still_q, &watched_v).iter().enumerate() {
                damping.extend(row.inputs().map(|j| (i, start + j)));
            }
        }
        self.structure.stiffness = Pattern::from_entries(n, n, stiffness);
        self.structure.damping = Pattern::from_entries(n, n, damping);
        self.structure.constant_mass = constant_mass;
        self.structure.linear_constraints = linear_constraints;
    }

    fn scratch(&self) -> Scratch<Dependence> {
        Scratch::new(self.structure.n(), self.structure.m(), self.structure.mass.nnz())
    }

    fn mass_is_constant(&self, q: &[Dependence]) -> bool {
        let mut mass = vec![Dependence::constant(0.0); self.structure.mass.nnz()];
        let mut motion = vec![super::Dual::constant(0.0); 2 * q.len()];
        self.system.mass(q, &mut Mass::values(&self.structure.mass, &mut mass, &mut motion));
        mass.iter().all(Dependence::is_constant)
    }

    fn jacobian_is_constant(&self, q: &[Dependence], v: &[Dependence]) -> bool {
        let coloring = Coloring::of(&self.structure.jacobian);
        let mut constant = true;
        // Time is watched like a coordinate: a Jacobian that moves with t is not constant.
        let at = Motion { t: Dependence::input(0.1, 0), q, v };
        self.formulas(&coloring).jacobian_sweeps(at, &mut self.scratch(), |_, g| {
            constant &= g.iter().all(|g| (0..LANES).all(|k| g.slope[k].is_constant()));
        });
        constant
    }

    /// f − M a − Gᵀλ for generic a and λ
    fn load(&self, q: &[Dependence], v: &[Dependence]) -> Vec<Dependence> {
        let coloring = Coloring::of(&self.structure.jacobian);
        let formulas = self.formulas(&coloring);
        let at = Motion { t: Dependence::unwatched(0.1), q, v };
        let mut rows = vec![Dependence::constant(0.0); q.len()];
        let mut scratch = self.scratch();
        let (a, lambda) = (generic_point(q.len(), 1.1), generic_point(self.structure.m(), 1.3));
        formulas.add_force(Terms::ACCELERATING | Terms::KINETIC, at, &mut rows, &mut scratch);
        formulas.subtract_inertia(q, &a, &mut rows, &mut scratch);
        formulas.subtract_constraint_force(at, &lambda, &mut rows, &mut scratch);
        rows
    }

    fn formulas<'b>(&'b self, coloring: &'b Coloring) -> Formulas<'b, M> {
        Formulas { system: self.system, structure: &self.structure, jacobian_coloring: coloring }
    }
}

/// The values with the inputs from `start` on watched.
pub(crate) fn watch(values: &[f64], start: usize) -> Vec<Dependence> {
    let watched = |(i, &x): (usize, &f64)| match i.checked_sub(start) {
        Some(k) if k < WATCHED => Dependence::input(x, k),
        _ => Dependence::unwatched(x),
    };
    values.iter().enumerate().map(watched).collect()
}
