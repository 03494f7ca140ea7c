//! Model files with bodies and joints.

use taut::Solver;
use taut::system::MechanicalSystem;
use taut_text::{BodiesModel, Model, Source};

fn read(text: &str, overrides: &[(&str, f64)]) -> Model {
    let overrides: Vec<(String, f64)> =
        overrides.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Model::read(&Source::new("model.toml", text), &overrides).unwrap_or_else(|errors| panic!("{errors}"))
}

fn mistake(text: &str) -> String {
    Model::read(&Source::new("model.toml", text), &[]).unwrap_err().to_string()
}

fn bodies(model: &Model) -> &BodiesModel {
    model.system.bodies().unwrap()
}

fn observed(model: &Model, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut values = vec![f64::NAN; model.observers.names().len()];
    model.observers.evaluate(0.0, q, v, &mut values);
    values
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} against {expected}");
    }
}

const PENDULUM: &str = r#"
    gravity = [0, -9.81, 0]
    [parameters]
    length = 0.6
    [bodies.rod]
    mass = 2
    inertia = [0.1, 0.2, 0.3]
    position = ["length", 0, 0]
    points = { tip = ["length", 0, 0] }
    [joints]
    pin = { kind = "revolute", between = ["ground", "rod"], at = [0, 0, 0], axis = [0, 0, 1] }
"#;

#[test]
fn expressions_see_bodies_and_joints() {
    let text = format!(
        "{PENDULUM}
        [observe]
        x = \"rod.x\"
        vy = \"rod.vy\"
        spin = \"rod.spin.z\"
        tip = \"rod.tip.y\"
        falling = \"rod.tip.vy\"
        angle = \"pin.angle\"
        rate = \"pin.rate\""
    );
    let model = read(&text, &[("pin", 0.5), ("pin'", 2.0)]);
    let (q, v) = (&model.start.q, &model.start.v);
    let (sin, cos) = 0.5_f64.sin_cos();
    let expected = [0.6 * cos, 2.0 * 0.6 * cos, 2.0, 1.2 * sin, 2.0 * 1.2 * cos, 0.5, 2.0];
    assert_close(&observed(&model, q, v), &expected, 1e-14);
    // the coordinate of the joint is a variable, which counts whole turns
    assert_eq!(model.coordinates().last().unwrap(), "pin");
}

