//! Rows for a picture: as many as can be seen, however long the run is.

/// What becomes of a column when several rows become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// the value of the last row
    Last,
    /// the largest value
    Largest,
}

/// At most so many rows: when there are more, neighbours become one.
#[derive(Clone, Debug)]
pub struct Thinned {
    rule: Vec<Keep>,
    rows: Vec<Vec<f64>>,
    most: usize,
    /// how many rows become one
    share: usize,
    /// the row that is being put together, and of how many
    pending: Vec<f64>,
    pending_rows: usize,
}

impl Thinned {
    /// At most `most` rows with these columns.
    pub fn new(most: usize, rule: Vec<Keep>) -> Self {
        Thinned { rule, rows: Vec::new(), most: most.max(2), share: 1, pending: Vec::new(), pending_rows: 0 }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64]) {
        if self.pending_rows == 0 {
            self.pending.clear();
            self.pending.extend_from_slice(row);
        } else {
            merge(&self.rule, &mut self.pending, row);
        }
        self.pending_rows += 1;
        // The first row stays as it is: it is the start.
        if self.pending_rows == self.share || self.rows.is_empty() {
            self.rows.push(self.pending.clone());
            self.pending_rows = 0;
        }
        if self.rows.len() > self.most {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let mut halved: Vec<Vec<f64>> = Vec::with_capacity(self.rows.len() / 2 + 1);
        for (k, row) in self.rows.drain(..).enumerate() {
            match halved.last_mut() {
                Some(last) if k > 0 && k % 2 == 0 => merge(&self.rule, last, &row),
                _ => halved.push(row),
            }
        }
        self.rows = halved;
        self.share *= 2;
    }

    /// All rows, the last one included.
    pub fn finish(mut self) -> Vec<Vec<f64>> {
        if self.pending_rows > 0 {
            self.rows.push(self.pending);
        }
        self.rows
    }
}

fn merge(rule: &[Keep], into: &mut [f64], row: &[f64]) {
    for ((keep, into), value) in rule.iter().zip(into).zip(row) {
        *into = match keep {
            Keep::Last => *value,
            Keep::Largest => into.max(*value),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_start_its_end_and_its_largest_values() {
        let mut rows = Thinned::new(100, vec![Keep::Last, Keep::Largest]);
        for k in 0..12_345 {
            let spike = if k == 777 { 1e3 } else { 0.0 };
            rows.push(&[f64::from(k), spike]);
        }
        let rows = rows.finish();
        assert!((50..=102).contains(&rows.len()), "{} rows", rows.len());
        assert_eq!(rows[0], [0.0, 0.0]);
        assert_eq!(rows[rows.len() - 1][0], 12_344.0);
        assert_eq!(rows.iter().filter(|row| row[1] == 1e3).count(), 1);
        assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }
}
