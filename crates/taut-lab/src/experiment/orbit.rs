//! Sequences of states.

use super::{DenseSystem, Scheme};
use crate::error::LabError;

/// The states of a method with constant steps, starting values included.
pub struct Orbit {
    /// the step
    pub h: f64,
    /// the states at 0, h, 2h, ...
    pub states: Vec<Vec<f64>>,
}

impl Orbit {
    /// The orbit from starting values, as many as the method needs, up to the state with this number.
    pub fn from(
        scheme: &Scheme,
        system: &DenseSystem,
        h: f64,
        starts: Vec<Vec<f64>>,
        last: usize,
    ) -> Result<Self, LabError> {
        let mut states = starts;
        while states.len() <= last {
            states.push(scheme.step(system, h, &states)?);
        }
        Ok(Orbit { h, states })
    }

    /// Times and states.
    pub fn timed(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.states.iter().enumerate().map(|(j, state)| (j as f64 * self.h, state.as_slice()))
    }

    /// The last state.
    pub fn end(&self) -> &[f64] {
        &self.states[self.states.len() - 1]
    }
}
