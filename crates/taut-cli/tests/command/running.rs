//! `run`: the summary, options, exit codes.

use crate::support::{Folder, keys, numbers, taut};

#[test]
fn the_summary_is_the_object_of_the_contract_and_nothing_else() {
    let answer = taut("run pendulum --method radau --stages 3 --json");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let summary = answer.json();
    let contract = [
        "model",
        "method",
        "stages",
        "t",
        "coordinates",
        "q",
        "v",
        "multipliers",
        "residuals",
        "energy",
        "stats",
    ];
    for key in contract {
        assert!(!summary[key].is_null(), "{key}");
    }
    assert_eq!((&summary["model"], &summary["method"]), (&"pendulum".into(), &"radau".into()));
    assert_eq!((&summary["stages"], &summary["t"]), (&3.into(), &20.0.into()));
    assert_eq!(summary["coordinates"], serde_json::json!(["x", "y"]));
    assert_eq!(keys(&summary["multipliers"]), ["rod"]);
    assert_eq!(keys(&summary["residuals"]), ["position", "velocity", "acceleration"]);
    assert_eq!(keys(&summary["energy"]), ["start", "end", "max_error"]);
    for key in [
        "steps",
        "accepted",
        "rejected",
        "rhs",
        "jacobians",
        "factorizations",
        "newton_iterations",
        "projections",
        "seconds",
    ] {
        assert!(summary["stats"][key].is_number(), "{key}");
    }
    let (q, v) = (numbers(&summary["q"]), numbers(&summary["v"]));
    assert!((q[0].hypot(q[1]) - 1.0).abs() < 1e-14);
    assert!((q[0] * v[0] + q[1] * v[1]).abs() < 1e-13);
    // The multiplier of (|r|² − 1)/2 is |v|² − g y for m = l = 1.
    let tension = v[0] * v[0] + v[1] * v[1] - 9.81 * q[1];
    assert!((summary["multipliers"]["rod"].as_f64().unwrap() - tension).abs() < 1e-9);
    let stats = |key: &str| summary["stats"][key].as_u64().unwrap();
    assert_eq!(stats("steps"), stats("accepted") + stats("rejected"));
    assert!(summary["energy"]["max_error"].as_f64().unwrap() < 1e-3);
}

#[test]
fn a_first_order_model_reports_variables() {
    let summary = taut("run robertson --atol 1e-12 --json").json();
    assert_eq!(summary["variables"], serde_json::json!(["a", "b", "c"]));
    assert_eq!(summary["x"].as_array().unwrap().len(), 3);
    for key in ["coordinates", "q", "v"] {
        assert!(summary.get(key).is_none(), "{key}");
    }
    assert!(summary["energy"].is_null());
    assert!(summary["residuals"]["algebraic"].as_f64().unwrap() < 1e-12);
    assert!((numbers(&summary["x"]).iter().sum::<f64>() - 1.0).abs() < 1e-15);
}

#[test]
fn the_report_for_people_says_what_how_where_and_what_next() {
    let answer = taut("run squeezer");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    for words in
        ["squeezer", "7 coordinates, 6 constraints", "auto", "multiplier", "hold to", "cost", "try next"]
    {
        assert!(answer.out.contains(words), "{words}\n{}", answer.out);
    }
    assert!(answer.out.contains("changed by driving forces"));
    assert!(taut("run pendulum").out.contains("largest error"));
    assert!(taut("run pendulum --method radau --stages 3").out.contains("radau, 3 stages"));
    let multistep = taut("run pendulum --method bdf --stages 4 --rtol 1e-4 --atol 1e-4").out;
    assert!(multistep.contains("bdf, order 4"), "{multistep}");
}

#[test]
fn two_calls_have_the_same_bits() {
    for call in ["run squeezer --json", "run chain --method radau --json", "run van-der-pol --json"] {
        let (mut first, mut second) = (taut(call).json(), taut(call).json());
        first["stats"]["seconds"] = 0.into();
        second["stats"]["seconds"] = 0.into();
        assert_eq!(first, second, "{call}");
    }
}

