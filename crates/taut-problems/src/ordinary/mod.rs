//! Ordinary differential equations of first order, most of them stiff.

mod diurnal;
mod kinetics;
mod medical_akzo_nobel;
mod plate;
mod reactions;
mod rigid_body;
mod van_der_pol;

pub use diurnal::Diurnal;
pub use kinetics::{Hires, Robertson};
pub use medical_akzo_nobel::MedicalAkzoNobel;
pub use plate::Plate;
pub use reactions::{Brusselator, E5, Oregonator};
pub use rigid_body::RigidBody;
pub use van_der_pol::VanDerPol;

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 10] = [
    rigid_body::ENTRY,
    kinetics::HIRES,
    van_der_pol::ENTRY,
    kinetics::ROBERTSON,
    medical_akzo_nobel::ENTRY,
    reactions::OREGONATOR,
    reactions::BRUSSELATOR,
    reactions::E5_ENTRY,
    plate::ENTRY,
    diurnal::ENTRY,
];
