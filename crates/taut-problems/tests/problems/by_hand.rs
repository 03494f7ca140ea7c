//! Blocks written by hand against the automatic ones.

use taut::linear::Pattern;
use taut::system::{Differentiated, Dynamics, MechanicalSystem, Partitioned, Terms};
use taut_problems::mechanics::{Beam, CarAxis, Chain, Drive, Pendulum, Squeezer, Waters};
use taut_problems::{by_hand, find};

use crate::support::*;

const ROUNDING: f64 = 1e-13;

fn assert_equal(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = largest(expected);
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= ROUNDING * scale, "{what}[{i}]: {found} against {expected}");
    }
}

fn within(inner: &Pattern, outer: &Pattern, what: &str) {
    assert_eq!((inner.rows(), inner.cols()), (outer.rows(), outer.cols()), "{what}");
    assert!(inner.entries().all(|(i, j)| outer.position(i, j).is_some()), "{what}");
}

const CHOICES: [Terms; 7] = [
    Terms::ACCELERATING,
    Terms::POTENTIAL,
    Terms::CORIOLIS,
    Terms::KINETIC,
    Terms::DRIVING,
    Terms::DISSIPATIVE,
    Terms::APPLIED,
];

fn compare(hand: &dyn MechanicalSystem, automatic: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) {
    let (a, b) = (hand.structure(), automatic.structure());
    assert_eq!((&a.coordinates, &a.constraints), (&b.coordinates, &b.constraints));
    assert_eq!((a.constant_mass, a.linear_constraints), (b.constant_mass, b.linear_constraints));
    within(&b.mass, &a.mass, "mass");
    within(&b.stiffness, &a.stiffness, "stiffness");
    within(&b.damping, &a.damping, "damping");
    within(&b.jacobian, &a.jacobian, "jacobian");
    assert_equal(&mass(hand, q).concat(), &mass(automatic, q).concat(), "M");
    let jacobians = [hand, automatic].map(|system| constraint_jacobian(system, t, q, v).concat());
    assert_equal(&jacobians[0], &jacobians[1], "G");
    assert_equal(&constraint(hand, t, q), &constraint(automatic, t, q), "g");
    assert_equal(&constraint_rate(hand, t, q, v), &constraint_rate(automatic, t, q, v), "rate");
    assert_equal(&curvature(hand, t, q, v), &curvature(automatic, t, q, v), "curvature");
    let energies = [hand, automatic].map(|system| system.energy(t, q, v).unwrap());
    assert_equal(&[energies[0].kinetic], &[energies[1].kinetic], "kinetic energy");
    assert_equal(&[energies[0].potential], &[energies[1].potential], "potential energy");
    let (acceleration, lambda) = (scattered(a.n(), 8), scattered(a.m(), 9));
    for terms in CHOICES {
        assert_equal(&force(hand, terms, t, q, v), &force(automatic, terms, t, q, v), &format!("{terms:?}"));
        let [(k_hand, d_hand), (k_automatic, d_automatic)] =
            [hand, automatic].map(|system| newton_blocks(system, terms, t, q, v, &acceleration, &lambda));
        assert_equal(&k_hand, &k_automatic, &format!("K of {terms:?}"));
        assert_equal(&d_hand, &d_automatic, &format!("D of {terms:?}"));
    }
    dynamics_agree(hand, t, q, v);
}

fn newton_blocks(
    system: &dyn MechanicalSystem,
    terms: Terms,
    t: f64,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    lambda: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let structure = system.structure();
    let mut stiffness = vec![f64::NAN; structure.stiffness.nnz()];
    let mut damping = vec![f64::NAN; structure.damping.nnz()];
    system.newton_blocks(terms, t, q, v, a, lambda, &mut stiffness, &mut damping).unwrap();
    (full(&structure.stiffness, &stiffness).concat(), full(&structure.damping, &damping).concat())
}

/// All together are what they are one by one.
fn dynamics_agree(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) {
    let structure = system.structure();
    let mut mass_values = vec![f64::NAN; structure.mass.nnz()];
    let mut jacobian_values = vec![f64::NAN; structure.jacobian.nnz()];
    let (mut f, mut g) = (vec![f64::NAN; structure.n()], vec![f64::NAN; structure.m()]);
    let mut out = Dynamics {
        mass: &mut mass_values,
        force: &mut f,
        constraint: &mut g,
        jacobian: &mut jacobian_values,
    };
    system.dynamics(t, q, v, &mut out).unwrap();
    assert_eq!(full(&structure.mass, &mass_values), mass(system, q));
    assert_eq!(full(&structure.jacobian, &jacobian_values), constraint_jacobian(system, t, q, v));
    assert_eq!(f, force(system, Terms::ACCELERATING, t, q, v));
    assert_eq!(g, constraint(system, t, q));
    parts_agree(system, t, q, v);
}

