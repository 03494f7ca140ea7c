//! Slopes of log error against log h.

/// A slope is never taken from fewer points.
pub const FEWEST_POINTS: usize = 4;

/// Points belong to the asymptotic range while none is farther from the common line than this, in ln(error): errors may
/// deviate by a tenth.
pub const MOST_DEVIATION: f64 = 0.1;

/// The line ln(error) = slope · ln(h) + offset through the asymptotic range.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// the measured order
    pub slope: f64,
    /// the logarithm of the error constant
    pub offset: f64,
    /// the largest distance of a used point from the line, in ln(error)
    pub residual: f64,
    /// which points were used
    pub used: Vec<bool>,
}

impl Fit {
    /// How many points were used.
    pub fn points(&self) -> usize {
        self.used.iter().filter(|used| **used).count()
    }
}

/// Fits a line to errors of runs with steps h, given from the longest step to the shortest.
///
/// Points from the first error at or below `plateau(h)` on are left out: rounding made them. Of the others the finest
/// [`FEWEST_POINTS`] are taken, and coarser ones as long as all stay within [`MOST_DEVIATION`] of their line. `None` when
/// fewer than [`FEWEST_POINTS`] are above the plateau.
///
/// ```
/// let h = [0.8, 0.4, 0.2, 0.1, 0.05, 0.025];
/// let errors = [9.0, 0.8 * 0.4_f64.powi(3), 0.8 * 0.2_f64.powi(3), 0.8 * 0.1_f64.powi(3), 1e-4, 3e-15];
/// let fit = taut_lab::fit(&h, &errors, |_| 1e-13).unwrap();
/// assert!((fit.slope - 3.0).abs() < 1e-3);
/// assert_eq!(fit.used, [false, true, true, true, true, false]);
/// ```
pub fn fit(h: &[f64], errors: &[f64], plateau: impl Fn(f64) -> f64) -> Option<Fit> {
    let points: Vec<(f64, f64)> = h
        .iter()
        .zip(errors)
        .take_while(|(h, error)| error.is_finite() && **error > plateau(**h))
        .map(|(h, error)| (h.ln(), error.ln()))
        .collect();
    let mut first = points.len().checked_sub(FEWEST_POINTS)?;
    let mut line = least_squares(&points[first..]);
    while first > 0 {
        let longer = least_squares(&points[first - 1..]);
        if longer.2 > MOST_DEVIATION {
            break;
        }
        first -= 1;
        line = longer;
    }
    let used = (0..h.len().min(errors.len())).map(|k| (first..points.len()).contains(&k)).collect();
    let (slope, offset, residual) = line;
    Some(Fit { slope, offset, residual, used })
}

/// Slope, offset and largest deviation of the line closest to points (x, y).
pub(crate) fn least_squares(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let (covariance, variance) = points.iter().fold((0.0, 0.0), |(covariance, variance), (x, y)| {
        (covariance + (x - mean_x) * (y - mean_y), variance + (x - mean_x).powi(2))
    });
    let slope = covariance / variance;
    let offset = mean_y - slope * mean_x;
    let deviation = |(x, y): &(f64, f64)| (y - slope * x - offset).abs();
    let residual = points.iter().map(deviation).fold(0.0, f64::max);
    (slope, offset, residual)
}

#[cfg(test)]
mod tests;
