//! Weighted norms.

use crate::equations::Layout;
use crate::options::Options;

/// The scales of a state vector: atol/rtol + |y|, so that an error divided by them compares with rtol.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    rtol: f64,
    /// atol/rtol of each entry
    floors: Vec<f64>,
    inverse: Vec<f64>,
}

impl Scales {
    pub(crate) fn new(rtol: f64, atol: f64, length: usize) -> Self {
        Scales { rtol, floors: vec![atol / rtol; length], inverse: vec![1.0; length] }
    }

    /// The scales that options ask for, with the absolute tolerances of single coordinates and their velocities; variables z
    /// of a partitioned system have numbers of their own, behind those of y.
    pub(crate) fn of(options: &Options, layout: &Layout) -> Self {
        let mut scales = Scales::new(options.rtol, options.atol, layout.len());
        let numbers = if layout.is_mechanical() { layout.n() } else { layout.differential() };
        for &(number, atol) in options.absolute.iter().filter(|(number, _)| *number < numbers) {
            let velocity = layout.is_mechanical().then(|| layout.v().start + number);
            for place in std::iter::once(layout.q().start + number).chain(velocity) {
                scales.floors[place] = atol / options.rtol;
            }
        }
        scales
    }

    pub(crate) fn rtol(&self) -> f64 {
        self.rtol
    }

    /// Scales for the state `y`.
    pub(crate) fn set(&mut self, y: &[f64]) {
        for (inverse, (floor, y)) in self.inverse.iter_mut().zip(self.floors.iter().zip(y)) {
            *inverse = 1.0 / (floor + y.abs());
        }
    }

    /// Scales for a step between two states.
    pub(crate) fn widen(&mut self, y: &[f64]) {
        for (inverse, (floor, y)) in self.inverse.iter_mut().zip(self.floors.iter().zip(y)) {
            *inverse = inverse.min(1.0 / (floor + y.abs()));
        }
    }

    /// Scales for a step between two states, where it has both.
    pub(crate) fn set_between(&mut self, start: &[f64], end: &[f64]) {
        let floors = self.inverse.iter_mut().zip(&self.floors);
        for ((inverse, floor), (start, end)) in floors.zip(start.iter().zip(end)) {
            let (start, end) = (start.abs(), end.abs());
            *inverse = 1.0 / (floor + if start > end { start } else { end });
        }
    }

    /// atol/rtol of each entry
    pub(crate) fn floors(&self) -> &[f64] {
        &self.floors
    }

    /// 1/(atol/rtol + |y|)
    pub(crate) fn inverse(&self) -> &[f64] {
        &self.inverse
    }
}

/// Σ (eᵢ wᵢ)²
pub(crate) fn weighted_square(error: &[f64], inverse_scales: &[f64]) -> f64 {
    error.iter().zip(inverse_scales).map(|(e, w)| (e * w) * (e * w)).sum()
}

/// Σ (eᵢ wᵢ vᵢ)²
pub(crate) fn twice_weighted_square(error: &[f64], inverse_scales: &[f64], weights: &[f64]) -> f64 {
    let entries = error.iter().zip(inverse_scales).zip(weights);
    entries.map(|((e, w), v)| (e * w * v) * (e * w * v)).sum()
}

/// The larger of two sizes; no number when one of them is none, which `f64::max` would drop: an error that is no number must
/// not pass for a small one.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// The largest size; no number when one of them is none.
pub(crate) fn largest(sizes: impl Iterator<Item = f64>) -> f64 {
    sizes.fold(0.0, |largest, size| larger(largest, size.abs()))
}

/// [`largest`] of numbers that lie side by side, eight at a time.
pub(crate) fn largest_of(values: &[f64]) -> f64 {
    let (chunks, rest) = values.as_chunks::<8>();
    if chunks.is_empty() {
        return largest(rest.iter().copied());
    }
    // A maximum in one instruction drops what is no number, which sums of 0 x do not.
    let (mut parts, mut zeros) = ([0.0; 8], [0.0; 8]);
    for chunk in chunks {
        for k in 0..8 {
            parts[k] = if chunk[k].abs() > parts[k] { chunk[k].abs() } else { parts[k] };
            zeros[k] += 0.0 * chunk[k];
        }
    }
    if zeros != [0.0; 8] {
        return largest(values.iter().copied());
    }
    largest(parts.iter().chain(rest).copied())
}

/// The root of the mean of squares.
pub(crate) fn root_mean(square: f64, count: usize) -> f64 {
    (square / count.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_tolerances_reach_what_they_are_given_for() {
        let options =
            Options { rtol: 1.0, atol: 1.0, absolute: vec![(1, 0.5), (2, 0.25)], ..Options::default() };
        let floors = |layout: Layout| Scales::of(&options, &layout).floors;
        assert_eq!(floors(Layout::mechanical(2, 1)), [1.0, 0.5, 1.0, 0.5, 1.0]);
        assert_eq!(floors(Layout::partitioned(2, 1, 1)), [1.0, 0.5, 0.25, 1.0]);
        assert_eq!(floors(Layout::first_order(3)), [1.0, 0.5, 0.25]);
    }

    #[test]
    fn the_largest_of_many_is_that_of_one_after_the_other() {
        for size in [0, 1, 7, 8, 9, 40, 100] {
            let mut values: Vec<f64> = (0..size).map(|k| (1.7 * k as f64).sin()).collect();
            assert_eq!(largest_of(&values), largest(values.iter().copied()));
            for place in 0..size {
                for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let usual = std::mem::replace(&mut values[place], strange);
                    let [a, b] = [largest_of(&values), largest(values.iter().copied())];
                    assert!(a == b || (a.is_nan() && b.is_nan()), "{a} and {b}");
                    values[place] = usual;
                }
            }
        }
    }

    #[test]
    fn what_is_no_number_is_not_dropped() {
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
        assert_eq!((larger(1.0, 2.0), larger(2.0, 1.0)), (2.0, 2.0));
        assert!(largest([1.0, f64::NAN, 3.0].into_iter()).is_nan());
        assert_eq!(largest([1.0, -4.0, 3.0].into_iter()), 4.0);
    }
}