#[test]
fn values_can_be_set() {
    let folder = Folder::new();
    let run = |set: &[&str]| {
        let mut arguments = vec!["run", "double-pendulum", "--until", "0.5", "--json"];
        set.iter().for_each(|set| arguments.extend(["--set", set]));
        folder.call(&arguments)
    };
    let (usual, lighter) = (run(&[]).json(), run(&["g=1.62"]).json());
    assert_ne!(usual["q"], lighter["q"]);
    let pushed = run(&["a=0", "b=0", "a'=0.3"]).json();
    // m l²/2 a'² twice, and both bobs at rest height −1 and −2.
    let energy = 0.3 * 0.3 - 9.81 * 3.0;
    assert!((pushed["energy"]["start"].as_f64().unwrap() - energy).abs() < 1e-12);
    let many = folder.taut("run chain --set N=4 --until 0.1 --json").json();
    assert_eq!(many["coordinates"].as_array().unwrap().len(), 8);
    for (wrong, words) in
        [("q=1", "cannot be set"), ("g", "NAME=VALUE"), ("g=fast", "not a number"), ("=1", "no name")]
    {
        let answer = run(&[wrong]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{wrong}");
        assert!(answer.err.contains(words), "{wrong}: {}", answer.err);
    }
}

#[test]
fn methods_options_and_formulations_reach_the_solver() {
    let steps = |call: &str| taut(call).json()["stats"]["steps"].as_u64().unwrap();
    assert_eq!(steps("run pendulum --method radau --step 0.01 --json"), 2000);
    assert!(
        steps("run pendulum --method dopri8 --rtol 1e-10 --json")
            > steps("run pendulum --method dopri8 --json")
    );
    let classical = "run squeezer --method radau --stages 3 --controller classical --json";
    assert_ne!(steps(classical), steps("run squeezer --method radau --stages 3 --json"));
    let reversible = "run pendulum --method spark --controller reversible --json";
    assert_ne!(steps(reversible), steps("run pendulum --method spark --json"));
    let position = |call: &str| taut(call).json()["residuals"]["position"].as_f64().unwrap();
    let drifting =
        position("run pendulum --method radau --stages 3 --formulation index1 --project none --json");
    let projected =
        position("run pendulum --method radau --stages 3 --formulation index1 --project full --json");
    assert!(drifting > 1e-9 && projected < 1e-14, "{drifting} {projected}");
    let summary = taut("run pendulum --method radau --stages 5 --until 1 --json").json();
    assert_eq!((&summary["stages"], &summary["options"]["stages"]), (&5.into(), &5.into()));
}

#[test]
fn runs_can_go_backwards_and_nowhere() {
    let back = taut("run pendulum --until -1 --json").json();
    let forth = taut("run pendulum --until 1 --json").json();
    // From rest, the motion is the same in both directions.
    for (q, p) in numbers(&back["q"]).iter().zip(numbers(&forth["q"])) {
        assert!((q - p).abs() < 1e-4);
    }
    let nowhere = taut("run pendulum --until 0 --json").json();
    assert_eq!((&nowhere["t"], &nowhere["stats"]["steps"]), (&0.0.into(), &0.into()));
}

#[test]
fn wrong_command_lines_end_with_2_and_say_what_to_write() {
    for (arguments, words) in [
        ("run nonsense", "no built-in model"),
        ("run pendulm", "did you mean 'pendulum'"),
        ("run pendulum --method nonsense", "there are auto, radau"),
        ("run pendulum --method radau --stages 0", "stages"),
        ("run pendulum --method radau --stages 99", "stages"),
        ("run pendulum --stages 3", "--method radau"),
        ("run pendulum --method gauss", "take radau"),
        ("run pendulum --controller reversible", "take spark or rattle"),
        ("run pendulum --controller x", "standard, classical, reversible"),
        ("run pendulum --formulation x", "index3, index2, ggl, index1"),
        ("run pendulum --project x", "none, velocity, full"),
        ("run pendulum --rtol 0", "rtol"),
        ("run pendulum --rtol=-1", "rtol"),
        ("run pendulum --rtol -1", "rtol"),
        ("run pendulum --method radua", "did you mean 'radau'?"),
        ("run pendulum --until x", "invalid"),
        ("run pendulum --until nan", "finite"),
        ("run pendulum --out x.dat", ".csv, .json, .npz, .parquet"),
        ("run pendulum --out x", ".csv"),
        ("run pendulum --plot x.gif", ".svg, .png"),
        ("run pendulum --samples 1 --out x.csv", "--samples"),
        ("run pendulum --every 0 --out x.csv", "--every"),
        ("run pendulum --every 1 --samples 5", "cannot be used with"),
        ("run pendulum --resume nothing.json", "nothing.json"),
        ("run pendulum --out nowhere/x.csv", "nowhere"),
    ] {
        let folder = Folder::new();
        let answer = folder.taut(arguments);
        assert_eq!(answer.code, 2, "{arguments}: {}", answer.err);
        assert!(answer.out.is_empty(), "{arguments}: {}", answer.out);
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "{arguments} leaves files");
    }
}

