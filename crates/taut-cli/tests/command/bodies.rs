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
    let found = folder.taut("check arm.toml --json").json();
    assert_eq!(found["degrees_of_freedom"], 1);
    assert_eq!(found["masses"]["arm"], 2.0);
    let force = numbers(&found["joints_at_rest"]["pin"]["force"]);
    assert!(force[0].abs() < 1e-12 && (force[1] - 19.62).abs() < 1e-12, "{force:?}");
    let said = folder.taut("check arm.toml").out;
    assert!(said.contains("at rest") && said.contains("2 in all: arm 2"), "{said}");
}

/// The spring of a tendon is a relation of three joints with compliance, an offset and a further ratio.
#[test]
fn tendons_survive_the_way_into_a_model_file() {
    let folder = Folder::new();
    let wheel = |k: u8| {
        format!(
            "<body pos='{k} 0 0'><joint name='j{k}' axis='0 1 0'/>\
             <inertial pos='0 0 0' mass='1' diaginertia='1 0.{k} 1'/></body>"
        )
    };
    let wheels: String = (1..4).map(wheel).collect();
    let joints: String = (1..4).map(|k| format!("<joint joint='j{k}' coef='{k}'/>")).collect();
    let tendon = format!("<fixed name='sum' stiffness='7' damping='0.2' springlength='0.3'>{joints}</fixed>");
    let text = format!("<mujoco><worldbody>{wheels}</worldbody><tendon>{tendon}</tendon></mujoco>");
    folder.write("wheels.xml", &text);
    assert_eq!(folder.taut("import wheels.xml --out wheels.toml --strict").code, 0);
    let [direct, written] = ["wheels.xml", "wheels.toml"].map(|file| {
        let found = folder.taut(&format!("run {file} --until 0.5 --rtol 1e-10 --json")).json();
        ["j1", "j2", "j3"].map(|joint| found["joints"][joint]["coordinate"].as_f64().unwrap())
    });
    assert!(direct[0].abs() > 0.01, "{direct:?}");
    for (a, b) in direct.iter().zip(written) {
        assert!((a - b).abs() < 1e-12, "{direct:?} and {written:?}");
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

/// Springs and dampers of ball joints survive the way into a model file; what cannot be read is named once.
#[test]
fn ball_joints_have_springs_and_files_are_named_once() {
    let folder = Folder::new();
    let ball = "type=\"ball\" stiffness=\"3\" damping=\"0.2\" armature=\"0.01\"";
    let robot = ROBOT.replace("axis=\"0 1 0\" ref=\"10\"", ball).replace("0 0 -0.5", "0.4 0 -0.5");
    folder.write("ball.xml", &robot);
    assert_eq!(folder.taut("import ball.xml --ignore contacts --out ball.toml").code, 0);
    let text = folder.text("ball.toml");
    assert!(text.contains("stiffness = 3") && text.contains("armature = 0.01"), "{text}");
    let [direct, by_file] = ["ball.xml --ignore contacts", "ball.toml"]
        .map(|file| numbers(&folder.taut(&format!("run {file} --until 0.5 --json")).json()["q"]));
    assert_eq!(direct, by_file);
    assert!((direct[3] - 1.0).abs() > 1e-3, "it swings: {direct:?}");
    folder.write("sdf.xml", "<sdf/>");
    let refused = folder.taut("run sdf.xml");
    assert_eq!((refused.code, refused.err.matches("sdf.xml").count()), (2, 1), "{}", refused.err);
}

const BODY: &str = r#"
gravity = [0, 0, -9.81]
bodies.a = { mass = 1, inertia = [0.1, 0.1, 0.1], position = [1, 0, 0] }
joints.j = { kind = "revolute", between = ["ground", "a"], at = [0, 0, 0], axis = [0, 1, 0] }
"#;

#[test]
fn an_inertia_that_no_body_has_is_said_by_check_and_run() {
    let folder = Folder::new();
    folder.write("body.toml", &BODY.replace("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.3]"));
    let doubt = "body 'a': no body has the principal moments of inertia 0.1, 0.1, 0.3, since the sum of two is never below the third";
    let found = folder.taut("check body.toml --json").json();
    assert_eq!((&found["warnings"][0], &found["problem"]), (&doubt.into(), &serde_json::Value::Null));
    assert!(folder.taut("check body.toml").out.contains(doubt));
    let run = folder.taut("run body.toml --until 0.1 --json");
    assert!(run.err.contains(&format!("warning: {doubt}")), "{}", run.err);
    assert_eq!(run.json()["warning"], doubt);
    folder.write("good.toml", BODY);
    assert_eq!(folder.taut("check good.toml --json").json()["warnings"], serde_json::json!([]));
    assert!(folder.taut("run good.toml --until 0.1 --json").json().get("warning").is_none());
}

#[test]
fn what_has_no_inertia_where_it_moves_is_refused_with_its_numbers() {
    let folder = Folder::new();
    let ball = BODY.replace("revolute", "spherical").replace(", axis = [0, 1, 0]", "");
    folder.write("rod.toml", &ball.replace("[0.1, 0.1, 0.1]", "[0, 0.1, 0.1]"));
    let numbers =
        "body 'a' has a mass of 1 and the principal moments of inertia 0, 0.1, 0.1, and no joint holds it";
    let problem = folder.taut("check rod.toml --json").json()["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains(numbers), "{problem}");
    let said = folder.taut("run rod.toml --until 1").err;
    assert!(said.contains(numbers), "{said}");
}

#[test]
fn points_that_coincide_are_named_where_they_should_be_apart() {
    let folder = Folder::new();
    let rod = r#"joints.rod = { kind = "distance", between = ["ground", "a"], points = [[1, 0, 0], [0, 0, 0]], length = 0.5 }"#;
    let free = BODY.lines().filter(|line| !line.starts_with("joints")).collect::<Vec<_>>().join("\n");
    folder.write("apart.toml", &format!("{free}\n{rod}\n"));
    let place = "the points of 'rod' are both at (1, 0, 0)";
    let problem = folder.taut("check apart.toml --json").json()["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains(place) && problem.contains("0.5 apart"), "{problem}");
    folder.write("held.toml", &format!("{free}\n{rod}\n").replace(", length = 0.5", ""));
    let said = folder.taut("run held.toml --until 1").err;
    assert!(said.contains(place) && said.contains("take 'spherical'"), "{said}");
}

/// A spring that pulls a stiff bushing far out of shape: there is no smooth motion near by, and the message says what to take.
#[test]
fn springs_that_are_stretched_too_far_for_smooth_motion_are_followed_on_demand() {
    let folder = Folder::new();
    let linkage = r#"
plane = "xy"
gravity = [0, -9.81]
bodies.crank = { mass = 1, inertia = 0.08, position = [0, 0.5] }
bodies.rocker = { mass = 1, inertia = 0.08, position = [1.5, 0.6], points = { tip = [0, 0.6] } }
joints.pin = { kind = "revolute", between = ["ground", "crank"], at = [0, 0], rate = -1 }
joints.base = { kind = "revolute", between = ["ground", "rocker"], at = [1.5, 0] }
joints.coupler = { kind = "distance", between = ["crank", "rocker"], points = [[0, 0.5], "tip"] }
springs.tie = { between = ["crank", "rocker"], points = [[0, 0.1], "tip"], length = 0.3, stiffness = 1e4, damping = 5 }
springs.mount = { kind = "bushing", between = ["ground", "rocker"], at = [1.5, 0], stiffness = 1e6, torsion = 1e3, damping = 100 }
"#;
    folder.write("stretched.toml", linkage);
    let run = folder.taut("run stretched.toml --until 0.1");
    assert!(run.code == 2 && run.err.contains("; --vibrations follow takes stiff springs"), "{}", run.err);
    let followed = folder.taut("run stretched.toml --until 0.1 --vibrations follow --json").json();
    assert!(followed["residuals"]["position"].as_f64().unwrap() < 1e-13);
}

#[test]
fn a_matrix_that_is_singular_from_the_start_asks_for_another_method() {
    let answer = taut("run delta-robot --method rattle --step 1e-3 --until 0.1");
    assert_eq!(answer.code, 3, "{}", answer.err);
    assert!(answer.err.contains("singular at") && answer.err.contains("auto, radau"), "{}", answer.err);
    assert_eq!(taut("run delta-robot --until 0.1").code, 0);
}
