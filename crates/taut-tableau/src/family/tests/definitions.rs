//! The same coefficients by another way: nodes as zeros of derivatives of x^a (x-1)^b by bisection, weights and
//! matrices from the simplifying assumptions that define them (Jay 1998, section 8; Hairer and Wanner, IV.5).

use crate::Family;
use crate::number::{DoubleDouble, Factored, Matrix, Polynomial, Scalar, from_roots};

/// d^n/dx^n of x^a (x - 1)^b; all coefficients are integers, and exact.
fn rodrigues(a: usize, b: usize, n: usize) -> Polynomial {
    let roots: Vec<DoubleDouble> =
        std::iter::repeat_n(DoubleDouble::ZERO, a).chain(std::iter::repeat_n(DoubleDouble::ONE, b)).collect();
    (0..n).fold(from_roots(&roots), |polynomial, _| polynomial.derivative())
}

fn node_polynomial(family: Family, s: usize) -> Polynomial {
    match family {
        Family::Gauss => rodrigues(s, s, s),
        Family::RadauIa => rodrigues(s, s - 1, s - 1),
        Family::RadauIia => rodrigues(s - 1, s, s - 1),
        _ => rodrigues(s - 1, s - 1, s - 2),
    }
}

/// The zero within 1e-6 of a rounded one.
fn bisected(polynomial: &Polynomial, near: f64) -> DoubleDouble {
    if near == 0.0 || near == 1.0 {
        assert!(polynomial.value(DoubleDouble::from(near)).magnitude() == 0.0);
        return DoubleDouble::from(near);
    }
    let (mut left, mut right) = (DoubleDouble::from(near - 1e-6), DoubleDouble::from(near + 1e-6));
    let sign = |x: DoubleDouble| polynomial.value(x).to_f64() > 0.0;
    let left_sign = sign(left);
    assert_ne!(left_sign, sign(right), "no zero near {near}");
    for _ in 0..100 {
        let middle = DoubleDouble::from(0.5) * (left + right);
        *(if sign(middle) == left_sign { &mut left } else { &mut right }) = middle;
    }
    left
}

/// The vectors x with sum_j x_j c_j^(k-1) = right(k), k = 1..s.
fn from_moments(c: &[DoubleDouble], right: impl Fn(usize) -> DoubleDouble) -> Vec<DoubleDouble> {
    let vandermonde = Matrix::from_fn(c.len(), c.len(), |k, j| c[j].powi(k as i32));
    let right: Vec<DoubleDouble> = (1..=c.len()).map(right).collect();
    Factored::new(&vandermonde).unwrap().solve(&right)
}

/// C(s): every row from its moments.
fn by_c(c: &[DoubleDouble]) -> Matrix<DoubleDouble> {
    let s = c.len();
    let rows: Vec<_> =
        c.iter().map(|node| from_moments(c, |k| node.powi(k as i32) / DoubleDouble::from(k))).collect();
    Matrix::from_fn(s, s, |i, j| rows[i][j])
}

/// D(s): b_i a_ij, column by column, from its moments.
fn by_d(b: &[DoubleDouble], c: &[DoubleDouble]) -> Matrix<DoubleDouble> {
    let s = c.len();
    let column = |j: usize| {
        from_moments(c, |k| b[j] * (DoubleDouble::ONE - c[j].powi(k as i32)) / DoubleDouble::from(k))
    };
    let columns: Vec<_> = (0..s).map(column).collect();
    Matrix::from_fn(s, s, |i, j| columns[j][i] / b[i])
}

/// C(s-1) with one column given.
fn by_c_and_column(c: &[DoubleDouble], column: usize, entry: DoubleDouble) -> Matrix<DoubleDouble> {
    let s = c.len();
    let others: Vec<DoubleDouble> = (0..s).filter(|&j| j != column).map(|j| c[j]).collect();
    let row = |i: usize| {
        let mut row = from_moments(&others, |k| {
            c[i].powi(k as i32) / DoubleDouble::from(k) - entry * c[column].powi(k as i32 - 1)
        });
        row.insert(column, entry);
        row
    };
    let rows: Vec<_> = (0..s).map(row).collect();
    Matrix::from_fn(s, s, |i, j| rows[i][j])
}

fn matrix(family: Family, b: &[DoubleDouble], c: &[DoubleDouble]) -> Matrix<DoubleDouble> {
    let last = c.len() - 1;
    match family {
        Family::Gauss | Family::RadauIia | Family::LobattoIiia => by_c(c),
        Family::RadauIa | Family::LobattoIiib => by_d(b, c),
        Family::LobattoIiic => by_c_and_column(c, 0, b[0]),
        Family::LobattoIiicStar => by_c_and_column(c, last, DoubleDouble::ZERO),
        _ => {
            let sum = by_c_and_column(c, 0, b[0])
                .plus(DoubleDouble::ONE, &by_c_and_column(c, last, DoubleDouble::ZERO));
            sum.map(|entry| DoubleDouble::from(0.5) * entry)
        }
    }
}

/// The distance in units of the last place; entries that vanish must be exactly zero.
fn ulps(rounded: f64, exact: DoubleDouble) -> f64 {
    if exact.magnitude() < 1e-18 {
        return if rounded == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let unit = rounded.abs().next_up() - rounded.abs();
    ((DoubleDouble::from(rounded) - exact).to_f64() / unit).abs()
}

#[test]
fn both_ways_give_correctly_rounded_coefficients() {
    let families = Family::ALL.into_iter().filter(|family| family.legendre_type().is_some());
    for family in families {
        for stages in family.least_stages()..=12 {
            let tableau = family.tableau(stages).unwrap();
            let polynomial = node_polynomial(family, stages);
            let c: Vec<DoubleDouble> = tableau.c().iter().map(|&node| bisected(&polynomial, node)).collect();
            let b = from_moments(&c, |k| DoubleDouble::ratio(1, k as i64));
            let a = matrix(family, &b, &c);
            let worst = |rounded: &[f64], exact: &[DoubleDouble]| {
                rounded.iter().zip(exact).map(|(&x, &y)| ulps(x, y)).fold(0.0, f64::max)
            };
            let all =
                [worst(tableau.c(), &c), worst(tableau.b(), &b), worst(tableau.a().as_slice(), a.as_slice())];
            // Half a unit is what rounding to nearest leaves; a trifle more is the error of this second way.
            assert!(
                all.iter().all(|&distance| distance <= 0.500_001),
                "{family} with {stages} stages: {all:?}"
            );
        }
    }
}

#[test]
fn both_ways_agree_to_20_digits() {
    for (family, stages) in [(Family::Gauss, 12), (Family::RadauIia, 12), (Family::LobattoIiib, 12)] {
        let exact = family.tableau(stages).unwrap().exact().clone();
        let polynomial = node_polynomial(family, stages);
        for node in &exact.c {
            assert!((*node - bisected(&polynomial, node.to_f64())).magnitude() < 1e-22);
        }
        let b = from_moments(&exact.c, |k| DoubleDouble::ratio(1, k as i64));
        let difference = matrix(family, &b, &exact.c).plus(DoubleDouble::from(-1.0), &exact.a).largest();
        assert!(difference < 1e-20, "{family}: {difference}");
    }
}
