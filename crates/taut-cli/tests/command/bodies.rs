//! Bodies, joints, robots.

use crate::support::{Folder, numbers, taut};

const ARM: &str = r#"
plane = "xy"
gravity = [0, -9.81]
[bodies.arm]
mass = 2
inertia = 0.3
position = [0.5, 0]
[joints.pin]
kind = "revolute"
between = ["ground", "arm"]
at = [0, 0]
[time]
end = 1
"#;

const ROBOT: &str = r#"<mujoco model="swing"><worldbody>
  <body name="bob" pos="0 0 1"><joint name="hinge" axis="0 1 0" ref="10"/><geom type="sphere" size="0.1" pos="0 0 -0.5"/></body>
</worldbody></mujoco>"#;

#[test]
fn a_summary_has_bodies_and_joints() {
    let folder = Folder::new();
    folder.write("arm.toml", ARM);
    let object = folder.taut("run arm.toml --json --set pin=0.4").json();
    let arm = &object["bodies"]["arm"];
    let angle = arm["rotation"].as_f64().unwrap();
    let position = numbers(&arm["position"]);
    assert!(
        (position[0] - 0.5 * angle.cos()).abs() < 1e-12 && (position[1] - 0.5 * angle.sin()).abs() < 1e-12
    );
    let pin = &object["joints"]["pin"];
    assert!((pin["coordinate"].as_f64().unwrap() - angle).abs() < 1e-12);
    assert_eq!(pin["rate"], arm["spin"]);
    assert_eq!(numbers(&pin["force"]).len(), 2);
    assert!(object["energy"]["max_error"].as_f64().unwrap() < 1e-5);
}

#[test]
fn check_says_what_joints_carry_at_rest() {
    let folder = Folder::new();
    folder.write("arm.toml", &ARM.replace("[0.5, 0]", "[0, -0.5]"));
    let answer = folder.taut("check arm.toml");
    for words in ["degrees of freedom  1", "2 in all: 1: arm 2", "pin: force (0, 19.62, 0), torque (0, 0, 0)"]
    {
        assert!(answer.out.contains(words), "{words}\n{}", answer.out);
    }
}

#[test]
fn robots_run_from_their_files_and_become_models() {
    let folder = Folder::new();
    folder.write("swing.xml", ROBOT);
    let direct = folder.taut("run swing.xml --until 0.5 --json --set hinge=0.3");
    assert_eq!(direct.code, 0, "{}", direct.err);
    assert!(direct.err.contains("left out: contacts of 1 geoms"));
    let answer = folder.taut("import swing.xml --out swing.toml --ignore contacts");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let imported = folder.taut("run swing.toml --until 0.5 --json --set hinge=0.3");
    assert_eq!(direct.json()["q"], imported.json()["q"]);
    assert_eq!(imported.json()["joints"]["hinge"]["coordinate"], imported.json()["q"][7]);
    let strict = folder.taut("run swing.xml --until 0.5 --strict");
    assert_eq!(strict.code, 2);
    assert!(strict.err.contains("contacts of 1 geoms"));
}
