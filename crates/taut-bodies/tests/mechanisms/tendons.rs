//! Sums of joint coordinates: springs, servos and equalities of tendons against closed forms of wheels on fixed axes.

#![allow(clippy::unwrap_used)]

use taut::Solver;
use taut_bodies::{Ignore, Imported, import, write_model};

const INERTIAS: [f64; 3] = [0.5, 0.2, 1.25];
const FACTORS: [f64; 3] = [2.0, -1.0, 0.5];

/// A text as a file of its own, by the name of its test.
fn read_text(test: &str, text: &str) -> Imported {
    let path = std::env::temp_dir().join(format!("taut-tendons-{}-{test}.xml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let imported = import(&path, Ignore { contacts: true, ..Ignore::default() });
    std::fs::remove_file(&path).unwrap();
    imported.unwrap()
}

/// Three wheels that turn about their centres, each with attributes of its joint, and what stands beside them.
fn wheels(test: &str, joints: [&str; 3], beside: &str) -> Imported {
    let body = |k: usize| {
        let inertia = INERTIAS[k];
        format!(
            "<body pos='{k} 0 0'><joint name='j{k}' axis='0 1 0' {}/>\
             <inertial pos='0 0 0' mass='1' diaginertia='{inertia} {inertia} {inertia}'/></body>",
            joints[k]
        )
    };
    let bodies: String = (0..3).map(body).collect();
    let text = format!(
        "<mujoco><compiler angle='radian'/><default><tendon damping='0.4'/></default>\
         <worldbody>{bodies}</worldbody>{beside}</mujoco>"
    );
    read_text(test, &text)
}

fn fixed(attributes: &str) -> String {
    let joints: String = (0..3).map(|k| format!("<joint joint='j{k}' coef='{}'/>", FACTORS[k])).collect();
    format!("<tendon><fixed name='sum' {attributes}>{joints}</fixed></tendon>")
}

/// The coordinates after a second.
fn turned(imported: &Imported) -> Vec<f64> {
    let mechanism = imported.world.build().unwrap();
    let motion = Solver::mechanical(&mechanism).tolerance(1e-11).run(0.0, 1.0, &mechanism.start()).unwrap();
    let coordinate =
        |k: usize| mechanism.joint_state(k, motion.q(), motion.v(), motion.lambda()).coordinates[0];
    (0..3).map(coordinate).collect()
}

/// Σ factor²/inertia, by which a force along the tendon accelerates its length.
fn mobility() -> f64 {
    (0..3).map(|k| FACTORS[k].powi(2) / INERTIAS[k]).sum()
}

/// s'' = −mobility (k s + c s') from s(0) at rest, after a second; the wheels share what the length changes by factor/inertia.
fn expected([k, c]: [f64; 2], stretched: f64, start: [f64; 3]) -> Vec<f64> {
    let decay = 0.5 * mobility() * c;
    let frequency = (mobility() * k - decay * decay).sqrt();
    let s = stretched * (-decay).exp() * (frequency.cos() + decay / frequency * frequency.sin());
    (0..3).map(|i| start[i] + FACTORS[i] / INERTIAS[i] / mobility() * (s - stretched)).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    let off = found.iter().zip(expected).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
    assert!(off < 1e-9, "{found:?} instead of {expected:?}");
}

#[test]
fn a_spring_along_a_tendon_has_its_closed_form() {
    let imported = wheels("spring", [""; 3], &fixed("stiffness='7' springlength='0.3'"));
    assert!(imported.left_out.is_empty(), "{:?}", imported.left_out);
    assert_near(&turned(&imported), &expected([7.0, 0.4], -0.3, [0.0; 3]));
    let text = write_model(&imported);
    assert!(text.contains("further = { j2 = -0.25 }") && text.contains("relaxation = "), "{text}");
}

/// Joints count from their references; the spring rests at the length of the start, a servo at length 0.
#[test]
fn references_and_servos_are_those_of_the_file() {
    let still = wheels("still", ["ref='0.4'", "", "ref='1.2'"], &fixed("stiffness='7'"));
    assert_near(&turned(&still), &[0.4, 0.0, 1.2]);
    let servo = "<actuator><position name='hold' tendon='sum' kp='1.5' kv='0.2' gear='2'/></actuator>";
    let held = wheels("held", ["ref='0.4'", "", "ref='1.2'"], &(fixed("damping='0'") + servo));
    assert!(held.left_out.is_empty(), "{:?}", held.left_out);
    assert_near(&turned(&held), &expected([6.0, 0.8], 2.0 * 0.4 + 0.5 * 1.2, [0.4, 0.0, 1.2]));
}

/// j₀ − springref swings with the inertia that is left to it where the length of the tendon is held.
#[test]
fn an_equality_holds_the_length() {
    let equality = "<equality><tendon name='held' tendon1='sum'/></equality>";
    let imported =
        wheels("equality", ["stiffness='3' springref='0.2'", "", ""], &(fixed("damping='0'") + equality));
    let found = turned(&imported);
    let share = 1.0 - FACTORS[0].powi(2) / INERTIAS[0] / mobility();
    let frequency = (3.0 / INERTIAS[0] * share).sqrt();
    assert!((found[0] - 0.2 * (1.0 - frequency.cos())).abs() < 1e-9, "{found:?}");
    let length: f64 = found.iter().zip(FACTORS).map(|(x, factor)| factor * x).sum();
    assert!(length.abs() < 1e-14, "{length}");
}

#[test]
fn what_tendons_have_beyond_is_listed() {
    let several = "<tendon><fixed name='one' stiffness='2'><joint joint='j0' coef='1'/></fixed>\
        <fixed name='stops' damping='0' range='-1 1'><joint joint='j0' coef='1'/><joint joint='j1' coef='1'/></fixed>\
        <fixed name='lost'><joint joint='nowhere' coef='1'/></fixed><spatial name='cable'/>\
        <fixed name='slow'><joint joint='j0' coef='1'/><joint joint='j1' coef='1'/></fixed></tendon>\
        <actuator><velocity name='brake' tendon='slow' kv='2'/><motor name='pull' tendon='slow'/></actuator>";
    let imported = wheels("several", [""; 3], several);
    let expected = [
        "actuator 'brake' of kind 'velocity' on tendon 'slow'",
        "actuator 'pull': its control is 0",
        "tendon 'cable'",
        "tendon 'lost'",
        "tendon 'one': its spring",
        "tendon 'slow': its damping alone",
        "tendon 'stops': its range",
    ];
    assert_eq!(imported.left_out, expected);
    imported.world.build().unwrap();
}
