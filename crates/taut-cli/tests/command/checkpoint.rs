//! Stopping and going on.

use crate::support::Folder;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Begins a run, waits for its first checkpoint, and sends it what Ctrl-C sends.
fn interrupt(folder: &Folder, arguments: &str, checkpoint: &str) -> (i32, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("taut"))
        .current_dir(folder.path())
        .args(arguments.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !folder.has(checkpoint) && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    let mut words = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut words).unwrap();
    (status.code().unwrap_or(-1), words)
}

/// The summary without what depends on the clock.
fn comparable(summary: &Value) -> Value {
    let mut summary = summary.clone();
    summary["stats"]["seconds"] = Value::Null;
    summary
}

/// A run that is interrupted and goes on has the bits of a run that is not.
fn goes_on_with_the_same_bits(run: &str) {
    let folder = Folder::new();
    let (code, words) = interrupt(&folder, &format!("run {run} --checkpoint c.json --out a.csv"), "c.json");
    assert_eq!(code, 3, "{words}");
    assert!(words.contains("by the user") && words.contains("--resume c.json"), "{words}");
    let model_and_end: Vec<&str> = run.split(" --method").next().unwrap().split_whitespace().collect();
    both_parts_are_the_whole(&folder, run, &model_and_end.join(" "));
}

/// The run whose first part is in `a.csv` goes on from its checkpoint with the bits of a run in one piece.
fn both_parts_are_the_whole(folder: &Folder, run: &str, rest: &str) {
    let resumed = folder.taut(&format!("run {rest} --resume c.json --out b.csv --second-run no --json"));
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let whole = folder.taut(&format!("run {run} --out whole.csv --second-run no --json"));
    let (a, b, whole_file) = (folder.text("a.csv"), folder.text("b.csv"), folder.text("whole.csv"));
    let both = format!("{a}{}", b.split_once('\n').unwrap().1);
    assert!(
        both == whole_file,
        "{} + {} and {} lines",
        a.lines().count(),
        b.lines().count(),
        whole_file.lines().count()
    );
    let (resumed, whole) = (comparable(&resumed.json()), comparable(&whole.json()));
    for key in ["t", "q", "v", "x", "multipliers", "stats", "method", "choice", "options", "residuals"] {
        assert_eq!(resumed.get(key), whole.get(key), "{key}");
    }
    let error = |summary: &Value| summary["energy"]["max_error"].as_f64().unwrap_or(0.0);
    assert!((error(&resumed) - error(&whole)).abs() <= 1e-12 * (1.0 + error(&whole)));
}

#[test]
fn an_explicit_run_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits("four-bar --until 800 --method dopri8 --rtol 1e-9 --atol 1e-9");
}

#[test]
fn a_run_with_too_many_steps_goes_on_with_more() {
    for method in ["dopri8", "adams", "radau", "bdf", "lobatto-iiic", "spark"] {
        let (folder, run) = (Folder::new(), format!("car-axis --method {method} --rtol 1e-6 --atol 1e-6"));
        let first = folder.taut(&format!("run {run} --max-steps 33 --checkpoint c.json --out a.csv"));
        assert_eq!(first.code, 3, "{method}: {}", first.err);
        both_parts_are_the_whole(&folder, &run, "car-axis --max-steps 1000000");
    }
}

#[test]
fn an_automatic_run_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits("pendulum --until 4000 --method auto --rtol 1e-9 --atol 1e-9");
}

#[test]
fn an_automatic_run_that_became_stiff_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits("van-der-pol --until 2000 --method auto --rtol 1e-9 --atol 1e-9");
}

#[test]
fn an_implicit_run_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits("pendulum --until 4000 --method radau --rtol 1e-9 --atol 1e-9");
}

#[test]
fn an_implicit_run_of_a_first_order_model_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits("van-der-pol --until 2000 --method radau --rtol 1e-9 --atol 1e-9");
}

