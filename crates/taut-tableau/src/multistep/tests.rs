use super::*;
use crate::testing::deterministic;
use proptest::prelude::*;

#[test]
fn backward_differentiation_formulas_are_the_known_ones() {
    let known: [(&[i32], i32, i32); 6] = [
        (&[-1, 1], 1, 1),
        (&[1, -4, 3], 2, 3),
        (&[-2, 9, -18, 11], 6, 11),
        (&[3, -16, 36, -48, 25], 12, 25),
        (&[-12, 75, -200, 300, -300, 137], 60, 137),
        (&[10, -72, 225, -400, 450, -360, 147], 60, 147),
    ];
    for (steps, (alpha, beta, leading)) in (1..).zip(known) {
        let bdf = Multistep::bdf(steps).unwrap();
        let value = |&x: &i32| f64::from(x) / f64::from(leading);
        assert_eq!(bdf.alpha(), alpha.iter().map(value).collect::<Vec<_>>(), "bdf {steps}");
        let mut expected = vec![0.0; steps];
        expected.push(value(&beta));
        assert_eq!(bdf.beta(), expected, "bdf {steps}");
        assert_eq!((bdf.name(), bdf.steps(), bdf.order()), ("bdf", steps, steps));
        assert!((bdf.error_constant() + 1.0 / (steps as f64 + 1.0)).abs() < 1e-15, "bdf {steps}");
    }
}

#[test]
fn backward_differentiation_formulas_are_stable_up_to_six_steps() {
    let mut before = -1.0;
    for steps in 1..=6 {
        let bdf = Multistep::bdf(steps).unwrap();
        assert!(bdf.is_strictly_stable() && bdf.is_stable_at_infinity(), "bdf {steps}");
        assert_eq!(bdf.sigma_1(), 0.0);
        assert!(bdf.rho_1() > before || steps == 1, "bdf {steps}: {}", bdf.rho_1());
        before = bdf.rho_1();
        let (re, im) = bdf.rho_roots()[0];
        assert!((re - 1.0).abs() < 1e-14 && im.abs() < 1e-14);
    }
    assert!((Multistep::bdf(2).unwrap().rho_1() - 1.0 / 3.0).abs() < 1e-15);
    assert!((Multistep::bdf(3).unwrap().rho_1() - (2.0_f64 / 11.0).sqrt()).abs() < 1e-15);
    for steps in [0, 7] {
        let error = Multistep::bdf(steps).unwrap_err();
        assert_eq!(error, TableauError::NoSuchSteps { steps, most: 6 });
        assert_eq!(
            error.to_string(),
            format!("there is no stable bdf with {steps} steps; there is bdf with 1 to 6 steps")
        );
    }
}

#[test]
fn seven_steps_are_unstable() {
    let alpha = [-60.0, 490.0, -1764.0, 3675.0, -4900.0, 4410.0, -2940.0, 1089.0];
    let mut beta = [0.0; 8];
    beta[7] = 420.0;
    let bdf = Multistep::new("bdf7", &alpha, &beta).unwrap();
    assert_eq!(bdf.order(), 7);
    assert!(bdf.rho_1() > 1.0 && !bdf.is_strictly_stable());
}

#[test]
fn other_methods_are_recognised() {
    let trapezoidal = Multistep::new("trapezoidal", &[-1.0, 1.0], &[0.5, 0.5]).unwrap();
    assert_eq!((trapezoidal.order(), trapezoidal.rho_1()), (2, 0.0));
    assert!((trapezoidal.error_constant() + 1.0 / 12.0).abs() < 1e-16);
    assert!((trapezoidal.sigma_1() - 1.0).abs() < 1e-15 && !trapezoidal.is_stable_at_infinity());
    // Milne: order 4 of two steps, the second zero of rho is -1.
    let milne = Multistep::new("milne", &[-1.0, 0.0, 1.0], &[1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0]).unwrap();
    assert_eq!(milne.order(), 4);
    assert!((milne.error_constant() + 1.0 / 180.0).abs() < 1e-15 && !milne.is_strictly_stable());
    // Explicit Adams of two steps, scaled by two.
    let adams = Multistep::new("adams", &[0.0, -2.0, 2.0], &[-1.0, 3.0, 0.0]).unwrap();
    assert_eq!((adams.alpha(), adams.order()), (&[0.0, -1.0, 1.0][..], 2));
    assert!((adams.error_constant() - 5.0 / 12.0).abs() < 1e-15);
    assert!(adams.is_strictly_stable() && adams.sigma_1().is_infinite());
    let inconsistent = Multistep::new("wrong", &[-2.0, 1.0], &[0.0, 1.0]).unwrap();
    assert!(inconsistent.order() == 0 && !inconsistent.is_strictly_stable());
}

#[test]
fn pairs_that_are_no_methods_are_refused() {
    let refused = |alpha: &[f64], beta: &[f64]| Multistep::new("x", alpha, beta).unwrap_err();
    assert_eq!(refused(&[1.0], &[1.0]), TableauError::NotMultistep { alpha: 1, beta: 1 });
    assert_eq!(refused(&[-1.0, 1.0], &[1.0]), TableauError::NotMultistep { alpha: 2, beta: 1 });
    assert_eq!(refused(&[-1.0, 0.0], &[0.0, 1.0]), TableauError::NotMultistep { alpha: 2, beta: 2 });
    assert_eq!(refused(&[-1.0, f64::NAN], &[0.0, 1.0]), TableauError::NotFinite { name: "x".to_owned() });
}

proptest! {
    #![proptest_config(deterministic(256))]

    /// With rho given by its zeros the largest but the principal one is rho_1.
    #[test]
    fn parasitic_roots_are_found(zeros in prop::collection::vec(-0.9..0.9_f64, 1..5), scale in 0.5..3.0_f64) {
        let roots: Vec<DoubleDouble> = zeros.iter().copied().chain([1.0]).map(DoubleDouble::from).collect();
        let alpha: Vec<f64> = crate::number::from_roots(&roots).to_f64().iter().map(|x| scale * x).collect();
        let mut beta = vec![0.0; alpha.len()];
        beta[alpha.len() - 1] = 1.0;
        let method = Multistep::new("x", &alpha, &beta).unwrap();
        let expected = zeros.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let mut sorted = zeros.clone();
        sorted.sort_by(f64::total_cmp);
        prop_assume!(sorted.windows(2).all(|two| two[1] - two[0] > 0.02));
        prop_assert!((method.rho_1() - expected).abs() < 1e-8);
        prop_assert!(method.is_strictly_stable() && method.is_stable_at_infinity());
    }
}
