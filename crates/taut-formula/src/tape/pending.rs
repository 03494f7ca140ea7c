//! Formulas that wait for somebody who wants their values.

use std::sync::{Arc, OnceLock};

use super::{Compiler, Tape};
use crate::graph::{Graph, Node};

/// Formulas of a graph, compiled when they are evaluated first: of all that a solver may ask for, one method asks for a part.
#[derive(Debug)]
pub struct Pending {
    results: Vec<Node>,
    n: usize,
    m: usize,
    tape: OnceLock<Arc<Tape>>,
}

impl Pending {
    /// These formulas of a model of n coordinates and m constraints.
    pub fn new(results: &[Node], n: usize, m: usize) -> Self {
        Pending { results: results.to_vec(), n, m, tape: OnceLock::new() }
    }

    /// The tape that computes them; `graph` is the one they are formulas of.
    pub(super) fn tape(&self, graph: &Graph) -> &Arc<Tape> {
        self.tape.get_or_init(|| Arc::new(Compiler::new(graph, self.n, self.m).tape(&self.results)))
    }
}

impl From<Arc<Tape>> for Pending {
    fn from(tape: Arc<Tape>) -> Self {
        Pending { results: Vec::new(), n: 0, m: 0, tape: OnceLock::from(tape) }
    }
}
