//! Small problems on which theorems are tried, most of them with exact solutions.

mod attractive_manifold;
mod brenan;
mod index2;
mod schropp_pendulum;
mod stiff_direction;

pub use attractive_manifold::{AttractiveManifold, CurvedIndex2, Form, PlaneIndex2};
pub use brenan::Brenan;
pub use index2::{LinearIndex2, NonlinearIndex2};
pub use schropp_pendulum::SchroppPendulum;
pub use stiff_direction::{SlantedCircle, StarCurve, StarSurface, StiffDirection};

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 10] = [
    schropp_pendulum::ENTRY,
    index2::NONLINEAR,
    index2::LINEAR,
    attractive_manifold::ATTRACTIVE,
    attractive_manifold::CURVED,
    attractive_manifold::PLANE,
    stiff_direction::CURVE,
    stiff_direction::SURFACE,
    stiff_direction::SLANTED,
    brenan::ENTRY,
];
