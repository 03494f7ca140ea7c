//! Springs, dampers and armature of ball joints: as MuJoCo has them, with closed solutions, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use taut::Solver;
use taut::linear::Choice;
use taut::method::Method;
use taut::start::consistent_start;
use taut::system::MechanicalSystem;
use taut_bodies::{Body, Course, Ignore, Joint, Mechanism, World, import};

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').map(|x| x.parse().unwrap()).collect()
}

/// The angular acceleration of a body, 2 p'' ∘ p̄ without its first number.
fn turning(mechanism: &Mechanism, body: usize, q: &[f64], a: &[f64]) -> [f64; 3] {
    let at = mechanism.coordinates_of(body) + 3;
    let ([w, x, y, z], [a, b, c, d]) = ([0, 1, 2, 3].map(|i| q[at + i]), [0, 1, 2, 3].map(|i| a[at + i]));
    [
        2.0 * (b * w - a * x - c * z + d * y),
        2.0 * (c * w - a * y - d * x + b * z),
        2.0 * (d * w - a * z - b * y + c * x),
    ]
}

/// Two ball joints with all three, between hinges: numbers that MuJoCo 4.0.0 gave.
#[test]
fn balls_accelerate_as_in_mujoco() {
    let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
    let ignore = Ignore { actuators: true, limits: true, friction: true, contacts: true };
    let robot = import(&robots.join("balls.xml"), ignore).unwrap();
    assert!(robot.left_out.is_empty());
    let text = std::fs::read_to_string(robots.join("balls.txt")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    for pair in lines.chunks(2) {
        let mut world = robot.world.clone();
        for (name, value) in pair[0].split_whitespace().map(|word| word.split_once('=').unwrap()) {
            let is_rate = name.ends_with(".rate") || name.ends_with('\'');
            let name = name.trim_end_matches('\'').split('.').next().unwrap();
            let joint = world.joints.iter_mut().find(|joint| joint.name == name).unwrap();
            *(if is_rate { &mut joint.rate } else { &mut joint.start }) = numbers(value);
        }
        let mechanism = world.build().unwrap();
        let (n, state) = (mechanism.structure().n(), mechanism.start());
        let start = consistent_start(&mechanism, 0.0, &state[..n], &state[n..], Choice::Auto).unwrap();
        for (name, value) in pair[1].split_whitespace().map(|word| word.split_once('=').unwrap()) {
            let found = match name.strip_suffix(".turning") {
                Some(body) => {
                    let k = mechanism.body_names().position(|known| known == body).unwrap();
                    turning(&mechanism, k, &start.q, &start.a).to_vec()
                }
                None => {
                    let known = &mechanism.structure().coordinates;
                    vec![start.a[known.iter().position(|known| known == name).unwrap()]]
                }
            };
            for (found, expected) in found.into_iter().zip(numbers(value)) {
                assert!(
                    (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                    "{name}: {found}, {expected}"
                );
            }
        }
    }
}

/// A ball of inertia J that a spring turns back: θ = θ₀ cos √(k/(J + a)) t about any axis, also far from rest.
#[test]
fn a_spring_turns_a_ball_back_and_forth() {
    let ball = Body::new("ball").inertia([0.2; 3]).rotated([0.3, 1.0, -0.2], 0.7);
    let mut joint = Joint::spherical("centre", "ground", "ball").at([0.0; 3]);
    (joint.stiffness, joint.armature) = (vec![3.0], vec![0.1]);
    (joint.rest, joint.start) = (vec![0.3, 0.1, -0.2], vec![0.3, 0.1 + 2.5, -0.2]);
    let at_rest = World::new().body(ball).joint(joint);
    let moved = |start: Vec<f64>| {
        let mut world = at_rest.clone();
        world.joints[0].start = start;
        world.build().unwrap()
    };
    let rest = moved(vec![0.3, 0.1, -0.2]).start();
    assert!(moved(vec![0.3, 0.1, -0.2]).energy(0.0, &rest[..7], &rest[7..]).unwrap().potential < 1e-30);
    let system = moved(vec![0.3, 0.1 + 2.5, -0.2]);
    let state = system.start();
    let angle = |q: &[f64]| {
        let along: f64 = (3..7).map(|k| q[k] * rest[k]).sum();
        2.0 * along.abs().min(1.0).acos()
    };
    let motion = Solver::mechanical(&system).tolerance(1e-10).run(0.0, 1.3, &state).unwrap();
    let expected = angle(&state[..7]) * (10.0_f64.sqrt() * 1.3).cos();
    assert!(expected < -0.5);
    assert!((angle(motion.q()) - expected.abs()).abs() < 1e-8);
}

/// Nothing is lost without dampers, whoever integrates.
#[test]
fn springs_and_armature_keep_energy() {
    let rod = |name: &str, x: f64| Body::new(name).mass(0.7).inertia([0.01, 0.04, 0.05]).at([x, 0.0, 0.0]);
    let ball = |name: &str, first: &str, second: &str, x: f64| {
        let mut joint = Joint::spherical(name, first, second).at([x, 0.0, 0.0]);
        (joint.stiffness, joint.armature) = (vec![2.0], vec![0.03]);
        joint
    };
    let mut second = ball("second", "upper", "lower", 1.0);
    second.rate = vec![1.0, 3.0, -2.0];
    let world = World::new().gravity([0.0, 0.0, -9.81]).body(rod("upper", 0.5)).body(rod("lower", 1.5));
    let system = world.joint(ball("first", "ground", "upper", 0.0)).joint(second).build().unwrap();
    let n = system.structure().n();
    let total = |q: &[f64], v: &[f64]| system.energy(0.0, q, v).unwrap().total();
    let state = system.start();
    for method in [Method::explicit(), Method::radau()] {
        let solver = Solver::mechanical(&system).tolerance(1e-9).method(method.clone());
        let motion = solver.run(0.0, 1.0, &state).unwrap();
        let lost = total(motion.q(), motion.v()) - total(&state[..n], &state[n..]);
        assert!(lost.abs() < 1e-6, "{method:?}: {lost}");
    }
}

#[test]
fn what_a_ball_joint_cannot_have_is_refused() {
    let said = |world: World, change: &dyn Fn(&mut Joint)| {
        let mut joint = Joint::spherical("hip", "ground", "leg").at([0.0; 3]);
        change(&mut joint);
        world.body(Body::new("leg")).joint(joint).build().unwrap_err().to_string()
    };
    let three = said(World::new(), &|joint| joint.damping = vec![1.0; 3]);
    assert_eq!(three, "damping of 'hip' has 3 numbers, 1 are expected");
    let rest = said(World::new(), &|joint| joint.rest = vec![1.0]);
    assert_eq!(rest, "rest of 'hip' has 1 numbers, 3 are expected");
    let limited = said(World::new(), &|joint| joint.motors = vec![Some(Course::constant(1.0))]);
    assert_eq!(limited, "'hip': a ball joint has no drive, motor, friction or limits");
    let plane = said(World::plane(), &|joint| joint.stiffness = vec![1.0]);
    assert_eq!(plane, "'hip': in the plane a joint that springs and dampers act on is 'revolute'");
}