#[test]
fn numbers_in_a_checkpoint_read_back() {
    let folder = Folder::new();
    assert_eq!(folder.taut("run pendulum --checkpoint c.json").code, 0);
    let document: Value = serde_json::from_str(&folder.text("c.json")).unwrap();
    assert_eq!((&document["format"], &document["model"]), (&4.into(), &"pendulum".into()));
    assert_eq!(document["taut"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["settings"]["method"], "auto");
    let entries = document["snapshot"].as_array().unwrap();
    let state = entries.iter().find(|entry| entry[0] == "y").unwrap();
    assert_eq!(state[1].as_array().unwrap().len(), 5);
    assert!(!folder.has("c.json.new"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    folder.taut("run pendulum --rtol 1e-8 --checkpoint c.json");
    folder.write("other.json", &folder.text("c.json").replace("\"format\": 4", "\"format\": 99"));
    folder.write("broken.json", "{}");
    for (arguments, words) in [
        ("run chain --resume c.json", "belongs to the model 'pendulum'"),
        ("run pendulum --resume c.json --until 100 --rtol 1e-6", "--rtol is 0.00000001 in the checkpoint"),
        ("run pendulum --resume c.json --until 100 --method radau", "--method is auto"),
        ("run pendulum --resume c.json --until 100 --set g=1", "--set"),
        ("run pendulum --resume c.json --until 5", "already"),
        ("run pendulum --resume other.json", "written by"),
        ("run pendulum --resume broken.json", "not a checkpoint"),
    ] {
        let answer = folder.taut(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}");
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
    }
    let further = folder.taut("run pendulum --resume c.json --until 25 --json");
    assert_eq!(further.code, 0, "{}", further.err);
    let summary = further.json();
    assert_eq!((&summary["t"], &summary["options"]["rtol"]), (&25.0.into(), &1e-8.into()));
}

#[test]
fn without_a_checkpoint_ctrl_c_keeps_what_is_there() {
    let folder = Folder::new();
    let (code, words) = interrupt(&folder, "run double-pendulum --until 1e7 --out a.npz", "a.npz.part");
    assert_eq!(code, 3, "{words}");
    assert!(words.contains("by the user"));
    assert!(folder.has("a.npz") && folder.has("a.npz.manifest.json") && !folder.has("a.npz.part"));
}

#[test]
fn a_checkpoint_that_was_changed_is_refused() {
    let folder = Folder::new();
    folder.taut("run pendulum --until 5 --checkpoint c.json");
    let text = folder.text("c.json");
    // One digit in the middle of a number, a controller that does not exist, an end that is missing.
    let place = text.rfind("0.").unwrap() + 2;
    let digit = if &text[place..=place] == "7" { "3" } else { "7" };
    let changed = [
        format!("{}{digit}{}", &text[..place], &text[place + 1..]),
        text.replace("\"standard\"", "\"nonsense\""),
        text[..text.len() - 2].to_owned(),
    ];
    for text in changed {
        folder.write("c.json", &text);
        let answer = folder.taut("run pendulum --resume c.json --until 9");
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{}", answer.err);
        assert!(answer.err.contains("checksum") || answer.err.contains("not a checkpoint"), "{}", answer.err);
    }
}

#[test]
fn a_run_goes_on_to_the_end_that_it_had() {
    let folder = Folder::new();
    let first =
        folder.taut("run pendulum --until 7 --max-steps 5 --samples 15 --checkpoint c.json --out a.csv");
    assert_eq!(first.code, 3, "{}", first.err);
    let rest = folder.taut("run pendulum --resume c.json --max-steps 1000 --out a.csv --json");
    assert_eq!((rest.code, &rest.json()["t"]), (0, &7.0.into()), "{}", rest.err);
    let times: Vec<String> =
        folder.text("a.csv").lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
    let expected: Vec<String> = (0..15).map(|k| format!("{:?}", 0.5 * f64::from(k))).collect();
    assert_eq!(times, expected);
}

#[test]
fn a_short_run_has_a_checkpoint() {
    let folder = Folder::new();
    assert_eq!(folder.taut("run pendulum --until 0.01 --checkpoint c.json").code, 0);
    let answer = folder.taut("run pendulum --resume c.json --until 0.02 --json");
    assert_eq!((answer.code, &answer.json()["t"]), (0, &0.02.into()), "{}", answer.err);
}

/// A run that went on and was killed before its first row has taken away what closes a JSON file.
#[test]
fn a_run_goes_on_with_a_json_file_that_is_not_closed() {
    let folder = Folder::new();
    assert_eq!(folder.taut("run pendulum --until 3 --out whole.json").code, 0);
    assert_eq!(
        folder.taut("run pendulum --until 3 --out out.json --checkpoint c.json --max-steps 9").code,
        3
    );
    let text = folder.text("out.json");
    let open = text.strip_suffix("\n]}\n").unwrap();
    assert!(open.ends_with(']'));
    folder.write("out.json", open);
    let answer = folder.taut("run pendulum --resume c.json --out out.json --max-steps 10000");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert_eq!(folder.text("out.json"), folder.text("whole.json"));
    // A row that is torn is not one of those that the checkpoint covers.
    assert_eq!(folder.taut("run pendulum --until 3 --out out.csv --checkpoint c.json --max-steps 9").code, 3);
    let rows = folder.text("out.csv");
    folder.write("out.csv", &rows[..rows.len() - 1]);
    assert_eq!(folder.taut("run pendulum --resume c.json --out out.csv").code, 2);
}
