//! What a step keeps for a run that goes on later, to the last bit.

use super::mechanism::{OfMechanism, whole_matrix};
use crate::geometry::evaluated::Evaluated;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::snapshot::{Fields, Snapshot, SnapshotError};

impl OfMechanism<'_> {
    /// Everything that decides how the run goes on.
    pub(super) fn exchange(
        &mut self,
        factored_for: &mut Option<f64>,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.t])?;
        fields.list("y", &mut self.here.y)?;
        fields.list("accelerations", &mut self.here.a)?;
        fields.list("momenta", &mut self.here.p)?;
        fields.list("lost positions", &mut self.here.lost[0])?;
        fields.list("lost momenta", &mut self.here.lost[1])?;
        self.past.fields(fields)?;
        let mut rest = self.frozen.as_ref().map_or(0, |frozen| frozen.rest);
        fields.entry("rest", &mut [&mut rest])?;
        self.frozen.iter_mut().for_each(|frozen| frozen.rest = rest);
        fields.pivots(|pivots| self.exchange_pivots(pivots))?;
        fields.option("factored for", factored_for)?;
        match fields {
            Fields::Saved(snapshot) => {
                self.write_evaluated(snapshot, factored_for.is_some());
                Ok(())
            }
            Fields::Restored(snapshot) => self.read_evaluated(snapshot, factored_for.is_some()),
        }
    }

    /// What was evaluated: M and G as the last stage had them, since evaluated anew they may be rounded otherwise.
    fn write_evaluated(&self, snapshot: &mut Snapshot, has_factors: bool) {
        snapshot.put("mass", &self.manifold.evaluated().mass);
        snapshot.put("Jacobian", &self.manifold.evaluated().jacobian);
        snapshot.put("forces", self.equations.kept_forces());
        let matrix = self.matrix.as_ref().filter(|_| has_factors);
        snapshot.put("matrix", matrix.map_or(&[], |matrix| matrix.whole.values.as_slice()));
    }

    /// The inverse of [`Self::write_evaluated`].
    fn read_evaluated(&mut self, snapshot: &Snapshot, has_factors: bool) -> Result<(), SnapshotError> {
        self.equations.restore_forces(snapshot.get("forces")?);
        if has_factors {
            whole_matrix(&mut self.matrix, &self.equations, self.linear).recall(&self.equations, snapshot)?;
        }
        self.attempted.0 = self.t;
        self.attempted.1.copy_from(&self.here);
        self.constraint_is_here = false;
        self.restore_manifold(snapshot)
    }

    /// Factors M and G of the snapshot, and evaluates the curvature that belongs to them.
    fn restore_manifold(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let Evaluated { mass, jacobian, .. } = self.manifold.evaluated();
        let (mut mass, mut jacobian) = (mass.clone(), jacobian.clone());
        snapshot.copy_to("mass", &mut mass)?;
        snapshot.copy_to("Jacobian", &mut jacobian)?;
        self.manifold.adopt(&mass, &jacobian);
        let (q, v, _) = self.layout.split(&self.here.y);
        let evaluated = self.manifold.evaluate_curvature(self.t, q, v);
        let factored = evaluated.and_then(|()| self.manifold.factor(&mut Statistics::default()));
        factored.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Hands the pivots of all eliminations over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.manifold.exchange_pivots(pivots);
        self.elsewhere.exchange_pivots(pivots);
        if pivots.number(usize::from(self.matrix.is_some())) > 0 {
            let matrix = whole_matrix(&mut self.matrix, &self.equations, self.linear);
            matrix.whole.exchange_pivots(pivots);
        }
        self.frozen.iter_mut().for_each(|frozen| frozen.exchange_pivots(pivots));
    }
}
