//! Models from files against the same systems written in Rust: every function, every set of terms, all blocks.

use crate::common::{EVERYTHING, Everything, Pendulum, Squeezer, load, mechanical};
use proptest::prelude::*;
use taut::linear::Pattern;
use taut::system::{Differentiated, Dynamics, FootPoints, MechanicalSystem, Potential, Split, Terms};
use taut_text::{MechanicalModel, Model, Source, StrongPotential, System};

const SINGLE_TERMS: [Terms; 7] = [
    Terms::POTENTIAL,
    Terms::CORIOLIS,
    Terms::KINETIC,
    Terms::CONSERVATIVE,
    Terms::DISSIPATIVE,
    Terms::DRIVING,
    Terms::OSCILLATORY,
];

fn term_sets() -> Vec<Terms> {
    let mut sets = SINGLE_TERMS.to_vec();
    sets.extend([
        Terms::ACCELERATING,
        Terms::APPLIED,
        Terms::POTENTIAL | Terms::KINETIC | Terms::DISSIPATIVE,
    ]);
    sets
}

fn dense(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let mut full = vec![0.0; pattern.rows() * pattern.cols()];
    for ((i, j), value) in pattern.entries().zip(values) {
        full[j * pattern.rows() + i] = *value;
    }
    full
}

/// Agreement to rounding, measured against the largest entry.
fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= 2e-13 * size, "{what}: {found:?} is not {expected:?}");
    }
}

fn vector(length: usize, fill: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut values = vec![f64::NAN; length];
    fill(&mut values);
    values
}

fn block(pattern: &Pattern, fill: impl FnOnce(&mut [f64])) -> Vec<f64> {
    dense(pattern, &vector(pattern.nnz(), fill))
}

