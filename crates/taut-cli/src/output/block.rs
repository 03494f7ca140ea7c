//! A few thousand rows, turned into columns.

/// About this many numbers are held at once.
const NUMBERS: usize = 1 << 18;
/// A block has at most this many rows.
const MOST_ROWS: usize = 1 << 14;

/// Rows that wait to be written column by column.
pub struct Block {
    columns: Vec<Vec<f64>>,
    rows: usize,
    capacity: usize,
}

impl Block {
    /// An empty block with so many columns.
    pub fn new(columns: usize) -> Self {
        let capacity = (NUMBERS / columns.max(1)).clamp(1, MOST_ROWS);
        Block { columns: vec![Vec::with_capacity(capacity); columns], rows: 0, capacity }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64]) {
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(*value);
        }
        self.rows += 1;
    }

    /// Whether the block should be written.
    pub fn is_full(&self) -> bool {
        self.rows == self.capacity
    }

    /// How many rows it has when it is full.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.rows = 0;
    }
}
