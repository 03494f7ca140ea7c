//! Joints in motion against formulas that know nothing of rows: one equation for what a joint leaves free, or an integral of it.
#![allow(clippy::unwrap_used)]

use taut::Solver;
use taut::motion::Motion;
use taut_bodies::{Body, BodyState, Joint, JointKind, Mechanism, Relation, World};

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const DOWN: [f64; 3] = [0.0, -9.81, 0.0];
const AFTER: f64 = 0.8;

fn run(mechanism: &Mechanism) -> Motion {
    run_until(mechanism, AFTER)
}

fn run_until(mechanism: &Mechanism, end: f64) -> Motion {
    Solver::mechanical(mechanism).tolerance(1e-11).run(0.0, end, &mechanism.start()).unwrap()
}

fn body(mechanism: &Mechanism, motion: &Motion, k: usize) -> BodyState {
    mechanism.body_state(k, motion.q(), motion.v())
}

fn coordinate(mechanism: &Mechanism, motion: &Motion, k: usize) -> f64 {
    mechanism.joint_state(k, motion.q(), motion.v(), motion.lambda()).coordinates[0]
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
        "{what}: {found} instead of {expected}"
    );
}

fn assert_at(found: [f64; 3], expected: [f64; 3], what: &str) {
    (0..3).for_each(|i| assert_near(found[i], expected[i], what));
}

fn along(axis: [f64; 3], length: f64) -> [f64; 3] {
    axis.map(|x| length * x)
}

/// A slope of slope 3/4: along it, across it upwards, and how gravity pulls along it.
const ALONG: [f64; 3] = [0.8, -0.6, 0.0];
const NORMAL: [f64; 3] = [0.6, 0.8, 0.0];
const PULL: f64 = 9.81 * 0.6;

fn nut() -> Body {
    Body::new("nut").mass(2.0).inertia([0.3, 0.3, 0.3])
}

/// (m p² + J) θ'' = m g p for a screw that falls p in a radian.
#[test]
fn a_screw_falls_as_slowly_as_its_turning_lets_it() {
    let screw =
        Joint::new("screw", JointKind::Screw { pitch: 0.7 }, "ground", "nut").at([0.0; 3]).axis(ALONG);
    let mechanism = World::new().gravity(DOWN).body(nut()).joint(screw).build().unwrap();
    let motion = run(&mechanism);
    let lead = 0.7 / std::f64::consts::TAU;
    let turned = 2.0 * PULL * lead / (2.0 * lead * lead + 0.3) * AFTER * AFTER / 2.0;
    let state = body(&mechanism, &motion, 0);
    assert_at(state.position, along(ALONG, lead * turned), "position");
    assert_at(state.spin, along(ALONG, 2.0 * turned / AFTER), "spin");
}

/// Sliding and turning know nothing of each other.
#[test]
fn a_cylindrical_joint_slides_as_on_a_slope_and_turns_on() {
    let sleeve = Joint::new("sleeve", JointKind::Cylindrical, "ground", "nut").at([0.0; 3]).axis(ALONG);
    let turning = nut().spin(along(ALONG, 3.0));
    let mechanism = World::new().gravity(DOWN).body(turning).joint(sleeve).build().unwrap();
    let state = body(&mechanism, &run(&mechanism), 0);
    assert_at(state.position, along(ALONG, PULL * AFTER * AFTER / 2.0), "position");
    assert_at(state.spin, along(ALONG, 3.0), "spin");
}

/// The centre falls along the slope, beside what it had across it, and the body turns on about the normal.
#[test]
fn a_planar_joint_lets_fall_along_its_plane() {
    let plane = Joint::new("plane", JointKind::Planar, "ground", "nut").at([0.0; 3]).axis(NORMAL);
    let moving = nut().velocity([0.0, 0.0, 0.4]).spin(along(NORMAL, -2.0));
    let mechanism = World::new().gravity(DOWN).body(moving).joint(plane).build().unwrap();
    let state = body(&mechanism, &run(&mechanism), 0);
    let [x, y, _] = along(ALONG, PULL * AFTER * AFTER / 2.0);
    assert_at(state.position, [x, y, 0.4 * AFTER], "position");
    assert_at(state.spin, along(NORMAL, -2.0), "spin");
}

