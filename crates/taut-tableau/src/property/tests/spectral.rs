use super::{any_member, members};
use crate::testing::deterministic;
use crate::{Family, MOST_STAGES, Matrix, Spectrum, TableauError};
use proptest::prelude::*;

/// The block-diagonal matrix of the eigenvalues.
fn blocks(spectrum: &Spectrum) -> Matrix {
    let reals = spectrum.real.len();
    let mut blocks = Matrix::zeros(spectrum.t.rows(), spectrum.t.rows());
    for (k, &value) in spectrum.real.iter().enumerate() {
        blocks[(k, k)] = value;
    }
    for (k, &(alpha, beta)) in spectrum.complex.iter().enumerate() {
        let place = reals + 2 * k;
        (blocks[(place, place)], blocks[(place + 1, place + 1)]) = (alpha, alpha);
        (blocks[(place, place + 1)], blocks[(place + 1, place)]) = (beta, -beta);
    }
    blocks
}

#[test]
fn the_matrix_is_block_diagonal_in_its_eigenvectors() {
    for tableau in members().iter().filter(|tableau| tableau.family() != Some(Family::LobattoIiicStar)) {
        let spectrum = tableau.spectrum().unwrap();
        let condition = spectrum.t.largest() * spectrum.t_inverse.largest();
        let left = tableau.a().product(&spectrum.t);
        let right = spectrum.t.product(&blocks(&spectrum));
        // A T = T Lambda and T^-1 T = I to the rounding of their factors.
        assert!(left.plus(-1.0, &right).largest() < 2e-15, "{} {}", tableau.name(), tableau.stages());
        let identity =
            spectrum.t_inverse.product(&spectrum.t).plus(-1.0, &Matrix::identity(tableau.stages()));
        assert!(identity.largest() < 1e-15 * condition.max(1.0), "{} {}", tableau.name(), tableau.stages());
    }
}

#[test]
fn there_are_as_few_real_eigenvalues_as_can_be() {
    for tableau in members() {
        let s = tableau.stages();
        match (tableau.family(), tableau.spectrum()) {
            (Some(Family::LobattoIiicStar), result) => {
                let name = "lobatto-iiic*".to_owned();
                assert_eq!(result, Err(TableauError::Defective { name, stages: s }));
            }
            (Some(Family::LobattoIiia | Family::LobattoIiib), result) => {
                let spectrum = result.unwrap();
                assert_eq!(spectrum.real.len(), 2 - s % 2, "{} {s}", tableau.name());
                assert_eq!(spectrum.real.last(), Some(&0.0));
                assert_eq!(spectrum.real_of_inverse.last(), Some(&f64::INFINITY));
            }
            (_, result) => assert_eq!(result.unwrap().real.len(), s % 2, "{} {s}", tableau.name()),
        }
    }
}

#[test]
fn up_to_the_most_stages_no_eigenvector_is_missing() {
    for family in Family::ALL[..8].iter().filter(|&&family| family != Family::LobattoIiicStar) {
        for stages in 13..=MOST_STAGES {
            let spectrum = family.tableau(stages).unwrap().spectrum().unwrap();
            assert_eq!(spectrum.real.len() + 2 * spectrum.complex.len(), stages, "{family}");
        }
    }
}

#[test]
fn missing_eigenvectors_are_reported() {
    for family in [Family::Sdirk, Family::Esdirk, Family::DormandPrince5, Family::DormandPrince8] {
        for stages in family.stages() {
            let error = family.tableau(stages).unwrap().spectrum().unwrap_err();
            assert_eq!(error, TableauError::Defective { name: family.name().to_owned(), stages });
        }
    }
}

