//! A Hamiltonian or partitioned system of formulas in a graph, as a solver sees it.
//!
//! The formulas have all of (y, z, u) as positions, one after the other: so they serve SPARK methods as a partitioned
//! system, and all other methods as y' = f(y, z), z' = k(y, z, u), 0 = g(y).

mod canonical;
mod mass;
mod system;

use std::cell::RefCell;
use std::sync::Arc;

use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::settings::Setting;
use taut_formula::tape::{Evaluator, Pending};

use super::first_order::{FirstOrderEquations, FirstOrderModel};
use super::{Entries, in_order, places, slopes};
use crate::linear::Pattern;
use crate::seen::{PartitionStructure, PresentPart, RatePart};

pub use canonical::{canonical_parts, usual_reaction};

/// What is given of a partitioned system, as nodes of a graph.
#[derive(Debug)]
pub struct PartitionFormulas {
    /// the names of y
    pub first: Vec<String>,
    /// the names of z
    pub second: Vec<String>,
    /// the names of the constraints
    pub constraints: Vec<String>,
    /// f⁽ᵐ⁾, then k⁽ᵐ⁾ of each part
    pub parts: Vec<(RatePart, Vec<Node>)>,
    /// M(y) z, where M is not the identity: its entries that are not zero
    pub mass: Vec<(usize, usize, Node)>,
    /// the share of the rate of each of (y, z) that is damped; empty where nothing is
    pub damping: Vec<Node>,
    /// g(t, y)
    pub equations: Vec<Node>,
    /// the energy, where there is one
    pub energy: Option<Node>,
    /// whether nothing but the formulas of the energy and resting constraints act
    pub is_closed: bool,
}

impl PartitionFormulas {
    /// The names of (y, z, u); multipliers are called as in the output of mechanisms.
    pub fn variables(&self) -> Vec<String> {
        let multipliers = self.constraints.iter().map(|name| format!("lambda.{name}"));
        self.first.iter().chain(&self.second).cloned().chain(multipliers).collect()
    }

    /// All nodes that rates and constraints are made of.
    pub fn nodes(&mut self) -> Vec<&mut Node> {
        let rates = self.parts.iter_mut().flat_map(|(_, rates)| rates);
        let mass = self.mass.iter_mut().map(|(_, _, entry)| entry);
        rates.chain(&mut self.equations).chain(mass).collect()
    }

    /// y' and z'.
    pub fn rates(&self, graph: &mut Graph) -> Vec<Node> {
        let mut rates = self.sum_of_parts(graph);
        if !self.mass.is_empty() {
            mass::solve(graph, self, &mut rates);
        }
        rates
    }

    /// The sum of all parts: y' and (M z)'.
    fn sum_of_parts(&self, graph: &mut Graph) -> Vec<Node> {
        let mut sum = vec![Graph::ZERO; self.first.len() + self.second.len()];
        for (_, rates) in &self.parts {
            for (sum, rate) in sum.iter_mut().zip(rates) {
                *sum = graph.add(*sum, *rate);
            }
        }
        sum
    }
}

/// All compiled formulas: to be shared, or with registers of their own.
#[derive(Clone, Debug)]
struct Tapes<T> {
    /// rates and their derivatives of each part
    parts: Vec<(RatePart, T, T)>,
    /// f_t + f_y y'
    drift: T,
    /// M(y) z and its derivatives, where M is not the identity
    momentum: Option<[T; 2]>,
    constraint: T,
    jacobian: T,
    /// the first derivative of g along the motion, and what the second has without y''
    along: T,
    energy: Option<T>,
}

impl<T> Tapes<T> {
    fn map<U>(&self, f: impl Fn(&T) -> U) -> Tapes<U> {
        Tapes {
            parts: self.parts.iter().map(|(part, rates, slopes)| (*part, f(rates), f(slopes))).collect(),
            drift: f(&self.drift),
            momentum: self.momentum.as_ref().map(|tapes| tapes.each_ref().map(&f)),
            constraint: f(&self.constraint),
            jacobian: f(&self.jacobian),
            along: f(&self.along),
            energy: self.energy.as_ref().map(&f),
        }
    }
}

/// The equations of a Hamiltonian or partitioned model before the parameters have values.
#[derive(Debug)]
pub struct PartitionEquations {
    structure: PartitionStructure,
    tapes: Tapes<Arc<Pending>>,
    evolution: FirstOrderEquations,
    keeps_energy: bool,
    damping: Vec<Setting>,
}

/// A Hamiltonian or partitioned model, compiled: y' = Σ f(t, y, z), z' = Σ k(t, y, z, u), 0 = g(t, y).
///
/// It implements [`PartitionedSystem`](crate::seen::PartitionedSystem), and has the same equations as a first-order system of
/// (y, z, u) for methods that do not know partitions.
#[derive(Clone, Debug)]
pub struct PartitionedModel {
    structure: PartitionStructure,
    tapes: Tapes<Evaluator>,
    evolution: FirstOrderModel,
    keeps_energy: bool,
    damping: Vec<f64>,
    /// (y, z, u), and what moves
    state: RefCell<[Vec<f64>; 2]>,
}

