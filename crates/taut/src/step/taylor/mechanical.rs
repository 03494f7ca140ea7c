//! The motion of a mechanism, expanded.
//!
//! At order k the accelerations aₖ and multipliers λₖ enter linearly, through the same matrix [M Gᵀ; G 0] for every k: one
//! factorisation for a step, one solution for an order. The balance of forces is known to order k once positions are to order
//! k + 1; the constraint of order k + 2 says what aₖ has to be, since qₖ₊₂ = aₖ/((k + 1)(k + 2)).

use taut_formula::expansion::{Expansion, Level};

use super::{Expanding, Polynomial};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::system::{MechanicalExpansion, MechanicalSystem, RowKind, Terms};

/// A mechanical system, expanded.
pub(crate) struct MechanicalSeries<'a> {
    system: &'a dyn MechanicalSystem,
    layout: Layout,
    formulas: MechanicalExpansion,
    expansion: Expansion<f64>,
    manifold: Manifold<'a>,
    projection: Projection,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    /// right-hand side and solution: accelerations and multipliers
    unknowns: Vec<f64>,
    nonholonomic: bool,
}

impl<'a> MechanicalSeries<'a> {
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        formulas: MechanicalExpansion,
        order: usize,
        options: &Options,
        projection: Projection,
    ) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        MechanicalSeries {
            system,
            layout: Layout::mechanical(n, m),
            expansion: formulas.expansion(order),
            manifold: Manifold::new(system, options.linear),
            projection: if m == 0 { Projection::None } else { projection },
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            v: vec![0.0; n],
            a: vec![0.0; n],
            unknowns: vec![0.0; n + m],
            nonholonomic: formulas.rows.iter().any(|row| row.kind == RowKind::Nonholonomic),
            formulas,
        }
    }

    /// The values of all formulas at a state, and what positions have to order 1; M and G, factored.
    fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.system.force(Terms::NONE, t, q, v, &mut self.a)?;
        let expansion = &mut self.expansion;
        expansion.set_time(t);
        for (i, (q, v)) in q.iter().zip(v).enumerate() {
            expansion.set_position(i, 0, *q);
            expansion.set_position(i, 1, *v);
            expansion.set_velocity(i, 0, *v);
            expansion.set_acceleration(i, 0, 0.0);
        }
        for k in 0..self.formulas.rows.len() {
            expansion.set_multiplier(self.formulas.rows[k].number, 0, 0.0);
        }
        Level::ALL.into_iter().for_each(|level| expansion.begin(level));
        expansion.convolve(Level::Position, 1);
        expansion.pass(Level::Position, 1);
        expansion.keep(Level::Position, 1);
        count.rhs += 1;
        self.formulas.mass(expansion, &mut self.mass);
        self.formulas.jacobian(expansion, &mut self.jacobian);
        self.manifold.adopt(&self.mass, &self.jacobian);
        self.manifold.factor(count)
    }

    /// Solves for the accelerations and multipliers of order k.
    fn solve(&mut self, k: usize, count: &mut Statistics) {
        let expansion = &mut self.expansion;
        let (n, [first, second]) = (self.v.len(), [k + 1, k + 2].map(|k| k as f64));
        for i in 0..n {
            expansion.set_position(i, k + 2, 0.0);
            expansion.set_velocity(i, k + 1, 0.0);
            expansion.set_acceleration(i, k, 0.0);
        }
        for row in &self.formulas.rows {
            expansion.set_multiplier(row.number, k, 0.0);
        }
        expansion.convolve(Level::Position, k + 2);
        expansion.probe(Level::Position, k + 2);
        expansion.convolve(Level::Velocity, k + 1);
        if self.nonholonomic {
            expansion.probe(Level::Velocity, k + 1);
        }
        if k > 0 {
            expansion.convolve(Level::Acceleration, k);
            expansion.pass(Level::Acceleration, k);
        }
        let (balance, rows) = self.unknowns.split_at_mut(n);
        for (i, balance) in balance.iter_mut().enumerate() {
            *balance = -expansion.coefficient(i, k);
        }
        for (unknown, row) in rows.iter_mut().zip(&self.formulas.rows) {
            let root = self.formulas.root(row);
            *unknown = match row.kind {
                RowKind::Rod => -row.factor * first * second * expansion.coefficient(root, k + 2),
                RowKind::Nonholonomic => -row.factor * first * expansion.coefficient(root, k + 1),
                RowKind::Spring => 0.0,
            };
        }
        self.manifold.solve(&mut self.unknowns, count);
        self.take_over(k);
    }

    /// Files the solution of order k away, and finds all formulas to that order.
    fn take_over(&mut self, k: usize) {
        let expansion = &mut self.expansion;
        let (a, lambda) = self.unknowns.split_at(self.v.len());
        for (i, a) in a.iter().enumerate() {
            let v = a / (k + 1) as f64;
            expansion.set_acceleration(i, k, *a);
            expansion.set_velocity(i, k + 1, v);
            expansion.set_position(i, k + 2, v / (k + 2) as f64);
        }
        for (row, lambda) in self.formulas.rows.iter().zip(lambda) {
            expansion.set_multiplier(row.number, k, row.factor * lambda);
        }
        expansion.repeat(Level::Acceleration, k);
        if k > 0 {
            expansion.keep(Level::Acceleration, k);
        }
        expansion.pass(Level::Position, k + 2);
        expansion.keep(Level::Position, k + 2);
        expansion.pass(Level::Velocity, k + 1);
        expansion.keep(Level::Velocity, k + 1);
    }

    /// The multiplier of a row of order k, of a spring from its formula.
    fn multiplier(&self, row: usize, k: usize) -> f64 {
        let row = &self.formulas.rows[row];
        let lambda = match row.kind {
            RowKind::Spring => self.expansion.coefficient(self.formulas.root(row), k),
            _ => self.expansion.multiplier(row.number)[k],
        };
        lambda / row.factor
    }
}

