//! Figures and the HTML page of a motion.
//!
//! Plain data goes in: tracks of numbers over time, a scene of what moves, plots by the columns they show, words. A
//! [`page::Report`] becomes one HTML file that opens anywhere and asks nobody for anything; a [`figure::Figure`] becomes SVG or
//! PNG. The crate knows no solver.

pub mod figure;
mod number;
pub mod page;
pub mod plot;
pub mod scene;
pub mod track;

pub use number::significant;
pub use page::Report;
