//! Which curves of which tracks are shown together.

mod standard;

pub use standard::{Sources, chosen, column, standard};

/// How numbers are spread along an axis.
pub use crate::figure::Scale;

/// How a curve is drawn.
pub use crate::figure::Marks;

/// A curve: a column over time, or over another column.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// its name in the legend
    pub name: String,
    /// 0 for the motion, k for the k-th of the other tables
    pub table: usize,
    /// the column upwards
    pub y: usize,
    /// the column to the right; the time when there is none
    pub x: Option<usize>,
    /// how it is drawn
    pub marks: Marks,
}

/// What is shown in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// its name, unique in the page: `data-name`
    pub name: String,
    /// its title
    pub title: String,
    /// what is to the right
    pub x_label: String,
    /// what is upwards, with its unit
    pub y_label: String,
    /// how numbers are spread to the right, where that is not the time
    pub x_scale: Scale,
    /// how numbers are spread upwards
    pub y_scale: Scale,
    /// whether one unit to the right is as long as one unit upwards
    pub equal: bool,
    /// its curves
    pub lines: Vec<Line>,
}

/// Plots that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// what they show
    pub title: String,
    /// words before them
    pub text: Vec<(String, String)>,
    /// one after the other
    pub plots: Vec<Plot>,
}
