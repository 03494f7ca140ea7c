//! `<asset>`: meshes by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use super::super::ImportError;
use super::super::mass::Mass;
use super::super::mesh::{Inside, solid};
use super::attributes::Defaults;
use crate::vector::Vector;

/// The file of a mesh.
struct File {
    /// from the folder of the model
    path: PathBuf,
    scale: Vector,
    /// what weighs, where that is known: not for surfaces with a weight of their own and for what is moved inside its file
    inside: Option<Inside>,
}

/// The meshes of a model, by name.
pub(super) struct Meshes<'a> {
    folder: &'a Path,
    files: HashMap<String, File>,
}

impl<'a> Meshes<'a> {
    pub(super) fn read(
        root: Node<'_, '_>,
        defaults: &Defaults,
        folder: &'a Path,
    ) -> Result<Self, ImportError> {
        let compilers = || root.children().filter(|node| node.has_tag_name("compiler"));
        let named = |name: &str| compilers().filter_map(|node| node.attribute(name)).next_back();
        let place = Path::new(named("meshdir").or(named("assetdir")).unwrap_or(""));
        let mut files = HashMap::new();
        let assets = root.children().filter(|node| node.has_tag_name("asset"));
        for node in assets.flat_map(|node| node.children()).filter(|node| node.has_tag_name("mesh")) {
            let item = defaults.of(node, None);
            let Some(file) = item.get("file") else { continue };
            let stem = || Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let Some(name) = node.attribute("name").map(str::to_owned).or_else(stem) else { continue };
            let is_moved = item.get("refpos").is_some() || item.get("refquat").is_some();
            let inside = match item.get("inertia") {
                _ if is_moved => None,
                None | Some("legacy") => Some(Inside::Pyramids),
                Some("exact") => Some(Inside::Enclosed),
                Some(_) => None,
            };
            let scale = item.vector("scale")?.unwrap_or([1.0; 3]);
            files.insert(name, File { path: place.join(file), scale, inside });
        }
        Ok(Meshes { folder, files })
    }

    /// The solid inside a mesh, of density 1.
    pub(super) fn solid(&self, name: &str) -> Option<Mass> {
        let file = self.files.get(name)?;
        solid(&self.folder.join(&file.path), file.scale, file.inside?)
    }

    /// The file of a mesh that can be drawn as it is.
    pub(super) fn drawn(&self, name: &str) -> Option<String> {
        let file = self.files.get(name).filter(|file| file.inside.is_some() && file.scale == [1.0; 3])?;
        Some(file.path.to_string_lossy().into_owned())
    }
}
