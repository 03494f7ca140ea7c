use super::OrderedLu;
use crate::linear::testing::{
    assert_close, deterministic, pairs_of_bodies, solve_dense, values_of_pairs, vector,
};
use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use proptest::prelude::*;

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn fixed_and_free_order_agree(
        pairs in 2..17_usize, z in 0.0..0.5_f64, delta in 0.0..1.0_f64,
        numbers in prop::collection::vec(-0.9..0.9_f64, 40),
    ) {
        let pattern = pairs_of_bodies(pairs, true);
        let (mass, jacobian, stiffness) = values_of_pairs(&pattern, &numbers);
        let compliance = vec![0.3; pattern.m];
        let blocks = Blocks {
            mass: &mass, damping: &[], stiffness: &stiffness, jacobian: &jacobian, compliance: &compliance,
            relaxation: &[],
        };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: -z * z, delta };
        let b = vector(pattern.size());
        let expected = solve_dense(&pattern, &blocks, scales, &b);
        let mut ordered = OrderedLu::new(&pattern, false).unwrap();
        prop_assert!(ordered.factor(&blocks, scales));
        let mut x = b.clone();
        ordered.solve(&mut x);
        assert_close(&x, &expected);
    }

    #[test]
    fn half_of_a_symmetric_matrix_suffices(
        pairs in 2..17_usize, numbers in prop::collection::vec(-0.9..0.9_f64, 40),
    ) {
        let pattern = pairs_of_bodies(pairs, false);
        let (mass, jacobian, _) = values_of_pairs(&pattern, &numbers);
        let blocks =
            Blocks { mass: &mass, damping: &[], stiffness: &[], jacobian: &jacobian, compliance: &[], relaxation: &[] };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        let b = vector(pattern.size());
        let mut ordered = OrderedLu::new(&pattern, true).unwrap();
        prop_assert!(ordered.factor(&blocks, scales));
        let mut x = b.clone();
        ordered.solve(&mut x);
        assert_close(&x, &solve_dense(&pattern, &blocks, scales, &b));
    }

    #[test]
    fn right_hand_sides_may_be_solved_together(
        pairs in 2..17_usize, several in 1..6_usize, numbers in prop::collection::vec(-0.9..0.9_f64, 40),
    ) {
        let pattern = pairs_of_bodies(pairs, false);
        let (mass, jacobian, _) = values_of_pairs(&pattern, &numbers);
        let blocks =
            Blocks { mass: &mass, damping: &[], stiffness: &[], jacobian: &jacobian, compliance: &[], relaxation: &[] };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        let b = vector(several * pattern.size());
        for mut saddle in [Saddle::symmetric(&pattern, Choice::Auto), Saddle::new(&pattern, Choice::Auto)] {
            saddle.assemble_and_factor(&blocks, scales).unwrap();
            let mut x = b.clone();
            saddle.solve_together(&mut x);
            for (x, b) in x.chunks_exact(pattern.size()).zip(b.chunks_exact(pattern.size())) {
                assert_close(x, &solve_dense(&pattern, &blocks, scales, b));
            }
        }
    }
}

#[test]
fn a_coordinate_without_mass_is_left_to_another_elimination() {
    let pattern = SaddlePattern {
        n: 2,
        m: 1,
        mass: Pattern::diagonal(2),
        damping: Pattern::empty(2, 2),
        stiffness: Pattern::empty(2, 2),
        jacobian: Pattern::dense(1, 2),
    };
    let mut ordered = OrderedLu::new(&pattern, true).unwrap();
    let mut saddle = Saddle::symmetric(&pattern, Choice::Auto);
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
    for useless in [0.0, 1e-9, f64::NAN, f64::INFINITY] {
        let mut blocks = Blocks {
            mass: &[1.0, useless],
            damping: &[],
            stiffness: &[],
            jacobian: &[1.0, 2.0],
            compliance: &[],
            relaxation: &[],
        };
        assert_eq!(ordered.factor(&blocks, scales), useless == 1e-9, "{useless}");
        if useless == 0.0 {
            saddle.assemble_and_factor(&blocks, scales).unwrap();
            let mut x = [3.0, 2.0, 5.0];
            saddle.solve(&mut x);
            assert_close(&x, &[2.0, 1.5, 1.0]);
        }
        // What was found bad leaves nothing behind.
        blocks.mass = &[1.0, 1.0];
        assert!(ordered.factor(&blocks, scales));
        let mut x = [2.0, 3.0, 5.0];
        ordered.solve(&mut x);
        assert_close(&x, &[1.4, 1.8, 0.6]);
    }
}

#[test]
fn constraints_that_depend_on_each_other_are_left_to_another_elimination() {
    let pattern = SaddlePattern {
        n: 3,
        m: 2,
        mass: Pattern::diagonal(3),
        damping: Pattern::empty(3, 3),
        stiffness: Pattern::empty(3, 3),
        jacobian: Pattern::dense(2, 3),
    };
    let mut ordered = OrderedLu::new(&pattern, true).unwrap();
    let jacobian = [0.1, 0.3, 0.7, 2.1, 1.1, 3.3];
    let blocks = Blocks {
        mass: &[1.0, 2.0, 3.0],
        damping: &[],
        stiffness: &[],
        jacobian: &jacobian,
        compliance: &[],
        relaxation: &[],
    };
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
    assert!(!ordered.factor(&blocks, scales));
}
