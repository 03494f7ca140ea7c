//! Copies of one mechanical model with different parameters.

use crate::seen::Dynamics;
use taut_formula::tape::{Ensemble, States};

use super::MechanicalModel;

/// Copies of one mechanical model, each with its own parameters and its own state, evaluated together in the lanes of a vector
/// unit. Without one they are evaluated one after the other; the results are those of
/// [`MechanicalSystem::dynamics`](crate::seen::MechanicalSystem::dynamics) of each copy, to the last bit.
#[derive(Clone, Debug)]
pub struct MechanicalEnsemble {
    dynamics: Ensemble,
}

impl MechanicalEnsemble {
    /// Of copies that were made from one compiled model; nothing where they were not.
    pub fn new(copies: &[&MechanicalModel]) -> Option<Self> {
        let dynamics = copies.iter().map(|copy| copy.tapes.dynamics.clone()).collect();
        Ensemble::new(dynamics).map(|dynamics| MechanicalEnsemble { dynamics })
    }

    /// M, f, g and G of every copy: t of each, q, v and results of one copy after the other. Whether all of them are finite.
    pub fn dynamics(&mut self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> bool {
        let Dynamics { mass, force, constraint, jacobian } = out;
        let at = States { t, q, v, ..States::default() };
        self.dynamics.evaluate(at, &mut [mass, force, constraint, jacobian])
    }
}
