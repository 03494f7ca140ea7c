//! The one owner of offsets into the state of a first-order view.

use std::ops::Range;

/// Where positions, velocities, accelerations and multipliers lie in the state x = (q, v, a, λ, μ) of a
/// [`FirstOrderView`](super::FirstOrderView), and in its rows: the equations of q', of v', of motion, of the
/// constraints and of the constraints that are imposed a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLayout {
    n: usize,
    m: usize,
    second: usize,
}

/// A state (or the rows) of a first-order view taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<S> {
    /// positions q
    pub q: S,
    /// velocities v
    pub v: S,
    /// accelerations a
    pub a: S,
    /// multipliers λ
    pub lambda: S,
    /// second multipliers μ
    pub mu: S,
}

impl ViewLayout {
    pub(super) fn new(n: usize, m: usize, second: usize) -> Self {
        ViewLayout { n, m, second }
    }

    /// The length of a state.
    pub fn len(&self) -> usize {
        self.mu().end
    }

    /// Whether a state has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the positions lie.
    pub fn q(&self) -> Range<usize> {
        0..self.n
    }

    /// Where the velocities lie.
    pub fn v(&self) -> Range<usize> {
        after(self.q(), self.n)
    }

    /// Where the accelerations lie.
    pub fn a(&self) -> Range<usize> {
        after(self.v(), self.n)
    }

    /// Where the multipliers lie.
    pub fn lambda(&self) -> Range<usize> {
        after(self.a(), self.m)
    }

    /// Where the second multipliers lie.
    pub fn mu(&self) -> Range<usize> {
        after(self.lambda(), self.second)
    }

    /// A state taken apart.
    pub fn split<'x>(&self, x: &'x [f64]) -> Parts<&'x [f64]> {
        Parts {
            q: &x[self.q()],
            v: &x[self.v()],
            a: &x[self.a()],
            lambda: &x[self.lambda()],
            mu: &x[self.mu()],
        }
    }

    /// A state taken apart for writing.
    pub fn split_mut<'x>(&self, x: &'x mut [f64]) -> Parts<&'x mut [f64]> {
        let (q, rest) = x.split_at_mut(self.n);
        let (v, rest) = rest.split_at_mut(self.n);
        let (a, rest) = rest.split_at_mut(self.n);
        let (lambda, mu) = rest.split_at_mut(self.m);
        Parts { q, v, a, lambda, mu }
    }

    /// The state with these positions, velocities, accelerations and multipliers; the second multipliers are 0.
    ///
    /// [`consistent_start`](crate::start::consistent_start) finds all four.
    pub fn state(&self, q: &[f64], v: &[f64], a: &[f64], lambda: &[f64]) -> Vec<f64> {
        [q, v, a, lambda, &vec![0.0; self.second]].concat()
    }

    /// The mechanical state (q, v, λ), in the order of [`Layout::mechanical`](super::Layout::mechanical).
    pub fn mechanical_state(&self, x: &[f64]) -> Vec<f64> {
        let Parts { q, v, lambda, .. } = self.split(x);
        [q, v, lambda].concat()
    }
}

fn after(range: Range<usize>, length: usize) -> Range<usize> {
    range.end..range.end + length
}
