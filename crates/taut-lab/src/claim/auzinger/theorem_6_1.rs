//! Theorem 6.1: BSI-stability.

use taut_tableau::{Family, Tableau};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::experiment::StageGrowth;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-6.1",
    paper: Paper::Auzinger,
    statement: "Gauss, Radau IA and Radau IIA methods are BSI-stable with Phi_BSI(z) = max sqrt(d_i/d_j) |A|_D/(z_BSI - z) \
                (6.4): perturbations of the stages grow by no more than that, however stiff the problem.",
    claimed: "growth/Phi_BSI at most 1",
    bounds: "1 of the theorem; 1.5 where the printed bound is exceeded",
    correction: Some(
        "Printed: the norm |A|_D. The bound holds with |A^-1|_D, perturbations and stages measured in the Euclidean norm; as \
         printed it is exceeded by every method with s > 1.",
    ),
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
            let (mut corrected, mut printed, mut last) = (0.0_f64, 0.0_f64, 0.0_f64);
            let ratio = norm_in(&tableau, &stability.d) / stability.numerator;
            // The share of the square root of d_i/d_j is in both numerators.
            let (least, most) = extremes(&stability.d);
            let printed_over_corrected = ratio * (most / least).sqrt();
            for z in [-30.0, -3.0, -0.3, 0.0, 0.5 * stability.z_bsi] {
                let Some(phi) = stability.phi_bsi(z) else { continue };
                for stages in samples(s, z) {
                    let growth = StageGrowth::of(&spoilt, &stages)?;
                    corrected = corrected.max(growth.stages / phi);
                    printed = printed.max(growth.stages / (phi * printed_over_corrected));
                    last = last.max(growth.last / phi);
                }
            }
            let case = format!("{family} s = {s}");
            finding.check(&case, "growth/Phi_BSI", AtMost(1.0 + 1e-12), corrected);
            if s > 1 {
                finding.check(&case, "growth/Phi_BSI as printed", AtLeast(1.5), printed);
            }
            if family == Family::RadauIia {
                finding.check(
                    &case,
                    "growth in the result/Phi_BSI, delta = Delta_s",
                    AtMost(1.0 + 1e-12),
                    last,
                );
            }
        }
    }
    Ok(finding)
}

/// The smallest and the largest of some positive numbers.
fn extremes(d: &[f64]) -> (f64, f64) {
    d.iter().fold((f64::INFINITY, 0.0), |(low, high), &x| (low.min(x), high.max(x)))
}

/// |A|_D, by iteration.
fn norm_in(tableau: &Tableau, d: &[f64]) -> f64 {
    let s = d.len();
    let entry = |i: usize, j: usize| (d[i] / d[j]).sqrt() * tableau.a()[(i, j)];
    let mut x = vec![1.0; s];
    let mut size = 0.0;
    for _ in 0..100 {
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let image: Vec<f64> = (0..s).map(|i| (0..s).map(|j| entry(i, j) * x[j] / length).sum()).collect();
        size = image.iter().map(|x| x * x).sum::<f64>().sqrt();
        x = (0..s).map(|j| (0..s).map(|i| entry(i, j) * image[i]).sum()).collect();
    }
    size
}

/// Numbers z_i with real parts at most z: all combinations of a few dampings and frequencies, from none to very large.
pub(super) fn samples(s: usize, z: f64) -> Vec<Vec<(f64, f64)>> {
    let mut choices = Vec::new();
    for damping in [0.0, 1.0, 30.0, 1e4] {
        for frequency in [0.0, 2.0, -100.0] {
            choices.push((z - damping, frequency));
        }
    }
    // All combinations for few stages; for more, a fixed pseudo-random selection.
    let total = choices.len().pow(s as u32);
    let count = total.min(2000);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut sample = |k: usize| {
        let mut code = if total <= count { k } else { scrambled(&mut state) as usize % total };
        (0..s)
            .map(|_| {
                let choice = choices[code % choices.len()];
                code /= choices.len();
                choice
            })
            .collect()
    };
    (0..count).map(&mut sample).collect()
}

/// The next number of xorshift.
fn scrambled(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 1
}
