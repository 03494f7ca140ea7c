//! Coefficients of one order as sums of other coefficients of that order.
//!
//! A nonlinear operation is linear in the coefficients of the order in hand, with factors that are known once the expansion is
//! placed. Sums and nonlinear operations thus are rows of one kind, and no order asks which is which.

use super::choice::Choice;
use super::convolution::Coefficient;
use super::listed::Listed;

/// Rows in the order of their evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// the formulas they give
    pub(super) out: Vec<u32>,
    /// the formulas that the terms of all rows read
    pub(super) operands: Vec<u32>,
    /// rows of as many terms that follow one another: how many terms, how many rows
    pub(super) runs: Vec<(usize, usize)>,
    /// factors that are known once the parameters are: term and constant
    pub(super) fixed: Vec<(u32, u32)>,
    /// a term, and the constant and the value at the point of expansion whose product its factor is
    pub(super) single: Vec<(u32, u32, u32)>,
    /// the others: a term, and up to where its products go
    pub(super) weighed: Vec<(u32, u32)>,
    /// constant and value at the point of expansion, whose products are added up
    pub(super) products: Vec<(u32, u32)>,
    pub(super) choices: Vec<ChoiceRow>,
}

/// A row that reads one of two formulas.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceRow {
    pub(super) row: u32,
    pub(super) term: u32,
    pub(super) condition: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    /// where the share is found
    pub(super) kept: u32,
    pub(super) choice: Choice,
}

impl Rows {
    /// Counts another row.
    pub(super) fn add_to_runs(&mut self, terms: usize) {
        match self.runs.last_mut() {
            Some((others, count)) if *others == terms => *count += 1,
            _ => self.runs.push((terms, 1)),
        }
    }

    /// Whether all factors are known once the parameters are.
    fn are_fixed(&self) -> bool {
        self.single.is_empty() && self.weighed.is_empty() && self.choices.is_empty()
    }
}

/// The factors of rows at one point of expansion.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights<N> {
    factors: Vec<N>,
    operands: Vec<u32>,
    /// the same as orders read them
    listed: Listed<N>,
    /// absolute values of what is zero so far
    undecided: Vec<ChoiceRow>,
}

/// With so many formulas and convolutions a byte is the number of each, and no place has to be checked.
pub(super) const FEW: usize = 256;

/// The coefficients of one order.
pub(super) trait Row<N> {
    /// the number of a formula
    type Slot: Copy;

    fn read(&self, slot: Self::Slot) -> N;
    fn write(&mut self, slot: Self::Slot, value: N);
}

impl<N: Copy> Row<N> for [N; FEW] {
    type Slot = u8;

    #[inline(always)]
    fn read(&self, slot: u8) -> N {
        self[usize::from(slot)]
    }

    #[inline(always)]
    fn write(&mut self, slot: u8, value: N) {
        self[usize::from(slot)] = value;
    }
}

impl<N: Copy> Row<N> for [N] {
    type Slot = u32;

    #[inline(always)]
    fn read(&self, slot: u32) -> N {
        self[slot as usize]
    }

    #[inline(always)]
    fn write(&mut self, slot: u32, value: N) {
        self[slot as usize] = value;
    }
}

impl<N: Coefficient> Weights<N> {
    /// Of rows in orders of so many numbers.
    pub(super) fn new(rows: &Rows, constants: &[N], width: usize) -> Self {
        let (factors, operands) = (vec![N::zero(); rows.operands.len()], rows.operands.clone());
        let listed = Listed::new(rows, &factors, &operands, width);
        let undecided = Vec::with_capacity(rows.choices.len());
        let mut weights = Weights { factors, operands, listed, undecided };
        weights.set(rows, constants);
        weights
    }

    /// Takes over factors that are known once the parameters are.
    pub(super) fn set(&mut self, rows: &Rows, constants: &[N]) {
        for &(term, constant) in &rows.fixed {
            self.factors[term as usize] = constants[constant as usize];
        }
        if rows.are_fixed() {
            self.listed.set_factors(&self.factors);
        }
    }

    /// Finds the factors at a point of expansion.
    pub(super) fn place(&mut self, rows: &Rows, constants: &[N], values: &[N], nothing: u32) {
        if rows.are_fixed() {
            return;
        }
        for &(term, constant, value) in &rows.single {
            self.factors[term as usize] = constants[constant as usize] * values[value as usize];
        }
        let mut from = 0;
        for &(term, to) in &rows.weighed {
            let products = rows.products[from..to as usize].iter();
            let products =
                products.map(|&(constant, value)| constants[constant as usize] * values[value as usize]);
            self.factors[term as usize] = products.fold(N::zero(), |sum, product| sum + product);
            from = to as usize;
        }
        self.undecided.clear();
        for row in &rows.choices {
            let share = values[row.kept as usize];
            self.choose(row, share, nothing);
            if row.choice == Choice::Absolute && share.value() == 0.0 {
                self.undecided.push(*row);
            }
        }
        self.list(rows);
    }

    /// Lists factors and operands as orders read them.
    fn list(&mut self, rows: &Rows) {
        self.listed.set_factors(&self.factors);
        if !rows.choices.is_empty() {
            self.listed.set_operands(&self.operands);
        }
    }

    fn choose(&mut self, row: &ChoiceRow, share: N, nothing: u32) {
        let (factor, operand) = match row.choice {
            Choice::Sign | Choice::Floor => (N::zero(), nothing),
            // What is not chosen may have no value.
            Choice::Second if share.value() > 0.0 => (N::constant(1.0), row.b),
            Choice::Second => (N::constant(1.0), row.a),
            _ if share.value() != 0.0 => (share, row.a),
            _ => (N::zero(), nothing),
        };
        self.factors[row.term as usize] = factor;
        self.operands[row.term as usize] = operand;
    }

    /// Evaluates rows, those of absolute values that are not decided among them.
    #[inline(always)]
    pub(super) fn evaluate(
        &mut self,
        rows: &Rows,
        row: &mut [N],
        is_final: bool,
        multiply_add: impl Fn(N, N, N) -> N + Copy,
    ) {
        if !self.undecided.is_empty() {
            return self.decide(rows, row, is_final);
        }
        self.listed.evaluate(row, multiply_add);
    }

    /// Evaluates rows one by one where absolute values are to be decided by the first coefficient that is not zero.
    #[cold]
    fn decide(&mut self, rows: &Rows, row: &mut [N], is_final: bool) {
        let (mut number, mut term) = (0, 0);
        for &(terms, count) in &rows.runs {
            for _ in 0..count {
                let undecided = self.undecided.iter().position(|choice| choice.row == number as u32);
                let sum = match undecided.map(|place| (place, self.undecided[place])) {
                    Some((place, choice)) => {
                        let share = choice.choice.decide(N::zero(), row[choice.condition as usize]);
                        if is_final && share.value() != 0.0 {
                            self.choose(&choice, share, choice.a);
                            self.undecided.swap_remove(place);
                        }
                        row[choice.a as usize] * share
                    }
                    None => {
                        let terms = self.factors[term..term + terms].iter().zip(&self.operands[term..]);
                        terms.fold(N::zero(), |sum, (factor, slot)| sum + *factor * row[*slot as usize])
                    }
                };
                row[rows.out[number] as usize] = sum;
                number += 1;
                term += terms;
            }
        }
        if is_final {
            self.list(rows);
        }
    }
}
