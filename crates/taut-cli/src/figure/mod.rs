//! Pictures of motions.

mod axis;
mod claim;
mod drawing;
mod font;
mod layout;
mod panels;
mod png;
mod svg;

pub use axis::Scale;
pub use claim::of_claim;
pub use panels::{Table, of_run, of_table};

use std::path::{Path, PathBuf};

use crate::files::Disk;
use crate::outcome::Failure;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// as a line
    Line,
    /// as dots
    Dots,
    /// as a line with its points
    Both,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// its name
    pub name: String,
    /// its points
    pub points: Vec<(f64, f64)>,
    /// how it is drawn
    pub marks: Marks,
}

/// Curves over the same axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// what it shows
    pub title: String,
    /// what is to the right
    pub x_label: String,
    /// what is upwards
    pub y_label: String,
    /// how numbers are spread to the right
    pub x_scale: Scale,
    /// how numbers are spread upwards
    pub y_scale: Scale,
    /// a number to the right that is shown in any case
    pub x_from: Option<f64>,
    /// the share of the width left free at both ends
    pub x_margin: f64,
    /// its curves
    pub curves: Vec<Curve>,
}

/// A page of panels.
#[derive(Clone, Debug)]
pub struct Figure {
    /// what it shows
    pub title: String,
    /// how it was made
    pub subtitle: String,
    /// from top to bottom
    pub panels: Vec<Panel>,
}

/// A file for a figure; its ending says how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// lines and letters
    Svg(PathBuf),
    /// pixels
    Png(PathBuf),
}

impl Picture {
    /// The picture in this file.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Picture::Svg(path.to_owned())),
            Some("png") => Ok(Picture::Png(path.to_owned())),
            _ => Err(Failure::file(path, "the ending chooses the kind of picture; there are .svg, .png")),
        }
    }
}

impl Figure {
    /// Writes the figure.
    pub fn write(&self, picture: &Picture) -> Result<(), Failure> {
        self.write_on(&Disk::default(), picture)
    }

    /// Writes the figure on a disk.
    pub fn write_on(&self, disk: &Disk, picture: &Picture) -> Result<(), Failure> {
        let drawing = layout::draw(self);
        let (path, bytes) = match picture {
            Picture::Svg(path) => (path, svg::to_svg(&drawing).into_bytes()),
            Picture::Png(path) => {
                let png = png::to_png(&drawing);
                (path, png.ok_or_else(|| Failure::file(path, "the picture cannot be painted"))?)
            }
        };
        let written = disk.replace(path, |file| std::io::Write::write_all(file, &bytes));
        written.map_err(|error| Failure::file(path, error))
    }
}
