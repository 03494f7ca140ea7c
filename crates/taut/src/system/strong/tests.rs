//! Foot points: ψ is a square root of U, whatever the directions, and its derivatives are right.

use proptest::prelude::*;

use super::foot::Foot;
use super::{FootPointError, FootPoints, Potential};
use crate::linear::SymmetricEigen;
use crate::seen::{MechanicalSystem, MotionSeries, MovingFrame};
use crate::system::mechanical::{Mass, Mechanical};
use crate::system::number::{Scalar, Series};
use crate::system::testing::deterministic;

/// Two coupled and anharmonic springs in space; masses that depend on the position.
#[derive(Clone, Copy, Debug)]
struct Springs {
    epsilon: f64,
}

impl Mechanical for Springs {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z", "w"].map(String::from).to_vec()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(2.0));
        mass.add(0, 1, q[2].sin() * 0.5);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[2] * q[3]
    }
    fn epsilon(&self) -> Option<f64> {
        Some(self.epsilon)
    }
    /// It does not depend on the last coordinate.
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        let sphere = (q[0].square() + q[1].square() + q[2].square()).sqrt() - 1.0;
        let saddle = q[2] - q[0] * q[1];
        sphere.square()
            + saddle.square() * 2.0
            + sphere * saddle * 0.7
            + sphere.powi(4)
            + saddle.powi(3) * 0.3
    }
}

impl Potential for Springs {
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.strong_potential(q)
    }
}

/// A point of the manifold: x y = z and |q| = 1.
fn on_manifold(x: f64) -> [f64; 4] {
    let y = ((1.0 - x * x) / (1.0 + x * x)).sqrt();
    [x, y, x * y, 0.4]
}

fn near(x: f64, off: &[f64]) -> Vec<f64> {
    on_manifold(x).iter().zip(off).map(|(q, off)| q + off).collect()
}

fn psi(system: &impl MechanicalSystem, q: &[f64]) -> Vec<f64> {
    let mut psi = vec![0.0; 2];
    system.constraint(0.0, q, &mut psi).unwrap();
    psi
}

fn half_square(psi: &[f64]) -> f64 {
    psi.iter().map(|psi| 0.5 * psi * psi).sum()
}

