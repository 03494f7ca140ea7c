//! Steps across a branch of the formulas.
//!
//! Many stages on both sides of a kink or of a jump may lie on one polynomial by chance, and the estimate of the error sees
//! nothing. But where formulas are known, it is known what they branch at, and whether all stages took the same side of it.

use super::FirstOrderStep;

/// What formulas branch at.
#[derive(Default)]
pub(super) struct Branches {
    /// the values at the beginning of the step, and at a stage
    before: Vec<f64>,
    after: Vec<f64>,
}

impl FirstOrderStep<'_> {
    /// Whether a formula took another branch at one of the stages than at the beginning of the step.
    pub(super) fn crosses_branch(&mut self) -> bool {
        let Branches { before, after } = &mut self.branches;
        self.system.branches(self.t, &self.x, before);
        if before.is_empty() {
            return false;
        }
        self.stages.states().any(|(t, x)| {
            self.system.branches(t, x, after);
            after.iter().zip(&*before).any(|(after, before)| (*after > 0.0) != (*before > 0.0))
        })
    }
}
