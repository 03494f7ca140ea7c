//! Models from files, and what is wrong with them.

use crate::support::Folder;

const MASS: &str = "\
[parameters]
k = 4.0
[coordinates]
x = { start = 1.0 }
[energy]
kinetic = \"x'^2/2\"
potential = \"k*x^2/2\"
";

#[test]
fn a_file_is_a_model() {
    let folder = Folder::new();
    folder.write("mass.toml", MASS);
    let answer = folder.taut("run mass.toml --until 1 --rtol 1e-10 --atol 1e-10 --json");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let summary = answer.json();
    assert_eq!(summary["model"], "mass");
    assert!((summary["q"][0].as_f64().unwrap() - 2.0_f64.cos()).abs() < 1e-8);
}

#[test]
fn an_end_time_must_come_from_somewhere() {
    let folder = Folder::new();
    folder.write("mass.toml", MASS);
    let answer = folder.taut("run mass.toml");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("--until"));
}

#[test]
fn mistakes_point_at_line_and_column() {
    let folder = Folder::new();
    folder.write("wrong.toml", &MASS.replace("k*x^2", "kk*x^2"));
    for command in ["run", "check"] {
        let answer = folder.taut(&format!("{command} wrong.toml"));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""));
        assert!(answer.err.contains("wrong.toml:7:"), "{}", answer.err);
        assert!(answer.err.contains("'kk'"), "{}", answer.err);
    }
}

#[test]
fn files_that_are_no_models_are_refused() {
    let folder = Folder::new();
    folder.write("empty.toml", "");
    folder.write("broken.toml", "[coordinates");
    std::fs::write(folder.path().join("bytes.toml"), [0xff, 0xfe, 0x00]).unwrap();
    std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
    for file in ["empty.toml", "broken.toml", "bytes.toml", "folder.toml"] {
        let answer = folder.taut(&format!("run {file}"));
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{file}");
        assert!(!answer.err.is_empty(), "{file}");
    }
}

#[test]
fn a_start_without_consistent_values_is_refused() {
    let folder = Folder::new();
    let text = format!("{MASS}[constraints]\nhere = \"x - 1\"\nthere = \"x - 2\"\n[time]\nend = 1\n");
    folder.write("torn.toml", &text);
    let answer = folder.taut("run torn.toml --out torn.csv");
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("contradicts"), "{}", answer.err);
    assert!(!folder.has("torn.csv"));
}

#[test]
fn a_first_order_start_is_moved_onto_its_equations_or_refused_with_the_residual() {
    let folder = Folder::new();
    let model = |equation: &str| {
        format!(
            "[variables]\nx = {{ start = 0.5, rate = \"y - x\" }}\ny = {{ start = 0, equation = \"{equation}\" }}\n[time]\nend = 1\n"
        )
    };
    for equation in ["x^2 + 1", "y^2 + y + x^2 + 2"] {
        folder.write("nowhere.toml", &model(equation));
        for command in ["run", "check"] {
            let answer = folder.taut(&format!("{command} nowhere.toml"));
            assert_ne!(answer.code, 0, "{}", answer.out);
            let text = format!("{}{}", answer.out, answer.err);
            assert!(text.contains("'y'") && text.contains("a residual of "), "{text}");
        }
    }
    folder.write("moved.toml", &model("x - 1"));
    let object = folder.taut("check moved.toml --json").json();
    assert_eq!((&object["start"]["consistent"], &object["start"]["x"][0]), (&false.into(), &1.0.into()));
    assert_eq!(folder.taut("run moved.toml --method bdf").code, 0);
}
