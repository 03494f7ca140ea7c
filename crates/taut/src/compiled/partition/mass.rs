//! The mass matrix of (M(y) z)' = Σ k.

use taut_formula::graph::{Depends, Graph, Input, Node};

use super::PartitionFormulas;

/// M(y) z; z itself where M is the identity.
pub(super) fn momentum(graph: &mut Graph, formulas: &PartitionFormulas) -> Vec<Node> {
    let (n, p) = (formulas.first.len(), formulas.second.len());
    let second: Vec<Node> = (0..p).map(|i| graph.input(Input::Position((n + i) as u32))).collect();
    if formulas.mass.is_empty() {
        return second;
    }
    let mut momentum = vec![Graph::ZERO; p];
    for &(i, j, entry) in &formulas.mass {
        let term = graph.multiply(entry, second[j]);
        momentum[i] = graph.add(momentum[i], term);
    }
    momentum
}

/// Solves M z' = (M z)' − (∂(M z)/∂y) y' for z'; `rates` are y' and (M z)' before it. Elimination without pivots: M is that of a
/// mechanism, or diagonal.
pub(super) fn solve(graph: &mut Graph, formulas: &PartitionFormulas, rates: &mut [Node]) {
    let (n, p) = (formulas.first.len(), formulas.second.len());
    for (i, row) in momentum(graph, formulas).into_iter().enumerate() {
        for (j, slope) in graph.gradient(row, Depends::POSITION) {
            if j < n {
                let change = graph.multiply(slope, rates[j]);
                rates[n + i] = graph.subtract(rates[n + i], change);
            }
        }
    }
    let mut matrix = vec![vec![Graph::ZERO; p]; p];
    for &(i, j, entry) in &formulas.mass {
        matrix[i][j] = entry;
    }
    let right = &mut rates[n..n + p];
    for k in 0..p {
        for i in k + 1..p {
            if matrix[i][k] == Graph::ZERO {
                continue;
            }
            let factor = graph.divide(matrix[i][k], matrix[k][k]);
            for j in k + 1..p {
                if matrix[k][j] != Graph::ZERO {
                    let share = graph.multiply(factor, matrix[k][j]);
                    matrix[i][j] = graph.subtract(matrix[i][j], share);
                }
            }
            let share = graph.multiply(factor, right[k]);
            right[i] = graph.subtract(right[i], share);
        }
    }
    for k in (0..p).rev() {
        for j in k + 1..p {
            if matrix[k][j] != Graph::ZERO {
                let share = graph.multiply(matrix[k][j], right[j]);
                right[k] = graph.subtract(right[k], share);
            }
        }
        right[k] = graph.divide(right[k], matrix[k][k]);
    }
}
