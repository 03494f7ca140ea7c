//! Where a smooth function may change its sign, from its values at a few places.
//!
//! Inside a long step a function may cross zero twice between two places. Here it is a series of Chebyshev polynomials, whose
//! coefficients bound it and its slope: an interval on which it keeps its sign, or only rises or only falls, needs no further
//! look; any other is halved. Where the coefficients do not become small the function is looked at anew in halves.

/// An interval is halved so often at most: closer roots than 2⁻²⁴ of a step are those of a function that touches zero.
const MOST_HALVINGS: u32 = 24;
/// What is this share of the largest value touches zero: it may be made of rounding errors of much larger terms, and a gap that opens
/// where it was closed would close again.
const NOISE: f64 = 1e-10;
/// The last quarter of the coefficients of a smooth function is at most this share of all: of one that jumps or has kinks, roots of
/// the series are none of it.
const SMOOTH: f64 = 1e-3;

/// A series whose last two coefficients are larger than this share of all says too little: the function is looked at anew in both
/// halves of the interval,
const RESOLVED: f64 = 1e-6;
/// so often at most. What jumps or has a kink is not found smooth there either, but beside it.
const MOST_SPLITS: u32 = 5;

/// Places in (0, 1] between which a function changes its sign at most once, as far as it is smooth; it is looked at in so many
/// places of an interval at a time. None where it has no value.
pub(super) fn places(count: usize, value: impl FnMut(f64) -> f64) -> Vec<f64> {
    let mut search = Search { value, count, noise: None, found: Vec::new() };
    search.look((0.0, 1.0), MOST_SPLITS);
    search.found
}

/// Places that were found so far.
struct Search<F> {
    value: F,
    /// how many places of an interval are looked at
    count: usize,
    /// what is smaller is zero; known after the first interval
    noise: Option<f64>,
    found: Vec<f64>,
}

impl<F: FnMut(f64) -> f64> Search<F> {
    /// Looks at an interval; in both halves where that is not enough.
    fn look(&mut self, (from, to): (f64, f64), splits: u32) {
        let inside = points(self.count).map(|x| from + (0.5 + 0.5 * x) * (to - from));
        let values: Vec<f64> = inside.map(|theta| (self.value)(theta)).collect();
        if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
            return;
        }
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let noise = *self.noise.get_or_insert(NOISE * largest);
        let series = Series::of(&values);
        if splits > 0 && !series.is_resolved(noise) {
            let middle = 0.5 * (from + to);
            self.look((from, middle), splits - 1);
            return self.look((middle, to), splits - 1);
        }
        let first = self.found.len();
        if series.is_smooth() {
            self.separate(&series, (from, to), MOST_HALVINGS);
        } else {
            self.found.push(to);
        }
        let place_in = |theta: f64| 2.0 * (theta - from) / (to - from) - 1.0;
        let new = self.found.split_off(first).into_iter();
        self.found.extend(new.filter(|&place| place == 1.0 || series.at(place_in(place)).abs() > noise));
    }

    fn separate(&mut self, series: &Series, (from, to): (f64, f64), halvings: u32) {
        let is_decided = series.keeps_its_sign() || series.slope().keeps_its_sign();
        if halvings == 0 || is_decided || series.size() <= self.noise.unwrap_or(0.0) {
            return self.found.push(to);
        }
        let middle = 0.5 * (from + to);
        self.separate(&series.half(-0.5), (from, middle), halvings - 1);
        self.separate(&series.half(0.5), (middle, to), halvings - 1);
    }
}

/// The zeros of the Chebyshev polynomial of a degree.
fn points(degree: usize) -> impl Iterator<Item = f64> {
    (0..degree).map(move |i| -((2 * i + 1) as f64 * std::f64::consts::PI / (2 * degree) as f64).cos())
}

/// A function on [−1, 1] by coefficients of Chebyshev polynomials.
struct Series(Vec<f64>);

impl Series {
    /// With these values at the zeros of a Chebyshev polynomial.
    fn of(values: &[f64]) -> Self {
        let mut coefficients = vec![0.0; values.len()];
        for (x, value) in points(values.len()).zip(values) {
            let (mut before, mut now) = (x, 1.0);
            for coefficient in &mut coefficients {
                *coefficient += value * now;
                (before, now) = (now, 2.0 * x * now - before);
            }
        }
        let share = 2.0 / values.len() as f64;
        coefficients.iter_mut().for_each(|coefficient| *coefficient *= share);
        coefficients[0] *= 0.5;
        Series(coefficients)
    }

    /// The value at a place, by Clenshaw's recursion.
    fn at(&self, x: f64) -> f64 {
        let (mut next, mut now) = (0.0, 0.0);
        for coefficient in self.0[1..].iter().rev() {
            (next, now) = (now, 2.0 * x * now - next + coefficient);
        }
        x * now - next + self.0[0]
    }