#[test]
fn formulas_beside_bodies_act_on_them() {
    // a damper, a potential and a constraint in words, against the same as a spring, a load and a joint
    let in_words = format!(
        "{PENDULUM}
        [coordinates]
        s = {{ start = 0.2, velocity = 0.1 }}
        [energy]
        kinetic = \"s'^2/2\"
        potential = \"5*hypot(rod.tip.x - 2, rod.tip.y)^2/2 + s^2/2\"
        [forces]
        \"rod.x\" = {{ driving = \"sin(t)\" }}
        [constraints]
        follow = \"s - 0.2 - rod.y/2\""
    );
    let as_bodies = format!(
        "{PENDULUM}
        [springs]
        tie = {{ between = [\"ground\", \"rod\"], points = [[2, 0, 0], \"tip\"], length = 0, stiffness = 5 }}
        [loads]
        push = {{ on = \"rod\", force = [\"sin(t)\", 0, 0] }}
        [coordinates]
        s = {{ start = 0.2, velocity = 0.1 }}
        [energy]
        kinetic = \"s'^2/2\"
        potential = \"s^2/2\"
        [constraints]
        follow = \"s - 0.2 - rod.y/2\""
    );
    let ends = [in_words, as_bodies].map(|text| {
        let model = read(&text, &[]);
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let system = model.system.mechanism().unwrap();
        let motion = Solver::mechanical(system).tolerance(1e-9).run(0.0, 1.0, &start).unwrap();
        [motion.q(), motion.v()].concat()
    });
    assert_close(&ends[0], &ends[1], 1e-7);
    assert!((ends[0][0] - 0.6).abs() > 0.01);
}

#[test]
fn loads_may_depend_on_the_motion() {
    // drag on a thrown body has a closed form
    let text = r#"
        plane = "xy"
        [bodies]
        stone = { mass = 2, inertia = 0.1, velocity = [3, 0], spin = 1 }
        [loads]
        drag = { on = "stone", force = ["-0.5*stone.vx", "-0.5*stone.vy"], torque = "-0.2*stone.spin" }
    "#;
    let model = read(text, &[]);
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let system = model.system.mechanism().unwrap();
    let motion = Solver::mechanical(system).tolerance(1e-10).run(0.0, 2.0, &start).unwrap();
    let (speed, spin) = (3.0 * (-0.25_f64 * 2.0).exp(), (-2.0_f64 * 2.0).exp());
    assert_close(motion.v(), &[speed, 0.0, spin], 1e-8);
}

#[test]
fn loads_may_depend_on_positions_and_definitions() {
    // springs in words, in both directions, beside z = cos and x = 2 cos of the same frequency
    let text = r#"
        [parameters]
        k = 18
        [bodies]
        ball = { mass = 2, inertia = [1, 1, 1], position = [2, 0, 1] }
        [define]
        pull = "-k*ball.x"
        [loads]
        along = { on = "ball", force = ["pull", 0, 0] }
        up = { on = "ball", force = [0, 0, "-k*ball.z"] }
    "#;
    let model = read(text, &[]);
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let system = model.system.mechanism().unwrap();
    let motion = Solver::mechanical(system).tolerance(1e-10).run(0.0, 2.0, &start).unwrap();
    assert_close(&[motion.q()[0], motion.q()[2]], &[2.0 * 6.0_f64.cos(), 6.0_f64.cos()], 1e-8);
}

#[test]
fn repetitions_build_chains() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [parameters]
        N = 4
        [[for]]
        i = "1..N"
        [for.bodies]
        "link{i}" = { mass = 1, inertia = [0.01, 0.1, 0.1], position = ["i - 0.5", 0, 0] }
        [[for]]
        i = "2..N"
        [for.joints]
        "ball{i}" = { kind = "spherical", between = ["link{i-1}", "link{i}"], at = ["i - 1", 0, 0] }
        [joints]
        hook = { kind = "spherical", between = ["ground", "link1"], at = [0, 0, 0] }
    "#;
    let model = read(text, &[]);
    let mechanism = bodies(&model).mechanism();
    assert_eq!(mechanism.body_names().count(), 4);
    assert_eq!(mechanism.structure().m(), 4 + 12);
    let mut residual = vec![f64::NAN; 16];
    mechanism.constraint(0.0, &model.start.q, &mut residual).unwrap();
    assert!(residual.iter().all(|g| g.abs() < 1e-15));
}

#[test]
fn a_servo_holds_its_course_without_short_steps() {
    let text = r#"
        plane = "xy"
        gravity = [0, -9.81]
        [bodies.arm]
        mass = 1
        inertia = 0.1
        position = [0.5, 0]
        [joints.pin]
        kind = "revolute"
        between = ["ground", "arm"]
        at = [0, 0]
        drive = "0.3*sin(2*t)"
        gains = [1e8, 1e4]
        rate = 0.6
    "#;
    let model = read(text, &[]);
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let system = model.system.mechanism().unwrap();
    let motion = Solver::mechanical(system).tolerance(1e-6).run(0.0, 3.0, &start).unwrap();
    assert!((motion.q()[2] - 0.3 * 6.0_f64.sin()).abs() < 1e-5);
    assert!(motion.statistics.accepted < 200, "{} steps", motion.statistics.accepted);
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let body = "[bodies.rod]\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n";
    let joint = |fields: &str| format!("{body}[joints]\npin = {{ {fields} }}\n");
    let cases = [
        (joint("kind = \"revolut\", between = [\"ground\", \"rod\"]"), "did you mean 'revolute'?"),
        (joint("kind = \"revolute\", between = [\"ground\", \"rode\"], at = [0, 0, 0], axis = [0, 0, 1]"), "did you mean 'rod'?"),
        (joint("kind = \"revolute\", between = [\"ground\", \"rod\"], axis = [0, 0, 1]"), "'pin' has no place"),
        (joint("kind = \"revolute\", between = [\"ground\", \"rod\"], at = [0, 0], axis = [0, 0, 1]"), "at has 3 numbers here"),
        (joint("kind = \"revolute\", between = [\"ground\", \"rod\"], at = [0, 0, 0]"), "'pin' has no axis"),
        (joint("kind = \"screw\", between = [\"ground\", \"rod\"], at = [0, 0, 0], axis = [0, 0, 1]"), "'pin' has no pitch"),
        (format!("{body}[observe]\nx = \"rod.tip.x\"\n"), "unknown name 'rod.tip.x'"),
        ("[bodies.rod]\nmass = 2\n".to_string(), "'rod' has no inertia"),
        ("[bodies.rod]\nmas = 2\n".to_string(), "did you mean 'mass'?"),
        (format!("{body}[loads]\npush = {{ on = \"rood\", force = [1, 0, 0] }}\n"), "did you mean 'rod'?"),
        ("[joints]\npin = { kind = \"fixed\" }\n[coordinates]\nx = { start = 0 }\n[energy]\nkinetic = \"x'^2/2\"\n".to_string(), "this belongs to a model with [bodies]"),
    ];
    for (text, expected) in cases {
        let found = mistake(&text);
        assert!(found.contains(expected), "{expected:?} is not in\n{found}");
    }
}

#[test]
fn torsion_springs_add_to_what_a_joint_has() {
    // Two springs and a damper on one hinge: k = 3 + 1 rests at (3·0.2 − 1·0.2)/4, and nothing of the joint is lost.
    let pin = r#"pin = { kind = "revolute", between = ["ground", "rod"], at = [0, 0, 0], axis = [0, 0, 1], stiffness = 3, rest = 0.2, damping = 0.5 }"#;
    let plain = PENDULUM.lines().filter(|line| !line.trim_start().starts_with("pin")).collect::<Vec<_>>();
    let text = format!(
        "{}\n{pin}\n[springs]\ntwist = {{ kind = \"torsion\", joint = \"pin\", stiffness = 1, angle = -0.2, damping = 0.25 }}",
        plain.join("\n")
    );
    let model = read(&text, &[]);
    let joint = &bodies(&model).world().joints[0];
    assert_close(&joint.stiffness, &[4.0], 0.0);
    assert_close(&joint.rest, &[0.1], 1e-16);
    assert_close(&joint.damping, &[0.75], 0.0);
}
