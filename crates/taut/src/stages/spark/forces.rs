//! Forces of positions alone, which serve twice: at the end of a step and at the beginning of the next one.

use super::equations::{SparkEquations, add_multiple, of_stage};

impl SparkEquations<'_> {
    /// Whether forces and G of stage i act on no stage, so that they are asked for once, at the end of the iteration.
    pub(super) fn waits(&self, i: usize) -> bool {
        self.last_forces_wait && self.stages_alone && !self.ends && i + 1 == self.unknowns.stages
    }

    /// The step was accepted: forces of positions at its last stage, where that is its end, are those of the first stage of
    /// the next one.
    pub(crate) fn keep_last_forces(&mut self) {
        if !self.forces_of_positions || self.geometry_of_end().is_none() {
            return;
        }
        let last = of_stage(self.unknowns.stages - 1, self.parts.len() * self.unknowns.n);
        let forces = self.first_forces.get_or_insert_with(|| vec![0.0; last.len()]);
        forces.copy_from_slice(&self.forces[last]);
    }

    /// What [`Self::keep_last_forces`] has kept, for a snapshot.
    pub(crate) fn kept_forces(&self) -> &[f64] {
        self.first_forces.as_deref().unwrap_or_default()
    }

    /// The inverse of [`Self::kept_forces`].
    pub(crate) fn restore_forces(&mut self, forces: &[f64]) {
        let fits = forces.len() == self.parts.len() * self.unknowns.n && !forces.is_empty();
        self.first_forces = fits.then(|| forces.to_vec());
    }

    /// The sum of all forces at the end of the step, where they depend on positions alone and are those of the last stage.
    pub(crate) fn force_of_end(&self, force: &mut [f64]) -> bool {
        if !self.forces_of_positions || self.geometry_of_end().is_none() {
            return false;
        }
        let (n, last) = (self.unknowns.n, self.unknowns.stages - 1);
        force.fill(0.0);
        for part in self.forces[of_stage(last, self.parts.len() * n)].chunks_exact(n.max(1)) {
            add_multiple(force, 1.0, part);
        }
        true
    }
}
