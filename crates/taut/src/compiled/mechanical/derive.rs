//! From given formulas to those of the equations of motion and of their derivatives.

use super::{Formulas, TERMS, coriolis};
use crate::compiled::{Entries, in_order, places, slopes};
use crate::linear::Pattern;
use crate::seen::{ForceClass, Structure, Terms};
use taut_formula::graph::{Depends, Graph, Input, Node};

/// One term of the right-hand side; K and D in pattern order.
pub(super) struct DerivedTerm {
    pub(super) terms: Terms,
    pub(super) force: Vec<Node>,
    pub(super) newton: Vec<Node>,
}

/// All formulas that a solver asks for; matrices in pattern order.
pub(super) struct Derived {
    pub(super) structure: Structure,
    pub(super) mass: Vec<Node>,
    pub(super) force: Vec<Node>,
    pub(super) newton: Vec<Node>,
    pub(super) load: Vec<Node>,
    pub(super) terms: Vec<DerivedTerm>,
    pub(super) constraint: Vec<Node>,
    pub(super) jacobian: Vec<Node>,
    pub(super) rate: Vec<Node>,
    pub(super) curvature: Vec<Node>,
    pub(super) energy: Vec<Node>,
}

/// A set of terms with its force and its derivatives.
struct Block {
    terms: Terms,
    force: Vec<Node>,
    stiffness: Entries,
    damping: Entries,
}

/// What follows from the formulas of a file; K and D, second derivatives of energies, only `with_blocks`.
pub(super) fn derive(graph: &mut Graph, formulas: &Formulas, with_blocks: bool) -> Derived {
    let (n, m) = (formulas.coordinates.len(), formulas.constraints.len());
    let jacobian = constraint_jacobian(graph, formulas);
    let load = load(graph, formulas, &jacobian);
    let load_stiffness = slopes(graph, if with_blocks { &load } else { &[] }, Depends::POSITION);
    let blocks = force_blocks(graph, formulas, with_blocks);
    let total = accelerating_block(graph, &blocks, &load, with_blocks.then_some(&load_stiffness));

    let mut all_stiffness: Vec<_> = places(&load_stiffness).chain(places(&total.stiffness)).collect();
    all_stiffness.extend(blocks.iter().flat_map(|block| places(&block.stiffness)));
    let all_damping = blocks.iter().flat_map(|block| places(&block.damping));
    let structure = Structure {
        mass: Pattern::from_entries(n, n, places(&formulas.inertia.mass)),
        stiffness: Pattern::from_entries(n, n, all_stiffness),
        damping: Pattern::from_entries(n, n, all_damping.chain(places(&total.damping))),
        jacobian: Pattern::from_entries(m, n, places(&jacobian)),
        constant_mass: !formulas.inertia.mass.iter().any(|e| graph.depends(e.2).on(Depends::POSITION)),
        linear_constraints: jacobian.iter().all(|e| graph.setting(e.2).is_some()),
        coordinates: formulas.coordinates.clone(),
        constraints: formulas.constraints.clone(),
    };

    let newton = |block: &Block| {
        [in_order(&structure.stiffness, &block.stiffness), in_order(&structure.damping, &block.damping)]
            .concat()
    };
    let (rate, curvature) = constraint_motion(graph, formulas);
    Derived {
        mass: in_order(&structure.mass, &formulas.inertia.mass),
        newton: newton(&total),
        load: in_order(&structure.stiffness, &load_stiffness),
        terms: blocks
            .iter()
            .map(|block| DerivedTerm {
                terms: block.terms,
                force: block.force.clone(),
                newton: newton(block),
            })
            .collect(),
        force: total.force,
        constraint: holonomic(formulas).map(|g| g.unwrap_or(Graph::ZERO)).collect(),
        jacobian: in_order(&structure.jacobian, &jacobian),
        rate,
        curvature,
        energy: energy(graph, formulas),
        structure,
    }
}

/// g of the holonomic constraints, nothing in the places of the others.
fn holonomic(formulas: &Formulas) -> impl Iterator<Item = Option<Node>> + '_ {
    formulas.constraints.iter().zip(&formulas.equations).map(|(c, g)| c.is_holonomic().then_some(*g))
}

/// ∂g/∂q, and ∂h/∂v in the rows of nonholonomic constraints.
fn constraint_jacobian(graph: &mut Graph, formulas: &Formulas) -> Entries {
    let mut entries = Entries::new();
    for (k, (constraint, &equation)) in formulas.constraints.iter().zip(&formulas.equations).enumerate() {
        let kind = if constraint.is_holonomic() { Depends::POSITION } else { Depends::VELOCITY };
        entries.extend(graph.gradient(equation, kind).into_iter().map(|(j, slope)| (k, j, slope)));
    }
    entries
}

/// The first derivative of g along the motion and what the second has without v'; h and the first of h.
fn constraint_motion(graph: &mut Graph, formulas: &Formulas) -> (Vec<Node>, Vec<Node>) {
    let (mut rates, mut curvatures) = (Vec::new(), Vec::new());
    for (constraint, &equation) in formulas.constraints.iter().zip(&formulas.equations) {
        let rate = if constraint.is_holonomic() { graph.along_motion(equation) } else { equation };
        curvatures.push(graph.along_motion(rate));
        rates.push(rate);
    }
    (rates, curvatures)
}

