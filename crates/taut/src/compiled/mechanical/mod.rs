//! A mechanical system of formulas in a graph, as a solver sees it.

mod coriolis;
mod derive;
mod ensemble;
mod expand;
mod inertia;
mod mechanism;
mod strong;

use std::cell::RefCell;
use std::sync::Arc;

use crate::linear::Pattern;
use crate::seen::{
    Constraint, ConstraintKind, ForceClass, MechanicalExpansion, MechanicalRecursion, Structure, Terms,
};
use derive::{Derived, derive};
pub use ensemble::MechanicalEnsemble;
use expand::recursion;
pub use inertia::{Inertia, NotQuadratic};
pub use strong::StrongPotential;
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::settings::Setting;
use taut_formula::tape::{Evaluator, Pending};

/// What is given of a mechanical system, as nodes of a graph.
#[derive(Debug)]
pub struct Formulas {
    /// their names
    pub coordinates: Vec<String>,
    /// M and what follows from it
    pub inertia: Inertia,
    /// V(t, q)
    pub potential: Node,
    /// −∂V/∂q, where it is written beside V
    pub potential_force: Option<Vec<Node>>,
    /// ∂T/∂q − (∂(M v)/∂q) v, where it is written beside M
    pub coriolis_force: Option<Vec<Node>>,
    /// U(q) and ε
    pub strong: Option<(Node, Node)>,
    /// first the holonomic ones
    pub constraints: Vec<Constraint>,
    /// compliance and relaxation time of each
    pub springs: Vec<[Node; 2]>,
    /// g and h
    pub equations: Vec<Node>,
    /// by class and coordinate
    pub forces: [Vec<Node>; 4],
    /// share of the force on each coordinate that is damped
    pub damping: Vec<Node>,
}

impl Formulas {
    /// All nodes that forces, masses and constraints are made of.
    pub fn nodes(&mut self) -> Vec<&mut Node> {
        let Inertia { kinetic, momenta, mass } = &mut self.inertia;
        let inertia = std::iter::once(kinetic).chain(momenta).chain(mass.iter_mut().map(|(_, _, node)| node));
        let strong = self.strong.iter_mut().map(|(potential, _)| potential);
        let forces = self.forces.iter_mut().flatten();
        let nodes = inertia.chain([&mut self.potential]).chain(strong).chain(&mut self.equations);
        nodes.chain(forces).collect()
    }
}

/// Formulas with so many operations may have too many in their second derivatives.
const LARGE: usize = 20_000;

/// The single terms of the right-hand side, each with tapes of its own.
pub(super) const TERMS: [Terms; 7] = [
    Terms::POTENTIAL,
    Terms::CORIOLIS,
    Terms::KINETIC,
    Terms::CONSERVATIVE,
    Terms::DISSIPATIVE,
    Terms::DRIVING,
    Terms::OSCILLATORY,
];

/// One term of the right-hand side, compiled.
#[derive(Clone, Debug)]
struct TermTapes<T> {
    terms: Terms,
    force: T,
    /// its share of K, then of D
    newton: T,
}

/// All compiled formulas: to be shared, or with registers of their own.
#[derive(Clone, Debug)]
struct Tapes<T> {
    mass: T,
    /// f = [`Terms::ACCELERATING`]
    force: T,
    /// K and D for [`Terms::ACCELERATING`]
    newton: T,
    /// the terms that are not zero
    terms: Vec<TermTapes<T>>,
    /// K of −M a − Gᵀλ alone
    load: T,
    constraint: T,
    jacobian: T,
    rate: T,
    curvature: T,
    energy: T,
    kinetic: T,
    /// values that change their sign where forces or constraints jump
    switches: T,
    /// M, f, g, G
    dynamics: T,
    /// M, f, g, G and the curvature
    dynamics_and_curvature: T,
    /// the force of each term but [`Terms::CORIOLIS`], g, G, V where forces are its derivatives, and M
    partitioned: T,
    strong: Option<T>,
}

impl<T> Tapes<T> {
    fn map<U>(&self, f: impl Fn(&T) -> U) -> Tapes<U> {
        let term = |term: &TermTapes<T>| TermTapes {
            terms: term.terms,
            force: f(&term.force),
            newton: f(&term.newton),
        };
        Tapes {
            mass: f(&self.mass),
            force: f(&self.force),
            newton: f(&self.newton),
            terms: self.terms.iter().map(term).collect(),
            load: f(&self.load),
            constraint: f(&self.constraint),
            jacobian: f(&self.jacobian),
            rate: f(&self.rate),
            curvature: f(&self.curvature),
            energy: f(&self.energy),
            kinetic: f(&self.kinetic),
            switches: f(&self.switches),
            dynamics: f(&self.dynamics),
            dynamics_and_curvature: f(&self.dynamics_and_curvature),
            partitioned: f(&self.partitioned),
            strong: self.strong.as_ref().map(&f),
        }
    }
}

