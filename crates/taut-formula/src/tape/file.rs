//! Files of registers.

use super::value::{Lanes, Value};

/// A file of registers, and what numbers them.
///
/// In the first two sizes every number has its register, so that the compiler leaves out the checks of bounds, which are
/// half of the work of an instruction otherwise.
pub(super) trait File {
    /// The number of a register.
    type Number: Copy;
    /// What a register holds.
    type Value: Value;

    fn get(&self, number: Self::Number) -> Self::Value;

    fn set(&mut self, number: Self::Number, value: Self::Value);

    /// In how many parts an instruction is done: in one, but for blocks.
    const PARTS: usize = 1;

    /// What follows is done with this part of what registers hold.
    #[inline(always)]
    fn turn_to(&mut self, _part: usize) {}
}

/// So many parts a block has: many, since an instruction is looked at once for all of them ...
pub(super) const MANY: usize = 8;
/// ... and few for places that are left over.
pub(super) const FEW: usize = 2;

/// Numbers of 8 P places: eight of them are computed with at a time.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Block<const P: usize>(pub(super) [[f64; 8]; P]);

impl<const P: usize> Block<P> {
    /// So many places it has.
    pub(super) const PLACES: usize = 8 * P;

    /// The same number at all places.
    #[inline(always)]
    pub(super) fn of(number: f64) -> Self {
        Block([[number; 8]; P])
    }

    /// One sum for each lane. It is finite where all numbers are.
    #[inline(always)]
    pub(super) fn sums(&self) -> Lanes<8> {
        let mut sums = [Lanes([0.0; 8]); 2];
        for pair in self.0.as_chunks::<2>().0 {
            sums = [sums[0] + Lanes(pair[0]), sums[1] + Lanes(pair[1])];
        }
        sums[0] + sums[1]
    }
}

/// A file of blocks, at one of their parts: an instruction is looked at once for all of them.
pub(super) struct Blocks<'a, const P: usize> {
    pub(super) file: &'a mut [Block<P>; SMALL],
    pub(super) part: usize,
}

impl<const P: usize> File for Blocks<'_, P> {
    type Number = u8;
    type Value = Lanes<8>;

    #[inline(always)]
    fn get(&self, number: u8) -> Lanes<8> {
        Lanes(self.file[usize::from(number)].0[self.part])
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: Lanes<8>) {
        self.file[usize::from(number)].0[self.part] = value.0;
    }

    const PARTS: usize = P;

    #[inline(always)]
    fn turn_to(&mut self, part: usize) {
        self.part = part;
    }
}

/// What a byte can number.
pub(super) const SMALL: usize = 1 << 8;
/// What two bytes can number.
pub(super) const MIDDLE: usize = 1 << 16;

impl<V: Value> File for [V; SMALL] {
    type Number = u8;
    type Value = V;

    #[inline(always)]
    fn get(&self, number: u8) -> V {
        self[usize::from(number)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: V) {
        self[usize::from(number)] = value;
    }
}

impl<V: Value> File for [V; MIDDLE] {
    type Number = u16;
    type Value = V;

    #[inline(always)]
    fn get(&self, number: u16) -> V {
        self[usize::from(number)]
    }

    #[inline(always)]
    fn set(&mut self, number: u16, value: V) {
        self[usize::from(number)] = value;
    }
}

impl<V: Value> File for [V] {
    type Number = u32;
    type Value = V;

    #[inline(always)]
    fn get(&self, number: u32) -> V {
        self[number as usize]
    }

    #[inline(always)]
    fn set(&mut self, number: u32, value: V) {
        self[number as usize] = value;
    }
}
