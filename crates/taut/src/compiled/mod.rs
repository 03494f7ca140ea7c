//! Systems whose formulas are known as a graph: derivatives are symbolic, values and blocks are computed by tapes.
//!
//! Model files and recorded formulas in Rust (`traced`) come to this place. What is differentiated here are the
//! formulas of the whole system; what a method asks for is compiled when it asks first.

mod first_order;
mod mechanical;
mod partition;
mod switches;

pub(super) use first_order::jacobian;
pub use first_order::{FirstOrderEquations, FirstOrderModel};
pub use mechanical::{
    Formulas, Inertia, MechanicalEnsemble, MechanicalEquations, MechanicalModel, NotQuadratic,
    StrongPotential,
};
pub use partition::{
    PartitionEquations, PartitionFormulas, PartitionedModel, canonical_parts, usual_reaction,
};

use taut_formula::graph::{Depends, Graph, Node};

use crate::linear::Pattern;

/// Entries of a matrix: row, column, formula.
type Entries = Vec<(usize, usize, Node)>;

/// The derivatives of each row.
fn slopes(graph: &mut Graph, rows: &[Node], kind: Depends) -> Entries {
    let mut entries = Entries::new();
    for (i, &row) in rows.iter().enumerate() {
        entries.extend(graph.gradient(row, kind).into_iter().map(|(j, slope)| (i, j, slope)));
    }
    entries
}

fn places(entries: &Entries) -> impl Iterator<Item = (usize, usize)> + '_ {
    entries.iter().map(|&(i, j, _)| (i, j))
}

/// The formulas of a matrix in the order of a pattern that contains its entries.
fn in_order(pattern: &Pattern, entries: &Entries) -> Vec<Node> {
    let mut ordered = vec![Graph::ZERO; pattern.nnz()];
    for &(i, j, entry) in entries {
        if let Some(k) = pattern.position(i, j) {
            ordered[k] = entry;
        }
    }
    ordered
}
