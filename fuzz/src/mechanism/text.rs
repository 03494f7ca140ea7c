//! A mechanism as a model file.

use std::fmt::Write;

use super::{End, Kind, Link, Mechanism};

/// The model file.
pub fn text(mechanism: &Mechanism) -> String {
    let mut text = String::from("name = \"Random mechanism\"\n\n[coordinates]\n");
    for (k, point) in mechanism.points.iter().enumerate() {
        for (name, (place, velocity)) in ["x", "y"].iter().zip(point.place.iter().zip(point.velocity)) {
            let _ = writeln!(text, "{name}{k} = {{ start = {place:?}, velocity = {velocity:?} }}");
        }
    }
    text.push_str("\n[define]\n");
    for (k, link) in mechanism.links.iter().enumerate() {
        let [(x, vx), (y, vy)] = [0, 1].map(|axis| relative(link, axis));
        let _ = writeln!(text, "dx{k} = \"{x}\"\ndy{k} = \"{y}\"\nvx{k} = \"{vx}\"\nvy{k} = \"{vy}\"");
    }
    let points = mechanism.points.iter().enumerate();
    let kinetic: Vec<String> =
        points.clone().map(|(k, point)| format!("{:?}*(x{k}'^2 + y{k}'^2)", 0.5 * point.mass)).collect();
    let mut potential: Vec<String> =
        points.map(|(k, point)| format!("{:?}*y{k}", point.mass * mechanism.gravity)).collect();
    for (k, link) in mechanism.links.iter().enumerate() {
        if let Kind::Spring { stiffness } = link.kind {
            potential.push(format!("{:?}*(hypot(dx{k}, dy{k}) - {:?})^2", 0.5 * stiffness, link.length));
        }
    }
    let (kinetic, potential) = (kinetic.join(" + "), potential.join(" + "));
    let _ = writeln!(text, "\n[energy]\nkinetic = \"{kinetic}\"\npotential = \"{potential}\"");
    put_constraints(mechanism, &mut text);
    put_dampers(mechanism, &mut text);
    let _ = writeln!(text, "\n[time]\nend = {:?}", mechanism.end);
    text
}

/// The vector of a link along one axis, and its rate.
fn relative(link: &Link, axis: usize) -> (String, String) {
    let name = ["x", "y"][axis];
    let to = link.to;
    match &link.from {
        End::Point(k) => (format!("{name}{to} - {name}{k}"), format!("{name}{to}' - {name}{k}'")),
        End::Ground(place) => (format!("{name}{to} - ({:?})", place[axis]), format!("{name}{to}'")),
        End::Driven { place, amplitude, frequency } => (
            format!("{name}{to} - ({:?}) - ({:?})*sin({frequency:?}*t)", place[axis], amplitude[axis]),
            format!("{name}{to}' - ({:?})*cos({frequency:?}*t)", amplitude[axis] * frequency),
        ),
    }
}

fn put_constraints(mechanism: &Mechanism, text: &mut String) {
    text.push_str("\n[constraints]\n");
    for (k, link) in mechanism.links.iter().enumerate() {
        let length = link.length;
        let _ = match link.kind {
            Kind::Rod => writeln!(text, "c{k} = \"hypot(dx{k}, dy{k}) - {length:?}\""),
            Kind::SquaredRod => writeln!(text, "c{k} = \"(dx{k}^2 + dy{k}^2 - {:?})/2\"", length * length),
            Kind::Stiff { compliance, relaxation } => {
                let damper =
                    if relaxation > 0.0 { format!(", relaxation = {relaxation:?}") } else { String::new() };
                let equation = format!("hypot(dx{k}, dy{k}) - {length:?}");
                writeln!(text, "c{k} = {{ equation = \"{equation}\", compliance = {compliance:?}{damper} }}")
            }
            Kind::Spring { .. } | Kind::Damper { .. } => Ok(()),
        };
    }
}

fn put_dampers(mechanism: &Mechanism, text: &mut String) {
    text.push_str("\n[forces]\n");
    for point in 0..mechanism.points.len() {
        for (axis, name) in ["x", "y"].iter().enumerate() {
            let mut terms = Vec::new();
            for (k, link) in mechanism.links.iter().enumerate() {
                let Kind::Damper { strength } = link.kind else { continue };
                let rate = ["vx", "vy"][axis];
                if link.to == point {
                    terms.push(format!("-{strength:?}*{rate}{k}"));
                }
                if link.from == End::Point(point) {
                    terms.push(format!("+{strength:?}*{rate}{k}"));
                }
            }
            if !terms.is_empty() {
                let _ = writeln!(text, "{name}{point} = {{ dissipative = \"{}\" }}", terms.concat());
            }
        }
    }
}
