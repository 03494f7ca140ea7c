//! Systems with derivatives written by hand, for speed: no dual numbers, shared sines and cosines, sparse blocks.
//!
//! Each solves the same equations as its namesake in [`mechanics`](crate::mechanics).

mod beam;
mod car_axis;
mod chain;
mod pendulum;
mod squeezer;
mod waters;

pub use beam::Beam;
pub use car_axis::CarAxis;
pub use chain::Chain;
pub use pendulum::Pendulum;
pub use squeezer::Squeezer;
pub use waters::Waters;