#[test]
fn a_run_that_stops_early_ends_with_3_and_keeps_what_it_has() {
    let folder = Folder::new();
    folder.write("wall.toml", "[variables]\nx = { start = 1.0, rate = \"x^2\" }\n[time]\nend = 2.0\n");
    let answer = folder.taut("run wall.toml --out wall.csv --json");
    assert_eq!(answer.code, 3);
    assert!(
        answer.err.contains("\"error\":\"at t = 0.99") || answer.err.contains("\"error\":\"at t = 1"),
        "{}",
        answer.err
    );
    let summary = answer.json();
    let t = summary["t"].as_f64().unwrap();
    assert!((t - 1.0).abs() < 1e-3, "{t}");
    assert!(summary["stopped"].as_str().unwrap().contains(';'));
    let last =
        folder.text("wall.csv").lines().last().unwrap().split(',').next().unwrap().parse::<f64>().unwrap();
    assert!((last - 1.0).abs() < 1e-3, "{last}");
    assert!(folder.has("wall.csv.manifest.json"));
}

#[test]
fn a_method_that_follows_stiff_springs_says_so_before_and_after() {
    let arguments = "run stiff-spring-pendulum --set eps=1e-3 --until 1";
    let answer = taut(&format!("{arguments} --method gauss --json"));
    let warning = answer.json()["warning"].as_str().unwrap().to_owned();
    assert!(warning.contains("'spring', whose period is 6.28e-3"), "{warning}");
    assert!(warning.contains("5.0e2 steps; radau, lobatto-iiic or bdf would"), "{warning}");
    assert_eq!((answer.code, answer.err), (0, format!("warning: {warning}\n")));
    let report = taut(&format!("{arguments} --method gauss")).out;
    assert!(report.contains(&format!("warning     {warning}")), "{report}");
    let quiet = taut(&format!("{arguments} --method radau --json"));
    assert_eq!((quiet.json().get("warning"), quiet.err.as_str()), (None, ""));
}

#[test]
fn too_many_steps_are_refused_or_end_the_run() {
    let answer = taut("run stiff-spring-pendulum --set eps=1e-8 --method spark");
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("about 5.0e8 steps, and 1000000 are allowed; take radau"), "{}", answer.err);
    assert!(answer.err.contains("allow more steps: --max-steps N"), "{}", answer.err);
    let answer = taut("run pendulum --max-steps 10 --json");
    assert_ne!(answer.code, 0);
    let stopped = answer.json()["stopped"].as_str().unwrap().to_owned();
    assert!(
        stopped.contains("after 10 steps") && stopped.contains("at this pace it takes about"),
        "{stopped}"
    );
    assert!(stopped.contains("allow more steps: --max-steps N"), "{stopped}");
    assert_ne!(taut("run pendulum --max-steps 0").code, 0);
    for method in ["dopri5", "dopri8", "adams"] {
        let answer = taut(&format!("run van-der-pol --method {method} --max-steps 3000 --json"));
        let warning = answer.json()["warning"].as_str().unwrap_or_default().to_owned();
        assert!(warning.contains("short for stability only; auto or radau"), "{method}: {warning}");
    }
}

#[test]
fn both_approaches_to_algebraic_variables() {
    let folder = Folder::new();
    let model = "[variables]\nx = { start = 1, rate = \"-y\" }\ny = { start = 1, equation = \"y - x^2\" }\n[time]\nend = 1\n";
    folder.write("model.toml", model);
    let residual = |options: &str| {
        let answer =
            folder.taut(&format!("run model.toml --method gauss --stages 2 --step 0.1 {options} --json"));
        answer.json()["residuals"]["algebraic"].as_f64().unwrap()
    };
    assert!(residual("--approach indirect") < 1e-15);
    assert!(residual("--approach direct") > 1e-9);
    assert_eq!(residual(""), residual("--approach direct"));
    let answer = folder.taut("run model.toml --approach sideways");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("direct, indirect"), "{}", answer.err);
}
