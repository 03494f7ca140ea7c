//! Saving and restoring what fully implicit steps remember.

use super::{BlocksAge, ImplicitCore, Turning, Yields};
use crate::snapshot::{Snapshot, SnapshotError};
use crate::stages::stage_equations::StageEquations;

impl ImplicitCore {
    /// What has gone wrong since the last accepted step: all that is kept by methods that only begin with these steps.
    pub(crate) fn troubles(&self) -> [f64; 2] {
        [self.failures as f64, self.rejections as f64]
    }

    /// The inverse of [`ImplicitCore::troubles`].
    pub(crate) fn recall_troubles(&mut self, [failures, rejections]: [f64; 2]) {
        (self.failures, self.rejections) = (failures as usize, rejections as usize);
    }

    /// Writes down what decides how the run goes on, derivative blocks included.
    pub(crate) fn save(&self, equations: &dyn StageEquations, snapshot: &mut Snapshot) {
        let memory = self.newton.memory();
        let numbers = [self.current as f64, self.past.method as f64, self.past.h, memory[0], memory[1]];
        snapshot.put("implicit", &numbers);
        let steps = [self.steps_since_failure, self.steps_before_raise].map(|steps| steps as f64);
        snapshot.put("order", &[self.contraction_before, steps[0], steps[1]]);
        let Yields { time, work, of_few } = self.yields;
        snapshot.put("yields", &[time, work, of_few, self.trouble]);
        snapshot.put("turning", &self.turning.memory());
        snapshot.put("contractions", &self.contractions_per_length);
        snapshot.put("stages", &self.past.unknowns);
        let blocks = if self.keeps_blocks() { equations.blocks() } else { Vec::new() };
        snapshot.put("blocks", &blocks);
        let factored = self.factored_for.filter(|_| self.keeps_blocks());
        snapshot.put("factored", &factored.map_or([0.0, 0.0], |(h, method)| [h, method as f64]));
    }

    /// Goes on from a snapshot.
    pub(crate) fn restore(
        &mut self,
        equations: &mut dyn StageEquations,
        snapshot: &Snapshot,
    ) -> Result<(), SnapshotError> {
        let [current, past_method, h, eta, contraction] = snapshot.numbers("implicit")?;
        let [contraction_before, since_failure, before_raise] = snapshot.numbers("order")?;
        let methods = self.methods.len() + self.higher.len();
        self.current = snapshot.index("implicit", current, methods)?;
        self.past.method = snapshot.index("implicit", past_method, methods)?;
        if !self.make_ready(self.current.max(self.past.method)) {
            return Err(SnapshotError::Value { name: "implicit".to_owned(), value: current });
        }
        self.past.h = h;
        self.past.again = false;
        let stages = if h == 0.0 { 0 } else { self.methods[self.past.method].stages };
        self.past.unknowns = vec![0.0; stages * equations.unknowns()];
        snapshot.copy_to("stages", &mut self.past.unknowns)?;
        self.newton.recall([eta, contraction]);
        self.contractions_per_length = snapshot.numbers("contractions")?;
        // Snapshots of earlier versions do not know it.
        self.turning = snapshot.numbers("turning").map(Turning::recall).unwrap_or_default();
        self.contraction_before = contraction_before;
        self.steps_since_failure = since_failure as usize;
        self.steps_before_raise = before_raise as usize;
        let [time, work, of_few, trouble] = snapshot.numbers("yields")?;
        self.trouble = trouble;
        self.yields = Yields { time, work, of_few };
        self.factored_for = None;
        let [factored_h, factored_method] = snapshot.numbers("factored")?;
        self.factored_before = Some((factored_h, factored_method as usize));
        let kept = equations.set_blocks(snapshot.get("blocks")?);
        self.blocks = if kept { BlocksAge::EarlierStep } else { BlocksAge::None };
        Ok(())
    }
}
