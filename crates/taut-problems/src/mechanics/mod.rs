//! Mechanical systems, as formulas for any number type.

pub(crate) mod beam;
mod bricard;
mod car_axis;
pub(crate) mod chain;
mod double_pendulum;
mod fekete;
mod fermi_pasta_ulam;
mod four_bars;
mod governor;
mod gravitation;
mod parallelogram;
mod pendulum;
mod rod_spring_rod;
mod slider_crank;
pub(crate) mod squeezer;
mod stiction;
mod stiff_spring_pendulum;
mod two_pendulums;
pub(crate) mod waters;
mod wheelset;

pub use beam::Beam;
pub use bricard::Bricard;
pub use car_axis::CarAxis;
pub use chain::{Chain, planar_chain, space_chain};
pub use double_pendulum::DoublePendulum;
pub use fekete::Fekete;
pub use fermi_pasta_ulam::FermiPastaUlam;
pub use four_bars::{FourBars, four_bars};
pub use governor::Governor;
pub use gravitation::{Gravitation, Kepler, Order};
pub use parallelogram::Parallelogram;
pub use pendulum::Pendulum;
pub use rod_spring_rod::RodSpringRod;
pub use slider_crank::SliderCrank;
pub use squeezer::{Drive, Squeezer};
pub use stiction::Stiction;
pub use stiff_spring_pendulum::StiffSpringPendulum;
pub use two_pendulums::TwoPendulums;
pub use waters::{Waters, waters};
pub use wheelset::Wheelset;

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 25] = [
    pendulum::ENTRY,
    double_pendulum::ENTRY,
    chain::CHAIN_2,
    chain::CHAIN_20,
    chain::SPACE_CHAIN_20,
    squeezer::ENTRY,
    car_axis::ENTRY,
    slider_crank::ENTRY,
    stiff_spring_pendulum::ENTRY,
    two_pendulums::ENTRY,
    fekete::ENTRY,
    wheelset::ENTRY,
    beam::ENTRY,
    fermi_pasta_ulam::ENTRY,
    gravitation::KEPLER,
    gravitation::PLEIADES,
    gravitation::OUTER_SOLAR_SYSTEM,
    governor::ENTRY,
    parallelogram::ENTRY,
    four_bars::ENTRY,
    rod_spring_rod::ENTRY,
    bricard::ENTRY,
    stiction::ENTRY,
    stiction::FIRST_ORDER,
    waters::ENTRY,
];
