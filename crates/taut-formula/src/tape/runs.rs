//! The order of instructions: long runs of one kind.

use std::collections::{BTreeSet, HashMap};

use super::instruction::Kind;

/// Sums, differences and products of one kind have a run of their own when so many are ready. Shorter ones go together in
/// a run of [`Kind::Products`], whose instructions take half as long again: to begin a run costs as much as four of them.
pub(super) const LONG: usize = 16;

/// Up to so many kinds are looked through, each time; more are kept in order.
const FEW_KINDS: usize = 24;

/// The instructions that are not done yet. Kinds go by their numbers.
struct Waiting {
    /// the kind of each instruction
    kinds: Vec<usize>,
    /// how many of those it needs are not done
    missing: Vec<u32>,
    /// who needs an instruction: where its users begin in the list of all, and the list
    first_user: Vec<u32>,
    users: Vec<u32>,
    /// what can be done now, by kind
    ready: Vec<(Kind, Vec<usize>)>,
    /// how many of a kind are ready, and which it is: of arithmetic and of all other kinds. Nothing where there are few, which is
    /// usual; a model may have thousands of kinds, such as powers with different exponents.
    sizes: Option<[BTreeSet<(usize, usize)>; 2]>,
}

/// An order for instructions of these kinds, each after those it needs, and the kind of the run that each is part of; sums,
/// differences and products of one kind that are fewer than `long` go together.
///
/// Greedy: a run goes on as long as there is something for it; sums, differences and products come before everything
/// else, so that as many functions as possible are ready together.
pub(super) fn in_runs(kinds: &[Kind], needs: &[[Option<u32>; 4]], long: usize) -> Vec<(usize, Kind)> {
    let mut waiting = Waiting::new(kinds, needs);
    let mut order = Vec::with_capacity(kinds.len());
    loop {
        let arithmetic = waiting.most_ready(true);
        match arithmetic {
            Some(kind) if waiting.count(kind) < long => {
                while let Some(kind) = waiting.most_ready(true)
                    && waiting.count(kind) < long
                {
                    order.extend(waiting.take(kind).map(|step| (step, Kind::Products)));
                }
            }
            _ => {
                let Some(kind) = arithmetic.or_else(|| waiting.most_ready(false)) else { return order };
                while let Some(step) = waiting.take(kind) {
                    order.push((step, waiting.ready[kind].0));
                }
            }
        }
    }
}

/// The numbers of the kinds of instructions, and the kinds.
fn numbered(kinds: &[Kind]) -> (Vec<usize>, Vec<Kind>) {
    let (mut known, mut others): (Vec<Kind>, HashMap<Kind, usize>) = (Vec::new(), HashMap::new());
    let number = |&kind: &Kind| match known.iter().take(FEW_KINDS).position(|first| *first == kind) {
        Some(number) => number,
        None if known.len() < FEW_KINDS => {
            known.push(kind);
            known.len() - 1
        }
        None => *others.entry(kind).or_insert_with(|| {
            known.push(kind);
            known.len() - 1
        }),
    };
    (kinds.iter().map(number).collect(), known)
}

impl Waiting {
    fn new(kinds: &[Kind], needs: &[[Option<u32>; 4]]) -> Self {
        let (first_user, users) = users(needs);
        let missing = needs.iter().map(|needs| needs.iter().flatten().count() as u32).collect();
        let (kinds, known) = numbered(kinds);
        let sizes = (known.len() > FEW_KINDS).then(Default::default);
        let ready = known.into_iter().map(|kind| (kind, Vec::new())).collect();
        let mut waiting = Waiting { kinds, missing, first_user, users, ready, sizes };
        for (k, needs) in needs.iter().enumerate().rev() {
            if needs.iter().all(Option::is_none) {
                waiting.make_ready(k);
            }
        }
        waiting
    }

    fn make_ready(&mut self, k: usize) {
        let kind = self.kinds[k];
        self.ready[kind].1.push(k);
        self.resized(kind, self.ready[kind].1.len() - 1);
    }

    /// Notes how many of a kind are ready, where there were `before`.
    fn resized(&mut self, kind: usize, before: usize) {
        let (of, steps) = &self.ready[kind];
        if let Some(sizes) = &mut self.sizes {
            let sizes = &mut sizes[usize::from(of.is_arithmetic())];
            sizes.remove(&(before, kind));
            sizes.insert((steps.len(), kind));
        }
    }

    fn count(&self, kind: usize) -> usize {
        self.ready[kind].1.len()
    }

    /// The kind of which most are ready, among arithmetic or among the others.
    fn most_ready(&self, arithmetic: bool) -> Option<usize> {
        if let Some(sizes) = &self.sizes {
            let most = sizes[usize::from(arithmetic)].last().filter(|(size, _)| *size > 0);
            return most.map(|&(_, kind)| kind);
        }
        let of_group =
            self.ready.iter().enumerate().filter(|(_, (kind, _))| kind.is_arithmetic() == arithmetic);
        let sizes = of_group.map(|(kind, (_, steps))| (steps.len(), kind));
        sizes.max().filter(|(size, _)| *size > 0).map(|(_, kind)| kind)
    }

    /// One of a kind that is ready, after which others may be.
    fn take(&mut self, kind: usize) -> Option<usize> {
        let done = self.ready[kind].1.pop()?;
        self.resized(kind, self.ready[kind].1.len() + 1);
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
