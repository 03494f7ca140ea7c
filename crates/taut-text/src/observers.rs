//! The extra columns of `[observe]`.

use std::cell::RefCell;
use std::sync::Arc;

use taut::equations::Layout;
use taut::motion::Accelerations;
use taut::system::Constraint;
use taut_formula::graph::{Depends, Graph};
use taut_formula::tape::{Evaluator, Pending, State};

use crate::model::System;

/// The extra columns that a model asks for.
#[derive(Clone, Debug)]
pub struct Observers {
    names: Vec<String>,
    tape: Evaluator,
    layout: Layout,
    /// the multipliers of the formulas among those of the state
    multipliers: Vec<usize>,
    accelerations: Option<RefCell<Accelerations>>,
}

/// The extra columns before the parameters have values.
#[derive(Debug)]
pub(crate) struct Observations {
    pub(crate) names: Vec<String>,
    pub(crate) tape: Arc<Pending>,
    /// what the formulas depend on
    pub(crate) needs: Depends,
    /// the names of the constraints, in the order of the multipliers in the formulas
    pub(crate) reactions: Vec<String>,
}

impl Observations {
    /// The columns of a system with these values of formulas of parameters.
    pub(crate) fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>, system: &System) -> Observers {
        let mechanism = system.mechanism();
        let layout = match mechanism.map(|system| system.structure()) {
            Some(structure) => Layout::mechanical(structure.n(), structure.m()),
            None => Layout::first_order(system.variables()),
        };
        let constraints = mechanism.map_or(&[][..], |system| &system.structure().constraints);
        let needs_multipliers = self.needs.on(Depends::MULTIPLIER);
        let reactions = if needs_multipliers { &self.reactions[..] } else { &[] };
        let accelerations = mechanism
            .filter(|_| self.needs.on(Depends::ACCELERATION))
            .map(|system| RefCell::new(Accelerations::new(system.structure())));
        Observers {
            names: self.names.clone(),
            tape: Evaluator::new(&self.tape, graph, settings),
            layout,
            multipliers: places_of_multipliers(reactions, constraints),
            accelerations,
        }
    }
}

/// The places of multipliers by the names of their constraints; beyond all of them for a constraint that there is not. Names
/// come in nearly the order of the constraints: each is looked for behind the one before it first, so that many cost no more
/// than their number.
pub(crate) fn places_of_multipliers(names: &[String], constraints: &[Constraint]) -> Vec<usize> {
    let mut next = 0;
    let place = |name: &String| {
        let mut places = (next..constraints.len()).chain(0..next);
        let place = places.find(|&k| constraints[k].name == *name);
        next = place.map_or(next, |place| place + 1);
        place.unwrap_or(usize::MAX)
    };
    names.iter().map(place).collect()
}

impl Observers {
    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether one of them takes multipliers or accelerations.
    pub fn take_reactions(&self) -> bool {
        self.accelerations.is_some() || !self.multipliers.is_empty()
    }

    /// Whether one of them takes accelerations.
    pub fn take_accelerations(&self) -> bool {
        self.accelerations.is_some()
    }

    /// Their values at a state without multipliers, in the order of the names; not a number where they take multipliers or
    /// accelerations, which [`Model::observe`](crate::Model::observe) finds. A first-order model has q = x and no v.
    pub fn evaluate(&self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        let unknown = vec![f64::NAN; q.len().max(self.multipliers.len())];
        let lambda = &unknown[..self.multipliers.len()];
        self.tape.evaluate(State { t, q, v, a: &unknown, lambda }, &mut [values]);
    }

    /// Their values at a state vector.
    pub(crate) fn observe(&self, system: &System, t: f64, y: &[f64], values: &mut [f64]) {
        let (q, v, lambda) = self.layout.split(y);
        if self.accelerations.is_none() && self.multipliers.is_empty() {
            self.tape.evaluate(State { t, q, v, ..State::default() }, &mut [values]);
            return;
        }
        let used: Vec<f64> =
            self.multipliers.iter().map(|&k| lambda.get(k).copied().unwrap_or(f64::NAN)).collect();
        let mut found = self.accelerations.as_ref().map(RefCell::borrow_mut);
        let accelerations =
            found.as_mut().zip(system.mechanism()).and_then(|(a, system)| a.at(system, t, (q, v, lambda)));
        let unknown = vec![f64::NAN; q.len()];
        let a = accelerations.unwrap_or(&unknown);
        self.tape.evaluate(State { t, q, v, a, lambda: &used }, &mut [values]);
    }
}

#[cfg(test)]
mod tests {
    use taut::system::Constraint;

    use super::places_of_multipliers;

    #[test]
    fn multipliers_are_found_in_any_order() {
        let constraints = ["a", "b", "c"].map(Constraint::rod);
        let names = ["b", "c", "a", "none", "a", "c", "b"].map(String::from);
        assert_eq!(places_of_multipliers(&names, &constraints), [1, 2, 0, usize::MAX, 0, 2, 1]);
        assert_eq!(places_of_multipliers(&names[..1], &[]), [usize::MAX]);
    }
}
