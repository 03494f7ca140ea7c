//! A description as the text of a model file.

use std::fmt::Write;

use super::Imported;
use crate::description::{Body, Freedom, Friction, Joint, JointKind, Limits, Relation, Shape};
use crate::rotation::IDENTITY;

/// The text of a model file that describes a robot.
pub fn write_model(imported: &Imported) -> String {
    let mut text = String::new();
    let world = &imported.world;
    line(&mut text, format_args!("# {}", imported.name.replace('\n', " ")));
    for left_out in &imported.left_out {
        line(&mut text, format_args!("# left out: {}", left_out.replace('\n', " ")));
    }
    line(&mut text, format_args!("name = {}", quoted(&imported.name)));
    line(&mut text, format_args!("gravity = {}", list(&world.gravity)));
    for body in &world.bodies {
        write_body(&mut text, body);
    }
    for joint in &world.joints {
        write_joint(&mut text, joint);
    }
    for relation in &world.relations {
        write_relation(&mut text, relation);
    }
    text
}

/// Writing to a string cannot fail.
fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| number(*x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Whole numbers without a point, others with all digits.
fn number(x: f64) -> String {
    if x == 0.0 {
        "0".into()
    } else if x.fract() == 0.0 && x.abs() < 1e15 {
        format!("{}", x as i64)
    } else {
        format!("{x:?}")
    }
}

fn write_body(text: &mut String, body: &Body) {
    line(text, format_args!("\n[bodies.{}]", body.name));
    line(text, format_args!("mass = {}", number(body.mass)));
    let principal = body.inertia[3..].iter().all(|&x| x == 0.0);
    line(
        text,
        format_args!("inertia = {}", list(if principal { &body.inertia[..3] } else { &body.inertia })),
    );
    line(text, format_args!("position = {}", list(&body.position)));
    if body.rotation != IDENTITY {
        line(text, format_args!("rotation = {{ quaternion = {} }}", list(&body.rotation)));
    }
    if !body.points.is_empty() {
        let points: Vec<String> =
            body.points.iter().map(|(name, place)| format!("{name} = {}", list(place))).collect();
        line(text, format_args!("points = {{ {} }}", points.join(", ")));
    }
    if let Some(shape) = body.shapes.first() {
        let shape = match shape {
            Shape::Box(edges) => format!("box = {}", list(edges)),
            Shape::Cylinder(radius, length) => format!("cylinder = {}", list(&[*radius, *length])),
            Shape::Capsule(radius, length) => format!("capsule = {}", list(&[*radius, *length])),
            Shape::Sphere(radius) => format!("sphere = {}", number(*radius)),
            Shape::Mesh(file) => format!("mesh = {}", quoted(file)),
        };
        line(text, format_args!("shape = {{ {shape} }}"));
    }
}

fn write_joint(text: &mut String, joint: &Joint) {
    let [first, second] = &joint.between;
    line(text, format_args!("\n[joints.{}]", joint.name));
    let kind = match &joint.kind {
        JointKind::Revolute => "revolute",
        JointKind::Prismatic => "prismatic",
        JointKind::Spherical => "spherical",
        JointKind::Serial(_) => "serial",
        _ => "fixed",
    };
    line(text, format_args!("kind = {}", quoted(kind)));
    line(text, format_args!("between = [{}, {}]", quoted(first), quoted(second)));
    if let Some(at) = joint.at {
        line(text, format_args!("at = {}", list(&at)));
    }
    if let Some(axis) = joint.axis {
        line(text, format_args!("axis = {}", list(&axis)));
    }
    if let JointKind::Serial(freedoms) = &joint.kind {
        line(text, format_args!("freedoms = ["));
        for freedom in freedoms {
            line(text, format_args!("    {},", freedom_text(freedom)));
        }
        line(text, format_args!("]"));
    }
    for (name, values) in [
        ("armature", &joint.armature),
        ("damping", &joint.damping),
        ("stiffness", &joint.stiffness),
        ("rest", &joint.rest),
    ] {
        if values.iter().any(|&x| x != 0.0) {
            let value = if values.len() == 1 { number(values[0]) } else { list(values) };
            line(text, format_args!("{name} = {value}"));
        }
    }
    if let Some(Friction { coulomb, viscous, at }) = joint.friction {
        let [coulomb, viscous, at] = [coulomb, viscous, at].map(number);
        line(text, format_args!("friction = {{ coulomb = {coulomb}, viscous = {viscous}, at = {at} }}"));
    }
    if joint.limits.iter().any(Option::is_some) {
        let limits: Vec<String> = joint.limits.iter().map(limits_text).collect();
        match limits.as_slice() {
            [one] => line(text, format_args!("limits = {one}")),
            several => line(text, format_args!("limits = [{}]", several.join(", "))),
        }
    }
    if let Some(motor) = joint.motors.first().and_then(Option::as_ref) {
        line(text, format_args!("motor = {}", number(motor.at(0.0)[0])));
    }
    if let Some(drive) = &joint.drive {
        line(text, format_args!("drive = {}", number(drive.at(0.0)[0])));
        let [compliance, relaxation] = joint.drive_compliance;
        if compliance > 0.0 {
            line(text, format_args!("gains = {}", list(&[1.0 / compliance, relaxation / compliance])));
        }
    }
}

fn limits_text(limits: &Option<Limits>) -> String {
    let Some(Limits { from, to, stiffness, damping }) = limits else { return "{}".to_owned() };
    let [from, to, stiffness, damping] = [from, to, stiffness, damping].map(|x| number(*x));
    format!("{{ from = {from}, to = {to}, stiffness = {stiffness}, damping = {damping} }}")
}

fn freedom_text(freedom: &Freedom) -> String {
    let word = if freedom.turns { "turns" } else { "slides" };
    let (name, axis, at) = (quoted(&freedom.name), list(&freedom.axis), list(&freedom.at));
    let zero = if freedom.zero == 0.0 { String::new() } else { format!(", zero = {}", number(freedom.zero)) };
    format!("{{ name = {name}, {word} = {axis}, at = {at}{zero} }}")
}

fn write_relation(text: &mut String, relation: &Relation) {
    let [first, second] = &relation.joints;
    line(text, format_args!("\n[joints.{}]", relation.name));
    line(text, format_args!("kind = \"gear\""));
    line(text, format_args!("joints = [{}, {}]", quoted(first), quoted(second)));
    match relation.polynomial.as_slice() {
        [offset, ratio] if *offset == 0.0 => line(text, format_args!("ratio = {}", number(*ratio))),
        polynomial => line(text, format_args!("polynomial = {}", list(polynomial))),
    }
    if !relation.further.is_empty() {
        let further = relation.further.iter().map(|(name, ratio)| format!("{name} = {}", number(*ratio)));
        line(text, format_args!("further = {{ {} }}", further.collect::<Vec<_>>().join(", ")));
    }
    for (name, value) in [("compliance", relation.compliance), ("relaxation", relation.relaxation)] {
        if value != 0.0 {
            line(text, format_args!("{name} = {}", number(value)));
        }
    }
}
