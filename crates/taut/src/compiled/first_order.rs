//! A first-order system of formulas in a graph, as a solver sees it.

use std::sync::Arc;

use super::switches::zeros;
use super::{in_order, places, slopes};
use crate::linear::Pattern;
use crate::seen::{
    Arrangement, Composition, Evaluation, FirstOrderExpansion, FirstOrderFormulas, FirstOrderRecursion,
    FirstOrderSystem,
};
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::settings::Setting;
use taut_formula::tape::{Evaluator, Pending, State, States};

/// A first-order model, compiled: E x' = f(t, x) with a constant matrix E that may be singular.
///
/// It implements [`FirstOrderSystem`]. The Jacobian was found symbolically; its pattern holds the entries that are not
/// identically zero.
#[derive(Clone, Debug)]
pub struct FirstOrderModel {
    composition: Composition,
    rate: Evaluator,
    jacobian: Evaluator,
    /// values that change their sign where rates jump
    switches: Evaluator,
    /// the equations for expansion, and the values of formulas of parameters
    series: (Arc<FirstOrderRecursion>, Arc<Graph>, Arc<[f64]>),
}

/// The equations of a first-order model before the parameters have values.
#[derive(Debug)]
pub struct FirstOrderEquations {
    variables: Vec<String>,
    /// the entries of E that are not zero
    mass: Vec<(usize, usize, Setting)>,
    pattern: Pattern,
    /// whether each rate depends on time by itself
    moves: Vec<bool>,
    rate: Arc<Pending>,
    jacobian: Arc<Pending>,
    switches: Arc<Pending>,
    recursion: Arc<FirstOrderRecursion>,
    /// the index of each variable, where it is declared
    index: Option<Vec<u8>>,
}

impl FirstOrderEquations {
    /// Differentiates; what a method asks for is compiled then.
    pub fn new(
        graph: &mut Graph,
        variables: Vec<String>,
        rates: &[Node],
        mass: Vec<(usize, usize, Setting)>,
    ) -> Self {
        let n = variables.len();
        let (pattern, ordered) = jacobian(graph, rates);
        let moves = rates.iter().map(|&rate| graph.depends(rate).on(Depends::TIME)).collect();
        let switches = graph.switches_in_time(rates);
        let leading = |&(i, j, entry): &(usize, usize, Setting)| {
            i == j && i < mass.len() && entry == Setting::Constant(1.0)
        };
        let is_held = mass.len() < n && mass.iter().all(leading);
        let held = is_held.then(|| hessenberg(n, mass.len(), &pattern)).flatten();
        let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, n, 0));
        FirstOrderEquations {
            recursion: Arc::new(FirstOrderRecursion::of(FirstOrderFormulas {
                rates: rates.to_vec(),
                mass: mass.clone(),
                held: held.map(|(u, v)| [u, v]),
            })),
            rate: tape(rates),
            jacobian: tape(&ordered),
            switches: tape(&switches),
            variables,
            mass,
            pattern,
            moves,
            index: None,
        }
    }

    /// Nobody is told where rates jump.
    pub fn forget_jumps(&mut self) {
        self.switches = Arc::new(Pending::new(&[], self.variables.len(), 0));
    }

    /// The same with the index of each variable as it was declared.
    pub fn with_index(mut self, index: Option<Vec<u8>>) -> Self {
        self.index = index;
        self
    }

    /// The names of the variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The equations for expansion in other numbers.
    pub fn for_digits(&self, graph: &Graph, settings: &Arc<[f64]>) -> FirstOrderExpansion {
        self.recursion.with_any_mass(graph, settings)
    }

    /// The model with these values of formulas of parameters.
    pub fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> FirstOrderModel {
        let mass: Vec<_> = self.mass.iter().map(|&(i, j, entry)| (i, j, entry.value(settings))).collect();
        let composition = Composition::new(self.variables.clone(), &mass, self.pattern.clone());
        FirstOrderModel {
            composition: Composition {
                index: self.index.clone(),
                arrangement: arrangement(composition.n(), &mass, &self.pattern, &self.moves),
                ..composition
            },
            rate: Evaluator::new(&self.rate, graph, settings),
            jacobian: Evaluator::new(&self.jacobian, graph, settings),
            switches: Evaluator::new(&self.switches, graph, settings),
            series: (self.recursion.clone(), graph.clone(), settings.clone()),
        }
    }
}

/// ∂f/∂x: its places, and its entries in their order.
pub(crate) fn jacobian(graph: &mut Graph, rates: &[Node]) -> (Pattern, Vec<Node>) {
    let slopes = slopes(graph, rates, Depends::POSITION);
    let pattern = Pattern::from_entries(rates.len(), rates.len(), places(&slopes));
    let ordered = in_order(&pattern, &slopes);
    (pattern, ordered)
}

/// Semi-explicit when the variables with x' = rate come first and the algebraic ones after them.
fn arrangement(n: usize, entries: &[(usize, usize, f64)], jacobian: &Pattern, moves: &[bool]) -> Arrangement {
    let differential = entries.len();
    let leading = entries.iter().all(|&(i, j, entry)| i == j && i < differential && entry == 1.0);
    if !leading || differential >= n {
        return Arrangement::General;
    }
    match hessenberg(n, differential, jacobian).filter(|_| !moves[differential..].contains(&true)) {
        Some((u, v)) => Arrangement::Hessenberg3 { u, v },
        None => Arrangement::SemiExplicit { differential },
    }
}

/// How many variables u and v there are in u' = f(u, v), v' = k(u, v, λ), 0 = g(u), where they are in this order and λ is all
/// that has no derivative.
fn hessenberg(n: usize, differential: usize, jacobian: &Pattern) -> Option<(usize, usize)> {
    let (mut first_v, mut beyond_u, mut reaches_v) = (differential, 0, false);
    for (i, j) in jacobian.entries() {
        if i < differential && j >= differential {
            first_v = first_v.min(i);
        } else if i >= differential {
            beyond_u = beyond_u.max(j + 1);
        }
    }
    for (i, j) in jacobian.entries() {
        reaches_v |= i < first_v && (first_v..differential).contains(&j);
    }
    let multipliers = n - differential;
    let enough = first_v >= multipliers && differential - first_v >= multipliers;
    (beyond_u <= first_v && reaches_v && enough && first_v < differential)
        .then_some((first_v, differential - first_v))
}

impl FirstOrderSystem for FirstOrderModel {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        if self.rate.evaluate(State { t, q: x, ..State::default() }, &mut [rate]) {
            return Ok(());
        }
        self.composition.finite_variables(rate, "the rate", t)
    }

    fn rates_of_several(&self, t: &[f64], x: &[f64], rates: &mut [f64]) -> Evaluation {
        if self.rate.evaluate_many(States { t, q: x, ..States::default() }, &mut [&mut *rates]) {
            return Ok(());
        }
        for (t, rate) in t.iter().zip(rates.chunks_exact(self.composition.n().max(1))) {
            self.composition.finite_variables(rate, "the rate", *t)?;
        }
        Ok(())
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        if self.jacobian.evaluate(State { t, q: x, ..State::default() }, &mut [jacobian]) {
            return Ok(());
        }
        self.composition.finite_jacobian(jacobian, t)
    }

    fn expansion(&self) -> Option<FirstOrderExpansion> {
        let (recursion, graph, settings) = &self.series;
        Some(recursion.with(graph, settings))
    }

    fn switching_times(&self, from: f64, to: f64) -> Vec<f64> {
        zeros(&self.switches, from, to)
    }
}
