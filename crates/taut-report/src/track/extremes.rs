//! Rows of which no extreme is lost, however many there are.

/// Rows that have become one: the least and the largest value of each column, and which of them came first.
#[derive(Clone, Debug)]
struct Bucket {
    from: f64,
    to: f64,
    low: Vec<f64>,
    high: Vec<f64>,
    low_first: Vec<bool>,
}

impl Bucket {
    fn of(t: f64, row: &[f64]) -> Self {
        Bucket { from: t, to: t, low: row.to_vec(), high: row.to_vec(), low_first: vec![true; row.len()] }
    }

    fn take(&mut self, later: &Bucket) {
        self.to = later.to;
        for c in 0..self.low.len() {
            // Comparisons with what is no number are false: a number takes its place.
            let lower = later.low[c] < self.low[c] || self.low[c].is_nan();
            let higher = later.high[c] > self.high[c] || self.high[c].is_nan();
            self.low_first[c] = match (lower, higher) {
                (true, true) => later.low_first[c],
                (true, false) => false,
                (false, true) => true,
                (false, false) => self.low_first[c],
            };
            if lower {
                self.low[c] = later.low[c];
            }
            if higher {
                self.high[c] = later.high[c];
            }
        }
    }
}

/// At most so many buckets, two rows each: when there are more, neighbours become one.
#[derive(Clone, Debug)]
pub struct Extremes {
    most: usize,
    /// how many rows become one bucket
    share: usize,
    pending: Option<(usize, Bucket)>,
    buckets: Vec<Bucket>,
}

impl Extremes {
    /// At most `most` buckets.
    pub fn new(most: usize) -> Self {
        Extremes { most: most.max(2), share: 1, pending: None, buckets: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, t: f64, row: &[f64]) {
        let bucket = Bucket::of(t, row);
        let (count, mut whole) = match self.pending.take() {
            Some((count, mut pending)) => {
                pending.take(&bucket);
                (count + 1, pending)
            }
            None => (1, bucket),
        };
        if count < self.share {
            self.pending = Some((count, whole));
            return;
        }
        whole.to = t;
        self.buckets.push(whole);
        if self.buckets.len() > self.most {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let mut halved: Vec<Bucket> = Vec::with_capacity(self.buckets.len() / 2 + 1);
        for (k, bucket) in self.buckets.drain(..).enumerate() {
            match halved.last_mut() {
                Some(last) if k % 2 == 1 => last.take(&bucket),
                _ => halved.push(bucket),
            }
        }
        self.buckets = halved;
        self.share *= 2;
    }

    /// Times and the values of each column: those that came first at the beginning of a bucket, the others at its end.
    pub fn finish(mut self) -> (Vec<f64>, Vec<Vec<f64>>) {
        self.buckets.extend(self.pending.take().map(|(_, bucket)| bucket));
        let columns = self.buckets.first().map_or(0, |bucket| bucket.low.len());
        let mut times = Vec::with_capacity(2 * self.buckets.len());
        let mut values = vec![Vec::with_capacity(2 * self.buckets.len()); columns];
        for bucket in &self.buckets {
            let rows = if bucket.from == bucket.to { 1 } else { 2 };
            times.extend([bucket.from, bucket.to].into_iter().take(rows));
            for (c, column) in values.iter_mut().enumerate() {
                let (low, high) = (bucket.low[c], bucket.high[c]);
                let pair = if bucket.low_first[c] { [low, high] } else { [high, low] };
                column.extend(pair.into_iter().take(rows));
            }
        }
        (times, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_rows_keep_every_extreme() {
        let mut extremes = Extremes::new(1000);
        let spike = |k: u32| match k {
            123_456 => 7.0,
            765_432 => -9.0,
            _ => (f64::from(k) * 1e-3).sin(),
        };
        for k in 0..1_000_000 {
            extremes.push(f64::from(k), &[spike(k), f64::NAN]);
        }
        let (times, values) = extremes.finish();
        assert!((1000..=2002).contains(&times.len()), "{}", times.len());
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 999_999.0));
        let at = |value: f64| times[values[0].iter().position(|x| *x == value).unwrap()];
        assert!((at(7.0) - 123_456.0).abs() < 2048.0 && (at(-9.0) - 765_432.0).abs() < 2048.0);
        let waves = values[0].windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        assert!((300..=330).contains(&waves), "{waves} changes of sign");
    }

    #[test]
    fn few_rows_stay_what_they_are() {
        let mut extremes = Extremes::new(10);
        for k in 0..5 {
            extremes.push(f64::from(k), &[f64::from(k * k)]);
        }
        assert_eq!(extremes.finish(), (vec![0.0, 1.0, 2.0, 3.0, 4.0], vec![vec![0.0, 1.0, 4.0, 9.0, 16.0]]));
    }
}
