//! What the tests of linear algebra share.

use super::{Blocks, DenseLu, Pattern, SaddlePattern, Scales};
use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run, and no files left behind.
pub(super) fn deterministic() -> Config {
    Config { rng_seed: RngSeed::Fixed(1992), failure_persistence: None, ..Config::default() }
}

/// Pairs of bodies that hang together, each pair held by two rods that also touch the first pair.
pub(super) fn pairs_of_bodies(pairs: usize, stiff: bool) -> SaddlePattern {
    let (n, m) = (2 * pairs, 2 * (pairs - 1));
    let blocks =
        (0..pairs).flat_map(|p| [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| (2 * p + i, 2 * p + j)));
    let mass = Pattern::from_entries(n, n, blocks);
    let rods = (0..m).flat_map(|k| {
        let own = 2 * (k / 2 + 1);
        [(k, 0), (k, 1), (k, own), (k, own + 1)]
    });
    let empty = Pattern::empty(n, n);
    SaddlePattern {
        n,
        m,
        damping: empty.clone(),
        stiffness: if stiff { mass.clone() } else { empty },
        mass,
        jacobian: Pattern::from_entries(m, n, rods),
    }
}

/// Definite masses, and rods with a strong entry of their own.
pub(super) fn values_of_pairs(pattern: &SaddlePattern, numbers: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut numbers = numbers.iter().cycle().copied();
    let mut next = || numbers.next().unwrap_or_default();
    let coupling: Vec<f64> = (0..pattern.n).map(|_| next()).collect();
    let mass = |(i, j): (usize, usize)| if i == j { 2.0 + coupling[i] } else { coupling[i.min(j)] };
    let rod = |(k, j): (usize, usize)| if j == k + 2 { 3.0 } else { 0.0 };
    let mass = pattern.mass.entries().map(mass).collect();
    let jacobian = pattern.jacobian.entries().map(|place| rod(place) + next()).collect();
    let stiffness = pattern.stiffness.entries().map(|_| next()).collect();
    (mass, jacobian, stiffness)
}

/// Some right-hand side.
pub(super) fn vector(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.4 + 1.9 * i as f64).sin()).collect()
}

/// The solution by the dense elimination.
pub(super) fn solve_dense(
    pattern: &SaddlePattern,
    blocks: &Blocks<'_>,
    scales: Scales,
    b: &[f64],
) -> Vec<f64> {
    let mut lu = DenseLu::new(b.len());
    let (stride, matrix) = (lu.stride(), super::saddle::dense_matrix(pattern, blocks, scales));
    for (column, values) in lu.matrix_mut().chunks_mut(stride).zip(matrix.chunks(b.len())) {
        column[..b.len()].copy_from_slice(values);
    }
    lu.factor().unwrap();
    let mut x = b.to_vec();
    lu.solve(&mut x);
    x
}

/// Asserts that two solutions agree up to rounding.
pub(super) fn assert_close(found: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-12 * size, "{found} against {expected}");
    }
}
