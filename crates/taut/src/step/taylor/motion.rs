//! The motion of a mechanism in numbers of any type, expanded.
//!
//! At order k the accelerations aₖ and multipliers λₖ enter linearly, through the same matrix [M Gᵀ; G 0] for every k: one
//! factorisation for a step, one solution for an order. The balance of forces is known to order k once positions are to order
//! k + 1; the constraint of order k + 2 says what aₖ has to be, since qₖ₊₂ = aₖ/((k + 1)(k + 2)).

use taut_formula::expansion::{Coefficient, Expansion, Level};

use crate::system::{MechanicalExpansion, RowKind};

/// The expansion of a mechanism. Whoever has it solves with [M Gᵀ; G 0].
pub(crate) struct MechanicalMotion<N> {
    pub(crate) formulas: MechanicalExpansion,
    pub(crate) expansion: Expansion<N>,
    pub(crate) mass: Vec<N>,
    pub(crate) jacobian: Vec<N>,
    /// right-hand side and solution: accelerations and multipliers
    pub(crate) unknowns: Vec<N>,
    nonholonomic: bool,
}

impl<N: Coefficient> MechanicalMotion<N> {
    pub(crate) fn new(formulas: MechanicalExpansion, expansion: Expansion<N>) -> Self {
        let [mass, jacobian] = formulas.entries().map(|entries| vec![N::zero(); entries]);
        MechanicalMotion {
            expansion,
            mass,
            jacobian,
            unknowns: vec![N::zero(); formulas.n + formulas.rows.len()],
            nonholonomic: formulas.rows.iter().any(|row| row.kind == RowKind::Nonholonomic),
            formulas,
        }
    }

    /// The values of all formulas at a state, M and G among them, and what positions have to order 1.
    pub(crate) fn evaluate(&mut self, t: N, q: &[N], v: &[N]) {
        let expansion = &mut self.expansion;
        expansion.set_time(t);
        for (i, (q, v)) in q.iter().zip(v).enumerate() {
            expansion.set_position(i, 0, *q);
            expansion.set_position(i, 1, *v);
            expansion.set_velocity(i, 0, *v);
            expansion.set_acceleration(i, 0, N::zero());
        }
        for row in &self.formulas.rows {
            expansion.set_multiplier(row.number, 0, N::zero());
        }
        Level::ALL.into_iter().for_each(|level| expansion.begin(level));
        expansion.convolve(Level::Position, 1);
        expansion.pass(Level::Position, 1);
        expansion.keep(Level::Position, 1);
        self.formulas.mass(expansion, &mut self.mass);
        self.formulas.jacobian(expansion, &mut self.jacobian);
    }

    /// What the accelerations and multipliers of order k have to be: the right-hand side.
    pub(crate) fn ask(&mut self, k: usize) {
        let expansion = &mut self.expansion;
        let n = self.formulas.n;
        for i in 0..n {
            expansion.set_position(i, k + 2, N::zero());
            expansion.set_velocity(i, k + 1, N::zero());
            expansion.set_acceleration(i, k, N::zero());
        }
        for row in &self.formulas.rows {
            expansion.set_multiplier(row.number, k, N::zero());
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
        let (first, second) = ((k + 1) as f64, ((k + 1) * (k + 2)) as f64);
        let (balance, rows) = self.unknowns.split_at_mut(n);
        for (i, balance) in balance.iter_mut().enumerate() {
            *balance = -expansion.coefficient(i, k);
        }
        for (unknown, row) in rows.iter_mut().zip(&self.formulas.rows) {
            let root = self.formulas.root(row);
            *unknown = match row.kind {
                RowKind::Rod => expansion.coefficient(root, k + 2) * (-row.factor * second),
                RowKind::Nonholonomic => expansion.coefficient(root, k + 1) * (-row.factor * first),
                RowKind::Spring => N::zero(),
            };
        }
    }

    /// Files the solution of order k away, and finds all formulas to that order.
    pub(crate) fn take_over(&mut self, k: usize) {
        let expansion = &mut self.expansion;
        let (a, lambda) = self.unknowns.split_at(self.formulas.n);
        for (i, a) in a.iter().enumerate() {
            let v = *a / (k + 1) as f64;
            expansion.set_acceleration(i, k, *a);
            expansion.set_velocity(i, k + 1, v);
            expansion.set_position(i, k + 2, v / (k + 2) as f64);
        }
        for (row, lambda) in self.formulas.rows.iter().zip(lambda) {
            expansion.set_multiplier(row.number, k, *lambda * row.factor);
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

    /// What is left of a constraint at the state: g, or nothing for conditions on velocities and springs.
    pub(crate) fn gap(&self, row: usize) -> N {
        let row = &self.formulas.rows[row];
        match row.kind {
            RowKind::Rod => self.expansion.coefficient(self.formulas.root(row), 0) * row.factor,
            RowKind::Nonholonomic | RowKind::Spring => N::zero(),
        }
    }

    /// The rate of a constraint at the state: G v + g_t, h, or nothing for springs.
    pub(crate) fn rate(&self, row: usize) -> N {
        let row = &self.formulas.rows[row];
        let order = match row.kind {
            RowKind::Rod => 1,
            RowKind::Nonholonomic => 0,
            RowKind::Spring => return N::zero(),
        };
        self.expansion.coefficient(self.formulas.root(row), order) * row.factor
    }

    /// The multiplier of a row of order k, of a spring from its formula.
    pub(crate) fn multiplier(&self, row: usize, k: usize) -> N {
        let row = &self.formulas.rows[row];
        let lambda = match row.kind {
            RowKind::Spring => self.expansion.coefficient(self.formulas.root(row), k),
            _ => self.expansion.multiplier(row.number)[k],
        };
        lambda / row.factor
    }
}
