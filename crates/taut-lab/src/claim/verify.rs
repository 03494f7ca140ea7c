//! Runs experiments, several at a time.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::{Claim, Finding, Trial};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// it holds as it is printed
    Holds,
    /// it is printed wrongly; what the claim gives as its correction holds
    Corrected,
    /// what was measured contradicts it
    Fails,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Corrected => "corrected",
            Verdict::Fails => "fails",
        })
    }
}

impl Claim {
    /// The verdict when everything is measured as the claim expects.
    pub fn verdict(&self) -> Verdict {
        if self.correction.is_some() { Verdict::Corrected } else { Verdict::Holds }
    }

    /// Runs the experiment.
    pub fn verify(&'static self) -> Verified {
        let began = Instant::now();
        let found = (self.experiment)(&Trial::FAIR);
        let seconds = began.elapsed().as_secs_f64();
        let mut sentences: Vec<String> = self.correction.iter().map(|text| (*text).to_owned()).collect();
        let finding = found.unwrap_or_else(|error| {
            sentences.push(format!("the experiment stopped: {error}"));
            Finding::default()
        });
        sentences.extend(finding.remarks.iter().cloned());
        let holds = !finding.checks.is_empty() && finding.checks.iter().all(super::Check::holds);
        let verdict = if holds { self.verdict() } else { Verdict::Fails };
        Verified { claim: self, verdict, note: sentences.join(" "), finding, seconds }
    }
}

/// A claim after its experiment.
#[derive(Clone, Debug)]
pub struct Verified {
    /// the claim
    pub claim: &'static Claim,
    /// what became of it
    pub verdict: Verdict,
    /// the correction, and what else should be known
    pub note: String,
    /// the numbers
    pub finding: Finding,
    /// how long the experiment took
    pub seconds: f64,
}

impl Verified {
    /// What a run gives when nothing fails, without numbers: what the documentation should say.
    pub fn expected(claim: &'static Claim) -> Self {
        let note = claim.correction.unwrap_or_default().to_owned();
        Verified { claim, verdict: claim.verdict(), note, finding: Finding::default(), seconds: 0.0 }
    }
}

/// Runs experiments on some threads, the long ones first; `done` is told of each when it ends. The answers come in the
/// order of the claims.
pub fn verify(claims: &[&'static Claim], threads: usize, done: &(dyn Fn(&Verified) + Sync)) -> Vec<Verified> {
    in_parallel(
        claims,
        threads,
        |claim| claim.fast,
        |claim| {
            let verified = claim.verify();
            done(&verified);
            verified
        },
    )
}

/// What `work` makes of some items on some threads, those that are not `fast` first; in the order of the items.
pub(super) fn in_parallel<I: Copy + Sync, A: Send>(
    items: &[I],
    threads: usize,
    fast: impl Fn(&I) -> bool,
    work: impl Fn(I) -> A + Sync,
) -> Vec<A> {
    let mut queue: Vec<(usize, I)> = items.iter().copied().enumerate().collect();
    queue.sort_by_key(|(_, item)| fast(item));
    let next = AtomicUsize::new(0);
    let take = || {
        let mut answers = Vec::new();
        while let Some((place, item)) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            answers.push((*place, work(*item)));
        }
        answers
    };
    let mut answers: Vec<(usize, A)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(take)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<(usize, A)>>| {
            worker.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause))
        };
        workers.into_iter().flat_map(join).collect()
    });
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
