//! Robots from files: URDF and MJCF become a [`World`].

mod mass;
mod mesh;
mod mjcf;
mod tree;
mod urdf;
mod write;
mod xml;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::world::World;
pub use write::write_model;

/// What may be left out on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ignore {
    /// motors and servos
    pub actuators: bool,
    /// limits of joints
    pub limits: bool,
    /// dry friction in joints
    pub friction: bool,
    /// contacts
    pub contacts: bool,
}

/// A robot, and what its file has that was left out.
#[derive(Clone, Debug)]
pub struct Imported {
    /// its name
    pub name: String,
    /// bodies and joints
    pub world: World,
    /// what the file has and the world has not, one line each
    pub left_out: Vec<String>,
}

/// A file that cannot be imported.
#[derive(Debug)]
pub enum ImportError {
    /// it cannot be read
    File {
        /// which one
        path: PathBuf,
        /// why
        reason: std::io::Error,
    },
    /// it is not XML
    Xml {
        /// which one
        path: PathBuf,
        /// line and column, and why
        reason: String,
    },
    /// its ending or its first element is not known
    Kind {
        /// which one
        path: PathBuf,
    },
    /// an element is not what it should be
    Element {
        /// its line
        line: u32,
        /// why
        reason: String,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::File { path, reason } => write!(f, "{}: {reason}", path.display()),
            ImportError::Xml { path, reason } => write!(f, "{}: {reason}", path.display()),
            ImportError::Kind { path } => {
                write!(f, "{}: neither <robot> (URDF) nor <mujoco> (MJCF)", path.display())
            }
            ImportError::Element { line, reason } => write!(f, "line {line}: {reason}"),
        }
    }
}

impl std::error::Error for ImportError {}

/// Reads a URDF or MJCF file.
///
/// # Errors
/// The file cannot be read, or is neither.
pub fn import(path: &Path, ignore: Ignore) -> Result<Imported, ImportError> {
    let text = xml::read_with_includes(path)?;
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&text, options)
        .map_err(|error| ImportError::Xml { path: path.into(), reason: error.to_string() })?;
    let mut imported = match document.root_element().tag_name().name() {
        "robot" => urdf::import(&document, ignore)?,
        "mujoco" => mjcf::import(&document, path.parent().unwrap_or(Path::new("")), ignore)?,
        _ => return Err(ImportError::Kind { path: path.into() }),
    };
    if imported.world.bodies.is_empty() {
        let reason = "nothing moves here: no link or body hangs on a joint or is free";
        return Err(xml::wrong(document.root_element(), reason));
    }
    if imported.name.is_empty() {
        imported.name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    }
    imported.left_out.sort();
    imported.left_out.dedup();
    Ok(imported)
}
