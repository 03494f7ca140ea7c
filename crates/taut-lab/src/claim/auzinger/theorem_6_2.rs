//! Theorem 6.2: BS-stability.

use taut_tableau::Family;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::theorem_6_1::samples;
use crate::error::LabError;
use crate::experiment::StageGrowth;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-6.2",
    paper: Paper::Auzinger,
    statement: "Gauss, Radau IA and Radau IIA methods are BS-stable: perturbations of the stages grow in the result by no more than \
                a number that does not depend on the stiffness (6.5).",
    claimed: "growth in the result bounded for h m <= 0",
    bounds: "the growth is fitted on h m = 0 and tested on -0.3, -3 and -30, with dampings up to 1e4 and frequencies up to 100: \
             Phi_BS grows with h m, so that it may not be larger there, up to a hundredth for the grid of samples",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiicStar)]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for family in [Family::Gauss, Family::RadauIa, Family::RadauIia] {
        for s in 1..=4 {
            let tableau = trial.tableau(family, s)?;
            let growth = |z: f64| -> Result<f64, LabError> {
                let mut most = 0.0_f64;
                for stages in samples(s, z) {
                    most = most.max(StageGrowth::of(&tableau, &stages)?.from_stages);
                }
                Ok(most)
            };
            let fitted = growth(0.0)?;
            let case = format!("{family} s = {s}");
            for z in [-0.3, -3.0, -30.0] {
                let ratio = growth(z)? / fitted;
                finding.check(&case, "growth over that for h m = 0", AtMost(1.01), ratio);
            }
            finding.check(&case, "growth", AtMost(MODERATE), fitted);
        }
    }
    Ok(finding)
}

/// Moderate for coefficients of the size 1: |bᵀA⁻¹| of Gauss methods with four stages is about 10.
const MODERATE: f64 = 30.0;
