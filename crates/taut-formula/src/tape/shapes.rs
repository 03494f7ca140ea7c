//! Repeated parts of formulas: pieces of the graph that compute the same from other nodes.
//!
//! A piece is a node together with those that nothing else needs. Pieces are of one shape where they have the same operations
//! in the same order; what they read, inputs, numbers and other pieces, may differ. A piece runs after those that it reads: on
//! one level of a tape nothing needs anything else that is repeated there.

use std::collections::HashMap;

use super::beside::Beside;
use super::compile::Compiler;
use crate::graph::{Graph, Input, Node, Operation};

/// So many places at least have a tape of their own.
const FEWEST_PLACES: usize = 32;
/// So many nodes at most are one piece: their registers, and those of what they read, go by a byte.
pub(super) const LARGEST: u32 = 64;
/// So often pieces are moved to other levels because too few of their shape stand on theirs.
const ROUNDS: usize = 4;

/// A node that belongs to no piece yet.
const NOBODY: u32 = u32::MAX;
/// A node that more than one piece needs.
const SEVERAL: u32 = u32::MAX - 1;

/// What all pieces of a shape compute.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// its operations on the positions 0, 1, …, in the order of what a piece reads
    pub(super) graph: Graph,
    pub(super) results: Vec<Node>,
    /// how many nodes a piece reads
    pub(super) leaves: usize,
    /// how many nodes of a piece are wanted
    pub(super) outputs: usize,
}

/// Pieces of one shape on one level.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) level: u32,
    pub(super) shape: Shape,
    /// what is read, place by place
    pub(super) leaves: Vec<Node>,
    /// what is computed, place by place
    pub(super) outputs: Vec<Node>,
}

/// One piece.
#[derive(Clone, Copy, Debug)]
struct Piece {
    root: Node,
    /// the number of its shape; none where it is not repeated
    shape: Option<u32>,
    level: u32,
    /// where its nodes begin in the lists of all
    leaves: usize,
    outputs: usize,
}

/// All pieces, each after those it reads, with what they read and compute.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    leaves: Vec<Node>,
    outputs: Vec<Node>,
}

/// What is found when the nodes of one piece are visited, operands first.
#[derive(Debug, Default)]
struct Visit {
    /// operations with the numbers of their operands: equal for pieces of one shape
    code: Vec<u64>,
    nodes: Vec<Node>,
    leaves: Vec<Node>,
}

