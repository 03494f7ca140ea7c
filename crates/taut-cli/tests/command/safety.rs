//! What a user can get wrong without losing anything.

use crate::support::Folder;

const FREE: &str =
    "[coordinates]\nx = { start = 0, velocity = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n[time]\nend = 1\n";

/// All numbers of a summary are numbers, or the run has stopped.
fn is_finite(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Array(list) => list.iter().all(|value| !value.is_null() && is_finite(value)),
        serde_json::Value::Object(object) => ["q", "v", "x", "multipliers", "residuals"]
            .iter()
            .filter_map(|key| object.get(*key))
            .all(is_finite),
        value => !value.is_null(),
    }
}

#[test]
fn what_leaves_the_range_of_numbers_is_named() {
    let folder = Folder::new();
    folder.write("free.toml", FREE);
    for method in ["auto", "radau", "bdf", "gauss", "spark", "rattle", "sdirk", "adams", "dopri5"] {
        for until in ["1e155", "1e300"] {
            // Beyond 1e150 squares leave the range, and some methods hardly move: they need not show it a million times.
            let run = format!("run free.toml --until {until} --method {method} --max-steps 50000 --json");
            let answer = folder.taut(&run);
            assert!(
                answer.code == 3 || (answer.code == 0 && is_finite(&answer.json())),
                "{method} {}",
                answer.out
            );
        }
    }
    let observed = format!("{FREE}[observe]\nroot = \"sqrt(0.5 - x)\"\n");
    folder.write("observed.toml", &observed);
    let answer = folder.taut("run observed.toml --samples 11 --out a.csv");
    assert_eq!(answer.code, 3, "{}", answer.err);
    assert!(answer.err.contains("'root' is NaN") && answer.err.contains("t = 0.6"), "{}", answer.err);
    assert!(!folder.text("a.csv").contains("NaN") && folder.text("a.csv").lines().count() == 7);
}

#[test]
fn one_file_has_one_purpose() {
    let folder = Folder::new();
    folder.write("free.toml", FREE);
    folder.write("model.json", FREE);
    std::fs::create_dir(folder.path().join("d.csv")).unwrap();
    std::os::unix::fs::symlink("free.toml", folder.path().join("link.csv")).unwrap();
    for (arguments, words) in [
        ("--out a.json --checkpoint a.json", "the file of --out"),
        ("--out a.csv --checkpoint ./a.csv", "the file of --out"),
        ("--out a.csv --checkpoint a.csv.manifest.json", "the file of the manifest"),
        ("--checkpoint free.toml", "the file of the model"),
        ("--out d.csv", "a directory"),
        ("--out link.csv", "a symbolic link"),
        ("--checkpoint /dev/null", "a device"),
        ("--plot nowhere/p.svg", "nowhere"),
        ("--checkpoint nowhere/c.json", "nowhere"),
    ] {
        let answer = folder.taut(&format!("run free.toml {arguments}"));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}: {}", answer.err);
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
    }
    let answer = folder.taut("run model.json --out model.json");
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert_eq!(folder.text("free.toml"), FREE);
    assert_eq!(folder.text("model.json"), FREE);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "nothing else was written");
}

#[test]
fn steps_and_times_are_read_as_numbers() {
    let folder = Folder::new();
    folder.write("free.toml", FREE);
    for (arguments, words) in [
        ("--step 1e-300 --max-steps 10", "--max-steps allows 1e1"),
        ("--step 1e-300", "steps"),
        ("--step -0.1", "above 0"),
        ("--rtol -1e-6", "above 0"),
        ("--rtol 1e-6,5", "1e-6,5"),
        ("--set x=0,5", "write a point: 0.5"),
        ("--until 1,5", "write a point: 1.5"),
    ] {
        let answer = folder.taut(&format!("run free.toml {arguments}"));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}: {}", answer.err);
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
    }
    let answer = folder.taut("run free.toml --until -1e-3 --json");
    assert_eq!((answer.code, &answer.json()["t"]), (0, &(-1e-3).into()), "{}", answer.err);
    // Steps that are too short to move the time end the run.
    let answer = folder.taut("run free.toml --step 1e-9 --until 1e-7 --set x=1 --json");
    assert_eq!(answer.code, 0, "{}", answer.err);
}

