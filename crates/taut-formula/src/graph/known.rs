//! Which node computes an operation.

use std::hash::{BuildHasher, RandomState};

use super::{Input, Node, Operation};

/// So many operations at most are looked for behind their newest operand: a file may write the same number everywhere, and a search
/// must not take longer and longer.
const MOST_USERS: usize = 8;

/// No node.
const NOBODY: u32 = u32::MAX;

/// The nodes by their operations.
///
/// An operation is looked for among the first users of its newest operand, which were made lately, most of them: in a large graph this
/// stays in the cache, where a table is missed at nearly every question. All other operations are in a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// of each node
    links: Vec<Links>,
    table: Table,
}

#[derive(Clone, Copy, Debug)]
struct Links {
    /// the last operation whose newest operand the node is
    user: u32,
    /// the one before with the same newest operand
    before: u32,
}

const ALONE: Links = Links { user: NOBODY, before: NOBODY };

/// It holds the numbers of nodes, and a part of the hashes, so that few operations are looked at
/// that are others: it takes a third of the room of a map from operations to nodes.
#[derive(Clone, Debug, Default)]
struct Table {
    places: Vec<Place>,
    filled: usize,
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

const FREE: Place = Place { node: NOBODY, hash: 0 };
const FEWEST_PLACES: usize = 16;

/// Where an operation belongs that is not known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vacancy {
    /// among the users of its newest operand
    Behind(Node),
    /// at a place of the table
    InTable { place: usize, hash: u32 },
}

impl Known {
    /// With these operations.
    pub(super) fn of(operations: &[Operation]) -> Self {
        let mut known = Known::default();
        known.table.make_room(operations, FEWEST_PLACES);
        for k in 0..operations.len() {
            if let Err(vacancy) = known.find(&operations[k], &operations[..k]) {
                known.add_last(vacancy, &operations[..=k]);
            }
        }
        known
    }

    /// The node of an operation, when there is one.
    pub(super) fn find(&self, operation: &Operation, operations: &[Operation]) -> Result<Node, Vacancy> {
        let Some(newest) = operation.operands().max() else {
            return self.table.find(operation, operations);
        };
        let mut user = self.links[newest.index()].user;
        for _ in 0..MOST_USERS {
            if user == NOBODY {
                return Err(Vacancy::Behind(newest));
            }
            if operations[user as usize] == *operation {
                return Ok(Node(user));
            }
            user = self.links[user as usize].before;
        }
        self.table.find(operation, operations)
    }

    /// Adds the last of the operations, which was not known.
    pub(super) fn add_last(&mut self, vacancy: Vacancy, operations: &[Operation]) {
        let last = operations.len() as u32 - 1;
        self.links.push(ALONE);
        match vacancy {
            Vacancy::Behind(newest) => {
                let before = std::mem::replace(&mut self.links[newest.index()].user, last);
                self.links[last as usize].before = before;
            }
            Vacancy::InTable { place, hash } => self.table.add(place, Place { node: last, hash }, operations),
        }
    }
}

impl Table {
    fn find(&self, operation: &Operation, operations: &[Operation]) -> Result<Node, Vacancy> {
        let (place, hash) = self.place(operation, operations);
        match self.places[place].node {
            NOBODY => Err(Vacancy::InTable { place, hash }),
            node => Ok(Node(node)),
        }
    }

    fn add(&mut self, place: usize, new: Place, operations: &[Operation]) {
        self.places[place] = new;
        self.filled += 1;
        if 4 * self.filled > 3 * self.places.len() {
            self.make_room(operations, 2 * self.places.len());
        }
    }

    /// Makes room for more: so many places, a power of two.
    fn make_room(&mut self, operations: &[Operation], places: usize) {
        let before = std::mem::replace(&mut self.places, vec![FREE; places]);
        for known in before.into_iter().filter(|place| place.node != NOBODY) {
            let (place, _) = self.place(&operations[known.node as usize], operations);
            self.places[place] = known;
        }
    }

    /// Where an operation is, or where it belongs; and the part of its hash that is kept.
    fn place(&self, operation: &Operation, operations: &[Operation]) -> (usize, u32) {
        let last = self.places.len() - 1;
        let whole = self.keys.hash(operation);
        let hash = (whole >> 32) as u32;
        let mut place = whole as usize & last;
        loop {
            let Place { node, hash: known } = self.places[place];
            if node == NOBODY || known == hash && operations[node as usize] == *operation {
                return (place, hash);
            }
            place = (place + 1) & last;
        }
    }
}