/// A pendulum whose pivot slides on a level line: nothing pushes its centre sideways, and its energy is that of one angle,
/// (m l² sin²θ + J) θ'²/2 − m g l cos θ.
#[test]
fn a_pendulum_on_a_line_has_its_centre_on_a_plumb_line() {
    let (angle, length): (f64, f64) = (1.1, 0.5);
    let centre = [length * angle.sin(), -length * angle.cos(), 0.0];
    for world in [World::plane(), World::new()] {
        let rod = Body::new("rod").mass(2.0).inertia([0.3, 0.2, 0.3]).at(centre);
        let line = Joint::new("line", JointKind::PointOnLine, "ground", "rod").at([0.0; 3]).axis(X);
        let mechanism = world.gravity(DOWN).body(rod).joint(line).build().unwrap();
        let state = body(&mechanism, &run_until(&mechanism, 0.4), 0);
        let [x, y, z] = state.position;
        let (now, rate) = ((-y / length).acos(), state.spin[2]);
        assert_near(x, centre[0], "sideways");
        assert_near(z, 0.0, "out of the plane");
        let inertia = 2.0 * (length * now.sin()).powi(2) + 0.3;
        let fallen = 2.0 * 9.81 * length * (now.cos() - angle.cos());
        assert_near(0.5 * inertia * rate * rate, fallen, "energy");
        assert!(rate.abs() > 1.0, "it moves: {rate}");
    }
}

/// Shafts at an angle β turn by tan φ₂ = cos β tan φ₁ (Hooke's joint), and keep J₁ φ₁'² + J₂ φ₂'². What holds the shafts in their
/// bearings is known more than once.
#[test]
fn a_universal_joint_turns_shafts_as_hookes_does() {
    let (cos, sin) = (0.8, 0.6);
    let shafts = [X, [cos, sin, 0.0]];
    let round = |name: &str, inertia: f64| Body::new(name).mass(1.0).inertia([inertia; 3]);
    let cross = JointKind::Universal { second: [-sin, cos, 0.0] };
    let bearing = |name: &str, k: usize| {
        Joint::revolute(name, "ground", ["in", "out"][k]).at([0.0; 3]).axis(shafts[k]).with_variables()
    };
    let world = World::new()
        .body(round("in", 0.3).spin([2.5, 0.0, 0.0]))
        .body(round("out", 0.7).spin([2.5 * cos * cos, 2.5 * cos * sin, 0.0]))
        .joint(bearing("first", 0))
        .joint(bearing("second", 1))
        .joint(Joint::new("cross", cross, "in", "out").at([0.0; 3]).axis(Z));
    let mechanism = world.build().unwrap();
    let motion = run(&mechanism);
    let [first, second] = [0, 1].map(|k| coordinate(&mechanism, &motion, k));
    assert!(first > 1.6, "past the turning point of the ratio: {first}");
    assert_near(second, (cos * first.sin()).atan2(first.cos()), "angle");
    let ratio = cos / (first.cos().powi(2) + (cos * first.sin()).powi(2));
    let rate = body(&mechanism, &motion, 0).spin[0];
    assert_near((0.3 + 0.7 * ratio * ratio) * rate * rate, (0.3 + 0.7 * cos * cos) * 2.5 * 2.5, "energy");
}

