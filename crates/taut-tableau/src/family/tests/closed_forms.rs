//! Coefficients with few stages against the closed forms of the literature, to the last bit.

use crate::number::DoubleDouble;
use crate::{Family, Tableau};

/// (numerator + factor * sqrt(radicand)) / denominator
struct Surd(i64, i64, i64, i64);

impl Surd {
    fn value(&self) -> f64 {
        let Self(numerator, factor, radicand, denominator) = *self;
        let number = |x: i64| DoubleDouble::from(x as f64);
        ((number(numerator) + number(factor) * number(radicand).sqrt()) / number(denominator)).to_f64()
    }
}

fn member(family: Family, stages: usize) -> Tableau {
    family.tableau(stages).unwrap()
}

fn assert_rational(family: Family, rows: &[&[(i32, i32)]], weights: &[(i32, i32)], nodes: &[(i32, i32)]) {
    let tableau = member(family, rows.len());
    let value = |&(numerator, denominator): &(i32, i32)| f64::from(numerator) / f64::from(denominator);
    for (i, row) in rows.iter().enumerate() {
        let expected: Vec<f64> = row.iter().map(value).collect();
        assert_eq!(tableau.a().row(i), expected, "{family}, row {i}");
    }
    assert_eq!(tableau.b(), weights.iter().map(value).collect::<Vec<_>>(), "{family}, b");
    assert_eq!(tableau.c(), nodes.iter().map(value).collect::<Vec<_>>(), "{family}, c");
}

fn assert_surds(family: Family, rows: &[&[Surd]], weights: &[Surd], nodes: &[Surd]) {
    let tableau = member(family, rows.len());
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(tableau.a().row(i), row.iter().map(Surd::value).collect::<Vec<_>>(), "{family}, row {i}");
    }
    assert_eq!(tableau.b(), weights.iter().map(Surd::value).collect::<Vec<_>>(), "{family}, b");
    assert_eq!(tableau.c(), nodes.iter().map(Surd::value).collect::<Vec<_>>(), "{family}, c");
}

const ENDS: &[(i32, i32)] = &[(0, 1), (1, 1)];
const HALVES: &[(i32, i32)] = &[(1, 2), (1, 2)];

#[test]
fn table_1_of_jay() {
    assert_rational(Family::LobattoIiia, &[&[(0, 1), (0, 1)], HALVES], HALVES, ENDS);
    assert_rational(Family::LobattoIiib, &[&[(1, 2), (0, 1)], &[(1, 2), (0, 1)]], HALVES, ENDS);
    assert_rational(Family::LobattoIiic, &[&[(1, 2), (-1, 2)], HALVES], HALVES, ENDS);
    assert_rational(Family::LobattoIiicStar, &[&[(0, 1), (0, 1)], &[(1, 1), (0, 1)]], HALVES, ENDS);
}

const THIRDS: &[(i32, i32)] = &[(0, 1), (1, 2), (1, 1)];
const SIMPSON: &[(i32, i32)] = &[(1, 6), (2, 3), (1, 6)];

#[test]
fn table_2_of_jay() {
    let zero = &[(0, 1), (0, 1), (0, 1)];
    assert_rational(Family::LobattoIiia, &[zero, &[(5, 24), (1, 3), (-1, 24)], SIMPSON], SIMPSON, THIRDS);
    let rows: &[&[(i32, i32)]] =
        &[&[(1, 6), (-1, 6), (0, 1)], &[(1, 6), (1, 3), (0, 1)], &[(1, 6), (5, 6), (0, 1)]];
    assert_rational(Family::LobattoIiib, rows, SIMPSON, THIRDS);
    let rows: &[&[(i32, i32)]] = &[&[(1, 6), (-1, 3), (1, 6)], &[(1, 6), (5, 12), (-1, 12)], SIMPSON];
    assert_rational(Family::LobattoIiic, rows, SIMPSON, THIRDS);
    let rows: &[&[(i32, i32)]] = &[zero, &[(1, 4), (1, 4), (0, 1)], &[(0, 1), (1, 1), (0, 1)]];
    assert_rational(Family::LobattoIiicStar, rows, SIMPSON, THIRDS);
}

#[test]
fn table_3_of_jay_with_its_missing_row() {
    assert_rational(Family::LobattoIiid, &[&[(1, 4), (-1, 4)], &[(3, 4), (1, 4)]], HALVES, ENDS);
    let rows: &[&[(i32, i32)]] =
        &[&[(1, 12), (-1, 6), (1, 12)], &[(5, 24), (1, 3), (-1, 24)], &[(1, 12), (5, 6), (1, 12)]];
    assert_rational(Family::LobattoIiid, rows, SIMPSON, THIRDS);
}

