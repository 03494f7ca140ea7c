use super::SparseLu;
use crate::linear::testing::deterministic;
use crate::linear::{Complex, DenseLu, Number, Pattern, Singular};
use proptest::prelude::*;

/// A saddle-like sparse matrix: a strong diagonal on the first part, zeros on the diagonal of the rest, each of
/// which has an entry of its own to pivot on.
fn saddle(largest: usize) -> impl Strategy<Value = (Pattern, Vec<f64>)> {
    (2..=largest)
        .prop_flat_map(|n| {
            let places = proptest::collection::vec((0..n, 0..n), 0..4 * n);
            let values = proptest::collection::vec(-1.0..1.0_f64, n * n);
            (Just(n), 0..=n / 2, places, values)
        })
        .prop_map(|(n, constraints, places, values)| {
            let coordinates = n - constraints;
            let in_corner = |&(i, j): &(usize, usize)| i >= coordinates && j >= coordinates;
            let symmetric = places.iter().flat_map(|&(i, j)| [(i, j), (j, i)]).filter(|e| !in_corner(e));
            let masses = (0..coordinates).map(|i| (i, i));
            let rods = (0..constraints).flat_map(|k| [(coordinates + k, k), (k, coordinates + k)]);
            let corner = (coordinates..n).map(|i| (i, i));
            let pattern = Pattern::from_entries(n, n, symmetric.chain(masses).chain(rods).chain(corner));
            let values = pattern
                .entries()
                .map(|(i, j)| match (i, j) {
                    (i, j) if i == j && i >= coordinates => 0.0,
                    (i, j) if i == j => 12.0 + values[i * n + j],
                    (i, j) if i >= coordinates && j == i - coordinates => 8.0,
                    (i, j) if j >= coordinates && i == j - coordinates => 8.0,
                    _ => values[i * n + j],
                })
                .collect();
            (pattern, values)
        })
}

fn vector(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.0 + 1.3 * i as f64).sin()).collect()
}

fn factored<T: Number>(pattern: &Pattern, values: &[T]) -> SparseLu<T> {
    let mut lu = SparseLu::new(pattern.clone());
    lu.values_mut().copy_from_slice(values);
    lu.factor().unwrap();
    lu
}

fn solve_dense(pattern: &Pattern, values: &[f64], b: &[f64]) -> Vec<f64> {
    let n = pattern.cols();
    let mut lu = DenseLu::new(n);
    let stride = lu.stride();
    for ((i, j), &value) in pattern.entries().zip(values) {
        lu.matrix_mut()[i + j * stride] = value;
    }
    lu.factor().unwrap();
    let mut x = b.to_vec();
    lu.solve(&mut x);
    x
}

/// Asserts b = A x up to rounding, row by row against |A| |x| + |b|.
fn assert_solves<T: Number>(pattern: &Pattern, values: &[T], x: &[T], b: &[T], tolerance: f64) {
    let mut residual = b.to_vec();
    let mut size: Vec<f64> = b.iter().map(|b| b.size()).collect();
    for ((i, j), &a) in pattern.entries().zip(values) {
        residual[i] -= a * x[j];
        size[i] += a.size() * x[j].size();
    }
    for (i, (residual, size)) in residual.iter().zip(size).enumerate() {
        assert!(residual.size() <= tolerance * size, "row {i}: {} of {size}", residual.size());
    }
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn sparse_and_dense_agree((pattern, values) in saddle(30)) {
        let b = vector(pattern.cols());
        let mut x = b.clone();
        factored(&pattern, &values).solve(&mut x);
        assert_solves(&pattern, &values, &x, &b, 1e-14);
        let expected = solve_dense(&pattern, &values, &b);
        for (x, expected) in x.iter().zip(&expected) {
            prop_assert!((x - expected).abs() <= 1e-10 * (1.0 + expected.abs()), "{} {}", x, expected);
        }
    }

    #[test]
    fn scaled_rows_and_columns_are_solved_row_by_row((pattern, mut values) in saddle(20), seed in 0..1000_usize) {
        let scale = |k: usize| 10.0_f64.powi(((k * 7 + seed) % 9) as i32 - 4);
        for ((i, j), value) in pattern.entries().zip(&mut values) {
            *value *= scale(i) * scale(j + 3);
        }
        let b: Vec<f64> = vector(pattern.cols()).iter().enumerate().map(|(i, b)| b * scale(i)).collect();
        let mut x = b.clone();
        factored(&pattern, &values).solve(&mut x);
        assert_solves(&pattern, &values, &x, &b, 1e-12);
    }

    #[test]
    fn complex_systems_are_solved((pattern, values) in saddle(20), turn in 0.0..3.0_f64) {
        let values: Vec<Complex> = values.iter().map(|&v| Complex::new(v * turn.cos(), v * turn.sin())).collect();
        let b: Vec<Complex> = vector(pattern.cols()).iter().map(|&b| Complex::new(b, 1.0 - b)).collect();
        let lu = factored(&pattern, &values);
        let mut x = b.clone();
        lu.solve(&mut x);
        assert_solves(&pattern, &values, &x, &b, 1e-14);
        let mut re: Vec<f64> = b.iter().map(|b| b.re).collect();
        let mut im: Vec<f64> = b.iter().map(|b| b.im).collect();
        lu.solve_parts_once(&mut re, &mut im);
        let joined: Vec<Complex> = re.iter().zip(&im).map(|(&re, &im)| Complex::new(re, im)).collect();
        x.clone_from(&b);
        lu.solve_once(&mut x);
        prop_assert_eq!(joined, x);
    }

    #[test]
    fn a_refactorisation_solves_like_a_fresh_one((pattern, values) in saddle(30), change in 0.8..1.2_f64) {
        let changed: Vec<f64> =
            values.iter().enumerate().map(|(k, v)| v * (1.0 + 0.1 * (change * k as f64).sin())).collect();
        let mut kept = factored(&pattern, &values);
        let fill = kept.fill();
        kept.values_mut().copy_from_slice(&changed);
        kept.factor().unwrap();
        prop_assert_eq!(kept.fill(), fill);
        let b = vector(pattern.cols());
        let (mut x, mut expected) = (b.clone(), b.clone());
        kept.solve(&mut x);
        factored(&pattern, &changed).solve(&mut expected);
        assert_solves(&pattern, &changed, &x, &b, 1e-14);
        for (x, expected) in x.iter().zip(&expected) {
            prop_assert!((x - expected).abs() <= 1e-11 * (1.0 + expected.abs()));
        }
        // The same values again give the same factors to the last bit.
        kept.values_mut().copy_from_slice(&values);
        kept.factor().unwrap();
        let (mut x, mut expected) = (b.clone(), b);
        kept.solve(&mut x);
        factored(&pattern, &values).solve(&mut expected);
        prop_assert_eq!(x, expected);
    }
}

