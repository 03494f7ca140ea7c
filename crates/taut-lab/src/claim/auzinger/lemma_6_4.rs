//! Lemma 6.4: a sharp contraction of Radau IIA methods on scalar problems.

use taut_tableau::Family::{self, RadauIia};
use taut_tableau::Tableau;

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::StageGrowth;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-lemma-6.4",
    paper: Paper::Auzinger,
    statement: "On y' = -(gamma(t)/eps) y with gamma >= 1 that varies little in a step, Radau IIA methods contract by \
                1/(1 + phi_B h/eps) with phi_B > 0 (6.10); for s = 2 by 4/(5 + 2h/eps).",
    claimed: "phi_B > 0 for s = 1, ..., 4 (measured: 1/s)",
    bounds: "1/s, the ratio of the leading coefficients of R; the printed formula",
    correction: Some(
        "Printed: 4/(5 + 2h/eps) bounds the contraction of s = 2 for every h/eps. It does from h/eps = 0.42 on. phi_B is 1/s: \
         no more is possible, since R(-z) ~ s/z for large z (the ratio of the leading coefficients of the (s-1, s) Pade \
         approximation, s!/(2s-1)! and (s-1)!/(2s-1)!), and no less is needed for any h/eps and gamma tried.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::Gauss)]),
    experiment,
};

/// γ may vary by this share in a step.
const VARIATION: f64 = 0.1;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 1..=4 {
        let tableau = trial.tableau(RadauIia, s)?;
        let phi = constant_of_contraction(&tableau)?;
        finding.check(format!("s = {s}"), "phi_B", Near(1.0 / s as f64, 2e-3), phi);
        let points = stiffness().map(|z| contraction(&tableau, z).map(|worst| (z, worst)));
        let series = Series::plain(format!("s = {s}"), points.collect::<Result<_, _>>()?);
        finding.draw("contraction", "h/ε", "factor", series);
    }
    // With constant coefficients the contraction of s = 2 is |R(-h/ε)|, which has a zero; with any γ ≥ 1 in the stages the
    // supremum is that of Hairer and Zennaro.
    let formula = |z: f64| 4.0 / (5.0 + 2.0 * z);
    let (mut beyond, mut before) = (0.0_f64, 0.0_f64);
    let two_stages = trial.tableau(RadauIia, 2)?;
    for z in stiffness().chain([0.42]) {
        let ratio = any_variation(&two_stages, z)? / formula(z);
        if z >= 0.42 {
            beyond = beyond.max(ratio);
        } else {
            before = before.max(ratio);
        }
    }
    finding.check("s = 2, h/eps >= 0.42", "contraction/(4/(5 + 2h/eps))", AtMost(1.0 + 1e-9), beyond);
    finding.check("s = 2, h/eps < 0.42", "contraction/(4/(5 + 2h/eps)), below", AtLeast(1.01), before);
    Ok(finding)
}

/// h/ε from 0.01 to 10⁴.
fn stiffness() -> impl Iterator<Item = f64> {
    (0..=30).map(|k| 10.0_f64.powf(-2.0 + 0.2 * f64::from(k)))
}

/// The largest φ_B for which 1/(1 + φ_B h/ε) bounds the contraction for every h/ε tried.
pub(super) fn constant_of_contraction(tableau: &Tableau) -> Result<f64, LabError> {
    let mut phi = f64::INFINITY;
    for z in stiffness() {
        phi = phi.min((1.0 / contraction(tableau, z)? - 1.0) / z);
    }
    Ok(phi)
}

/// The worst contraction at h/ε = z over γ, from 1 to large, that varies by [`VARIATION`] from stage to stage.
fn contraction(tableau: &Tableau, z: f64) -> Result<f64, LabError> {
    let s = tableau.stages();
    let mut worst = 0.0_f64;
    for size in [1.0, 1.3, 2.0, 5.0, 20.0, 100.0] {
        for corner in 0..3_usize.pow(s as u32) {
            let mut code = corner;
            let stages: Vec<(f64, f64)> = (0..s)
                .map(|_| {
                    let share = (code % 3) as f64 / 2.0;
                    code /= 3;
                    (-z * size * (1.0 + VARIATION * share), 0.0)
                })
                .collect();
            worst = worst.max(StageGrowth::of(tableau, &stages)?.result);
        }
    }
    Ok(worst)
}

/// The worst contraction of s = 2 at h/ε = z over any γ ≥ 1 in its stages.
fn any_variation(tableau: &Tableau, z: f64) -> Result<f64, LabError> {
    let sizes: Vec<f64> = (0..=60).map(|k| 10.0_f64.powf(0.1 * f64::from(k))).collect();
    let mut worst = 0.0_f64;
    for first in &sizes {
        for second in &sizes {
            let growth = StageGrowth::of(tableau, &[(-z * first, 0.0), (-z * second, 0.0)])?;
            worst = worst.max(growth.result);
        }
    }
    Ok(worst)
}
