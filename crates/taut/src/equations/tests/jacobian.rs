//! Rates and Jacobians of the views against the mechanism and against differences.

use proptest::prelude::*;

use crate::equations::{FirstOrderView, Form, Ggl, Index1, Index2, Index3};
use crate::system::testing::*;
use crate::system::{Differentiated, FirstOrderSystem, MechanicalSystem, Scalar, Sketch, Terms};

fn rate(view: &dyn FirstOrderSystem, t: f64, x: &[f64]) -> Vec<f64> {
    let mut rate = vec![f64::NAN; x.len()];
    view.rate(t, x, &mut rate).unwrap();
    rate
}

fn assert_jacobian<F: Form>(system: &dyn MechanicalSystem, t: f64, numbers: &[f64]) {
    let view = FirstOrderView::<F>::new(system);
    let x = &numbers[..view.layout().len()];
    let pattern = &view.composition().jacobian;
    let mut jacobian = vec![f64::NAN; pattern.nnz()];
    view.jacobian(t, x, &mut jacobian).unwrap();
    let expected = columns(x, |x| rate(&view, t, x));
    for (j, (found, expected)) in full(pattern, &jacobian).iter().zip(&expected).enumerate() {
        let what = format!("{}: ∂/∂{}", F::FORMULATION.name(), view.composition().variables[j]);
        assert_close(found, expected, 1e-9, &what);
    }
}

fn assert_all(system: &dyn MechanicalSystem, t: f64, numbers: &[f64]) {
    assert_jacobian::<Index3>(system, t, numbers);
    assert_jacobian::<Index2>(system, t, numbers);
    assert_jacobian::<Ggl>(system, t, numbers);
    assert_jacobian::<Index1>(system, t, numbers);
}

/// Constraints with constant G: on positions, with a time dependence, and on velocities.
fn on_rails() -> Sketch {
    Sketch::new(["x", "y", "z"])
        .potential(|q| (q[0] * q[1]).square() + q[2])
        .rod("rail", |t, q| q[0] * 2.0 - q[1] + t * t)
        .nonholonomic_rod("belt", |t, _q, v| v[2] - v[0] * 0.5 - t)
}

proptest! {
    #![proptest_config(deterministic(16))]

    #[test]
    fn of_a_pendulum(t in 0.0..2.0_f64, x in prop::collection::vec(0.3..1.5_f64, 8)) {
        assert_all(&Differentiated::new(Pendulum), t, &x);
    }

    #[test]
    fn of_everything(t in 0.0..1.5_f64, x in prop::collection::vec(-1.0..1.0_f64, 13)) {
        assert_all(&Differentiated::new(Everything { mass_by: MassBy::Entries }), t, &x);
        assert_all(&Differentiated::new(sketch_of_everything()), t, &x);
    }

    #[test]
    fn of_a_chain(t in 0.0..1.5_f64, x in prop::collection::vec(-1.0..1.0_f64, 40)) {
        assert_all(&Differentiated::new(Chain { links: 5 }), t, &x);
    }

    #[test]
    fn of_constant_constraints(t in 0.0..1.5_f64, x in prop::collection::vec(-1.0..1.0_f64, 12)) {
        assert_all(&Differentiated::new(on_rails()), t, &x);
    }

    /// Each row is what the form says it is.
    #[test]
    fn rows_are_those_of_the_form(t in 0.0..1.5_f64, x in prop::collection::vec(-1.0..1.0_f64, 13)) {
        let system = Differentiated::new(Everything { mass_by: MassBy::Entries });
        let (q, v, a, lambda) = (&x[..3], &x[3..6], &x[6..9], &x[9..12]);
        let at = At { system: &system, t, q, v };
        let spring = at.constraint()[1] - COMPLIANCE * lambda[1];
        let skate = at.rate()[2];
        let accelerations = along(&at.jacobian_times(a), &at.curvature(), 1.0);
        let balance = at.balance(Terms::ACCELERATING, a, lambda);
        let expected = |rod: f64, skate: f64| [v, a, &balance, &[rod, spring, skate]].concat();

        let found = rate(&FirstOrderView::<Index3>::new(&system), t, &x[..12]);
        assert_close(&found, &expected(at.constraint()[0], skate), 1e-14, "index 3");
        let found = rate(&FirstOrderView::<Index2>::new(&system), t, &x[..12]);
        assert_close(&found, &expected(at.rate()[0], skate), 1e-14, "index 2");
        let found = rate(&FirstOrderView::<Index1>::new(&system), t, &x[..12]);
        assert_close(&found, &expected(accelerations[0], accelerations[2]), 1e-14, "index 1");

        let found = rate(&FirstOrderView::<Ggl>::new(&system), t, &x);
        let rod = full(&system.structure().jacobian, &at.jacobian()).iter().map(|column| column[0]).collect::<Vec<_>>();
        let mut with_second = [expected(at.rate()[0], skate), vec![at.constraint()[0]]].concat();
        with_second[..3].copy_from_slice(&along(v, &rod, -x[12]));
        assert_close(&found, &with_second, 1e-14, "ggl");
    }
}
