//! Variables that were too small for their absolute tolerance, and have grown beyond all bounds since.
//!
//! Below its absolute tolerance a variable may have any value, also one from which the motion blows up: Robertson's reaction does so from
//! y2 = -1e-4, where y2 is below 4e-5. No step is wrong then, and none goes on in the end.

use std::ops::Range;

use crate::control::error_norm::Scales;
use crate::equations::Layout;
use crate::error::RunError;
use crate::options::Options;

/// A variable has grown beyond bounds that is so many times as large as atol/rtol.
const BEYOND_BOUNDS: f64 = 1e4;
/// So has one that was small in so many steps, until this share of the run ago, and is so many absolute tolerances now. (E5 with
/// atol = 1e-9: 1e-13 for a hundred thousand seconds, and no further step at 1e-2, a few seconds later.)
const LONG: usize = 10;
const A_MOMENT: f64 = 0.01;
const SUDDENLY: f64 = 1e4;

/// When variables were below their absolute tolerances.
pub(crate) struct Growth {
    scales: Scales,
    /// in how many steps, and the last time, for each entry of the state
    small: Vec<(usize, f64)>,
    /// when a state was looked at first
    began: Option<f64>,
    /// a body at rest may be set in motion at once by what is no error
    at_once: bool,
}

impl Growth {
    pub(crate) fn new(options: &Options, layout: &Layout) -> Self {
        Growth {
            scales: Scales::of(options, layout),
            small: vec![(0, f64::NAN); layout.len()],
            began: None,
            at_once: layout.is_mechanical(),
        }
    }

    /// Looks at a state that has been reached.
    pub(crate) fn look(&mut self, t: f64, y: &[f64]) {
        let rtol = self.scales.rtol();
        self.began.get_or_insert(t);
        let (floors, small) = (self.scales.floors(), &mut self.small);
        let y = &y[..y.len().min(small.len()).min(floors.len())];
        let mut look = |entries: Range<usize>| {
            let found = small[entries.clone()].iter_mut().zip(&floors[entries.clone()]);
            for ((small, floor), y) in found.zip(&y[entries]) {
                if y.abs() <= rtol * floor {
                    *small = (small.0 + 1, t);
                }
            }
        };
        // Most variables come in eights none of which is small.
        let (eights, rest) = y.as_chunks::<8>();
        for (k, (y, floors)) in eights.iter().zip(floors.as_chunks::<8>().0).enumerate() {
            let mut any = false;
            for (y, floor) in y.iter().zip(floors) {
                any |= y.abs() <= rtol * floor;
            }
            if any {
                look(8 * k..8 * k + 8);
            }
        }
        look(y.len() - rest.len()..y.len());
    }

    /// Why no step goes on from a state, if that is a variable that has grown: of several the one that was small most often.
    pub(crate) fn explain(&self, reason: RunError, y: &[f64]) -> RunError {
        let RunError::StepTooSmall { t, .. } = reason else { return reason };
        let (floors, rtol) = (self.scales.floors(), self.scales.rtol());
        let moment = A_MOMENT * (t - self.began.unwrap_or(t)).abs();
        let grown = |&(entry, &(steps, since)): &(usize, &(usize, f64))| {
            let (size, floor) = (y[entry].abs(), floors[entry]);
            let sudden = !self.at_once
                && steps >= LONG
                && (t - since).abs() <= moment
                && size > SUDDENLY * rtol * floor;
            steps > 0 && (size > BEYOND_BOUNDS * floor || sudden)
        };
        match self.small.iter().enumerate().filter(grown).max_by_key(|(_, small)| small.0) {
            Some((entry, &(_, since))) => {
                let tolerance = rtol * floors[entry];
                RunError::Grown { t, entry, value: y[entry], since, tolerance }
            }
            None => reason,
        }
    }
}
