//! What the elimination of paired rows does, found once from the places of the entries.

use super::{MOST_NODES, MOST_PLACES};
use crate::linear::Pattern;

/// What the elimination does, found once from the places of the entries.
#[derive(Debug)]
pub(super) struct Plan {
    /// In the order of elimination.
    pub(super) nodes: Vec<Node>,
    /// In the order of their coordinates.
    pub(super) entries: Vec<Entry>,
    /// (block, entry, entry): the block gets their product.
    pub(super) products: Vec<[u8; 3]>,
    /// (row, block, column) of L, in the order of the solution of L y = b.
    pub(super) substitutions: Vec<[u8; 3]>,
}

/// One or two constraints.
#[derive(Debug)]
pub(super) struct Node {
    /// Their rows; that of a second one that is not there is m.
    pub(super) rows: [usize; 2],
    pub(super) has_two: bool,
    pub(super) diagonal: u8,
    /// The blocks below the diagonal.
    pub(super) below: Vec<u8>,
    /// (block, i, j): the block there becomes itself minus lᵢ d lⱼᵀ.
    pub(super) updates: Vec<[u8; 3]>,
}

/// A coordinate in the rows of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) coordinate: u8,
    pub(super) node: u8,
    /// in the values of G; behind them where there is nothing
    pub(super) slots: [u8; 2],
}

impl Plan {
    pub(super) fn new(jacobian: &Pattern) -> Option<Self> {
        let of_rows = nodes_of(jacobian)?;
        let mut coupled = Coupled::new(jacobian, &of_rows);
        let order = coupled.eliminate();
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &node)| position[node] = k);
        let mut places = Places { place: vec![None; order.len() * order.len()], size: order.len(), used: 0 };
        for k in 0..order.len() {
            for i in (k..order.len()).filter(|&i| i == k || coupled.are(order[i], order[k])) {
                places.add(i, k)?;
            }
        }
        let entries = entries_of(jacobian, &of_rows, &position)?;
        let mut substitutions = Vec::new();
        let nodes = order.iter().enumerate().map(|(k, &node)| {
            let below: Vec<usize> = (k + 1..order.len()).filter(|&i| places.at(i, k).is_some()).collect();
            let pairs =
                below.iter().enumerate().flat_map(|(at, &j)| below[at..].iter().map(move |&i| (i, j)));
            let update = |(i, j)| Some([places.at(i, j)?, places.at(i, k)?, places.at(j, k)?]);
            substitutions.extend(below.iter().filter_map(|&i| Some([i as u8, places.at(i, k)?, k as u8])));
            Some(Node {
                rows: of_rows[node],
                has_two: of_rows[node][1] < jacobian.rows(),
                diagonal: places.at(k, k)?,
                below: below.iter().filter_map(|&i| places.at(i, k)).collect(),
                updates: pairs.map(update).collect::<Option<_>>()?,
            })
        });
        let nodes = nodes.collect::<Option<Vec<Node>>>()?;
        let products = products_of(&entries, &places)?;
        Some(Self { nodes, entries, products, substitutions })
    }
}

/// Where the blocks of the lower half are.
struct Places {
    place: Vec<Option<u8>>,
    size: usize,
    used: usize,
}

impl Places {
    fn add(&mut self, i: usize, j: usize) -> Option<()> {
        self.place[i + j * self.size] = Some(u8::try_from(self.used).ok()?);
        self.used += 1;
        Some(())
    }

    fn at(&self, i: usize, j: usize) -> Option<u8> {
        self.place[i + j * self.size]
    }
}

/// Which nodes share a coordinate, or are coupled by the elimination of others.
struct Coupled(Vec<u32>);

impl Coupled {
    fn new(jacobian: &Pattern, nodes: &[[usize; 2]]) -> Self {
        let node_of = |row: usize| nodes.iter().position(|rows| rows.contains(&row)).unwrap_or_default();
        let mut coupled = vec![0_u32; nodes.len()];
        for coordinate in 0..jacobian.cols() {
            let all = jacobian.column(coordinate).iter().fold(0, |all, &row| all | 1 << node_of(row));
            (0..nodes.len()).filter(|node| all >> node & 1 == 1).for_each(|node| coupled[node] |= all);
        }
        Self(coupled)
    }

    /// The order of elimination by least degree; couples those that it leaves coupled.
    fn eliminate(&mut self) -> Vec<usize> {
        let (size, mut left) = (self.0.len(), u32::MAX);
        let mut order = Vec::with_capacity(size);
        for _ in 0..size {
            let neighbours = |i: usize| self.0[i] & left & !(1 << i);
            let waiting = (0..size).filter(|i| left >> i & 1 == 1);
            let next = waiting.min_by_key(|&i| neighbours(i).count_ones()).unwrap_or(0);
            let all = neighbours(next);
            (0..size).filter(|i| all >> i & 1 == 1).for_each(|i| self.0[i] |= all);
            left &= !(1 << next);
            order.push(next);
        }
        order
    }

    fn are(&self, i: usize, j: usize) -> bool {
        self.0[i] >> j & 1 == 1
    }
}

/// Two rows that follow each other and are coupled with the same others are a node, others are one by themselves; nothing where these are
/// more than a few, or where there are too many of both.
fn nodes_of(jacobian: &Pattern) -> Option<Vec<[usize; 2]>> {
    let m = jacobian.rows();
    let mut coupled = vec![vec![false; m]; m];
    for column in (0..jacobian.cols()).map(|coordinate| jacobian.column(coordinate)) {
        for &i in column {
            column.iter().for_each(|&j| coupled[i][j] = true);
        }
    }
    let (mut nodes, mut row, mut pairs) = (Vec::new(), 0, 0);
    while row < m {
        let paired = row + 1 < m && coupled[row] == coupled[row + 1];
        nodes.push([row, if paired { row + 1 } else { m }]);
        row += if paired { 2 } else { 1 };
        pairs += usize::from(paired);
    }
    (nodes.len() <= MOST_NODES && 8 * pairs >= 3 * m).then_some(nodes)
}

fn entries_of(jacobian: &Pattern, nodes: &[[usize; 2]], position: &[usize]) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    for coordinate in 0..jacobian.cols() {
        for (&rows, &place) in nodes.iter().zip(position) {
            let slot =
                |row: usize| if row < jacobian.rows() { jacobian.position(row, coordinate) } else { None };
            let slots = rows.map(slot);
            if slots != [None, None] {
                let [one, two] = slots.map(|slot| u8::try_from(slot.unwrap_or(jacobian.nnz())).ok());
                let (coordinate, node) = (u8::try_from(coordinate).ok()?, u8::try_from(place).ok()?);
                entries.push(Entry { coordinate, node, slots: [one?, two?] });
            }
        }
    }
    (entries.len() <= MOST_PLACES).then_some(entries)
}

fn products_of(entries: &[Entry], places: &Places) -> Option<Vec<[u8; 3]>> {
    let mut products = Vec::new();
    for (e, one) in entries.iter().enumerate() {
        for (f, two) in entries.iter().enumerate().filter(|(_, two)| two.coordinate == one.coordinate) {
            if one.node >= two.node {
                let place = places.at(usize::from(one.node), usize::from(two.node))?;
                products.push([place, u8::try_from(e).ok()?, u8::try_from(f).ok()?]);
            }
        }
    }
    Some(products)
}
