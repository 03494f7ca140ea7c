//! Dense output that can be kept: what is between the steps of a run.

use std::f64::consts::PI;

/// So many places of each step are kept, both ends among them: Taut's methods have polynomials of at most this degree less one
/// between their steps.
const PLACES: usize = 14;

/// What is between the steps of a run: one polynomial for each step, through states on their constraints.
///
/// A run [keeps it](crate::Solver::keep_inside) when it is asked to, at the cost of some projections for each step, which are
/// not counted as work of the run.
///
/// ```
/// use taut::Solver;
/// use taut::system::{Differentiated, Scalar, Sketch};
///
/// let oscillator = Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].square() * 0.5));
/// let motion = Solver::mechanical(&oscillator).tolerance(1e-9).keep_inside(true).run(0.0, 10.0, &[0.0, 1.0])?;
/// let state = motion.at(3.3).unwrap_or_default();
/// assert!((state[0] - 3.3_f64.sin()).abs() < 1e-7);
/// assert_eq!(motion.at(10.5), None);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inside {
    pieces: Vec<Piece>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    start: f64,
    end: f64,
    /// the states at all places, one after the other
    states: Vec<f64>,
}

impl Inside {
    /// The places inside a step, as shares of it: extrema of a Chebyshev polynomial, at which interpolation is stable.
    pub(crate) fn places() -> [f64; PLACES] {
        std::array::from_fn(|k| match k {
            0 => 0.0,
            _ if k == PLACES - 1 => 1.0,
            _ => 0.5 - 0.5 * (PI * k as f64 / (PLACES - 1) as f64).cos(),
        })
    }

    /// Adds a step with its states at all places.
    pub(crate) fn push(&mut self, start: f64, end: f64, states: Vec<f64>) {
        self.pieces.push(Piece { start, end, states });
    }

    /// The times between which states are known; nothing when nothing was kept.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.pieces.first()?.start, self.pieces.last()?.end))
    }

    /// The state at t, within what is known.
    pub fn at(&self, t: f64) -> Option<Vec<f64>> {
        let (first, last) = self.span()?;
        let (forward, inside) = (last >= first, (t - first) * (last - t) >= 0.0);
        let before = |piece: &Piece| if forward { piece.end < t } else { piece.end > t };
        let piece = self.pieces.get(self.pieces.partition_point(before)).filter(|_| inside)?;
        Some(piece.at((t - piece.start) / (piece.end - piece.start)))
    }
}

impl Piece {
    /// The second barycentric formula, whose weights at these places are ±1, and half of that at both ends.
    fn at(&self, theta: f64) -> Vec<f64> {
        let size = self.states.len() / PLACES;
        let (mut sum, mut weights) = (vec![0.0; size], 0.0);
        for (k, place) in Inside::places().into_iter().enumerate() {
            let state = &self.states[k * size..(k + 1) * size];
            if theta == place {
                return state.to_vec();
            }
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let weight = if k == 0 || k == PLACES - 1 { 0.5 * sign } else { sign } / (theta - place);
            weights += weight;
            sum.iter_mut().zip(state).for_each(|(sum, value)| *sum += weight * value);
        }
        sum.iter().map(|sum| sum / weights).collect()
    }
}
