use super::Pattern;
use crate::linear::testing::deterministic;
use proptest::prelude::*;

/// A pattern with values and the same matrix in full, column-major.
fn block() -> impl Strategy<Value = (Pattern, Vec<f64>, Vec<f64>)> {
    (1..9_usize, 1..9_usize)
        .prop_flat_map(|(rows, cols)| {
            let kept = proptest::collection::vec(prop_oneof![Just(true), any::<bool>()], rows * cols);
            let values = proptest::collection::vec(-10.0..10.0, rows * cols);
            (Just(rows), Just(cols), kept, values)
        })
        .prop_map(|(rows, cols, kept, mut full)| {
            for (value, kept) in full.iter_mut().zip(&kept) {
                *value = if *kept { *value } else { 0.0 };
            }
            let places = (0..rows * cols).rev().filter(|&p| kept[p]).map(|p| (p % rows, p / rows));
            let pattern = Pattern::from_entries(rows, cols, places);
            let values = pattern.entries().map(|(i, j)| full[i + j * rows]).collect();
            (pattern, values, full)
        })
}

fn vector(length: usize, seed: f64) -> Vec<f64> {
    (0..length).map(|i| (seed + 1.7 * i as f64).sin()).collect()
}

fn assert_close(a: &[f64], b: &[f64]) {
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-13 * (100.0 + b.abs()), "{a} and {b} differ");
    }
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn products_are_those_of_the_full_matrix(
        (pattern, values, full) in block(), alpha in -2.0..2.0_f64, seed in 0.0..6.0_f64,
    ) {
        let (rows, cols) = (pattern.rows(), pattern.cols());
        let (x, mut y) = (vector(cols, seed), vector(rows, seed + 1.0));
        let mut expected = y.clone();
        for p in 0..rows * cols {
            expected[p % rows] += alpha * full[p] * x[p / rows];
        }
        pattern.multiply_add(&values, &x, &mut y, alpha);
        assert_close(&y, &expected);

        let (x, mut y) = (vector(rows, seed), vector(cols, seed + 1.0));
        let mut expected = y.clone();
        for p in 0..rows * cols {
            expected[p / rows] += alpha * full[p] * x[p % rows];
        }
        pattern.transpose_multiply_add(&values, &x, &mut y, alpha);
        assert_close(&y, &expected);
    }

    #[test]
    fn transposing_carries_the_values_along((pattern, values, _) in block()) {
        let (transposed, permutation) = pattern.transpose();
        prop_assert_eq!((transposed.rows(), transposed.cols()), (pattern.cols(), pattern.rows()));
        for ((i, j), &k) in transposed.entries().zip(&permutation) {
            prop_assert_eq!(pattern.position(j, i), Some(k));
        }
        let x = vector(pattern.rows(), 0.3);
        let (mut y, mut expected) = (vec![0.0; pattern.cols()], vec![0.0; pattern.cols()]);
        let carried: Vec<f64> = permutation.iter().map(|&k| values[k]).collect();
        transposed.multiply_add(&carried, &x, &mut y, 1.0);
        pattern.transpose_multiply_add(&values, &x, &mut expected, 1.0);
        assert_close(&y, &expected);
        let (back, _) = transposed.transpose();
        prop_assert_eq!(back, pattern);
    }

    #[test]
    fn a_union_has_the_entries_of_both((a, _, _) in block(), (b, _, _) in block()) {
        let union = a.union(&b);
        for (i, j) in a.entries().chain(b.entries()) {
            prop_assert!(union.position(i, j).is_some());
        }
        for (i, j) in union.entries() {
            prop_assert!(a.position(i, j).is_some() || b.position(i, j).is_some());
        }
        prop_assert_eq!(b.union(&a), union);
    }
}

#[test]
fn entries_are_sorted_counted_once_and_inside() {
    let pattern = Pattern::from_entries(2, 3, [(1, 2), (0, 0), (1, 2), (0, 2), (2, 0), (0, 3)]);
    assert_eq!(pattern.entries().collect::<Vec<_>>(), [(0, 0), (0, 2), (1, 2)]);
    assert_eq!(pattern.column_starts(), [0, 1, 1, 3]);
    assert_eq!(pattern.position(1, 2), Some(2));
    assert_eq!(pattern.position(1, 0), None);
    assert_eq!(pattern.position(0, 7), None);
}

