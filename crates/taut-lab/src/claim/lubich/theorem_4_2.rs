//! Theorem 4.2: the systems of index 5 and 7.

use taut_tableau::Family;

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::expanded_quarters;
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-4.2",
    paper: Paper::Lubich,
    statement: "On the systems (2.25.0-k) of index 2k + 3 a Runge-Kutta method of stage order q >= 2k converges with order \
                q - 2k in y^k and y'^k (4.3).",
    claimed: "y'^k q - 2k; y^k >= q - 2k (measured: q - 2k + 1)",
    bounds: "orders of (4.3), and one more for y^k, as measured",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

/// Family, stages, stage order.
const METHODS: [(Family, usize, usize); 6] = [
    (Family::RadauIia, 3, 3),
    (Family::RadauIia, 4, 4),
    (Family::RadauIia, 5, 5),
    (Family::RadauIia, 6, 6),
    (Family::LobattoIiic, 5, 4),
    (Family::RadauIa, 6, 5),
];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let start = Expansion::at_start(tangent_start(), 2);
    let exact = [0.25, 0.5, 0.75, 1.0].map(|t| start.after(t).coefficients);
    for (family, s, q) in METHODS {
        let tableau = trial.tableau(family, s)?;
        let mut curves = vec![Vec::new(); 4];
        for steps in [16_usize, 24, 32, 48, 64] {
            let found = expanded_quarters::<3>(&tableau, steps, &start)?;
            // The largest error of four times: at one of them a constant may vanish.
            let mut errors = [0.0_f64; 4];
            for (found, exact) in found.iter().zip(&exact) {
                let sizes = (1..=2).flat_map(|k| found.coefficients[k].minus(&exact[k]).sizes());
                errors.iter_mut().zip(sizes).for_each(|(error, size)| *error = error.max(size));
            }
            for (curve, error) in curves.iter_mut().zip(errors) {
                curve.push((1.0 / steps as f64, error));
            }
        }
        let names = [("y^1", 1, 1), ("y'^1", 1, 0), ("y^2", 2, 1), ("y'^2", 2, 0)];
        for ((name, k, better), points) in names.into_iter().zip(curves) {
            if q > 2 * k {
                let series = Series::fitted(format!("{family} s = {s}"), points, 1e-14);
                finding.slope(name, OrderAtLeast(q - 2 * k + better), "h", "error", series);
            }
        }
    }
    Ok(finding)
}
