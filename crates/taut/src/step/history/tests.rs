use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::*;
use crate::snapshot::Snapshot;

fn polynomial(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// A history of a polynomial at times that lie these steps apart.
fn history(coefficients: &[f64], steps: &[f64]) -> History {
    let mut history = History::new(COLUMNS, 0.0, &[polynomial(coefficients, 0.0)]);
    let mut t = 0.0;
    for step in steps {
        t += step;
        history.push(t, &[polynomial(coefficients, t)]);
    }
    history
}

proptest! {
    #![proptest_config(Config { rng_seed: RngSeed::Fixed(1969), failure_persistence: None, ..Config::default() })]

    /// The polynomial through k + 1 states, its value and its slope anywhere, whatever the steps were.
    #[test]
    fn polynomials_are_continued(
        coefficients in prop::collection::vec(-1.0..1.0_f64, 1..=MOST_ORDER + 1),
        steps in prop::collection::vec(0.3..1.5_f64, MOST_ORDER..2 * MOST_ORDER),
        ahead in 0.1..1.0_f64,
    ) {
        let history = history(&coefficients, &steps);
        let t = history.time() + ahead;
        let mut value = [0.0];
        history.combine(&history.weights(t)[..coefficients.len()], &mut value);
        let expected = polynomial(&coefficients, t);
        let size: f64 = coefficients.iter().enumerate().map(|(i, c)| (c * t.powi(i as i32)).abs()).sum();
        prop_assert!((value[0] - expected).abs() <= 1e-11 * (1.0 + size), "{} and {expected}", value[0]);
        let (weights, slopes) = (history.weights(t), history.slopes(t));
        let derivative: Vec<f64> = weights.iter().zip(slopes).map(|(w, s)| w * s).collect();
        history.combine(&derivative[..coefficients.len()], &mut value);
        let expected: Vec<f64> =
            coefficients.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c).collect();
        let expected = polynomial(&expected, t);
        prop_assert!((value[0] - expected).abs() <= 1e-10 * (1.0 + size), "{} and {expected}", value[0]);
    }
}

/// With equal steps the differences are backward differences, and the slopes are those of the formulas: Σ 1/j.
#[test]
fn equal_steps_give_backward_differences() {
    let history = history(&[0.0, 0.0, 1.0], &[0.5; 7]);
    assert_eq!(history.points(), COLUMNS);
    let differences: Vec<f64> = history.component(0).take(4).collect();
    assert_eq!(differences, [12.25, 12.25 - 9.0, 0.5, 0.0]);
    let slopes = history.slopes(history.time() + 0.5);
    let expected = [0.0, 1.0, 1.5, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];
    for (slope, expected) in slopes.iter().zip(expected) {
        assert!((0.5 * slope - expected).abs() < 1e-14);
    }
}

#[test]
fn a_snapshot_restores_the_bits() {
    let mut kept = history(&[1.0, 0.3, -0.2], &[0.1, 0.7, 0.2]);
    let mut snapshot = Snapshot::default();
    kept.fields(&mut Fields::Saved(&mut snapshot)).unwrap();
    let mut restored = History::new(COLUMNS, 9.0, &[7.0]);
    restored.fields(&mut Fields::Restored(&snapshot)).unwrap();
    assert!(restored.blocks().eq(kept.blocks()));
    assert_eq!(restored.weights(2.0), kept.weights(2.0));
    let mut longer = History::new(COLUMNS, 0.0, &[1.0, 2.0]);
    assert!(longer.fields(&mut Fields::Restored(&snapshot)).is_err());
}
