//! Rows as orders evaluate them: what belongs to one row lies side by side, so that a run of rows is one list, and to begin with it
//! costs little.

use super::convolution::Coefficient;
use super::rows::{FEW, Row, Rows};

/// A row of T terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<N, S, const T: usize> {
    factors: [N; T],
    operands: [S; T],
    out: S,
}

/// Rows of as many terms that follow one another.
#[derive(Clone, Debug)]
pub(super) enum Run<N, S> {
    One(Vec<Terms<N, S, 1>>),
    Two(Vec<Terms<N, S, 2>>),
    Three(Vec<Terms<N, S, 3>>),
    Four(Vec<Terms<N, S, 4>>),
    Five(Vec<Terms<N, S, 5>>),
    Six(Vec<Terms<N, S, 6>>),
    Seven(Vec<Terms<N, S, 7>>),
    Eight(Vec<Terms<N, S, 8>>),
    /// one row of any number of terms
    Long(Vec<(N, S)>, S),
}

/// Does the same with the rows of a run, whatever the number of their terms is, or something else with a long row.
macro_rules! for_terms {
    ($run:expr, $rows:pat => $same:expr, $terms:pat, $out:pat => $other:expr) => {
        match $run {
            Run::One($rows) => $same,
            Run::Two($rows) => $same,
            Run::Three($rows) => $same,
            Run::Four($rows) => $same,
            Run::Five($rows) => $same,
            Run::Six($rows) => $same,
            Run::Seven($rows) => $same,
            Run::Eight($rows) => $same,
            Run::Long($terms, $out) => $other,
        }
    };
}

/// All runs of a list, in the order of their evaluation.
#[derive(Clone, Debug)]
pub(super) enum Listed<N> {
    /// where formulas are few
    Few(Vec<Run<N, u8>>),
    Many(Vec<Run<N, u32>>),
}

impl<N> Default for Listed<N> {
    fn default() -> Self {
        Listed::Few(Vec::new())
    }
}

impl<N: Coefficient> Listed<N> {
    /// The runs of rows with these factors and operands; an order has so many numbers.
    pub(super) fn new(rows: &Rows, factors: &[N], operands: &[u32], width: usize) -> Self {
        match width {
            FEW => Listed::Few(runs(rows, factors, operands, |slot| slot as u8)),
            _ => Listed::Many(runs(rows, factors, operands, |slot| slot)),
        }
    }

    /// Takes over other factors.
    pub(super) fn set_factors(&mut self, factors: &[N]) {
        match self {
            Listed::Few(runs) => set_factors(runs, factors),
            Listed::Many(runs) => set_factors(runs, factors),
        }
    }

    /// Takes over other operands.
    pub(super) fn set_operands(&mut self, operands: &[u32]) {
        match self {
            Listed::Few(runs) => set_operands(runs, operands, |slot| slot as u8),
            Listed::Many(runs) => set_operands(runs, operands, |slot| slot),
        }
    }

    /// Evaluates all rows.
    #[inline(always)]
    pub(super) fn evaluate(&self, row: &mut [N], multiply_add: impl Fn(N, N, N) -> N + Copy) {
        match self {
            Listed::Few(runs) => {
                if let Ok(row) = <&mut [N; FEW]>::try_from(row) {
                    evaluate(runs, row, multiply_add);
                }
            }
            Listed::Many(runs) => evaluate(runs, row, multiply_add),
        }
    }
}

fn runs<N: Coefficient, S: Copy>(
    rows: &Rows,
    mut factors: &[N],
    mut operands: &[u32],
    number: impl Fn(u32) -> S + Copy,
) -> Vec<Run<N, S>> {
    let (mut outs, mut found) = (rows.out.as_slice(), Vec::new());
    for &(terms, count) in &rows.runs {
        let (outs_of_run, other_outs) = outs.split_at(count);
        let (of_run, other_factors) = factors.split_at(count * terms);
        let (operands_of_run, other_operands) = operands.split_at(count * terms);
        (outs, factors, operands) = (other_outs, other_factors, other_operands);
        let parts = (outs_of_run, of_run, operands_of_run);
        match terms {
            1 => found.push(Run::One(side_by_side(parts, number))),
            2 => found.push(Run::Two(side_by_side(parts, number))),
            3 => found.push(Run::Three(side_by_side(parts, number))),
            4 => found.push(Run::Four(side_by_side(parts, number))),
            5 => found.push(Run::Five(side_by_side(parts, number))),
            6 => found.push(Run::Six(side_by_side(parts, number))),
            7 => found.push(Run::Seven(side_by_side(parts, number))),
            8 => found.push(Run::Eight(side_by_side(parts, number))),
            _ => {
                let both = of_run.iter().zip(operands_of_run);
                let mut both = both.map(|(&factor, &slot)| (factor, number(slot)));
                for &out in outs_of_run {
                    found.push(Run::Long(both.by_ref().take(terms).collect(), number(out)));
                }
            }
        }
    }
    found
}

