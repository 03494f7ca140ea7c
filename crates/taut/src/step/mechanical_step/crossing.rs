//! Steps of a mechanical system across singular configurations.

use super::MechanicalStep;
use crate::failure::StepFailure;
use crate::motion::Statistics;

impl MechanicalStep<'_> {
    /// From now on steps with so many stages cross singular configurations.
    pub(crate) fn cross(&mut self, stages: usize) {
        self.crosses = true;
        self.stages.give_stages_own_blocks(stages);
    }

    /// Gets ready at a singular configuration, whose accelerations and multipliers are known.
    pub(crate) fn begin_on_branch(
        &mut self,
        t: f64,
        y: &[f64],
        a: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split(y);
        self.manifold.evaluate(t, q, v, count)?;
        self.a.copy_from_slice(a);
        self.keep(t, y);
        Ok(())
    }

    /// The accelerations at the state that was settled.
    pub(crate) fn settled_accelerations(&self) -> &[f64] {
        &self.a
    }
}
