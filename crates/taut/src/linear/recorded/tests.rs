use super::{Lanes, Recorded};
use crate::linear::testing::{
    assert_close, deterministic, pairs_of_bodies, solve_dense, values_of_pairs, vector,
};
use crate::linear::{Blocks, Complex, Pattern, SaddlePattern, Scales};
use proptest::prelude::*;

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn lanes_are_matrices_of_their_own(
        pairs in 2..16_usize, numbers in prop::collection::vec(-0.9..0.9_f64, 40),
    ) {
        let pattern = pairs_of_bodies(pairs, true);
        let (mass, jacobian, stiffness) = values_of_pairs(&pattern, &numbers);
        let blocks = Blocks {
            mass: &mass, damping: &[], stiffness: &stiffness, jacobian: &jacobian, compliance: &[], relaxation: &[]
        };
        let mut scales = [1.0, 0.0, 0.0, 0.0].map(|scale| Lanes::splat(Complex::from(scale)));
        let gammas = [0.1, 0.2, -0.1, 0.05];
        gammas.iter().enumerate().for_each(|(lane, gamma)| scales[2].set(lane, Complex::from(*gamma)));
        let mut together = Recorded::new(&pattern).unwrap();
        prop_assert!(together.factor(&blocks, &scales));
        let (size, b) = (pattern.size(), vector(pattern.size()));
        // One real right-hand side, then pairs.
        let mut x = b.repeat(7);
        together.solve(1, &mut x);
        let mut columns = x.chunks(size);
        for (lane, gamma) in gammas.into_iter().enumerate() {
            let scales = Scales { alpha: 1.0, beta: 0.0, gamma, delta: 0.0 };
            let expected = solve_dense(&pattern, &blocks, scales, &b);
            for column in columns.by_ref().take(if lane == 0 { 1 } else { 2 }) {
                assert_close(column, &expected);
            }
        }
    }
}

#[test]
fn one_bad_pivot_leaves_all_to_another_elimination() {
    let pattern = pairs_of_bodies(3, true);
    let (mass, jacobian, _) = values_of_pairs(&pattern, &[0.1, -0.2, 0.3]);
    let stiffness: Vec<f64> = pattern.stiffness.entries().map(|(i, j)| f64::from(u8::from(i == j))).collect();
    let blocks = Blocks {
        mass: &mass,
        damping: &[],
        stiffness: &stiffness,
        jacobian: &jacobian,
        compliance: &[],
        relaxation: &[],
    };
    let mut scales = [1.0, 0.0, 0.0, 0.0].map(|scale| Lanes::splat(Complex::from(scale)));
    let mut together = Recorded::new(&pattern).unwrap();
    assert!(together.factor(&blocks, &scales));
    for gamma in [-mass[0], f64::NAN, f64::INFINITY] {
        scales[2].set(2, Complex::from(gamma));
        assert!(!together.factor(&blocks, &scales), "{gamma}");
    }
}

#[test]
fn full_and_large_matrices_and_those_without_a_diagonal_are_not_recorded() {
    let full = SaddlePattern {
        n: 8,
        m: 2,
        mass: Pattern::dense(8, 8),
        damping: Pattern::dense(8, 8),
        stiffness: Pattern::dense(8, 8),
        jacobian: Pattern::dense(2, 8),
    };
    assert!(Recorded::new(&full).is_none());
    assert!(Recorded::new(&pairs_of_bodies(60, false)).is_none());
    let pencil = |diagonal: &[(usize, usize)]| {
        let mass = Pattern::from_entries(3, 3, diagonal.iter().copied());
        Recorded::new(&SaddlePattern::pencil(mass, Pattern::from_entries(3, 3, [(2, 0), (0, 2)])))
    };
    assert!(pencil(&[(0, 0), (1, 1)]).is_none());
    assert!(pencil(&[(0, 0), (1, 1), (2, 2)]).is_some());
}
