//! Theorem 6.3: B-stability.

use taut_tableau::Family;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::theorem_6_1::samples;
use crate::error::LabError;
use crate::experiment::StageGrowth;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-6.3",
    paper: Paper::Auzinger,
    statement: "Gauss, Radau IA and Radau IIA methods are B-stable for h m <= 0 with Phi_B(z) = 1, 1/sqrt(1 - 2z), \
                1/sqrt(1 - 2 b_s z) (6.6).",
    claimed: "growth/Phi_B at most 1",
    bounds: "1 of the theorem",
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
            let tableau = family.tableau(s)?;
            let spoilt = trial.tableau(family, s)?;
            let Some(stability) = tableau.stiff_stability() else { continue };
            let mut worst = 0.0_f64;
            for z in [-30.0, -3.0, -0.3, -0.03, 0.0] {
                let Some(phi) = stability.phi_b(z) else { continue };
                for stages in samples(s, z) {
                    worst = worst.max(StageGrowth::of(&spoilt, &stages)?.result / phi);
                }
            }
            finding.check(format!("{family} s = {s}"), "growth/Phi_B", AtMost(1.0 + 1e-10), worst);
        }
    }
    Ok(finding)
}
