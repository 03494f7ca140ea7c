//! Diagonally implicit methods, from their closed forms.

use super::Family;
use crate::number::{DoubleDouble, Matrix};
use crate::{Tableau, TableauError};

pub(super) const SDIRK_STAGES: &[usize] = &[2, 3, 5];
pub(super) const ESDIRK_STAGES: &[usize] = &[3, 4, 6];

pub(super) fn sdirk(stages: usize) -> Result<Tableau, TableauError> {
    match stages {
        2 => Ok(sdirk_of_order_2()),
        3 => Ok(sdirk_of_order_3()),
        5 => Ok(sdirk_of_order_4()),
        _ => {
            Err(TableauError::NoSuchStages { family: Family::Sdirk.name(), stages, available: SDIRK_STAGES })
        }
    }
}

pub(super) fn esdirk(stages: usize) -> Result<Tableau, TableauError> {
    match stages {
        3 => Ok(tr_bdf2()),
        4 => Ok(esdirk_of_order_3()),
        6 => Ok(esdirk_of_order_4()),
        _ => Err(TableauError::NoSuchStages {
            family: Family::Esdirk.name(),
            stages,
            available: ESDIRK_STAGES,
        }),
    }
}

fn number(value: f64) -> DoubleDouble {
    DoubleDouble::from(value)
}

fn ratio(numerator: i64, denominator: i64) -> DoubleDouble {
    DoubleDouble::ratio(numerator, denominator)
}

/// The method with the rows of its lower triangle; it is stiffly accurate and its nodes are the row sums.
fn stiffly_accurate(family: Family, rows: &[Vec<DoubleDouble>]) -> Tableau {
    let stages = rows.len();
    let a = Matrix::from_fn(stages, stages, |i, j| rows[i].get(j).copied().unwrap_or(DoubleDouble::ZERO));
    let b = a.row(stages - 1).to_vec();
    let c = a.times(&vec![DoubleDouble::ONE; stages]);
    Tableau::computed(family, a, b, c)
}

/// gamma = 1 - 1/sqrt(2): the smaller root of gamma^2 - 2 gamma + 1/2, so that R(inf) = 0 at order 2.
fn sdirk_of_order_2() -> Tableau {
    let gamma = number(1.0) - number(0.5).sqrt();
    stiffly_accurate(Family::Sdirk, &[vec![gamma], vec![number(1.0) - gamma, gamma]])
}

/// The root in (1/6, 1/2) of gamma^3 - 3 gamma^2 + 3/2 gamma - 1/6, where a method of order 3 with the denominator
/// (1 - gamma z)^3 has R(inf) = 0 and is A-stable (Hairer and Wanner, IV.6).
fn gamma_of_order_3() -> DoubleDouble {
    (0..6).fold(number(0.4358665), |x, _| {
        let value = ((x - number(3.0)) * x + number(1.5)) * x - ratio(1, 6);
        let slope = (number(3.0) * x - number(6.0)) * x + number(1.5);
        x - value / slope
    })
}

/// Alexander (1977), "Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s", Theorem 5.
fn sdirk_of_order_3() -> Tableau {
    let gamma = gamma_of_order_3();
    let b_1 = -(number(6.0) * gamma * gamma - number(16.0) * gamma + number(1.0)) / number(4.0);
    let b_2 = (number(6.0) * gamma * gamma - number(20.0) * gamma + number(5.0)) / number(4.0);
    let below = (number(1.0) - gamma) / number(2.0);
    stiffly_accurate(Family::Sdirk, &[vec![gamma], vec![below, gamma], vec![b_1, b_2, gamma]])
}

/// Hairer and Wanner, Table IV.6.5, gamma = 1/4, with the embedded weights of order 3.
fn sdirk_of_order_4() -> Tableau {
    let gamma = ratio(1, 4);
    let rows = [
        vec![gamma],
        vec![ratio(1, 2), gamma],
        vec![ratio(17, 50), ratio(-1, 25), gamma],
        vec![ratio(371, 1360), ratio(-137, 2720), ratio(15, 544), gamma],
        vec![ratio(25, 24), ratio(-49, 48), ratio(125, 16), ratio(-85, 12), gamma],
    ];
    let embedded = vec![ratio(59, 48), ratio(-17, 96), ratio(225, 32), ratio(-85, 12), number(0.0)];
    stiffly_accurate(Family::Sdirk, &rows).with_embedded(embedded)
}

/// TR-BDF2 as a Runge-Kutta method with c_2 = 2 - sqrt(2) and embedded weights of order 3 (Hosea and Shampine 1996).
fn tr_bdf2() -> Tableau {
    let d = number(1.0) - number(0.5).sqrt();
    let w = number(2.0).sqrt() / number(4.0);
    let third = ratio(1, 3);
    let embedded = vec![third * (number(1.0) - w), third * (number(3.0) * w + number(1.0)), third * d];
    stiffly_accurate(Family::Esdirk, &[vec![number(0.0)], vec![d, d], vec![w, w, d]]).with_embedded(embedded)
}

/// Kvaerno (2004), orders 3(2): both results are stages at c = 1. C(2) fixes the rows, B(3) the weights.
fn esdirk_of_order_3() -> Tableau {
    let gamma = gamma_of_order_3();
    let (one, two) = (number(1.0), number(2.0));
    let a_32 = (one - two * gamma) / (number(4.0) * gamma);
    let row_3 = vec![one - a_32 - gamma, a_32, gamma];
    let b_2 = one / (number(12.0) * gamma * (one - two * gamma));
    let b_3 = ratio(1, 2) - gamma - two * gamma * b_2;
    let row_4 = vec![one - b_2 - b_3 - gamma, b_2, b_3, gamma];
    let mut embedded = row_3.clone();
    embedded.push(number(0.0));
    stiffly_accurate(Family::Esdirk, &[vec![number(0.0)], vec![gamma, gamma], row_3, row_4])
        .with_embedded(embedded)
}

/// Kennedy and Carpenter (2003), the implicit part of ARK4(3)6L[2]SA: gamma = 1/4, orders 4(3), stage order 2.
fn esdirk_of_order_4() -> Tableau {
    let gamma = ratio(1, 4);
    let mut rows = vec![
        vec![number(0.0)],
        vec![gamma, gamma],
        vec![ratio(8611, 62500), ratio(-1743, 31250), gamma],
        vec![ratio(5012029, 34652500), ratio(-654441, 2922500), ratio(174375, 388108), gamma],
        vec![
            ratio(15267082809, 155376265600),
            ratio(-71443401, 120774400),
            ratio(730878875, 902184768),
            ratio(2285395, 8070912),
            gamma,
        ],
    ];
    rows.push(vec![
        ratio(82889, 524892),
        number(0.0),
        ratio(15625, 83664),
        ratio(69875, 102672),
        ratio(-2260, 8211),
        gamma,
    ]);
    let embedded = vec![
        ratio(4586570599, 29645900160),
        number(0.0),
        ratio(178811875, 945068544),
        ratio(814220225, 1159782912),
        ratio(-3700637, 11593932),
        ratio(61727, 225920),
    ];
    stiffly_accurate(Family::Esdirk, &rows).with_embedded(embedded)
}
