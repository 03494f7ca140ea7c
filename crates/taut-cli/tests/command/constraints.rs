//! Constraints are never lost: what follows from others, what contradicts them, what cannot be held.

use serde_json::{Value, json};

use crate::support::{Folder, numbers, taut};

const IN_THE_PLANE: &str = "\
[coordinates]
x = { start = 1.0 }
y = { start = 0.0 }
[energy]
kinetic = \"(x'^2 + y'^2)/2\"
potential = \"9.81*y\"
[time]
end = 1.0
[constraints]
";

fn in_the_plane(constraints: &str) -> Folder {
    let folder = Folder::new();
    folder.write("model.toml", &format!("{IN_THE_PLANE}{constraints}\n"));
    folder
}

#[test]
fn squares_and_absolute_values_are_refused_by_name() {
    for formula in [
        "(hypot(x, y) - 1)^2",
        "abs(hypot(x, y) - 1)",
        "1 - cos(hypot(x, y) - 1)",
        "(hypot(x, y) - 1)^3",
        "(x^2 + y^2 - 1)^5",
    ] {
        let folder = in_the_plane(&format!("rod = \"{formula}\""));
        for call in ["run model.toml", "check model.toml"] {
            let answer = folder.taut(call);
            let said = answer.out + &answer.err;
            assert_ne!(answer.code, 0, "{formula}");
            assert!(said.contains("'rod'") && said.contains("squared?"), "{formula}: {said}");
        }
    }
}

#[test]
fn a_start_at_the_centre_of_a_rod_is_told_from_a_square() {
    let folder = Folder::new();
    let answer = folder.taut("run pendulum --set x=0 --set y=0");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("'rod'") && answer.err.contains("-5.000e-1 is left"), "{}", answer.err);
}

#[test]
fn a_contradiction_ends_the_run_where_it_begins() {
    let folder = in_the_plane("first = \"x - 1\"\nsecond = \"x - 1 - max(0, t - 0.5)^2\"");
    for method in ["auto", "radau", "bdf", "spark"] {
        let answer = folder.taut(&format!("run model.toml --method {method} --json --out motion.csv"));
        assert_eq!(answer.code, 3, "{method}: {}", answer.err);
        let summary = answer.json();
        let t = summary["t"].as_f64().unwrap();
        assert!((0.5..0.501).contains(&t), "{method}: {t}");
        let stopped = summary["stopped"].as_str().unwrap();
        assert!(stopped.contains("'second' contradicts 'first'") && stopped.contains("gap of"), "{stopped}");
        let rows = folder.text("motion.csv");
        let last: f64 = rows.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
        assert!(last <= t, "{method}: a row behind the end, {last}");
    }
}

#[test]
fn rounding_of_data_can_be_accepted() {
    // The same rod twice, once with a length that was rounded.
    let folder = in_the_plane("rod = \"hypot(x, y) - 1\"\nagain = \"2*hypot(x, y) - 2.000002\"");
    let refused = folder.taut("run model.toml");
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("'again'")
            && refused.err.contains("e-6")
            && refused.err.contains("--accept-gap")
    );
    let summary = folder.taut("run model.toml --accept-gap 1e-5 --json").json();
    let q = numbers(&summary["q"]);
    // In units of gradients both are off by 5e-7.
    assert!((q[0].hypot(q[1]) - 1.0 - 5e-7).abs() < 1e-12, "{q:?}");
    assert!((summary["residuals"]["position"].as_f64().unwrap() - 1e-6).abs() < 1e-11);
    assert_eq!(summary["redundant"], json!([{ "name": "again", "from": 0.0, "to": 1.0 }]));
}

#[test]
fn rows_of_any_size_give_the_same_motion() {
    let run = |factor: &str, method: &str| {
        let folder = Folder::new();
        let space = IN_THE_PLANE
            .replace("y = { start = 0.0 }\n", "y = { start = 0.0 }\nz = { start = 0.0 }\n")
            .replace("y'^2)", "y'^2 + z'^2)");
        let rods = format!("rod = \"{factor}*(hypot(x, y) - 1)\"\ntie = \"z - x*y\"\n");
        folder.write("model.toml", &format!("{space}{rods}"));
        let summary = folder.taut(&format!("run model.toml --rtol 1e-8 --method {method} --json")).json();
        let q = numbers(&summary["q"]);
        assert!((q[2] - q[0] * q[1]).abs() < 1e-14, "{factor} {method}: {q:?}");
        (q, summary["multipliers"]["tie"].as_f64().unwrap())
    };
    for method in ["auto", "radau", "bdf", "spark"] {
        let (plain, scaled) = (run("1", method), run("1e16", method));
        for (a, b) in plain.0.iter().zip(&scaled.0).chain([(&plain.1, &scaled.1)]) {
            assert!((a - b).abs() < 1e-6, "{method}: {plain:?} {scaled:?}");
        }
    }
}

