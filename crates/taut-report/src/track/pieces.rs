//! A motion as pieces of polynomials, one for each step, with as few points as it takes.

use super::chebyshev::{FINEST, INTERVALS, Refinement};
use super::{Column, Track};

/// A piece may miss dense output by so much, relative to the largest value of a column.
const ACCURACY: f64 = 1e-10;
/// Columns that never exceed this are met to the same digit as if they did: what is rounding needs no digits.
const SMALL: f64 = 1e-3;
/// So many numbers at most are kept of pieces; a longer run is kept as rows at its steps,
const MOST_NUMBERS: usize = 600_000;
/// of which there are at most so many.
const MOST_ROWS: usize = 6000;
/// and, however many columns there are, up to so many.
const LEAST_ROWS: usize = 100;

/// Puts a track together while a run goes on.
pub struct Pieces {
    columns: usize,
    /// columns from here on only have to look right
    judged: usize,
    refinements: Vec<Refinement>,
    /// the ends of the pieces
    times: Vec<f64>,
    /// the number of intervals of each piece; empty for rows at times
    intervals: Vec<u8>,
    /// all rows, one after the other
    values: Vec<f64>,
    /// the largest absolute value of each column
    scales: Vec<f64>,
    /// the rows of the piece that is being put together
    pending: Vec<f64>,
    coarse: bool,
    /// in a coarse track every so manieth row is kept
    share: usize,
    skipped: usize,
}

impl Pieces {
    /// Rows with so many columns, of which the first `judged` have to be met to 10 digits.
    pub fn new(columns: usize, judged: usize) -> Self {
        Pieces {
            columns,
            judged: judged.min(columns),
            refinements: INTERVALS[..4].iter().map(|&n| Refinement::of(n)).collect(),
            times: Vec::new(),
            intervals: Vec::new(),
            values: Vec::new(),
            scales: vec![0.0; columns],
            pending: Vec::new(),
            // Many columns leave no room for what is inside of steps.
            coarse: 2 * FINEST * columns > MOST_NUMBERS,
            share: 1,
            skipped: 0,
        }
    }

    /// Whether only rows at the ends of steps are of use.
    pub fn is_coarse(&self) -> bool {
        self.coarse
    }

    /// Adds a row: the first one, those at the places of each step, or those at its end when the track is coarse.
    pub fn push(&mut self, t: f64, row: &[f64]) {
        debug_assert_eq!(row.len(), self.columns);
        for (scale, value) in self.scales.iter_mut().zip(row).filter(|(_, value)| value.is_finite()) {
            *scale = scale.max(value.abs());
        }
        if self.times.is_empty() {
            self.times.push(t);
            self.values.extend_from_slice(row);
            return;
        }
        if self.coarse {
            return self.push_coarse(t, row);
        }
        // A run that begins anew at a kink shows the same state again.
        if self.pending.is_empty() && self.times.last() == Some(&t) && self.last_row() == row {
            return;
        }
        self.pending.extend_from_slice(row);
        if self.pending.len() == FINEST * self.columns {
            self.finish_piece(t);
        }
    }

    /// Adds a row at the time of the last one, from which it differs: a piece of the shortest time there is leads to it.
    pub fn jump(&mut self, t: f64, row: &[f64]) {
        let Some(&first) = self.times.first() else { return self.push(t, row) };
        if self.coarse {
            return self.push(t, row);
        }
        let later = if t >= first { t.next_up() } else { t.next_down() };
        for _ in 0..FINEST {
            self.push(later, row);
        }
    }

    fn last_row(&self) -> &[f64] {
        &self.values[self.values.len() - self.columns..]
    }

    fn finish_piece(&mut self, t: f64) {
        let intervals = self.fewest_intervals();
        let stride = FINEST / intervals;
        for k in 1..=intervals {
            let at = (k * stride - 1) * self.columns;
            self.values.extend_from_slice(&self.pending[at..at + self.columns]);
        }
        self.times.push(t);
        self.intervals.push(intervals as u8);
        self.pending.clear();
        if self.values.len() > MOST_NUMBERS {
            self.keep_rows_only();
        }
    }

    /// The least number of intervals with which all columns are met.
    fn fewest_intervals(&self) -> usize {
        let start = self.values.len() - self.columns;
        let fits = |refinement: &Refinement| {
            (0..self.judged).all(|c| {
                let fine = |j: usize| match j {
                    0 => self.values[start + c],
                    _ => self.pending[(j - 1) * self.columns + c],
                };
                // A value that is no number fits into nothing, and nothing would be better.
                let error = refinement.error(fine);
                error <= ACCURACY * self.scales[c].max(SMALL) || error.is_nan()
            })
        };
        INTERVALS.iter().zip(&self.refinements).find(|(_, r)| fits(r)).map_or(FINEST, |(&n, _)| n)
    }

