//! The stability functions of Auzinger, Eder and Frank (2001), section 6.

use crate::number::{Complex, Factored, Matrix, Scalar};
use crate::testing::deterministic;
use crate::{Family, Tableau};
use proptest::prelude::*;

const FAMILIES: [Family; 3] = [Family::Gauss, Family::RadauIa, Family::RadauIia];

#[test]
fn the_bound_of_bsi_stability_is_the_known_one() {
    for family in FAMILIES {
        for s in 1..=12 {
            let tableau = family.tableau(s).unwrap();
            let c = tableau.c();
            let expected = match family {
                Family::Gauss => c.iter().map(|c| 1.0 / (2.0 * c * (1.0 - c))).fold(f64::INFINITY, f64::min),
                _ if s == 1 => 1.0,
                Family::RadauIa => 1.0 / (2.0 * (1.0 - c[1])),
                _ => 1.0 / (2.0 * c[s - 2]),
            };
            let computed = tableau.stiff_stability().unwrap().z_bsi;
            assert!((computed - expected).abs() < 1e-10 * expected, "{family} {s}: {computed} {expected}");
        }
    }
}

#[test]
fn b_stability_is_that_of_theorem_6_3() {
    for s in 1..=12 {
        let at = |family: Family, z: f64| family.tableau(s).unwrap().stiff_stability().unwrap().phi_b(z);
        assert_eq!(at(Family::Gauss, -3.0), Some(1.0));
        assert_eq!(at(Family::RadauIa, -1.5), Some(0.5));
        // The last weight of Radau IIA is 1/s^2.
        let expected = 1.0 / (1.0 + 3.0 / (s * s) as f64).sqrt();
        assert!((at(Family::RadauIia, -1.5).unwrap() - expected).abs() < 1e-15);
        assert_eq!(at(Family::RadauIia, 0.0), Some(1.0));
        assert_eq!(at(Family::RadauIia, 0.1), None);
    }
}

#[test]
fn beyond_the_bound_there_is_no_estimate() {
    let stability = Family::RadauIia.tableau(2).unwrap().stiff_stability().unwrap();
    assert!((stability.z_bsi - 1.5).abs() < 1e-14);
    assert_eq!(stability.phi_bsi(1.6), None);
    assert_eq!(stability.phi_bs(1.6), None);
    assert!(stability.phi_bsi(1.4).unwrap() > stability.phi_bsi(0.0).unwrap());
    assert!(Family::LobattoIiia.tableau(3).unwrap().stiff_stability().is_none());
    assert!(Family::LobattoIiia.tableau(3).unwrap().adjoint().stiff_stability().is_none());
}

/// I - A Z with Z = diag(z), the matrix of the stages of the scalar problem y' = lambda(t) y.
fn stage_matrix(tableau: &Tableau, z: &[Complex]) -> Factored<Complex> {
    let s = tableau.stages();
    let matrix = Matrix::from_fn(s, s, |i, j| {
        Complex::from(if i == j { 1.0 } else { 0.0 }) - Complex::from(tableau.exact().a[(i, j)]) * z[j]
    });
    Factored::new(&matrix).unwrap()
}

/// start + b^T Z Y
fn result(tableau: &Tableau, start: f64, z: &[Complex], stages: &[Complex]) -> f64 {
    let terms = (0..z.len()).map(|i| Complex::from(tableau.exact().b[i]) * z[i] * stages[i]);
    terms.fold(Complex::from(start), |sum, term| sum + term).magnitude()
}

fn norm(x: &[Complex]) -> f64 {
    x.iter().map(|x| x.magnitude().powi(2)).sum::<f64>().sqrt()
}

proptest! {
    #![proptest_config(deterministic(300))]

    /// On y' = lambda(t) y with Re h lambda <= z the estimates (6.4), (6.5), (6.6) hold.
    #[test]
    fn the_estimates_hold_for_scalar_problems(
        place in 0..3_usize,
        s in 1..=6_usize,
        z in -20.0..0.0_f64,
        exponents in prop::collection::vec((-2.0..6.0_f64, -2.0..6.0_f64, any::<bool>(), any::<bool>()), 6),
        perturbation in prop::collection::vec(-1.0..1.0_f64, 6),
        last in -1.0..1.0_f64,
    ) {
        let tableau = FAMILIES[place].tableau(s).unwrap();
        let stability = tableau.stiff_stability().unwrap();
        // Damping and frequency from nothing to a million.
        let lambda: Vec<Complex> = exponents[..s].iter().map(|&(damping, frequency, damped, turning)| {
            let size = |exponent: f64, present: bool| if present { 10.0_f64.powf(exponent) } else { 0.0 };
            Complex::new((z - size(damping, damped)).into(), size(frequency, turning).into())
        }).collect();
        let factored = stage_matrix(&tableau, &lambda);
        let delta: Vec<Complex> = perturbation[..s].iter().map(|&x| x.into()).collect();
        let stages = factored.solve(&delta);
        prop_assert!(norm(&stages) <= stability.phi_bsi(z).unwrap() * norm(&delta) * (1.0 + 1e-9));
        let perturbed = result(&tableau, last, &lambda, &stages);
        prop_assert!(perturbed <= stability.phi_bs(z).unwrap() * (norm(&delta) + last.abs()) * (1.0 + 1e-9));
        let growth = result(&tableau, 1.0, &lambda, &factored.solve(&vec![Complex::from(1.0); s]));
        prop_assert!(growth <= stability.phi_b(z).unwrap() + 1e-9);
    }
}

#[test]
fn the_printed_norm_is_wrong() {
    // Theorem 6.1 with the norm of A instead of A^-1, for the implicit midpoint rule.
    let tableau = Family::Gauss.tableau(1).unwrap();
    let stability = tableau.stiff_stability().unwrap();
    let z = -1e-3;
    let printed = 0.5 / (stability.z_bsi - z);
    let stages = norm(&stage_matrix(&tableau, &[z.into()]).solve(&[Complex::from(1.0)]));
    assert!(stages > 3.9 * printed, "{stages} {printed}");
    assert!(stages <= stability.phi_bsi(z).unwrap() * (1.0 + 1e-12));
}