#[test]
fn the_simple_patterns_are_what_their_names_say() {
    let dense = Pattern::dense(2, 3);
    assert!(dense.is_dense());
    assert_eq!(dense.nnz(), 6);
    assert_eq!(dense, Pattern::from_entries(2, 3, (0..6).map(|p| (p / 3, p % 3))));
    assert_eq!(Pattern::diagonal(3), Pattern::from_entries(3, 3, (0..3).map(|i| (i, i))));
    assert!(!Pattern::diagonal(3).is_dense());
    assert_eq!(Pattern::empty(2, 3), Pattern::from_entries(2, 3, []));
    assert_eq!(Pattern::empty(2, 3).nnz(), 0);
}

#[test]
fn blocks_without_rows_or_columns_multiply() {
    let mut y = [1.0, 2.0];
    Pattern::dense(2, 0).multiply_add(&[], &[], &mut y, 1.0);
    Pattern::dense(0, 2).transpose_multiply_add(&[], &[], &mut y, 1.0);
    assert_eq!(y, [1.0, 2.0]);
}

/// Column j has j mod 7 entries for a while each: lengths that have loops of their own, and others.
#[test]
fn columns_of_every_length_multiply() {
    let (rows, cols) = (9, 60);
    let length = |j: usize| (j / 3) % 7;
    let entries = (0..cols).flat_map(|j| (0..length(j)).map(move |k| ((j + 2 * k) % rows, j)));
    let pattern = Pattern::from_entries(rows, cols, entries);
    assert!(pattern.nnz() >= super::FEW && !pattern.is_dense());
    let values = vector(pattern.nnz(), 0.2);
    let (x, mut y) = (vector(cols, 0.5), vector(rows, 0.7));
    let mut expected = y.clone();
    for ((i, j), a) in pattern.entries().zip(&values) {
        expected[i] += 0.3 * a * x[j];
    }
    pattern.multiply_add(&values, &x, &mut y, 0.3);
    assert_close(&y, &expected);
    let (x, mut y) = (vector(rows, 0.5), vector(cols, 0.7));
    let mut expected = y.clone();
    for ((i, j), a) in pattern.entries().zip(&values) {
        expected[j] += 0.3 * a * x[i];
    }
    pattern.transpose_multiply_add(&values, &x, &mut y, 0.3);
    assert_close(&y, &expected);
}

/// G of a chain of points: each is in the constraint before it and in that behind it, the last in one alone.
#[test]
fn stairs_multiply_like_columns_to_the_last_bit() {
    for width in 1..=4 {
        let rows = 61;
        let entries = (0..rows)
            .flat_map(|i| (0..width).flat_map(move |k| [(i, width * i + k), (i + 1, width * i + k)]));
        let pattern = Pattern::from_entries(rows, width * rows, entries);
        let runs: Vec<bool> = pattern.runs().iter().map(|run| run.stairs.is_some()).collect();
        assert_eq!(runs, [width < 4, false]);
        assert!(pattern.nnz() >= super::FEW);
        let (values, alpha) = (vector(pattern.nnz(), 0.2), -0.3);
        let (x, mut y) = (vector(width * rows, 0.5), vector(rows, 0.7));
        let mut expected = y.clone();
        for ((i, j), a) in pattern.entries().zip(&values) {
            expected[i] += a * (alpha * x[j]);
        }
        pattern.multiply_add(&values, &x, &mut y, alpha);
        assert_eq!(y, expected);
        let (x, mut y) = (vector(rows, 0.5), vector(width * rows, 0.7));
        let mut expected = y.clone();
        for (j, expected) in expected.iter_mut().enumerate() {
            let start = pattern.column_starts()[j];
            let column = pattern.column(j).iter().zip(&values[start..]);
            *expected += alpha * column.fold(0.0, |sum, (&i, a)| sum + a * x[i]);
        }
        pattern.transpose_multiply_add(&values, &x, &mut y, alpha);
        assert_eq!(y, expected);
    }
}
