//! What a step keeps for a run that goes on later, to the last bit.

use super::SparkStep;
use super::solving::whole_matrix;
use crate::geometry::evaluated::Evaluated;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::snapshot::{Snapshot, SnapshotError};

impl SparkStep<'_> {
    /// Everything that decides how the run goes on.
    pub(super) fn write(&mut self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.t]);
        snapshot.put("y", &self.here.y);
        snapshot.put("accelerations", &self.here.a);
        snapshot.put("momenta", &self.here.p);
        snapshot.put("lost positions", &self.here.lost[0]);
        snapshot.put("lost momenta", &self.here.lost[1]);
        self.past.save(snapshot);
        // M and G as the last stage had them; evaluated anew they may be rounded otherwise.
        snapshot.put("mass", &self.manifold.evaluated().mass);
        snapshot.put("Jacobian", &self.manifold.evaluated().jacobian);
        snapshot.put("forces", self.equations.kept_forces());
        snapshot.put("factored for", self.factored_for.as_slice());
        let matrix = self.matrix.as_ref().filter(|_| self.factored_for.is_some());
        snapshot.put("matrix", matrix.map_or(&[], |matrix| matrix.whole.values.as_slice()));
        snapshot.put("rest", &[self.frozen.as_ref().map_or(0.0, |frozen| frozen.rest as f64)]);
        snapshot.put_pivots(|pivots| self.exchange_pivots(pivots));
    }

    /// Goes on from a snapshot.
    pub(super) fn read(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        [self.t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.here.y)?;
        snapshot.copy_to("accelerations", &mut self.here.a)?;
        snapshot.copy_to("momenta", &mut self.here.p)?;
        snapshot.copy_to("lost positions", &mut self.here.lost[0])?;
        snapshot.copy_to("lost momenta", &mut self.here.lost[1])?;
        self.equations.restore_forces(snapshot.get("forces")?);
        self.past.restore(snapshot)?;
        snapshot.restore_pivots(|pivots| self.exchange_pivots(pivots))?;
        self.factored_for = snapshot.get("factored for")?.first().copied();
        if self.factored_for.is_some() {
            whole_matrix(&mut self.matrix, &self.equations, &self.options)
                .recall(&self.equations, snapshot)?;
        }
        let [rest] = snapshot.numbers("rest")?;
        if let Some(frozen) = &mut self.frozen {
            frozen.rest = rest as usize;
        }
        self.attempted.0 = self.t;
        self.attempted.1.copy_from(&self.here);
        self.restore_manifold(snapshot)
    }

    /// Factors M and G of the snapshot.
    fn restore_manifold(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let Evaluated { mass, jacobian, .. } = self.manifold.evaluated();
        let (mut mass, mut jacobian) = (mass.clone(), jacobian.clone());
        snapshot.copy_to("mass", &mut mass)?;
        snapshot.copy_to("Jacobian", &mut jacobian)?;
        self.manifold.adopt(&mass, &jacobian);
        let factored = self.manifold.factor(&mut Statistics::default());
        factored.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Hands the pivots of all eliminations over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.manifold.exchange_pivots(pivots);
        self.elsewhere.exchange_pivots(pivots);
        if pivots.number(usize::from(self.matrix.is_some())) > 0 {
            let matrix = whole_matrix(&mut self.matrix, &self.equations, &self.options);
            matrix.whole.exchange_pivots(pivots);
        }
        self.frozen.iter_mut().for_each(|frozen| frozen.exchange_pivots(pivots));
    }
}