fn side_by_side<N: Copy, S: Copy, const T: usize>(
    (outs, factors, operands): (&[u32], &[N], &[u32]),
    number: impl Fn(u32) -> S + Copy,
) -> Vec<Terms<N, S, T>> {
    let terms = factors.as_chunks::<T>().0.iter().zip(operands.as_chunks::<T>().0);
    let row = |(&out, (&factors, operands)): (&u32, (&[N; T], &[u32; T]))| Terms {
        factors,
        operands: operands.map(number),
        out: number(out),
    };
    outs.iter().zip(terms).map(row).collect()
}

fn set_factors<N: Copy, S>(runs: &mut [Run<N, S>], mut factors: &[N]) {
    for run in runs {
        for_terms!(run, rows => for row in rows {
            let Some((own, others)) = factors.split_first_chunk() else { return };
            (row.factors, factors) = (*own, others);
        }, terms, _ => {
            for ((factor, _), own) in terms.iter_mut().zip(factors) {
                *factor = *own;
            }
            factors = &factors[terms.len().min(factors.len())..];
        });
    }
}

fn set_operands<N, S>(runs: &mut [Run<N, S>], operands: &[u32], number: impl Fn(u32) -> S) {
    let mut operands = operands.iter().map(|&slot| number(slot));
    for run in runs {
        for_terms!(run, rows => {
            let places = rows.iter_mut().flat_map(|row| &mut row.operands);
            places.zip(operands.by_ref()).for_each(|(place, slot)| *place = slot);
        }, terms, _ => {
            let places = terms.iter_mut().map(|(_, place)| place);
            places.zip(operands.by_ref()).for_each(|(place, slot)| *place = slot);
        });
    }
}

#[inline(always)]
fn evaluate<N: Coefficient, R: Row<N> + ?Sized>(
    runs: &[Run<N, R::Slot>],
    row: &mut R,
    multiply_add: impl Fn(N, N, N) -> N + Copy,
) {
    for run in runs {
        for_terms!(run, rows => few(rows, row, multiply_add), terms, out => {
            let sum = terms.iter().fold(N::zero(), |sum, &(factor, slot)| multiply_add(factor, row.read(slot), sum));
            row.write(*out, sum);
        });
    }
}

/// Rows of T terms.
#[inline(always)]
fn few<N: Coefficient, R: Row<N> + ?Sized, const T: usize>(
    rows: &[Terms<N, R::Slot, T>],
    row: &mut R,
    multiply_add: impl Fn(N, N, N) -> N,
) {
    for Terms { factors, operands, out } in rows {
        let mut sum = factors[0] * row.read(operands[0]);
        for term in 1..T {
            sum = multiply_add(factors[term], row.read(operands[term]), sum);
        }
        row.write(*out, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one to twelve terms, each with a factor of its own; row k gives formula 200 + k.
    fn rows() -> Rows {
        let mut rows = Rows::default();
        for (number, terms) in [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 12, 2].into_iter().enumerate() {
            rows.add_to_runs(terms);
            rows.out.push(200 + number as u32);
            rows.operands.extend((0..terms).map(|term| (7 * term + 3 * number) as u32 % 50));
        }
        rows
    }

    fn check(listed: &Listed<f64>, rows: &Rows, factors: &[f64], operands: &[u32], width: usize) {
        let mut row: Vec<f64> = (0..width).map(|k| (k as f64).sqrt()).collect();
        let before = row.clone();
        listed.evaluate(&mut row, f64::mul_add);
        let (mut term, mut number) = (0, 0);
        for &(terms, count) in &rows.runs {
            for _ in 0..count {
                let products = (term..term + terms).map(|k| factors[k] * before[operands[k] as usize]);
                let sum: f64 = products.sum();
                assert!((row[200 + number] - sum).abs() < 1e-13 * (1.0 + sum.abs()), "{width}: row {number}");
                (term, number) = (term + terms, number + 1);
            }
        }
        assert_eq!(row[..200], before[..200]);
    }

    #[test]
    fn rows_of_any_length_are_evaluated_with_the_factors_and_operands_that_were_set_last() {
        let rows = rows();
        let mut operands = rows.operands.clone();
        let factors: Vec<f64> = (0..operands.len()).map(|k| 1.0 + k as f64).collect();
        for width in [FEW, FEW + 44] {
            let mut listed = Listed::new(&rows, &vec![0.0; operands.len()], &rows.operands, width);
            listed.set_factors(&factors);
            check(&listed, &rows, &factors, &rows.operands, width);
            operands.iter_mut().for_each(|slot| *slot = (*slot + 11) % 50);
            listed.set_operands(&operands);
            check(&listed, &rows, &factors, &operands, width);
            operands.copy_from_slice(&rows.operands);
        }
    }
}
