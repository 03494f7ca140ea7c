//! What the command does with the language of models: standard input, expressions, canonical form, formatting, schema.

use assert_cmd::Command;
use serde_json::Value;
use taut_text::{Model, Source};

use crate::support::{Answer, Folder};

const PENDULUM: &str = "\
[coordinates]
x = { start = 1.0, unit = \"m\" }
y = { start = 0.0 }
[energy]
kinetic = \"(x'^2 + y'^2)/2\"
potential = \"9.81*y\"
[constraints]
rod = \"hypot(x, y) - 1\"
[observe]
pull = \"lambda.rod\"
across = \"x''\"
power = \"power.rod\"
[time]
end = 1.0
";

const KEPLER: [&str; 4] = ["run", "kepler", "--json", "--quiet"];

fn with_input(words: &[&str], input: &str) -> Answer {
    Command::cargo_bin("taut").unwrap().args(words).write_stdin(input).output().unwrap().into()
}

#[test]
fn a_model_comes_from_standard_input() {
    let answer = with_input(&["run", "-", "--json", "--set", "x=cos(pi/6)", "--set", "y=-1/2"], PENDULUM);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert_eq!(answer.json()["model"], "standard-input");
    assert_eq!(answer.json()["moved"], serde_json::json!({}));
    let wrong = with_input(&["check", "-"], &PENDULUM.replace("9.81", "gg"));
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("standard input:6:"), "{}", wrong.err);
}

#[test]
fn overrides_that_are_no_numbers_are_refused_with_a_reason() {
    let answer = with_input(&["run", "-", "--set", "x=2*q"], PENDULUM);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("'q' is not a number"), "{}", answer.err);
}

#[test]
fn overrides_use_parameters_as_they_are_set() {
    let folder = Folder::new();
    let end = |words: &str| {
        let answer = folder.taut(&format!("run pendulum --until 1 --json --quiet {words}"));
        assert_eq!(answer.code, 0, "{}", answer.err);
        answer.json()["q"].clone()
    };
    // Numbers hold for all of them, expressions for those behind.
    assert_eq!(end("--set l=2*g --set g=2 --set m=l/8"), end("--set l=4 --set g=2 --set m=0.5"));
    assert_eq!(end("--set l=2*l"), end("--set l=2"));
    let text = std::fs::read_to_string("../../models/pendulum.toml").unwrap();
    let answer = with_input(&["run", "-", "--until", "1", "--json", "--set", "l=2*g", "--set", "g=2"], &text);
    assert_eq!(answer.json()["q"], end("--set l=4 --set g=2"));
}

#[test]
fn a_start_that_friction_holds_stays() {
    let stuck = "[coordinates]\nx = { start = 0.1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n[forces]\n\
                 x = { dissipative = \"-sign(x')\" }\n[time]\nend = 1\n";
    let answer = with_input(&["run", "-", "--json", "--quiet"], stuck);
    assert_eq!((answer.code, answer.json()["q"][0].as_f64()), (0, Some(0.1)), "{}", answer.err);
    assert!(!answer.err.contains("warning"), "{}", answer.err);
    // What holds is not known to columns: said, where they ask for it.
    let answer = with_input(&["run", "-", "--quiet"], &format!("{stuck}[observe]\na = \"x''\"\n"));
    assert!(answer.code == 0 && answer.err.contains("leave out the force that holds"), "{}", answer.err);
    // Two jumps of a first-order model at once are refused with both.
    let both = "[variables]\nx = { start = 0, rate = \"-sign(x)\" }\ny = { start = 0, rate = \"-sign(y)\" }\n[time]\nend = 1\n";
    let answer = with_input(&["run", "-"], both);
    assert!(answer.code == 2 && answer.err.contains("the jumps at x = 0 and at y = 0"), "{}", answer.err);
}

#[test]
fn forces_that_act_elsewhere_change_the_energy() {
    let bungee = "[coordinates]\ny = { start = 0 }\n[energy]\nkinetic = \"y'^2/2\"\npotential = \"9.81*y + 5*max(0, -y - 2)^2\"\n\
                  dissipation = \"if(y < -2, 1, 0)*y'^2\"\n[time]\nend = 5\n";
    let answer = with_input(&["run", "-", "--quiet"], bungee);
    assert!(answer.out.contains("changed by dissipative forces"), "{}", answer.out);
}

