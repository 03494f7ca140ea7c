//! Models inside of models.

use std::path::PathBuf;

use crate::phases::run;
use taut_text::{Errors, Model, Source};

const ARM: &str = r#"
[functions]
"weight(m)" = "m*g"
[parameters]
g = 9.81
length = 1.0
mass = "2*length"
[tables]
wind = { points = [[0, 0], [1, 0]] }
[coordinates]
x = { start = "length" }
y = { start = 0.0 }
[define]
height = "y"
[energy]
kinetic = "mass/2*(x'^2 + y'^2)"
potential = "weight(mass)*height"
[constraints]
rod = "hypot(x, y) - length"
[forces]
x = { driving = "wind(t)" }
[observe]
pull = "lambda.rod"
[events]
low = { when = "x", direction = "falling" }
[time]
end = 1.0
"#;

/// A folder with files that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("taut-include-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Folder(folder)
    }

    fn read(&self, file: &str, overrides: &[(String, f64)]) -> Result<Model, Errors> {
        let path = self.0.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        Model::read(&Source::new(path.display().to_string(), text), overrides)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TWO: &str = r#"
[parameters]
long = 2.0
[include]
left = { file = "parts/arm.toml", set = { length = "long" } }
right = { file = "parts/arm.toml", set = { y = -0.6, x = 0.8, "x'" = 0.5 } }
[observe]
distance = "hypot(left.x - right.x, left.y - right.y)"
"#;

#[test]
fn two_arms_move_as_one_does_by_itself() {
    let folder = Folder::new("two", &[("two.toml", TWO), ("parts/arm.toml", ARM)]);
    let two = folder.read("two.toml", &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(two.coordinates(), ["left.x", "left.y", "right.x", "right.y"]);
    let value = |name: &str| two.parameters.iter().find(|parameter| *parameter.0 == *name).unwrap().1;
    assert_eq!((value("left.length"), value("left.mass"), value("right.mass")), (2.0, 4.0, 2.0));
    assert_eq!((two.start.q[0], two.start.q[3], two.start.v[2]), (2.0, -0.6, 0.5));
    let mut observed = two.observers.names().to_vec();
    observed.sort();
    assert_eq!(observed, ["distance", "left.pull", "right.pull"]);
    let both = run(&two, "radau", 1e-10, 1.0).unwrap();
    let arm = folder.read("parts/arm.toml", &[("length".into(), 2.0)]).unwrap();
    let alone = run(&arm, "radau", 1e-10, 1.0).unwrap();
    assert!((both.y[0] - alone.y[0]).abs() < 1e-8 && (both.y[1] - alone.y[1]).abs() < 1e-8);
    assert_eq!(both.events[0].name, "left.low");
    let longer = folder.read("two.toml", &[("left.length".into(), 3.0)]).unwrap();
    assert_eq!(longer.start.q[0], 3.0);
}

#[test]
fn the_example_of_the_readme_can_be_read() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> =
        readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let (.., pendulum) = taut_text::builtin().iter().find(|model| model.0 == "pendulum").unwrap();
    let folder = Folder::new("readme", &[("two.toml", blocks[6]), ("pendulum.toml", pendulum)]);
    let two = folder.read("two.toml", &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((two.start.q.as_slice(), two.start.v[2]), (&[1.0, 0.0, 0.0, -2.0][..], 0.3));
}

/// For small swings the normal modes are 1 s^-2 g/l and that plus 2/softness: the swing wanders with their difference.
#[test]
fn coupled_pendulums_exchange_their_swing() {
    let (.., text) = taut_text::builtin().iter().find(|model| model.0 == "coupled-pendulums").unwrap();
    let model = Model::read(&Source::new("coupled", *text), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(model.coordinates(), ["left.x", "left.y", "right.x", "right.y"]);
    let (slow, fast) = (9.81_f64.sqrt(), (9.81_f64 + 2.0 / 2.0).sqrt());
    let motion = run(&model, "radau", 1e-9, std::f64::consts::PI / (fast - slow)).unwrap();
    let swing = |k: usize| motion.y[k].hypot(motion.y[k + 4] / slow);
    assert!(swing(0) < 0.1 * swing(2) && (swing(2) - 0.1).abs() < 0.01, "{} {}", swing(0), swing(2));
}

#[test]
fn models_are_included_in_models_that_are_included() {
    let middle = "[parameters]\nscale = 3.0\n[include]\narm = { file = \"arm.toml\", set = { length = \"scale/2\" } }\n";
    let top = "[include]\npair = { file = \"parts/middle.toml\", set = { scale = 5 } }\n";
    let folder =
        Folder::new("deep", &[("top.toml", top), ("parts/middle.toml", middle), ("parts/arm.toml", ARM)]);
    let model = folder.read("top.toml", &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(model.coordinates(), ["pair.arm.x", "pair.arm.y"]);
    assert_eq!(model.start.q[0], 2.5);
}

#[test]
fn what_is_wrong_with_an_inclusion_is_told() {
    let files = [
        ("two.toml", TWO),
        ("parts/arm.toml", ARM),
        ("circle.toml", "[include]\na = { file = \"circle.toml\" }\n"),
        ("first.toml", "[include]\na = { file = \"second.toml\" }\n"),
        ("second.toml", "[include]\na = { file = \"first.toml\" }\n"),
        ("wrong.toml", "[coordinates]\nx = { start = y }\n"),
        ("unknown.toml", "[coordinates]\nx = { start = \"y\" }\n[energy]\nkinetic = \"x'^2\"\n"),
        ("bodies.toml", "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n"),
    ];
    let folder = Folder::new("wrong", &files);
    let message = |text: &str| {
        std::fs::write(folder.0.join("main.toml"), text).unwrap();
        folder.read("main.toml", &[]).unwrap_err().to_string()
    };
    let include = |entry: &str| message(&format!("[include]\n{entry}\n"));
    assert!(include("a = { file = \"circle.toml\" }").contains("has a mistake"));
    assert!(folder.read("circle.toml", &[]).unwrap_err().to_string().contains("this model includes itself"));
    assert!(folder.read("first.toml", &[]).unwrap_err().to_string().contains("this model includes itself"));
    assert!(include("a = { file = \"no.toml\" }").contains("there is no such file"));
    assert!(include("a = { file = \"unknown.toml\" }").contains("line 2, column 16: unknown name 'y'"));
    assert!(include("a = { file = \"bodies.toml\" }").contains("a model with 'bodies' cannot be included"));
    assert!(
        include("a = { file = \"parts/arm.toml\", set = { lenght = 2 } }").contains("did you mean 'length'")
    );
    assert!(include("a = { file = \"parts/arm.toml\", st = 2 }").contains("'a' has no 'st'"));
    assert!(include("a = \"parts/arm.toml\"").contains("'a' is written as a table"));
    assert!(include("a = { }").contains("the file of a model is missing"));
    assert!(include("\"a b\" = { file = \"parts/arm.toml\" }").contains("'a b' cannot be a name"));
    let unknown = message("[include]\narm = { file = \"parts/arm.toml\" }\n[observe]\nz = \"arm.z\"\n");
    assert!(unknown.contains("unknown name 'arm.z'") && unknown.contains("main.toml:4"), "{unknown}");
}
