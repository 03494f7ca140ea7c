//! `taut sweep`

use super::support::{Answer, Folder, numbers};

/// The rows of a .csv file without quotes, as numbers and words.
fn rows(folder: &Folder, name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = folder.text(name);
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

fn column(folder: &Folder, name: &str, column: &str) -> Vec<f64> {
    let (names, rows) = rows(folder, name);
    let place = names.iter().position(|name| name == column).unwrap_or_else(|| panic!("{column}: {names:?}"));
    rows.iter().map(|row| row[place].parse().unwrap()).collect()
}

fn good(answer: Answer) -> Answer {
    assert_eq!(answer.code, 0, "{}\n{}", answer.out, answer.err);
    answer
}

#[test]
fn a_grid_is_one_row_for_each_combination() {
    let folder = Folder::new();
    good(folder.taut("sweep pendulum --vary g=1..3:3 --vary x'=0,0.5 --until 1 --out a.csv"));
    let (names, rows) = rows(&folder, "a.csv");
    assert_eq!(names[..5], ["run", "g", "start x'", "t", "x"]);
    assert_eq!(names[names.len() - 2..], ["status", "reason"]);
    assert!(!names.iter().any(|name| name == "seconds"), "times are not the same twice");
    assert_eq!(rows.len(), 6);
    assert_eq!(column(&folder, "a.csv", "run"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(column(&folder, "a.csv", "g"), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    assert_eq!(column(&folder, "a.csv", "start x'"), [0.0, 0.5, 0.0, 0.5, 0.0, 0.5]);
    // A row is what `run` gives.
    let alone = good(folder.taut("run pendulum --set g=2 --set x'=0.5 --until 1 --json")).json();
    assert_eq!(column(&folder, "a.csv", "x")[3], numbers(&alone["q"])[0]);
    assert_eq!(column(&folder, "a.csv", "steps")[3], alone["stats"]["steps"].as_f64().unwrap());
    assert_eq!(
        column(&folder, "a.csv", "energy max_error")[3],
        alone["energy"]["max_error"].as_f64().unwrap()
    );
}

#[test]
fn rows_are_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    for threads in [1, 2, 4] {
        let words = format!(
            "sweep double-pendulum --vary g=1..20 --vary m2=0.1..10:log --random 40 --latin --seed 3 --until 2 --threads {threads}"
        );
        for ending in ["csv", "parquet"] {
            good(folder.taut(&format!("{words} --out t{threads}.{ending}")));
        }
    }
    for ending in ["csv", "parquet"] {
        let one = folder.read(&format!("t1.{ending}"));
        assert!(one == folder.read(&format!("t2.{ending}")) && one == folder.read(&format!("t4.{ending}")));
    }
}

#[test]
fn tables_give_the_runs() {
    let folder = Folder::new();
    folder.write("runs.csv", "g, x'\n2, 0.5\n1.62, 0\n");
    good(folder.taut("sweep pendulum --table runs.csv --until 1 --out a.csv"));
    assert_eq!(column(&folder, "a.csv", "g"), [2.0, 1.62]);
    assert_eq!(column(&folder, "a.csv", "start x'"), [0.5, 0.0]);
    // Parquet, as a run writes it: t is no parameter, but x is a start value.
    good(folder.taut("run pendulum --until 1 --samples 3 --out motion.parquet"));
    let refused = folder.taut("sweep pendulum --table motion.parquet --until 1 --out b.csv");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("'t'"), "{}", refused.err);
}

#[test]
fn a_run_that_fails_is_a_row() {
    let folder = Folder::new();
    folder.write("blow.toml", "[parameters]\nk = 1.0\n[variables]\nx = { start = 1.0, rate = \"k*x^2\" }\n");
    let answer = good(folder.taut("sweep blow.toml --vary k=-1..1:3 --until 2 --out a.csv --json")).json();
    assert_eq!((answer["done"].as_u64(), answer["stopped"].as_u64()), (Some(2), Some(1)));
    let text = folder.text("a.csv");
    let last = text.lines().last().unwrap();
    assert!(last.contains(",stopped,") && last.contains("t = "), "{last}");
    assert!((column_of_line(&text, 3, "t") - 1.0).abs() < 1e-3);
    // A start that cannot be.
    let answer = folder.taut("sweep pendulum --vary l=1,0 --until 1 --out b.csv --json");
    let failed = good(answer).json();
    assert_eq!(failed["failed"].as_u64().unwrap() + failed["stopped"].as_u64().unwrap(), 1, "{failed}");
}

fn column_of_line(text: &str, line: usize, name: &str) -> f64 {
    let place = text.lines().next().unwrap().split(',').position(|known| known == name).unwrap();
    text.lines().nth(line).unwrap().split(',').nth(place).unwrap().parse().unwrap()
}

#[test]
fn the_structure_may_depend_on_what_is_varied() {
    let folder = Folder::new();
    good(folder.taut("sweep chain --vary N=2,4,3 --until 0.1 --out n.csv"));
    let (names, rows) = rows(&folder, "n.csv");
    let x4 = names.iter().position(|name| name == "x4").unwrap();
    assert_eq!(rows.iter().map(|row| row[x4] == "NaN").collect::<Vec<_>>(), [true, false, true]);
    for (row, links) in ["2", "4", "3"].into_iter().enumerate() {
        let alone = good(folder.taut(&format!("run chain --set N={links} --until 0.1 --json"))).json();
        assert_eq!(column(&folder, "n.csv", "x1")[row], numbers(&alone["q"])[0], "{links} links");
    }
    assert!(rows.iter().all(|row| row.contains(&"done".to_owned())));
}

#[test]
fn a_sweep_goes_on_with_its_file() {
    for ending in ["csv", "parquet"] {
        let folder = Folder::new();
        let words = format!("sweep pendulum --vary g=1..9:9 --until 1 --out a.{ending}");
        good(folder.taut(&words));
        let (whole, file) = (folder.read(&format!("a.{ending}")), format!("a.{ending}"));
        let again = good(folder.taut(&format!("{words} --json"))).json();
        assert_eq!((again["resumed"].as_u64(), again["done"].as_u64()), (Some(9), Some(9)));
        assert_eq!(folder.read(&file), whole);
        if ending == "csv" {
            // A process that was killed while it wrote.
            for length in [1, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
                std::fs::write(folder.path().join(&file), &whole[..length]).unwrap();
                let again = good(folder.taut(&format!("{words} --json"))).json();
                assert!(again["resumed"].as_u64().unwrap() < 9);
                assert_eq!(folder.read(&file), whole, "cut at {length}");
            }
        }
    }
}

#[test]
fn a_file_of_another_sweep_is_left_alone() {
    let folder = Folder::new();
    good(folder.taut("sweep pendulum --vary g=1..3:3 --until 1 --out a.csv"));
    let before = folder.read("a.csv");
    for (words, reason) in [
        ("sweep pendulum --vary g=1..3:4 --until 1 --out a.csv", "other values are varied"),
        ("sweep pendulum --vary g=1..3:3 --until 2 --out a.csv", "--until was 1.0, now 2.0"),
        (
            "sweep pendulum --vary g=1..3:3 --until 1 --rtol 1e-9 --out a.csv",
            "options differ (rtol, atol, stage_tolerance)",
        ),
        ("sweep double-pendulum --vary g=1..3:3 --until 1 --out a.csv", "its model is another one"),
    ] {
        let refused = folder.taut(words);
        assert_eq!(refused.code, 2, "{words}");
        assert!(
            refused.err.contains("belongs to another sweep") && refused.err.contains(reason),
            "{}",
            refused.err
        );
    }
    assert_eq!(folder.read("a.csv"), before);
    folder.write("mine.csv", "precious\n");
    let refused = folder.taut("sweep pendulum --vary g=1..3:3 --until 1 --out mine.csv");
    assert!(refused.code == 2 && refused.err.contains("not known to be of this sweep"), "{}", refused.err);
    assert_eq!(folder.text("mine.csv"), "precious\n");
    // A row that somebody changed.
    folder.write("a.csv", &String::from_utf8(before).unwrap().replacen("\n0,1.0,", "\n0,1.5,", 1));
    let refused = folder.taut("sweep pendulum --vary g=1..3:3 --until 1 --out a.csv");
    assert!(refused.code == 2 && refused.err.contains("line 2"), "{}", refused.err);
}

#[test]
fn trajectories_are_those_of_single_runs() {
    let folder = Folder::new();
    good(
        folder.taut("sweep pendulum --vary g=1..2:2 --until 1 --out a.csv --trajectories all/of --samples 5"),
    );
    good(folder.taut("run pendulum --set g=2 --until 1 --samples 5 --out one.csv"));
    assert_eq!(folder.text("all/of/1.csv"), folder.text("one.csv"));
    assert!(folder.has("all/of/0.csv") && !folder.has("all/of/2.csv"));
}

#[test]
fn wrong_use_is_explained() {
    let folder = Folder::new();
    folder.write("empty.csv", "g\n");
    folder.write("good.csv", "g\n1\n");
    folder.write("words.csv", "g\n1\nmuch\n");
    folder.write("twice.csv", "g,g\n1,2\n");
    folder.write("damaged.parquet", "PAR1 this is not one PAR1");
    for (words, reason) in [
        ("--out a.csv", "what is varied?"),
        ("--vary g=1..2:3", "--out"),
        ("--vary g=1..2:3 --out a.npz", "there are .csv, .parquet"),
        ("--vary gg=1..2:3 --out a.csv", "'gg'"),
        ("--vary lenght=1..2:3 --out a.csv", "lenght"),
        ("--vary g=1..2:0 --out a.csv", "count of 0"),
        ("--vary g=1..2 --out a.csv", "how many values?"),
        ("--vary g=0..2:3:log --out a.csv", "same sign"),
        ("--vary g=1..2:3 --set g=4 --out a.csv", "--set gives it a value"),
        ("--vary g=1..2:3 --random 5 --out a.csv", "without a count"),
        ("--random 5 --out a.csv", "--vary"),
        ("--vary g=1..2 --random 5 --latin --sobol --out a.csv", "cannot be used with"),
        ("--vary g=1..2:2 --seed 5 --out a.csv", "--random"),
        ("--vary g=1..2:2 --samples 5 --out a.csv", "--trajectories"),
        ("--vary g=1..2:2 --threads 0 --out a.csv", "0 is not in 1..=1024"),
        ("--vary g=1..2:2 --method nonsense --out a.csv", "nonsense"),
        ("--table empty.csv --out a.csv", "no rows"),
        ("--table words.csv --out a.csv", "row 2, column 'g': 'much' is not a number"),
        ("--table twice.csv --out a.csv", "same name"),
        ("--table nowhere.csv --out a.csv", "nowhere.csv"),
        ("--table damaged.parquet --out a.csv", "cannot be read as a table"),
        ("--table good.csv --out good.csv", "the file of --table"),
    ] {
        let answer = folder.taut(&format!("sweep pendulum {words}"));
        assert_eq!(answer.code, 2, "{words}: {}", answer.err);
        assert!(answer.err.contains(reason), "{words}: {}", answer.err);
        assert!(!folder.has("a.csv"), "{words}");
    }
    let meant = folder.taut("sweep pendulum --vary lenght=1..2:3 --out a.csv --json");
    let error: serde_json::Value = serde_json::from_str(&meant.err).unwrap();
    assert_eq!(error["status"], 2);
}

#[test]
fn a_page_shows_the_distribution() {
    let folder = Folder::new();
    let words = "sweep pendulum --vary g=1..10:8 --vary x'=-1..1:5 --until 1 --out a.parquet --report a.html";
    good(folder.taut(words));
    let page = folder.text("a.html");
    for words in
        ["40 runs over g, start x&#39;", "Distributions", "\"bars\"", "\"tiles\"", "taut sweep pendulum"]
    {
        assert!(page.contains(words), "{words}");
    }
    // Of a sweep that is complete, from its file.
    good(folder.taut(words));
    assert_eq!(folder.text("a.html"), page);
}

#[test]
fn a_cluster_needs_python() {
    let folder = Folder::new();
    folder.write("python", "#!/bin/sh\necho \"python: No module named taut\" >&2\nexit 1\n");
    let python = folder.path().join("python");
    let call = |python: &std::path::Path| -> Answer {
        let mut command = assert_cmd::Command::cargo_bin("taut").unwrap();
        command.current_dir(folder.path()).env("TAUT_PYTHON", python);
        let words = "sweep pendulum --vary g=1..2:2 --until 1 --out a.csv --dask tcp://nowhere:1";
        command.args(words.split_whitespace()).output().unwrap().into()
    };
    let missing = call(&folder.path().join("nothing"));
    assert!(missing.code == 2 && missing.err.contains("--dask needs Python"), "{}", missing.err);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let without = call(&python);
        assert!(
            without.code == 3 && without.err.contains("pip install taut pandas distributed"),
            "{}",
            without.err
        );
    }
    // What was not made there is made here.
    good(folder.taut("sweep pendulum --vary g=1..2:2 --until 1 --out a.csv"));
    assert_eq!(column(&folder, "a.csv", "g"), [1.0, 2.0]);
}

/// Extremes of what depends on multipliers, and of what events change.
#[test]
fn extremes_are_those_of_all_steps() {
    let folder = Folder::new();
    let pendulum = good(folder.taut("models pendulum")).out;
    folder.write("pull.toml", &pendulum.replace("[observe]", "[observe]\npull = \"lambda.rod\""));
    good(folder.taut("sweep pull.toml --vary g=2,3 --until 2 --out a.csv"));
    good(folder.taut("run pull.toml --set g=3 --until 2 --out one.csv"));
    let pulls = column(&folder, "one.csv", "pull");
    let (least, most) = (
        pulls.iter().copied().fold(f64::INFINITY, f64::min),
        pulls.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    // Multipliers of the output are found anew, to more digits than steps need.
    for (name, expected) in [("min pull", least), ("max pull", most)] {
        let found = column(&folder, "a.csv", name)[1];
        assert!((found - expected).abs() < 1e-9, "{name}: {found} {expected}");
    }
}

#[test]
fn events_are_counted() {
    let folder = Folder::new();
    good(folder.taut("sweep bouncing-ball --vary g=5,20 --until 1 --out a.csv"));
    let alone = good(folder.taut("run bouncing-ball --set g=20 --until 1 --json")).json();
    let counts = column(&folder, "a.csv", "events landing");
    assert_eq!(column(&folder, "a.csv", "events rest"), [0.0, 0.0]);
    assert_eq!(counts[1], alone["events"][0]["count"].as_f64().unwrap(), "{alone}");
    assert!(counts[0] < counts[1], "{counts:?}");
}
