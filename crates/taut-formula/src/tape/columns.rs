//! Where the registers of many places are.

use super::file::{Block, FEW, MANY};
use super::instruction::Register;

/// So many places go together ...
pub(super) const TOGETHER: usize = Block::<MANY>::PLACES;
/// ... and so many of those that are left over.
pub(super) const AT_LEAST: usize = Block::<FEW>::PLACES;

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

    /// The lowest and the highest register of so many places; nothing where they are listed.
    pub(super) fn span(&self, count: usize) -> Option<(usize, usize)> {
        match self {
            Column::Same(register) => Some((*register, *register)),
            Column::Even { first, stride } => Some((*first, first + stride * count.saturating_sub(1))),
            Column::Listed(_) => None,
        }
    }

    /// Takes what the registers of some places hold; where there are fewer in all, the last is repeated. `file` begins with
    /// this register.
    #[inline(always)]
    pub(super) fn load<const P: usize>(
        &self,
        (begin, file): (usize, &[f64]),
        at: usize,
        last: usize,
        block: &mut Block<P>,
    ) {
        match self {
            Column::Same(register) => *block = Block::of(file[register - begin]),
            Column::Even { first, stride } if at + Block::<P>::PLACES <= last + 1 => {
                let from = &file[first - begin + stride * at..];
                match stride {
                    1 => block.0.as_flattened_mut().copy_from_slice(&from[..Block::<P>::PLACES]),
                    2 => load_strided::<2, P>(from, block),
                    3 => load_strided::<3, P>(from, block),
                    4 => load_strided::<4, P>(from, block),
                    _ => values(block).zip(from.iter().step_by(*stride)).for_each(|(a, b)| *a = *b),
                }
            }
            Column::Listed(registers) if at + Block::<P>::PLACES <= last + 1 => {
                for (value, register) in values(block).zip(&registers[at..]) {
                    *value = file[*register as usize - begin];
                }
            }
            _ => {
                for (lane, value) in values(block).enumerate() {
                    *value = file[self.register((at + lane).min(last)) - begin];
                }
            }
        }
    }

    /// Puts the values of some places into their registers; `file` begins with this one.
    #[inline(always)]
    pub(super) fn store<const P: usize>(
        &self,
        block: &Block<P>,
        (begin, file): (usize, &mut [f64]),
        at: usize,
        last: usize,
    ) {
        match self {
            Column::Even { first, stride } if at + Block::<P>::PLACES <= last + 1 => {
                let to = &mut file[first - begin + stride * at..];
                match stride {
                    1 => to[..Block::<P>::PLACES].copy_from_slice(block.0.as_flattened()),
                    2 => store_strided::<2, P>(block, to),
                    3 => store_strided::<3, P>(block, to),
                    4 => store_strided::<4, P>(block, to),
                    _ => {
                        let values = block.0.as_flattened().iter().copied();
                        to.iter_mut().step_by(*stride).zip(values).for_each(|(a, b)| *a = b);
                    }
                }
            }
            Column::Listed(registers) if at + Block::<P>::PLACES <= last + 1 => {
                for (value, register) in block.0.as_flattened().iter().copied().zip(&registers[at..]) {
                    file[*register as usize - begin] = value;
                }
            }
            _ => {
                for (lane, value) in block.0.as_flattened().iter().copied().enumerate().take(last + 1 - at) {
                    file[self.register(at + lane) - begin] = value;
                }
            }
        }
    }
}

fn values<const P: usize>(block: &mut Block<P>) -> impl Iterator<Item = &mut f64> {
    block.0.as_flattened_mut().iter_mut()
}

/// Values that are S apart.
#[inline(always)]
fn load_strided<const S: usize, const P: usize>(from: &[f64], block: &mut Block<P>) {
    let (chunks, rest) = from.as_chunks::<S>();
    let next = chunks.iter().map(|chunk| chunk[0]).chain(rest.first().copied());
    if chunks.len() >= Block::<P>::PLACES {
        // As many as there are numbers: so the compiler takes several at a time.
        for (value, chunk) in values(block).zip(chunks) {
            *value = chunk[0];
        }
    } else {
        values(block).zip(next).for_each(|(value, next)| *value = next);
    }
}

#[inline(always)]
fn store_strided<const S: usize, const P: usize>(block: &Block<P>, to: &mut [f64]) {
    let to = &mut to[..S * (Block::<P>::PLACES - 1) + 1];
    for (k, value) in block.0.as_flattened().iter().enumerate() {
        to[S * k] = *value;
    }
}