/// Forces in parts are what they are part by part, and terms that are said to be missing vanish.
fn parts_agree(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) {
    let (structure, n) = (system.structure(), q.len());
    let parts = [Terms::KINETIC | Terms::POTENTIAL, Terms::DISSIPATIVE, Terms::DRIVING, Terms::OSCILLATORY];
    let mut mass_values = vec![f64::NAN; structure.mass.nnz()];
    let mut jacobian_values = vec![f64::NAN; structure.jacobian.nnz()];
    let (mut forces, mut g) = (vec![f64::NAN; parts.len() * n], vec![f64::NAN; structure.m()]);
    let mut out = Partitioned {
        mass: Some(&mut mass_values),
        forces: &mut forces,
        constraint: &mut g,
        jacobian: &mut jacobian_values,
    };
    system.partitioned(&parts, t, q, v, &mut out).unwrap();
    assert_eq!(full(&structure.mass, &mass_values), mass(system, q));
    assert_eq!(full(&structure.jacobian, &jacobian_values), constraint_jacobian(system, t, q, v));
    assert_eq!(g, constraint(system, t, q));
    for (terms, part) in parts.into_iter().zip(forces.chunks_exact(n)) {
        assert_eq!(part, force(system, terms, t, q, v));
        assert_eq!(part, force(system, terms & system.terms(), t, q, v));
    }
}

#[test]
fn pendulum() {
    let parameters = Pendulum { mass: 1.7, length: 0.8, gravity: 9.81 };
    let (hand, automatic) = (by_hand::Pendulum::new(parameters), Differentiated::new(parameters));
    for seed in 1..20 {
        let state = scattered(4, seed);
        compare(&hand, &automatic, 0.0, &state[..2], &state[2..]);
    }
}

#[test]
fn beam() {
    let (hand, automatic) = (by_hand::Beam::new(), Differentiated::new(Beam));
    for (seed, t) in [(1, 0.3), (2, 2.0), (3, 4.0)] {
        let state = scattered(2 * Beam::SEGMENTS, seed);
        compare(&hand, &automatic, t, &state[..Beam::SEGMENTS], &state[Beam::SEGMENTS..]);
    }
}

#[test]
fn car_axis() {
    let parameters =
        CarAxis { length: 1.1, rest_length: 0.6, mass: 0.3, gravity: 9.81, height: 0.2, frequency: 7.0 };
    let (hand, automatic) = (by_hand::CarAxis::new(parameters), Differentiated::new(parameters));
    for seed in 1..20 {
        let state = scattered(8, seed);
        compare(&hand, &automatic, 0.1 * seed as f64, &state[..4], &state[4..]);
    }
}

#[test]
fn planar_and_spatial_chains() {
    for links in [1, 2, 3, 7] {
        let planar = Chain::<2> { links, mass: 0.3, length: 0.9, gravity: 9.81 };
        let spatial = Chain::<3> { links, mass: 0.3, length: 0.9, gravity: 9.81 };
        let (q, v) = (scattered(3 * links, 11), scattered(3 * links, 12));
        let (hand, automatic) = (by_hand::Chain::new(planar), Differentiated::new(planar));
        compare(&hand, &automatic, 0.0, &q[..2 * links], &v[..2 * links]);
        let (hand, automatic) = (by_hand::Chain::new(spatial), Differentiated::new(spatial));
        compare(&hand, &automatic, 0.0, &q, &v);
    }
}

#[test]
fn patterns_of_the_chain_are_the_traced_ones() {
    let chain = Chain::<2>::unit(5);
    let (hand, automatic) = (by_hand::Chain::new(chain), Differentiated::new(chain));
    let (hand, automatic) = (hand.structure(), automatic.structure());
    assert_eq!(hand.mass, automatic.mass);
    assert_eq!(hand.stiffness, automatic.stiffness);
    assert_eq!(hand.damping, automatic.damping);
    assert_eq!(hand.jacobian, automatic.jacobian);
}

#[test]
fn squeezer() {
    let start = find("andrews").unwrap().start.state.motion().unwrap().clone();
    for drive in [Drive::Constant, Drive::RampDown { until: 0.02 }] {
        let parameters = Squeezer::new(drive).unwrap();
        let (hand, automatic) = (by_hand::Squeezer::new(parameters.clone()), Differentiated::new(parameters));
        for seed in 1..20 {
            let (shift, v) = (scattered(7, seed), scattered(7, 100 + seed));
            let q: Vec<f64> = start.q.iter().zip(&shift).map(|(q, shift)| q + shift).collect();
            compare(&hand, &automatic, 0.002 * seed as f64, &q, &v);
        }
    }
}

/// Numbers of molecules that fill the lanes in which pairs are evaluated, and that do not.
#[test]
fn waters() {
    for molecules in [1, 2, 3, 4, 5, 8, 11] {
        let parameters = Waters { molecules };
        let (hand, automatic) = (by_hand::Waters::new(parameters), Differentiated::new(parameters));
        let start = parameters.start();
        for seed in 1..4 {
            let (shift, v) = (scattered(9 * molecules, seed), scattered(9 * molecules, 20 + seed));
            let q: Vec<f64> = start.q.iter().zip(&shift).map(|(q, shift)| q + 0.1 * shift).collect();
            let forces = [&hand as &dyn MechanicalSystem, &automatic]
                .map(|system| force(system, Terms::ACCELERATING, 0.0, &q, &v));
            assert_equal(&forces[0], &forces[1], "force");
            // Where forces were asked for, and elsewhere.
            for q in [&q, &start.q] {
                let energies = [hand.energy(0.0, q, &v).unwrap(), automatic.energy(0.0, q, &v).unwrap()];
                let size = energies[1].kinetic.abs() + energies[1].potential.abs();
                assert!((energies[0].total() - energies[1].total()).abs() <= ROUNDING * size, "{energies:?}");
            }
        }
    }
}