    fn keep_rows_only(&mut self) {
        let mut rows: Vec<f64> = self.values[..self.columns].to_vec();
        let mut at = 0;
        for &intervals in &self.intervals {
            at += usize::from(intervals);
            rows.extend_from_slice(&self.values[at * self.columns..(at + 1) * self.columns]);
        }
        self.values = rows;
        self.intervals.clear();
        self.coarse = true;
        self.halve_while_long();
    }

    fn push_coarse(&mut self, t: f64, row: &[f64]) {
        self.pending.clear();
        self.pending.push(t);
        self.pending.extend_from_slice(row);
        self.skipped += 1;
        if self.skipped == self.share {
            self.keep_pending();
            self.halve_while_long();
        }
    }

    fn keep_pending(&mut self) {
        self.times.push(self.pending[0]);
        self.values.extend_from_slice(&self.pending[1..]);
        self.pending.clear();
        self.skipped = 0;
    }

    fn most_rows(&self) -> usize {
        (MOST_NUMBERS / self.columns.max(1)).clamp(LEAST_ROWS, MOST_ROWS)
    }

    fn halve_while_long(&mut self) {
        while self.times.len() > self.most_rows() {
            let kept = (0..self.times.len()).step_by(2);
            let columns = self.columns;
            self.values =
                kept.clone().flat_map(|k| self.values[k * columns..(k + 1) * columns].to_vec()).collect();
            self.times = kept.map(|k| self.times[k]).collect();
            self.share *= 2;
        }
    }

    /// The track, with these names for its columns.
    pub fn finish(mut self, columns: impl Iterator<Item = Column>) -> Track {
        if self.coarse && !self.pending.is_empty() {
            self.keep_pending();
        }
        let rows = self.values.len() / self.columns.max(1);
        let mut named: Vec<Column> = columns.collect();
        for (c, column) in named.iter_mut().enumerate() {
            column.values = (0..rows).map(|k| self.values[k * self.columns + c]).collect();
        }
        Track { times: self.times, intervals: self.intervals, columns: named }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::*;

    fn pushed(pieces: &mut Pieces, from: f64, to: f64, f: impl Fn(f64) -> f64) {
        if pieces.times.is_empty() {
            pieces.push(from, &[f(from)]);
        }
        for place in places() {
            let t = if *place == 1.0 { to } else { from + place * (to - from) };
            pieces.push(t, &[f(t)]);
        }
    }

    #[test]
    fn pieces_have_as_many_points_as_it_takes() {
        let mut pieces = Pieces::new(1, 1);
        pushed(&mut pieces, 0.0, 1.0, |t| 1.0 + t);
        pushed(&mut pieces, 1.0, 2.0, |t| 2.0 + (t - 1.0).powi(4));
        pushed(&mut pieces, 2.0, 4.0, |t| 3.0 + (3.0 * (t - 2.0)).sin());
        let track = pieces.finish([Column::named("x")].into_iter());
        assert_eq!(
            (track.times.as_slice(), track.intervals.as_slice()),
            ([0.0, 1.0, 2.0, 4.0].as_slice(), [1, 4, 16].as_slice())
        );
        assert_eq!(track.columns[0].values.len(), 22);
        for t in [0.3, 1.7, 2.2, 3.9_f64] {
            let expected = if t < 1.0 {
                1.0 + t
            } else if t < 2.0 {
                2.0 + (t - 1.0).powi(4)
            } else {
                3.0 + (3.0 * (t - 2.0)).sin()
            };
            assert!((track.value(0, t) - expected).abs() < 1e-9, "{t}");
        }
    }

    #[test]
    fn many_columns_leave_room_for_few_rows() {
        let mut pieces = Pieces::new(50_000, 50_000);
        assert!(pieces.is_coarse());
        for k in 0..250 {
            pieces.push(f64::from(k), &vec![f64::from(k); 50_000]);
        }
        let track = pieces.finish((0..50_000).map(|_| Column::default()));
        assert!((50..=101).contains(&track.times.len()), "{}", track.times.len());
        assert_eq!((track.times[0], track.times.last()), (0.0, Some(&249.0)));
    }

    #[test]
    fn a_long_run_is_kept_as_rows() {
        let mut pieces = Pieces::new(1, 1);
        let wave = |t: f64| (9.0 * t).sin();
        let mut step = 0;
        while !pieces.is_coarse() {
            pushed(&mut pieces, f64::from(step), f64::from(step + 1), wave);
            step += 1;
        }
        for k in step + 1..step + 20_000 {
            pieces.push(f64::from(k), &[wave(f64::from(k))]);
        }
        let track = pieces.finish([Column::named("x")].into_iter());
        assert!(track.times.len() > MOST_ROWS / 2 && track.times.len() <= MOST_ROWS + 1);
        assert_eq!(track.times.last(), Some(&f64::from(step + 19_999)));
        let k = track.times.len() / 3;
        assert_eq!(track.value(0, track.times[k]), wave(track.times[k]));
    }
}
