//! A mechanical model file as a solver sees it.

mod derive;
mod mechanism;
mod strong;
#[cfg(test)]
mod tests;

use taut::system::{Constraint, Structure, Terms};

use derive::{Derived, derive};
pub use strong::StrongPotential;
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::tape::{Compiler, Tape};

/// The mass matrix and what follows from it.
#[derive(Debug)]
pub(crate) struct Inertia {
    /// T(q, v)
    pub(crate) kinetic: Node,
    /// p = ∂T/∂v
    pub(crate) momenta: Vec<Node>,
    /// M, both triangles
    pub(crate) mass: Vec<(usize, usize, Node)>,
}

/// What the file says, as nodes of the graph.
#[derive(Debug)]
pub(crate) struct Formulas {
    pub(crate) coordinates: Vec<String>,
    pub(crate) inertia: Inertia,
    /// V(t, q)
    pub(crate) potential: Node,
    /// U(q) and ε
    pub(crate) strong: Option<(Node, f64)>,
    /// first the holonomic ones
    pub(crate) constraints: Vec<Constraint>,
    /// g and h
    pub(crate) equations: Vec<Node>,
    /// by class and coordinate
    pub(crate) forces: [Vec<Node>; 4],
    /// share of the force on each coordinate that is damped
    pub(crate) damping: Vec<f64>,
}

/// The single terms of the right-hand side, each with tapes of its own.
pub(crate) const TERMS: [Terms; 7] = [
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
struct TermTapes {
    terms: Terms,
    force: Tape,
    /// its share of K, then of D
    newton: Tape,
}

/// A mechanical model, compiled: M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ.
///
/// It implements [`MechanicalSystem`](taut::system::MechanicalSystem). All derivatives were found symbolically; the patterns hold the
/// entries that are not identically zero.
#[derive(Clone, Debug)]
pub struct MechanicalModel {
    structure: Structure,
    damping: Vec<f64>,
    strong: Option<StrongPotential>,
    mass: Tape,
    /// f = [`Terms::ACCELERATING`]
    force: Tape,
    /// K and D for [`Terms::ACCELERATING`]
    newton: Tape,
    /// the terms that are not zero
    terms: Vec<TermTapes>,
    /// K of −M a − Gᵀλ alone
    load: Tape,
    constraint: Tape,
    jacobian: Tape,
    rate: Tape,
    curvature: Tape,
    energy: Tape,
    /// M, f, g, G
    dynamics: Tape,
    /// M, f, g, G and the curvature
    dynamics_and_curvature: Tape,
    /// whether a constraint depends on time
    constraints_move: bool,
}

impl MechanicalModel {
    /// Differentiates and compiles.
    pub(crate) fn new(graph: &mut Graph, formulas: Formulas) -> Self {
        let derived = derive(graph, &formulas);
        let constraints_move = formulas.equations.iter().any(|&g| graph.depends(g).on(Depends::TIME));
        let Derived { structure, mass, force, newton, terms, load, constraint, jacobian, .. } = &derived;
        let mut compiler = Compiler::new(graph, structure.n(), structure.m());
        let terms = terms.iter().map(|term| TermTapes {
            terms: term.terms,
            force: compiler.tape(&term.force),
            newton: compiler.tape(&term.newton),
        });
        let terms = terms.collect();
        let dynamics = [mass.as_slice(), force, constraint, jacobian].concat();
        MechanicalModel {
            constraints_move,
            terms,
            mass: compiler.tape(mass),
            force: compiler.tape(force),
            newton: compiler.tape(newton),
            load: compiler.tape(load),
            constraint: compiler.tape(constraint),
            jacobian: compiler.tape(jacobian),
            rate: compiler.tape(&derived.rate),
            curvature: compiler.tape(&derived.curvature),
            energy: compiler.tape(&derived.energy),
            dynamics: compiler.tape(&dynamics),
            dynamics_and_curvature: compiler.tape(&[dynamics, derived.curvature.clone()].concat()),
            strong: formulas
                .strong
                .map(|(value, epsilon)| StrongPotential::new(&mut compiler, value, epsilon)),
            damping: formulas.damping,
            structure: derived.structure,
        }
    }

    /// The share of the force on each coordinate that is to be treated with damping coefficients (0: none, 1: all).
    pub fn damping_shares(&self) -> &[f64] {
        &self.damping
    }

    /// The strong potential U(q)/ε², when the model has one. Forces and energy of this system are without it.
    pub fn strong_potential(&self) -> Option<&StrongPotential> {
        self.strong.as_ref()
    }
}
