//! The motion of a mechanism in numbers of any type, expanded.
//!
//! At order k the accelerations aₖ and multipliers λₖ enter linearly, through the same matrix [M Gᵀ; G 0] for every k: one
//! factorisation for a step, one solution for an order. The balance of forces is known to order k once positions are to order
//! k + 1; the constraint of order k + 2 says what aₖ has to be, since qₖ₊₂ = aₖ/((k + 1)(k + 2)).

use taut_formula::expansion::{Coefficient, Expansion, Level, Work};

use crate::linear::{Inverse, MOST_PIECES, PIECE};
use crate::system::{MechanicalExpansion, RowKind};

/// The expansion of a mechanism. Whoever has it solves with [M Gᵀ; G 0].
pub(crate) struct MechanicalMotion<N> {
    pub(crate) formulas: MechanicalExpansion,
    pub(crate) expansion: Expansion<N>,
    pub(crate) mass: Vec<N>,
    pub(crate) jacobian: Vec<N>,
    /// right-hand side and solution: accelerations and multipliers
    pub(crate) unknowns: Vec<N>,
    /// whether the constraints are all those of the formulas, as they are
    only_rods: bool,
}

impl<N: Coefficient> MechanicalMotion<N> {
    pub(crate) fn new(formulas: MechanicalExpansion, expansion: Expansion<N>) -> Self {
        let only_rods = formulas.has_only_rods();
        let [mass, jacobian] = formulas.entries().map(|entries| vec![N::zero(); entries]);
        MechanicalMotion {
            expansion,
            mass,
            jacobian,
            unknowns: vec![N::zero(); formulas.n + formulas.rows.len()],
            formulas,
            only_rods,
        }
    }

    /// The values of all formulas at a state, M and G among them, and what positions have to order 1.
    pub(crate) fn evaluate(&mut self, t: N, q: &[N], v: &[N]) {
        let expansion = &mut self.expansion;
        expansion.set_time(t);
        expansion.positions_mut(0).copy_from_slice(q);
        expansion.positions_mut(1).copy_from_slice(v);
        expansion.velocities_mut(0).copy_from_slice(v);
        expansion.accelerations_mut(0).fill(N::zero());
        expansion.multipliers_mut(0).fill(N::zero());
        Level::ALL.into_iter().for_each(|level| expansion.begin(level));
        expansion.begin_ahead();
        self.formulas.mass(expansion, &mut self.mass);
        self.formulas.jacobian(expansion, &mut self.jacobian);
    }

    /// What the accelerations and multipliers of order k have to be: the right-hand side.
    pub(crate) fn ask(&mut self, k: usize) {
        if self.expansion.has_bare_roots() {
            self.clear_unknowns(k);
        }
        // The balance of order 0 was evaluated.
        self.expansion.ask(k);
        self.read_unknowns(k);
    }