#[test]
fn fixed_start_values_are_kept_and_others_move() {
    let disc = "\
[coordinates]
x = { start = 0.0, velocity = 1.0 }
psi = { start = 0.0, velocity = 9.0FIXED }
[energy]
kinetic = \"(x'^2 + psi'^2)/2\"
[constraints]
rolling = \"x - psi/2\"
[time]
end = 1.0
";
    let folder = Folder::new();
    folder.write("free.toml", &disc.replace("FIXED", ""));
    folder.write("fixed.toml", &disc.replace("FIXED", ", fixed = \"velocity\""));
    folder.write(
        "both.toml",
        &disc.replace("FIXED", ", fixed = true").replace("= 1.0 }", "= 1.0, fixed = true }"),
    );
    let free = folder.taut("run free.toml --json").json();
    let used = free["moved"]["psi'"]["used"].as_f64().unwrap();
    assert!((used - 7.6).abs() < 1e-12, "{free}");
    assert_eq!(free["moved"]["psi'"]["given"], 9.0);
    let fixed = folder.taut("run fixed.toml --json").json();
    assert_eq!(numbers(&fixed["v"]), [4.5, 9.0]);
    assert_eq!(fixed["moved"], json!({ "x'": { "given": 1.0, "used": 4.5 } }));
    let refused = folder.taut("run both.toml");
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("'rolling'") && refused.err.contains("velocities that are fixed"),
        "{}",
        refused.err
    );
    assert!(
        folder.taut("run fixed.toml").out.contains("x' 1 -> 4.5"),
        "{}",
        folder.taut("run fixed.toml").out
    );
}

#[test]
fn negative_masses_are_refused() {
    let folder = Folder::new();
    for kinetic in ["(x'^2 - y'^2)/2", "x'*y'", "x'^2 + y'^2 + 3*x'*y'"] {
        folder.write(
            "model.toml",
            &IN_THE_PLANE.replace("(x'^2 + y'^2)/2", kinetic).replace("[constraints]\n", ""),
        );
        for call in ["run model.toml", "check model.toml"] {
            let answer = folder.taut(call);
            let said = answer.out + &answer.err;
            assert_ne!(answer.code, 0, "{kinetic}: {call}");
            assert!(said.contains("indefinite"), "{kinetic}: {said}");
        }
    }
}

#[test]
fn masses_that_become_negative_end_runs() {
    let folder = Folder::new();
    let model = "[coordinates]\nx = { start = 0.0, velocity = 1.0 }\ny = { start = 1.0 }\n[energy]\n\
                 kinetic = \"(1 - x)*x'^2/2 + y'^2/2\"\npotential = \"y^2/2\"\n[time]\nend = 3.0\n";
    folder.write("model.toml", model);
    for method in ["dopri5", "spark"] {
        let answer = folder.taut(&format!("run model.toml --method {method} --step 0.01"));
        assert_eq!(answer.code, 3, "{method}: {}", answer.out);
        assert!(answer.err.contains("by t = ") && answer.err.contains("'x' has a kinetic"), "{}", answer.err);
    }
}

#[test]
fn masses_that_are_no_numbers_are_named() {
    let folder = Folder::new();
    folder.write("model.toml", &IN_THE_PLANE.replace("(x'^2 + y'^2)/2", "sqrt(y - 1)*x'^2 + y'^2"));
    let answer = folder.taut("run model.toml");
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(
        answer.err.contains("mass of 'x' is not finite") && !answer.err.contains("NaN"),
        "{}",
        answer.err
    );
}

#[test]
fn quaternions_run_with_rattle_and_spark() {
    let radau = taut("run rigid-body --until 3 --rtol 1e-10 --json").json();
    for call in ["--method spark", "--method spark --step 0.01", "--method rattle --step 0.001"] {
        let summary = taut(&format!("run rigid-body --until 3 {call} --json")).json();
        assert!(summary["stopped"].is_null(), "{call}: {}", summary["stopped"]);
        for (a, b) in numbers(&radau["q"]).iter().zip(numbers(&summary["q"])) {
            assert!((a - b).abs() < 1e-5, "{call}: {a} {b}");
        }
        assert!(summary["residuals"]["position"].as_f64().unwrap() < 1e-14, "{call}");
    }
}

#[test]
fn multipliers_of_stiff_friction_are_those_of_the_motion() {
    let summary = taut("run jay-two-pendulums --method spark --step 0.05 --json").json();
    let rod = summary["multipliers"]["rod"].as_f64().unwrap();
    assert!((rod - 1.117).abs() < 0.1, "{rod}");
}