impl Compiler<'_> {
    /// The parts that are repeated often enough. Their nodes are covered; the others know their levels.
    pub(super) fn groups(&mut self) -> Vec<Group> {
        if self.touched.len() < self.fewest_operations[0] {
            return Vec::new();
        }
        let too_large = self.too_large();
        let mut owners = self.owners(&too_large);
        let mut beside = Beside::default();
        let mut pieces = self.pieces(&owners, &too_large, &beside);
        if pieces.pieces.iter().all(|piece| piece.shape.is_none()) {
            return Vec::new();
        }
        beside = self.move_beside(&pieces, &mut owners);
        if !beside.is_empty() {
            pieces = self.pieces(&owners, &too_large, &beside);
        }
        for _ in 0..ROUNDS {
            self.put_on_levels(&mut pieces);
            if !pieces.leave_out_few() {
                break;
            }
        }
        self.put_on_levels(&mut pieces);
        for k in 0..self.touched.len() {
            let node = self.touched[k];
            let root = self.touched.get(owners[k] as usize).copied();
            if let Some(root) = root.filter(|&root| self.note(root).is_repeated) {
                let level = self.note(root).level;
                let note = self.note_mut(node);
                (note.is_repeated, note.is_covered, note.level) = (true, true, level);
            } else if let Some(root) = root {
                self.note_mut(node).level = self.note(root).level;
            }
        }
        self.grouped(&pieces, &owners, &beside)
    }

    /// For each node the place of the root of its piece; that of a node outside of all pieces, or of one that is too large a
    /// sum, has nothing else in it.
    fn owners(&self, too_large: &[bool]) -> Vec<u32> {
        let mut owners = vec![NOBODY; self.touched.len()];
        let mut sizes = vec![0; self.touched.len()];
        for k in (0..self.touched.len()).rev() {
            if !self.is_computed(self.touched[k]) {
                owners[k] = NOBODY;
                continue;
            }
            let claimed = owners[k] as usize;
            let joins = claimed < sizes.len() && !too_large[k] && sizes[claimed] < LARGEST;
            let owner = if joins { claimed } else { k };
            sizes[owner] += 1;
            owners[k] = owner as u32;
            let claim = if too_large[k] { SEVERAL } else { owner as u32 };
            for operand in self.graph.operation(self.touched[k]).operands() {
                let known = &mut owners[self.place(operand)];
                *known = if *known == NOBODY || *known == claim { claim } else { SEVERAL };
            }
        }
        owners
    }

    /// Nodes with too many others that only they need: long sums, whose terms are pieces of their own.
    fn too_large(&self) -> Vec<bool> {
        let mut weights = vec![0_u32; self.touched.len()];
        for (k, &node) in self.touched.iter().enumerate() {
            if self.is_computed(node) {
                let operands = self.graph.operation(node).operands().filter(|&x| self.note(x).uses == 1);
                let below = operands.map(|x| weights[self.place(x)]).fold(0, u32::saturating_add);
                weights[k] = below.saturating_add(1);
            }
        }
        weights.into_iter().map(|weight| weight > LARGEST).collect()
    }

    fn pieces(&self, owners: &[u32], too_large: &[bool], beside: &Beside) -> Pieces {
        let mut found = Pieces::default();
        let mut shapes: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut visit = Visit::default();
        for (k, &root) in self.touched.iter().enumerate() {
            if owners[k] != k as u32 {
                continue;
            }
            visit.clear();
            self.visit_all(root, owners, beside, &mut visit);
            let shape = match shapes.get(&visit.code[..]) {
                Some(&shape) => shape,
                None => {
                    counts.push(0);
                    shapes.insert(visit.code.clone(), counts.len() as u32 - 1);
                    counts.len() as u32 - 1
                }
            };
            counts[shape as usize] += 1;
            let (leaves, outputs) = (found.leaves.len(), found.outputs.len());
            let shape = (!too_large[k]).then_some(shape);
            found.pieces.push(Piece { root, shape, level: 0, leaves, outputs });
            found.leaves.extend(&visit.leaves);
            let wanted = |node: &Node| *node == root || self.note(*node).is_result;
            found.outputs.extend(visit.nodes.iter().copied().filter(wanted));
        }
        for piece in &mut found.pieces {
            piece.shape = piece.shape.filter(|&shape| counts[shape as usize] >= FEWEST_PLACES);
        }
        found
    }

    /// Visits all nodes of a piece.
    fn visit_all(&self, root: Node, owners: &[u32], beside: &Beside, visit: &mut Visit) {
        let place = self.place(root);
        for root in std::iter::once(root).chain(beside.roots(place)) {
            self.visit(root, place as u32, owners, visit);
        }
    }

    /// Visits the nodes of a piece from one of them on; gives the number of this one: even for those that are read, odd for those of the piece.
    fn visit(&self, node: Node, owner: u32, owners: &[u32], visit: &mut Visit) -> u64 {
        if owners[self.place(node)] != owner {
            let number = visit.leaves.iter().position(|leaf| *leaf == node).unwrap_or_else(|| {
                visit.leaves.push(node);
                visit.leaves.len() - 1
            });
            return 2 * number as u64;
        }
        if let Some(number) = visit.nodes.iter().position(|known| *known == node) {
            return 2 * number as u64 + 1;
        }
        let operation = self.graph.operation(node);
        let operands = operation.operands().fold([u64::from(u32::MAX); 2], |[a, _], x| {
            let number = self.visit(x, owner, owners, visit);
            if a == u64::from(u32::MAX) { [number, a] } else { [a, number] }
        });
        let is_result = u64::from(self.note(node).is_result);
        visit.code.extend([kind_of(operation), is_result, operands[0] << 32 | operands[1]]);
        visit.nodes.push(node);
        2 * visit.nodes.len() as u64 - 1
    }

    /// A repeated piece runs after all that it reads, another one beside those that are not repeated.
    fn put_on_levels(&mut self, pieces: &mut Pieces) {
        for k in 0..pieces.pieces.len() {
            let is_repeated = pieces.pieces[k].shape.is_some();
            let mut level = 0;
            for &leaf in pieces.leaves_of(k) {
                if self.is_computed(leaf) {
                    level = level.max(self.note(leaf).level + u32::from(is_repeated));
                }
            }
            let piece = &mut pieces.pieces[k];
            piece.level = level;
            let note = self.note_mut(piece.root);
            (note.level, note.is_repeated) = (level, is_repeated);
        }
    }

    /// The pieces by shape and level.
    fn grouped(&self, pieces: &Pieces, owners: &[u32], beside: &Beside) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<(u32, u32), usize> = HashMap::new();
        for (k, piece) in pieces.pieces.iter().enumerate() {
            let Some(shape) = piece.shape else { continue };
            let number = *known.entry((shape, piece.level)).or_insert_with(|| {
                let shape = self.shape(piece.root, owners, beside);
                groups.push(Group { level: piece.level, shape, leaves: Vec::new(), outputs: Vec::new() });
                groups.len() - 1
            });
            groups[number].leaves.extend(pieces.leaves_of(k));
            groups[number].outputs.extend(pieces.outputs_of(k));
        }
        groups
    }

    /// The shape of the piece of a root.
    fn shape(&self, root: Node, owners: &[u32], beside: &Beside) -> Shape {
        let mut visit = Visit::default();
        self.visit_all(root, owners, beside, &mut visit);
        let mut graph = Graph::new();
        let mut made: HashMap<Node, Node> = HashMap::new();
        for (k, &leaf) in (0..).zip(&visit.leaves) {
            made.insert(leaf, graph.input(Input::Position(k)));
        }
        let mut results = Vec::new();
        for &node in &visit.nodes {
            let new = graph.as_written(self.graph.operation(node), |x| made.get(&x).copied().unwrap_or(x));
            made.insert(node, new);
            if node == root || self.note(node).is_result {
                results.push(new);
            }
        }
        Shape { graph, leaves: visit.leaves.len(), outputs: results.len(), results }
    }
}