/// −M a − Gᵀλ, without the constant entries of M: they have no derivative.
fn load(graph: &mut Graph, formulas: &Formulas, jacobian: &Entries) -> Vec<Node> {
    let mut load = vec![Graph::ZERO; formulas.coordinates.len()];
    for &(i, j, entry) in &formulas.inertia.mass {
        if graph.depends(entry).on(Depends::POSITION) {
            let acceleration = graph.input(Input::Acceleration(j as u32));
            let term = graph.multiply(entry, acceleration);
            load[i] = graph.subtract(load[i], term);
        }
    }
    for &(k, j, entry) in jacobian {
        let multiplier = graph.input(Input::Multiplier(k as u32));
        let term = graph.multiply(entry, multiplier);
        load[j] = graph.subtract(load[j], term);
    }
    load
}

/// The terms of the right-hand side that are not zero, with their derivatives.
fn force_blocks(graph: &mut Graph, formulas: &Formulas, with_blocks: bool) -> Vec<Block> {
    let n = formulas.coordinates.len();
    let kinetic = gradient(graph, formulas.inertia.kinetic, n);
    let mut blocks = Vec::new();
    for terms in TERMS {
        let force = match terms {
            Terms::POTENTIAL => potential_force(graph, formulas),
            Terms::KINETIC => kinetic.clone(),
            Terms::CORIOLIS => coriolis_force(graph, formulas, &kinetic),
            _ => {
                let class = ForceClass::ALL.iter().position(|&class| Terms::of(class) == terms);
                class.map_or_else(|| vec![Graph::ZERO; n], |class| formulas.forces[class].clone())
            }
        };
        if force.iter().any(|&f| f != Graph::ZERO) {
            let stiffness = slopes(graph, if with_blocks { &force } else { &[] }, Depends::POSITION);
            let damping = slopes(graph, if with_blocks { &force } else { &[] }, Depends::VELOCITY);
            blocks.push(Block { terms, force, stiffness, damping });
        }
    }
    blocks
}

/// −∂V/∂q
fn potential_force(graph: &mut Graph, formulas: &Formulas) -> Vec<Node> {
    if let Some(written) = &formulas.potential_force {
        return written.clone();
    }
    let n = formulas.coordinates.len();
    let mut force = vec![Graph::ZERO; n];
    for (i, slope) in graph.gradient(formulas.potential, Depends::POSITION) {
        force[i] = graph.negative(slope);
    }
    force
}

/// ∂T/∂q − (∂(M v)/∂q) v
fn coriolis_force(graph: &mut Graph, formulas: &Formulas, kinetic: &[Node]) -> Vec<Node> {
    match &formulas.coriolis_force {
        Some(written) => written.clone(),
        None => coriolis::coriolis_force(graph, &formulas.inertia, kinetic),
    }
}

/// f with the derivatives of f − M a − Gᵀλ. Derived from the sum, which is shorter than the sum of the derivatives.
fn accelerating_block(
    graph: &mut Graph,
    blocks: &[Block],
    load: &[Node],
    load_stiffness: Option<&Entries>,
) -> Block {
    let mut force = vec![Graph::ZERO; load.len()];
    for block in blocks.iter().filter(|block| Terms::ACCELERATING.contain(block.terms)) {
        for (sum, &term) in force.iter_mut().zip(&block.force) {
            *sum = graph.add(*sum, term);
        }
    }
    let Some(load_stiffness) = load_stiffness else {
        return Block {
            terms: Terms::ACCELERATING,
            force,
            stiffness: Entries::new(),
            damping: Entries::new(),
        };
    };
    // Where the force is the same everywhere, the derivatives are those of the load alone.
    let moves: Vec<bool> = force.iter().map(|&f| graph.depends(f).on(Depends::POSITION)).collect();
    let loaded = force.iter().zip(load).zip(&moves);
    let loaded: Vec<Node> =
        loaded.map(|((&f, &load), moves)| if *moves { graph.add(f, load) } else { Graph::ZERO }).collect();
    let mut stiffness = slopes(graph, &loaded, Depends::POSITION);
    stiffness.extend(load_stiffness.iter().filter(|entry| !moves[entry.0]));
    let damping = slopes(graph, &force, Depends::VELOCITY);
    Block { terms: Terms::ACCELERATING, force, stiffness, damping }
}

/// T, and V with the springs.
fn energy(graph: &mut Graph, formulas: &Formulas) -> Vec<Node> {
    let mut potential = formulas.potential;
    let springs = formulas.constraints.iter().zip(&formulas.springs);
    for ((constraint, [compliance, _]), &g) in springs.zip(&formulas.equations) {
        if constraint.compliance() > 0.0 {
            let half = graph.constant(0.5);
            let strength = graph.divide(half, *compliance);
            let square = graph.power(g, 2);
            let term = graph.multiply(strength, square);
            potential = graph.add(potential, term);
        }
    }
    vec![formulas.inertia.kinetic, potential]
}

/// ∂f/∂q as a full vector.
fn gradient(graph: &mut Graph, formula: Node, n: usize) -> Vec<Node> {
    let mut gradient = vec![Graph::ZERO; n];
    for (i, slope) in graph.gradient(formula, Depends::POSITION) {
        gradient[i] = slope;
    }
    gradient
}
