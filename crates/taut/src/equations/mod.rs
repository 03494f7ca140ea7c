//! Which form of the equations is solved, and where everything lies in a state vector.
//!
//! Solvers of mechanical systems take the form as a value, [`Formulation`]. Seen as a first-order system, a mechanical
//! one has its index as a type: `FirstOrderView<Index3>` and its siblings are a [`FirstOrderSystem`](crate::system::FirstOrderSystem)
//! that any method for E x' = f(t, x) can be applied to.

mod blocks;
mod constraint_rows;
mod difference;
mod form;
mod formulation;
mod ggl;
mod index1;
mod index2;
mod index3;
mod layout;
mod view;
mod view_layout;
mod view_structure;

pub use form::Form;
pub use formulation::{Formulation, Level};
pub use ggl::Ggl;
pub use index1::Index1;
pub use index2::Index2;
pub use index3::Index3;
pub use layout::Layout;
pub use view::FirstOrderView;
pub use view_layout::{Parts, ViewLayout};

#[cfg(test)]
mod tests;
