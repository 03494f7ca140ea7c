//! The order of instructions: long runs of one kind.

use super::instruction::Kind;

/// Sums, differences and products of one kind have a run of their own when so many are ready. Shorter ones go together in
/// a run of [`Kind::Products`], whose instructions take half as long again: to begin a run costs as much as four of them.
const LONG: usize = 16;

/// The instructions that are not done yet.
struct Waiting<'a> {
    kinds: &'a [Kind],
    /// how many of those it needs are not done
    missing: Vec<usize>,
    users: Vec<Vec<usize>>,
    /// what can be done now, by kind
    ready: Vec<(Kind, Vec<usize>)>,
}

/// An order for instructions of these kinds, each after those it needs, and the kind of the run that each is part of.
///
/// Greedy: a run goes on as long as there is something for it; sums, differences and products come before everything
/// else, so that as many functions as possible are ready together.
pub(super) fn in_runs(kinds: &[Kind], needs: &[Vec<usize>]) -> Vec<(usize, Kind)> {
    let mut waiting = Waiting::new(kinds, needs);
    let mut order = Vec::with_capacity(kinds.len());
    loop {
        let arithmetic = waiting.most_ready(Kind::is_arithmetic);
        let other = waiting.most_ready(|kind| !kind.is_arithmetic());
        match (arithmetic, other) {
            (Some(kind), _) if waiting.count(kind) >= LONG => {
                while let Some(step) = waiting.take(kind) {
                    order.push((step, kind));
                }
            }
            (Some(_), _) => {
                while let Some(kind) = waiting.most_ready(Kind::is_arithmetic)
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
    fn new(kinds: &'a [Kind], needs: &[Vec<usize>]) -> Self {
        let mut users = vec![Vec::new(); kinds.len()];
        for (k, needs) in needs.iter().enumerate() {
            for &need in needs {
                users[need].push(k);
            }
        }
        let missing = needs.iter().map(Vec::len).collect();
        let mut waiting = Waiting { kinds, missing, users, ready: Vec::new() };
        for (k, needs) in needs.iter().enumerate().rev() {
            if needs.is_empty() {
                waiting.make_ready(k);
            }
        }
        waiting
    }

    fn make_ready(&mut self, k: usize) {
        let kind = self.kinds[k];
        match self.ready.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, steps)) => steps.push(k),
            None => self.ready.push((kind, vec![k])),
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.ready.iter().find(|(known, _)| *known == kind).map_or(0, |(_, steps)| steps.len())
    }

    /// The wanted kind of which most are ready.
    fn most_ready(&self, wanted: impl Fn(Kind) -> bool) -> Option<Kind> {
        let ready = self.ready.iter().filter(|(kind, steps)| wanted(*kind) && !steps.is_empty());
        ready.max_by_key(|(_, steps)| steps.len()).map(|(kind, _)| *kind)
    }

    /// One of a kind that is ready, after which others may be.
    fn take(&mut self, kind: Kind) -> Option<usize> {
        let (_, steps) = self.ready.iter_mut().find(|(known, _)| *known == kind)?;
        let done = steps.pop()?;
        for user in std::mem::take(&mut self.users[done]) {
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.make_ready(user);
            }
        }
        Some(done)
    }
}
