//! Numbers that change with what they were made from.

/// FNV-1a with 64 bits: one byte or number that is another makes another hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u64);

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Default for Hash {
    fn default() -> Self {
        Hash(BASIS)
    }
}

impl Hash {
    /// The hash of a text.
    pub fn of(text: &[u8]) -> Self {
        Hash(text.iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME)))
    }

    /// Takes numbers in.
    pub fn take(&mut self, row: &[f64]) {
        for value in row {
            // The bits of a number are turned, so that the highest ones, too, go everywhere.
            self.0 = (self.0 ^ value.to_bits()).wrapping_mul(PRIME).rotate_left(23);
        }
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