#[test]
fn pivots_that_have_become_bad_are_chosen_anew() {
    let pattern = Pattern::dense(2, 2);
    let mut lu = factored(&pattern, &[1.0, 0.5, 0.5, 1.0]);
    for tiny in [1e-12, 1e-17, 0.0] {
        let values = [tiny, 1.0, 1.0, 0.0];
        lu.values_mut().copy_from_slice(&values);
        lu.factor().unwrap();
        let mut x = [2.0, 3.0];
        lu.solve(&mut x);
        assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-11, "{x:?}");
    }
}

#[test]
fn a_singular_matrix_names_its_column_and_can_be_followed_by_a_regular_one() {
    let pattern = Pattern::diagonal(3);
    let mut lu = SparseLu::<f64>::new(pattern);
    for useless in [0.0, f64::NAN, f64::INFINITY, 1e-310] {
        lu.values_mut().copy_from_slice(&[1.0, useless, 2.0]);
        assert_eq!(lu.factor(), Err(Singular { pivot: 1 }), "{useless}");
        assert_eq!(lu.fill(), 0);
        let mut x = [1.0, 2.0, 3.0];
        lu.solve(&mut x);
        assert_eq!(x, [1.0, 2.0, 3.0]);
        lu.values_mut().copy_from_slice(&[1.0, 4.0, 2.0]);
        lu.factor().unwrap();
        lu.solve(&mut x);
        assert_eq!(x, [1.0, 0.5, 1.5]);
    }
}

#[test]
fn a_structurally_singular_matrix_is_reported() {
    let pattern = Pattern::from_entries(3, 3, [(0, 0), (0, 1), (1, 2), (2, 2)]);
    let mut lu = SparseLu::<f64>::new(pattern);
    lu.values_mut().fill(1.0);
    assert!(lu.factor().is_err());
}

#[test]
fn a_matrix_that_is_not_square_is_singular() {
    for (rows, cols) in [(2, 3), (3, 2)] {
        let mut lu = SparseLu::<f64>::new(Pattern::dense(rows, cols));
        assert_eq!(lu.size(), 3);
        lu.values_mut().copy_from_slice(&[1.0, 2.0, 3.0, 5.0, 8.0, 13.5]);
        assert!(lu.factor().is_err());
    }
}

#[test]
fn a_system_without_unknowns_is_solved() {
    let mut lu = SparseLu::<f64>::new(Pattern::empty(0, 0));
    assert_eq!(lu.factor(), Ok(()));
    lu.solve(&mut []);
}

#[test]
fn a_copy_solves_like_the_original() {
    let lu = factored(&Pattern::diagonal(2), &[2.0, 4.0]);
    let mut x = [2.0, 2.0];
    lu.clone().solve(&mut x);
    assert_eq!(x, [1.0, 0.5]);
}
