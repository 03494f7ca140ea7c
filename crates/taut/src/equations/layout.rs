//! The one owner of offsets into state vectors.

use std::ops::Range;

/// Where positions, velocities and multipliers lie in a state vector.
///
/// A mechanical state is (q, v, λ) with n, n and m entries; a partitioned state is (y, z, u) with n, p and m entries, z in
/// the place of v; a first-order state is x alone. All other code asks here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    kind: Kind,
    n: usize,
    /// how many velocities there are
    p: usize,
    m: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mechanical,
    Partitioned,
    FirstOrder,
}

impl Layout {
    /// The layout of (q, v, λ).
    pub fn mechanical(n: usize, m: usize) -> Self {
        Layout { kind: Kind::Mechanical, n, p: n, m }
    }

    /// The layout of (y, z, u).
    pub fn partitioned(n: usize, p: usize, m: usize) -> Self {
        Layout { kind: Kind::Partitioned, n, p, m }
    }

    /// The layout of x.
    pub fn first_order(n: usize) -> Self {
        Layout { kind: Kind::FirstOrder, n, p: 0, m: 0 }
    }

    /// Whether there are positions and velocities.
    pub fn is_mechanical(&self) -> bool {
        self.kind == Kind::Mechanical
    }

    /// n: the number of coordinates, or of variables.
    pub fn n(&self) -> usize {
        self.n
    }

    /// m: the number of multipliers.
    pub fn m(&self) -> usize {
        self.m
    }

    /// The length of a state vector.
    pub fn len(&self) -> usize {
        self.differential() + self.m
    }

    /// Whether a state vector has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of entries that are integrated: (q, v), or x.
    pub fn differential(&self) -> usize {
        self.n + self.p
    }

    /// Where the positions (or the variables) lie.
    pub fn q(&self) -> Range<usize> {
        0..self.n
    }

    /// Where the velocities lie.
    pub fn v(&self) -> Range<usize> {
        self.n..self.n + self.p
    }

    /// Where the multipliers lie.
    pub fn multipliers(&self) -> Range<usize> {
        self.differential()..self.len()
    }

    /// A state vector taken apart: (q, v, λ).
    pub fn split<'a>(&self, y: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        (&y[self.q()], &y[self.v()], &y[self.multipliers()])
    }

    /// A state vector taken apart for writing: (q, v, λ).
    pub fn split_mut<'a>(&self, y: &'a mut [f64]) -> (&'a mut [f64], &'a mut [f64], &'a mut [f64]) {
        let (q, rest) = y.split_at_mut(self.n);
        let (v, lambda) = rest.split_at_mut(self.p);
        (q, v, lambda)
    }
}
