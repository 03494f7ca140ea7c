//! What steps of a mechanical system tell about its springs.

use super::{MechanicalStep, Springs};
use crate::motion::SpringSpan;
use crate::springs::TreatedSprings;
use crate::springs::vibrations::{STEP_PER_VIBRATION, SpringMotion};

impl TreatedSprings for MechanicalStep<'_> {
    fn report(&self) -> Option<String> {
        let decided = self.springs == Springs::Decided;
        decided.then(|| self.treatment.report(&self.manifold.neglected.largest)).flatten()
    }

    fn spans(&self) -> Vec<SpringSpan> {
        self.treatment.spans(self.t, &self.manifold.structure().constraints, &self.manifold.neglected.largest)
    }

    fn followed(&self) -> Vec<String> {
        let constraints = self.manifold.structure().constraints.iter().enumerate();
        let followed = constraints.filter(|(k, _)| self.treatment.is(*k, SpringMotion::Followed));
        followed.map(|(_, constraint)| constraint.name.clone()).collect()
    }

    fn longest_step(&self) -> f64 {
        STEP_PER_VIBRATION * self.fastest_followed
    }
}
