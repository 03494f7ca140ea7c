//! Theorem 6.1: the numerical solution has an expansion in eps^2, too.

use taut_tableau::{Family, Tableau};

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::{expanded_quarters, stiff_end};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-6.1",
    paper: Paper::Lubich,
    statement: "From a start on smooth motion the Runge-Kutta solution of (1.1) is the sum of those of (2.25.0-k), \
                k = [q/2], times powers of eps^2, up to O(eps^(2k)) for q = 2k and O(h eps^(2k)) for q = 2k + 1 (6.2).",
    claimed: "remainder: >= 2k in eps; >= q in h when eps = h/4",
    bounds: "exponents of (6.2)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Stiffness]),
    experiment,
};

const TERMS: usize = 8;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let start = Expansion::at_start(tangent_start(), TERMS);
    for q in 2..=5 {
        let tableau = trial.tableau(Family::RadauIia, q)?;
        let k = q / 2;
        let case = format!("radau s = {q}");
        let together = [32_usize, 48, 64, 96, 128].map(|steps| (steps, 0.25 / steps as f64));
        let points = remainders(trial, &tableau, k, &start, &together, |steps, _| 1.0 / steps as f64)?;
        finding.slope(
            "over h, eps = h/4",
            OrderAtLeast(q),
            "h",
            "remainder",
            Series::fitted(&case, points, 1e-14),
        );
        let fixed = [8.0, 12.0, 16.0, 24.0, 32.0].map(|share| (12, 0.1 / share));
        let points = remainders(trial, &tableau, k, &start, &fixed, |_, epsilon| epsilon)?;
        finding.slope(
            "over eps",
            OrderAtLeast(2 * k),
            "eps",
            "remainder",
            Series::fitted(&case, points, 1e-14),
        );
    }
    Ok(finding)
}

/// |r_n| + |r'_n| at t = 1 for numbers of steps and eps.
fn remainders(
    trial: &Trial,
    tableau: &Tableau,
    k: usize,
    start: &Expansion,
    cases: &[(usize, f64)],
    over: impl Fn(usize, f64) -> f64,
) -> Result<Vec<(f64, f64)>, LabError> {
    let measure = |&(steps, epsilon): &(usize, f64)| {
        let sum = expanded_quarters::<3>(tableau, steps, start)?[3].sum(epsilon, k);
        let end = stiff_end(tableau, steps, trial.epsilon(epsilon), start.sum(epsilon, TERMS))?;
        let [y, v] = end.minus(&sum).sizes();
        Ok((over(steps, epsilon), y + v))
    };
    cases.iter().map(measure).collect()
}
