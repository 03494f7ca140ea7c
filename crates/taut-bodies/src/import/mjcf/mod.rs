//! MJCF: bodies, joints, limits, inertias of geoms and meshes, defaults, equalities, tendons that add joints up, simple actuators.

mod actuators;
mod attributes;
mod bodies;
mod geom;
mod limits;
mod meshes;
mod others;
mod resistance;
mod tendons;
mod vocabulary;

use std::collections::HashMap;
use std::path::Path;

use roxmltree::Document;

use super::tree::into_world;
use super::{Ignore, ImportError, Imported};
use crate::world::World;
use attributes::{Compiler, Defaults};
use bodies::BodyReader;
use meshes::Meshes;

pub(super) fn import(
    document: &Document<'_>,
    folder: &Path,
    ignore: Ignore,
) -> Result<Imported, ImportError> {
    let root = document.root_element();
    let compiler = Compiler::read(root)?;
    let defaults = Defaults::read(root);
    let meshes = Meshes::read(root, &defaults, folder)?;
    let (ignore, off) = others::switched_off(root, ignore);
    let mut reader = BodyReader::new(&compiler, &defaults, &meshes, ignore);
    vocabulary::examine(root, &defaults, ignore, &mut reader.left_out)?;
    for node in root.children().filter(|node| node.has_tag_name("worldbody")) {
        reader.read_world(node)?;
    }
    let BodyReader { mut links, mut left_out, by_inertia, unknown, joints, .. } = reader;
    let given: Vec<f64> = links.iter().map(|link| link.mass.mass).collect();
    compiler.correct(&mut links);
    limits::by_inertia(&mut links);
    let mut world = World::new();
    world.gravity = others::gravity(root)?;
    let placement = into_world(links, &mut world);
    for (link, weightless) in unknown {
        // A least mass of the compiler is no weight of a mesh.
        let carrier = placement.carriers[link];
        let parts = placement.carriers.iter().zip(&given).filter(|(other, _)| **other == carrier);
        if carrier.is_some() && parts.map(|(_, mass)| mass).sum::<f64>() == 0.0 {
            return Err(weightless);
        }
    }
    let unknown = resistance::springs_by_inertia(&mut world, &by_inertia);
    left_out
        .extend(unknown.map(|joint| format!("joint '{joint}': its spring and damper by a time constant")));
    off.take_forces_out(&mut world);
    let mut others = others::Others {
        compiler: &compiler,
        defaults: &defaults,
        off: &off,
        placement: &placement,
        joints: &joints,
        tendons: HashMap::new(),
        world: &mut world,
        left_out: &mut left_out,
    };
    others.read_tendons(root)?;
    if !off.equalities {
        others.read_equalities(root)?;
    }
    if !ignore.actuators {
        others.read_actuators(root)?;
    }
    others.note_what_is_left(root, ignore);
    Ok(Imported { name: root.attribute("model").unwrap_or_default().to_string(), world, left_out })
}
