//! The canonical equations of an energy H(t, q, p): q' = H_p, p' = −H_q + f − Gᵀλ (Jay 1998, eq. 6).

use taut_formula::graph::{Depends, Graph, Input, Node};

use crate::seen::{ForceClass, RatePart};

/// The parts of the canonical equations that there are; `forces` by class and coordinate.
pub fn canonical_parts(
    graph: &mut Graph,
    n: usize,
    energy: Node,
    equations: &[Node],
    forces: [Vec<Node>; 4],
) -> Vec<(RatePart, Vec<Node>)> {
    let mut parts: Vec<(RatePart, Vec<Node>)> = Vec::new();
    for (class, mut forces) in ForceClass::ALL.into_iter().zip(forces) {
        forces.truncate(n);
        let mut rates = [vec![Graph::ZERO; n], forces].concat();
        if class == ForceClass::Conservative {
            for (i, slope) in graph.gradient(energy, Depends::POSITION) {
                if i < n {
                    rates[n + i] = graph.subtract(rates[n + i], slope);
                } else {
                    rates[i - n] = graph.add(rates[i - n], slope);
                }
            }
        }
        if rates.iter().any(|&rate| rate != Graph::ZERO) {
            parts.push((RatePart::Class(class), rates));
        }
    }
    parts.extend(usual_reaction(graph, n, n, equations));
    parts
}

/// −Gᵀu, where there are as many z as y; nothing without constraints.
pub fn usual_reaction(
    graph: &mut Graph,
    n: usize,
    p: usize,
    equations: &[Node],
) -> Option<(RatePart, Vec<Node>)> {
    if equations.is_empty() || n != p {
        return None;
    }
    let mut rates = vec![Graph::ZERO; n + p];
    for (k, &equation) in equations.iter().enumerate() {
        let multiplier = graph.input(Input::Position((n + p + k) as u32));
        for (i, slope) in graph.gradient(equation, Depends::POSITION) {
            if i < n {
                let share = graph.multiply(slope, multiplier);
                rates[n + i] = graph.subtract(rates[n + i], share);
            }
        }
    }
    Some((RatePart::Reaction, rates))
}
