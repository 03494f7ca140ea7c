//! `check`

use crate::support::{Folder, numbers, taut};

#[test]
fn the_pendulum_is_fine() {
    let answer = taut("check pendulum");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    for words in ["degrees of freedom  1", "consistent", "energy", "taylor", "ok"] {
        assert!(answer.out.contains(words), "{words}\n{}", answer.out);
    }
}

#[test]
fn check_says_the_same_in_json() {
    let object = taut("check squeezer --json").json();
    assert_eq!((&object["degrees_of_freedom"], &object["rank"]), (&1.into(), &6.into()));
    assert_eq!(object["redundant"].as_array().unwrap().len(), 0);
    assert_eq!(object["start"]["consistent"], true);
    assert_eq!(object["conserved"], serde_json::json!([]));
    assert_eq!(object["energy_changes_by"], serde_json::json!(["driving forces"]));
    assert_eq!(object["auto"]["method"], "taylor");
    assert!(object["problem"].is_null());
}

#[test]
fn a_start_off_the_constraints_is_moved() {
    let answer = taut("check pendulum --set x=1.001 --set y'=1 --set x'=0.5 --json");
    assert_eq!(answer.code, 0);
    let start = &answer.json()["start"];
    assert_eq!(start["consistent"], false);
    assert!((start["moved"]["position"].as_f64().unwrap() - 0.001).abs() < 1e-14);
    assert!((start["moved"]["velocity"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert_eq!(numbers(&start["q"]), [1.0, 0.0]);
    assert_eq!(numbers(&start["v"]), [0.0, 1.0]);
}

const PLATE: &str = "\
[coordinates]
x = { start = 1.0, velocity = 0.2 }
y = { start = 0.0 }
z = { start = 0.0 }
[energy]
kinetic = \"(x'^2 + y'^2 + z'^2)/2\"
[time]
end = 1.0
[constraints]
";

#[test]
fn redundant_constraints_are_named_and_left_out() {
    let folder = Folder::new();
    folder.write("plate.toml", &format!("{PLATE}first = \"y\"\nsecond = \"z\"\nboth = \"y + 2*z\"\n"));
    let answer = folder.taut("check plate.toml");
    assert_eq!(answer.code, 0);
    assert!(answer.out.contains("redundant"), "{}", answer.out);
    let object = folder.taut("check plate.toml --json").json();
    assert_eq!((&object["rank"], &object["degrees_of_freedom"]), (&2.into(), &1.into()));
    assert_eq!(object["redundant"].as_array().unwrap().len(), 1);
    assert_eq!(object["conserved"], serde_json::json!(["energy", "momentum of x"]));
    let answer = folder.taut("run plate.toml --out plate.csv --json");
    let summary = answer.json();
    assert!((summary["q"][0].as_f64().unwrap() - 1.2).abs() < 1e-9);
    assert_eq!(summary["multipliers"].as_object().unwrap().len(), 3);
    let header = folder.text("plate.csv").lines().next().unwrap().to_owned();
    assert_eq!(header, "t,x,y,z,x',y',z',lambda.first,lambda.second,lambda.both");
    assert!(folder.text("plate.csv").lines().all(|line| line.split(',').count() == 10));
}

#[test]
fn contradictions_fail() {
    let folder = Folder::new();
    folder.write("torn.toml", &format!("{PLATE}here = \"x - 1\"\nthere = \"x - 2\"\n"));
    let answer = folder.taut("check torn.toml");
    assert_eq!((answer.code, answer.err.as_str()), (1, ""));
    assert!(answer.out.contains("failed: constraint 'there' contradicts"), "{}", answer.out);
    let answer = folder.taut("check torn.toml --json");
    assert_eq!(answer.code, 1);
    assert!(answer.json()["problem"].as_str().unwrap().contains("there"));
}

#[test]
fn first_order_models_have_their_index() {
    let object = taut("check robertson --json").json();
    assert_eq!(object["index"], serde_json::json!([0, 0, 1]));
    assert_eq!(object["start"]["consistent"], true);
    assert_eq!(object["auto"]["method"], "radau");
    let moved = taut("check robertson --set c=0.5 --json").json();
    assert_eq!(moved["start"]["x"], serde_json::json!([1.0, 0.0, 0.0]));
    assert_eq!(moved["start"]["consistent"], false);
}

#[test]
fn what_is_kept_is_found() {
    let kept = |model: &str| taut(&format!("check {model} --json")).json()["conserved"].clone();
    assert_eq!(kept("knife-edge"), serde_json::json!(["energy", "momentum of phi"]));
    assert_eq!(kept("car-axis"), serde_json::json!([]));
    assert_eq!(kept("slider-crank"), serde_json::json!([]));
    assert_eq!(kept("chain"), serde_json::json!(["energy"]));
}

#[test]
fn every_model_passes() {
    for (name, _, _) in taut_text::builtin() {
        let answer = taut(&format!("check {name}"));
        assert_eq!(answer.code, 0, "{name}: {}", answer.out);
    }
}

#[test]
fn methods_for_stiff_springs_are_named() {
    let object = taut("check stiff-spring-pendulum --json").json();
    let named = serde_json::json!(["auto", "radau", "lobatto-iiic", "radau-ia", "bdf"]);
    assert_eq!(object["methods_for_stiff_springs"], named);
    let text = taut("check stiff-spring-pendulum").out;
    assert!(text.contains("auto, radau, lobatto-iiic, radau-ia, bdf need not follow them"), "{text}");
}

#[test]
fn a_damper_beside_a_spring_takes_energy_out_and_no_steps() {
    let folder = Folder::new();
    let strut = "strut = { equation = \"hypot(x, y) - 1\", compliance = \"1e-12\", relaxation = 0.3 }\n";
    folder.write("strut.toml", &format!("{PLATE}{strut}").replace("start = 1.0", "start = 1.2"));
    let found = folder.taut("check strut.toml --json").json();
    assert_eq!(found["constraints"][0]["relaxation"], 0.3);
    assert_eq!(found["energy_changes_by"], serde_json::json!(["dampers beside springs"]));
    let answer = folder.taut("run strut.toml --json").json();
    assert!(answer["springs"].as_str().unwrap().contains("creeping"), "{answer}");
    assert!(answer["stats"]["steps"].as_u64().unwrap() < 50, "{answer}");
    // Nothing pulls at the mass: the spring creeps back from 0.2, with exp(-t/0.3).
    let stretched = numbers(&answer["q"])[0] - 1.0;
    assert!((stretched - 0.2 * (-1.0_f64 / 0.3).exp()).abs() < 1e-5, "{stretched}");
}
