//! Saving and restoring what fully implicit steps remember.

use super::{Factored, ImplicitCore, Yields};
use crate::snapshot::{Field, Fields, SnapshotError};
use crate::stages::stage_equations::StageEquations;

impl ImplicitCore {
    /// What has gone wrong since the last accepted step: all that is kept by methods that only begin with these steps.
    pub(crate) fn troubles(&mut self) -> [&mut usize; 2] {
        [&mut self.failures, &mut self.rejections]
    }

    /// What decides how the run goes on, derivative blocks included.
    pub(crate) fn fields(
        &mut self,
        equations: &mut dyn StageEquations,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        let [eta, contraction] = self.newton.memory();
        let implicit: &mut [&mut dyn Field] =
            &mut [&mut self.current, &mut self.past.method, &mut self.past.h, eta, contraction];
        fields.entry("implicit", implicit)?;
        let order: &mut [&mut dyn Field] =
            &mut [&mut self.contraction_before, &mut self.steps_since_failure, &mut self.steps_before_raise];
        fields.entry("order", order)?;
        let Yields { time, work, of_few } = &mut self.yields;
        fields.entry("yields", &mut [time, work, of_few, &mut self.trouble])?;
        self.turning.fields(fields)?;
        fields.list("contractions", &mut self.contractions_per_length)?;
        if fields.restored().is_some() {
            self.make_room(equations)?;
        }
        fields.list("stages", &mut self.past.unknowns)?;
        self.factors(equations, fields)
    }

    /// Room for the stages of the last step, whose methods are known.
    fn make_room(&mut self, equations: &dyn StageEquations) -> Result<(), SnapshotError> {
        let highest = self.current.max(self.past.method);
        if highest >= self.methods.len() + self.higher.len() || !self.make_ready(highest) {
            return Err(SnapshotError::Value { name: "implicit".to_owned(), value: highest as f64 });
        }
        let stages = if self.past.h == 0.0 { 0 } else { self.methods[self.past.method].stages };
        self.past.unknowns = vec![0.0; stages * equations.unknowns()];
        self.past.again = false;
        Ok(())
    }

    /// Blocks, and what they were factored for.
    fn factors(
        &mut self,
        equations: &mut dyn StageEquations,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        let Factored { mut length, mut method } =
            self.reuse.kept().unwrap_or(Factored { length: 0.0, method: 0 });
        fields.entry("factored", &mut [&mut length, &mut method])?;
        self.reuse.blocks(equations, 1, fields)?;
        if fields.restored().is_some() {
            self.reuse.was_factored(Factored { length, method });
        }
        Ok(())
    }
}
