//! When steps of explicit methods count as short for stability only.

use crate::snapshot::{Snapshot, SnapshotError};

/// So many such steps count as stiffness; so many others, in between, as none.
const STIFF_STEPS: usize = 15;
const CALM_STEPS: usize = 6;

/// Counts steps that were short for stability only.
#[derive(Debug, Default)]
pub(crate) struct StiffnessWatch {
    stiff_steps: usize,
    calm_steps: usize,
    ended: bool,
}

impl StiffnessWatch {
    /// A step was accepted; `short` when it was short for stability only.
    pub(crate) fn note(&mut self, short: bool) {
        if short {
            self.calm_steps = 0;
            self.stiff_steps += usize::from(!self.ended);
        } else {
            self.calm_steps += 1;
            if self.calm_steps >= CALM_STEPS {
                self.stiff_steps = 0;
            }
        }
    }

    pub(crate) fn finds_stiffness(&self) -> bool {
        self.stiff_steps >= STIFF_STEPS
    }

    /// Nobody wants to know any more.
    pub(crate) fn end(&mut self) {
        (self.stiff_steps, self.ended) = (0, true);
    }

    pub(crate) fn save(&self, snapshot: &mut Snapshot) {
        let steps = [self.stiff_steps, self.calm_steps, usize::from(self.ended)];
        snapshot.put("stiffness", &steps.map(|steps| steps as f64));
    }

    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let [stiff, calm, ended] = snapshot.numbers("stiffness")?;
        (self.stiff_steps, self.calm_steps) = (stiff as usize, calm as usize);
        self.ended = ended != 0.0;
        Ok(())
    }
}