#[derive(Debug)]
struct Point {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

fn newton_blocks(system: &dyn MechanicalSystem, terms: Terms, at: &Point) -> (Vec<f64>, Vec<f64>) {
    let s = system.structure();
    let (mut k, mut d) = (vec![f64::NAN; s.stiffness.nnz()], vec![f64::NAN; s.damping.nnz()]);
    system.newton_blocks(terms, at.t, &at.q, &at.v, &at.a, &at.lambda, &mut k, &mut d).unwrap();
    (dense(&s.stiffness, &k), dense(&s.damping, &d))
}

fn compare(text: &dyn MechanicalSystem, rust: &dyn MechanicalSystem, at: &Point) {
    let (s, r) = (text.structure(), rust.structure());
    let (n, m) = (s.n(), s.m());
    let (t, q, v) = (at.t, &at.q, &at.v);
    let both =
        |what: &str, f: &dyn Fn(&dyn MechanicalSystem) -> Vec<f64>| assert_close(what, &f(text), &f(rust));
    both("mass", &|x| block(&x.structure().mass, |out| x.mass(q, out).unwrap()));
    both("constraint", &|x| vector(m, |out| x.constraint(t, q, out).unwrap()));
    both("jacobian", &|x| block(&x.structure().jacobian, |out| x.jacobian(t, q, v, out).unwrap()));
    both("rate", &|x| vector(m, |out| x.constraint_rate(t, q, v, out).unwrap()));
    both("curvature", &|x| vector(m, |out| x.curvature(t, q, v, out).unwrap()));
    both("energy", &|x| {
        let energy = x.energy(t, q, v).unwrap();
        vec![energy.kinetic, energy.potential]
    });
    for terms in term_sets() {
        both("force", &|x| vector(n, |out| x.force(terms, t, q, v, out).unwrap()));
        let (found, expected) = (newton_blocks(text, terms, at), newton_blocks(rust, terms, at));
        assert_close("stiffness", &found.0, &expected.0);
        assert_close("damping", &found.1, &expected.1);
    }
    both("dynamics", &|x| {
        let s = x.structure();
        let (mut mass, mut force) = (vec![0.0; s.mass.nnz()], vec![0.0; n]);
        let (mut constraint, mut jacobian) = (vec![0.0; m], vec![0.0; s.jacobian.nnz()]);
        let mut out = Dynamics {
            mass: &mut mass,
            force: &mut force,
            constraint: &mut constraint,
            jacobian: &mut jacobian,
        };
        x.dynamics(t, q, v, &mut out).unwrap();
        let alone = [&*out.mass, &*out.force, &*out.constraint, &*out.jacobian].map(|part| part.to_vec());
        let mut curvature = vec![0.0; m];
        x.dynamics_and_curvature(t, q, v, &mut out, &mut curvature).unwrap();
        assert_eq!(
            [&*out.mass, &*out.force, &*out.constraint, &*out.jacobian].map(|part| part.to_vec()),
            alone
        );
        [dense(&s.mass, &mass), force, constraint, dense(&s.jacobian, &jacobian), curvature].concat()
    });
    assert_eq!(s.constraints, r.constraints);
    assert_eq!(s.coordinates, r.coordinates);
    assert_eq!((s.constant_mass, s.linear_constraints), (r.constant_mass, r.linear_constraints));
    assert_eq!(s.mass, r.mass);
    assert_eq!(s.jacobian, r.jacobian);
    for ((i, j), (what, ours, theirs)) in
        [("stiffness", &s.stiffness, &r.stiffness), ("damping", &s.damping, &r.damping)]
            .into_iter()
            .flat_map(|x| x.1.entries().map(move |e| (e, x)))
    {
        assert!(theirs.position(i, j).is_some(), "{what} {:?} has no place in {:?}", (i, j), ours);
    }
}

fn point(n: usize, m: usize, range: f64) -> impl Strategy<Value = Point> {
    let numbers = move |length: usize| prop::collection::vec(-range..range, length);
    (0.0..range, numbers(n), numbers(n), numbers(n), numbers(m)).prop_map(|(t, q, v, a, lambda)| Point {
        t,
        q,
        v,
        a,
        lambda,
    })
}

proptest! {
    #![proptest_config(crate::common::deterministic(64))]

    #[test]
    fn pendulum(at in point(2, 1, 2.0)) {
        compare(&mechanical(load("pendulum")), &Differentiated::new(Pendulum), &at);
    }

    #[test]
    fn squeezer(at in point(7, 6, 1.5)) {
        compare(&mechanical(load("squeezer")), &Differentiated::new(Squeezer), &at);
    }

    #[test]
    fn everything(at in point(3, 3, 1.5)) {
        let model = Model::read(&Source::new("everything", EVERYTHING), &[]).unwrap();
        compare(strong(&model).system(), &Differentiated::new(Split::new(Everything)), &at);
    }

    /// Near the manifold z = x², where the strong potential is least.
    #[test]
    fn everything_with_its_strong_potential(at in point(3, 4, 1.0), off in -0.1..0.1_f64) {
        let model = Model::read(&Source::new("everything", EVERYTHING), &[]).unwrap();
        let by_hand = FootPoints::of(Everything, &model.start.q).unwrap();
        let x = 0.3 + 0.3 * at.q[0];
        let q = [x, at.q[1], x * x + off];
        compare(strong(&model), &by_hand, &Point { q: q.to_vec(), ..at });
    }
}

fn strong(model: &Model) -> &FootPoints<MechanicalModel, StrongPotential> {
    match &model.system {
        System::Strong(system) => system,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_strong_potential_and_the_damping_shares_can_be_asked_for() {
    let model = Model::read(&Source::new("everything", EVERYTHING), &[]).unwrap();
    let system = strong(&model);
    assert_eq!(system.system().damping_shares(), [0.25, 0.0, 0.0]);
    let (x, z) = (0.7_f64, 0.2);
    let gap = z - x * x;
    assert_eq!((system.potential().epsilon(), system.rank()), (0.1, 1));
    let value: f64 = system.potential().potential(&[x, 5.0, z]);
    assert!((value - gap * gap / 2.0).abs() < 1e-15);
}

#[test]
fn what_is_constant_is_seen_to_be_constant() {
    let structure = |name: &str| mechanical(load(name)).structure().clone();
    assert!(structure("pendulum").constant_mass && !structure("pendulum").linear_constraints);
    assert!(!structure("double-pendulum").constant_mass);
    let source = "[coordinates]\nx = { start = 0 }\ny = { start = 0 }\n[energy]\nkinetic = \"x'^2 + y'^2\"\n\
                  [constraints]\nline = \"2*x - y - t\"\n";
    let line = mechanical(Model::read(&Source::new("line", source), &[]).unwrap());
    assert!(line.structure().linear_constraints && line.structure().constant_mass);
    assert_eq!(line.structure().stiffness.nnz(), 0);
}

#[test]
fn a_formula_that_is_not_finite_is_a_fault_with_the_name() {
    let source = "[coordinates]\nx = { start = 1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"log(x)\"\n";
    let model = mechanical(Model::read(&Source::new("log", source), &[]).unwrap());
    let fault = model.force(Terms::ACCELERATING, 2.0, &[0.0], &[0.0], &mut [0.0]).unwrap_err();
    assert_eq!(fault.to_string(), "the force of 'x' is not finite at t = 2");
    assert!(model.energy(2.0, &[0.0], &[0.0]).is_err());
}