proptest! {
    #![proptest_config(deterministic(64))]

    /// Quadrature with three points is exact up to the sixth power of the distance.
    #[test]
    fn half_the_square_of_psi_is_the_potential(x in 0.2..0.8_f64, off in prop::collection::vec(-1.0..1.0_f64, 4)) {
        let system = FootPoints::of(Springs { epsilon: 0.1 }, &on_manifold(x)).unwrap();
        prop_assert_eq!(system.rank(), 2);
        for (size, tolerance) in [(1e-1, 1e-7), (1e-2, 1e-13), (1e-3, 1e-16)] {
            let off: Vec<f64> = off.iter().map(|x| x * size).collect();
            let q = near(x, &off);
            let potential: f64 = Springs { epsilon: 0.1 }.strong_potential(&q);
            let found = half_square(&psi(&system, &q));
            prop_assert!((found - potential).abs() < tolerance, "{} and {} at {}", found, potential, size);
        }
    }

    /// The force −ψ_qᵀλ with ψ = ε²λ is −∇U/ε².
    #[test]
    fn multipliers_act_like_the_gradient(x in 0.2..0.8_f64, off in prop::collection::vec(-1e-2..1e-2_f64, 4)) {
        let system = FootPoints::of(Springs { epsilon: 0.1 }, &on_manifold(x)).unwrap();
        let q = near(x, &off);
        let structure = system.structure();
        let mut jacobian = vec![0.0; structure.jacobian.nnz()];
        let mut force = vec![0.0; 4];
        system.jacobian(0.0, &q, &[0.0; 4], &mut jacobian).unwrap();
        structure.jacobian.transpose_multiply_add(&jacobian, &psi(&system, &q), &mut force, 1.0);
        for (j, force) in force.iter().enumerate() {
            let mut unit = [0.0; 4];
            unit[j] = 1.0;
            let slope = super::potential::slope(&Springs { epsilon: 0.1 }, &q, &unit);
            prop_assert!((force - slope).abs() < 1e-11, "{} and {}", force, slope);
        }
        prop_assert_eq!(structure.jacobian.nnz(), 6, "the last coordinate does not matter");
    }

    /// All derivatives against differences: rate, curvature, stiffness.
    #[test]
    fn derivatives_are_those_of_psi(x in 0.3..0.7_f64, off in prop::collection::vec(-1e-2..1e-2_f64, 4)) {
        let system = FootPoints::of(Springs { epsilon: 0.1 }, &on_manifold(x)).unwrap();
        let (q, v, lambda) = (near(x, &off), [0.3, -0.5, 0.2, 0.7], [0.8, -1.1]);
        let at = |tau: f64| -> Vec<f64> { q.iter().zip(v).map(|(q, v)| q + tau * v).collect() };
        let d = 1e-3;
        let [before, here, after] = [-d, 0.0, d].map(|tau| psi(&system, &at(tau)));
        let (mut rate, mut curvature) = (vec![0.0; 2], vec![0.0; 2]);
        system.constraint_rate(0.0, &q, &v, &mut rate).unwrap();
        system.curvature(0.0, &q, &v, &mut curvature).unwrap();
        for k in 0..2 {
            prop_assert!((rate[k] - (after[k] - before[k]) / (2.0 * d)).abs() < 1e-4);
            prop_assert!((curvature[k] - (after[k] - 2.0 * here[k] + before[k]) / (d * d)).abs() < 1e-4);
        }
        let structure = system.structure();
        let load = |q: &[f64]| {
            let mut jacobian = vec![0.0; structure.jacobian.nnz()];
            let mut load = vec![0.0; 4];
            system.jacobian(0.0, q, &v, &mut jacobian).unwrap();
            structure.jacobian.transpose_multiply_add(&jacobian, &lambda, &mut load, -1.0);
            load
        };
        let (mut stiffness, mut damping) = (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
        let none = crate::system::Terms::NONE;
        system.newton_blocks(none, 0.0, &q, &v, &[0.0; 4], &lambda, &mut stiffness, &mut damping).unwrap();
        let mut along = vec![0.0; 4];
        structure.stiffness.multiply_add(&stiffness, &v, &mut along, 1.0);
        let (before, after) = (load(&at(-d)), load(&at(d)));
        for i in 0..4 {
            prop_assert!((along[i] - (after[i] - before[i]) / (2.0 * d)).abs() < 1e-4);
        }
    }
}

#[test]
fn series_have_the_same_derivatives() {
    let q = near(0.5, &[1e-2, -2e-2, 1e-2, 0.0]);
    let system = FootPoints::of(Springs { epsilon: 0.1 }, &q).unwrap();
    let v = [0.3, -0.5, 0.2, 0.7];
    let moving: Vec<Series> = q.iter().zip(v).map(|(q, v)| Series::linear(*q, v)).collect();
    let (rest, lambda) = (vec![Series::zero(); 4], vec![Series::zero(); 2]);
    let along = MotionSeries { t: Series::zero(), q: &moving, v: &rest, a: &rest, lambda: &lambda };
    let (mut balance, mut constraint) = (rest.clone(), lambda.clone());
    assert!(system.series(&along, &mut balance, &mut constraint));
    let tau = 2e-2;
    let later: Vec<f64> = q.iter().zip(v).map(|(q, v)| q + tau * v).collect();
    for (series, psi) in constraint.iter().zip(psi(&system, &later)) {
        let sum: f64 = series.0.iter().rev().fold(0.0, |sum, coefficient| sum * tau + coefficient);
        assert!((sum - psi).abs() < 1e-13, "{sum} and {psi}");
    }
}

#[test]
fn new_directions_do_not_change_psi_on_the_manifold() {
    let system = FootPoints::of(Springs { epsilon: 0.1 }, &on_manifold(0.05)).unwrap();
    let jacobian = |q: &[f64]| {
        let mut jacobian = vec![0.0; system.structure().jacobian.nnz()];
        system.jacobian(0.0, q, &[0.0; 4], &mut jacobian).unwrap();
        jacobian
    };
    let first = system.save();
    let mut reselected = 0;
    for step in 1..=90 {
        let q = on_manifold(0.05 + 0.01 * f64::from(step));
        let (before, saved) = (jacobian(&q), system.save());
        system.follow(0.0, &q).unwrap();
        reselected += usize::from(system.save() != saved);
        for (before, after) in before.iter().zip(jacobian(&q)) {
            assert!((before - after).abs() < 1e-12, "{before} and {after}");
        }
        let directions = &system.save()[..8];
        let curvatures = super::potential::curvatures(&Springs { epsilon: 0.1 }, &q, directions);
        let least = SymmetricEigen::new(2, &curvatures).values[1];
        assert!(least > 0.5, "{least}");
    }
    assert!(reselected > 0);
    assert!(system.restore(&first) && system.save() == first);
    assert!(!system.restore(&first[1..]));
}

#[test]
fn ranks_are_found_off_the_manifold_too() {
    for x in [0.2, 0.5, 0.8] {
        for size in [0.0, 1e-3, 1e-2, 5e-2] {
            let q = near(x, &[size, -size, 0.5 * size, 0.0]);
            assert_eq!(FootPoints::of(Springs { epsilon: 1e-3 }, &q).unwrap().rank(), 2, "{x} {size}");
        }
    }
}

#[test]
fn what_does_not_fit_is_told_with_numbers() {
    let start = on_manifold(0.5);
    let wrong = |epsilon: f64, q: &[f64]| FootPoints::of(Springs { epsilon }, q).map(|_| ()).unwrap_err();
    assert_eq!(wrong(-1.0, &start), FootPointError::Epsilon(-1.0));
    assert_eq!(wrong(0.1, &start[1..]), FootPointError::Length { found: 3, expected: 4 });
    let far = wrong(0.1, &[0.01, 0.01, 0.01, 0.0]);
    assert!(matches!(far, FootPointError::NoManifold { .. }), "{far}");
    assert!(far.to_string().contains("least on no manifold close to the start"), "{far}");
}

#[test]
fn foot_points_do_not_depend_on_what_was_asked_before() {
    let system = FootPoints::of(Springs { epsilon: 0.1 }, &on_manifold(0.5)).unwrap();
    let directions = system.save()[..8].to_vec();
    let (q, other) = (near(0.5, &[1e-2, 0.0, 1e-2, 0.0]), on_manifold(0.6));
    let first = psi(&system, &q);
    psi(&system, &other);
    assert_eq!(first, psi(&system, &q));
    let foot = Foot::find(&Springs { epsilon: 0.1 }, &directions, &q).unwrap();
    let slopes = super::potential::slopes(&Springs { epsilon: 0.1 }, &foot.u, &directions);
    assert!(slopes.iter().all(|slope| slope.abs() < 1e-15), "{slopes:?}");
}
