//! Start values that follow from definitions and from each other.

use taut_text::{Model, Source};

const TEXT: &str = r#"
    [parameters]
    l = 2
    angle = "pi/6"
    [coordinates]
    x = { start = "l*sin(angle)", velocity = "speed*y" }
    y = { start = "-below", velocity = "-speed*x" }
    z = { start = "y + t", velocity = "x' + y'" }
    [define]
    below = "sqrt(l^2 - x^2)"
    speed = "3/l"
    [time]
    start = 0.5
    [energy]
    kinetic = "(x'^2 + y'^2 + z'^2)/2"
"#;

fn start(set: &[(&str, f64)]) -> (Vec<f64>, Vec<f64>) {
    let set: Vec<(String, f64)> = set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let model = Model::read(&Source::new("model.toml", TEXT), &set);
    let model = model.unwrap_or_else(|errors| panic!("{errors}"));
    (model.start.q, model.start.v)
}

fn near(found: &[f64], expected: [f64; 3]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
}

#[test]
fn start_values_follow_from_definitions_and_from_each_other() {
    let (q, v) = start(&[]);
    let y = -3_f64.sqrt();
    near(&q, [1.0, y, y + 0.5]);
    near(&v, [1.5 * y, -1.5, 1.5 * y - 1.5]);
}

#[test]
fn they_follow_what_is_given_instead() {
    let (q, v) = start(&[("x", 1.2)]);
    near(&q, [1.2, -1.6, -1.1]);
    near(&v, [-2.4, -1.8, -4.2]);
    let (q, v) = start(&[("y", 0.25), ("x'", 7.0), ("l", 3.0)]);
    near(&q, [1.5, 0.25, 0.75]);
    near(&v, [7.0, -1.5, 5.5]);
}

#[test]
fn expressions_of_numbers_have_values() {
    assert_eq!(taut_text::value_of("-pi/6"), Ok(-std::f64::consts::PI / 6.0));
    assert_eq!(taut_text::value_of("hypot(3, 4)^2"), Ok(25.0));
    for (text, reason) in [
        ("2*m", "'m' is not a number; what is known here is pi"),
        ("1/0", "'1/0' is not a finite number"),
        ("pi/", "'pi/': the expression ends too early; expected a number, a name or '('"),
        ("sin", "'sin' is not a number; what is known here is pi"),
    ] {
        assert_eq!(taut_text::value_of(text), Err(reason.to_string()));
    }
}