/// The equations of a mechanical model before the parameters have values.
#[derive(Debug)]
pub struct MechanicalEquations {
    /// with compliances and relaxation times of some parameters
    structure: Arc<Structure>,
    springs: Vec<[Setting; 2]>,
    damping: Vec<Setting>,
    epsilon: Option<Setting>,
    /// whether a constraint depends on time by itself
    constraints_move: bool,
    /// whether V does
    potential_moves: bool,
    /// whether V comes along with forces that are its derivatives
    potential_comes_along: bool,
    /// whether K and D were derived
    has_blocks: bool,
    /// for each class whether there are forces of it
    acting: [bool; 4],
    tapes: Tapes<Arc<Pending>>,
    recursion: Arc<MechanicalRecursion>,
}

impl MechanicalEquations {
    /// Differentiates; what a method asks for is compiled then. Where K and D would have too many operations, they are left out.
    pub fn new(graph: &mut Graph, formulas: Formulas) -> Self {
        let before = graph.mark();
        let is_large = graph.len() > LARGE;
        let mut derived = derive(graph, &formulas, true);
        let mut has_blocks = true;
        if is_large && graph.is_exhausted() {
            graph.return_to(before);
            has_blocks = false;
            derived = derive(graph, &formulas, false);
            if depends_on_velocities(graph, &derived) {
                derived.structure.damping = Pattern::diagonal(derived.structure.n());
            }
        }
        let switches = graph.switches_in_time(&[derived.force.as_slice(), &derived.constraint].concat());
        let recursion = Arc::new(recursion(&derived, &formulas));
        let known = |node: Node| graph.setting(node).unwrap_or(Setting::Constant(f64::NAN));
        MechanicalEquations {
            constraints_move: formulas.equations.iter().any(|&g| graph.depends(g).on(Depends::TIME)),
            potential_comes_along: formulas.potential_force.is_none(),
            potential_moves: derived.energy.iter().any(|&energy| graph.depends(energy).on(Depends::TIME)),
            acting: formulas.forces.each_ref().map(|forces| forces.iter().any(|&force| force != Graph::ZERO)),
            springs: formulas.springs.iter().map(|spring| spring.map(known)).collect(),
            damping: formulas.damping.iter().map(|&share| known(share)).collect(),
            epsilon: formulas.strong.map(|(_, epsilon)| known(epsilon)),
            tapes: pending(&derived, &formulas, &switches),
            has_blocks,
            structure: Arc::new(derived.structure),
            recursion,
        }
    }

    /// Nobody is told where forces jump.
    pub fn forget_jumps(&mut self) {
        self.tapes.switches = Arc::new(Pending::new(&[], self.structure.n(), 0));
    }

    /// The names of the coordinates.
    pub fn coordinates(&self) -> &[String] {
        &self.structure.coordinates
    }

    /// The equations for expansion in other numbers, with their structure; nothing when there is a strong potential.
    pub fn for_digits(
        &self,
        graph: &Graph,
        settings: &Arc<[f64]>,
    ) -> Option<(MechanicalExpansion, Structure)> {
        self.epsilon
            .is_none()
            .then(|| (self.recursion.with(graph, settings), Structure::clone(&self.structure)))
    }

    /// The model with these values of formulas of parameters; nothing when a damping share makes no sense.
    pub fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> Option<MechanicalModel> {
        let structure = self.structure_with(settings);
        let damping: Vec<f64> = self.damping.iter().map(|share| share.value(settings)).collect();
        if !damping.iter().all(|share| (0.0..=1.0).contains(share)) {
            return None;
        }
        let tapes = self.tapes.map(|tape| Evaluator::new(tape, graph, settings));
        let strong = self.epsilon.zip(tapes.strong.clone());
        let strong = strong.map(|(epsilon, value)| StrongPotential::new(value, epsilon.value(settings)));
        let constraints_move = self.constraints_move;
        let series = (self.recursion.clone(), graph.clone(), settings.clone());
        let (acting, has_blocks) = (self.acting, self.has_blocks);
        Some(MechanicalModel {
            structure,
            damping,
            strong,
            constraints_move,
            has_blocks,
            acting,
            tapes,
            potential: RefCell::new(KnownPotential {
                moves: self.potential_moves,
                comes_along: self.potential_comes_along,
                ..Default::default()
            }),
            series,
        })
    }

