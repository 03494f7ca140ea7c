//! Where the registers of many places are.

use super::instruction::Register;
use super::value::Lanes;

/// So many places go together.
pub(super) const TOGETHER: usize = 8;

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

    /// What the registers of eight places hold; where there are fewer than eight in all, the last is repeated.
    #[inline(always)]
    pub(super) fn load(&self, file: &[f64], at: usize, last: usize) -> Lanes<TOGETHER> {
        let close = match self {
            Column::Even { first, stride: 1 } => strided::<1>(file, first + at),
            Column::Even { first, stride: 2 } => strided::<2>(file, first + 2 * at),
            Column::Even { first, stride: 3 } => strided::<3>(file, first + 3 * at),
            Column::Even { first, stride: 4 } => strided::<4>(file, first + 4 * at),
            Column::Listed(registers) => {
                registers.get(at..).and_then(|registers| registers.first_chunk::<TOGETHER>()).map(
                    |registers| {
                        Lanes(registers.map(|register| file.get(register as usize).copied().unwrap_or(0.0)))
                    },
                )
            }
            _ => None,
        };
        close.unwrap_or_else(|| {
            Lanes(std::array::from_fn(|lane| file[self.register((at + lane).min(last))]))
        })
    }

    /// Puts the values of eight places into their registers.
    #[inline(always)]
    pub(super) fn store(&self, values: &Lanes<TOGETHER>, file: &mut [f64], at: usize, last: usize) {
        let is_stored = match self {
            Column::Even { first, stride: 1 } => put_strided::<1>(values, file, first + at),
            Column::Even { first, stride: 2 } => put_strided::<2>(values, file, first + 2 * at),
            Column::Even { first, stride: 3 } => put_strided::<3>(values, file, first + 3 * at),
            Column::Even { first, stride: 4 } => put_strided::<4>(values, file, first + 4 * at),
            _ => false,
        };
        if !is_stored {
            for (lane, value) in values.0.iter().enumerate() {
                file[self.register((at + lane).min(last))] = *value;
            }
        }
    }
}

/// Eight registers that are S apart; nothing at the end of the file.
#[inline(always)]
fn strided<const S: usize>(file: &[f64], from: usize) -> Option<Lanes<TOGETHER>> {
    let (groups, _) = file.get(from..)?.as_chunks::<S>();
    let groups = groups.first_chunk::<TOGETHER>()?;
    Some(Lanes(std::array::from_fn(|lane| groups[lane][0])))
}

/// The same the other way; false at the end of the file.
#[inline(always)]
fn put_strided<const S: usize>(values: &Lanes<TOGETHER>, file: &mut [f64], from: usize) -> bool {
    let Some(part) = file.get_mut(from..) else { return false };
    let (groups, _) = part.as_chunks_mut::<S>();
    let Some(groups) = groups.first_chunk_mut::<TOGETHER>() else { return false };
    for (group, value) in groups.iter_mut().zip(values.0) {
        group[0] = value;
    }
    true
}
