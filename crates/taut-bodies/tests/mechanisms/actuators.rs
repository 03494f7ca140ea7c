//! Servos and motors of MJCF: gains from defaults that all kinds share, and controls that are not 0.
#![allow(clippy::unwrap_used)]

use taut_bodies::{Ignore, Imported, Joint, write_model};

use crate::import::read_text;

/// The first joint of an arm with an actuator, `defaults` around it.
fn arm(defaults: &str, actuator: &str) -> Imported {
    let text = format!(
        "<mujoco><default>{defaults}</default><worldbody><body name='a'><joint name='j' range='20 60'/><geom size='0.1'/>\
         </body></worldbody><actuator>{actuator}</actuator></mujoco>"
    );
    let ignore = Ignore { actuators: false, limits: true, friction: true, contacts: true };
    read_text("servo.xml", &text, ignore).unwrap()
}

/// Stiffness, damping and target of a servo.
fn servo(joint: &Joint) -> [f64; 3] {
    let [compliance, relaxation] = joint.drive_compliance;
    [1.0 / compliance, relaxation / compliance, joint.drive.as_ref().unwrap().at(0.0)[0]]
}

fn is_near(found: [f64; 3], expected: [f64; 3]) -> bool {
    found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14 * (1.0 + b.abs()))
}

/// The numbers are those of MuJoCo 4.0.0 (`actuator_gainprm`, `actuator_biasprm`, `actuator_gear`), times the square of the gear.
#[test]
fn kinds_of_actuators_share_their_defaults() {
    for (defaults, actuator, expected) in [
        ("<general gainprm='20'/>", "<position joint='j'/>", [20.0, 0.0]),
        (
            "<general biastype='affine' gainprm='20' biasprm='0 -20 -1'/>",
            "<position joint='j'/>",
            [20.0, 1.0],
        ),
        ("<general gainprm='30' biasprm='1 -30 -2'/>", "<position joint='j' kp='7'/>", [7.0, 2.0]),
        ("<motor gear='3'/>", "<position joint='j' kp='5'/>", [45.0, 0.0]),
        ("<motor gear='2'/><position kp='30' kv='2'/>", "<position joint='j'/>", [120.0, 8.0]),
        ("<position kp='30' kv='2'/><motor gear='2'/>", "<position joint='j'/>", [4.0, 0.0]),
        ("<velocity kv='3'/>", "<position joint='j'/>", [1.0, 0.0]),
    ] {
        let [stiffness, damping] = expected;
        let found = servo(&arm(defaults, actuator).world.joints[0]);
        assert!(is_near(found, [stiffness, damping, 0.0]), "{defaults} {actuator}: {found:?}");
    }
    for (defaults, expected) in [
        ("<position kp='30' kv='2'/>", 1.0),
        ("<general gainprm='30' biasprm='1 -30 -2'/>", 30.0),
        ("<velocity kv='4'/>", 4.0),
    ] {
        assert_eq!(arm(defaults, "<velocity joint='j'/>").world.joints[0].damping, [expected], "{defaults}");
    }
}

#[test]
fn a_class_has_the_gains_of_the_class_around_it() {
    let inner =
        "<position kp='30' kv='2'/><default class='x'><position kv='5' ctrlrange='-1 -0.5'/></default>";
    let found = servo(&arm(inner, "<position class='x' joint='j'/>").world.joints[0]);
    assert!(is_near(found, [30.0, 5.0, -0.5]), "{found:?}");
}

/// Where a range of controls leaves 0 out, the control is at its nearest end.
#[test]
fn controls_stay_in_their_range() {
    let target = |actuator: &str| servo(&arm("", actuator).world.joints[0])[2];
    assert_eq!(target("<position joint='j' kp='20' ctrlrange='-1 2'/>"), 0.0);
    assert_eq!(target("<position joint='j' kp='20' ctrlrange='0.5 2'/>"), 0.5);
    assert_eq!(target("<position joint='j' kp='20' gear='2' ctrlrange='0.5 2'/>"), 0.25);
    assert_eq!(target("<position joint='j' kp='20' ctrllimited='false' ctrlrange='0.5 2'/>"), 0.0);
    let inherited = target("<position joint='j' kp='20' inheritrange='0.5'/>");
    assert!((inherited - 30_f64.to_radians()).abs() < 1e-15, "{inherited}");
    let motor = arm("", "<motor joint='j' gear='4' ctrlrange='0.5 2'/>");
    assert_eq!(motor.world.joints[0].motors[0].as_ref().unwrap().at(0.0)[0], 2.0);
    assert!(motor.left_out.is_empty() && write_model(&motor).contains("\nmotor = 2\n"));
    let rate = &arm("", "<velocity joint='j' kv='3' ctrlrange='0.5 2'/>").world.joints[0];
    assert_eq!((rate.damping[0], rate.motors[0].as_ref().unwrap().at(0.0)[0]), (3.0, 1.5));
    assert_eq!(arm("", "<motor joint='j'/>").left_out, ["actuator 'j': its control is 0"]);
}
