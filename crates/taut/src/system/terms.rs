//! The terms of the equations of motion of formulas that cannot be recorded, for any number type.
//!
//! Written for any number type they compose: evaluated with `f64` they are the right-hand side, with [`Dual`] the Newton
//! blocks, with [`Series`](super::Series) the equations along a motion.

use std::ops::Mul;

use super::mechanical::{Given, Mass, Mechanical};
use super::number::{Dual, Scalar};
use crate::linear::Pattern;
use crate::seen::{Evaluation, ForceClass, Structure, Terms};

/// How many slopes are carried at once. Four fit two vector registers of the smallest kind.
pub(crate) const LANES: usize = 4;

/// Scratch space for one number type.
#[derive(Clone, Debug)]
pub(crate) struct Scratch<S> {
    force: Vec<S>,
    mass: Vec<S>,
    motion: Vec<Dual<1, S>>,
    q: Vec<Dual<LANES, S>>,
    v: Vec<Dual<LANES, S>>,
    g: Vec<Dual<LANES, S>>,
    mass_slopes: Vec<Dual<LANES, S>>,
    motion_slopes: Vec<Dual<1, Dual<LANES, S>>>,
}

impl<S: Scalar> Scratch<S> {
    pub(crate) fn new(n: usize, m: usize, mass_entries: usize) -> Self {
        let zero = S::zero();
        Scratch {
            force: vec![zero; n],
            mass: vec![zero; mass_entries],
            motion: vec![Dual::lift(zero); 2 * n],
            q: vec![Dual::lift(zero); n],
            v: vec![Dual::lift(zero); n],
            g: vec![Dual::lift(zero); m],
            mass_slopes: vec![Dual::lift(zero); mass_entries],
            motion_slopes: vec![Dual::constant(0.0); 2 * n],
        }
    }
}

/// A person's system with what is known of its structure.
pub(crate) struct Formulas<'a, M> {
    pub(crate) system: &'a M,
    pub(crate) structure: &'a Structure,
}

/// A state and what acts on it, in one number type.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a, S> {
    pub(crate) t: S,
    pub(crate) q: &'a [S],
    pub(crate) v: &'a [S],
}

/// Values.
impl<M: Mechanical> Formulas<'_, M> {
    /// M; `motion` is room for n positions and n velocities.
    pub(crate) fn mass(&self, q: &[f64], mass: &mut [f64], motion: &mut [Dual<1>]) -> Evaluation {
        self.system.mass(q, &mut Mass::values(&self.structure.mass, mass, motion));
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    /// The chosen terms of f.
    pub(crate) fn force(
        &self,
        terms: Terms,
        at: Motion<'_, f64>,
        force: &mut [f64],
        scratch: &mut Scratch<f64>,
    ) -> Evaluation {
        force.fill(0.0);
        self.add_force(terms, at, force, scratch);
        self.structure.finite_coordinates(force, "the force", at.t)
    }

    /// g
    pub(crate) fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (holonomic, rest) = g.split_at_mut(self.structure.holonomic());
        self.system.constraint(t, q, holonomic);
        rest.fill(0.0);
        self.structure.finite_constraints(g, "the constraint", t)
    }
}

