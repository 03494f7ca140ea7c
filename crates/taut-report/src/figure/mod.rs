//! Pictures on paper: SVG and PNG.

mod axis;
mod drawing;
mod font;
mod layout;
mod phases;
mod png;
mod svg;

pub use axis::Scale;
pub use phases::Phase;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// as a line
    Line,
    /// as dots
    Dots,
    /// as a line with its points
    Both,
    /// as bars from zero, as wide as points are apart; dots on paper
    Bars,
    /// as tiles, as large as the points of all curves of a panel are apart, darker from curve to curve; dots on paper
    Tiles,
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
    /// whether one unit to the right is as long as one unit upwards
    pub equal: bool,
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
    /// pictures of what moves, above everything else
    pub phases: Vec<Phase>,
    /// from top to bottom
    pub panels: Vec<Panel>,
}

impl Figure {
    /// The text of an SVG file.
    pub fn to_svg(&self) -> String {
        svg::to_svg(&layout::draw(self))
    }

    /// The bytes of a PNG file; nothing when the picture has no size.
    pub fn to_png(&self) -> Option<Vec<u8>> {
        png::to_png(&layout::draw(self))
    }
}
