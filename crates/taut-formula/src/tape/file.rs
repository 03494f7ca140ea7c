//! Files of registers.

/// A file of registers, and what numbers them.
///
/// In the first two sizes every number has its register, so that the compiler leaves out the checks of bounds, which are
/// half of the work of an instruction otherwise.
pub(super) trait File {
    /// The number of a register.
    type Number: Copy;

    fn get(&self, number: Self::Number) -> f64;

    fn set(&mut self, number: Self::Number, value: f64);
}

/// What a byte can number.
pub(super) const SMALL: usize = 1 << 8;
/// What two bytes can number.
pub(super) const MIDDLE: usize = 1 << 16;

impl File for [f64; SMALL] {
    type Number = u8;

    #[inline(always)]
    fn get(&self, number: u8) -> f64 {
        self[usize::from(number)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: f64) {
        self[usize::from(number)] = value;
    }
}

impl File for [f64; MIDDLE] {
    type Number = u16;

    #[inline(always)]
    fn get(&self, number: u16) -> f64 {
        self[usize::from(number)]
    }

    #[inline(always)]
    fn set(&mut self, number: u16, value: f64) {
        self[usize::from(number)] = value;
    }
}

impl File for [f64] {
    type Number = u32;

    #[inline(always)]
    fn get(&self, number: u32) -> f64 {
        self[number as usize]
    }

    #[inline(always)]
    fn set(&mut self, number: u32, value: f64) {
        self[number as usize] = value;
    }
}
