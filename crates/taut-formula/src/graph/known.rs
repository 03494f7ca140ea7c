//! Which node computes an operation.

use std::hash::{BuildHasher, RandomState};

use super::{Input, Node, Operation};

/// The nodes by their operations. It holds the numbers of nodes, and a part of the hashes, so that few operations are looked at
/// that are others: it takes a third of the room of a map from operations to nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    places: Vec<Place>,
    keys: Keys,
}

/// What hashes are made with: drawn at random for each graph, so that no file can be written whose operations fall on one place.
#[derive(Clone, Copy, Debug)]
struct Keys([u64; 2]);

impl Default for Keys {
    fn default() -> Self {
        let random = RandomState::new();
        Keys([random.hash_one(0), random.hash_one(1)])
    }
}

impl Keys {
    /// One product of 64 by 64 bits, whose halves are folded into each other: a tenth of what the hash of the standard library
    /// costs, and most of what a graph is asked is whether an operation is known.
    fn hash(self, operation: &Operation) -> u64 {
        let [a, b] = words(operation);
        let product = u128::from(a ^ self.0[0]) * u128::from(b ^ self.0[1]);
        (product ^ (product >> 64)) as u64
    }
}

/// An operation as two numbers, other ones for every other operation.
fn words(operation: &Operation) -> [u64; 2] {
    let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
    match *operation {
        Operation::Constant(bits) => [0, bits],
        Operation::Input(Input::Time) => [1, 0],
        Operation::Input(Input::Position(i)) => [1, pair(1, i)],
        Operation::Input(Input::Velocity(i)) => [1, pair(2, i)],
        Operation::Input(Input::Acceleration(i)) => [1, pair(3, i)],
        Operation::Input(Input::Multiplier(k)) => [1, pair(4, k)],
        Operation::Input(Input::Parameter(k)) => [1, pair(5, k)],
        Operation::Add(a, b) => [2, pair(a.0, b.0)],
        Operation::Subtract(a, b) => [3, pair(a.0, b.0)],
        Operation::Multiply(a, b) => [4, pair(a.0, b.0)],
        Operation::Divide(a, b) => [5, pair(a.0, b.0)],
        Operation::Negative(a) => [6, pair(a.0, 0)],
        Operation::Power(a, k) => [7, pair(a.0, k as u32)],
        Operation::Unary(function, a) => [8 + (u64::from(function as u8) << 8), pair(a.0, 0)],
        Operation::Binary(function, a, b) => [9 + (u64::from(function as u8) << 8), pair(a.0, b.0)],
        Operation::Where(a, b) => [10, pair(a.0, b.0)],
        Operation::Unless(a, b) => [11, pair(a.0, b.0)],
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    node: u32,
    hash: u32,
}

const FREE: Place = Place { node: u32::MAX, hash: 0 };

/// Where an operation belongs that is not known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy {
    place: usize,
    hash: u32,
}

impl Known {
    /// With these operations.
    pub(super) fn of(operations: &[Operation]) -> Self {
        let mut known = Known::default();
        known.make_room(operations, (operations.len() * 2).next_power_of_two().max(16));
        known
    }

    /// The node of an operation, when there is one.
    pub(super) fn find(&self, operation: &Operation, operations: &[Operation]) -> Result<Node, Vacancy> {
        let vacancy = self.place(operation, operations);
        match self.places[vacancy.place].node {
            node if node == FREE.node => Err(vacancy),
            node => Ok(Node(node)),
        }
    }

    /// Adds the last of the operations, which was not known.
    pub(super) fn add_last(&mut self, Vacancy { place, hash }: Vacancy, operations: &[Operation]) {
        if 4 * operations.len() > 3 * self.places.len() {
            return self.make_room(operations, 2 * self.places.len());
        }
        self.places[place] = Place { node: operations.len() as u32 - 1, hash };
    }

    /// Makes room for more: so many places, a power of two.
    fn make_room(&mut self, operations: &[Operation], places: usize) {
        self.places = vec![FREE; places];
        for (node, operation) in operations.iter().enumerate() {
            let Vacancy { place, hash } = self.place(operation, operations);
            self.places[place] = Place { node: node as u32, hash };
        }
    }

    /// Where an operation is, or where it belongs; and the part of its hash that is kept.
    fn place(&self, operation: &Operation, operations: &[Operation]) -> Vacancy {
        let last = self.places.len() - 1;
        let whole = self.keys.hash(operation);
        let hash = (whole >> 32) as u32;
        let mut place = whole as usize & last;
        loop {
            let Place { node, hash: known } = self.places[place];
            if node == FREE.node || known == hash && operations[node as usize] == *operation {
                return Vacancy { place, hash };
            }
            place = (place + 1) & last;
        }
    }
}
