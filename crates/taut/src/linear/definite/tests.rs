use super::DefiniteLdl;
use crate::linear::testing::{assert_close, deterministic, vector};
use crate::linear::{DenseLu, Pattern, ordering};
use proptest::prelude::*;

/// Writes a symmetric matrix, which is given column by column.
fn write(ldl: &mut DefiniteLdl, pattern: &Pattern, matrix: &[f64]) {
    let size = pattern.cols();
    let places: Vec<_> = pattern.entries().filter(|(i, j)| i > j).map(|(i, j)| ldl.place(i, j)).collect();
    let (diagonal, lower) = ldl.values_mut();
    lower.fill(0.0);
    for (k, diagonal) in diagonal.iter_mut().enumerate() {
        *diagonal = matrix[k + k * size];
    }
    for ((i, j), place) in pattern.entries().filter(|(i, j)| i > j).zip(places) {
        lower[place.unwrap()] = matrix[i + j * size];
    }
}

fn dense_solution(matrix: &[f64], b: &[f64]) -> Vec<f64> {
    let mut lu = DenseLu::new(b.len());
    let stride = lu.stride();
    for (column, values) in lu.matrix_mut().chunks_mut(stride).zip(matrix.chunks(b.len())) {
        column[..b.len()].copy_from_slice(values);
    }
    lu.factor().unwrap();
    let mut x = b.to_vec();
    lu.solve(&mut x);
    x
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn definite_matrices_are_solved_like_dense_ones(
        size in 1..20_usize,
        places in proptest::collection::vec((0..20_usize, 0..20_usize, -1.0..1.0_f64), 0..60),
    ) {
        let mut matrix = vec![0.0; size * size];
        for (i, j, value) in places.into_iter().filter(|(i, j, _)| i.max(j) < &size && i != j) {
            matrix[i + j * size] += value;
            matrix[j + i * size] += value;
        }
        for k in 0..size {
            let row: f64 = (0..size).filter(|&j| j != k).map(|j| matrix[k + j * size].abs()).sum();
            matrix[k + k * size] = row + 0.5;
        }
        let filled = (0..size * size).map(|k| (k % size, k / size)).filter(|(i, j)| matrix[i + j * size] != 0.0);
        let pattern = Pattern::from_entries(size, size, filled);
        let mut ldl = DefiniteLdl::new(&pattern, ordering::minimum_degree(&pattern).0);
        let b = vector(size);
        for _ in 0..2 {
            write(&mut ldl, &pattern, &matrix);
            prop_assert!(ldl.factor());
            let mut x = b.clone();
            ldl.solve(&mut x);
            assert_close(&x, &dense_solution(&matrix, &b));
        }
    }
}

#[test]
fn matrices_that_are_not_definite_are_refused() {
    let pattern = Pattern::dense(2, 2);
    for (corner, definite) in [(2.0, true), (1.0, false), (0.5, false)] {
        let mut ldl = DefiniteLdl::new(&pattern, vec![1, 0]);
        write(&mut ldl, &pattern, &[1.0, 1.0, 1.0, corner]);
        assert_eq!(ldl.factor(), definite, "{corner}");
    }
}

#[test]
fn columns_that_are_alike_are_solved_together_to_the_last_bit() {
    // Joints of three rows each between bodies with one row of their own, as of a chain in space.
    let (bodies, size) = (6, 24);
    let of_body = |k: usize| {
        let joints = (3 * k..3 * (k + 2).min(bodies)).map(move |row| bodies + row);
        std::iter::once(k).chain(joints).collect::<Vec<_>>()
    };
    let couplings = (0..bodies).flat_map(|k| {
        let rows = of_body(k);
        rows.clone().into_iter().flat_map(move |i| rows.clone().into_iter().map(move |j| (i, j)))
    });
    let pattern = Pattern::from_entries(size, size, couplings);
    let mut matrix = vec![0.0; size * size];
    for (i, j) in pattern.entries() {
        matrix[i + j * size] = if i == j { 9.0 } else { (i as f64 * j as f64).cos() };
    }
    let mut together = DefiniteLdl::new(&pattern, ordering::minimum_degree(&pattern).0);
    assert!(together.nodes.is_some());
    write(&mut together, &pattern, &matrix);
    assert!(together.factor());
    let one_by_one = DefiniteLdl { nodes: None, ..together.clone() };
    let (mut x, mut y) = (vector(size), vector(size));
    together.solve(&mut x);
    one_by_one.solve(&mut y);
    assert_close(&x, &dense_solution(&matrix, &vector(size)));
    assert_eq!(x, y);
}