impl<M: Mechanical> Formulas<'_, M> {
    /// Adds the chosen terms of f.
    pub(crate) fn add_force<S: Scalar>(
        &self,
        terms: Terms,
        at: Motion<'_, S>,
        out: &mut [S],
        scratch: &mut Scratch<S>,
    ) {
        for class in ForceClass::ALL {
            if terms.contain(Terms::of(class)) {
                self.system.force(class, at.t, at.q, at.v, out);
            }
        }
        if terms.contain(Terms::POTENTIAL) {
            self.add_potential_force(at.q, out, scratch);
        }
        if terms.contain(Terms::KINETIC) {
            self.add_kinetic_gradient(at.q, at.v, out, scratch);
        }
        if terms.contain(Terms::CORIOLIS) {
            self.add_coriolis_force(at.q, at.v, out, scratch);
        }
    }

    /// − ∂V/∂q − ∂U/∂q / ε²
    fn add_potential_force<S: Scalar>(&self, q: &[S], out: &mut [S], scratch: &mut Scratch<S>) {
        scratch.force.fill(S::zero());
        if self.system.potential_force(q, &mut scratch.force) == Given::Written {
            add(out, &scratch.force);
        } else {
            subtract_gradient(q, out, &mut scratch.q, |q| self.system.potential(q));
        }
        if let Some(epsilon) = self.system.epsilon() {
            let strength = 1.0 / (epsilon * epsilon);
            subtract_gradient(q, out, &mut scratch.q, |q| self.system.strong_potential(q) * strength);
        }
    }

    /// + ∂T/∂q with T = vᵀM(q)v / 2
    fn add_kinetic_gradient<S: Scalar>(&self, q: &[S], v: &[S], out: &mut [S], scratch: &mut Scratch<S>) {
        let Scratch { q: q_slopes, mass_slopes, motion_slopes, .. } = scratch;
        let pattern = &self.structure.mass;
        subtract_gradient(q, out, q_slopes, |q| {
            self.system.mass(q, &mut Mass::values(pattern, mass_slopes, motion_slopes));
            quadratic_form(pattern, mass_slopes, v) * -0.5
        });
    }

    /// ∂T/∂q − (∂(M v)/∂q) v
    fn add_coriolis_force<S: Scalar>(&self, q: &[S], v: &[S], out: &mut [S], scratch: &mut Scratch<S>) {
        scratch.force.fill(S::zero());
        if self.system.coriolis_force(q, v, &mut scratch.force) == Given::Written {
            return add(out, &scratch.force);
        }
        self.add_kinetic_gradient(q, v, out, scratch);
        let Scratch { q: q_slopes, mass_slopes, motion_slopes, .. } = scratch;
        for ((moving, q), v) in q_slopes.iter_mut().zip(q).zip(v) {
            *moving = Dual::lift(*q);
            moving.slope[0] = *v;
        }
        self.system.mass(q_slopes, &mut Mass::values(&self.structure.mass, mass_slopes, motion_slopes));
        for (k, (i, j)) in self.structure.mass.entries().enumerate() {
            out[i] -= mass_slopes[k].slope[0] * v[j];
        }
    }

    /// − M(q) a
    pub(crate) fn subtract_inertia<S: Scalar + Mul<A, Output = S>, A: Copy>(
        &self,
        q: &[S],
        a: &[A],
        out: &mut [S],
        scratch: &mut Scratch<S>,
    ) {
        self.system.mass(q, &mut Mass::values(&self.structure.mass, &mut scratch.mass, &mut scratch.motion));
        for (k, (i, j)) in self.structure.mass.entries().enumerate() {
            out[i] -= scratch.mass[k] * a[j];
        }
    }

    /// Calls `visit` with the number of a coordinate and ∂g/∂q, ∂h/∂v in the directions of this one and those behind it.
    pub(crate) fn jacobian_sweeps<S: Scalar>(
        &self,
        at: Motion<'_, S>,
        scratch: &mut Scratch<S>,
        mut visit: impl FnMut(usize, &[Dual<LANES, S>]),
    ) {
        let holonomic = self.structure.holonomic();
        let t = Dual::lift(at.t);
        for start in (0..at.q.len()).step_by(LANES) {
            let (g, h) = scratch.g.split_at_mut(holonomic);
            seed(at.q, start, &mut scratch.q);
            self.system.constraint(t, &scratch.q, g);
            if !h.is_empty() {
                seed(at.v, start, &mut scratch.v);
                seed(at.q, at.q.len(), &mut scratch.q);
                self.system.nonholonomic(t, &scratch.q, &scratch.v, h);
            }
            visit(start, &scratch.g);
        }
    }

    /// − Gᵀλ
    pub(crate) fn subtract_constraint_force<S: Scalar + Mul<L, Output = S>, L: Copy>(
        &self,
        at: Motion<'_, S>,
        lambda: &[L],
        out: &mut [S],
        scratch: &mut Scratch<S>,
    ) {
        self.jacobian_sweeps(at, scratch, |start, g| subtract_pull(start, g, lambda, out));
    }
}

