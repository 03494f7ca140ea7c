//! Geoms: what they weigh, and what is drawn of them.

use std::f64::consts::PI;

use super::super::ImportError;
use super::super::mass::Mass;
use super::super::tree::Frame;
use super::super::xml::wrong;
use super::attributes::{Compiler, Item, towards};
use super::meshes::Meshes;
use crate::description::Shape;
use crate::vector::{minus, norm, plus, times};

/// Density where none is given.
const WATER: f64 = 1000.0;

/// A geom in the frame of its body.
pub(super) struct Geom {
    pub(super) frame: Frame,
    pub(super) mass: Mass,
    pub(super) shape: Option<Shape>,
    /// it weighs something, but nobody knows what
    pub(super) is_unknown: bool,
}

impl Geom {
    pub(super) fn read(
        item: &Item<'_, '_>,
        compiler: &Compiler,
        meshes: &Meshes<'_>,
    ) -> Result<Geom, ImportError> {
        let kind = item.get("type").unwrap_or(if item.get("mesh").is_some() { "mesh" } else { "sphere" });
        let mut frame = compiler.frame(item)?;
        let mut size = item.numbers("size")?.unwrap_or_default();
        if let Some(ends) = item.numbers("fromto")? {
            let &[a, b, c, d, e, f] = ends.as_slice() else {
                return Err(wrong(item.node, "fromto has six numbers"));
            };
            let (from, to) = ([a, b, c], [d, e, f]);
            let along = minus(to, from);
            frame = Frame { x: times(0.5, plus(from, to)), p: towards(along) };
            let half = 0.5 * norm(along);
            let radius = size.first().copied().unwrap_or(0.0);
            size = match kind {
                "box" | "ellipsoid" => vec![radius, radius, half],
                _ => vec![radius, half],
            };
        }
        let (volume, per_mass, shape) = match kind {
            "mesh" => (0.0, [0.0; 3], item.get("mesh").and_then(|mesh| meshes.drawn(mesh)).map(Shape::Mesh)),
            _ => solid(kind, &size),
        };
        let density = item.number("density")?.unwrap_or(WATER);
        let given = item.number("mass")?;
        for (what, number) in [("mass", given.unwrap_or(0.0)), ("density", density)] {
            if number < 0.0 {
                return Err(wrong(item.node, format!("the {what} of a {kind} cannot be {number}")));
            }
        }
        let weighs = given.map_or(density != 0.0, |mass| mass != 0.0);
        check_size(item, kind, &size, weighs)?;
        if kind == "mesh" && weighs {
            let solid = item.get("mesh").and_then(|mesh| meshes.solid(mesh));
            let mass = solid.map(|solid| solid.times(given.map_or(density, |mass| mass / solid.mass)));
            let is_unknown = mass.is_none();
            return Ok(Geom {
                mass: mass.unwrap_or_default().moved(frame.x, frame.p),
                frame,
                shape,
                is_unknown,
            });
        }
        let mass = given.unwrap_or(density * volume);
        let mass = Mass::diagonal(mass, times(mass, per_mass)).moved(frame.x, frame.p);
        Ok(Geom { frame, mass, shape, is_unknown: false })
    }
}

/// Refuses solids of unknown kind, and of no size where they weigh something: their mass would be lost.
fn check_size(item: &Item<'_, '_>, kind: &str, size: &[f64], weighs: bool) -> Result<(), ImportError> {
    let needed = match kind {
        "sphere" => 1,
        "capsule" | "cylinder" => 2,
        "box" | "ellipsoid" => 3,
        "plane" | "hfield" | "mesh" | "sdf" => return Ok(()),
        other => return Err(wrong(item.node, format!("geoms of type '{other}' are not known here"))),
    };
    let is_positive = size.len() >= needed && size[..needed].iter().all(|&x| x > 0.0);
    match (weighs && !is_positive, item.get("mesh")) {
        (false, _) => Ok(()),
        (true, Some(mesh)) => {
            Err(wrong(item.node, format!("a {kind} that is fitted to mesh '{mesh}' is not known here")))
        }
        (true, None) => {
            let numbers = if needed == 1 { "number" } else { "numbers" };
            Err(wrong(item.node, format!("the size of a {kind} is {needed} {numbers} above 0")))
        }
    }
}

/// Volume, inertia by mass, and what is drawn.
fn solid(kind: &str, size: &[f64]) -> (f64, [f64; 3], Option<Shape>) {
    let at = |k: usize| size.get(k).copied().unwrap_or(0.0);
    match kind {
        "sphere" => {
            let r = at(0);
            (4.0 / 3.0 * PI * r.powi(3), [0.4 * r * r; 3], Some(Shape::Sphere(r)))
        }
        "capsule" => capsule(at(0), 2.0 * at(1)),
        "cylinder" => {
            let (r, length) = (at(0), 2.0 * at(1));
            let across = (3.0 * r * r + length * length) / 12.0;
            (PI * r * r * length, [across, across, 0.5 * r * r], Some(Shape::Cylinder(r, length)))
        }
        "box" => {
            let [x, y, z] = [at(0), at(1), at(2)];
            let third = [y * y + z * z, x * x + z * z, x * x + y * y].map(|sum| sum / 3.0);
            (8.0 * x * y * z, third, Some(Shape::Box([2.0 * x, 2.0 * y, 2.0 * z])))
        }
        "ellipsoid" => {
            let [x, y, z] = [at(0), at(1), at(2)];
            let fifth = [y * y + z * z, x * x + z * z, x * x + y * y].map(|sum| sum / 5.0);
            (4.0 / 3.0 * PI * x * y * z, fifth, None)
        }
        _ => (0.0, [0.0; 3], None),
    }
}

/// A cylinder with two half balls: volume and inertia by mass.
fn capsule(r: f64, length: f64) -> (f64, [f64; 3], Option<Shape>) {
    let (cylinder, balls) = (PI * r * r * length, 4.0 / 3.0 * PI * r.powi(3));
    let volume = cylinder + balls;
    // half balls are at 3/8 of their radius from the ends of the cylinder
    let shift = 0.5 * length + 0.375 * r;
    let own = (0.4 - 0.375 * 0.375) * r * r;
    let across = cylinder * (3.0 * r * r + length * length) / 12.0 + balls * (own + shift * shift);
    let along = 0.5 * cylinder * r * r + 0.4 * balls * r * r;
    (volume, [across / volume, across / volume, along / volume], Some(Shape::Capsule(r, length)))
}
