use super::{DoubleDouble, Scalar, dot};
use std::ops::{Index, IndexMut};

/// A small dense matrix, stored by rows. `matrix[(i, j)]` is the entry in row i and column j, both from zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T = f64> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
}

impl<T: Scalar> Matrix<T> {
    /// The matrix with the entries `entry(i, j)`.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                entries.push(entry(i, j));
            }
        }
        Self { rows, columns, entries }
    }

    /// The zero matrix.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self::from_fn(rows, columns, |_, _| T::from(0.0))
    }

    /// The identity.
    pub fn identity(size: usize) -> Self {
        Self::from_fn(size, size, |i, j| T::from(if i == j { 1.0 } else { 0.0 }))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row as a slice.
    pub fn row(&self, i: usize) -> &[T] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// All entries, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// The matrix of the same shape with every entry mapped.
    pub fn map<U: Scalar>(&self, mut entry: impl FnMut(T) -> U) -> Matrix<U> {
        Matrix::from_fn(self.rows, self.columns, |i, j| entry(self[(i, j)]))
    }

    /// The transpose.
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// The product with a vector.
    pub fn times(&self, vector: &[T]) -> Vec<T> {
        (0..self.rows).map(|i| dot(self.row(i), vector)).collect()
    }

    /// The product with another matrix.
    pub fn product(&self, other: &Self) -> Self {
        Self::from_fn(self.rows, other.columns, |i, j| {
            (0..self.columns).fold(T::from(0.0), |sum, k| sum + self[(i, k)] * other[(k, j)])
        })
    }

    /// The sum `self + factor * other`.
    pub fn plus(&self, factor: T, other: &Self) -> Self {
        Self::from_fn(self.rows, self.columns, |i, j| self[(i, j)] + factor * other[(i, j)])
    }

    /// The largest absolute value of an entry.
    pub fn largest(&self) -> f64 {
        self.entries.iter().fold(0.0, |largest, entry| entry.magnitude().max(largest))
    }
}

impl Matrix<DoubleDouble> {
    /// The matrix rounded to `f64`, each entry once.
    pub fn to_f64(&self) -> Matrix {
        self.map(DoubleDouble::to_f64)
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.entries[i * self.columns + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.entries[i * self.columns + j]
    }
}
