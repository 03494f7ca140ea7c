//! What a step keeps for a run that goes on later, to the last bit.

use super::SparkStep;
use super::solving::whole_matrix;
use crate::motion::Statistics;
use crate::run::{Snapshot, SnapshotError};
use crate::step::evaluated::Evaluated;

impl SparkStep<'_> {
    /// Everything that decides how the run goes on.
    pub(super) fn write(&self, snapshot: &mut Snapshot) {
        snapshot.put("t", &[self.t]);
        snapshot.put("y", &self.here.y);
        snapshot.put("momenta", &self.here.p);
        snapshot.put("lost positions", &self.here.lost[0]);
        snapshot.put("lost momenta", &self.here.lost[1]);
        self.past.save(snapshot);
        // M and G as the last stage had them; evaluated anew they may be rounded otherwise.
        let known = self.manifold_is_here.then_some(self.manifold.evaluated());
        snapshot.put("mass", known.map_or(&[], |known| &known.mass));
        snapshot.put("Jacobian", known.map_or(&[], |known| &known.jacobian));
        snapshot.put("factored for", self.factored_for.as_slice());
        let matrix = self.matrix.as_ref().filter(|_| self.factored_for.is_some());
        snapshot.put("matrix", matrix.map_or(&[], |matrix| matrix.whole.values.as_slice()));
        snapshot.put("rest", &[self.frozen.as_ref().map_or(0.0, |frozen| frozen.rest as f64)]);
        // A sparse elimination keeps its pivots, and other pivots make other rounding errors.
        snapshot.put("pivots", self.manifold.pivots_chosen_for());
        snapshot.put("pivots elsewhere", self.elsewhere.pivots_chosen_for());
        let matrix = self.matrix.as_ref();
        snapshot.put("pivots of the matrix", matrix.map_or(&[], |matrix| matrix.whole.pivots_chosen_for()));
        let mass = self.frozen.as_ref();
        snapshot.put("pivots of M", mass.map_or(&[], |frozen| frozen.pivots_chosen_for()));
    }

    /// Goes on from a snapshot.
    pub(super) fn read(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        [self.t] = snapshot.numbers("t")?;
        snapshot.copy_to("y", &mut self.here.y)?;
        snapshot.copy_to("momenta", &mut self.here.p)?;
        snapshot.copy_to("lost positions", &mut self.here.lost[0])?;
        snapshot.copy_to("lost momenta", &mut self.here.lost[1])?;
        self.past.restore(snapshot)?;
        self.restore_pivots(snapshot)?;
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
        self.restore_manifold(snapshot)?;
        let begun = self.begin_here(&mut Statistics::default());
        begun.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Factors M and G of the snapshot, or where it has none, of its state.
    fn restore_manifold(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let (mass, jacobian) = (snapshot.get("mass")?, snapshot.get("Jacobian")?);
        let Evaluated { mass: own_mass, jacobian: own_jacobian, .. } = self.manifold.evaluated();
        let known = (mass.len(), jacobian.len()) == (own_mass.len(), own_jacobian.len());
        let (q, v, _) = self.layout.split(&self.here.y);
        let evaluated = match known {
            true => {
                self.manifold.adopt(mass, jacobian);
                Ok(())
            }
            false => self.manifold.evaluate_geometry(self.t, q, v),
        };
        let factored = evaluated.and_then(|()| self.manifold.factor(&mut Statistics::default()));
        factored.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Chooses the pivots of all sparse eliminations as they were.
    fn restore_pivots(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        fits(self.manifold.choose_pivots_for(snapshot.get("pivots")?))?;
        fits(self.elsewhere.choose_pivots_for(snapshot.get("pivots elsewhere")?))?;
        let of_matrix = snapshot.get("pivots of the matrix")?;
        if !of_matrix.is_empty() {
            let matrix = whole_matrix(&mut self.matrix, &self.equations, &self.options);
            fits(matrix.whole.choose_pivots_for(of_matrix))?;
        }
        match &mut self.frozen {
            Some(frozen) => fits(frozen.choose_pivots_for(snapshot.get("pivots of M")?)),
            None => Ok(()),
        }
    }
}

/// Pivots from a snapshot have to fit.
pub(super) fn fits(pivots: bool) -> Result<(), SnapshotError> {
    if pivots { Ok(()) } else { Err(SnapshotError::Unusable("its pivots do not fit".to_owned())) }
}
