use super::*;
use crate::testing::deterministic;
use proptest::prelude::*;

fn spark(stages: usize) -> Spark {
    Spark::new(stages).unwrap()
}

#[test]
fn the_matrices_are_those_of_the_families() {
    for stages in 2..=12 {
        let spark = spark(stages);
        for lobatto in Lobatto::ALL {
            let tableau = lobatto.family().tableau(stages).unwrap();
            assert_eq!(spark.matrix(lobatto), tableau.a());
            assert_eq!((spark.b(), spark.c()), (tableau.b(), tableau.c()));
            assert_eq!(spark.tableau(lobatto).exact(), tableau.exact());
        }
    }
}

#[test]
fn wrong_numbers_of_stages_are_refused() {
    assert_eq!(Spark::new(1).unwrap_err().to_string(), "spark begins with 2 stages, not 1");
    assert!(matches!(Spark::new(21), Err(TableauError::TooManyStages { stages: 21, .. })));
}

#[test]
fn mixed_assumptions_are_those_of_jay() {
    // Section 8: C1 Cn(s) and D1 Dn(s) for n = 2, 3, 4.
    for stages in 2..=12 {
        for second in [Lobatto::B, Lobatto::C, Lobatto::CStar, Lobatto::D] {
            let pair = spark(stages).pair(Lobatto::A, second);
            assert_eq!((pair.assumption_cc(), pair.assumption_dd()), (stages, stages), "{stages} {second:?}");
        }
    }
}

#[test]
fn solvability_holds_for_a_with_the_others() {
    use Lobatto::{A, B, C, CStar, D};
    for stages in 2..=12 {
        let spark = spark(stages);
        assert!(spark.solvability(A, &[B, C, CStar]).holds(), "{stages}");
        assert!(spark.solvability(A, &[B, C, CStar, D]).holds(), "{stages}");
        // A with itself: A A has another last column, and s = 2 lacks the rank (Lobatto IIIA on index 3).
        assert!(!spark.solvability(A, &[A, B]).products_agree, "{stages}");
        assert!(!spark.solvability(B, &[A]).first_row_vanishes);
        assert!(!spark.solvability(B, &[A]).stiffly_accurate);
        assert!(!spark.solvability(C, &[B]).first_row_vanishes);
    }
}

#[test]
fn pairs_are_symplectic_and_conjugate_as_in_jay() {
    use Lobatto::{A, B, C, CStar, D};
    for stages in 2..=12 {
        let spark = spark(stages);
        for (first, second) in [(A, B), (B, A), (C, CStar), (CStar, C), (D, D)] {
            assert!(spark.pair(first, second).is_symplectic(), "{stages} {first:?} {second:?}");
        }
        for (first, second) in [(A, A), (B, B), (C, C), (A, C), (A, CStar), (A, D), (B, C)] {
            assert!(!spark.pair(first, second).is_symplectic(), "{stages} {first:?} {second:?}");
        }
        for (first, second) in [(A, A), (B, B), (C, CStar), (CStar, C), (D, D)] {
            assert!(spark.pair(first, second).is_symmetrically_conjugate(), "{stages} {first:?} {second:?}");
        }
        assert!(!spark.pair(A, B).is_symmetrically_conjugate());
        assert!(!spark.pair(C, C).is_symmetrically_conjugate());
    }
}

#[test]
fn the_interval_of_periodicity_of_a_with_b_ends() {
    let expected = [2.0, 8.0_f64.sqrt(), 3.1127, 3.14045];
    for (stages, expected) in (2..).zip(expected) {
        match spark(stages).pair(Lobatto::A, Lobatto::B).periodicity() {
            Periodicity::UpTo(end) => assert!((end - expected).abs() < 5e-5, "{stages}: {end}"),
            other => panic!("{stages}: {other:?}"),
        }
    }
    // For all of them (Theorem 5.7), though the gap closes on pi.
    for stages in 6..=8 {
        match spark(stages).pair(Lobatto::A, Lobatto::B).periodicity() {
            Periodicity::UpTo(end) => {
                assert!((0.0..1e-4).contains(&(std::f64::consts::PI - end)), "{stages}: {end}")
            }
            other => panic!("{stages}: {other:?}"),
        }
    }
}

