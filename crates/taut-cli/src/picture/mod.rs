//! Pictures of tables and claims, and the files they go to.

mod claim;
mod panels;

pub use claim::{of_claim, page_of_claims};
pub use panels::{Table, of_table};

use std::path::{Path, PathBuf};

use taut_report::Report;
use taut_report::figure::Figure;

use crate::files::Disk;
use crate::outcome::Failure;

/// The places of columns by their names.
pub fn chosen_columns(names: &[String], chosen: &[String]) -> Result<Vec<usize>, Failure> {
    let place = |name: &String| {
        let found = names.iter().position(|known| known == name);
        found.ok_or_else(|| {
            Failure::wrong(format!("there is no column '{name}'; there are {}", names.join(", ")))
        })
    };
    chosen.iter().map(place).collect()
}

/// Writes a page.
pub fn write_page(path: &Path, disk: &Disk, report: &Report) -> Result<(), Failure> {
    let text = report.to_html();
    let written = disk.replace(path, |file| std::io::Write::write_all(file, text.as_bytes()));
    written.map_err(|error| Failure::file(path, error))
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

    /// Draws a figure into the file.
    pub fn write(&self, figure: &Figure) -> Result<(), Failure> {
        self.write_on(&Disk::default(), figure)
    }

    /// Draws a figure into the file on a disk.
    pub fn write_on(&self, disk: &Disk, figure: &Figure) -> Result<(), Failure> {
        let (path, bytes) = match self {
            Picture::Svg(path) => (path, figure.to_svg().into_bytes()),
            Picture::Png(path) => {
                let png = figure.to_png();
                (path, png.ok_or_else(|| Failure::file(path, "the picture cannot be painted"))?)
            }
        };
        let written = disk.replace(path, |file| std::io::Write::write_all(file, &bytes));
        written.map_err(|error| Failure::file(path, error))
    }
}