#[test]
fn eigenvalues_of_radau_are_the_known_ones() {
    let spectrum = Family::RadauIia.tableau(3).unwrap().spectrum().unwrap();
    // 1/gamma = (6 + 81^(1/3) - 9^(1/3)) / 30 (Hairer and Wanner, IV.8).
    let real = (6.0 + 81.0_f64.cbrt() - 9.0_f64.cbrt()) / 30.0;
    assert!((spectrum.real[0] - real).abs() < 1e-16);
    let (re, im) = spectrum.complex_of_inverse[0];
    assert!((re - 2.681_082_873_627_752).abs() < 1e-15 && (im + 3.050_430_199_247_410_5).abs() < 1e-15);
    for (stages, expected) in [(3, 3.637834), (5, 6.286705), (7, 8.936833)] {
        let g = Family::RadauIia.tableau(stages).unwrap().spectrum().unwrap().real_of_inverse[0];
        assert!((g - expected).abs() < 1e-6, "{stages}: {g}");
    }
}

#[test]
fn the_estimator_of_radau_5_is_the_known_one() {
    let estimator = Family::RadauIia.tableau(3).unwrap().error_estimator().unwrap().unwrap();
    let root = 6.0_f64.sqrt();
    let expected = [-(13.0 + 7.0 * root) / 3.0, (-13.0 + 7.0 * root) / 3.0, -1.0 / 3.0];
    for (d, expected) in estimator.d.iter().zip(expected) {
        assert!((d - expected).abs() < 4e-15, "{d} {expected}");
    }
    assert!((estimator.gamma_0 - 0.274_888_829_595_677_4).abs() < 1e-15);
}

#[test]
fn estimators_fulfil_their_conditions() {
    for family in [Family::Gauss, Family::RadauIa, Family::RadauIia, Family::LobattoIiic, Family::LobattoIiid]
    {
        for stages in [3, 5, 7, 9, 11] {
            let tableau = family.tableau(stages).unwrap();
            let estimator = tableau.error_estimator().unwrap().unwrap();
            for k in 1..=stages as i32 {
                let sum: f64 =
                    estimator.weights.iter().zip(tableau.c()).map(|(bh, c)| bh * c.powi(k - 1)).sum();
                let expected = 1.0 / f64::from(k) - if k == 1 { estimator.gamma_0 } else { 0.0 };
                let scale = estimator.weights.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                assert!((sum - expected).abs() < 1e-15 * scale, "{family} {stages} {k}: {sum} {expected}");
            }
            // d^T A = g (bh - b)^T
            let product = tableau.a().transpose().times(&estimator.d);
            for i in 0..stages {
                let expected = (estimator.weights[i] - tableau.b()[i]) / estimator.gamma_0;
                assert!((product[i] - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{family} {stages}");
            }
        }
        assert_eq!(family.tableau(4).unwrap().error_estimator(), Ok(None));
        assert!(family.tableau(4).unwrap().error_estimator_with(0.2).is_ok());
    }
    let singular = Family::LobattoIiia.tableau(4).unwrap().error_estimator().unwrap_err();
    assert_eq!(singular, TableauError::Singular { name: "lobatto-iiia".to_owned(), stages: 4 });
}

proptest! {
    #![proptest_config(deterministic(32))]

    /// The eigenvalues of A^-1 are the poles of R.
    #[test]
    fn eigenvalues_are_the_inverse_poles(tableau in any_member()) {
        prop_assume!(tableau.family() != Some(Family::LobattoIiicStar));
        let spectrum = tableau.spectrum().unwrap();
        let poles = tableau.stability_function().denominator().roots();
        let near = |re: f64, im: f64| poles.iter().any(|pole| {
            (pole.re.to_f64() - re).hypot(pole.im.to_f64() - im) < 1e-14 * re.hypot(im)
        });
        for &g in spectrum.real_of_inverse.iter().filter(|g| g.is_finite()) {
            prop_assert!(near(g, 0.0));
        }
        for &(re, im) in &spectrum.complex_of_inverse {
            prop_assert!(im < 0.0 && near(re, im) && near(re, -im));
        }
    }
}