    /// The structure with the springs of these parameters; it is shared where they are those it has.
    fn structure_with(&self, settings: &[f64]) -> Arc<Structure> {
        let mut structure = self.structure.clone();
        for (k, spring) in self.springs.iter().enumerate().take(self.structure.m()) {
            let [c, d] = spring.map(|number| number.value(settings));
            let known = &structure.constraints[k].kind;
            let differs = matches!(known, ConstraintKind::Holonomic { compliance, relaxation }
                if [compliance.to_bits(), relaxation.to_bits()] != [c.to_bits(), d.to_bits()]);
            if differs {
                let kind = ConstraintKind::Holonomic { compliance: c, relaxation: d };
                Arc::make_mut(&mut structure).constraints[k].kind = kind;
            }
        }
        structure
    }
}

/// Whether forces depend on velocities.
fn depends_on_velocities(graph: &Graph, derived: &Derived) -> bool {
    derived.force.iter().any(|&force| graph.depends(force).on(Depends::VELOCITY))
}

/// What is compiled when a method asks for it.
fn pending(derived: &Derived, formulas: &Formulas, switches: &[Node]) -> Tapes<Arc<Pending>> {
    let Derived { structure, mass, force, newton, terms, load, constraint, jacobian, .. } = derived;
    let tape = |nodes: &[Node]| Arc::new(Pending::new(nodes, structure.n(), structure.m()));
    let dynamics = [mass.as_slice(), force, constraint, jacobian].concat();
    let separate = terms.iter().filter(|term| term.terms != Terms::CORIOLIS);
    let separate: Vec<Node> = separate.flat_map(|term| term.force.iter().copied()).collect();
    // V has most of its formulas in common with its derivatives.
    let potential = if formulas.potential_force.is_none() { &derived.energy[1..] } else { &[] };
    let partitioned = [separate.as_slice(), constraint, jacobian, potential, mass].concat();
    let terms = terms.iter().map(|term| TermTapes {
        terms: term.terms,
        force: tape(&term.force),
        newton: tape(&term.newton),
    });
    Tapes {
        terms: terms.collect(),
        mass: tape(mass),
        force: tape(force),
        newton: tape(newton),
        load: tape(load),
        constraint: tape(constraint),
        jacobian: tape(jacobian),
        rate: tape(&derived.rate),
        curvature: tape(&derived.curvature),
        energy: tape(&derived.energy),
        kinetic: tape(&derived.energy[..1]),
        switches: tape(switches),
        dynamics: tape(&dynamics),
        dynamics_and_curvature: tape(&[dynamics, derived.curvature.clone()].concat()),
        partitioned: tape(&partitioned),
        strong: formulas.strong.map(|(value, _)| tape(&[value])),
    }
}

/// V at one state.
#[derive(Clone, Debug, Default)]
struct KnownPotential {
    /// whether it depends on time by itself
    moves: bool,
    /// whether it comes along with forces that are its derivatives
    comes_along: bool,
    t: f64,
    q: Vec<f64>,
    value: f64,
}

impl KnownPotential {
    fn keep(&mut self, t: f64, q: &[f64], value: f64) {
        (self.t, self.value) = (t, value);
        self.q.clear();
        self.q.extend_from_slice(q);
    }

    /// V at this state, if it is the one.
    fn at(&self, t: f64, q: &[f64]) -> Option<f64> {
        ((self.t == t || !self.moves) && self.q == q).then_some(self.value)
    }
}

/// A mechanical model, compiled: M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ.
///
/// It implements [`MechanicalSystem`](crate::seen::MechanicalSystem). All derivatives were found symbolically; the patterns hold the
/// entries that are not identically zero.
#[derive(Clone, Debug)]
pub struct MechanicalModel {
    structure: Arc<Structure>,
    damping: Vec<f64>,
    strong: Option<StrongPotential>,
    constraints_move: bool,
    has_blocks: bool,
    acting: [bool; 4],
    tapes: Tapes<Evaluator>,
    /// V where forces were evaluated last, which is where a step has ended
    potential: RefCell<KnownPotential>,
    /// the equations for expansion, and the values of formulas of parameters
    series: (Arc<MechanicalRecursion>, Arc<Graph>, Arc<[f64]>),
}

impl MechanicalModel {
    /// The share of the force on each coordinate that is to be treated with damping coefficients (0: none, 1: all).
    pub fn damping_shares(&self) -> &[f64] {
        &self.damping
    }

    /// The classes of which the model has forces, wherever these act.
    pub fn acting(&self) -> Vec<ForceClass> {
        ForceClass::ALL
            .into_iter()
            .zip(self.acting)
            .filter(|(_, acts)| *acts)
            .map(|(class, _)| class)
            .collect()
    }

    /// The strong potential U(q)/ε², when the model has one. Forces and energy of this system are without it.
    pub fn strong_potential(&self) -> Option<&StrongPotential> {
        self.strong.as_ref()
    }
}