const HESSENBERG: &str = "\
[variables]
u1 = { start = 1.0, rate = \"v1\" }
u2 = { start = 0.0, rate = \"v2\" }
v1 = { start = 0.0, rate = \"-2*u1*lambda\" }
v2 = { start = 0.0, rate = \"-1 - 2*u2*lambda\" }
lambda = { start = 0.0, equation = \"u1^2 + u2^2 - 1\" }
[time]
end = 10.0
";

#[test]
fn first_order_models_of_index_3_are_projected() {
    let folder = Folder::new();
    folder.write("schropp.toml", HESSENBERG);
    let drift = |project: &str| {
        let call =
            format!("run schropp.toml --method radau --stages 3 --step 0.05 --project {project} --json");
        let x = numbers(&folder.taut(&call).json()["x"]);
        (x[0] * x[2] + x[1] * x[3]).abs()
    };
    assert!(
        drift("velocity") < 1e-14 && drift("full") < 1e-14,
        "{:e} {:e}",
        drift("velocity"),
        drift("full")
    );
    assert!(drift("none") > 1e-10, "{:e}", drift("none"));
    let refused = taut("run van-der-pol --project full");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("projection 'full' is known for"), "{}", refused.err);
}

#[test]
fn atol_follows_rtol_and_may_differ_by_variable() {
    let summary = taut("run pendulum --rtol 1e-9 --json").json();
    assert_eq!(summary["options"]["atol"], 1e-9);
    let folder = Folder::new();
    let decay = "[variables]\nx = { start = 1.0, rate = \"-x\" ATOL }\n[time]\nend = 30.0\n";
    folder.write("same.toml", &decay.replace(" ATOL", ""));
    folder.write("own.toml", &decay.replace(" ATOL", ", atol = 1e-16"));
    let steps =
        |name: &str| folder.taut(&format!("run {name} --json")).json()["stats"]["steps"].as_u64().unwrap();
    assert!(steps("own.toml") > steps("same.toml"));
    folder.write("wrong.toml", &decay.replace(" ATOL", ", atol = 0"));
    assert!(folder.taut("run wrong.toml").err.contains("an absolute tolerance is positive"));
}

#[test]
fn constant_steps_are_solved_to_rounding() {
    // Order 5 with 3 stages: halving the step goes on to pay far below a tolerance of 1e-8.
    let end = |h: &str| {
        numbers(
            &taut(&format!("run pendulum --method radau --stages 3 --until 1 --step {h} --json")).json()["q"],
        )[0]
    };
    let exact = numbers(&taut("run pendulum --until 1 --rtol 1e-13 --json").json()["q"])[0];
    let errors = ["0.02", "0.01", "0.005"].map(|h| (end(h) - exact).abs());
    for two in errors.windows(2) {
        assert!((two[0] / two[1]).log2() > 4.3, "{errors:?}");
    }
    assert!(errors[2] < 1e-11, "{errors:?}");
}

#[test]
fn what_is_only_looked_at_is_not_counted() {
    let counts = |stats: &Value| {
        let kept =
            ["steps", "accepted", "rhs", "jacobians", "factorizations", "newton_iterations", "projections"];
        kept.map(|name| stats["stats"][name].clone())
    };
    let folder = Folder::new();
    for (model, method) in [
        ("pendulum", "dopri8"),
        ("pendulum", "radau"),
        ("pendulum", "bdf"),
        ("pendulum", "adams"),
        ("pendulum", "taylor"),
        ("pendulum", "spark"),
        ("pendulum", "rattle --step 0.01"),
        ("van-der-pol", "radau"),
        ("transistor-amplifier", "bdf"),
    ] {
        let call = format!("run {model} --method {method} --json");
        let plain = folder.taut(&call).json();
        for more in ["--samples 3000 --out p.csv", "--plot p.svg --report p.html"] {
            let looked_at = folder.taut(&format!("{call} {more}")).json();
            assert_eq!(counts(&plain), counts(&looked_at), "{call} {more}");
        }
    }
}

#[test]
fn residuals_are_told_as_distances_where_rows_are_multiplied() {
    let folder = in_the_plane("rod = \"1e16*(hypot(x, y) - 1)\"");
    for method in ["auto", "radau", "bdf"] {
        let call = format!("run model.toml --method {method}");
        let summary = folder.taut(&format!("{call} --json")).json();
        let residuals = &summary["residuals"];
        let distance = residuals["over_gradients"]["position"].as_f64().unwrap();
        assert!(
            distance < 1e-15 && residuals["position"].as_f64().unwrap() >= 1e15 * distance,
            "{residuals}"
        );
        let said = folder.taut(&call).out;
        assert!(said.contains("in units of their gradients to"), "{method}: {said}");
    }
    let plain = in_the_plane("rod = \"hypot(x, y) - 1\"");
    assert!(plain.taut("run model.toml --json").json()["residuals"]["over_gradients"].is_null());
    assert!(!plain.taut("run model.toml").out.contains("units of their gradients"));
}

#[test]
fn steps_are_as_long_as_they_are_asked_to_be() {
    let folder = Folder::new();
    let rows = |more: &str| -> Vec<f64> {
        let answer = folder.taut(&format!("run pendulum --until 1 --method radau --out p.csv {more}"));
        assert_eq!(answer.code, 0, "{}", answer.err);
        let text = folder.text("p.csv");
        let times = text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap());
        let times: Vec<f64> = times.collect();
        times.windows(2).map(|two| two[1] - two[0]).collect()
    };
    let own = rows("");
    assert!(own.iter().any(|h| *h > 0.03));
    // The last step is stretched rather than followed by a short one.
    assert!(rows("--max-step 0.02").iter().all(|h| *h <= 0.02 * 1.06));
    let first = rows("--first-step 1e-5")[0];
    assert!(first <= 1e-5 * (1.0 + 1e-9), "{first}");
}
