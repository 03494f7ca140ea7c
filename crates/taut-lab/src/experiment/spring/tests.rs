use taut_tableau::Family;
use taut_tableau::number::DoubleDouble;

use super::super::series::Series;
use super::expansion::Expansion;
use super::runge_kutta::{Expanded, Stepper};
use super::tangent_start;
use super::vibration::vibrate;

#[test]
fn coefficients_at_the_start_are_the_known_ones() {
    let expansion = Expansion::at_start(tangent_start(), 3);
    let known = [
        ([0.6, -0.8], [0.4, 0.3]),
        ([0.63, -0.84], [-0.54, 0.72]),
        ([-0.4455, 0.594], [-0.891, 1.188]),
        ([0.39555, -0.5274], [-2.4786, 3.3048]),
    ];
    for (found, (y, v)) in expansion.coefficients.iter().zip(known) {
        for (found, known) in found.rounded().iter().zip([y[0], y[1], v[0], v[1]]) {
            assert!((found - known).abs() < 1e-14, "{found} {known}");
        }
    }
}

#[test]
fn the_expansion_is_a_solution() {
    let expansion = Expansion::at_start(tangent_start(), 8);
    let epsilon = 1.0 / 64.0;
    let exact = vibrate(expansion.sum(epsilon, 8), epsilon, 64);
    let found = expansion.after(1.0).sum(epsilon, 8);
    let [y, v] = found.minus(&exact[63]).sizes();
    assert!(y < 1e-22 && v < 1e-20, "{y:e} {v:e}");
}

#[test]
fn runge_kutta_commutes_with_expansion() -> Result<(), Box<dyn std::error::Error>> {
    let tableau = Family::RadauIia.tableau(3)?;
    let h = DoubleDouble::from(0.125);
    let expansion = Expansion::at_start(tangent_start(), 3);
    let expanded =
        Stepper::new(&tableau, h, Series::parameter()).run(Expanded::<3>::new(&expansion.coefficients), 2)?;
    let remainder = |epsilon: f64| -> Result<f64, Box<dyn std::error::Error>> {
        let compliance = Series::from(DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon));
        let start = Expanded::<1>::new(&[expansion.sum(epsilon, 2)]);
        let end = Stepper::new(&tableau, h, compliance).run(start, 2)?;
        let coefficients = (0..3).map(|k| expanded.coefficient(k)).collect();
        let sum = Expansion { coefficients }.sum(epsilon, 2);
        Ok(end.coefficient(0).minus(&sum).sizes()[0])
    };
    let ratio = remainder(2e-4)? / remainder(1e-4)?;
    assert!((ratio - 64.0).abs() < 1.0, "{ratio}");
    Ok(())
}
