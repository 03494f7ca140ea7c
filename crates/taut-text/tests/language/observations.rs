//! `[observe]` sees accelerations, multipliers and the power of reactions, as they are at a state.

use taut_text::{Model, Source};

fn read(text: &str) -> Model {
    match Model::read(&Source::new("model.toml", text), &[]) {
        Ok(model) => model,
        Err(errors) => panic!("{errors}"),
    }
}

fn observed(model: &Model, t: f64, y: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; model.observers.names().len()];
    model.observe(t, y, &mut values);
    values
}

const PENDULUM: &str = r#"
    [coordinates]
    x = { start = 0.6 }
    y = { start = -0.8 }
    [define]
    angle = "atan2(x, -y)"
    speed = "angle'"
    [energy]
    kinetic = "(x'^2 + y'^2)*3/2"
    potential = "3*9.81*y"
    [constraints]
    rod = "hypot(x, y) - 1"
    [observe]
    pull = "2*lambda.rod"
    across = "x''"
    place = "x"
    turning = "speed'"
    twice = "angle''"
    power = "power.rod"
"#;

#[test]
fn a_pendulum_accelerates_as_gravity_and_its_rod_say() {
    let model = read(PENDULUM);
    // At rest: angular acceleration -g sin(angle), and the rod carries m g cos(angle).
    let lambda = 3.0 * 9.81 * 0.8;
    let found = observed(&model, 0.0, &[0.6, -0.8, 0.0, 0.0, lambda]);
    let turning = -9.81 * 0.6;
    let expected = [2.0 * lambda, turning * 0.8, 0.6, turning, turning, 0.0];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
}

#[test]
fn what_needs_multipliers_has_no_value_without_them() {
    let model = read(PENDULUM);
    let mut values = [0.0; 6];
    model.observers.evaluate(0.0, &[0.6, -0.8], &[0.0; 2], &mut values);
    assert_eq!(values.map(f64::is_nan), [true, true, false, true, true, true]);
}

/// A bead on a line that turns: the constraint works, and nothing else does.
#[test]
fn power_is_what_a_moving_constraint_does() {
    let model = read(
        r#"
        [coordinates]
        x = { start = 1 }
        y = { start = 0, velocity = 1 }
        [energy]
        kinetic = "(x'^2 + y'^2)/2"
        [constraints]
        line = "y*cos(t) - x*sin(t)"
        [observe]
        power = "power.line"
        change = "x'*x'' + y'*y''"
        "#,
    );
    // r = 1, r' = 0.5 at t = 0: v = (0.5, 1), the reaction is 2 r' across, λ = -1.
    let found = observed(&model, 0.0, &[1.0, 0.0, 0.5, 1.0, -1.0]);
    assert_eq!(found, [1.0, 1.0]);
}

#[test]
fn constraints_between_vectors_have_a_multiplier_for_each_row() {
    let model = read(
        r#"
        [coordinates]
        x = { start = 0 }
        y = { start = 0 }
        [mass]
        "x,x" = "1"
        [constraints]
        pin = ["x - y", "y - 1"]
        [nonholonomic]
        skate = "x' - 2*y'"
        [observe]
        first = "lambda.pin[1]"
        sum = "dot(lambda.pin, lambda.pin)"
        power = "power.skate"
        y_across = "y''"
        "#,
    );
    // M is singular: y'' follows from the constraints.
    let found = observed(&model, 0.0, &[1.0, 1.0, 3.0, 1.0, 4.0, 3.0, 2.0]);
    assert_eq!(found[..3], [4.0, 25.0, -2.0 * (3.0 - 2.0)]);
    let model = read(
        "[coordinates]\nx = { start = 0 }\ny = { start = 0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"3*x\"\n\
         [constraints]\nsame = \"x - y\"\n[observe]\na = \"y''\"",
    );
    assert_eq!(observed(&model, 0.0, &[0.0, 0.0, 0.0, 0.0, 0.0]), [-3.0]);
}
