//! What cannot be evaluated is named.

use crate::system::testing::*;
use crate::system::{
    Differentiated, Evaluation, Fault, FirstOrder, FirstOrderSystem, ForceClass, Linearised, Mass,
    Mechanical, MechanicalSystem, Scalar, Sketch, Terms,
};

fn not_finite(quantity: &'static str, name: &str, t: f64) -> Evaluation {
    Err(Fault::NotFinite { quantity, name: name.into(), t })
}

/// Roots in forces.
struct RootedForces;

impl Mechanical for RootedForces {
    fn coordinates(&self) -> Vec<String> {
        vec!["a".into(), "b".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn force<S: Scalar>(&self, class: ForceClass, _t: S, q: &[S], v: &[S], force: &mut [S]) {
        match class {
            ForceClass::Conservative => force[1] += q[1].sqrt(),
            ForceClass::Dissipative => force[0] -= v[1].sqrt(),
            ForceClass::Driving | ForceClass::Oscillatory => {}
        }
    }
}

/// A root in a spring.
fn rooted_spring() -> Sketch {
    Sketch::new(["a", "b"]).rod("rod", |t, q| q[0] * t).spring("spring", 1.0, |_t, q| q[1].sqrt())
}

#[test]
fn forces_that_are_not_finite_are_named() {
    let system = Differentiated::new(RootedForces);
    let force = |terms, q1, v1| system.force(terms, 3.0, &[1.0, q1], &[1.0, v1], &mut [0.0; 2]);
    assert_eq!(force(Terms::CONSERVATIVE, -1.0, 1.0), not_finite("the force", "b", 3.0));
    assert_eq!(force(Terms::DISSIPATIVE, 1.0, -1.0), not_finite("the force", "a", 3.0));
    assert_eq!(force(Terms::DRIVING, -1.0, -1.0), Ok(()));
}

#[test]
fn constraints_that_are_not_finite_are_named() {
    let system = Differentiated::new(rooted_spring());
    let (q, v) = ([1.0, -1.0], [1.0, 1.0]);
    let mut rows = [0.0; 2];
    assert_eq!(system.constraint(3.0, &q, &mut rows), not_finite("the constraint", "spring", 3.0));
    let fault = system.jacobian(3.0, &q, &v, &mut [0.0; 4]);
    assert_eq!(fault, not_finite("the constraint Jacobian", "spring", 3.0));
    let fault = system.constraint_rate(3.0, &q, &v, &mut rows);
    assert_eq!(fault, not_finite("the rate of the constraint", "spring", 3.0));
    let fault = system.curvature(3.0, &q, &v, &mut rows);
    assert_eq!(fault, not_finite("the curvature of the constraint", "spring", 3.0));
    let fault = system.energy(3.0, &q, &v).map(|_| ());
    assert_eq!(fault, not_finite("the energy", "potential", 3.0));
}

/// √q has a value but no slope at 0.
#[test]
fn slopes_that_are_not_finite_are_named() {
    let (q, v) = ([1.0, 0.0], [1.0, 1.0]);
    let system = Differentiated::new(rooted_spring());
    assert_eq!(system.constraint(3.0, &q, &mut [0.0; 2]), Ok(()));
    let fault = system.jacobian(3.0, &q, &v, &mut [0.0; 4]);
    assert_eq!(fault, not_finite("the constraint Jacobian", "spring", 3.0));

    let system = Differentiated::new(RootedForces);
    let structure = system.structure();
    let (mut stiffness, mut damping) =
        (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
    let mut blocks = |q: &[f64], v: &[f64]| {
        system.newton_blocks(Terms::ACCELERATING, 3.0, q, v, &[0.0; 2], &[], &mut stiffness, &mut damping)
    };
    assert_eq!(system.force(Terms::ACCELERATING, 3.0, &q, &v, &mut [0.0; 2]), Ok(()));
    assert_eq!(blocks(&q, &v), not_finite("the stiffness", "b", 3.0));
    assert_eq!(blocks(&[1.0, 1.0], &[1.0, 0.0]), not_finite("the damping", "a", 3.0));
    assert_eq!(blocks(&[1.0, 1.0], &[1.0, 1.0]), Ok(()));
}

/// The mass of "b" is a logarithm.
struct Heavy;

impl Mechanical for Heavy {
    fn coordinates(&self) -> Vec<String> {
        vec!["a".into(), "b".into()]
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.add(0, 0, S::constant(1.0));
        mass.add(1, 1, q[0].ln());
    }
}

#[test]
fn a_mass_that_is_not_finite_is_named() {
    let system = Differentiated::new(Heavy);
    let Err(Fault::NotFinite { quantity, name, .. }) = system.mass(&[-1.0, 0.0], &mut [0.0; 2]) else {
        panic!("a mass of NaN was accepted");
    };
    assert_eq!((quantity, name.as_str()), ("the mass", "b"));
    let fault = system.energy(1.0, &[-1.0, 0.0], &[1.0, 1.0]).map(|_| ());
    assert_eq!(fault, not_finite("the energy", "kinetic", 1.0));
}

/// The extreme finite numbers are finite.
#[test]
fn large_numbers_are_not_faults() {
    let system =
        Differentiated::new(Sketch::new(["a", "b"]).potential(|q| q[0] * f64::MAX - q[1] * f64::MAX));
    let mut force = [0.0; 2];
    assert_eq!(system.force(Terms::POTENTIAL, 0.0, &[0.0; 2], &[0.0; 2], &mut force), Ok(()));
    assert_eq!(force, [-f64::MAX, f64::MAX]);
}

struct Fenced;

fn beyond(t: f64, x: f64) -> Evaluation {
    if x < 1.0 {
        Ok(())
    } else {
        Err(Fault::OutsideDomain { t, reason: format!("x = {x} is beyond the fence") })
    }
}

impl Mechanical for Fenced {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        assert!(q[0].value() < 1.5, "evaluated beyond the fence");
        q[0]
    }
    fn domain(&self, t: f64, q: &[f64], _v: &[f64]) -> Evaluation {
        beyond(t, q[0])
    }
}

impl FirstOrder for Fenced {
    fn variables(&self) -> Vec<String> {
        vec!["x".into()]
    }
    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        assert!(x[0].value() < 1.5, "evaluated beyond the fence");
        rate[0] = x[0];
    }
    fn domain(&self, t: f64, x: &[f64]) -> Evaluation {
        beyond(t, x[0])
    }
}

#[test]
fn states_outside_the_domain_are_refused_and_not_evaluated() {
    let refused = beyond(0.5, 2.0);
    let system = Differentiated::new(Fenced);
    let mut one = [0.0];
    assert_eq!(system.force(Terms::ACCELERATING, 0.5, &[2.0], &[0.0], &mut one), refused);
    let mut blocks = [[0.0]; 2];
    let [stiffness, damping] = &mut blocks;
    let fault =
        system.newton_blocks(Terms::ACCELERATING, 0.5, &[2.0], &[0.0], &[0.0], &[], stiffness, damping);
    assert_eq!(fault, refused);
    assert_eq!(system.energy(0.5, &[2.0], &[0.0]).map(|_| ()), refused);
    let system = Linearised::new(Fenced);
    assert_eq!(system.rate(0.5, &[2.0], &mut one), refused);
    assert_eq!(system.jacobian(0.5, &[2.0], &mut one), refused);
    assert_eq!(system.rate(0.5, &[0.5], &mut one), Ok(()));
}

/// √x in x', x'' and so on, in a first-order system.
struct Rooted;

impl FirstOrder for Rooted {
    fn variables(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        rate[0] = x[1];
        rate[1] = x[0].sqrt();
    }
}

#[test]
fn first_order_systems_name_their_variables() {
    let system = Linearised::new(Rooted);
    assert_eq!(system.rate(2.0, &[-1.0, 0.0], &mut [0.0; 2]), not_finite("the rate", "y", 2.0));
    let mut jacobian = vec![0.0; system.composition().jacobian.nnz()];
    assert_eq!(system.jacobian(2.0, &[0.0, 0.0], &mut jacobian), not_finite("the Jacobian", "y", 2.0));
    assert_eq!(system.jacobian(2.0, &[4.0, 0.0], &mut jacobian), Ok(()));
    assert_eq!(full(&system.composition().jacobian, &jacobian), [[0.0, 0.25], [1.0, 0.0]]);
}

#[test]
fn faults_are_sentences() {
    let fault = Fault::NotFinite { quantity: "the force", name: "x".into(), t: 1.5 };
    assert_eq!(fault.to_string(), "the force of 'x' is not finite at t = 1.5");
    let fault = Fault::OutsideDomain { t: 1.5, reason: "the wheel lifts off".into() };
    assert_eq!(fault.to_string(), "outside the domain of the system at t = 1.5: the wheel lifts off");
}

#[test]
fn an_error_that_was_raised_keeps_its_own_type() {
    let cause = std::io::Error::other("the sensor is silent");
    let fault = Fault::raised(1.5, cause);
    assert_eq!(fault, fault.clone());
    assert_ne!(fault, Fault::raised(1.5, "the sensor is silent"));
    let Fault::Raised { error, .. } = &fault else { panic!("{fault}") };
    assert!(error.error().is::<std::io::Error>());
    assert!(std::error::Error::source(&fault).is_some_and(|source| source.is::<std::io::Error>()));
}
