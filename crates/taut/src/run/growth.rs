//! Variables that were too small for their absolute tolerance, and have grown beyond all bounds since.
//!
//! Below its absolute tolerance a variable may have any value, also one from which the motion blows up: Robertson's reaction does so from
//! y2 = -1e-4, where y2 is below 4e-5. No step is wrong then, and none goes on in the end.

use crate::control::error_norm::Scales;
use crate::equations::Layout;
use crate::error::RunError;
use crate::options::Options;

/// A variable has grown beyond bounds that is so many times as large as atol/rtol.
const BEYOND_BOUNDS: f64 = 1e4;

/// When variables were below their absolute tolerances.
pub(crate) struct Growth {
    scales: Scales,
    /// in how many steps, and the last time, for each entry of the state
    small: Vec<(usize, f64)>,
}

impl Growth {
    pub(crate) fn new(options: &Options, layout: &Layout) -> Self {
        Growth { scales: Scales::of(options, layout), small: vec![(0, f64::NAN); layout.len()] }
    }

    /// Looks at a state that has been reached.
    pub(crate) fn look(&mut self, t: f64, y: &[f64]) {
        let rtol = self.scales.rtol();
        for ((small, floor), y) in self.small.iter_mut().zip(self.scales.floors()).zip(y) {
            if y.abs() <= rtol * floor {
                *small = (small.0 + 1, t);
            }
        }
    }

    /// Why no step goes on from a state, if that is a variable that has grown: of several the one that was small most often.
    pub(crate) fn explain(&self, reason: RunError, y: &[f64]) -> RunError {
        let RunError::StepTooSmall { t, .. } = reason else { return reason };
        let floors = self.scales.floors();
        let grown = |&(entry, small): &(usize, &(usize, f64))| {
            small.0 > 0 && y[entry].abs() > BEYOND_BOUNDS * floors[entry]
        };
        match self.small.iter().enumerate().filter(grown).max_by_key(|(_, small)| small.0) {
            Some((entry, &(_, since))) => {
                let tolerance = self.scales.rtol() * self.scales.floors()[entry];
                RunError::Grown { t, entry, value: y[entry], since, tolerance }
            }
            None => reason,
        }
    }
}