impl Pieces {
    pub(super) fn count(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn root(&self, k: usize) -> Node {
        self.pieces[k].root
    }

    /// Whether there are enough of its shape.
    pub(super) fn is_repeated(&self, k: usize) -> bool {
        self.pieces[k].shape.is_some()
    }

    pub(super) fn leaves_of(&self, k: usize) -> &[Node] {
        let end = self.pieces.get(k + 1).map_or(self.leaves.len(), |next| next.leaves);
        &self.leaves[self.pieces[k].leaves..end]
    }

    fn outputs_of(&self, k: usize) -> &[Node] {
        let end = self.pieces.get(k + 1).map_or(self.outputs.len(), |next| next.outputs);
        &self.outputs[self.pieces[k].outputs..end]
    }

    /// Pieces of which too few stand on a level are not repeated; whether there were such.
    fn leave_out_few(&mut self) -> bool {
        let mut counts: HashMap<(u32, u32), usize> = HashMap::new();
        for piece in &self.pieces {
            if let Some(shape) = piece.shape {
                *counts.entry((shape, piece.level)).or_default() += 1;
            }
        }
        let mut any = false;
        for piece in &mut self.pieces {
            let few = |shape: u32| counts.get(&(shape, piece.level)).is_none_or(|&n| n < FEWEST_PLACES);
            if piece.shape.is_some_and(few) {
                piece.shape = None;
                any = true;
            }
        }
        any
    }
}

impl Visit {
    fn clear(&mut self) {
        self.code.clear();
        self.nodes.clear();
        self.leaves.clear();
    }
}

/// What an operation does, whatever its operands are.
fn kind_of(operation: Operation) -> u64 {
    match operation {
        Operation::Constant(_) => 0,
        Operation::Input(_) => 1,
        Operation::Add(..) => 2,
        Operation::Subtract(..) => 3,
        Operation::Multiply(..) => 4,
        Operation::Divide(..) => 5,
        Operation::Negative(_) => 6,
        Operation::Power(_, k) => 7 + (u64::from(k as u32) << 8),
        Operation::Unary(function, _) => 8 + (u64::from(function as u8) << 8),
        Operation::Binary(function, ..) => 9 + (u64::from(function as u8) << 8),
        Operation::Where(..) => 10,
        Operation::Unless(..) => 11,
    }
}
