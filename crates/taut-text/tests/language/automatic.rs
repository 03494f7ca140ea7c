//! What `auto` takes for a model: series where they pay, and radau where their terms say that the motion is stiff.

use taut::motion::Motion;

use crate::phases::{read, run};

/// A variable that is drawn to cos t with a rate, and one that decays.
fn relaxation(rate: f64) -> String {
    format!(
        r#"
        name = "Relaxation"
        [variables]
        y = {{ start = 0.0, rate = "-{rate}*(y - cos(t))" }}
        z = {{ start = 1.0, rate = "-z" }}
        [time]
        end = 5"#
    )
}

/// A pendulum with a body on a damped spring beside it.
fn pendulum_with_a_spring(stiffness: f64) -> String {
    let damping = stiffness.sqrt();
    format!(
        r#"
        name = "Pendulum with a spring"
        [coordinates]
        x = {{ start = 1 }}
        y = {{ start = 0 }}
        s = {{ start = 0 }}
        [energy]
        kinetic = "(x'^2 + y'^2 + s'^2)/2"
        potential = "9.81*y + {stiffness}/2*(s - 0.1*x)^2"
        [forces]
        s = {{ dissipative = "-{damping}*(s' - 0.1*x')" }}
        [constraints]
        rod = "x^2 + y^2 - 1"
        [time]
        end = 5"#
    )
}

fn go(text: &str, method: &str, tolerance: f64) -> Motion {
    run(&read(text), method, tolerance, 5.0).unwrap_or_else(|error| panic!("{method}: {error}\n{text}"))
}

fn differs(a: &Motion, b: &Motion) -> f64 {
    let n = a.layout.differential();
    a.y[..n].iter().zip(&b.y).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max)
}

#[test]
fn motion_that_is_not_stiff_is_expanded() {
    for text in [relaxation(10.0), pendulum_with_a_spring(1e3)] {
        let motion = go(&text, "auto", 1e-8);
        assert_eq!(motion.method, "taylor", "{:?}", motion.choice);
        assert!(differs(&motion, &go(&text, "dopri8", 1e-11)) < 1e-6);
    }
}

/// A stiff motion goes on with radau soon, and as well.
fn is_left_to_radau(text: &str, tolerance: f64) {
    let motion = go(text, "auto", tolerance);
    let choice = motion.choice.clone().unwrap();
    assert!(choice.starts_with("radau from t = ") && choice.ends_with("taylor before"), "{choice}");
    let radau = go(text, "radau", tolerance);
    assert!(motion.statistics.steps < 2 * radau.statistics.steps + 50, "{}", motion.statistics.steps);
    assert!(differs(&motion, &radau) < 100.0 * tolerance, "{}", differs(&motion, &radau));
}

#[test]
fn stiff_motion_is_left_to_radau() {
    for text in [relaxation(1e4), relaxation(1e8), pendulum_with_a_spring(1e8)] {
        for tolerance in [1e-8, 1e-10] {
            is_left_to_radau(&text, tolerance);
        }
    }
}

/// Terms of any motion are few tolerances there.
#[test]
fn loose_tolerances_tell_stiff_motion_from_others() {
    for tolerance in [1e-3, 1e-4, 1e-5] {
        let motion = go(&pendulum_with_a_spring(1e3), "auto", tolerance);
        assert_eq!(motion.method, "taylor", "{:?}", motion.choice);
        is_left_to_radau(&pendulum_with_a_spring(1e6), tolerance);
        is_left_to_radau(&pendulum_with_a_spring(1e8), tolerance);
    }
}

#[test]
fn series_that_are_asked_for_say_that_the_motion_is_stiff() {
    let motion = go(&relaxation(1e4), "taylor", 1e-8);
    assert!(motion.warning.unwrap().contains("became short for stability only"));
    assert_eq!(go(&relaxation(10.0), "taylor", 1e-8).warning, None);
}

#[test]
fn loose_tolerances_and_kinks_are_left_to_steps_of_order_eight() {
    let text = pendulum_with_a_spring(10.0);
    assert_eq!(go(&text, "auto", 1e-2).method, "dopri8");
    let bent = text.replace("9.81*y", "9.81*y + max(y, 0)^2");
    assert_eq!(go(&bent, "auto", 1e-8).method, "dopri8");
}
