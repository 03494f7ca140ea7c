//! Quantiles of numbers that are seen once and not kept.

/// So many marks are kept.
const MARKS: usize = 5;

/// An estimate of a quantile in constant memory: the P² algorithm of Jain and Chlamtac (Communications of the ACM 28, 1985).
///
/// Five marks (the extremes, the quantile and two between) are moved along parabolas through their neighbours as numbers come.
/// The estimate is exact for up to five numbers; of n numbers with a smooth distribution its error falls about as that of the
/// quantile of n samples does, 1/√n. Numbers must come in an order that does not depend on their size, as runs with sampled
/// parameters do; ascending numbers are found less accurately.
///
/// ```
/// use taut::ensemble::Quantile;
///
/// let mut median = Quantile::new(0.5);
/// (0..1001_u32).map(|k| f64::from(k * 7919 % 1001)).for_each(|x| median.take(x));
/// assert!((median.value() - 500.0).abs() < 10.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Quantile {
    probability: f64,
    count: usize,
    /// the heights of the marks
    heights: [f64; MARKS],
    /// how many numbers are at or below them
    places: [f64; MARKS],
}

impl Quantile {
    /// The quantile of a probability between 0 and 1.
    pub fn new(probability: f64) -> Self {
        Quantile {
            probability: probability.clamp(0.0, 1.0),
            count: 0,
            heights: [f64::NAN; MARKS],
            places: [1.0, 2.0, 3.0, 4.0, 5.0],
        }
    }

    /// Takes a number; what is none is left out.
    pub fn take(&mut self, x: f64) {
        if x.is_nan() {
            return;
        }
        if self.count < MARKS {
            self.heights[self.count] = x;
            self.count += 1;
            self.heights[..self.count].sort_by(f64::total_cmp);
            return;
        }
        self.count += 1;
        self.heights[0] = self.heights[0].min(x);
        self.heights[MARKS - 1] = self.heights[MARKS - 1].max(x);
        // The marks above x have one number more below them.
        let below = self.heights[1..MARKS - 1].iter().filter(|height| **height <= x).count();
        self.places[below + 1..].iter_mut().for_each(|place| *place += 1.0);
        for mark in 1..MARKS - 1 {
            self.adjust(mark);
        }
    }

    /// Where a mark should be.
    fn wanted(&self, mark: usize) -> f64 {
        let p = self.probability;
        let share = [0.0, p / 2.0, p, f64::midpoint(1.0, p), 1.0][mark];
        1.0 + (self.count - 1) as f64 * share
    }

    /// Moves a mark by one place where it is farther than that from where it should be.
    fn adjust(&mut self, mark: usize) {
        let (n, q) = (&self.places, &self.heights);
        let missing = self.wanted(mark) - n[mark];
        let (up, down) = (n[mark + 1] - n[mark], n[mark] - n[mark - 1]);
        let step = match missing {
            missing if missing >= 1.0 && up > 1.0 => 1.0,
            missing if missing <= -1.0 && down > 1.0 => -1.0,
            _ => return,
        };
        let (rise, fall) = ((q[mark + 1] - q[mark]) / up, (q[mark] - q[mark - 1]) / down);
        let parabola = q[mark] + step / (up + down) * ((down + step) * rise + (up - step) * fall);
        let between = q[mark - 1] < parabola && parabola < q[mark + 1];
        let line = q[mark] + step * if step > 0.0 { rise } else { fall };
        self.heights[mark] = if between { parabola } else { line };
        self.places[mark] += step;
    }

    /// The estimate; no number when none was taken.
    pub fn value(&self) -> f64 {
        match self.count {
            0 => f64::NAN,
            // The nearest of those that are there.
            count if count <= MARKS => {
                let place = self.probability * (count - 1) as f64;
                self.heights[(place.round() as usize).min(count - 1)]
            }
            _ if self.probability == 0.0 => self.heights[0],
            _ if self.probability == 1.0 => self.heights[MARKS - 1],
            _ => self.heights[2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [0, 1) without order (splitmix64).
    fn numbers(count: u64) -> impl Iterator<Item = f64> {
        (0..count).map(|k| {
            let mut z = (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        })
    }

    #[test]
    fn few_numbers_are_exact() {
        let mut median = Quantile::new(0.5);
        assert!(median.value().is_nan());
        for (x, expected) in [(4.0, 4.0), (f64::NAN, 4.0), (1.0, 4.0), (3.0, 3.0), (2.0, 3.0), (0.0, 2.0)] {
            median.take(x);
            assert_eq!(median.value(), expected);
        }
    }

    #[test]
    fn uniform_and_exponential_numbers() {
        for probability in [0.05, 0.25, 0.5, 0.9, 0.99] {
            let (mut uniform, mut exponential) = (Quantile::new(probability), Quantile::new(probability));
            for x in numbers(20_000) {
                uniform.take(x);
                exponential.take(-(1.0 - x).ln());
            }
            // Four standard deviations of the quantile of 20000 samples.
            let deviation = 4.0 * (probability * (1.0 - probability) / 20_000.0).sqrt();
            assert!((uniform.value() - probability).abs() < deviation, "{probability}: {}", uniform.value());
            let expected = -(1.0 - probability).ln();
            let allowed = deviation / (1.0 - probability);
            assert!(
                (exponential.value() - expected).abs() < 2.0 * allowed,
                "{probability}: {}",
                exponential.value()
            );
        }
        let (mut least, mut most) = (Quantile::new(0.0), Quantile::new(1.0));
        numbers(100).for_each(|x| {
            least.take(x);
            most.take(x);
        });
        assert_eq!(Some(least.value()), numbers(100).reduce(f64::min));
        assert_eq!(Some(most.value()), numbers(100).reduce(f64::max));
    }
}
