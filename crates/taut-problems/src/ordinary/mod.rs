//! Ordinary differential equations of first order, most of them stiff.

mod kinetics;
mod medical_akzo_nobel;
mod rigid_body;
mod van_der_pol;

pub use kinetics::{Hires, Robertson};
pub use medical_akzo_nobel::MedicalAkzoNobel;
pub use rigid_body::RigidBody;
pub use van_der_pol::VanDerPol;

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 5] =
    [rigid_body::ENTRY, kinetics::HIRES, van_der_pol::ENTRY, kinetics::ROBERTSON, medical_akzo_nobel::ENTRY];
