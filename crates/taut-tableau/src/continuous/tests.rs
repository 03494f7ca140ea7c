use crate::testing::deterministic;
use crate::{ContinuousExtension, Family, Tableau};
use proptest::prelude::*;

fn weights(continuous: &ContinuousExtension, theta: f64) -> Vec<f64> {
    let mut weights = vec![0.0; continuous.stages()];
    continuous.weights(theta, &mut weights);
    weights
}

fn slopes(continuous: &ContinuousExtension, theta: f64) -> Vec<f64> {
    let mut slopes = vec![0.0; continuous.stages()];
    continuous.slopes(theta, &mut slopes);
    slopes
}

fn with_extension() -> Vec<Tableau> {
    let computed = Family::ALL[..8].iter().flat_map(|family| (2..=12).filter_map(|s| family.tableau(s).ok()));
    let explicit = [Family::DormandPrince5.tableau(7).unwrap(), Family::DormandPrince8.tableau(12).unwrap()];
    computed.chain(explicit).collect()
}

#[test]
fn extensions_meet_both_ends() {
    for tableau in with_extension() {
        let continuous = tableau.continuous().unwrap();
        for (i, weight) in weights(continuous, 0.0).iter().enumerate() {
            assert!(weight.abs() < 1e-14, "{} {i}: {weight}", tableau.name());
        }
        for (i, weight) in weights(continuous, 1.0).iter().enumerate() {
            let expected = tableau.b().get(i).copied().unwrap_or(0.0);
            assert!((weight - expected).abs() < 1e-14, "{} {i}: {weight} {expected}", tableau.name());
        }
    }
}

#[test]
fn collocation_polynomials_pass_through_the_stages() {
    for family in [Family::Gauss, Family::RadauIia, Family::LobattoIiia] {
        for s in 2..=12 {
            let tableau = family.tableau(s).unwrap();
            let continuous = tableau.continuous().unwrap();
            for i in 0..s {
                for (j, weight) in weights(continuous, tableau.c()[i]).iter().enumerate() {
                    let defect = (weight - tableau.a()[(i, j)]).abs();
                    assert!(defect < 2e-15, "{family} {s}: {defect}");
                }
                // And the derivative at a node is the derivative of that stage.
                for (j, slope) in slopes(continuous, tableau.c()[i]).iter().enumerate() {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!((slope - expected).abs() < 1e-13, "{family} {s}: {slope}");
                }
            }
        }
    }
}

#[test]
fn dormand_prince_extensions_have_the_derivatives_of_both_ends() {
    for (family, stages, end) in [(Family::DormandPrince5, 7, 6), (Family::DormandPrince8, 12, 12)] {
        let tableau = family.tableau(stages).unwrap();
        let continuous = tableau.continuous().unwrap();
        for (theta, stage) in [(0.0, 0), (1.0, end)] {
            for (i, slope) in slopes(continuous, theta).iter().enumerate() {
                let expected = if i == stage { 1.0 } else { 0.0 };
                assert!((slope - expected).abs() < 1e-12, "{family}, stage {i}: {slope}");
            }
        }
    }
}

proptest! {
    #![proptest_config(deterministic(64))]

    /// Powers are integrated to every point: sum b_i(theta) c_i^(k-1) = theta^k / k, k <= s.
    #[test]
    fn powers_are_integrated_to_any_point(place in 0..8_usize, s in 2..=12_usize, theta in -0.2..1.5_f64, k in 1..=12_i32) {
        prop_assume!(k as usize <= s);
        let tableau = Family::ALL[place].tableau(s).unwrap();
        let weights = weights(tableau.continuous().unwrap(), theta);
        let sum: f64 = weights.iter().zip(tableau.c()).map(|(w, c)| w * c.powi(k - 1)).sum();
        let scale = weights.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        prop_assert!((sum - theta.powi(k) / f64::from(k)).abs() < 1e-13 * scale);
    }

    #[test]
    fn slopes_are_derivatives(place in 0..8_usize, s in 2..=8_usize, theta in 0.0..1.0_f64) {
        let tableau = Family::ALL[place].tableau(s).unwrap();
        let continuous = tableau.continuous().unwrap();
        let step = 1e-5;
        let (right, left) = (weights(continuous, theta + step), weights(continuous, theta - step));
        for (i, slope) in slopes(continuous, theta).iter().enumerate() {
            let difference = (right[i] - left[i]) / (2.0 * step);
            prop_assert!((slope - difference).abs() < 1e-5, "{slope} {difference}");
        }
    }
}
