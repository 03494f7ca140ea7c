//! The mass matrix: from a kinetic energy, or entry by entry.

use taut_formula::graph::{Depends, Graph, Input, Node};

/// The mass matrix and what follows from it.
#[derive(Clone, Debug)]
pub struct Inertia {
    /// T(q, v)
    pub kinetic: Node,
    /// p = ∂T/∂v
    pub momenta: Vec<Node>,
    /// M, both triangles
    pub mass: Vec<(usize, usize, Node)>,
}

/// Why a function is not a kinetic energy vᵀM(q)v / 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotQuadratic {
    /// it is not zero at rest
    AtRest,
    /// it has a term that is linear in the velocity of this coordinate
    LinearIn(usize),
    /// it has another power of it
    OtherwiseIn(usize),
}

impl Inertia {
    /// Of n coordinates without masses.
    pub fn none(n: usize) -> Self {
        Inertia { kinetic: Graph::ZERO, momenta: vec![Graph::ZERO; n], mass: Vec::new() }
    }

    /// p = ∂T/∂v and M = ∂p/∂v, when T is quadratic in v: M is free of v, and T and p vanish with v.
    pub fn of_energy(graph: &mut Graph, kinetic: Node, n: usize) -> Result<Self, NotQuadratic> {
        let mut inertia = Inertia { kinetic, ..Inertia::none(n) };
        for (i, momentum) in graph.gradient(kinetic, Depends::VELOCITY) {
            inertia.momenta[i] = momentum;
            for (j, entry) in graph.gradient(momentum, Depends::VELOCITY) {
                if graph.depends(entry).on(Depends::VELOCITY) {
                    return Err(NotQuadratic::OtherwiseIn(i));
                }
                inertia.mass.extend((j <= i).then_some((i, j, entry)));
                inertia.mass.extend((j < i).then_some((j, i, entry)));
            }
            if graph.with_velocities_zero(momentum) != Graph::ZERO {
                return Err(NotQuadratic::LinearIn(i));
            }
        }
        if graph.with_velocities_zero(kinetic) != Graph::ZERO {
            return Err(NotQuadratic::AtRest);
        }
        Ok(inertia)
    }

    /// Adds M_ij, and M_ji.
    pub fn add_entry(&mut self, graph: &mut Graph, i: usize, j: usize, entry: Node) {
        self.add_one(graph, i, j, entry);
        if i != j {
            self.add_one(graph, j, i, entry);
        }
    }

    /// p_i += M_ij v_j, T += M_ij v_i v_j / 2
    fn add_one(&mut self, graph: &mut Graph, i: usize, j: usize, entry: Node) {
        self.mass.push((i, j, entry));
        let (v_i, v_j) = (graph.input(Input::Velocity(i as u32)), graph.input(Input::Velocity(j as u32)));
        let share = graph.multiply(entry, v_j);
        self.momenta[i] = graph.add(self.momenta[i], share);
        let half = graph.constant(0.5);
        let energy = graph.multiply(share, v_i);
        let energy = graph.multiply(half, energy);
        self.kinetic = graph.add(self.kinetic, energy);
    }
}
