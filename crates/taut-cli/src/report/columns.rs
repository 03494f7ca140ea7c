//! Tables for people.

/// A table: names to the left, all else to the right.
pub struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// A table with these heads.
    pub fn new(heads: &[&str]) -> Self {
        Columns { rows: vec![heads.iter().map(|&head| head.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The lines, moved to the right by `indent`.
    pub fn render(&self, indent: usize) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |k: usize| self.rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|k| width(k).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (k, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if k == 0 {
                    line.push_str(&format!("{cell:<width$}"));
                } else {
                    line.push_str(&format!("  {cell:>width$}"));
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