/// m x'' + (J/r²) x'' = m g for a rack that slides along a slope and turns its pinion.
#[test]
fn a_rack_falls_against_the_inertia_of_its_pinion() {
    for world in [World::plane(), World::new()] {
        let slide = Joint::prismatic("slide", "ground", "rack").at([0.0; 3]).axis(ALONG);
        let pin = Joint::revolute("pin", "ground", "pinion").at([3.0, 0.0, 0.0]).axis(Z);
        let mechanism = world
            .gravity(DOWN)
            .body(Body::new("rack").mass(2.0).inertia([0.1, 0.1, 0.1]))
            .body(Body::new("pinion").mass(5.0).inertia([0.2, 0.3, 0.4]).at([3.0, 0.0, 0.0]))
            .joint(slide)
            .joint(pin)
            .relation(Relation::gear("teeth", "slide", "pin", 0.25))
            .build()
            .unwrap();
        let motion = run(&mechanism);
        let slid = 2.0 * PULL / (2.0 + 0.4 / 0.0625) * AFTER * AFTER / 2.0;
        assert_at(body(&mechanism, &motion, 0).position, along(ALONG, slid), "rack");
        assert_near(body(&mechanism, &motion, 1).spin[2], 4.0 * 2.0 * slid / AFTER, "pinion");
    }
}

/// A torsion spring swings two wheels with J₁ + J₂/ratio².
#[test]
fn a_gear_swings_with_the_inertia_of_both_wheels() {
    for world in [World::plane(), World::new()] {
        let mut first = Joint::revolute("first", "ground", "one").at([0.0; 3]).axis(Z).start(0.4);
        first.stiffness = vec![6.0];
        let second = Joint::revolute("second", "ground", "two").at(X).axis(Z).start(0.4 / -1.5);
        let mechanism = world
            .body(Body::new("one").mass(1.0).inertia([0.2, 0.2, 0.3]))
            .body(Body::new("two").mass(1.0).inertia([0.2, 0.2, 0.9]).at(X))
            .joint(first)
            .joint(second)
            .relation(Relation::gear("gear", "first", "second", -1.5))
            .build()
            .unwrap();
        let motion = run(&mechanism);
        let swung = 0.4 * ((6.0_f64 / (0.3 + 0.9 / 2.25)).sqrt() * AFTER).cos();
        assert_near(coordinate(&mechanism, &motion, 0), swung, "first");
        assert_near(coordinate(&mechanism, &motion, 1), swung / -1.5, "second");
    }
}

/// x'' = g sin α/(1 + J/(m r²)); a ball rolls on beside that as it began.
#[test]
fn what_rolls_down_a_slope_is_held_back_by_its_turning() {
    let radius = 0.5;
    let held_back = |inertia: f64| PULL / (1.0 + inertia / (2.0 * radius * radius)) * AFTER * AFTER / 2.0;
    let up = along(NORMAL, radius);
    let kind = JointKind::Rolling { radius };
    let wheel = Body::new("wheel").mass(2.0).inertia([0.1, 0.1, 0.3]).at(up);
    let on_line = Joint::new("rolling", kind.clone(), "ground", "wheel").axis(ALONG);
    let mechanism = World::plane().gravity(DOWN).body(wheel).joint(on_line).build().unwrap();
    let state = body(&mechanism, &run(&mechanism), 0);
    let [x, y, _] = along(ALONG, held_back(0.3));
    assert_at(state.position, [up[0] + x, up[1] + y, 0.0], "wheel");
    assert_near(state.spin[2], -2.0 * held_back(0.3) / AFTER / radius, "spin of the wheel");

    // It rolls along z at first: its spin is the normal times the velocity by the radius.
    let (nx, ny) = (NORMAL[0], NORMAL[1]);
    let ball = Body::new("ball").mass(2.0).inertia([0.2; 3]).at(up).velocity(along(Z, 0.6));
    let ball = ball.spin(along([ny, -nx, 0.0], 0.6 / radius));
    let on_plane = Joint::new("rolling", kind, "ground", "ball").axis(NORMAL);
    let mechanism = World::new().gravity(DOWN).body(ball).joint(on_plane).build().unwrap();
    let state = body(&mechanism, &run(&mechanism), 0);
    let [x, y, _] = along(ALONG, held_back(0.2));
    assert_at(state.position, [up[0] + x, up[1] + y, 0.6 * AFTER], "ball");
}
