//! Where the unknowns and the equations of a step lie.

use std::ops::Range;

/// The offsets of (W₁ … W_s, X₁ … X_s, Z₁ … Z_s, hU₁ … hU_s, z₁), and of the equations in the same order.
///
/// Yᵢ = y₀ + h Wᵢ is where the right-hand sides are evaluated (17a), y₀ + h Xᵢ where constraints are imposed (17c). There
/// are no Xᵢ where both are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknowns {
    pub(crate) stages: usize,
    pub(crate) n: usize,
    pub(crate) p: usize,
    pub(crate) m: usize,
    /// whether constraints are imposed elsewhere
    pub(crate) apart: bool,
}

impl Unknowns {
    pub(crate) fn len(self) -> usize {
        self.second(self.stages).end
    }

    /// W of stage i.
    pub(crate) fn first(self, i: usize) -> Range<usize> {
        i * self.n..(i + 1) * self.n
    }

    /// X of stage i; that of the last one leads to the end of the step.
    pub(crate) fn constrained(self, i: usize) -> Range<usize> {
        self.first(if self.apart { self.stages + i } else { i })
    }

    /// Z of stage i; number s is the end of the step.
    pub(crate) fn second(self, i: usize) -> Range<usize> {
        let multipliers = if i < self.stages { 0 } else { self.stages * self.m };
        let start = self.constrained(self.stages - 1).end + i * self.p + multipliers;
        start..start + self.p
    }

    /// h U of stage i, and the constraints of the stages from the second on; g_t + G f of the end in the place of the
    /// first.
    pub(crate) fn multipliers(self, i: usize) -> Range<usize> {
        let start = self.second(self.stages - 1).end + i * self.m;
        start..start + self.m
    }

    /// The variable or constraint that an unknown belongs to, as an entry of (y, z, u).
    pub(crate) fn entry_of_state(self, unknown: usize) -> usize {
        let (seconds, multipliers) = (self.second(0).start, self.multipliers(0).start);
        match unknown {
            k if k < seconds => k % self.n,
            k if k < multipliers => self.n + (k - seconds) % self.p,
            k if k < multipliers + self.stages * self.m => self.n + self.p + (k - multipliers) % self.m,
            k => self.n + k - multipliers - self.stages * self.m,
        }
    }
}
