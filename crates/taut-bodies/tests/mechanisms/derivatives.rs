//! Derivatives that were written by hand against differences, for worlds in which everything occurs.
#![allow(clippy::unwrap_used, clippy::panic)]

use taut::linear::Pattern;
use taut::system::{Dynamics, MechanicalSystem, Terms};
use taut_bodies::{
    Body, Contact, Course, Freedom, Friction, Hertz, Joint, JointKind, Limits, Load, Mechanism, Relation,
    Spring, Surface, World,
};

/// Numbers between −1 and 1 that look random.
fn scattered(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn full(pattern: &Pattern, values: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; pattern.cols()]; pattern.rows()];
    for ((i, j), value) in pattern.entries().zip(values) {
        matrix[i][j] = *value;
    }
    matrix
}

/// Fourth-order differences, column by column.
fn differences(x: &[f64], function: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let h = 1e-3;
    let columns: Vec<Vec<f64>> = (0..x.len())
        .map(|j| {
            let at = |shift: f64| {
                let mut x = x.to_vec();
                x[j] += shift;
                function(&x)
            };
            let values = [at(-2.0 * h), at(-h), at(h), at(2.0 * h)];
            (0..values[0].len())
                .map(|i| (values[0][i] - 8.0 * values[1][i] + 8.0 * values[2][i] - values[3][i]) / (12.0 * h))
                .collect()
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

fn assert_close(found: &[Vec<f64>], expected: &[Vec<f64>], what: &str) {
    let scale = expected.iter().flatten().fold(1.0, |scale: f64, x| scale.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (j, (found, expected)) in found.iter().zip(expected).enumerate() {
            let error = (found - expected).abs();
            assert!(error <= 1e-8 * scale, "{what}[{i}][{j}]: {found} against {expected}");
        }
    }
}

fn jacobian(system: &Mechanism, t: f64, q: &[f64], v: &[f64]) -> Vec<Vec<f64>> {
    let pattern = &system.structure().jacobian;
    let mut values = vec![f64::NAN; pattern.nnz()];
    system.jacobian(t, q, v, &mut values).unwrap();
    full(pattern, &values)
}

fn mass(system: &Mechanism, q: &[f64]) -> Vec<Vec<f64>> {
    let pattern = &system.structure().mass;
    let mut values = vec![f64::NAN; pattern.nnz()];
    system.mass(q, &mut values).unwrap();
    full(pattern, &values)
}

fn force(system: &Mechanism, terms: Terms, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut force = vec![f64::NAN; q.len()];
    system.force(terms, t, q, v, &mut force).unwrap();
    force
}

fn rows(count: usize, fill: impl Fn(&mut [f64])) -> Vec<f64> {
    let mut rows = vec![f64::NAN; count];
    fill(&mut rows);
    rows
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn check(system: &Mechanism, seed: u64) {
    let (n, m) = (system.structure().n(), system.structure().m());
    let start = system.start();
    let q: Vec<f64> = start[..n].iter().zip(scattered(n, seed)).map(|(q, x)| q + 0.3 * x).collect();
    let v = scattered(n, seed + 100);
    let (a, lambda) = (scattered(n, seed + 200), scattered(m, seed + 300));
    let t = 0.4;
    check_constraints(system, t, &q, &v);
    check_together(system, t, &q, &v);
    let kinetic = |q: &[f64]| vec![system.energy(t, q, &v).unwrap().kinetic];
    assert_close(&[force(system, Terms::KINETIC, t, &q, &v)], &differences(&q, kinetic), "∂T/∂q");
    let momentum = |q: &[f64]| mass(system, q).iter().map(|row| dot(row, &v)).collect();
    let carried: Vec<f64> = differences(&q, momentum).iter().map(|row| dot(row, &v)).collect();
    let slope = force(system, Terms::KINETIC, t, &q, &v);
    let coriolis: Vec<f64> = slope.iter().zip(&carried).map(|(slope, carried)| slope - carried).collect();
    assert_close(&[force(system, Terms::CORIOLIS, t, &q, &v)], &[coriolis], "Coriolis");
    let by_mass: f64 = 0.5 * mass(system, &q).iter().zip(&v).map(|(row, x)| dot(row, &v) * x).sum::<f64>();
    assert!((by_mass - system.energy(t, &q, &v).unwrap().kinetic).abs() < 1e-12 * (1.0 + by_mass));
    for terms in [Terms::ACCELERATING, Terms::KINETIC | Terms::APPLIED, Terms::POTENTIAL, Terms::NONE] {
        let mut stiffness = vec![f64::NAN; system.structure().stiffness.nnz()];
        let mut damping = vec![f64::NAN; system.structure().damping.nnz()];
        system.newton_blocks(terms, t, &q, &v, &a, &lambda, &mut stiffness, &mut damping).unwrap();
        let load = |q: &[f64]| {
            let mut load = force(system, terms, t, q, &v);
            for (load, row) in load.iter_mut().zip(mass(system, q)) {
                *load -= dot(&row, &a);
            }
            for (row, lambda) in jacobian(system, t, q, &v).iter().zip(&lambda) {
                load.iter_mut().zip(row).for_each(|(load, g)| *load -= lambda * g);
            }
            load
        };
        assert_close(&full(&system.structure().stiffness, &stiffness), &differences(&q, load), "K");
        let by_v = differences(&v, |v| force(system, terms, t, &q, v));
        assert_close(&full(&system.structure().damping, &damping), &by_v, "D");
    }
}

/// What is evaluated together is what each function says.
fn check_together(system: &Mechanism, t: f64, q: &[f64], v: &[f64]) {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let sizes = [structure.mass.nnz(), n, m, structure.jacobian.nnz(), m];
    let [mut mass, mut force, mut constraint, mut jacobian, mut curvature] =
        sizes.map(|size| vec![0.5; size]);
    let mut out =
        Dynamics { mass: &mut mass, force: &mut force, constraint: &mut constraint, jacobian: &mut jacobian };
    system.dynamics_and_curvature(t, q, v, &mut out, &mut curvature).unwrap();
    assert_eq!(mass, rows(sizes[0], |mass| system.mass(q, mass).unwrap()));
    assert_eq!(force, rows(n, |force| system.force(Terms::ACCELERATING, t, q, v, force).unwrap()));
    assert_eq!(constraint, rows(m, |g| system.constraint(t, q, g).unwrap()));
    assert_eq!(jacobian, rows(sizes[3], |jacobian| system.jacobian(t, q, v, jacobian).unwrap()));
    assert_eq!(curvature, rows(m, |curvature| system.curvature(t, q, v, curvature).unwrap()));
    let (mut mass_too, mut force_too) = (vec![0.5; sizes[0]], vec![0.5; n]);
    let (mut constraint_too, mut jacobian_too) = (vec![0.5; m], vec![0.5; sizes[3]]);
    let mut out = Dynamics {
        mass: &mut mass_too,
        force: &mut force_too,
        constraint: &mut constraint_too,
        jacobian: &mut jacobian_too,
    };
    system.dynamics(t, q, v, &mut out).unwrap();
    assert_eq!((mass_too, force_too, constraint_too, jacobian_too), (mass, force, constraint, jacobian));
}

fn check_constraints(system: &Mechanism, t: f64, q: &[f64], v: &[f64]) {
    let (n, m) = (system.structure().n(), system.structure().m());
    let g = |q: &[f64]| rows(m, |g| system.constraint(t, q, g).unwrap());
    let holonomic = system.structure().holonomic();
    let found = jacobian(system, t, q, v);
    assert_close(&found[..holonomic], &differences(q, g)[..holonomic], "G");
    let by_rate = |v: &[f64]| rows(m, |rate| system.constraint_rate(t, q, v, rate).unwrap());
    assert_close(&found, &differences(v, by_rate), "∂h/∂v");
    // along the motion, time included
    let along =
        |tau: &[f64]| -> (f64, Vec<f64>) { (t + tau[0], (0..n).map(|i| q[i] + tau[0] * v[i]).collect()) };
    let values = |tau: &[f64]| {
        let (t, q) = along(tau);
        rows(m, |g| system.constraint(t, &q, g).unwrap())
    };
    let slope: Vec<f64> = differences(&[0.0], values).concat();
    let rate = by_rate(v);
    assert_close(&[rate[..holonomic].to_vec()], &[slope[..holonomic].to_vec()], "rate");
    let rates = |tau: &[f64]| {
        let (t, q) = along(tau);
        rows(m, |rate| system.constraint_rate(t, &q, v, rate).unwrap())
    };
    let bend: Vec<f64> = differences(&[0.0], rates).concat();
    let found = rows(m, |curvature| system.curvature(t, q, v, curvature).unwrap());
    assert_close(&[found], &[bend], "curvature");
}

fn body(name: &str, seed: u64, plane: bool) -> Body {
    let x = scattered(10, seed);
    let mut body = Body::new(name).mass(1.0 + x[0].abs()).inertia([1.0 + x[1].abs(), 1.2, 1.3 + 0.3 * x[2]]);
    body.inertia[3..].copy_from_slice(&[0.1 * x[3], -0.1 * x[4], 0.05]);
    if plane {
        return body.at([x[5], x[6], 0.0]).rotated([0.0, 0.0, 1.0], x[7]);
    }
    body.at([x[5], x[6], x[7]]).rotated([x[8], x[9], 0.4], 1.1)
}

fn everything_in_space() -> Mechanism {
    let mut world = World::new().gravity([0.3, -0.2, -9.81]);
    for (k, name) in ["a", "b", "c", "d", "e", "f", "ball"].into_iter().enumerate() {
        world = world.body(body(name, k as u64 + 1, false).point("tip", [0.2, -0.1, 0.4]));
    }
    let kinds: [(&str, JointKind, &str, &str); 11] = [
        ("spherical", JointKind::Spherical, "ground", "a"),
        ("socket", JointKind::Spherical, "a", "d"),
        ("revolute", JointKind::Revolute, "a", "b"),
        ("prismatic", JointKind::Prismatic, "b", "c"),
        ("cylindrical", JointKind::Cylindrical, "c", "d"),
        ("universal", JointKind::Universal { second: [0.0, 0.0, 1.0] }, "d", "e"),
        ("planar", JointKind::Planar, "e", "f"),
        ("fixed", JointKind::Fixed, "a", "f"),
        ("distance", JointKind::Distance { length: Some(0.7) }, "b", "e"),
        ("line", JointKind::PointOnLine, "b", "f"),
        ("rolling", JointKind::Rolling { radius: 0.4 }, "ground", "ball"),
    ];
    for (name, kind, first, second) in kinds {
        let axis = if name == "universal" { [1.0, 0.5, 0.0] } else { [0.2, 1.0, -0.4] };
        let mut joint = Joint::new(name, kind, first, second).at([0.3, -0.2, 0.5]).axis(axis);
        if joint.kind == JointKind::Spherical {
            (joint.stiffness, joint.damping, joint.armature) = (vec![2.0], vec![0.7], vec![0.4]);
            joint.rest = if name == "socket" { vec![0.3, -0.8, 0.2] } else { Vec::new() };
        }
        world = world.joint(joint);
    }
    for joint in joints_with_forces() {
        world = world.joint(joint);
    }
    with_forces(world).build().unwrap()
}

/// A chain of freedoms with springs, limits and motors, a screw with friction, and a pin that is driven.
fn joints_with_forces() -> [Joint; 3] {
    let freedom = |name: &str, turns, axis, at| Freedom { name: name.into(), turns, axis, at, zero: 0.1 };
    let serial = JointKind::Serial(vec![
        freedom("s1", true, [1.0, 0.2, 0.0], [0.1, 0.0, 0.3]),
        freedom("s2", false, [0.0, 1.0, 0.3], [0.0; 3]),
        freedom("s3", true, [0.3, 0.2, 1.0], [0.0, -0.2, 0.1]),
    ]);
    let mut serial = Joint::new("serial", serial, "c", "f");
    serial.armature = vec![0.3, 0.0, 0.2];
    serial.stiffness = vec![0.0, 2.0, 0.0];
    serial.damping = vec![0.1, 0.2, 0.0];
    serial.limits = vec![Some(Limits { from: -0.01, to: 0.01, stiffness: 30.0, damping: 0.3 })];
    serial.motors = vec![None, None, Some(Course::sine(1.0, 2.0, 0.3))];
    let mut screw = Joint::new("screw", JointKind::Screw { pitch: 0.3 }, "a", "e")
        .at([0.0, 0.1, 0.2])
        .axis([1.0, 1.0, 0.0]);
    screw.friction = Some(Friction { coulomb: 0.4, viscous: 0.2, at: 0.7 });
    let driven = Joint::revolute("driven", "b", "f")
        .at([0.0; 3])
        .axis([0.0, 1.0, 0.1])
        .drive(Course::sine(0.2, 3.0, 0.0));
    [serial, screw, driven]
}

/// A gear, a spring, contacts and a load.
fn with_forces(world: World) -> World {
    let law = Hertz { stiffness: 20.0, damping: 0.3 };
    world
        .relation(Relation {
            polynomial: vec![0.1, 2.0, 0.3, -0.2],
            further: vec![("s3".into(), 0.4)],
            ..Relation::gear("gear", "s1", "driven", 2.0)
        })
        .spring(Spring {
            name: "spring".into(),
            between: ["a".into(), "d".into()],
            ends: [[0.1, 0.2, 0.3], [-0.2, 0.1, 0.0]],
            length: Some(0.4),
            stiffness: 3.0,
            damping: 0.7,
        })
        .contact(Contact {
            name: "on plane".into(),
            between: ["a".into(), "ball".into()],
            surface: Surface::Plane { point: [0.0, 0.0, 4.0], normal: [0.1, 0.2, 1.0] },
            centre: [0.1, 0.0, 0.0],
            radius: 0.5,
            law,
        })
        .contact(Contact {
            name: "on ball".into(),
            between: ["b".into(), "ball".into()],
            surface: Surface::Ball { centre: [0.1, 0.2, 0.0], radius: 3.0 },
            centre: [0.0, 0.1, 0.0],
            radius: 1.5,
            law,
        })
        .load(Load {
            name: "push".into(),
            on: "c".into(),
            at: [0.1, 0.2, -0.3],
            force: [Some(Course::constant(2.0)), None, Some(Course::sine(1.0, 2.0, 0.0))],
            torque: [None, Some(Course::linear(0.3, 0.2)), Some(Course::constant(0.5))],
        })
}

fn everything_in_the_plane() -> Mechanism {
    let mut world = World::plane().gravity([0.3, -9.81, 0.0]);
    for (k, name) in ["a", "b", "c", "d", "wheel"].into_iter().enumerate() {
        world = world.body(body(name, k as u64 + 1, true));
    }
    let kinds: [(&str, JointKind, &str, &str); 6] = [
        ("revolute", JointKind::Revolute, "ground", "a"),
        ("prismatic", JointKind::Prismatic, "a", "b"),
        ("fixed", JointKind::Fixed, "b", "c"),
        ("distance", JointKind::Distance { length: Some(0.7) }, "a", "d"),
        ("line", JointKind::PointOnLine, "c", "d"),
        ("rolling", JointKind::Rolling { radius: 0.3 }, "ground", "wheel"),
    ];
    for (name, kind, first, second) in kinds {
        world = world.joint(Joint::new(name, kind, first, second).at([0.3, -0.2, 0.0]).axis([1.0, 0.4, 0.0]));
    }
    let mut slide = Joint::prismatic("slide", "a", "d").at([0.1, 0.2, 0.0]).axis([0.3, 1.0, 0.0]);
    slide.damping = vec![0.5];
    let turn =
        Joint::revolute("turn", "c", "d").at([0.1, -0.1, 0.0]).servo(Course::sine(0.4, 1.0, 0.2), 100.0, 3.0);
    world
        .joint(slide)
        .joint(turn)
        .spring(Spring {
            name: "spring".into(),
            between: ["ground".into(), "d".into()],
            ends: [[0.1, 0.2, 0.0], [-0.2, 0.1, 0.0]],
            length: Some(0.4),
            stiffness: 3.0,
            damping: 0.7,
        })
        .load(Load {
            name: "push".into(),
            on: "c".into(),
            at: [0.1, 0.2, 0.0],
            force: [Some(Course::constant(2.0)), None, None],
            torque: [None, None, Some(Course::linear(0.3, 0.2))],
        })
        .build()
        .unwrap()
}

#[test]
fn in_space() {
    let system = everything_in_space();
    for seed in 1..4 {
        check(&system, seed);
    }
}

#[test]
fn in_the_plane() {
    let system = everything_in_the_plane();
    for seed in 1..4 {
        check(&system, seed);
    }
}

#[test]
fn a_wheel_pinned_at_its_centre() {
    let wheel = Body::new("wheel").mass(2.0).inertia([0.1, 0.1, 0.1]).at([0.4, -0.3, 0.0]);
    let axle = Joint::revolute("axle", "ground", "wheel").at([0.4, -0.3, 0.0]);
    let system = World::plane().body(wheel).joint(axle).build().unwrap();
    assert_eq!(system.structure().stiffness.entries().count(), 0, "nothing bends at the centre");
    check(&system, 1);
}
