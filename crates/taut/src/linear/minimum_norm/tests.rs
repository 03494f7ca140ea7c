use super::MinimumNorm;
use crate::linear::testing::deterministic;
use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use proptest::prelude::*;

const SCALES: Scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };

fn mass_and(jacobian: Pattern) -> SaddlePattern {
    SaddlePattern::accelerations(Pattern::diagonal(jacobian.cols()), jacobian)
}

#[test]
fn equal_constraints_share_the_force() {
    // One rod written three times, the third with twice the gradient; the force along it is 6.
    let pattern = mass_and(Pattern::dense(3, 2));
    let jacobian = [1.0, 1.0, 2.0, 0.0, 0.0, 0.0];
    let blocks = Blocks {
        mass: &[2.0, 3.0],
        damping: &[],
        stiffness: &[],
        jacobian: &jacobian,
        compliance: &[],
        relaxation: &[],
    };
    assert!(Saddle::new(&pattern, Choice::Dense).assemble_and_factor(&blocks, SCALES).is_err());
    let factors = MinimumNorm::of_saddle(&pattern, &blocks, SCALES, 1e-10);
    assert_eq!(factors.rank(), 3);
    let x = factors.solve(&[6.0, 9.0, 0.0, 0.0, 0.0]);
    for (x, expected) in x.iter().zip([0.0, 3.0, 1.0, 1.0, 2.0]) {
        assert!((x - expected).abs() < 1e-14, "{x} instead of {expected}");
    }
}

#[test]
fn a_regular_system_has_the_usual_solution() {
    let pattern = mass_and(Pattern::dense(1, 3));
    let (mass, jacobian) = ([1.0, 4.0, 0.5], [0.3, -0.4, 1.2]);
    let blocks = Blocks {
        mass: &mass,
        damping: &[],
        stiffness: &[],
        jacobian: &jacobian,
        compliance: &[0.2],
        relaxation: &[],
    };
    let scales = Scales { delta: 1.5, ..SCALES };
    let mut saddle = Saddle::new(&pattern, Choice::Dense);
    saddle.assemble_and_factor(&blocks, scales).unwrap();
    let b = [1.0, -2.0, 0.7, 0.1];
    let mut expected = b;
    saddle.solve(&mut expected);
    let factors = MinimumNorm::of_saddle(&pattern, &blocks, scales, 1e-10);
    assert_eq!(factors.rank(), 4);
    for (x, expected) in factors.solve(&b).iter().zip(expected) {
        assert!((x - expected).abs() < 1e-14);
    }
}

#[test]
fn nothing_is_solved_by_nothing() {
    assert_eq!(MinimumNorm::new(2, 2, vec![0.0; 4], 1e-10).solve(&[0.0, 0.0]), [0.0, 0.0]);
    assert!(MinimumNorm::new(0, 0, Vec::new(), 1e-10).solve(&[]).is_empty());
}

proptest! {
    #![proptest_config(deterministic())]

    /// A = B C with B of full column and C of full row rank; every A x is a consistent right-hand side.
    #[test]
    fn consistent_systems_are_solved_by_the_shortest_vector(
        (rows, cols, rank) in (1..7_usize, 1..7_usize, 1..7_usize),
        entries in proptest::collection::vec(-1.0..1.0_f64, 49 + 49 + 7),
    ) {
        let rank = rank.min(rows).min(cols);
        let left = |i: usize, k: usize| entries[i + 7 * k] + if i == k { 4.0 } else { 0.0 };
        let right = |k: usize, j: usize| entries[49 + k + 7 * j] + if j == k { 4.0 } else { 0.0 };
        let entry = |i: usize, j: usize| (0..rank).map(|k| left(i, k) * right(k, j)).sum::<f64>();
        let matrix: Vec<f64> = (0..rows * cols).map(|p| entry(p % rows, p / rows)).collect();
        let factors = MinimumNorm::new(rows, cols, matrix, 1e-10);
        prop_assert_eq!(factors.rank(), rank);
        let given = &entries[98..98 + cols];
        let b: Vec<f64> = (0..rows).map(|i| (0..cols).map(|j| entry(i, j) * given[j]).sum()).collect();
        let x = factors.solve(&b);
        for i in 0..rows {
            let image: f64 = (0..cols).map(|j| entry(i, j) * x[j]).sum();
            prop_assert!((image - b[i]).abs() < 1e-11);
        }
        // The shortest solution is orthogonal to the difference of any two solutions.
        let product: f64 = x.iter().zip(given).map(|(x, given)| x * (given - x)).sum();
        prop_assert!(product.abs() < 1e-11);
    }
}
