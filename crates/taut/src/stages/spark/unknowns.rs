//! Where the unknowns and the equations of a SPARK step lie.

use std::ops::Range;

use crate::linear::{Behind, SaddlePattern, behind_coordinates};
use crate::system::Structure;

/// The offsets of (V₁ … V_s, hΛ₁ … hΛ_s, v₁), and of the equations in the order that belongs to them: the momentum
/// balances (17b) of the stages, the constraints of the stages, the momentum balance (17f) of the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknowns {
    pub(crate) stages: usize,
    pub(crate) n: usize,
    pub(crate) m: usize,
}

impl Unknowns {
    /// s (n + m) + n
    pub(crate) fn len(self) -> usize {
        self.stages * (self.n + self.m) + self.n
    }

    /// The velocities of stage i, and its momentum balance. Number s is the end of the step.
    pub(crate) fn velocities(self, i: usize) -> Range<usize> {
        let start = if i < self.stages { i * self.n } else { self.stages * (self.n + self.m) };
        start..start + self.n
    }

    /// The multipliers of stage i, times h, and its constraints.
    pub(crate) fn multipliers(self, i: usize) -> Range<usize> {
        let start = self.stages * self.n + i * self.m;
        start..start + self.m
    }

    /// Whose velocities stand for stage i in the error estimate: its own, but with two stages, which have the same ones,
    /// those of the beginning (`None`) and of the end.
    pub(crate) fn estimating_velocities(self, i: usize) -> Option<Range<usize>> {
        match (self.stages, i) {
            (2, 0) => None,
            (2, _) => Some(self.velocities(2)),
            _ => Some(self.velocities(i)),
        }
    }

    /// Stage i of an array with n numbers for each stage.
    pub(crate) fn stage(self, i: usize) -> Range<usize> {
        i * self.n..(i + 1) * self.n
    }

    /// An order of elimination with pivots that stay good: that of a saddle matrix, all stages of an unknown together. The
    /// pivots of hΛᵢ are in the rows of the constraints of stage i + 1, whose positions are the first to depend on it; for the
    /// last one they are in those of the end.
    pub(crate) fn behind_coordinates(self, structure: &Structure) -> Option<Behind> {
        let Unknowns { stages, n, m } = self;
        let saddle = behind_coordinates(&SaddlePattern {
            n,
            m,
            mass: structure.mass.clone(),
            damping: structure.damping.clone(),
            stiffness: structure.stiffness.clone(),
            jacobian: structure.jacobian.clone(),
        })?;
        let alike = |unknown: usize| -> Vec<usize> {
            match unknown.checked_sub(n) {
                None => (0..=stages).map(|i| self.velocities(i).start + unknown).collect(),
                Some(k) => (0..stages).map(|i| self.multipliers(i).start + k).collect(),
            }
        };
        let mut partners: Vec<usize> = (0..self.len()).collect();
        for i in 0..stages {
            self.multipliers(i)
                .zip(self.multipliers((i + 1) % stages))
                .for_each(|(j, row)| partners[j] = row);
        }
        let multipliers = stages * n..stages * (n + m);
        Some(Behind { order: saddle.order.into_iter().flat_map(alike).collect(), partners, multipliers })
    }

    /// The coordinate or constraint that an unknown belongs to, as a row of a saddle matrix.
    pub(crate) fn row_of_saddle(self, unknown: usize) -> usize {
        match unknown.checked_sub(self.stages * self.n) {
            Some(k) if k < self.stages * self.m => self.n + k % self.m,
            Some(k) => k - self.stages * self.m,
            None => unknown % self.n,
        }
    }
}
