use super::{any_member, members};
use crate::number::{Complex, DoubleDouble, Factored, Matrix, Polynomial, Scalar};
use crate::testing::deterministic;
use crate::{Family, Tableau};
use proptest::prelude::*;

fn factorial(n: usize) -> DoubleDouble {
    (1..=n).fold(DoubleDouble::ONE, |product, k| product * DoubleDouble::from(k))
}

/// Numerator of the Pade approximation R_kj of the exponential function; the denominator is that of R_jk at -z.
fn pade_numerator(k: usize, j: usize) -> Vec<DoubleDouble> {
    let term =
        |i: usize| factorial(k) * factorial(j + k - i) / (factorial(j + k) * factorial(i) * factorial(k - i));
    (0..=k).map(term).collect()
}

fn assert_polynomial(polynomial: &Polynomial, expected: &[DoubleDouble], sign: f64, what: &str) {
    assert_eq!(polynomial.degree(), expected.len() - 1, "{what}");
    for (i, &expected) in expected.iter().enumerate() {
        let expected = DoubleDouble::from(sign.powi(i as i32)) * expected;
        let defect = (polynomial.coefficient(i) - expected).magnitude() / expected.magnitude();
        assert!(defect < 1e-20, "{what}: coefficient {i} is off by {defect}");
    }
}

#[test]
fn stability_functions_are_pade_approximations() {
    for family in Family::ALL[..7].iter().copied() {
        for s in family.stages() {
            let (k, j) = match family {
                Family::Gauss => (s, s),
                Family::RadauIa | Family::RadauIia => (s - 1, s),
                Family::LobattoIiia | Family::LobattoIiib => (s - 1, s - 1),
                Family::LobattoIiic => (s - 2, s),
                _ => (s, s - 2),
            };
            let stability = family.tableau(s).unwrap().stability_function();
            let what = format!("{family} {s}");
            assert_polynomial(stability.numerator(), &pade_numerator(k, j), 1.0, &what);
            assert_polynomial(stability.denominator(), &pade_numerator(j, k), -1.0, &what);
        }
    }
}

#[test]
fn linear_stability_is_that_of_the_literature() {
    for family in Family::ALL[..8].iter().copied() {
        for s in family.stages() {
            let stability = family.tableau(s).unwrap().stability_function();
            let damped = matches!(family, Family::RadauIa | Family::RadauIia | Family::LobattoIiic);
            let explosive = family == Family::LobattoIiicStar;
            let conserving = !damped && !explosive;
            assert_eq!(stability.is_a_stable(), !explosive, "{family} {s}: A-stable");
            assert_eq!(stability.is_l_stable(), damped, "{family} {s}: L-stable");
            assert_eq!(stability.is_p_stable(), conserving, "{family} {s}: P-stable");
            assert_eq!(stability.is_explosive(), !damped, "{family} {s}: explosive");
            assert_eq!(stability.is_unconditionally_explosive(), explosive, "{family} {s}");
            assert_eq!(stability.damps_all_oscillations(), damped, "{family} {s}: (3.5) of Lubich");
            let expected = match family {
                Family::Gauss | Family::LobattoIiid => {
                    if s % 2 == 0 {
                        1.0
                    } else {
                        -1.0
                    }
                }
                Family::LobattoIiia | Family::LobattoIiib => {
                    if s % 2 == 0 {
                        -1.0
                    } else {
                        1.0
                    }
                }
                Family::LobattoIiicStar => f64::INFINITY,
                _ => 0.0,
            };
            assert_eq!(stability.at_infinity(), expected, "{family} {s}: R(inf)");
        }
    }
}

#[test]
fn nonlinear_properties_are_those_of_the_literature() {
    for family in Family::ALL[..8].iter().copied() {
        for s in family.stages() {
            let properties = family.tableau(s).unwrap().properties();
            let symplectic = matches!(family, Family::Gauss | Family::LobattoIiid);
            let dissipative = matches!(family, Family::RadauIa | Family::RadauIia | Family::LobattoIiic);
            let symmetric = symplectic || matches!(family, Family::LobattoIiia | Family::LobattoIiib);
            let stiffly = matches!(family, Family::RadauIia | Family::LobattoIiia | Family::LobattoIiic)
                || (family == Family::RadauIa && s == 1);
            let adjoint = match family {
                Family::LobattoIiic => Some(Family::LobattoIiicStar),
                Family::LobattoIiicStar => Some(Family::LobattoIiic),
                _ => symmetric.then_some(family),
            };
            let singular =
                matches!(family, Family::LobattoIiia | Family::LobattoIiib | Family::LobattoIiicStar);
            assert_eq!(properties.invertible, !singular, "{family} {s}");
            assert_eq!(family.tableau(s).unwrap().inverse().is_ok(), !singular, "{family} {s}");
            assert_eq!(properties.symplectic, symplectic, "{family} {s}");
            assert_eq!(properties.algebraically_stable, symplectic || dissipative, "{family} {s}");
            assert_eq!(properties.symmetric, symmetric, "{family} {s}");
            assert_eq!(properties.stiffly_accurate, stiffly, "{family} {s}");
            assert_eq!(properties.adjoint, adjoint, "{family} {s}");
        }
    }
}

#[test]
fn explosivity_does_not_need_a_pade_approximation() {
    // R = (1 + z/2)^2: two explicit half steps (against "only if" in Jay 1998, section 5.3).
    let a = Matrix::from_fn(2, 2, |i, j| if i > j { 0.5 } else { 0.0 });
    let method = Tableau::new("two half steps", &a, &[0.5, 0.5], &[0.0, 0.5]).unwrap();
    assert_eq!(method.stability_function().numerator().to_f64(), [1.0, 1.0, 0.25]);
    assert!(method.stability_function().is_unconditionally_explosive());
    assert!(!method.stability_function().is_a_stable());
}

