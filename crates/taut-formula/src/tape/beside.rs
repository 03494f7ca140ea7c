//! Results that are computed beside others: what both are made of is read once.

use super::compile::Compiler;
use super::shapes::{LARGEST, Pieces};
use crate::graph::{Depends, Node};

/// What more pieces read leads nowhere: numbers that many of them need.
const MOST_READERS: usize = 8;

/// Roots that stand beside that of another piece: the place of this one, and theirs. In order.
#[derive(Debug, Default)]
pub(super) struct Beside(Vec<(u32, Node)>);

impl Beside {
    /// Those beside the root at a place.
    pub(super) fn roots(&self, place: usize) -> impl Iterator<Item = Node> {
        let first = self.0.partition_point(|(host, _)| (*host as usize) < place);
        self.0[first..].iter().take_while(move |(host, _)| *host as usize == place).map(|(_, root)| *root)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The pieces that read a node, by its place: where they begin in the list of all, and the list.
struct Readers {
    first: Vec<u32>,
    pieces: Vec<u32>,
}

impl Readers {
    fn new(compiler: &Compiler<'_>, pieces: &Pieces) -> Self {
        let mut first = vec![0_u32; compiler.touched.len() + 2];
        for k in 0..pieces.count() {
            pieces.leaves_of(k).iter().for_each(|&leaf| first[compiler.place(leaf) + 2] += 1);
        }
        for place in 2..first.len() {
            first[place] += first[place - 1];
        }
        let mut list = vec![0; first.last().map_or(0, |&count| count as usize)];
        for k in 0..pieces.count() {
            for &leaf in pieces.leaves_of(k) {
                let next = &mut first[compiler.place(leaf) + 1];
                list[*next as usize] = k as u32;
                *next += 1;
            }
        }
        Readers { first, pieces: list }
    }

    fn of(&self, place: usize) -> &[u32] {
        &self.pieces[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

impl Compiler<'_> {
    /// Moves repeated pieces that nothing else reads to others that read all that they do. Nobody waits for them, so that they may
    /// run when the other one does.
    pub(super) fn move_beside(&self, pieces: &Pieces, owners: &mut [u32]) -> Beside {
        let readers = Readers::new(self, pieces);
        let mut sizes = vec![0; pieces.count()];
        let mut numbers = vec![0_u32; self.touched.len()];
        (0..pieces.count()).for_each(|k| numbers[self.place(pieces.root(k))] = k as u32);
        for &owner in owners.iter() {
            if let Some(&number) = numbers.get(owner as usize) {
                sizes[number as usize] += 1;
            }
        }
        let host = |k: usize| self.host(k, pieces, &readers, &sizes);
        let mut hosts: Vec<usize> = (0..pieces.count()).map(|k| host(k).unwrap_or(k)).collect();
        let mut found = Vec::new();
        for k in 0..pieces.count() {
            // A host may stand beside another one, which reads all that it does: they become larger on this way.
            let mut last = hosts[k];
            while hosts[last] != last {
                last = hosts[last];
            }
            if last != k && sizes[last] + sizes[k] > LARGEST {
                hosts[k] = k;
            } else if last != k {
                sizes[last] += sizes[k];
                found.push((self.place(pieces.root(last)) as u32, pieces.root(k)));
            }
        }
        found.sort_unstable();
        let mut moved = vec![None; self.touched.len()];
        found.iter().for_each(|&(host, root)| moved[self.place(root)] = Some(host));
        for owner in owners {
            *owner = moved.get(*owner as usize).copied().flatten().unwrap_or(*owner);
        }
        Beside(found)
    }

    /// The largest piece that reads all that this one does, the first of these; nothing where something waits for this one.
    fn host(&self, k: usize, pieces: &Pieces, readers: &Readers, sizes: &[u32]) -> Option<usize> {
        if !pieces.is_repeated(k) || !readers.of(self.place(pieces.root(k))).is_empty() {
            return None;
        }
        // Numbers are not worth a search: they are there for all.
        let is_number = |leaf: Node| self.graph.depends(leaf).or(Depends::PARAMETER) == Depends::PARAMETER;
        let leaves = || pieces.leaves_of(k).iter().copied().filter(|&leaf| !is_number(leaf));
        let candidates = leaves().map(|leaf| readers.of(self.place(leaf))).min_by_key(|all| all.len())?;
        if candidates.len() > MOST_READERS {
            return None;
        }
        let rank = |k: usize| (sizes[k], std::cmp::Reverse(k));
        let reads_all = |other: usize| leaves().all(|leaf| pieces.leaves_of(other).contains(&leaf));
        let candidates = candidates.iter().map(|&other| other as usize);
        let fitting = candidates
            .filter(|&other| rank(other) > rank(k) && pieces.is_repeated(other) && reads_all(other));
        fitting.max_by_key(|&other| rank(other))
    }
}
