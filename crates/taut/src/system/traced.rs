//! Formulas in Rust, recorded as graphs.

use std::sync::Arc;

use taut_formula::function::Unary;
use taut_formula::graph::{Depends, Graph, Input, Node, Operation};
use taut_formula::number::{Scalar, Traced, Unrecorded, record};

use super::mechanical::{Given, Mass, Mechanical};
use crate::compiled::{Formulas, Inertia, MechanicalEquations, MechanicalModel};
use crate::linear::Pattern;
use crate::seen::{Constraint, ForceClass, MechanicalSystem, Terms};

/// Inputs of one kind.
pub(super) fn inputs(n: usize, input: impl Fn(u32) -> Input) -> Vec<Traced> {
    (0..n as u32).map(|i| Traced::input(input(i))).collect()
}

pub(super) fn zeros(n: usize) -> Vec<Traced> {
    vec![Traced::constant(0.0); n]
}

pub(super) fn nodes(numbers: Vec<Traced>) -> Vec<Node> {
    numbers.into_iter().map(Traced::node).collect()
}

/// A mechanical system that was recorded.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) model: MechanicalModel,
    /// M is written entry by entry
    pub(super) writes_mass: bool,
    /// terms that are not written, but follow from others
    pub(super) derived: Terms,
    /// constraints have sines, those of G or more: computed together, they cost less than one after the other
    pub(super) shares_sines: bool,
}

/// What the formulas of a mechanical system do with recording numbers.
struct Record {
    entries: Vec<(usize, usize, Node)>,
    energy: Option<Node>,
    potential: Node,
    strong: Node,
    potential_force: Option<Vec<Node>>,
    coriolis_force: Option<Vec<Node>>,
    forces: [Vec<Node>; 4],
    rows: Vec<Node>,
}

/// Records the formulas of a mechanical system with these coordinates and constraints, holonomic ones first. Nothing, and no
/// reason, where a kinetic energy is not quadratic: it is evaluated as it is.
pub(super) fn mechanical<M: Mechanical>(
    system: &M,
    coordinates: Vec<String>,
    constraints: Vec<Constraint>,
) -> Result<Recorded, Option<Unrecorded>> {
    let n = coordinates.len();
    let (mut graph, record) = record(|| write(system, n, &constraints))?;
    let writes_mass = record.energy.is_none();
    let shares_sines = !record.rows.is_empty() && has_sines(&graph);
    let inertia = inertia(&mut graph, n, &record).ok_or(None)?;
    let has_strong = record.strong != Graph::ZERO;
    let potential = graph.add(record.potential, record.strong);
    let writes_potential = record.potential_force.is_some() && !has_strong;
    let potential_force = record.potential_force.map(|force| with_strong(&mut graph, force, record.strong));
    let constant = |graph: &mut Graph, constraint: &Constraint| {
        [constraint.compliance(), constraint.relaxation()].map(|number| graph.constant(number))
    };
    let has_constant_mass = !inertia.mass.iter().any(|entry| graph.depends(entry.2).on(Depends::POSITION));
    let formulas = Formulas {
        springs: constraints.iter().map(|constraint| constant(&mut graph, constraint)).collect(),
        coriolis_force: record.coriolis_force.filter(|_| !has_constant_mass),
        coordinates,
        inertia,
        potential,
        potential_force,
        strong: None,
        constraints,
        equations: record.rows,
        forces: record.forces,
        damping: vec![Graph::ZERO; n],
    };
    let mut derived = Terms::KINETIC;
    derived = if writes_potential { derived } else { derived | Terms::POTENTIAL };
    derived = if formulas.coriolis_force.is_some() { derived } else { derived | Terms::CORIOLIS };
    let mut equations = MechanicalEquations::new(&mut graph, formulas);
    equations.forget_jumps();
    if graph.is_exhausted() {
        return Err(Some(Unrecorded::TooLarge));
    }
    // Nothing depends on parameters, so that no setting can make no sense.
    let model = equations.with(&Arc::new(graph.closed()), &Arc::default()).ok_or(None)?;
    let derived = model.terms() & derived;
    Ok(Recorded { model, writes_mass, derived, shares_sines })
}

fn has_sines(graph: &Graph) -> bool {
    let is_sine = |node| matches!(graph.operation(node), Operation::Unary(Unary::Sin | Unary::Cos, _));
    graph.nodes().any(is_sine)
}

fn write<M: Mechanical>(system: &M, n: usize, constraints: &[Constraint]) -> Record {
    let t = Traced::input(Input::Time);
    let (q, v) = (inputs(n, Input::Position), inputs(n, Input::Velocity));
    let (mut entries, mut energy) = (Vec::new(), None);
    system.mass(&q, &mut Mass::recorded(&v, &mut entries, &mut energy));
    let written = |given: Given, force: Vec<Traced>| (given == Given::Written).then(|| nodes(force));
    let mut force = zeros(n);
    let potential_force = written(system.potential_force(&q, &mut force), force);
    let mut force = zeros(n);
    let coriolis_force = written(system.coriolis_force(&q, &v, &mut force), force);
    let forces = ForceClass::ALL.map(|class| {
        let mut force = zeros(n);
        system.force(class, t, &q, &v, &mut force);
        nodes(force)
    });
    let strong = system.epsilon().map(|epsilon| system.strong_potential(&q) * (1.0 / (epsilon * epsilon)));
    let mut rows = zeros(constraints.len());
    let holonomic = constraints.iter().filter(|constraint| constraint.is_holonomic()).count();
    let (g, h) = rows.split_at_mut(holonomic);
    system.constraint(t, &q, g);
    system.nonholonomic(t, &q, &v, h);
    Record {
        entries: entries.into_iter().map(|(i, j, entry): (_, _, Traced)| (i, j, entry.node())).collect(),
        energy: energy.map(Traced::node),
        potential: system.potential(&q).node(),
        strong: strong.map_or(Graph::ZERO, Traced::node),
        potential_force,
        coriolis_force,
        forces,
        rows: nodes(rows),
    }
}

/// M from its entries, of which there may be several for one place, and from a kinetic energy where there is one; nothing when
/// that is not quadratic.
fn inertia(graph: &mut Graph, n: usize, record: &Record) -> Option<Inertia> {
    let pattern = Pattern::from_entries(n, n, record.entries.iter().map(|&(i, j, _)| (i, j)));
    let mut sums = vec![Graph::ZERO; pattern.nnz()];
    for &(i, j, entry) in &record.entries {
        let place = pattern.position(i, j)?;
        sums[place] = graph.add(sums[place], entry);
    }
    let mut inertia = Inertia::none(n);
    for ((i, j), entry) in pattern.entries().zip(sums).filter(|(_, entry)| *entry != Graph::ZERO) {
        inertia.add_entry(graph, i, j, entry);
    }
    let Some(energy) = record.energy else { return Some(inertia) };
    let whole = graph.add(energy, inertia.kinetic);
    Inertia::of_energy(graph, whole, n).ok()
}

/// −∂V/∂q as it is written, and −∂U/∂q / ε².
fn with_strong(graph: &mut Graph, mut force: Vec<Node>, strong: Node) -> Vec<Node> {
    for (i, slope) in graph.gradient(strong, Depends::POSITION) {
        force[i] = graph.subtract(force[i], slope);
    }
    force
}
