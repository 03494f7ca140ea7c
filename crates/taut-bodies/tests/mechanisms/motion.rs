//! Mechanisms in motion: what is known of them in closed form, what joints do, what cannot be put together.
#![allow(clippy::unwrap_used, clippy::panic)]

use taut::Solver;
use taut::linear::Choice;
use taut::method::Method;
use taut::start::{StartError, consistent_start};
use taut::system::MechanicalSystem;
use taut_bodies::{Body, Course, Joint, JointKind, Mechanism, Relation, World, WorldError};

fn method(name: &str) -> Method {
    Method::named(name).unwrap()
}

fn run(mechanism: &Mechanism, name: &str, until: f64, tolerance: f64) -> taut::motion::Motion {
    let solver = Solver::mechanical(mechanism).method(method(name)).tolerance(tolerance).watch(true);
    solver.run(0.0, until, &mechanism.start()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn rod(name: &str, from: [f64; 3], to: [f64; 3]) -> Body {
    let middle = [0, 1, 2].map(|k| 0.5 * (from[k] + to[k]));
    Body::new(name).mass(1.0).inertia([0.02, 0.09, 0.1]).at(middle)
}

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A pendulum of one rod; θ'' = −m g l sin θ/(J + m l²) with θ from below.
fn pendulum(world: World, variables: bool) -> Mechanism {
    let mut pin = Joint::revolute("pin", "ground", "rod").at([0.0; 3]).axis(Z);
    // A variable may have a part of the inertia; rattle and spark need it to have some.
    pin.armature = if variables { vec![0.1] } else { Vec::new() };
    let about_pin = if variables { 0.2 } else { 0.3 };
    let rod = Body::new("rod").mass(2.0).inertia([0.1, 0.2, about_pin]).at([0.6, 0.0, 0.0]);
    world.gravity([0.0, -9.81, 0.0]).body(rod).joint(pin).build().unwrap()
}

/// The angle from the horizontal at t = 1 by the explicit midpoint rule with extrapolation, steps so short that nothing is left.
fn pendulum_angle(until: f64) -> f64 {
    let (mass, length, inertia) = (2.0, 0.6, 0.3 + 2.0 * 0.36);
    let rate = |x: [f64; 2]| [x[1], -mass * 9.81 * length * x[0].cos() / inertia];
    let steps = 20_000;
    let h = until / f64::from(steps);
    let mut x = [0.0, 0.0];
    for _ in 0..steps {
        let k1 = rate(x);
        let k2 = rate([x[0] + 0.5 * h * k1[0], x[1] + 0.5 * h * k1[1]]);
        let k3 = rate([x[0] + 0.5 * h * k2[0], x[1] + 0.5 * h * k2[1]]);
        let k4 = rate([x[0] + h * k3[0], x[1] + h * k3[1]]);
        for i in 0..2 {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    x[0]
}

#[test]
fn a_pendulum_swings_the_same_in_the_plane_in_space_and_with_a_variable() {
    let expected = pendulum_angle(1.0);
    for (world, variables) in
        [(World::plane(), false), (World::plane(), true), (World::new(), false), (World::new(), true)]
    {
        let mechanism = pendulum(world, variables);
        for name in ["auto", "radau", "rattle", "spark", "bdf", "dopri8"] {
            let tolerance = if name == "rattle" { 1e-6 } else { 1e-9 };
            let motion = run(&mechanism, name, 1.0, tolerance);
            let joint = mechanism.joint_state(0, motion.q(), motion.v(), motion.lambda());
            let error = (joint.coordinates[0] - expected).abs();
            assert!(error < 100.0 * tolerance, "{name}, variables {variables}: error {error:e}");
        }
    }
}

#[test]
fn what_a_joint_does_at_rest_is_what_hangs_on_it() {
    for world in [World::plane(), World::new()] {
        let mechanism = pendulum(world, false);
        // hanging down
        let n = mechanism.structure().n();
        let mut state = mechanism.start();
        state[..2].copy_from_slice(&[0.0, -0.6]);
        let quarter = -std::f64::consts::FRAC_PI_2;
        if n == 3 {
            state[2] = quarter;
        } else {
            state[3] = (0.5 * quarter).cos();
            state[6] = (0.5 * quarter).sin();
        }
        let start = consistent_start(&mechanism, 0.0, &state[..n], &state[n..], Choice::Auto).unwrap();
        let joint = mechanism.joint_state(0, &start.q, &start.v, &start.lambda);
        let expected = [0.0, 2.0 * 9.81, 0.0];
        for k in 0..3 {
            assert!((joint.force[k] - expected[k]).abs() < 1e-10, "{:?}", joint.force);
            assert!(joint.torque[k].abs() < 1e-10, "{:?}", joint.torque);
        }
        assert!((joint.coordinates[0] - quarter).abs() < 1e-14);
    }
}

#[test]
fn a_free_body_keeps_its_angular_momentum() {
    let body = Body::new("box").inertia([1.0, 2.0, 3.0]).spin([0.1, 2.0, 0.1]).velocity([1.0, 0.0, 0.0]);
    let mechanism = World::new().body(body).build().unwrap();
    let momentum = |q: &[f64], v: &[f64]| {
        let state = mechanism.body_state(0, q, v);
        let [w, x, y, z] = state.rotation;
        let rotate = |s: [f64; 3], w: f64| {
            let u = [x, y, z];
            let cross = |a: [f64; 3], b: [f64; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            let inner = cross(u, [0, 1, 2].map(|k| cross(u, s)[k] + w * s[k]));
            [0, 1, 2].map(|k| s[k] + 2.0 * inner[k])
        };
        let inside = rotate(state.spin, -w);
        rotate([0, 1, 2].map(|k| [1.0, 2.0, 3.0][k] * inside[k]), w)
    };
    let start = mechanism.start();
    let before = momentum(&start[..7], &start[7..]);
    // long enough for the body to turn over
    let motion = run(&mechanism, "auto", 20.0, 1e-10);
    let after = momentum(motion.q(), motion.v());
    for k in 0..3 {
        assert!((before[k] - after[k]).abs() < 1e-7, "{before:?} against {after:?}");
    }
    assert!((motion.q()[0] - 20.0).abs() < 1e-9);
}

/// A four-bar with four parallel hinges: three rows too many in space.
fn four_bar(world: World) -> World {
    let corners = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let names = ["crank", "coupler", "rocker"];
    let mut world = world.gravity([0.0, -9.81, 0.0]);
    for k in 0..3 {
        world = world.body(rod(names[k], corners[k], corners[k + 1]));
    }
    let ends = ["ground", "crank", "coupler", "rocker", "ground"];
    for k in 0..4 {
        let joint = Joint::revolute(format!("pin{k}"), ends[k], ends[k + 1]).at(corners[k]).axis(Z);
        world = world.joint(if k == 0 { joint.rate(1.0) } else { joint });
    }
    world
}

#[test]
fn an_overconstrained_four_bar_moves_like_the_one_in_the_plane() {
    let (flat, spatial) =
        (four_bar(World::plane()).build().unwrap(), four_bar(World::new()).build().unwrap());
    let n = spatial.structure().n();
    let (q, v) = (&spatial.start()[..n], &spatial.start()[n..]);
    let start = consistent_start(&spatial, 0.0, q, v, Choice::Auto).unwrap();
    assert_eq!(start.redundant.len(), 3, "{:?}", start.redundant);
    for name in ["auto", "radau"] {
        let angles = [&flat, &spatial].map(|mechanism| {
            let motion = run(mechanism, name, 1.0, 1e-9);
            mechanism.joint_state(0, motion.q(), motion.v(), motion.lambda()).coordinates[0]
        });
        assert!((angles[0] - angles[1]).abs() < 1e-7, "{name}: {angles:?}");
        assert!(angles[0].abs() > 0.1);
    }
}

#[test]
fn starts_and_rates_place_and_move_what_is_behind() {
    let chain = |first: Joint, second: Joint| {
        let bodies = [rod("a", [0.0; 3], [1.0, 0.0, 0.0]), rod("b", [1.0, 0.0, 0.0], [2.0, 0.0, 0.0])];
        let [a, b] = bodies;
        World::new().body(a).body(b).joint(first).joint(second).build().unwrap()
    };
    let first = Joint::revolute("first", "ground", "a").at([0.0; 3]).axis(Z).start(0.3).rate(1.0);
    let second = Joint::revolute("second", "a", "b").at([1.0, 0.0, 0.0]).axis(Z).start(-0.5).rate(2.0);
    // the same with the bodies of the second joint the other way round
    let reversed = Joint::revolute("second", "b", "a").at([1.0, 0.0, 0.0]).axis(Z).start(0.5).rate(-2.0);
    for second in [second.clone(), second.with_variables(), reversed.clone(), reversed.with_variables()] {
        let mechanism = chain(first.clone(), second);
        let (n, state) = (mechanism.structure().n(), mechanism.start());
        let (q, v) = state.split_at(n);
        let far = mechanism.body_state(1, q, v);
        let (x, y) = (0.3_f64.cos() + 0.5 * (-0.2_f64).cos(), 0.3_f64.sin() + 0.5 * (-0.2_f64).sin());
        let velocity = [-0.3_f64.sin() - 1.5 * (-0.2_f64).sin(), 0.3_f64.cos() + 1.5 * (-0.2_f64).cos()];
        for (found, expected) in [
            (far.position[0], x),
            (far.position[1], y),
            (far.velocity[0], velocity[0]),
            (far.velocity[1], velocity[1]),
        ] {
            assert!((found - expected).abs() < 1e-14, "{far:?}");
        }
        assert!((far.spin[2] - 3.0).abs() < 1e-14);
        let start = consistent_start(&mechanism, 0.0, q, v, Choice::Auto).unwrap();
        assert!(start.moved.0 < 1e-13 && start.moved.1 < 1e-13, "{:?}", start.moved);
    }
}

#[test]
fn a_drive_counts_all_turns_and_tells_its_torque() {
    let arm = Body::new("arm").mass(1.0).inertia([0.1, 0.1, 0.1]).at([1.0, 0.0, 0.0]);
    let pin = Joint::revolute("pin", "ground", "arm")
        .at([0.0; 3])
        .axis(Z)
        .rate(10.0)
        .drive(Course::linear(0.0, 10.0));
    let mechanism = World::new().gravity([0.0, -10.0, 0.0]).body(arm).joint(pin).build().unwrap();
    let motion = run(&mechanism, "auto", 10.0, 1e-8);
    let joint = mechanism.joint_state(0, motion.q(), motion.v(), motion.lambda());
    assert!((joint.coordinates[0] - 100.0).abs() < 1e-10);
    // the torque that holds the weight
    let expected = 10.0 * 100.0_f64.cos();
    assert!((joint.torque[2] - expected).abs() < 1e-6, "{} against {expected}", joint.torque[2]);
    let drive = mechanism.structure().constraints.iter().position(|c| c.name == "pin.drive").unwrap();
    assert!((motion.lambda()[drive] + expected).abs() < 1e-6);
}

#[test]
fn gears_and_screws_keep_their_ratio() {
    let wheel = |name: &str, x: f64| Body::new(name).at([x, 0.0, 0.0]).inertia([0.1, 0.1, 0.2]);
    let pin =
        |name: &str, body: &str, x: f64| Joint::revolute(name, "ground", body).at([x, 0.0, 0.0]).axis(Z);
    let nut =
        Joint::new("screw", JointKind::Screw { pitch: 0.1 }, "ground", "nut").at([2.0, 0.0, 0.0]).axis(Z);
    let mechanism = World::new()
        .gravity([0.0, 0.0, -9.81])
        .body(wheel("a", 0.0))
        .body(wheel("b", 1.0))
        .body(wheel("nut", 2.0))
        .joint(pin("first", "a", 0.0).rate(1.0))
        .joint(pin("second", "b", 1.0).rate(-0.5))
        .joint(nut)
        .relation(Relation::gear("gear", "first", "second", -2.0))
        .build()
        .unwrap();
    let motion = run(&mechanism, "auto", 7.0, 1e-9);
    let [first, second, nut] =
        [0, 1, 2].map(|k| mechanism.joint_state(k, motion.q(), motion.v(), motion.lambda()).coordinates);
    assert!((first[0] - 7.0).abs() < 1e-8 && (first[0] + 2.0 * second[0]).abs() < 1e-12);
    let ratio = 0.1 / std::f64::consts::TAU;
    assert!((nut[1] - ratio * nut[0]).abs() < 1e-12);
    let (mass, inertia) = (1.0, 0.2);
    let acceleration = -9.81 * mass / (mass + inertia / (ratio * ratio));
    assert!((nut[1] - 0.5 * acceleration * 49.0).abs() < 1e-7, "{nut:?}");
}

#[test]
fn a_ball_rolls_on_a_slope() {
    let ball = Body::new("ball").mass(2.0).inertia([0.4 * 2.0 * 0.25; 3]).at([0.0, 0.0, 0.5]);
    let slope = 0.3_f64;
    let mechanism = World::new()
        .gravity([9.81 * slope.sin(), 0.0, -9.81 * slope.cos()])
        .body(ball)
        .joint(Joint::new("rolling", JointKind::Rolling { radius: 0.5 }, "ground", "ball").axis(Z))
        .build()
        .unwrap();
    let motion = run(&mechanism, "radau", 1.0, 1e-9);
    let expected = 0.5 * 9.81 * slope.sin() / 1.4;
    assert!((motion.q()[0] - expected).abs() < 1e-8, "{} against {expected}", motion.q()[0]);
}

#[test]
fn rough_positions_are_put_together_and_impossible_loops_are_named() {
    let mut world = four_bar(World::plane());
    world.bodies[1].position[1] += 0.05;
    let shifted = world.build().unwrap();
    let n = shifted.structure().n();
    let (q, v) = (&shifted.start()[..n], &shifted.start()[n..]);
    let start = consistent_start(&shifted, 0.0, q, v, Choice::Auto).unwrap();
    assert!(start.moved.0 < 0.1, "{:?}", start.moved);
    // both ends of a rod in the same place, from which nothing leads to its length
    let bodies = [rod("a", [0.0; 3], [1.0, 0.0, 0.0]), rod("b", [1.0, 0.0, 0.0], [2.0, 0.0, 0.0])];
    let [a, b] = bodies.map(|body| body.point("left", [-0.5, 0.0, 0.0]).point("right", [0.5, 0.0, 0.0]));
    let impossible = World::plane()
        .body(a)
        .body(b)
        .joint(Joint::revolute("first", "ground", "a").at([0.0; 3]))
        .joint(Joint::revolute("middle", "a", "b").points("right", "left"))
        .joint(
            Joint::new("last", JointKind::Distance { length: Some(0.1) }, "ground", "b").at([2.0, 0.0, 0.0]),
        );
    let mut impossible = impossible;
    impossible.joints[2].at = Some([4.0, 0.0, 0.0]);
    let mechanism = impossible.build().unwrap();
    let n = mechanism.structure().n();
    let start = mechanism.start();
    let mut far = start.clone();
    far[3] += 0.01;
    match consistent_start(&mechanism, 0.0, &far[..n], &far[n..], Choice::Auto) {
        Err(StartError::NotReached { constraint, residual }) => {
            assert_eq!(constraint, "last.length");
            assert!((residual + 0.1).abs() < 1e-12, "{residual}");
        }
        other => panic!("{other:?}"),
    }
}

/// Two bars of 1 m cannot reach over 4 m: stretched out they lie on one line, where rows of their joints depend on each other.
#[test]
fn a_loop_that_is_too_long_is_named_also_where_its_bars_are_stretched_out() {
    for height in [0.0, 0.5] {
        let bodies = [rod("a", [0.0; 3], [1.0, 0.0, 0.0]), rod("b", [2.5, 0.0, 0.0], [3.5, 0.0, 0.0])];
        let [a, b] = bodies.map(|body| body.point("left", [-0.5, 0.0, 0.0]).point("right", [0.5, 0.0, 0.0]));
        let world = World::plane()
            .body(a)
            .body(b)
            .joint(Joint::revolute("first", "ground", "a").points([0.0; 3], "left"))
            .joint(Joint::revolute("middle", "a", "b").points("right", "left"))
            .joint(Joint::revolute("last", "b", "ground").points("right", [4.0, height, 0.0]));
        let mechanism = world.build().unwrap();
        let (n, start) = (mechanism.structure().n(), mechanism.start());
        match consistent_start(&mechanism, 0.0, &start[..n], &start[n..], Choice::Auto) {
            Err(StartError::NotReached { constraint, residual }) => {
                assert!(constraint.starts_with("last."), "{constraint}");
                assert!(residual.abs() > 0.1, "{residual}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let body = || Body::new("a");
    let cases: [(World, &str); 6] = [
        (World::new().body(body()).body(body()), "the name 'a' is given twice"),
        (World::new().body(body().mass(-1.0)), "the mass of 'a' cannot be -1"),
        (
            World::new().body(body()).joint(Joint::revolute("pin", "ground", "b").at([0.0; 3]).axis(Z)),
            "'pin': there is no body 'b'",
        ),
        (
            World::new().body(body()).joint(Joint::revolute("pin", "ground", "a").at([0.0; 3])),
            "'pin' has no axis",
        ),
        (
            World::new().body(body()).joint(Joint::revolute("pin", "a", "a").at([0.0; 3]).axis(Z)),
            "'pin' joins 'a' with itself",
        ),
        (
            World::plane()
                .body(body())
                .joint(Joint::new("pin", JointKind::Cylindrical, "ground", "a").at([0.0; 3]).axis(Z)),
            "'pin': there are no joints of this kind in the plane",
        ),
    ];
    for (world, expected) in cases {
        let error: WorldError = world.build().unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
