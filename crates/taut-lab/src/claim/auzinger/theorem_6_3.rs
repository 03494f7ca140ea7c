//! Theorem 6.3: B-stability.

use taut_tableau::Family;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Paper};
use super::theorem_6_1::samples;
use crate::error::LabError;
use crate::experiment::StageGrowth;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-6.3",
    paper: Paper::Auzinger,
    statement: "Gauss, Radau IA and Radau IIA methods are B-stable for h m <= 0 with Phi_B(z) = 1, 1/sqrt(1 - 2z), \
                1/sqrt(1 - 2 b_s z) (6.6).",
    claimed: "growth/Phi_B at most 1",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for family in [Family::Gauss, Family::RadauIa, Family::RadauIia] {
        for s in 1..=4 {
            let tableau = family.tableau(s)?;
            let Some(stability) = tableau.stiff_stability() else { continue };
            let mut worst = 0.0_f64;
            for z in [-30.0, -3.0, -0.3, -0.03, 0.0] {
                let Some(phi) = stability.phi_b(z) else { continue };
                for stages in samples(s, z) {
                    worst = worst.max(StageGrowth::of(&tableau, &stages)?.result / phi);
                }
            }
            finding.check(format!("{family} s = {s}"), "growth/Phi_B", AtMost(1.0 + 1e-10), worst);
        }
    }
    Ok(finding)
}