impl Expanding for MechanicalSeries<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        if self.projection == Projection::None {
            return Ok(());
        }
        let (q, v, _) = self.layout.split_mut(y);
        self.manifold.evaluate_geometry(t, q, v)?;
        self.manifold.factor(count)?;
        if self.projection == Projection::Full {
            self.manifold.project_positions(t, q, count)?;
        }
        self.manifold.project_velocities(t, q, v, count)
    }

    fn place(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.evaluate(t, q, v, count)?;
        self.v.copy_from_slice(v);
        self.solve(0, count);
        self.a.copy_from_slice(&self.unknowns[..self.v.len()]);
        for (k, lambda) in lambda.iter_mut().enumerate() {
            *lambda = self.multiplier(k, 0);
        }
        let structure = self.system.structure();
        structure.finite_coordinates(&self.a, "the acceleration", t)?;
        Ok(structure.finite_constraints(lambda, "the multiplier", t)?)
    }

    fn rate(&self, rate: &mut [f64]) {
        rate[self.layout.q()].copy_from_slice(&self.v);
        rate[self.layout.v()].copy_from_slice(&self.a);
    }

    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics) {
        let order = polynomial.order();
        for k in 1..=order - 2 {
            self.solve(k, count);
        }
        for i in 0..self.v.len() {
            polynomial.position_mut(i).copy_from_slice(self.expansion.position(i));
        }
        for row in 0..self.formulas.rows.len() {
            for k in 0..=order - 2 {
                polynomial.multiplier_mut(row)[k] = self.multiplier(row, k);
            }
        }
    }

    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure> {
        let (q, v, _) = self.layout.split(y);
        self.evaluate(t, q, v, &mut Statistics::default())?;
        self.v.copy_from_slice(v);
        self.solve(0, &mut Statistics::default());
        self.a.copy_from_slice(&self.unknowns[..self.v.len()]);
        self.manifold.residuals(t, q, v, &self.a)
    }

    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.manifold.exchange_pivots(pivots);
    }
}
