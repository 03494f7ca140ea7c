//! Which node computes an operation.

use std::hash::{BuildHasher, RandomState};

use super::{Node, Operation};

/// The nodes by their operations. It holds the numbers of nodes, and a part of the hashes, so that few operations are looked at
/// that are others: it takes a third of the room of a map from operations to nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    places: Vec<Place>,
    used: usize,
    // Drawn at random for each graph, so that no file can be written whose operations fall on one place.
    hash: RandomState,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    node: u32,
    hash: u32,
}

const FREE: Place = Place { node: u32::MAX, hash: 0 };

impl Known {
    /// The node of an operation, when there is one.
    pub(super) fn get(&self, operation: &Operation, operations: &[Operation]) -> Option<Node> {
        let (place, _) = self.place(operation, operations);
        let node = self.places.get(place)?.node;
        (node != FREE.node).then_some(Node(node))
    }

    /// Adds the last of the operations, which was not known.
    pub(super) fn add_last(&mut self, operations: &[Operation]) {
        if 4 * self.used >= 3 * self.places.len() {
            self.places = vec![FREE; (2 * self.places.len()).max(16)];
            self.used = 0;
        }
        for node in self.used..operations.len() {
            let (place, hash) = self.place(&operations[node], operations);
            self.places[place] = Place { node: node as u32, hash };
        }
        self.used = operations.len();
    }

    /// Where an operation is, or where it belongs; and the part of its hash that is kept.
    fn place(&self, operation: &Operation, operations: &[Operation]) -> (usize, u32) {
        let last = self.places.len().saturating_sub(1);
        let hash = self.hash.hash_one(operation);
        let kept = (hash >> 32) as u32;
        let other = |place: &Place| {
            place.node != FREE.node && (place.hash != kept || operations[place.node as usize] != *operation)
        };
        let mut place = hash as usize & last;
        while self.places.get(place).is_some_and(other) {
            place = (place + 1) & last;
        }
        (place, kept)
    }
}
