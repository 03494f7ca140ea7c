//! Words of robots' files that are misspelt or stand where they mean nothing: none passes unseen.
#![allow(clippy::unwrap_used)]

use taut_bodies::{Ignore, ImportError, Imported};

use crate::import::read_text;

const EVERYTHING: Ignore = Ignore { actuators: true, limits: true, friction: true, contacts: true };

const ARM: &str = "<robot name='r'><link name='w'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>\
    </inertial></link><joint name='j' type='revolute'><parent link='w'/><child link='a'/><origin xyz='0 0 1' rpy='0.3 0 0'/>\
    <axis xyz='0 1 0'/><limit lower='-1' upper='1'/></joint></robot>";

fn robot(text: &str) -> Result<Imported, ImportError> {
    read_text("words.urdf", text, EVERYTHING)
}

#[test]
fn misspelt_places_and_axes_of_urdf_are_listed() {
    assert!(robot(ARM).unwrap().left_out.is_empty());
    for (right, wrong, said) in [
        ("origin xyz", "origin xzy", "'xzy' of <origin>"),
        ("rpy", "rpv", "'rpv' of <origin>"),
        ("axis xyz", "axis xzy", "'xzy' of <axis>"),
        ("upper=", "uper=", "'uper' of <limit>"),
        ("</robot>", "<sensor name='s'/></robot>", "elements <sensor> of <robot>"),
    ] {
        assert_eq!(robot(&ARM.replace(right, wrong)).unwrap().left_out, [said]);
    }
}

/// A link without its joint would stand on the ground, and its mass be lost.
#[test]
fn a_robot_of_two_roots_is_refused() {
    let misspelt = ARM.replace("joint", "jiont");
    let said = robot(&misspelt).unwrap_err().to_string();
    assert_eq!(said, "line 1: links 'w' and 'a' both hang on no joint: one link of a URDF is its root");
}

#[test]
fn misspelt_options_and_equalities_of_mjcf_are_listed() {
    let arms = "<body name='a'><joint name='j'/><geom size='0.1' pos='1 0 0'/><body name='b'><joint name='k'/>\
                <geom size='0.1' pos='1 0 0'/></body></body>";
    let model = |before: &str, inside: &str, behind: &str| {
        let text = format!("<mujoco>{before}<worldbody>{inside}{arms}</worldbody>{behind}</mujoco>");
        read_text("words.xml", &text, EVERYTHING).unwrap()
    };
    let right = "<equality><joint joint1='j' joint2='k' polycoef='0 -2 0 0 0'/></equality>";
    let flags = "<option timestep='0.01' gravity='0 0 -1'><flag energy='enable'/></option>";
    assert!(model(flags, "", right).left_out.is_empty());
    let wrong = right.replace("polycoef", "polycof");
    assert_eq!(model("", "", &wrong).left_out, ["'polycof' of <joint>"]);
    assert_eq!(model("<option gravty='0 0 0'/>", "", "").left_out, ["'gravty' of <option>"]);
    let flag = "<option><flag gravty='disable'/></option>";
    assert_eq!(model(flag, "", "").left_out, ["'gravty' of <flag>"]);
    assert_eq!(model("", "<joint axis='1 0 0'/>", "").left_out, ["elements <joint> of <worldbody>"]);
}

#[test]
fn defaults_switch_equalities_off() {
    let text = "<mujoco><default><equality active='false'/></default><worldbody><body name='a'><joint name='j'/>\
                <geom size='0.1' pos='1 0 0'/></body></worldbody><equality><connect body1='a' anchor='1 0 0'/></equality></mujoco>";
    let world = read_text("off.xml", text, EVERYTHING).unwrap().world;
    assert_eq!(world.joints.len(), 1);
}

/// What is read as if it were not there would pass unseen: angles in degrees, bodies that are not turned, joints without limits.
#[test]
fn values_that_mean_nothing_are_refused() {
    for (before, body, joint, said) in [
        (
            "<compiler angle='radians'/>",
            "",
            "",
            "'angle' of <compiler> is one of degree radian, not 'radians'",
        ),
        (
            "<compiler inertiafromgeom='yes'/>",
            "",
            "",
            "'inertiafromgeom' of <compiler> is one of true false auto, not 'yes'",
        ),
        (
            "<option><flag gravity='off'/></option>",
            "",
            "",
            "'gravity' of <flag> is one of enable disable, not 'off'",
        ),
        ("", "", "limited='yes'", "'limited' of <joint> is one of true false auto, not 'yes'"),
        ("", "quat='0 0 0 0'", "", "a quaternion of zeros is no rotation"),
        ("", "axisangle='1 0 0'", "", "'axisangle' of <body> is 4 numbers, not 3"),
        ("", "xyaxes='1 0 0 0 1'", "", "'xyaxes' of <body> is 6 numbers, not 5"),
        ("", "", "range='10'", "'range' of <joint> is 2 numbers, not 1"),
        ("", "", "springdamper='1'", "'springdamper' of <joint> is 2 numbers, not 1"),
    ] {
        let text = format!(
            "<mujoco>{before}<worldbody><light range='10'/><body name='a' {body}><joint name='j' {joint}/><geom size='0.1' pos='1 0 0'/>\
             </body></worldbody></mujoco>"
        );
        let found = read_text("values.xml", &text, EVERYTHING).map(|robot| robot.left_out);
        assert_eq!(found.unwrap_err().to_string(), format!("line 1: {said}"));
    }
}
