//! Strong potentials U(q)/ε² without given constraints: steps that do not depend on ε.

use crate::snapshots_common::Keeper;
use taut::linear::Choice;
use taut::method::Method;
use taut::motion::{Motion, Statistics};
use taut::options::{Options, Projection, Vibrations};
use taut::start::smooth_start;
use taut::system::{Differentiated, FootPointError, FootPoints, Mass, Mechanical, MechanicalSystem, Scalar};
use taut::{Error, Solver};
use taut_problems::mechanics::StiffSpringPendulum;

/// The pendulum (1.1) of Lubich with U = (|q| − 1)²/2.
struct Pendulum {
    epsilon: f64,
}

impl Mechanical for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1]
    }
    fn epsilon(&self) -> Option<f64> {
        Some(self.epsilon)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        (q[0].hypot(q[1]) - 1.0).square() * 0.5
    }
}

/// Two bodies in space, the first near a sphere around the origin, the second near a distance of 1 from the first and
/// near a plane that turns with the first; the springs are coupled and anharmonic, the masses depend on positions.
struct Bodies {
    epsilon: f64,
}

impl Mechanical for Bodies {
    fn coordinates(&self) -> Vec<String> {
        ["x1", "y1", "z1", "x2", "y2", "z2"].map(String::from).to_vec()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        for i in 0..6 {
            mass.add(i, i, S::constant(1.0 + 0.5 * (i / 3) as f64));
        }
        mass.add(0, 0, q[1].square() * 0.5);
        mass.add(2, 5, q[3].sin() * 0.3);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[2] + q[5] * 1.5
    }
    fn epsilon(&self) -> Option<f64> {
        Some(self.epsilon)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        let sphere = (q[0].square() + q[1].square() + q[2].square()).sqrt() - 1.0;
        let link = ((q[3] - q[0]).square() + (q[4] - q[1]).square() + (q[5] - q[2]).square()).sqrt() - 1.0;
        let plane = q[4] * q[0] - q[3] * q[1];
        let quadratic = sphere.square() + link.square() * 2.0 + plane.square() * 1.5;
        quadratic + sphere * link * 0.8 + link * plane * 0.5 + sphere.powi(3) * 0.4 + link.powi(4) * 0.3
    }
}

/// On the manifold, with velocities along it.
const BODIES: [f64; 12] = [0.6, 0.0, -0.8, 1.2, 0.0, -1.6, 0.0, 0.5, 0.0, 0.0, 1.0, 0.0];

fn work(count: Statistics) -> [usize; 3] {
    [count.steps, count.jacobians, count.newton_iterations]
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
}

/// Begins with three stages, whether constraints are given or not.
fn run(system: &dyn MechanicalSystem, start: &[f64], until: f64) -> Motion {
    let mut options = Options::default();
    options.order.first_of_mechanisms = options.order.first;
    Solver::mechanical(system).method(Method::radau()).options(options).run(0.0, until, start).unwrap()
}

#[test]
fn a_pendulum_moves_as_on_a_given_spring() {
    let start = [0.6, -0.8, 0.4, 0.3];
    for epsilon in [1e-1, 1e-2, 1e-3, 1e-5, 1e-8, 0.0] {
        let found = FootPoints::of(Pendulum { epsilon }, &start[..2]).unwrap();
        let given = StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 };
        let (found, given) = (run(&found, &start, 10.0), run(&Differentiated::new(given), &start, 10.0));
        assert_eq!(work(found.statistics), work(given.statistics), "epsilon {epsilon:e}");
        let apart = distance(found.q(), given.q()).max(distance(found.v(), given.v()));
        println!("epsilon {epsilon:e}: {apart:e} apart");
        assert!(apart < 1e-11, "epsilon {epsilon:e}: {apart:e}");
    }
}

#[test]
fn bodies_in_space_take_as_many_steps_for_every_epsilon() {
    let run = |epsilon: f64| {
        let system = FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap();
        assert_eq!(system.rank(), 3);
        run(&system, &BODIES, 10.0)
    };
    let rigid = run(0.0);
    for epsilon in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10] {
        let motion = run(epsilon);
        println!("epsilon {epsilon:e}: {:?}, {:?} rigid", work(motion.statistics), work(rigid.statistics));
        for (now, rigid) in work(motion.statistics).into_iter().zip(work(rigid.statistics)) {
            assert!(now as f64 <= 1.1 * rigid as f64, "epsilon {epsilon:e}: {now} instead of {rigid}");
        }
        let apart = distance(motion.q(), rigid.q());
        assert!(apart < 10.0 * epsilon * epsilon + 1e-11, "epsilon {epsilon:e}: {apart:e}");
    }
}