#[test]
fn mistakes_are_json_for_programs() {
    let folder = Folder::new();
    folder.write("wrong.toml", &FREE.replace("x'^2/2", "x'^2/2 + zz"));
    let answer = folder.taut("run wrong.toml --json");
    let object: serde_json::Value = serde_json::from_str(&answer.err).unwrap();
    assert_eq!((answer.code, &object["status"]), (2, &2.into()));
    let mistake = &object["mistakes"][0];
    assert!(mistake["message"].as_str().unwrap().contains("'zz'"), "{object}");
    assert_eq!((&mistake["file"], &mistake["line"]), (&"wrong.toml".into(), &4.into()));
    let place = [&object["kind"], &object["line"], &object["column"]];
    assert_eq!(place, [&"model".into(), &4.into(), &mistake["column"]]);
    for (arguments, kind) in [
        ("run nothing --json", "options"),
        ("check nothing --json", "options"),
        ("run pendulum --json --nonsense", "options"),
        ("run pendulum --json --set x=0 --set y=0", "model"),
        ("run pendulum --json --out missing/states.csv", "file"),
        (
            "run stiff-spring-pendulum --json --vibrations follow --method dopri5 --set eps=1e-8",
            "integration",
        ),
    ] {
        let answer = folder.taut(arguments);
        let object: serde_json::Value = serde_json::from_str(&answer.err).unwrap();
        let said = (answer.code, &object["status"], &object["kind"], &object["t"]);
        assert_eq!(said, (2, &2.into(), &kind.into(), &serde_json::Value::Null), "{arguments}: {object}");
        assert!(!object["error"].as_str().unwrap().is_empty());
    }
}

#[test]
fn runs_that_stop_say_so_in_json_for_programs() {
    let folder = Folder::new();
    let answer = folder.taut("run pendulum --json --max-steps 10");
    let object: serde_json::Value = serde_json::from_str(&answer.err).unwrap();
    assert_eq!((answer.code, &object["kind"], &object["status"]), (3, &"integration".into(), &3.into()));
    assert_eq!((&object["t"], &object["error"]), (&answer.json()["t"], &answer.json()["stopped"]));
    assert!(object["t"].as_f64().unwrap() > 0.0, "{object}");
}

#[test]
fn files_are_measured_before_they_are_read() {
    let folder = Folder::new();
    let large = std::fs::File::create(folder.path().join("large.toml")).unwrap();
    large.set_len(1 << 40).unwrap();
    for (arguments, words) in [
        ("run large.toml", "at most 4194304"),
        ("check large.toml", "at most 4194304"),
        ("run /dev/zero", "a device"),
        ("run pendulum --resume large.toml", "at most"),
    ] {
        let answer = folder.taut(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}: {}", answer.err);
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
    }
}

#[test]
fn an_empty_model_is_refused_by_every_method() {
    let folder = Folder::new();
    folder.write("empty.toml", "[coordinates]\n[energy]\nkinetic = \"0\"\n[time]\nend = 1\n");
    folder.write("nothing.toml", "[variables]\n[time]\nend = 1\n");
    for model in ["empty.toml", "nothing.toml"] {
        for method in ["auto", "radau", "bdf", "gauss", "spark", "rattle", "sdirk", "esdirk", "dopri8"] {
            let answer = folder.taut(&format!("run {model} --method {method}"));
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{model} {method}: {}", answer.err);
            assert!(!answer.err.contains("panicked"), "{}", answer.err);
        }
    }
}

#[test]
fn a_table_that_is_none_and_numbers_at_the_end_of_their_range() {
    let folder = Folder::new();
    folder.write("tiny.csv", "t,x\n0,0\n1,5e-324\n");
    assert_eq!(folder.taut("plot tiny.csv --out tiny.svg").code, 0);
    folder.write("x.npz", "PK");
    let answer = folder.taut("plot x.npz --out x.svg");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains(".csv"), "{}", answer.err);
}
