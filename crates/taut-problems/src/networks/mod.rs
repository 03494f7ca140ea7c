//! Differential-algebraic equations of circuits and networks, of index 1 and 2.

mod charge_pump;
mod chemical_akzo_nobel;
mod nand_gate;
mod ring_modulator;
mod transistor_amplifier;
mod water_tube;

pub use charge_pump::ChargePump;
pub use chemical_akzo_nobel::ChemicalAkzoNobel;
pub use nand_gate::NandGate;
pub use ring_modulator::RingModulator;
pub use transistor_amplifier::TransistorAmplifier;
pub use water_tube::WaterTube;

use crate::catalogue::Entry;

pub(crate) const ENTRIES: [Entry; 6] = [
    transistor_amplifier::ENTRY,
    chemical_akzo_nobel::ENTRY,
    nand_gate::ENTRY,
    charge_pump::ENTRY,
    water_tube::ENTRY,
    ring_modulator::ENTRY,
];