#[test]
fn instability_inside_the_axis_is_seen() {
    // The theta method is A-stable from theta = 1/2 on.
    for (theta, stable) in [(0.49, false), (0.5, true), (0.51, true), (1.0, true)] {
        let a = Matrix::from_fn(1, 1, |_, _| theta);
        let stability = Tableau::new("theta", &a, &[1.0], &[theta]).unwrap().stability_function();
        assert_eq!(stability.is_a_stable(), stable, "theta = {theta}");
        assert_eq!(stability.damps_all_oscillations(), theta > 0.5, "theta = {theta}");
    }
    // SDIRK with two stages of order 2 is A-stable from gamma = 1/4 on.
    for (gamma, stable) in [(0.2, false), (0.24, false), (0.26, true), (0.4, true)] {
        let a = Matrix::from_fn(2, 2, |i, j| {
            if i == j {
                gamma
            } else if i > j {
                1.0 - 2.0 * gamma
            } else {
                0.0
            }
        });
        let method = Tableau::new("sdirk", &a, &[0.5, 0.5], &[gamma, 1.0 - gamma]).unwrap();
        assert_eq!(method.order(), 2, "gamma = {gamma}");
        assert_eq!(method.stability_function().is_a_stable(), stable, "gamma = {gamma}");
    }
}

fn solved(tableau: &Tableau, z: Complex) -> Complex {
    let s = tableau.stages();
    let matrix = Matrix::from_fn(s, s, |i, j| {
        Complex::from(if i == j { 1.0 } else { 0.0 }) - z * Complex::from(tableau.exact().a[(i, j)])
    });
    let x = Factored::new(&matrix).unwrap().solve(&vec![Complex::from(1.0); s]);
    let sum =
        x.iter().zip(&tableau.exact().b).fold(Complex::from(0.0), |sum, (&x, &b)| sum + x * Complex::from(b));
    Complex::from(1.0) + z * sum
}

proptest! {
    #![proptest_config(deterministic(64))]

    #[test]
    fn the_quotient_is_the_solution_of_the_test_equation(tableau in any_member(), re in -20.0..-0.1_f64, im in -20.0..20.0_f64) {
        let exact = solved(&tableau, Complex::new(re.into(), im.into()));
        let (value_re, value_im) = tableau.stability_function().value(re, im);
        let scale = 1.0 + exact.magnitude();
        prop_assert!((value_re - exact.re.to_f64()).abs() < 1e-13 * scale && (value_im - exact.im.to_f64()).abs() < 1e-13 * scale);
    }

    #[test]
    fn stable_methods_contract_and_explosive_ones_expand(tableau in any_member(), re in 1e-3..50.0_f64, im in -50.0..50.0_f64) {
        let stability = tableau.stability_function();
        let modulus = |(x, y): (f64, f64)| x.hypot(y);
        if stability.is_a_stable() {
            prop_assert!(modulus(stability.value(-re, im)) < 1.0);
        }
        if stability.is_explosive() {
            prop_assert!(modulus(stability.value(re, im)) > 1.0);
        }
        if stability.is_p_stable() {
            prop_assert!((modulus(stability.value(0.0, im)) - 1.0).abs() < 1e-12);
        }
        if stability.damps_all_oscillations() && im.abs() > 30.0 {
            prop_assert!(modulus(stability.value(0.0, im)) < 1.0);
        }
    }

    /// R*(z) R(-z) = 1, and the adjoint of the adjoint is the method.
    #[test]
    fn adjoints_undo_steps(tableau in any_member(), re in -5.0..-0.1_f64, im in -5.0..5.0_f64) {
        let adjoint = tableau.adjoint();
        let back = adjoint.adjoint();
        prop_assert!(back.exact().distance(tableau.exact()) < 1e-30);
        let (x, y) = tableau.stability_function().value(re, im);
        let (u, v) = adjoint.stability_function().value(-re, -im);
        prop_assert!((x * u - y * v - 1.0).abs() < 1e-12 && (x * v + y * u).abs() < 1e-12);
    }

    /// A symplectic method keeps quadratic invariants: no term of y^T y is left, whatever the stages are.
    #[test]
    fn symplectic_methods_keep_quadratic_forms(tableau in any_member(), slopes in prop::collection::vec(-1.0..1.0_f64, 12)) {
        let matrix = tableau.algebraic_stability_matrix();
        let s = tableau.stages();
        let form: f64 = (0..s).map(|i| (0..s).map(|j| slopes[i] * matrix[(i, j)].to_f64() * slopes[j]).sum::<f64>()).sum();
        if tableau.is_symplectic() {
            prop_assert!(form.abs() < 1e-27);
        } else if tableau.is_algebraically_stable() {
            prop_assert!(form >= -1e-27);
        }
    }
}

#[test]
fn adjoints_carry_the_name_of_their_family() {
    let adjoint = Family::LobattoIiic.tableau(4).unwrap().adjoint();
    assert_eq!((adjoint.name(), adjoint.family()), ("lobatto-iiic*", Some(Family::LobattoIiicStar)));
    let adjoint = Family::RadauIia.tableau(3).unwrap().adjoint();
    assert_eq!((adjoint.name(), adjoint.family()), ("adjoint of radau", None));
}

#[test]
fn the_members_are_all_there() {
    assert_eq!(members().len(), 3 * 12 + 5 * 11);
}