#[test]
fn one_symmetric_matrix_for_both_is_p_stable() {
    for stages in 2..=8 {
        for lobatto in [Lobatto::A, Lobatto::B, Lobatto::D] {
            assert_eq!(
                spark(stages).pair(lobatto, lobatto).periodicity(),
                Periodicity::Everywhere,
                "{stages} {lobatto:?}"
            );
        }
        assert_eq!(
            spark(stages).pair(Lobatto::C, Lobatto::C).periodicity(),
            Periodicity::Nowhere,
            "{stages}"
        );
    }
}

#[test]
fn pairs_need_one_quadrature_formula() {
    let [gauss, radau] = [Family::Gauss, Family::RadauIia].map(|family| family.tableau(3).unwrap());
    let error = Pair::of(&gauss, &radau).unwrap_err();
    assert_eq!(error.to_string(), "gauss and radau have different weights or nodes; a pair needs the same");
    let pair = Pair::of(&gauss, &gauss).unwrap();
    assert!(pair.is_symplectic() && pair.periodicity() == Periodicity::Everywhere);
    let [a, b] = [Family::LobattoIiia, Family::LobattoIiib].map(|family| family.tableau(3).unwrap());
    assert_eq!(Pair::of(&a, &b).unwrap(), spark(3).pair(Lobatto::A, Lobatto::B));
}

#[test]
fn combinations_must_be_convex() {
    let spark = spark(3);
    let error = spark.combination(&[(Lobatto::B, 0.5), (Lobatto::C, 0.6)]).unwrap_err();
    assert_eq!(error, TableauError::NotConvex { sum: 1.1, least: 0.5 });
    assert!(spark.combination(&[(Lobatto::B, 1.5), (Lobatto::C, -0.5)]).is_err());
    assert!(spark.combination(&[]).is_err());
    let d = spark.combination(&[(Lobatto::C, 0.5), (Lobatto::CStar, 0.5)]).unwrap();
    assert_eq!(d.a(), spark.matrix(Lobatto::D));
    assert_eq!(d.name(), "0.5 lobatto-iiic + 0.5 lobatto-iiic*");
}

/// The stability matrix (30) solved directly.
fn solved(spark: &Spark, first: Lobatto, second: Lobatto, mu: f64) -> [[f64; 2]; 2] {
    let s = spark.stages();
    let entry = |i: usize, j: usize| {
        let unit = if i == j { 1.0 } else { 0.0 };
        match (i < s, j < s) {
            (true, false) => -mu * spark.matrix(first)[(i, j - s)],
            (false, true) => mu * spark.matrix(second)[(i - s, j)],
            _ => unit,
        }
    };
    let factored = crate::number::Factored::new(&Matrix::from_fn(2 * s, 2 * s, entry)).unwrap();
    let column = |y: f64, z: f64| {
        let right: Vec<f64> = (0..2 * s).map(|i| if i < s { y } else { z }).collect();
        let stages = factored.solve(&right);
        let sum = |part: &[f64]| part.iter().zip(spark.b()).map(|(x, b)| x * b).sum::<f64>();
        [y + mu * sum(&stages[s..]), z - mu * sum(&stages[..s])]
    };
    let (left, right) = (column(1.0, 0.0), column(0.0, 1.0));
    [[left[0], right[0]], [left[1], right[1]]]
}

proptest! {
    #![proptest_config(deterministic(64))]

    #[test]
    fn the_stability_matrix_is_that_of_the_oscillator(stages in 2..=7_usize, first in 0..5_usize, second in 0..5_usize, mu in 0.01..6.0_f64) {
        let spark = spark(stages);
        let (first, second) = (Lobatto::ALL[first], Lobatto::ALL[second]);
        let computed = spark.pair(first, second).stability_matrix(mu);
        let expected = solved(&spark, first, second, mu);
        let scale = 1.0 + expected.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (x, y) in computed.as_flattened().iter().zip(expected.as_flattened()) {
            prop_assert!((x - y).abs() < 1e-9 * scale * scale, "{computed:?} {expected:?}");
        }
    }

    /// Between IIIB-like and IIIC-like coefficients any damping at infinity can be had, and the order stays.
    #[test]
    fn combinations_keep_order_and_control_damping(stages in 2..=6_usize, share in 0.05..0.95_f64) {
        let mix = spark(stages).combination(&[(Lobatto::D, 1.0 - share), (Lobatto::C, share)]).unwrap();
        prop_assert_eq!((mix.order(), mix.stage_order()), (2 * stages - 2, stages - 1));
        prop_assert!(mix.is_algebraically_stable());
        let r = mix.stability_function().at_infinity().abs();
        prop_assert!((r - (1.0 - share) / (1.0 + share)).abs() < 1e-9, "{r}");
    }
}
