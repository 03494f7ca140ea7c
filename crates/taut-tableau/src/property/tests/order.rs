use super::{any_member, members};
use crate::number::{DoubleDouble, Scalar};
use crate::testing::deterministic;
use crate::{Family, Matrix, RootedTrees, SimplifyingAssumptions, Tableau, TableauError};
use proptest::prelude::*;

#[test]
fn simplifying_assumptions_are_those_of_the_literature() {
    for family in Family::ALL[..8].iter().copied() {
        for s in family.stages() {
            let (b, c, d) = match family {
                Family::Gauss => (2 * s, s, s),
                Family::RadauIa => (2 * s - 1, s - 1, s),
                Family::RadauIia => (2 * s - 1, s, s - 1),
                Family::LobattoIiia => (2 * s - 2, s, s - 2),
                Family::LobattoIiib => (2 * s - 2, s - 2, s),
                _ => (2 * s - 2, s - 1, s - 1),
            };
            let tableau = family.tableau(s).unwrap();
            assert_eq!(tableau.simplifying_assumptions(), SimplifyingAssumptions { b, c, d }, "{family} {s}");
            assert_eq!((tableau.order(), tableau.stage_order()), (b, c), "{family} {s}");
        }
    }
}

#[test]
fn trees_are_counted_as_by_cayley() {
    let trees = RootedTrees::up_to(10);
    let counts: Vec<usize> = (1..=10).map(|order| trees.count(order)).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115, 286, 719]);
}

#[test]
fn trees_confirm_the_order_of_the_families() {
    let trees = RootedTrees::up_to(9);
    for tableau in members().iter().filter(|tableau| tableau.stages() <= 5 && tableau.stage_order() > 0) {
        let order = tableau.order().min(9);
        let defects = trees.defects(&tableau.exact().a, &tableau.exact().b, 1.0);
        assert!(defects[..order].iter().all(|&defect| defect < 1e-28), "{} {defects:?}", tableau.name());
        if order < 9 {
            assert!(defects[order] > 1e-10, "{} {} {defects:?}", tableau.name(), tableau.stages());
        }
    }
}

#[test]
fn the_classical_method_is_recognised() {
    let a = Matrix::from_fn(4, 4, |i, j| if j + 1 == i { [0.5, 0.5, 1.0][j] } else { 0.0 });
    let classical =
        Tableau::new("kutta", &a, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], &[0.0, 0.5, 0.5, 1.0]);
    let classical = classical.unwrap();
    assert_eq!((classical.order(), classical.stage_order()), (4, 1));
    assert!(classical.is_explicit() && !classical.stability_function().is_a_stable());
    assert_eq!(classical.stability_function().numerator().degree(), 4);
    assert_eq!(classical.name(), "kutta");
    assert_eq!(classical.family(), None);
}

#[test]
fn tableaux_that_do_not_fit_are_refused() {
    let a = Matrix::<f64>::identity(2);
    let shape = Tableau::new("x", &a, &[1.0], &[1.0]).unwrap_err();
    assert_eq!(shape, TableauError::Shape { rows: 2, columns: 2, weights: 1, nodes: 1 });
    assert_eq!(shape.to_string(), "A is 2 by 2, b has 1 and c has 1 entries: they do not fit");
    let infinite = Tableau::new("x", &a, &[1.0, f64::NAN], &[1.0, 1.0]).unwrap_err();
    assert_eq!(infinite, TableauError::NotFinite { name: "x".to_owned() });
}

proptest! {
    #![proptest_config(deterministic(64))]

    /// B(p) and C(q) say: polynomials up to degree p-1 and q-1 are integrated exactly.
    #[test]
    fn polynomials_are_integrated_exactly(tableau in any_member(), coefficients in prop::collection::vec(-1.0..1.0_f64, 24)) {
        let assumptions = tableau.simplifying_assumptions();
        let exact = tableau.exact();
        let integral = |x: DoubleDouble, degree: usize| (0..degree).rev().fold(DoubleDouble::ZERO, |sum, k| {
            (sum + DoubleDouble::from(coefficients[k]) / DoubleDouble::from(k + 1)) * x
        });
        let value = |x: DoubleDouble, degree: usize| (0..degree).rev().fold(DoubleDouble::ZERO, |sum, k| {
            sum * x + DoubleDouble::from(coefficients[k])
        });
        let values: Vec<DoubleDouble> = exact.c.iter().map(|&node| value(node, assumptions.b)).collect();
        let sum = crate::number::dot(&exact.b, &values);
        prop_assert!((sum - integral(DoubleDouble::ONE, assumptions.b)).magnitude() < 1e-28);
        let values: Vec<DoubleDouble> = exact.c.iter().map(|&node| value(node, assumptions.c)).collect();
        for (sum, &node) in exact.a.times(&values).iter().zip(&exact.c) {
            prop_assert!((*sum - integral(node, assumptions.c)).magnitude() < 1e-28);
        }
    }

    /// The rounded coefficients fulfil the same to the accuracy of f64.
    #[test]
    fn rounded_coefficients_integrate_powers(tableau in any_member(), k in 1..24_i32) {
        prop_assume!(k as usize <= tableau.order());
        let sum: f64 = tableau.b().iter().zip(tableau.c()).map(|(b, c)| b * c.powi(k - 1)).sum();
        prop_assert!((sum - 1.0 / f64::from(k)).abs() < 4e-16, "{} {}: {sum}", tableau.name(), tableau.stages());
    }
}