impl PartitionEquations {
    /// Differentiates and compiles.
    pub fn new(graph: &mut Graph, formulas: &PartitionFormulas) -> Self {
        let (n, p, m) = (formulas.first.len(), formulas.second.len(), formulas.constraints.len());
        let of_parts = formulas.parts.iter().map(|(_, rates)| gradients(graph, rates));
        let of_parts: Vec<Entries> = of_parts.collect();
        let rate_places = of_parts.iter().flat_map(places);
        let of_constraints = gradients(graph, &formulas.equations);
        let momentum = mass::momentum(graph, formulas);
        let of_momentum = gradients(graph, &momentum);
        let structure = PartitionStructure {
            first: formulas.first.clone(),
            second: formulas.second.clone(),
            constraints: formulas.constraints.clone(),
            parts: formulas
                .parts
                .iter()
                .zip(&of_parts)
                .map(|(part, slopes)| present(part, slopes, n, p))
                .collect(),
            rates: Pattern::from_entries(n + p, n + p + m, rate_places),
            momentum: Pattern::from_entries(p, n + p, places(&of_momentum)),
            jacobian: Pattern::from_entries(m, n, places(&of_constraints)),
        };
        let ordered: Vec<Vec<Node>> =
            of_parts.iter().map(|slopes| in_order(&structure.rates, slopes)).collect();
        let rates = formulas.rates(graph);
        let drift: Vec<Node> = rates[..n].iter().map(|&rate| graph.along_motion(rate)).collect();
        let first: Vec<Node> = formulas.equations.iter().map(|&g| graph.along_motion(g)).collect();
        let curvature: Vec<Node> = first.iter().map(|&rate| graph.along_motion(rate)).collect();
        let all: Vec<Node> = rates.iter().chain(&formulas.equations).copied().collect();
        let identity = (0..n + p).map(|i| (i, i, Setting::Constant(1.0))).collect();
        let evolution = FirstOrderEquations::new(graph, formulas.variables(), &all, identity);
        let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, n + p + m, 0));
        let parts = formulas.parts.iter().zip(&ordered);
        let tapes = Tapes {
            parts: parts.map(|((part, rates), slopes)| (*part, tape(rates), tape(slopes))).collect(),
            drift: tape(&drift),
            momentum: (!formulas.mass.is_empty())
                .then(|| [tape(&momentum), tape(&in_order(&structure.momentum, &of_momentum))]),
            constraint: tape(&formulas.equations),
            jacobian: tape(&in_order(&structure.jacobian, &of_constraints)),
            along: tape(&[first, curvature].concat()),
            energy: formulas.energy.map(|energy| tape(&[energy])),
        };
        let moves =
            formulas.energy.iter().chain(&formulas.equations).any(|&x| graph.depends(x).on(Depends::TIME));
        let known = |&share: &Node| graph.setting(share).unwrap_or(Setting::Constant(f64::NAN));
        let damping = formulas.damping.iter().map(known).collect();
        PartitionEquations {
            structure,
            tapes,
            evolution,
            keeps_energy: formulas.is_closed && !moves,
            damping,
        }
    }

    /// The names of (y, z, u).
    pub fn variables(&self) -> &[String] {
        self.evolution.variables()
    }

    /// The equations of (y, z, u).
    pub fn evolution(&self) -> &FirstOrderEquations {
        &self.evolution
    }

    /// Nobody is told where rates jump.
    pub fn forget_jumps(&mut self) {
        self.evolution.forget_jumps();
    }

    /// The model with these values of formulas of parameters.
    pub fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> PartitionedModel {
        let size = self.evolution.variables().len();
        PartitionedModel {
            structure: self.structure.clone(),
            tapes: self.tapes.map(|tape| Evaluator::new(tape, graph, settings)),
            evolution: self.evolution.with(graph, settings),
            keeps_energy: self.keeps_energy,
            damping: self.damping.iter().map(|share| share.value(settings)).collect(),
            state: RefCell::new([vec![0.0; size], vec![0.0; size]]),
        }
    }
}

impl PartitionedModel {
    /// Whether the energy is one that the motion keeps.
    pub fn keeps_energy(&self) -> bool {
        self.keeps_energy
    }

    /// The share of the rate of each of (y, z) that SPARK methods are to damp; empty where nothing is.
    pub fn damping_shares(&self) -> &[f64] {
        &self.damping
    }

    /// The same equations for (y, z, u) as a first-order system.
    pub fn evolution(&self) -> &FirstOrderModel {
        &self.evolution
    }
}

fn gradients(graph: &mut Graph, rows: &[Node]) -> Entries {
    slopes(graph, rows, Depends::POSITION)
}

fn present((part, rates): &(RatePart, Vec<Node>), slopes: &Entries, n: usize, p: usize) -> PresentPart {
    PresentPart {
        part: *part,
        moves_first: rates[..n].iter().any(|&rate| rate != Graph::ZERO),
        reacts: slopes.iter().any(|&(_, j, _)| j >= n + p),
    }
}
