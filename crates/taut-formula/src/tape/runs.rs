//! The order of instructions: long runs of one kind.

use std::collections::{BTreeSet, HashMap};

use super::instruction::Kind;

/// Sums, differences and products of one kind have a run of their own when so many are ready. Shorter ones go together in
/// a run of [`Kind::Products`], whose instructions take half as long again: to begin a run costs as much as four of them.
const LONG: usize = 16;

/// The instructions that are not done yet.
struct Waiting<'a> {
    kinds: &'a [Kind],
    /// how many of those it needs are not done
    missing: Vec<u32>,
    /// who needs an instruction: where its users begin in the list of all, and the list
    first_user: Vec<u32>,
    users: Vec<u32>,
    /// what can be done now, by kind
    ready: Vec<(Kind, Vec<usize>)>,
    /// where a kind is in it
    places: HashMap<Kind, usize>,
    /// how many of a kind are ready, and where it is: of arithmetic and of all other kinds. A model may have thousands of
    /// kinds, such as powers with different exponents.
    sizes: [BTreeSet<(usize, usize)>; 2],
}

/// An order for instructions of these kinds, each after those it needs, and the kind of the run that each is part of.
///
/// Greedy: a run goes on as long as there is something for it; sums, differences and products come before everything
/// else, so that as many functions as possible are ready together.
pub(super) fn in_runs(kinds: &[Kind], needs: &[[Option<u32>; 4]]) -> Vec<(usize, Kind)> {
    let mut waiting = Waiting::new(kinds, needs);
    let mut order = Vec::with_capacity(kinds.len());
    loop {
        let arithmetic = waiting.most_ready(true);
        let other = waiting.most_ready(false);
        match (arithmetic, other) {
            (Some(kind), _) if waiting.count(kind) >= LONG => {
                while let Some(step) = waiting.take(kind) {
                    order.push((step, kind));
                }
            }
            (Some(_), _) => {
                while let Some(kind) = waiting.most_ready(true)
                    && waiting.count(kind) < LONG
                {
                    order.extend(waiting.take(kind).map(|step| (step, Kind::Products)));
                }
            }
            (None, Some(kind)) => {
                while let Some(step) = waiting.take(kind) {
                    order.push((step, kind));
                }
            }
            (None, None) => return order,
        }
    }
}

impl<'a> Waiting<'a> {
    fn new(kinds: &'a [Kind], needs: &[[Option<u32>; 4]]) -> Self {
        let (first_user, users) = users(needs);
        let missing = needs.iter().map(|needs| needs.iter().flatten().count() as u32).collect();
        let (ready, places, sizes) = (Vec::new(), HashMap::new(), [BTreeSet::new(), BTreeSet::new()]);
        let mut waiting = Waiting { kinds, missing, first_user, users, ready, places, sizes };
        for (k, needs) in needs.iter().enumerate().rev() {
            if needs.iter().all(Option::is_none) {
                waiting.make_ready(k);
            }
        }
        waiting
    }

    fn make_ready(&mut self, k: usize) {
        let kind = self.kinds[k];
        let place = *self.places.entry(kind).or_insert_with(|| {
            self.ready.push((kind, Vec::new()));
            self.ready.len() - 1
        });
        self.ready[place].1.push(k);
        self.resized(place, self.ready[place].1.len() - 1);
    }

    /// Notes how many of a kind are ready, where there were `before`.
    fn resized(&mut self, place: usize, before: usize) {
        let (kind, steps) = &self.ready[place];
        let sizes = &mut self.sizes[usize::from(kind.is_arithmetic())];
        sizes.remove(&(before, place));
        sizes.insert((steps.len(), place));
    }

    fn count(&self, kind: Kind) -> usize {
        self.places.get(&kind).map_or(0, |&place| self.ready[place].1.len())
    }

    /// The kind of which most are ready, among arithmetic or among the others.
    fn most_ready(&self, arithmetic: bool) -> Option<Kind> {
        let most = self.sizes[usize::from(arithmetic)].last().filter(|(size, _)| *size > 0);
        most.map(|&(_, place)| self.ready[place].0)
    }

    /// One of a kind that is ready, after which others may be.
    fn take(&mut self, kind: Kind) -> Option<usize> {
        let place = *self.places.get(&kind)?;
        let done = self.ready[place].1.pop()?;
        self.resized(place, self.ready[place].1.len() + 1);
        for place in self.first_user[done]..self.first_user[done + 1] {
            let user = self.users[place as usize] as usize;
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.make_ready(user);
            }
        }
        Some(done)
    }
}

/// For each instruction those that need it, in their order: where they begin in the list of all, and the list.
fn users(needs: &[[Option<u32>; 4]]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; needs.len() + 1];
    for &need in needs.iter().flatten().flatten() {
        first[need as usize + 1] += 1;
    }
    for k in 0..needs.len() {
        first[k + 1] += first[k];
    }
    let (mut next, mut users) = (first.clone(), vec![0; first[needs.len()] as usize]);
    for (k, needs) in needs.iter().enumerate() {
        for &need in needs.iter().flatten() {
            users[next[need as usize] as usize] = k as u32;
            next[need as usize] += 1;
        }
    }
    (first, users)
}
