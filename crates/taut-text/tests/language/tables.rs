//! Tables: between points, beyond them, from files, and where they break.

use crate::phases::{read, run};
use taut_text::{Model, Source};

fn value(table: &str, argument: f64) -> f64 {
    let text = format!(
        "[tables]\nf = {{ {table} }}\n[variables]\nx = {{ start = 0, rate = \"0\" }}\n[observe]\nvalue = \"f(x)\"\n"
    );
    let (model, mut values) = (read(&text), [0.0]);
    model.observers.evaluate(0.0, &[argument], &[], &mut values);
    values[0]
}

const POINTS: &str = "points = [[0, 0], [1, 2.5], [2, 0], [4, 1]]";

#[test]
fn tables_are_what_they_say_between_their_points() {
    let with = |words: &str, x: f64| value(&format!("{POINTS}, {words}"), x);
    for (x, linear, steps) in [
        (0.0, 0.0, 0.0),
        (0.5, 1.25, 0.0),
        (1.0, 2.5, 2.5),
        (1.5, 1.25, 2.5),
        (2.0, 0.0, 0.0),
        (3.0, 0.5, 0.0),
        (4.0, 1.0, 1.0),
    ] {
        assert_eq!(with("between = \"linear\"", x), linear, "linear at {x}");
        assert_eq!(with("between = \"steps\"", x), steps, "steps at {x}");
    }
    for (x, y) in [(0.0, 0.0), (1.0, 2.5), (2.0, 0.0), (4.0, 1.0)] {
        assert!((with("between = \"cubic\"", x) - y).abs() < 1e-14, "cubic at {x}");
    }
    // A cubic through four points.
    let cubic = |x: f64| x * (x - 2.0) * (x - 4.0) * 2.5 / 3.0 + x * (x - 1.0) * (x - 2.0) / 24.0;
    assert!((with("between = \"cubic\"", 3.0) - cubic(3.0)).abs() < 1e-13);
}

#[test]
fn beyond_their_points_tables_hold_or_go_on() {
    let with = |words: &str, x: f64| value(&format!("{POINTS}, {words}"), x);
    assert_eq!([with("", -1.0), with("", 9.0)], [0.0, 1.0]);
    assert_eq!([with("beyond = \"hold\"", -1.0), with("beyond = \"hold\"", 9.0)], [0.0, 1.0]);
    assert_eq!([with("beyond = \"extend\"", -1.0), with("beyond = \"extend\"", 6.0)], [-2.5, 2.0]);
    assert_eq!([with("beyond = \"error\"", 4.0), with("beyond = \"error\"", 0.0)], [1.0, 0.0]);
}

/// x' = f(x) with a table of steps or lines, along whose pieces the motion is known.
#[test]
fn breaks_of_tables_are_found() {
    let steps = "[tables]\nf = { points = [[0, 1], [1, 2], [2, 4], [4, 1]], between = \"steps\" }\n\
                 [variables]\nx = { start = 0, rate = \"f(x)\" }\n";
    let lines = "[tables]\nf = { points = [[0, 1], [1, 2], [2, 2], [3, 1]] }\n[variables]\nx = { start = 0, rate = \"f(x)\" }\n";
    for method in ["dopri8", "radau", "bdf", "adams"] {
        let motion = run(&read(steps), method, 1e-9, 1.0 + 0.5 + 0.5 + 0.25).unwrap();
        assert!((motion.y[0] - 4.25).abs() < 1e-11, "{method}: {}", motion.y[0]);
        // x = exp(t) - 1 up to 1, then 2 (t - ln 2) + 1 up to 2, then 4 - 2 exp(...) ... up to 3: ln 2 + 1/2 + ln 2.
        let motion = run(&read(lines), method, 1e-9, 2.0 * f64::ln(2.0) + 0.5).unwrap();
        assert!((motion.y[0] - 3.0).abs() < 3e-8, "{method}: {}", motion.y[0]);
    }
}

#[test]
fn a_table_that_must_not_be_left_stops_the_run_with_its_name() {
    let text = "[tables]\nroad = { points = [[0, 0], [2, 1]], beyond = \"error\" }\n\
                [variables]\nx = { start = 0.5, rate = \"1 + road(x)\" }\n";
    let error = run(&read(text), "dopri8", 1e-8, 9.0).unwrap_err().to_string();
    assert!(error.contains("the table 'road' is left at 2"), "{error}");
    let outside = read(&text.replace("start = 0.5", "start = -1"));
    let error = outside.events.check_start(0.0, &[-1.0]).unwrap_err();
    assert!(error.contains("'road' is asked for -1"), "{error}");
}

#[test]
fn tables_are_read_from_files_beside_the_model() {
    let folder = std::env::temp_dir().join(format!("taut-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("road.csv"), "# a road\n\"s\", height, width\n0, 1.5, 9\n\n2, 2.5, 9\n")
        .unwrap();
    let text = "[tables]\nroad = { file = \"road.csv\", x = \"s\", y = \"height\" }\n\
                [variables]\nx = { start = 0, rate = \"0\" }\n[observe]\nvalue = \"road(1)\"\n";
    let name = folder.join("model.toml").display().to_string();
    let model = Model::read(&Source::new(&name, text), &[]).unwrap();
    let mut values = [0.0];
    model.observers.evaluate(0.0, &[0.0], &[], &mut values);
    assert_eq!(values, [2.0]);
    assert_eq!(model.compiled().files().len(), 1);
    let message = |text: &str| Model::read(&Source::new(&name, text), &[]).unwrap_err().to_string();
    assert!(message(&text.replace("road.csv", "rood.csv")).contains("there is no such file"));
    let missing = message(&text.replace("\"height\"", "\"heigth\""));
    assert!(missing.contains("no column 'heigth'") && missing.contains("did you mean 'height'"), "{missing}");
    std::fs::write(folder.join("road.csv"), "s,height\n0,1\n1,two\n").unwrap();
    assert!(message(text).contains("line 3 of the file has no number in the column 'height': 'two'"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The car comes to the height of the road's end, and a spline breaks no step.
#[test]
fn the_car_follows_its_road() {
    let (.., text) = taut_text::builtin().iter().find(|model| model.0 == "rough-road").unwrap();
    let model = read(text);
    let motion = run(&model, "radau", 1e-8, 9.0).unwrap();
    let mut values = vec![0.0; 2];
    model.observers.evaluate(9.0, &motion.y[..2], &motion.y[2..4], &mut values);
    assert!((motion.y[0] - values[0]).abs() < 1e-5, "{:?} {values:?}", motion.y);
    let (exact, few) =
        (run(&model, "dopri8", 1e-11, 4.0).unwrap(), run(&model, "dopri8", 1e-7, 4.0).unwrap());
    assert!((exact.y[0] - few.y[0]).abs() < 1e-6);
}

/// A run may end where its table does.
#[test]
fn a_table_has_a_value_at_its_end() {
    for between in ["linear", "steps", "cubic"] {
        let text = format!(
            "[tables]\nf = {{ points = [[0, 0], [1, 2], [2, 1]], between = \"{between}\", beyond = \"error\" }}\n\
             [variables]\nx = {{ start = 0, rate = \"f(t)\" }}\n"
        );
        let model = read(&text);
        let motion = run(&model, "dopri8", 1e-9, 2.0).unwrap_or_else(|error| panic!("{between}: {error}"));
        assert_eq!(motion.t, 2.0, "{between}");
        assert!(run(&model, "dopri8", 1e-9, 2.1).is_err(), "{between}");
    }
}
