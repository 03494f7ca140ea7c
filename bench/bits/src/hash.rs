//! One number for everything that a run gives.

use taut::Error;
use taut::motion::Motion;

/// The hash of Fowler, Noll and Vo with 64 bits (FNV-1a).
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const BASIS: Hash = Hash(0xcbf2_9ce4_8422_2325);
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    fn bytes(self, bytes: impl IntoIterator<Item = u8>) -> Hash {
        Hash(bytes.into_iter().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(Self::PRIME)))
    }

    fn numbers<'n>(self, numbers: impl IntoIterator<Item = &'n f64>) -> Hash {
        // A zero is a zero, whatever its sign.
        self.bytes(numbers.into_iter().flat_map(|number| (number + 0.0).to_bits().to_le_bytes()))
    }
}

/// State with multipliers, output, crossings, invariants and statistics of a run; nothing of one that is refused.
pub fn of_run(outcome: &Result<Motion, Error>) -> Option<u64> {
    let motion = match outcome {
        Ok(motion) => motion,
        Err(Error::Stopped { motion, .. }) => motion,
        Err(_) => return None,
    };
    let (invariants, statistics) = (&motion.invariants, &motion.statistics);
    let (first, last) = invariants.energy;
    let mut hash = Hash::BASIS
        .numbers([&motion.t])
        .numbers(&motion.y)
        .numbers(&invariants.residuals)
        .numbers([&first, &last, &invariants.energy_error]);
    for (t, y) in motion.trajectory.iter() {
        hash = hash.numbers([&t]).numbers(y);
    }
    for crossing in &motion.crossings {
        hash = hash.numbers([&crossing.t]).numbers(&crossing.y);
    }
    let counts = [
        statistics.steps,
        statistics.accepted,
        statistics.rejected_by_error,
        statistics.rejected_by_newton,
        statistics.rejected_by_fault,
        statistics.rhs,
        statistics.jacobians,
        statistics.factorizations,
        statistics.solves,
        statistics.newton_iterations,
        statistics.projections,
    ];
    Some(hash.bytes(counts.into_iter().flat_map(|count| (count as u64).to_le_bytes())).0)
}
