//! Accelerations and reaction forces of a robot at given states, one state per line of standard input.
//!
//! A line has `name=value` for coordinates of joints, `name'=value` for their rates, and `name.pose=x,y,z,w,i,j,k` and
//! `name.twist=vx,vy,vz,wx,wy,wz` (of the link's origin, both in the world) for free bodies, and `name.start=x,y,z` and
//! `name.rate=x,y,z` for ball joints. A line of the output has
//! `name=acceleration`, `name.position` and `name.rate` as they are where loops are closed, `body.acceleration=x,y,z,α...` of free
//! bodies, and `joint.force=x,y,z` and `joint.torque=x,y,z` of the joint on its second body, in the world, at the joint.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::io::{BufRead, stdin};
use std::path::Path;

use taut::linear::Choice;
use taut::start::consistent_start;
use taut::system::MechanicalSystem;
use taut_bodies::{Ignore, JointKind, World, import};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let ignore = Ignore { actuators: true, limits: true, friction: true, contacts: true };
    let imported = import(Path::new(&path), ignore)?;
    for line in &imported.left_out {
        eprintln!("left out: {line}");
    }
    for line in stdin().lock().lines() {
        println!("{}", at_state(&imported.world, &line?)?);
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<f64>, Box<dyn Error>> {
    text.split(',').map(|x| Ok(x.parse::<f64>()?)).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Puts the world in a state.
fn place(world: &mut World, line: &str) -> Result<(), Box<dyn Error>> {
    for joint in &mut world.joints {
        joint.variables = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
    }
    for word in line.split_whitespace() {
        let (name, value) = word.split_once('=').ok_or("name=value")?;
        if let Some(body) = name.strip_suffix(".pose").or(name.strip_suffix(".twist")) {
            let list = numbers(value)?;
            let k =
                world.bodies.iter().position(|known| known.name == body).ok_or(format!("no body {body}"))?;
            let mut to = world.bodies[k].clone();
            let origin = to.place_of("origin").unwrap_or_default();
            if name.ends_with(".pose") {
                to.rotation = [list[3], list[4], list[5], list[6]];
                let arm = turn(to.rotation, origin);
                to.position = [0, 1, 2].map(|k| list[k] - arm[k]);
            } else {
                to.spin = [list[3], list[4], list[5]];
                let arm = turn(to.rotation, origin);
                let carried = cross(to.spin, arm);
                to.velocity = [0, 1, 2].map(|k| list[k] - carried[k]);
            }
            world.carry(k, &to);
            continue;
        }
        if let Some((joint, field)) = name.split_once('.') {
            let ball = world.joints.iter_mut().find(|known| known.name == joint);
            let ball = ball.ok_or(format!("no joint {joint}"))?;
            *(if field == "rate" { &mut ball.rate } else { &mut ball.start }) = numbers(value)?;
            continue;
        }
        let value: f64 = value.parse()?;
        let (coordinate, is_rate) = (name.trim_end_matches('\''), name.ends_with('\''));
        for joint in &mut world.joints {
            let (names, zeros): (Vec<String>, Vec<f64>) = match &joint.kind {
                JointKind::Serial(freedoms) => freedoms.iter().map(|f| (f.name.clone(), f.zero)).unzip(),
                _ => (vec![joint.name.clone()], vec![0.0]),
            };
            if let Some(k) = names.iter().position(|known| known == coordinate) {
                let list = if is_rate { &mut joint.rate } else { &mut joint.start };
                if list.is_empty() {
                    *list = if is_rate { vec![0.0; names.len()] } else { zeros };
                }
                list[k] = value;
            }
        }
    }
    Ok(())
}

fn turn([w, x, y, z]: [f64; 4], s: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let inner = cross(u, s);
    let outer = cross(u, [0, 1, 2].map(|k| inner[k] + w * s[k]));
    [0, 1, 2].map(|k| s[k] + 2.0 * outer[k])
}

fn at_state(world: &World, line: &str) -> Result<String, Box<dyn Error>> {
    let mut world = world.clone();
    place(&mut world, line)?;
    let mechanism = world.build()?;
    let n = mechanism.structure().n();
    let state = mechanism.start();
    let start = consistent_start(&mechanism, 0.0, &state[..n], &state[n..], Choice::Auto)?;
    let mut out = Vec::new();
    let bodies = world.bodies.len() * 7;
    for (k, name) in mechanism.structure().coordinates.iter().enumerate().skip(bodies) {
        out.push(format!("{name}={:e}", start.a[k]));
        out.push(format!("{name}.position={:e} {name}.rate={:e}", start.q[k], start.v[k]));
    }
    let list = |vector: &[f64]| vector.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(",");
    for (k, body) in world.bodies.iter().enumerate() {
        let at = mechanism.coordinates_of(k);
        let state = mechanism.body_state(k, &start.q, &start.v);
        // α = 2 p'' ∘ p̄; the origin's acceleration follows from that of the centre
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| start.a[at + 3 + i]);
        let [w, x, y, z] = state.rotation;
        let angular = [
            2.0 * (b * w - a * x - c * z + d * y),
            2.0 * (c * w - a * y - d * x + b * z),
            2.0 * (d * w - a * z - b * y + c * x),
        ];
        let arm = turn(state.rotation, body.place_of("origin").unwrap_or_default());
        let (turning, centripetal) = (cross(angular, arm), cross(state.spin, cross(state.spin, arm)));
        let linear = [0, 1, 2].map(|i| start.a[at + i] + turning[i] + centripetal[i]);
        out.push(format!("{}.acceleration={}", body.name, list(&[linear, angular].concat())));
    }
    for (k, name) in mechanism.joint_names().enumerate() {
        let joint = mechanism.joint_state(k, &start.q, &start.v, &start.lambda);
        out.push(format!("{name}.at={}", list(&joint.at)));
        out.push(format!("{name}.force={}", list(&joint.force)));
        out.push(format!("{name}.torque={}", list(&joint.torque)));
        out.push(format!("{name}.child={}", world.joints[k].between[1]));
    }
    Ok(out.join(" "))
}
