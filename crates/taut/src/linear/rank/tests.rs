use super::ConstraintRank;
use crate::linear::Pattern;
use crate::linear::testing::deterministic;
use proptest::prelude::*;

/// The rows of G as gradients, and the rank found.
fn rank_of(rows: &[Vec<f64>], n: usize) -> ConstraintRank {
    let m = rows.len();
    let values: Vec<f64> = (0..n * m).map(|p| rows[p % m][p / m]).collect();
    ConstraintRank::new(&Pattern::dense(m, n), &values, ConstraintRank::TOLERANCE)
}

/// Independent rows (a dominant diagonal), then combinations of them, all scaled by powers of ten.
fn redundant() -> impl Strategy<Value = (usize, usize, Vec<Vec<f64>>)> {
    (1..6_usize, 0..4_usize, 0..4_usize).prop_flat_map(|(rank, extra, wider)| {
        let n = rank + wider;
        let entry = -1.0..1.0_f64;
        (
            Just(rank),
            proptest::collection::vec(proptest::collection::vec(entry.clone(), n), rank),
            proptest::collection::vec(proptest::collection::vec(entry, rank), extra),
            proptest::collection::vec(-5..6_i32, rank + extra),
        )
            .prop_map(move |(rank, mut rows, combinations, exponents)| {
                for (i, row) in rows.iter_mut().enumerate() {
                    row[i] += 2.0 * rank as f64;
                }
                for combination in combinations {
                    let row = (0..n).map(|j| (0..rank).map(|i| combination[i] * rows[i][j]).sum()).collect();
                    rows.push(row);
                }
                for (row, exponent) in rows.iter_mut().zip(exponents) {
                    row.iter_mut().for_each(|entry| *entry *= 10.0_f64.powi(exponent));
                }
                (n, rank, rows)
            })
    })
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn constructed_redundancy_is_found_and_explained((n, rank, rows) in redundant()) {
        let found = rank_of(&rows, n);
        prop_assert_eq!(found.rank(), rank);
        let mut all = [found.independent(), found.dependent()].concat();
        all.sort_unstable();
        prop_assert_eq!(all, (0..rows.len()).collect::<Vec<_>>());
        let only_independent: Vec<Vec<f64>> = found.independent().iter().map(|&i| rows[i].clone()).collect();
        prop_assert_eq!(rank_of(&only_independent, n).rank(), rank);
        for &d in found.dependent() {
            let size = rows[d].iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
            for j in 0..n {
                let sum: f64 = found.combination(d).iter().map(|&(i, factor)| factor * rows[i][j]).sum();
                prop_assert!((sum - rows[d][j]).abs() <= 1e-9 * size);
            }
        }
        for &i in found.independent() {
            prop_assert!(found.combination(i).is_empty());
        }
    }
}

#[test]
fn of_equal_constraints_the_later_is_redundant() {
    let rod = vec![0.6, 0.8, 0.0];
    let found = rank_of(&[rod.clone(), vec![0.0, 0.0, 1.0], rod.iter().map(|x| -5.0 * x).collect()], 3);
    assert_eq!(found.independent(), [0, 1]);
    assert_eq!(found.dependent(), [2]);
    let combination = found.combination(2);
    assert_eq!(combination.len(), 1);
    assert_eq!(combination[0].0, 0);
    assert!((combination[0].1 + 5.0).abs() < 1e-14);
}

#[test]
fn a_constraint_without_gradient_is_redundant_and_follows_from_nothing() {
    let found = rank_of(&[vec![0.0, 0.0], vec![1.0, 1.0]], 2);
    assert_eq!(found.independent(), [1]);
    assert_eq!(found.dependent(), [0]);
    assert!(found.combination(0).is_empty());
}

#[test]
fn a_small_angle_is_seen_above_the_tolerance_only() {
    for (angle, rank) in [(1e-8, 2), (1e-12, 1)] {
        assert_eq!(rank_of(&[vec![1.0, 0.0], vec![1.0, angle]], 2).rank(), rank);
    }
}

#[test]
fn more_constraints_than_coordinates_are_redundant() {
    let found = rank_of(&[vec![1.0], vec![2.0], vec![3.0]], 1);
    assert_eq!((found.rank(), found.dependent()), (1, &[1, 2][..]));
    assert_eq!(ConstraintRank::new(&Pattern::empty(2, 0), &[], 1e-10).dependent(), [0, 1]);
    assert_eq!(ConstraintRank::new(&Pattern::empty(0, 2), &[], 1e-10).rank(), 0);
}

/// A chain of springs between neighbours, closed to a ring and with two more that follow: too large for a dense matrix.
#[test]
fn many_sparse_constraints_are_told_apart_quickly() {
    const N: usize = 20_000;
    let mut entries: Vec<((usize, usize), f64)> = Vec::new();
    for i in 0..N - 1 {
        entries.extend([((i, i), 2.0), ((i, i + 1), -2.0)]);
    }
    // The differences of neighbours add up to that of the ends.
    entries.extend([((N - 1, 0), -1.0), ((N - 1, N - 1), 1.0)]);
    // This one is new, and this one twice another.
    entries.push(((N, 7), 1.0));
    entries.extend([((N + 1, 3), 4.0), ((N + 1, 4), -4.0)]);
    let pattern = Pattern::from_entries(N + 2, N, entries.iter().map(|(place, _)| *place));
    let known: std::collections::HashMap<(usize, usize), f64> = entries.into_iter().collect();
    let values: Vec<f64> = pattern.entries().map(|place| known[&place]).collect();
    let rank = ConstraintRank::new(&pattern, &values, ConstraintRank::TOLERANCE);
    assert_eq!((rank.rank(), rank.dependent()), (N, &[N - 1, N + 1][..]));
    assert_eq!(rank.combination(N + 1), [(3, 2.0)]);
    let ring = rank.combination(N - 1);
    assert_eq!(ring.len(), N - 1);
    assert!(ring.iter().all(|(_, factor)| (factor + 0.5).abs() < 1e-12));
}

#[test]
fn a_combination_has_its_factors() {
    // Row 2 is row 0 minus twice row 1.
    let g = [1.0, 0.0, 1.0, 1.0, 1.0, -1.0, 0.0, 3.0, -6.0];
    let rank = ConstraintRank::new(&Pattern::dense(3, 3), &g, ConstraintRank::TOLERANCE);
    assert_eq!(rank.independent(), [0, 1]);
    assert_eq!(rank.dependent(), [2]);
    let combination = rank.combination(2);
    assert!((combination[0].1 - 1.0).abs() < 1e-14 && (combination[1].1 + 2.0).abs() < 1e-14);
}
