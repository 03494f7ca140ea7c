//! Runs of the views against runs of the mechanism itself.

use crate::Solver;
use crate::equations::{FirstOrderView, Form, Ggl, Index1, Index2, Index3, Parts};
use crate::linear::Choice;
use crate::method::Method;
use crate::start::consistent_start;
use crate::system::testing::*;
use crate::system::{Differentiated, FirstOrderSystem, MechanicalSystem, Scalar, Sketch};

/// Differences of q, v and λ at `until` between the view and the mechanism, and the mean step of the view.
fn differences<F: Form>(
    system: &dyn MechanicalSystem,
    q: &[f64],
    v: &[f64],
    until: f64,
    tolerance: f64,
) -> ([f64; 3], [u8; 3]) {
    let view = FirstOrderView::<F>::new(system);
    let start = consistent_start(system, 0.0, q, v, Choice::Auto).unwrap();
    let x = view.layout().state(&start.q, &start.v, &start.a, &start.lambda);
    let of_view = Solver::first_order(&view).method(Method::radau()).tolerance(tolerance);
    let found = of_view.run(0.0, until, &x).unwrap();
    let of_mechanism = Solver::mechanical(system).method(Method::radau()).tolerance(tolerance);
    let expected = of_mechanism.run(0.0, until, &[q, v].concat()).unwrap();
    let Parts { q, v, lambda, .. } = view.layout().split(&found.y);
    let pairs = [(q, expected.q()), (v, expected.v()), (lambda, expected.lambda())];
    let differences = pairs.map(|(x, y)| {
        let size = y.iter().fold(1.0, |size: f64, y| size.max(y.abs()));
        x.iter().zip(y).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs() / size))
    });
    let index = view.composition().index.clone().unwrap();
    let highest = |range: std::ops::Range<usize>| index[range].iter().copied().max().unwrap_or(0);
    (differences, [highest(view.layout().q()), highest(view.layout().v()), highest(view.layout().lambda())])
}

/// A form agrees with the mechanism within 100 times the tolerance in variables of index 1. Those of index 2 and 3 are
/// weighted with h and h² in the norms of first-order systems, and h grows with the order of the method: they agree
/// within tol^0.6 and tol^0.4, which is what a run of general first-order systems guarantees.
fn assert_form<F: Form>(system: &dyn MechanicalSystem, q: &[f64], v: &[f64], until: f64, tolerance: f64) {
    let (differences, index) = differences::<F>(system, q, v, until, tolerance);
    let bounds = index.map(|index| match index {
        0 | 1 => 100.0 * tolerance,
        2 => tolerance.powf(0.6),
        _ => tolerance.powf(0.4),
    });
    let agree = differences.iter().zip(&bounds).all(|(difference, bound)| difference <= bound);
    assert!(agree, "{}: {differences:?} with bounds {bounds:?}", F::FORMULATION.name());
}

fn assert_agree(system: &dyn MechanicalSystem, q: &[f64], v: &[f64], until: f64, tolerance: f64) {
    assert_form::<Index3>(system, q, v, until, tolerance);
    assert_form::<Index2>(system, q, v, until, tolerance);
    assert_form::<Ggl>(system, q, v, until, tolerance);
    assert_form::<Index1>(system, q, v, until, tolerance);
}

#[test]
fn pendulum() {
    let system = Differentiated::new(Pendulum);
    assert_agree(&system, &[1.0, 0.0], &[0.0, 0.0], 2.0, 1e-10);
}

#[test]
fn everything() {
    let system = Differentiated::new(Everything { mass_by: MassBy::Entries });
    assert_agree(&system, &[1.0, 1.0, 0.2], &[0.2, 0.1, 0.3], 0.5, 1e-10);
}

#[test]
fn springs_soft_and_stiff() {
    for compliance in [1e-2, 1e-8, 1e-12] {
        let system = Sketch::new(["x", "y"])
            .potential(|q| q[1])
            .spring("spring", compliance, |_t, q| q[0].hypot(q[1]) - 1.0);
        let (q, v) = ([0.0, -1.0 - 1.25 * compliance], [0.5, 0.0]);
        assert_agree(&Differentiated::new(system), &q, &v, 2.0, 1e-8);
    }
}
