//! Which form of the equations is solved, and where everything lies in a state vector.

mod formulation;
mod layout;

pub use formulation::{Formulation, Level};
pub use layout::Layout;