#[test]
fn observed_multipliers_and_accelerations_are_those_of_the_row() {
    let folder = Folder::new();
    folder.write("pendulum.toml", PENDULUM);
    let answer = folder.taut("run pendulum.toml --out rows.csv --samples 7 --rtol 1e-9 --atol 1e-9");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let text = folder.text("rows.csv");
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    assert_eq!(names, ["t", "x", "y", "x'", "y'", "lambda.rod", "pull", "across", "power"]);
    for line in text.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let (x, lambda) = (row[1], row[5]);
        // M a = f - G'lambda, with G = (x, y)/hypot(x, y).
        assert!(row[6] == lambda && (row[7] + lambda * x).abs() < 1e-12, "{row:?}");
        assert!(row[8].abs() < 1e-12 * (1.0 + lambda.abs()), "{row:?}");
    }
}

#[test]
fn hamiltonian_models_run_with_all_kinds_of_methods() {
    for method in ["auto", "spark", "rattle", "radau", "bdf", "dopri8"] {
        let step: &[&str] = if matches!(method, "spark" | "rattle") { &["--step", "0.001"] } else { &[] };
        let words = [&KEPLER[..], &["--until", "1", "--rtol", "1e-8", "--method", method], step].concat();
        let summary = with_input(&words, "").json();
        let x = summary["x"].as_array().unwrap();
        assert_eq!(summary["variables"], serde_json::json!(["x", "y", "p_x", "p_y"]));
        // The eccentric anomaly E at t = 1: E - 0.6 sin E = 1.
        let e = (0..60).fold(1.0_f64, |e, _| 1.0 + 0.6 * e.sin());
        assert!((x[0].as_f64().unwrap() - (e.cos() - 0.6)).abs() < 1e-5, "{method}: {x:?}");
        assert!(summary["energy"]["max_error"].as_f64().unwrap() < 1e-5, "{method}");
    }
}

#[test]
fn models_are_printed_in_canonical_form() {
    let printed = with_input(&["check", "squeezer", "--print"], "");
    assert_eq!(printed.code, 0, "{}", printed.err);
    let again = with_input(&["check", "-", "--print"], &printed.out);
    assert_eq!(again.out, printed.out);
}

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new();
    folder.write("pendulum.toml", PENDULUM);
    let answer = folder.taut("fmt --check pendulum.toml");
    assert_eq!((answer.code, answer.err.trim()), (1, "pendulum.toml is not formatted"));
    assert_eq!(folder.taut("fmt pendulum.toml").code, 0);
    assert_eq!(folder.text("pendulum.toml"), PENDULUM.replace("\n[", "\n\n["));
    assert_eq!(folder.taut("fmt --check pendulum.toml").code, 0);
    assert_eq!(folder.taut("fmt missing.toml").code, 2);
}

/// What is said of a model file.
fn mistakes(text: &str) -> String {
    Model::read(&Source::new("m.toml", text), &[]).err().map(|errors| errors.to_string()).unwrap_or_default()
}

/// The schema for editors and the reader know the same sections and fields.
#[test]
fn the_schema_knows_what_the_reader_knows() {
    let schema = include_str!("../../../../editors/model.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let mut sections: Vec<&str> = properties.keys().map(String::as_str).collect();
    sections.retain(|name| !["name", "gravity", "plane", "for"].contains(name));
    sections.sort_unstable();
    let mut known: Vec<&str> = taut_text::sections().collect();
    known.sort_unstable();
    assert_eq!(sections, known);
    for (section, fields) in properties {
        let tables = [&fields["additionalProperties"], &fields["additionalProperties"]["anyOf"][1]];
        for (field, _) in tables.iter().filter_map(|table| table["properties"].as_object()).flatten() {
            let entry = format!("[{section}]\nx = {{ {field} = 1 }}\n");
            // Momenta belong to models with an energy H(q, p).
            let hamiltonian = format!("{entry}[hamiltonian]\nenergy = \"p_x\"\n");
            let unknown = format!("'x' has no '{field}'");
            let known = [entry, hamiltonian].iter().any(|text| !mistakes(text).contains(&unknown));
            assert!(known, "{section}.{field}");
        }
    }
}
