//! The Coriolis force, in the shorter of two forms.

use std::collections::HashSet;

use super::Inertia;
use taut_formula::graph::{Depends, Graph, Input, Node};

/// With more coordinates there are too many of Christoffel's symbols to write them all down.
const MOST_COORDINATES: usize = 12;

/// ∂T/∂q − (∂(M v)/∂q) v, from the gradient ∂T/∂q of the kinetic energy and the momenta, or from the entries of M where that takes fewer
/// operations.
pub(super) fn coriolis_force(graph: &mut Graph, inertia: &Inertia, kinetic: &[Node]) -> Vec<Node> {
    let pairs = kinetic.iter().zip(&inertia.momenta);
    let mut difference = |(&slope, &momentum): (&Node, &Node)| {
        let change = graph.along_motion(momentum);
        graph.subtract(slope, change)
    };
    let from_energy: Vec<Node> = pairs.map(&mut difference).collect();
    let of_time = |graph: &Graph| inertia.mass.iter().any(|e| graph.depends(e.2).on(Depends::TIME));
    if kinetic.len() > MOST_COORDINATES || from_energy.iter().all(|&f| f == Graph::ZERO) || of_time(graph) {
        return from_energy;
    }
    let mark = graph.mark();
    let from_mass = by_symbols(graph, inertia, kinetic.len());
    if operations(graph, inertia, &from_mass) < operations(graph, inertia, &from_energy) {
        return from_mass;
    }
    graph.return_to(mark);
    from_energy
}

/// −Σ Γᵢⱼₖ vⱼvₖ over j ≤ k, with Christoffel's symbols of the first kind: terms that the gradient of the energy and the change of the
/// momenta have in common, and which cancel, are never there.
fn by_symbols(graph: &mut Graph, inertia: &Inertia, n: usize) -> Vec<Node> {
    // ∂Mᵢⱼ/∂qₖ
    let mut slopes = vec![Graph::ZERO; n * n * n];
    for &(i, j, entry) in &inertia.mass {
        for (k, slope) in graph.gradient(entry, Depends::POSITION) {
            let sum = &mut slopes[(i * n + j) * n + k];
            *sum = graph.add(*sum, slope);
        }
    }
    let slope = |i: usize, j: usize, k: usize| slopes[(i * n + j) * n + k];
    let velocity = |graph: &mut Graph, j: usize| graph.input(Input::Velocity(j as u32));
    let mut force = vec![Graph::ZERO; n];
    for (i, force) in force.iter_mut().enumerate() {
        for (j, k) in (0..n).flat_map(|k| (0..=k).map(move |j| (j, k))) {
            let symbol = match () {
                () if i == j && j == k => half(graph, slope(i, i, i)),
                () if j == k => {
                    let half = half(graph, slope(j, j, i));
                    graph.subtract(slope(i, j, j), half)
                }
                () if i == j => slope(i, i, k),
                () if i == k => slope(i, i, j),
                () => {
                    let sum = graph.add(slope(i, j, k), slope(i, k, j));
                    graph.subtract(sum, slope(j, k, i))
                }
            };
            if symbol != Graph::ZERO {
                let (a, b) = (velocity(graph, j), velocity(graph, k));
                let velocities = graph.multiply(a, b);
                let term = graph.multiply(symbol, velocities);
                *force = graph.subtract(*force, term);
            }
        }
    }
    force
}

fn half(graph: &mut Graph, x: Node) -> Node {
    let half = graph.constant(0.5);
    graph.multiply(half, x)
}

/// How many operations a force and M take together, without those of parameters alone.
fn operations(graph: &Graph, inertia: &Inertia, force: &[Node]) -> usize {
    let mut waiting: Vec<Node> =
        inertia.mass.iter().map(|entry| entry.2).chain(force.iter().copied()).collect();
    let mut known = HashSet::new();
    while let Some(node) = waiting.pop() {
        if graph.setting(node).is_none() && known.insert(node) {
            waiting.extend(graph.operation(node).operands());
        }
    }
    known.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T of two rods in angles, from the velocities of their ends.
    fn double_pendulum(graph: &mut Graph) -> Node {
        use taut_formula::function::Unary;
        let mut ends = [Graph::ZERO; 2];
        let mut kinetic = Graph::ZERO;
        for i in 0..2 {
            let (angle, spin) = (graph.input(Input::Position(i)), graph.input(Input::Velocity(i)));
            for (end, function) in ends.iter_mut().zip([Unary::Cos, Unary::Sin]) {
                let arm = graph.unary(function, angle);
                let velocity = graph.multiply(arm, spin);
                *end = graph.add(*end, velocity);
                let square = graph.power(*end, 2);
                let energy = half(graph, square);
                kinetic = graph.add(kinetic, energy);
            }
        }
        kinetic
    }

    #[test]
    fn what_cancels_between_energy_and_momenta_is_not_computed() {
        let mut graph = Graph::new();
        let kinetic = double_pendulum(&mut graph);
        let inertia = Inertia::of_energy(&mut graph, kinetic, 2).unwrap();
        let mut slopes = vec![Graph::ZERO; 2];
        for (i, slope) in graph.gradient(kinetic, Depends::POSITION) {
            slopes[i] = slope;
        }
        let force = coriolis_force(&mut graph, &inertia, &slopes);
        // sin(b − a) b'² and sin(a − b) a'² beside M, whose diagonal is constant.
        let diagonal = inertia.mass.iter().filter(|(i, j, _)| i == j);
        assert!(diagonal.clone().all(|entry| graph.setting(entry.2).is_some()), "{:?}", diagonal.count());
        assert!(operations(&graph, &inertia, &force) < 24, "{}", operations(&graph, &inertia, &force));
    }
}