/// Unknowns that are coupled in the order of these numbers, one after the other.
fn chain(numbers: &[usize]) -> Pattern {
    let size = numbers.len();
    let couplings = numbers.windows(2).flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])]);
    Pattern::from_entries(size, size, couplings.chain((0..size).map(|i| (i, i))))
}

#[test]
fn chains_are_eliminated_from_both_ends_without_fill() {
    let pattern = chain(&[3, 0, 5, 1, 6, 2, 4]);
    let order = ordering::from_both_ends(&pattern).unwrap();
    assert_eq!(order, [3, 4, 0, 2, 5, 6, 1]);
    let mut ldl = DefiniteLdl::new(&pattern, order);
    assert_eq!((ldl.rows.len(), ldl.targets.len(), ldl.is_chain), (6, 0, true));
    let mut matrix = vec![0.0; 49];
    for (i, j) in pattern.entries() {
        matrix[i + 7 * j] = if i == j { 2.5 } else { -1.0 - 0.1 * (i.min(j) as f64) };
    }
    write(&mut ldl, &pattern, &matrix);
    assert!(ldl.factor());
    let mut x: Vec<f64> = (0..7).map(|i| 1.0 + i as f64).collect();
    let expected = dense_solution(&matrix, &x);
    ldl.solve(&mut x);
    assert_close(&x, &expected);
}

#[test]
fn chains_are_eliminated_like_other_matrices_to_the_last_bit() {
    for size in 3..9 {
        let pattern = chain(&(0..size).collect::<Vec<_>>());
        let mut ldl = DefiniteLdl::new(&pattern, ordering::from_both_ends(&pattern).unwrap());
        assert!(ldl.is_chain);
        let mut matrix = vec![0.0; size * size];
        for (i, j) in pattern.entries() {
            matrix[i + size * j] =
                if i == j { 2.5 + (i as f64).sin() } else { -1.0 - 0.1 * (i.min(j) as f64) };
        }
        // None of the pivots may be negative, and no number is not one either.
        for (place, bad) in (0..size).flat_map(|i| [(i, matrix[i + size * i]), (i, -1.0), (i, f64::NAN)]) {
            let mut matrix = matrix.clone();
            matrix[place + size * place] = bad;
            let mut general = DefiniteLdl { is_chain: false, ..ldl.clone() };
            write(&mut ldl, &pattern, &matrix);
            write(&mut general, &pattern, &matrix);
            let definite = general.factor();
            assert_eq!(ldl.factor(), definite);
            if definite {
                assert_eq!((&ldl.lower, &ldl.diagonal), (&general.lower, &general.diagonal));
                assert_eq!(ldl.reciprocals, general.reciprocals);
            }
        }
    }
}

#[test]
fn several_chains_have_ends_and_rings_and_forks_have_not() {
    let with = |more: &[(usize, usize)]| {
        let chains = [(0, 1), (1, 2), (3, 4)];
        let couplings = chains.iter().chain(more).flat_map(|&(i, j)| [(i, j), (j, i)]);
        ordering::from_both_ends(&Pattern::from_entries(6, 6, couplings.chain((0..6).map(|i| (i, i)))))
    };
    assert_eq!(with(&[]), Some(vec![0, 2, 1, 3, 4, 5]));
    assert_eq!(with(&[(0, 2)]), None);
    assert_eq!(with(&[(1, 5)]), None);
}
