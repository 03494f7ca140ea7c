//! How constant steps of an Adams method begin: with a one-step method, until enough of the past is known.

use std::sync::Arc;

use taut_tableau::Tableau;

use super::Adams;
use crate::failure::StepFailure;
use crate::linear::{Combination, Stages};
use crate::motion::Statistics;
use crate::stages::field::Field;

/// A one-step method and its stages.
pub(super) struct Beginning {
    tableau: Arc<Tableau>,
    combination: Combination,
    /// empty before they are needed
    rates: Vec<f64>,
    stage: Vec<f64>,
}

impl Beginning {
    pub(super) fn new(tableau: Arc<Tableau>) -> Self {
        Beginning { tableau, combination: Combination::default(), rates: Vec::new(), stage: Vec::new() }
    }
}

impl<F: Field> Adams<F> {
    /// A step of the one-step method, and the rate at its end.
    pub(super) fn attempt_start(&mut self, to: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, d) = (self.history.time(), self.layout.differential());
        let Beginning { tableau, combination, rates, stage } = &mut self.beginning;
        let h = to - t;
        rates.resize(tableau.stages() * d, 0.0);
        stage.resize(self.y.len(), 0.0);
        rates[..d].copy_from_slice(&self.rate);
        for i in 1..tableau.stages() {
            let known = Stages { values: rates, stride: d };
            combination.add(&self.y, h, &tableau.a().row(i)[..i], known, stage);
            self.field.rate(t + tableau.c()[i] * h, stage, &mut rates[i * d..][..d], count)?;
        }
        let rates = Stages { values: rates, stride: d };
        let y = &mut self.attempted.y;
        y.copy_from_slice(&self.y);
        combination.add(&self.y, h, tableau.b(), rates, y);
        self.field.rate(to, y, &mut self.attempted.rate, count)
    }
}