    /// The same function on half of the interval, around a point.
    fn half(&self, around: f64) -> Self {
        let values: Vec<f64> = points(self.0.len()).map(|x| self.at(around + 0.5 * x)).collect();
        Series::of(&values)
    }

    /// Its derivative.
    fn slope(&self) -> Self {
        let mut slopes = vec![0.0; self.0.len()];
        for k in (1..self.0.len()).rev() {
            let above = slopes.get(k + 1).copied().unwrap_or(0.0);
            slopes[k - 1] = above + 2.0 * k as f64 * self.0[k];
        }
        slopes[0] *= 0.5;
        Series(slopes)
    }

    /// Whether it cannot be zero, since all polynomials are at most 1.
    fn keeps_its_sign(&self) -> bool {
        2.0 * self.0[0].abs() > self.size()
    }

    /// Whether nothing is to be expected behind its last coefficients, in even and in odd places.
    fn is_resolved(&self, noise: f64) -> bool {
        let last: f64 =
            self.0[self.0.len().saturating_sub(2)..].iter().map(|coefficient| coefficient.abs()).sum();
        last <= (RESOLVED * self.size()).max(noise)
    }

    /// Whether its coefficients become small.
    fn is_smooth(&self) -> bool {
        let last: f64 =
            self.0[self.0.len() - self.0.len() / 4..].iter().map(|coefficient| coefficient.abs()).sum();
        last <= SMOOTH * self.size()
    }

    /// It is at most as large as this.
    fn size(&self) -> f64 {
        self.0.iter().map(|coefficient| coefficient.abs()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::places;

    fn of(f: impl Fn(f64) -> f64) -> Vec<f64> {
        places(20, f)
    }

    /// How often a function changes its sign between places.
    fn changes(f: impl Fn(f64) -> f64) -> usize {
        let found = of(&f);
        let ends = std::iter::once(0.0).chain(found.iter().copied());
        ends.zip(&found).filter(|(from, to)| f(*from) * f(**to) < 0.0).count()
    }

    #[test]
    fn close_pairs_are_separated() {
        for k in 1..=8 {
            let (root, apart) = (0.1 + 0.07 * f64::from(k), 10.0_f64.powf(-0.5 * f64::from(k)));
            let pair = |x: f64| (x - root) * (x - root - apart) * (2.0 + (3.0 * x).sin());
            let inside = if root + apart < 1.0 { 2 } else { 1 };
            assert_eq!(changes(pair), inside, "{root} {apart}");
        }
    }

    /// Waves that are too short for the places of one interval, and touch zero nearly.
    #[test]
    fn close_pairs_of_short_waves_are_separated() {
        let mut missed = Vec::new();
        for waves in [3.0, 8.0, 17.0, 40.0] {
            for depth in [1e-1, 1e-3, 1e-5] {
                // Maxima at (1/4 + k)/waves, and two roots beside each.
                let wave = |x: f64| (std::f64::consts::TAU * waves * x).sin() - 1.0 + depth;
                if changes(wave) != 2 * waves as usize {
                    missed.push((waves, depth, changes(wave)));
                }
            }
        }
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn what_touches_zero_does_not_cross_it() {
        // Squares from 0 on, with rounding errors of terms of size 1.
        let opens = |x: f64| 1e-3 * x * x + 1.0 - 1.0 - 1e-17;
        assert!(of(opens).iter().all(|&place| opens(place) > 0.0));
        assert_eq!(changes(|x| 1e-3 * (x - 0.5) * (x - 0.5) - 1e-15), 0);
    }

    #[test]
    fn what_has_no_root_is_not_looked_at_closely() {
        assert_eq!(of(|x| 2.0 + x.sin()), [1.0]);
        assert_eq!(of(|x| x - 0.3), [1.0]);
        assert!(of(|x| (x - 0.3) * (x - 0.3)).len() <= 60);
        assert_eq!(of(|_| 0.0).len(), 1, "nothing changes where all is zero");
        assert!(of(|x| if x < 0.5 { 1.0 } else { f64::NAN }).is_empty());
    }

    /// Beside a jump or a kink roots are found as elsewhere, close ones among them.
    #[test]
    fn jumps_do_not_hide_roots() {
        assert_eq!(changes(|x| if x < 0.3 { 1.0 } else { x - 0.5 }), 2);
        let pair = |x: f64| (x - 0.8) * (x - 0.8001) + 0.1 * (0.3 - x).max(0.0);
        assert_eq!(changes(pair), 2);
        assert_eq!(changes(|x| (x - 0.7) * (x - 0.7) + 1e-3 + (x - 0.4).abs()), 0);
    }
}
