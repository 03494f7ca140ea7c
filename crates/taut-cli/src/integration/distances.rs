//! Residuals as distances: over the lengths of gradients, where these are far from 1.

use std::ops::RangeInclusive;

use taut::run::View;
use taut::system::MechanicalSystem;

use super::recorder::larger;

/// Between these lengths of gradients residuals can be read as distances as they are.
const ORDINARY: RangeInclusive<f64> = 1e-4..=1e4;

/// How far positions and velocities are off, whatever rows of constraints were multiplied by.
pub struct Distances {
    /// the numbers of the constraints without compliance
    rods: Vec<usize>,
    rows: Vec<f64>,
    jacobian: Vec<f64>,
    lengths: Vec<f64>,
}

impl Distances {
    /// Nothing where residuals at a state are such distances already.
    pub fn of(system: &dyn MechanicalSystem, (t, q, v): (f64, &[f64], &[f64])) -> Option<Self> {
        let structure = system.structure();
        let rods = (0..structure.m()).filter(|&k| structure.constraints[k].compliance() == 0.0).collect();
        let (rows, lengths) = (vec![0.0; structure.m()], vec![0.0; structure.m()]);
        let mut distances = Distances { rods, rows, jacobian: vec![0.0; structure.jacobian.nnz()], lengths };
        distances.measure(system, (t, q, v))?;
        let present = |length: &f64| *length > 0.0;
        let lengths = distances.rods.iter().map(|&k| distances.lengths[k]).filter(present);
        lengths.into_iter().any(|length| !ORDINARY.contains(&length)).then_some(distances)
    }

    /// The lengths of all gradients at a state.
    fn measure(&mut self, system: &dyn MechanicalSystem, (t, q, v): (f64, &[f64], &[f64])) -> Option<()> {
        system.jacobian(t, q, v, &mut self.jacobian).ok()?;
        self.lengths.fill(0.0);
        for (row, value) in system.structure().jacobian.row_indices().iter().zip(&self.jacobian) {
            self.lengths[*row] = self.lengths[*row].hypot(*value);
        }
        Some(())
    }

    /// The largest |g| and |G v + g_t| at the end of a step, over the lengths of their gradients; nothing where they cannot be found.
    pub fn look(
        &mut self,
        system: &dyn MechanicalSystem,
        view: &View<'_>,
        (q, v): (&[f64], &[f64]),
    ) -> Option<[f64; 2]> {
        self.measure(system, (view.t, q, v))?;
        system.constraint(view.t, q, &mut self.rows).ok()?;
        let position = self.largest(view);
        system.constraint_rate(view.t, q, v, &mut self.rows).ok()?;
        Some([position, self.largest(view)])
    }

    fn largest(&self, view: &View<'_>) -> f64 {
        let in_force = self.rods.iter().filter(|k| !view.released.contains(k) && self.lengths[**k] > 0.0);
        in_force.fold(0.0, |most, &k| larger(most, self.rows[k].abs() / self.lengths[k]))
    }
}