/// Off the manifold by ε in all three directions that are held: the sphere, the link and the plane.
#[test]
fn a_start_off_the_manifold_costs_bodies_in_space_little() {
    let run = |epsilon: f64| {
        let system = FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap();
        let mut start = BODIES;
        for i in 0..3 {
            start[i] *= 1.0 + epsilon;
            start[3 + i] = start[i] + BODIES[i] * (1.0 - epsilon);
        }
        start[4] += epsilon;
        run(&system, &start, 10.0)
    };
    let rigid = run(0.0);
    for epsilon in [1e-2, 1e-3, 1e-5, 1e-8, 1e-10] {
        let motion = run(epsilon);
        println!("epsilon {epsilon:e}: {:?}, {:?} rigid", work(motion.statistics), work(rigid.statistics));
        for (now, rigid) in work(motion.statistics).into_iter().zip(work(rigid.statistics)) {
            assert!(now as f64 <= 1.3 * rigid as f64, "epsilon {epsilon:e}: {now} instead of {rigid}");
        }
        let apart = distance(motion.q(), rigid.q());
        assert!(apart < 100.0 * epsilon + 1e-11, "epsilon {epsilon:e}: {apart:e}");
    }
}

/// Where the stiffness is moderate, the same Runge-Kutta equations can be solved with U as a force like any other.
#[test]
fn a_step_solves_the_equations_of_the_original_problem() {
    let options = Options {
        rtol: 1e-13,
        atol: 1e-13,
        constant_step: Some(0.02),
        projection: Some(Projection::None),
        vibrations: Vibrations::Follow,
        ..Options::default()
    };
    for epsilon in [1e-1, 3e-2, 1e-2] {
        let one_step = |system: &dyn MechanicalSystem| {
            let method = Method::radau().with_stages(3).unwrap();
            Solver::mechanical(system)
                .method(method)
                .options(options.clone())
                .run(0.0, 0.02, &BODIES)
                .unwrap()
        };
        let found = one_step(&FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap());
        let plain = one_step(&Differentiated::new(Bodies { epsilon }));
        let (of_q, of_v) = (distance(found.q(), plain.q()), distance(found.v(), plain.v()));
        println!("epsilon {epsilon:e}: {of_q:e} in q, {of_v:e} in v");
        assert!(of_q < 1e-13 && of_v < 1e-11, "epsilon {epsilon:e}: {of_q:e} in q, {of_v:e} in v");
    }
}

#[test]
fn the_energy_is_that_of_the_potential() {
    let epsilon = 1e-2;
    let (found, plain) =
        (FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap(), Differentiated::new(Bodies { epsilon }));
    let mut q = BODIES[..6].to_vec();
    q[0] += 1e-3;
    q[4] -= 2e-3;
    let (found, plain) =
        (found.energy(0.0, &q, &BODIES[6..]).unwrap(), plain.energy(0.0, &q, &BODIES[6..]).unwrap());
    assert!((found.total() - plain.total()).abs() < 1e-14, "{found:?} {plain:?}");
}

/// Methods that damp what their steps do not resolve move on stiff springs as on rods; the others want rods.
#[test]
fn all_kinds_of_steps_agree() {
    for (name, epsilon) in [("bdf", 1e-5), ("lobatto-iiic", 1e-5), ("spark", 0.0), ("dopri8", 0.0)] {
        let system = FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap();
        let reference = run(&system, &BODIES, 2.0);
        let motion =
            Solver::mechanical(&system).method(Method::named(name).unwrap()).run(0.0, 2.0, &BODIES).unwrap();
        let apart = distance(motion.q(), reference.q());
        println!("{name}: {apart:e}, {:?}", work(motion.statistics));
        assert!(apart < 1e-5, "{name}: {apart:e}");
    }
}

