//! Formulas that jump where the state says so: no method steps over it.

use crate::phases::{read, run};

/// A force that pushes against the motion away from 0 with constant strength: parabolas between zeros of x.
const RELAY: &str =
    "[variables]\nx = { start = 0.5, rate = \"v\" }\nv = { start = 0, rate = \"-sign(x)\" }\n";

/// x and v of the relay at t: from x = 1/2 at rest it reaches 0 at t = 1, and repeats with the period 4.
fn relay(t: f64) -> [f64; 2] {
    let t = t % 4.0;
    let (sign, t) = if t > 1.0 && t <= 3.0 {
        (-1.0, t - 2.0)
    } else if t > 3.0 {
        (1.0, t - 4.0)
    } else {
        (1.0, t)
    };
    [sign * (0.5 - t * t / 2.0), -sign * t]
}

#[test]
fn a_hundred_jumps_cost_no_accuracy() {
    for (method, tolerance) in
        [("dopri8", 1e-8), ("adams", 1e-8), ("radau", 1e-8), ("bdf", 1e-8), ("dopri8", 1e-5), ("bdf", 1e-5)]
    {
        let end = 201.7;
        let motion =
            run(&read(RELAY), method, tolerance, end).unwrap_or_else(|error| panic!("{method}: {error}"));
        let exact = relay(end);
        let error = (motion.y[0] - exact[0]).abs().max((motion.y[1] - exact[1]).abs()) / tolerance;
        assert!(error <= 100.0, "{method}: {error} tolerances");
    }
}

/// The same with other words for it.
#[test]
fn every_function_that_jumps_is_found() {
    for rate in [
        "if(x > 0, -1, 1)",
        "1 - 2*step(x)",
        "-(2*floor(0.9999999999*x/2 + 0.5) + 1) + 2*floor(0.9999999999*x/2 + 0.5)*0 + if(x > 0, 0, 2)",
        "-sign(x^3)",
        "-max(-1, min(1, 1e12*sign(x)))",
    ] {
        let text = RELAY.replace("-sign(x)", rate);
        let motion =
            run(&read(&text), "dopri8", 1e-8, 41.3).unwrap_or_else(|error| panic!("{rate}: {error}"));
        let exact = relay(41.3);
        assert!((motion.y[0] - exact[0]).abs() < 1e-6, "{rate}: {} {}", motion.y[0], exact[0]);
    }
}

#[test]
fn a_staircase_is_climbed_step_by_step() {
    // x' = 1 + floor(x): on each step of height 1 the speed is one more.
    let text = "[variables]\nx = { start = 0, rate = \"1 + floor(x)\" }\n";
    for method in ["dopri8", "radau", "bdf", "adams"] {
        let motion = run(&read(text), method, 1e-9, 1.0 + 0.5 + 1.0 / 3.0 + 0.1).unwrap();
        assert!((motion.y[0] - 3.4).abs() < 1e-12, "{method}: {}", motion.y[0]);
    }
}

/// Coulomb friction on an oscillator: the amplitude falls by twice the friction with each half period.
#[test]
fn friction_stops_an_oscillator_as_it_should() {
    let text = "[coordinates]\nx = { start = 1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
                [forces]\nx = { dissipative = \"-0.1*sign(x')\" }\n";
    for method in ["dopri8", "radau", "bdf", "adams"] {
        let motion = run(&read(text), method, 1e-9, 3.0 * std::f64::consts::PI).unwrap();
        assert!((motion.y[0] + 0.4).abs() < 1e-7, "{method}: {:?}", motion.y);
    }
}

#[test]
fn jumps_are_left_alone_where_the_model_says_so() {
    let text = format!("{RELAY}[time]\nend = 4\nsmooth = false\n");
    let (with, without) =
        (run(&read(RELAY), "dopri8", 1e-6, 4.0).unwrap(), run(&read(&text), "dopri8", 1e-6, 4.0).unwrap());
    assert!(without.statistics.rejected() > with.statistics.rejected(), "{:?}", without.statistics);
}

/// Nothing moves until the force jumps.
#[test]
fn a_jump_from_rest_is_crossed() {
    for rate in ["if(t < 1, 0, 2)", "2*step(t - 1)", "table(t)"] {
        let text = format!(
            "[tables]\ntable = {{ points = [[0, 0], [1, 2], [5, 2]], between = \"steps\", beyond = \"hold\" }}\n\
             [variables]\nx = {{ start = 0, rate = \"{rate}\" }}\n"
        );
        for method in ["dopri8", "adams", "radau", "bdf"] {
            let motion = run(&read(&text), method, 1e-8, 3.0)
                .unwrap_or_else(|error| panic!("{rate} {method}: {error}"));
            assert!((motion.y[0] - 4.0).abs() < 1e-9, "{rate} {method}: {}", motion.y[0]);
        }
    }
}

/// Steps of series end where an argument of `if`, `abs`, `sign`, `max` or a table crosses over, which is a root of its composition
/// with the series: none is rejected on the way there, however far it would go.
#[test]
fn series_end_at_kinks_without_a_rejected_step() {
    let oscillator = |rate: &str| {
        format!(
            "[variables]\nx = {{ start = 0.5, rate = \"v\" }}\nv = {{ start = 0, rate = \"{rate}\" }}\n\
             [tables]\nf = {{ points = [[-2, -3], [-1, -1], [0, 0], [0.3, 0.5], [1, 1], [2, 4]], between = \"linear\", \
             beyond = \"hold\" }}\n"
        )
    };
    let pendulum = |potential: &str| {
        format!(
            "[coordinates]\nx = {{ start = 1 }}\ny = {{ start = 0 }}\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             potential = \"9.81*y + {potential}\"\n[constraints]\nrod = \"x^2 + y^2 - 1\"\n"
        )
    };
    for text in [
        oscillator("-sign(x)"),
        oscillator("-x - 0.3*abs(x)"),
        oscillator("-if(x > 0.1, 2*x, x)"),
        oscillator("-max(x, 0.2*x)"),
        oscillator("-f(x)"),
        pendulum("20*max(0, -x - 0.3)^2"),
        pendulum("2*abs(x + 0.2)"),
    ] {
        let [series, other] = [("taylor", 1e-9), ("dopri8", 1e-11)].map(|(method, tolerance)| {
            run(&read(&text), method, tolerance, 10.0)
                .unwrap_or_else(|error| panic!("{method}: {error}\n{text}"))
        });
        assert_eq!(series.statistics.steps, series.statistics.accepted, "{text}");
        let n = series.layout.differential();
        for (y, other) in series.y[..n].iter().zip(&other.y) {
            assert!((y - other).abs() <= 3e-8 * (1.0 + other.abs()), "{y} {other}\n{text}");
        }
    }
}