/// vᵀM v
fn quadratic_form<S: Scalar>(pattern: &Pattern, mass: &[Dual<LANES, S>], v: &[S]) -> Dual<LANES, S> {
    let mut sum = Dual::constant(0.0);
    for (k, (i, j)) in pattern.entries().enumerate() {
        sum += mass[k] * Dual::lift(v[i] * v[j]);
    }
    sum
}

/// − Gᵀλ of the directions from number `start` on, from g with slopes in these.
pub(crate) fn subtract_pull<S: Scalar + Mul<L, Output = S>, L: Copy>(
    start: usize,
    g: &[Dual<LANES, S>],
    lambda: &[L],
    out: &mut [S],
) {
    for (lane, out) in out[start..].iter_mut().take(LANES).enumerate() {
        for (g, lambda) in g.iter().zip(lambda) {
            *out -= g.slope[lane] * *lambda;
        }
    }
}

/// The inputs with slopes in the directions of number `start` and those behind it.
pub(crate) fn seed<'x, S: Scalar>(
    x: impl IntoIterator<Item = &'x S>,
    start: usize,
    seeded: &mut [Dual<LANES, S>],
) {
    for (i, (seeded, x)) in seeded.iter_mut().zip(x).enumerate() {
        *seeded = match i.checked_sub(start) {
            Some(k) if k < LANES => Dual::variable(*x, k),
            _ => Dual::lift(*x),
        };
    }
}

/// The derivatives of `rows` from such inputs, into a full matrix, column by column.
pub(crate) fn collect(rows: &[Dual<LANES>], start: usize, matrix: &mut [f64]) {
    let columns = matrix.chunks_exact_mut(rows.len().max(1)).skip(start).take(LANES);
    for (lane, column) in columns.enumerate() {
        for (entry, row) in column.iter_mut().zip(rows) {
            *entry = row.slope[lane];
        }
    }
}

/// The derivatives of rows f(x) with respect to all x, into a full matrix, column by column. f adds to rows that are zero.
pub(crate) fn differentiate<'x>(
    x: impl Iterator<Item = &'x f64> + Clone,
    [seeded, rows]: [&mut [Dual<LANES>]; 2],
    matrix: &mut [f64],
    mut f: impl FnMut(&[Dual<LANES>], &mut [Dual<LANES>]),
) {
    for start in (0..seeded.len()).step_by(LANES) {
        seed(x.clone(), start, seeded);
        rows.fill(Dual::constant(0.0));
        f(seeded, rows);
        collect(rows, start, matrix);
    }
}

/// Calls `take` with the number of each x and ∂f/∂x.
pub(crate) fn gradient<'x, S: Scalar + 'x>(
    x: impl Iterator<Item = &'x S> + Clone,
    seeded: &mut [Dual<LANES, S>],
    mut f: impl FnMut(&[Dual<LANES, S>]) -> Dual<LANES, S>,
    mut take: impl FnMut(usize, S),
) {
    let count = seeded.len();
    for start in (0..count).step_by(LANES) {
        seed(x.clone(), start, seeded);
        let slope = f(seeded).slope;
        (start..count).zip(slope).for_each(|(i, slope)| take(i, slope));
    }
}

/// x + τ rate, whose first and second derivatives in τ are carried along.
pub(crate) fn along(x: f64, rate: f64) -> Dual<1, Dual<1>> {
    let slope = [Dual { value: rate, slope: [0.0] }];
    Dual { value: Dual { value: x, slope: [rate] }, slope }
}

/// out −= ∂f/∂q
fn subtract_gradient<S: Scalar>(
    q: &[S],
    out: &mut [S],
    seeded: &mut [Dual<LANES, S>],
    f: impl FnMut(&[Dual<LANES, S>]) -> Dual<LANES, S>,
) {
    gradient(q.iter(), seeded, f, |i, slope| out[i] -= slope);
}

fn add<S: Scalar>(out: &mut [S], terms: &[S]) {
    for (out, term) in out.iter_mut().zip(terms) {
        *out += *term;
    }
}
