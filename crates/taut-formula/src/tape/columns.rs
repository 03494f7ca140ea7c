//! Where the registers of many places are.

use super::file::{Block, PARTS};
use super::instruction::Register;
use super::value::Lanes;

/// So many places go together.
pub(super) const TOGETHER: usize = 8 * PARTS;

/// The register of one node of a shape, at each of some places.
#[derive(Clone, Debug)]
pub(super) enum Column {
    /// the same at all of them
    Same(usize),
    /// one after the other, so far apart
    Even { first: usize, stride: usize },
    /// anywhere
    Listed(Vec<Register>),
}

impl Column {
    /// Of places whose registers differ by the same number from each to the next.
    pub(super) fn even(first: Register, stride: usize) -> Self {
        match (first as usize, stride) {
            (register, 0) => Column::Same(register),
            (first, stride) => Column::Even { first, stride },
        }
    }

    /// The register of a place.
    #[inline(always)]
    pub(super) fn register(&self, place: usize) -> usize {
        match self {
            Column::Same(register) => *register,
            Column::Even { first, stride } => first + stride * place,
            Column::Listed(registers) => registers.get(place).map_or(0, |&register| register as usize),
        }
    }

    /// Takes what the registers of some places hold; where there are fewer in all, the last is repeated.
    #[inline(always)]
    pub(super) fn load(&self, file: &[f64], at: usize, last: usize, block: &mut Block) {
        match self {
            Column::Same(register) => *block = [Lanes([file[*register]; 8]); PARTS],
            Column::Even { first, stride } if at + TOGETHER <= last + 1 => {
                let from = &file[first + stride * at..];
                match stride {
                    1 => load_strided::<1>(from, block),
                    2 => load_strided::<2>(from, block),
                    3 => load_strided::<3>(from, block),
                    4 => load_strided::<4>(from, block),
                    _ => values(block).zip(from.iter().step_by(*stride)).for_each(|(a, b)| *a = *b),
                }
            }
            Column::Listed(registers) if at + TOGETHER <= last + 1 => {
                for (value, register) in values(block).zip(&registers[at..]) {
                    *value = file[*register as usize];
                }
            }
            _ => {
                for (lane, value) in values(block).enumerate() {
                    *value = file[self.register((at + lane).min(last))];
                }
            }
        }
    }

    /// Puts the values of some places into their registers.
    #[inline(always)]
    pub(super) fn store(&self, block: &Block, file: &mut [f64], at: usize, last: usize) {
        match self {
            Column::Even { first, stride } if at + TOGETHER <= last + 1 => {
                let to = &mut file[first + stride * at..];
                match stride {
                    1 => store_strided::<1>(block, to),
                    2 => store_strided::<2>(block, to),
                    3 => store_strided::<3>(block, to),
                    4 => store_strided::<4>(block, to),
                    _ => {
                        let values = block.iter().flat_map(|lanes| lanes.0);
                        to.iter_mut().step_by(*stride).zip(values).for_each(|(a, b)| *a = b);
                    }
                }
            }
            Column::Listed(registers) if at + TOGETHER <= last + 1 => {
                for (value, register) in block.iter().flat_map(|lanes| lanes.0).zip(&registers[at..]) {
                    file[*register as usize] = value;
                }
            }
            _ => {
                for (lane, value) in block.iter().flat_map(|lanes| lanes.0).enumerate().take(last + 1 - at) {
                    file[self.register(at + lane)] = value;
                }
            }
        }
    }
}

fn values(block: &mut Block) -> impl Iterator<Item = &mut f64> {
    block.iter_mut().flat_map(|lanes| &mut lanes.0)
}

/// Values that are S apart.
#[inline(always)]
fn load_strided<const S: usize>(from: &[f64], block: &mut Block) {
    // One check of the length for all of them.
    let from = &from[..S * (TOGETHER - 1) + 1];
    for (part, lanes) in block.iter_mut().enumerate() {
        for (lane, value) in lanes.0.iter_mut().enumerate() {
            *value = from[S * (8 * part + lane)];
        }
    }
}

#[inline(always)]
fn store_strided<const S: usize>(block: &Block, to: &mut [f64]) {
    let to = &mut to[..S * (TOGETHER - 1) + 1];
    for (part, lanes) in block.iter().enumerate() {
        for (lane, value) in lanes.0.iter().enumerate() {
            to[S * (8 * part + lane)] = *value;
        }
    }
}
