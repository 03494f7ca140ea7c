//! Polynomials in double-double numbers.

use taut_formula::number::{DoubleDouble, Scalar};

/// The coefficients of one position.
pub(super) type Row = Vec<DoubleDouble>;

/// So many of the last coefficients say how far a series reaches.
const LOOKED_AT: usize = 4;

pub(super) fn evaluate(row: &[DoubleDouble], h: DoubleDouble) -> DoubleDouble {
    row.iter().rev().fold(DoubleDouble::default(), |sum, x| sum * h + *x)
}

/// The first or second derivative.
pub(super) fn slope(row: &[DoubleDouble], h: DoubleDouble, derivatives: usize) -> DoubleDouble {
    let factor = |k: usize| if derivatives == 1 { k as f64 } else { (k * (k - 1)) as f64 };
    let terms = row.iter().enumerate().skip(derivatives).rev();
    terms.fold(DoubleDouble::default(), |sum, (k, x)| sum * h + *x * factor(k))
}

/// How long a step may be for the last terms to be as small as wanted, in the scale 1 + |x|.
pub(super) fn reach(rows: &[Row], derivatives: usize, wanted: f64) -> f64 {
    let order = rows.first().map_or(1, |row| row.len() - 1);
    let mut reach = f64::INFINITY;
    for k in order + 1 - LOOKED_AT..=order {
        for level in 0..derivatives {
            let term = |row: &Row| {
                let (term, size) = if level == 0 { (row[k], row[0]) } else { (row[k] * k as f64, row[1]) };
                term.value().abs() / (1.0 + size.value().abs())
            };
            let size = rows.iter().map(term).fold(0.0, f64::max);
            if size > 0.0 {
                let (k, order) = ((k - level) as f64, (order - level) as f64);
                reach = reach.min(size.powf(-1.0 / k) * wanted.powf(1.0 / order));
            }
        }
    }
    reach
}