#[test]
fn methods_of_one_stage() {
    assert_rational(Family::Gauss, &[&[(1, 2)]], &[(1, 1)], &[(1, 2)]);
    assert_rational(Family::RadauIia, &[&[(1, 1)]], &[(1, 1)], &[(1, 1)]);
    assert_rational(Family::RadauIa, &[&[(1, 1)]], &[(1, 1)], &[(0, 1)]);
}

#[test]
fn radau_of_two_stages() {
    let rows: &[&[(i32, i32)]] = &[&[(5, 12), (-1, 12)], &[(3, 4), (1, 4)]];
    assert_rational(Family::RadauIia, rows, &[(3, 4), (1, 4)], &[(1, 3), (1, 1)]);
    let rows: &[&[(i32, i32)]] = &[&[(1, 4), (-1, 4)], &[(1, 4), (5, 12)]];
    assert_rational(Family::RadauIa, rows, &[(1, 4), (3, 4)], &[(0, 1), (2, 3)]);
}

#[test]
fn radau_iia_of_three_stages() {
    assert_surds(
        Family::RadauIia,
        &[
            &[Surd(88, -7, 6, 360), Surd(296, -169, 6, 1800), Surd(-2, 3, 6, 225)],
            &[Surd(296, 169, 6, 1800), Surd(88, 7, 6, 360), Surd(-2, -3, 6, 225)],
            &[Surd(16, -1, 6, 36), Surd(16, 1, 6, 36), Surd(1, 0, 1, 9)],
        ],
        &[Surd(16, -1, 6, 36), Surd(16, 1, 6, 36), Surd(1, 0, 1, 9)],
        &[Surd(4, -1, 6, 10), Surd(4, 1, 6, 10), Surd(1, 0, 1, 1)],
    );
}

#[test]
fn radau_ia_of_three_stages() {
    assert_surds(
        Family::RadauIa,
        &[
            &[Surd(1, 0, 1, 9), Surd(-1, -1, 6, 18), Surd(-1, 1, 6, 18)],
            &[Surd(1, 0, 1, 9), Surd(88, 7, 6, 360), Surd(88, -43, 6, 360)],
            &[Surd(1, 0, 1, 9), Surd(88, 43, 6, 360), Surd(88, -7, 6, 360)],
        ],
        &[Surd(1, 0, 1, 9), Surd(16, 1, 6, 36), Surd(16, -1, 6, 36)],
        &[Surd(0, 0, 1, 1), Surd(6, -1, 6, 10), Surd(6, 1, 6, 10)],
    );
}

#[test]
fn gauss_of_two_and_three_stages() {
    assert_surds(
        Family::Gauss,
        &[&[Surd(1, 0, 1, 4), Surd(3, -2, 3, 12)], &[Surd(3, 2, 3, 12), Surd(1, 0, 1, 4)]],
        &[Surd(1, 0, 1, 2), Surd(1, 0, 1, 2)],
        &[Surd(3, -1, 3, 6), Surd(3, 1, 3, 6)],
    );
    assert_surds(
        Family::Gauss,
        &[
            &[Surd(5, 0, 1, 36), Surd(10, -3, 15, 45), Surd(25, -6, 15, 180)],
            &[Surd(10, 3, 15, 72), Surd(2, 0, 1, 9), Surd(10, -3, 15, 72)],
            &[Surd(25, 6, 15, 180), Surd(10, 3, 15, 45), Surd(5, 0, 1, 36)],
        ],
        &[Surd(5, 0, 1, 18), Surd(4, 0, 1, 9), Surd(5, 0, 1, 18)],
        &[Surd(5, -1, 15, 10), Surd(1, 0, 1, 2), Surd(5, 1, 15, 10)],
    );
}

#[test]
fn lobatto_of_four_stages() {
    let tableau = member(Family::LobattoIiia, 4);
    assert_eq!(tableau.c(), [0.0, Surd(5, -1, 5, 10).value(), Surd(5, 1, 5, 10).value(), 1.0]);
    assert_eq!(tableau.b(), [1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0]);
    let row = [Surd(11, 1, 5, 120), Surd(25, -1, 5, 120), Surd(25, -13, 5, 120), Surd(-1, 1, 5, 120)];
    assert_eq!(tableau.a().row(1), row.map(|entry| entry.value()));
}
