//! The explicit methods of Dormand and Prince with their continuous extensions.

mod eight;

use super::Family;
use crate::number::{DoubleDouble, Matrix, Polynomial, from_roots};
use crate::tableau::round;
use crate::{ContinuousExtension, ExtraStages, Tableau, TableauError};

pub(super) const FIVE_STAGES: &[usize] = &[7];
pub(super) const EIGHT_STAGES: &[usize] = &[12];

/// A row of coefficients without its zeros: (stage counted from one, coefficient).
type Sparse = &'static [(usize, f64)];

/// Dormand and Prince (1980): orders 5(4), the seventh stage is f at the end of the step.
pub(super) fn five(stages: usize) -> Result<Tableau, TableauError> {
    if !FIVE_STAGES.contains(&stages) {
        let family = Family::DormandPrince5.name();
        return Err(TableauError::NoSuchStages { family, stages, available: FIVE_STAGES });
    }
    let a = lower_triangle(&[
        &[],
        &[(1, 5)],
        &[(3, 40), (9, 40)],
        &[(44, 45), (-56, 15), (32, 9)],
        &[(19372, 6561), (-25360, 2187), (64448, 6561), (-212, 729)],
        &[(9017, 3168), (-355, 33), (46732, 5247), (49, 176), (-5103, 18656)],
        &[(35, 384), (0, 1), (500, 1113), (125, 192), (-2187, 6784), (11, 84)],
    ]);
    let b = a.row(6).to_vec();
    let c = ratios(&[(0, 1), (1, 5), (3, 10), (4, 5), (8, 9), (1, 1), (1, 1)]);
    let embedded =
        ratios(&[(5179, 57600), (0, 1), (7571, 16695), (393, 640), (-92097, 339200), (187, 2100), (1, 40)]);
    // Shampine (1986); Hairer, Norsett and Wanner, II.6.
    let d = ratios(&[
        (-12715105075, 11282082432),
        (0, 1),
        (87487479700, 32700410799),
        (-10690763975, 1880347072),
        (701980252875, 199316789632),
        (-1453857185, 822651844),
        (69997945, 29380423),
    ]);
    let continuous = ContinuousExtension::from_polynomials(&hermite_type(&b, 6, &[d]), None);
    Ok(Tableau::computed(Family::DormandPrince5, a, b, c).with_embedded(embedded).with_continuous(continuous))
}

/// Orders 8(5,3) with the continuous extension of order 7 on four more stages (Hairer, Norsett and Wanner, II.5, II.6).
pub(super) fn eight(stages: usize) -> Result<Tableau, TableauError> {
    if !EIGHT_STAGES.contains(&stages) {
        let family = Family::DormandPrince8.name();
        return Err(TableauError::NoSuchStages { family, stages, available: EIGHT_STAGES });
    }
    let a = Matrix::from_fn(12, 12, |i, j| coefficient(eight::A[i], j));
    let b = dense(eight::B, 12);
    let c = row_sums(&a);
    let five =
        b.iter().zip(dense(eight::DIFFERENCE_FIVE, 12)).map(|(&b, difference)| b - difference).collect();
    let extra = extra_stages();
    let end_of_step = dense(eight::B, 16);
    let d: Vec<Vec<DoubleDouble>> = eight::D.iter().map(|row| dense(row, 16)).collect();
    let continuous = ContinuousExtension::from_polynomials(&hermite_type(&end_of_step, 12, &d), Some(extra));
    Ok(Tableau::computed(Family::DormandPrince8, a, b, c)
        .known_as_rounded()
        .with_embedded(five)
        .with_embedded(dense(eight::B_THREE, 12))
        .with_continuous(continuous))
}

fn extra_stages() -> ExtraStages {
    let rows = [eight::B, eight::EXTRA[0], eight::EXTRA[1], eight::EXTRA[2]];
    let a = Matrix::from_fn(4, 16, |i, j| coefficient(rows[i], j));
    ExtraStages { c: round(&row_sums(&a)), a: a.to_f64() }
}

/// The weights of u = y_0 + theta (r_1 + (1 - theta) (r_2 + theta (r_3 + (1 - theta) (r_4 + ...)))), where
/// r_1 = y_1 - y_0, r_2 = h f_0 - r_1 and r_3 = r_1 - h f_1 - r_2 interpolate values and derivatives at both ends,
/// f_1 being the stage `end`, and the rows of `d` give r_4, r_5, ...
fn hermite_type(b: &[DoubleDouble], end: usize, d: &[Vec<DoubleDouble>]) -> Vec<Polynomial> {
    let (zero, one) = (DoubleDouble::ZERO, DoubleDouble::ONE);
    let unit = |k: usize, i: usize| if i == k { one } else { zero };
    // theta^(k/2 + 1) (1 - theta)^((k+1)/2), k = 0, 1, ...
    let basis = |k: usize| {
        let roots: Vec<DoubleDouble> =
            std::iter::repeat_n(zero, k / 2 + 1).chain(std::iter::repeat_n(one, k.div_ceil(2))).collect();
        let sign = if k.div_ceil(2) % 2 == 1 { -1.0 } else { 1.0 };
        Polynomial::default().plus(sign, &from_roots(&roots))
    };
    let weight = |i: usize| {
        let first = b[i];
        let second = unit(0, i) - first;
        let third = first - unit(end, i) - second;
        let combinations = [first, second, third].into_iter().chain(d.iter().map(|row| row[i]));
        combinations.enumerate().fold(Polynomial::default(), |sum, (k, combination)| {
            sum.plus(1.0, &basis(k).product(&Polynomial::new(vec![combination])))
        })
    };
    (0..b.len()).map(weight).collect()
}

fn coefficient(row: Sparse, column: usize) -> DoubleDouble {
    let entry = row.iter().find(|&&(stage, _)| stage == column + 1);
    entry.map_or(DoubleDouble::ZERO, |&(_, value)| DoubleDouble::from(value))
}

fn dense(row: Sparse, length: usize) -> Vec<DoubleDouble> {
    (0..length).map(|column| coefficient(row, column)).collect()
}

fn ratios(pairs: &[(i64, i64)]) -> Vec<DoubleDouble> {
    pairs.iter().map(|&(numerator, denominator)| DoubleDouble::ratio(numerator, denominator)).collect()
}

fn lower_triangle(rows: &[&[(i64, i64)]]) -> Matrix<DoubleDouble> {
    let rows: Vec<Vec<DoubleDouble>> = rows.iter().map(|row| ratios(row)).collect();
    Matrix::from_fn(rows.len(), rows.len(), |i, j| rows[i].get(j).copied().unwrap_or(DoubleDouble::ZERO))
}

fn row_sums(a: &Matrix<DoubleDouble>) -> Vec<DoubleDouble> {
    a.times(&vec![DoubleDouble::ONE; a.columns()])
}