    /// The right-hand side of order k, from what formulas lack.
    #[inline(always)]
    fn read_unknowns(&mut self, k: usize) {
        let (expansion, n) = (&self.expansion, self.formulas.n);
        let (first, second) = ((k + 1) as f64, ((k + 1) * (k + 2)) as f64);
        let (balance, rows) = self.unknowns.split_at_mut(n);
        expansion.read_roots(0, k, N::constant(-1.0), balance);
        if self.only_rods {
            return expansion.read_roots(n, k + 2, N::constant(-second), rows);
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

    /// Formulas leave unknowns of the order in hand out, but for those that are nothing else.
    fn clear_unknowns(&mut self, k: usize) {
        self.expansion.positions_mut(k + 2).fill(N::zero());
        self.expansion.velocities_mut(k + 1).fill(N::zero());
        if k > 0 {
            self.expansion.unknowns_mut(k).fill(N::zero());
        }
    }

    /// Files the solution of order k away.
    #[inline(always)]
    pub(crate) fn take_over(&mut self, k: usize) {
        let (a, lambda) = self.unknowns.split_at(self.formulas.n);
        self.expansion.set_accelerations(k, a);
        let multipliers = self.expansion.multipliers_mut(k);
        if self.only_rods {
            return multipliers.copy_from_slice(lambda);
        }
        for (row, lambda) in self.formulas.rows.iter().zip(lambda) {
            multipliers[row.number] = *lambda * row.factor;
        }
    }

    /// Finds all formulas to the order of the solution, which higher orders need.
    pub(crate) fn follow(&mut self, k: usize) {
        if k == 0 {
            self.expansion.begin_again(Level::Acceleration);
        }
        self.expansion.follow(k);
    }

    /// What is left of a constraint at the state: g, or nothing for conditions on velocities and springs.
    pub(crate) fn gap(&self, row: usize) -> N {
        let row = &self.formulas.rows[row];
        match row.kind {
            RowKind::Rod => self.expansion.coefficient(self.formulas.root(row), 0) * row.factor,
            RowKind::Nonholonomic | RowKind::Spring => N::zero(),
        }
    }

    /// Finds the rates of constraints at the state.
    pub(crate) fn find_rates(&mut self) {
        self.expansion.answer(1);
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

    /// The multipliers of order k where they are found as they are.
    #[inline]
    pub(crate) fn plain_multipliers(&self, k: usize) -> Option<&[N]> {
        self.only_rods.then(|| self.expansion.multipliers(k))
    }

    /// The multipliers of order k, of springs from their formulas.
    pub(crate) fn multipliers(&self, k: usize, lambda: &mut [N]) {
        if let Some(found) = self.plain_multipliers(k) {
            return lambda.copy_from_slice(found);
        }
        let found = self.expansion.multipliers(k);
        for (lambda, row) in lambda.iter_mut().zip(&self.formulas.rows) {
            let found = match row.kind {
                RowKind::Spring => self.expansion.coefficient(self.formulas.root(row), k),
                _ => found[row.number],
            };
            *lambda = found / row.factor;
        }
    }
}

impl MechanicalMotion<f64> {
    /// Finds accelerations and multipliers of the orders 1 to `last`, after those of order 0.
    pub(crate) fn expand(&mut self, last: usize, solution: Solution<'_>) {
        f64::compute(Orders { motion: self, last, solution });
    }
}

impl MechanicalMotion<f64> {
    /// Finds unknowns of order k by a product with the inverse, which reads the roots and writes inputs where they are.
    #[inline(always)]
    fn solve(&mut self, inverse: &Inverse, k: usize, multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        match inverse.pieces() {
            1 => self.solve_pieces::<1>(inverse, k, multiply_add),
            2 => self.solve_pieces::<2>(inverse, k, multiply_add),
            3 => self.solve_pieces::<3>(inverse, k, multiply_add),
            4 => self.solve_pieces::<4>(inverse, k, multiply_add),
            5 => self.solve_pieces::<5>(inverse, k, multiply_add),
            _ => self.solve_pieces::<MOST_PIECES>(inverse, k, multiply_add),
        }
    }

    #[inline(always)]
    fn solve_pieces<const P: usize>(
        &mut self,
        inverse: &Inverse,
        k: usize,
        multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy,
    ) {
        let (n, second) = (self.formulas.n, ((k + 1) * (k + 2)) as f64);
        let expansion = &self.expansion;
        let balance = expansion.few_roots(k).map(|(roots, row)| (&roots[..n], row));
        let rows = expansion.few_roots(k + 2).map(|(roots, row)| (&roots[n..], row));
        let (Some((balance, of_order)), Some((rows, of_rows))) = (balance, rows) else { return };
        let mut sums = [[0.0; PIECE]; P];
        let balance = balance.iter().map(|&root| -of_order[usize::from(root)]);
        inverse.add_products(0, balance, &mut sums, multiply_add);
        let rows = rows.iter().map(|&root| of_rows[usize::from(root)] * -second);
        inverse.add_products(n, rows, &mut sums, multiply_add);
        self.expansion.set_unknowns(k, &sums);
    }
}

/// How right-hand sides are replaced by solutions.
pub(crate) enum Solution<'s> {
    /// by a product with the inverse
    Inverse(&'s Inverse),
    /// by what somebody else does
    Elsewhere(&'s mut dyn FnMut(&mut [f64])),
}

/// All orders but the first, one after the other.
struct Orders<'m, 's> {
    motion: &'m mut MechanicalMotion<f64>,
    last: usize,
    solution: Solution<'s>,
}

impl Work<f64> for Orders<'_, '_> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        let Orders { motion, last, mut solution } = self;
        if last > 0 {
            motion.follow(0);
        }
        let in_blocks = motion.only_rods && motion.expansion.takes_blocks();
        for k in 1..=last {
            if motion.expansion.has_bare_roots() {
                motion.clear_unknowns(k);
            }
            motion.expansion.ask_by(k, multiply_add);
            match &mut solution {
                Solution::Inverse(inverse) if in_blocks => motion.solve(inverse, k, multiply_add),
                Solution::Inverse(inverse) => {
                    motion.read_unknowns(k);
                    inverse.multiply(&mut motion.unknowns, multiply_add);
                    motion.take_over(k);
                }
                Solution::Elsewhere(solve) => {
                    motion.read_unknowns(k);
                    solve(&mut motion.unknowns);
                    motion.take_over(k);
                }
            }
            if k < last {
                motion.expansion.follow_by(k, multiply_add);
            }
        }
    }
}