#[test]
fn a_run_goes_on_with_the_same_bits() {
    for (name, epsilon) in [("radau", 1e-4), ("radau-ia", 1e-4), ("bdf", 1e-4), ("spark", 0.0)] {
        let system = FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap();
        let solver = || Solver::mechanical(&system).method(Method::named(name).unwrap());
        let mut keeper = Keeper::default();
        let whole = solver().snapshot_every(1).run_with(0.0, 2.0, &BODIES, &mut keeper).unwrap();
        let frames: Vec<&[f64]> = keeper.0.iter().map(|snapshot| snapshot.get("frame").unwrap()).collect();
        assert!(
            frames.len() > 2 && frames.iter().any(|frame| *frame != frames[0]),
            "{name}: no new directions"
        );
        // Right after new directions were chosen, too: what is known there was evaluated with the old ones.
        let turned = frames.windows(2).map(|pair| pair[0] != pair[1]);
        let turned: Vec<bool> = std::iter::once(true).chain(turned).collect();
        for (snapshot, _) in keeper.0.into_iter().zip(turned).filter(|(_, turned)| *turned) {
            let elsewhere = FootPoints::of(Bodies { epsilon }, &BODIES[..6]).unwrap();
            let method = Method::named(name).unwrap();
            let resumed =
                Solver::mechanical(&elsewhere).method(method).resume(snapshot).run(0.0, 2.0, &BODIES);
            assert_eq!(resumed.unwrap().y, whole.y, "{name}");
        }
        assert_eq!(
            solver().run(0.0, 2.0, &BODIES).unwrap().y,
            whole.y,
            "{name}: the second run is another one"
        );
    }
}

#[test]
fn a_smooth_start_leaves_no_vibration() {
    let system = FootPoints::of(Bodies { epsilon: 1e-2 }, &BODIES[..6]).unwrap();
    let [one, two, three] = [1, 2, 3]
        .map(|passes| smooth_start(&system, 0.0, &BODIES[..6], &BODIES[6..], passes, Choice::Auto).unwrap());
    println!("{:e} {:e} {:e}", one.remaining, two.remaining, three.remaining);
    assert!(two.remaining < 1e-2 * one.remaining && three.remaining < 1e-2 * two.remaining);
    assert_eq!(three.vibrations.len(), 3);
}

/// A bead on the line y = 0, held by a spring of stiffness (1 − x)/ε² that becomes soft on the way.
struct SofteningSpring;

impl Mechanical for SofteningSpring {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1]
    }
    fn epsilon(&self) -> Option<f64> {
        Some(1e-6)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        (-q[0] + 1.0) * q[1].square() * 0.5
    }
}

#[test]
fn a_hessian_that_loses_rank_ends_the_run_with_a_reason() {
    let system = FootPoints::of(SofteningSpring, &[0.2, 0.0]).unwrap();
    let options = Options { most_steps: 300, ..Options::default() };
    let solver = Solver::mechanical(&system).method(Method::radau()).options(options);
    match solver.run(0.0, 2.0, &[0.2, 0.0, 1.0, 0.0]).unwrap_err() {
        Error::Stopped { reason, motion } => {
            println!("{reason}, {:?}", motion.statistics);
            assert!(reason.to_string().contains("loses rank"), "{reason}");
            assert!(
                reason.to_string().contains("least strong eigenvalue was 8.00e-1 at the start and is"),
                "{reason}"
            );
            assert!((reason.t() - 0.8).abs() < 1e-3, "{reason}");
            assert!(motion.statistics.steps < 300, "{:?}", motion.statistics);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_start_far_from_the_manifold_is_refused_with_numbers() {
    let far = [0.1, 0.05, -0.1, 0.1, 0.02, -0.15];
    let refused = FootPoints::of(Bodies { epsilon: 1e-3 }, &far).map(|_| ()).unwrap_err();
    println!("{refused}");
    assert!(matches!(refused, FootPointError::NoManifold { .. }), "{refused}");
    let system = FootPoints::of(Bodies { epsilon: 1e-3 }, &BODIES[..6]).unwrap();
    let error = Solver::mechanical(&system).run(0.0, 1.0, &[&far[..], &[0.0; 6]].concat()).unwrap_err();
    println!("{error}");
    assert!(matches!(&error, Error::Start(_)), "{error}");
    assert!(error.to_string().contains("too far from the manifold"), "{error}");
    let none = FootPoints::of(
        StiffSpringPendulum { epsilon: 0.1, mass: 1.0, rest_length: 1.0, gravity: 1.0 },
        &[1.0, 0.0],
    );
    assert_eq!(none.map(|_| ()).unwrap_err(), FootPointError::NoPotential);
}
