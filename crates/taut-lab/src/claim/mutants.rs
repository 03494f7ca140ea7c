//! Runs experiments on what must not satisfy their claims.

use super::verify::in_parallel;
use super::{Check, Claim, Mutant, Trial};

/// A claim after its experiment was run on a mutant.
#[derive(Clone, Debug)]
pub struct Spoilt {
    /// the claim
    pub claim: &'static Claim,
    /// what was spoilt
    pub mutant: Mutant,
    /// the checks that failed, and how many there were
    pub failed: Vec<Check>,
    /// how many checks there were
    pub checks: usize,
    /// why the experiment stopped, if it did: a method that cannot go on does not satisfy a claim either
    pub stopped: Option<String>,
}

impl Spoilt {
    /// Whether the claim does not hold for the mutant.
    pub fn is_caught(&self) -> bool {
        !self.failed.is_empty() || self.stopped.is_some()
    }
}

/// Runs the experiments of claims on all their mutants; `done` is told of each when it ends.
pub fn try_mutants(
    claims: &[&'static Claim],
    threads: usize,
    done: &(dyn Fn(&Spoilt) + Sync),
) -> Vec<Spoilt> {
    let pairs: Vec<(&'static Claim, Mutant)> = claims
        .iter()
        .flat_map(|&claim| claim.mutants.list().iter().map(move |&mutant| (claim, mutant)))
        .collect();
    in_parallel(
        &pairs,
        threads,
        |(claim, _)| claim.fast,
        |(claim, mutant)| {
            let spoilt = spoil(claim, mutant);
            done(&spoilt);
            spoilt
        },
    )
}

fn spoil(claim: &'static Claim, mutant: Mutant) -> Spoilt {
    match (claim.experiment)(&Trial::spoilt(mutant)) {
        Ok(finding) => {
            let checks = finding.checks.len();
            let failed = finding.checks.into_iter().filter(|check| !check.holds()).collect();
            Spoilt { claim, mutant, failed, checks, stopped: None }
        }
        Err(error) => {
            Spoilt { claim, mutant, failed: Vec::new(), checks: 0, stopped: Some(error.to_string()) }
        }
    }
}
