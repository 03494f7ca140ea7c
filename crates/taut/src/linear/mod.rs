//! Linear algebra of the steps.
mod pattern;
pub use pattern::Pattern;
