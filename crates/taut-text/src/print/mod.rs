//! Model files as text: in canonical form, and formatted.

mod canonical;
mod format;
mod formulas;
mod spacing;

pub use canonical::canonical;
pub use format::format;
