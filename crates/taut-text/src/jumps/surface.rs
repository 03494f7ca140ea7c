//! The surface on which a switch jumps, with values of the parameters.

use std::sync::Arc;

use taut::system::{Evaluation, Fault, VelocityCondition};
use taut_formula::graph::Graph;
use taut_formula::tape::{Evaluator, State};

use super::formulas::SurfaceFormulas;

/// h = 0, where h is the argument of a switch less the place at which its branch changes.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    name: String,
    level: f64,
    argument: Evaluator,
    slope: Evaluator,
    pub(super) places: Vec<usize>,
    normal: Evaluator,
    is_flat: bool,
    pub(super) bends: Vec<(usize, usize)>,
    bending: Evaluator,
    /// no accelerations
    at_rest: Vec<f64>,
}

impl Surface {
    pub(super) fn new(
        formulas: &SurfaceFormulas,
        (name, level): (String, f64),
        n: usize,
        graph: &Arc<Graph>,
        settings: &Arc<[f64]>,
    ) -> Self {
        let evaluator = |tape| Evaluator::new(tape, graph, settings);
        Surface {
            name,
            level,
            argument: evaluator(&formulas.argument),
            slope: evaluator(&formulas.slope),
            places: formulas.places.clone(),
            normal: evaluator(&formulas.normal),
            is_flat: formulas.is_flat,
            bends: formulas.bends.clone(),
            bending: evaluator(&formulas.bending),
            at_rest: vec![0.0; n],
        }
    }

    /// h' at a state of a first-order model with these rates.
    pub(super) fn slope(&self, t: f64, x: &[f64], rates: &[f64]) -> f64 {
        one(&self.slope, State { t, q: x, v: rates, ..State::default() })
    }

    /// The derivatives of h' by the state and by the rates.
    pub(super) fn slope_changes(
        &self,
        t: f64,
        x: &[f64],
        rates: &[f64],
        by_state: &mut [f64],
        by_rates: &mut [f64],
    ) {
        let at = State { t, q: x, v: rates, ..State::default() };
        self.bending.evaluate(at, &mut [by_state]);
        self.normal.evaluate(at, &mut [by_rates]);
    }

    fn fault(&self, t: f64) -> Fault {
        Fault::NotFinite { quantity: "the gradient", name: self.name.clone(), t }
    }
}

/// The one result of a tape; not a number where it has none.
fn one(tape: &Evaluator, at: State<'_>) -> f64 {
    tape.evaluate_with(at, |values| values[0]).unwrap_or(f64::NAN)
}

impl VelocityCondition for Surface {
    fn name(&self) -> &str {
        &self.name
    }

    fn places(&self) -> &[usize] {
        &self.places
    }

    fn is_linear(&self) -> bool {
        self.is_flat
    }

    fn value(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        one(&self.argument, State { t, q, v, ..State::default() }) - self.level
    }

    fn gradient(&self, t: f64, q: &[f64], v: &[f64], gradient: &mut [f64]) -> Evaluation {
        match self.normal.evaluate(State { t, q, v, ..State::default() }, &mut [gradient]) {
            true => Ok(()),
            false => Err(self.fault(t)),
        }
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        one(&self.slope, State { t, q, v, a: &self.at_rest, lambda: &[] })
    }

    fn stiffness_places(&self) -> &[(usize, usize)] {
        &self.bends
    }

    fn stiffness(&self, t: f64, q: &[f64], v: &[f64], mu: f64, stiffness: &mut [f64]) -> Evaluation {
        let at = State { t, q, v, a: &[], lambda: &[mu] };
        match self.bending.evaluate(at, &mut [stiffness]) {
            true => Ok(()),
            false => Err(self.fault(t)),
        }
    }
}
