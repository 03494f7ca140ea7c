//! Tracks: values over time.

mod chebyshev;
mod extremes;
mod pieces;
mod thinned;

pub use chebyshev::{FINEST, places, quadrature};
pub use extremes::Extremes;
pub use pieces::Pieces;
pub use thinned::{Keep, Thinned};

/// How a column is kept in the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// 11 digits of the largest value
    #[default]
    Many,
    /// as many as can be seen
    Few,
    /// four of every value, which is positive: of residuals and step sizes
    OfLogarithm,
}

/// What a column is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// a coordinate, or a variable of a first-order system
    Position,
    /// a velocity
    Velocity,
    /// the multiplier of a constraint
    Multiplier,
    /// what the model observes
    #[default]
    Observed,
    /// anything else
    Other,
}

/// Numbers with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// its name
    pub name: String,
    /// its unit; empty when nobody knows it
    pub unit: String,
    /// what it is
    pub kind: Kind,
    /// how many digits are kept
    pub digits: Digits,
    /// its numbers, one for each row
    pub values: Vec<f64>,
}

impl Column {
    /// A column without values yet.
    pub fn named(name: impl Into<String>) -> Self {
        Column { name: name.into(), ..Column::default() }
    }

    /// What it is.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// How many digits are kept.
    pub fn digits(mut self, digits: Digits) -> Self {
        self.digits = digits;
        self
    }

    /// Its unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Its values.
    pub fn values(mut self, values: Vec<f64>) -> Self {
        self.values = values;
        self
    }
}

/// Columns over time.
///
/// With `intervals` it consists of pieces from each time to the next: polynomials through the extrema of Chebyshev polynomials,
/// of which the first and the last are those times. Without, there is one row for each time, and what is between two times is
/// read off the cubic polynomial through the four rows around.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// increasing, or decreasing in a run backwards; the same time twice where values jump
    pub times: Vec<f64>,
    /// how many intervals each piece has (1, 2, 4, 8 or 16); or empty
    pub intervals: Vec<u8>,
    /// its columns
    pub columns: Vec<Column>,
}

impl Track {
    /// Rows at times.
    pub fn rows(times: Vec<f64>, columns: Vec<Column>) -> Self {
        Track { times, intervals: Vec::new(), columns }
    }

    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        if self.intervals.is_empty() { self.times.len() } else { self.starts_of_pieces().1 }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The first row of each piece, and the number of rows.
    fn starts_of_pieces(&self) -> (Vec<usize>, usize) {
        let mut row = 0;
        let starts = self.intervals.iter().map(|&intervals| {
            let start = row;
            row += usize::from(intervals);
            start
        });
        let starts = starts.collect();
        (starts, row + 1)
    }

    /// The last piece that begins before t.
    fn piece(&self, t: f64) -> usize {
        let forward = self.times.first() <= self.times.last();
        let behind = self.times.partition_point(|time| if forward { *time <= t } else { *time >= t });
        behind.saturating_sub(1).min(self.times.len().saturating_sub(2))
    }

    /// The value of a column at a time; times beyond the ends count as the ends.
    pub fn value(&self, column: usize, t: f64) -> f64 {
        self.sampled(column, &[t])[0]
    }

    /// The values of a column at times.
    pub fn sampled(&self, column: usize, times: &[f64]) -> Vec<f64> {
        self.between(&self.columns[column].values, times)
    }

    /// What numbers with the rows of this track are at times.
    pub fn between(&self, values: &[f64], times: &[f64]) -> Vec<f64> {
        let (starts, _) = self.starts_of_pieces();
        let at = |&t: &f64| {
            if values.len() < 2 {
                return values.first().copied().unwrap_or(f64::NAN);
            }
            let k = self.piece(t);
            let (from, to) = (self.times[k], self.times[k + 1]);
            let x = if to == from { 1.0 } else { ((t - from) / (to - from)).clamp(0.0, 1.0) };
            match self.intervals.get(k) {
                Some(&intervals) => {
                    let rows = &values[starts[k]..=starts[k] + usize::from(intervals)];
                    let basis = chebyshev::basis(x, usize::from(intervals));
                    basis.iter().zip(rows).filter(|(b, _)| **b != 0.0).map(|(b, y)| b * y).sum()
                }
                None => self.cubic(values, k, from + x * (to - from)),
            }
        };
        times.iter().map(at).collect()
    }

    /// The polynomial through rows k - 1 to k + 2, or the nearest four.
    fn cubic(&self, values: &[f64], k: usize, t: f64) -> f64 {
        let first = k.saturating_sub(1).min(values.len().saturating_sub(4));
        let rows = first..(first + 4).min(values.len());
        let mut sum = 0.0;
        for i in rows.clone() {
            let others = rows.clone().filter(|&j| j != i && self.times[j] != self.times[i]);
            let basis: f64 = others.map(|j| (t - self.times[j]) / (self.times[i] - self.times[j])).product();
            sum += basis * values[i];
        }
        sum
    }

    /// Times at which the curves of this track look smooth: so many in each piece.
    pub fn smooth_times(&self) -> Vec<f64> {
        const MOST: usize = 4000;
        let pieces = self.times.len().saturating_sub(1);
        if pieces == 0 || self.intervals.is_empty() {
            return self.times.clone();
        }
        let within = (MOST / pieces).clamp(1, FINEST);
        let mut times = Vec::with_capacity(pieces * within + 1);
        for pair in self.times.windows(2) {
            times.extend((0..within).map(|j| pair[0] + (pair[1] - pair[0]) * j as f64 / within as f64));
        }
        times.extend(self.times.last());
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_joined_smoothly() {
        let times: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
        let values = times.iter().map(|t| t.powi(3) - t).collect();
        let track = Track::rows(times, vec![Column::named("x").values(values)]);
        for t in [0.0, 0.05, 2.345, 4.9] {
            assert!((track.value(0, t) - (t.powi(3) - t)).abs() < 1e-12, "{t}");
        }
        assert_eq!(track.value(0, 77.0), track.value(0, 4.9));
        assert_eq!((track.place("x"), track.place("y"), track.len()), (Some(0), None, 50));
    }

    #[test]
    fn a_run_backwards_is_read_as_well() {
        let times = vec![3.0, 2.0, 1.0, 0.0];
        let track = Track::rows(times.clone(), vec![Column::named("x").values(times)]);
        assert!((track.value(0, 1.25) - 1.25).abs() < 1e-14);
    }
}
