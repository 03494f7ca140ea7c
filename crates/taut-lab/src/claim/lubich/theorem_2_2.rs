//! Theorem 2.2: smooth motion.

use super::super::Expected::{AtMost, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;
use crate::experiment::spring::vibration::vibrate;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-2.2",
    paper: Paper::Lubich,
    statement: "Every (y^0, y'^0) tangent to the manifold has a smooth motion (2.6) close by, with coefficients from the \
                systems (2.25.k); a start with the terms up to eps^(2N) vibrates about it with amplitudes O(eps^(2N+2)) in \
                y and O(eps^(2N+1)) in y'.",
    claimed: "exponents for N = 0, 1, 2, 3: y 2, 4, 6, 8, y' 1, 3, 5, 7",
    bounds: "exponents of the statement; coefficients by hand",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Stiffness]),
    experiment,
};

/// Terms of the motion that is taken for smooth.
const ALL_TERMS: usize = 9;
/// y^k and y'^k of the start (0.6, -0.8), (0.4, 0.3), found by hand and with another program.
const KNOWN: [[f64; 4]; 3] =
    [[0.63, -0.84, -0.54, 0.72], [-0.4455, 0.594, -0.891, 1.188], [0.39555, -0.5274, -2.4786, 3.3048]];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let start = Expansion::at_start(tangent_start(), ALL_TERMS);
    for (k, known) in (1..).zip(KNOWN) {
        let found = start.coefficients[k].rounded();
        let error = found.iter().zip(known).fold(0.0_f64, |error, (a, b)| error.max((a - b).abs()));
        finding.check(format!("y^{k}"), "error of coefficients", AtMost(1e-14), error);
    }
    let inverse_epsilons = [16_usize, 24, 32, 48, 64, 96];
    for terms in 0..=3 {
        let mut curves = [const { Vec::new() }; 2];
        for count in inverse_epsilons {
            let epsilon = 1.0 / count as f64;
            for (curve, amplitude) in curves.iter_mut().zip(amplitudes(trial, &start, epsilon, terms, count))
            {
                curve.push((epsilon, amplitude));
            }
        }
        let [y, v] = curves.map(|points| Series::fitted(format!("N = {terms}"), points, 1e-26));
        if terms == 1 {
            let late = inverse_epsilons.map(|count| {
                let epsilon = 1.0 / count as f64;
                (epsilon, amplitudes_until(trial, &start, epsilon, terms, 2 * count)[0])
            });
            let late = Series::fitted("N = 1", late.to_vec(), 1e-26);
            finding.slope("y, on [0, 2]", Order(2 * terms + 2), "eps", "amplitude", late);
        }
        finding.slope("y", Order(2 * terms + 2), "eps", "amplitude", y);
        finding.slope("y'", Order(2 * terms + 1), "eps", "amplitude", v);
    }
    Ok(finding)
}

/// How far the motion from a start with few terms is from the smooth one, at most, in y and y', for t up to 1/4.
fn amplitudes(trial: &Trial, start: &Expansion, epsilon: f64, terms: usize, count: usize) -> [f64; 2] {
    amplitudes_until(trial, start, epsilon, terms, count / 4)
}

/// The same over so many steps of the length eps.
fn amplitudes_until(trial: &Trial, start: &Expansion, epsilon: f64, terms: usize, steps: usize) -> [f64; 2] {
    let vibrating = vibrate(start.sum(epsilon, terms), trial.epsilon(epsilon), steps);
    let mut smooth = start.clone();
    vibrating.iter().fold([0.0, 0.0], |[y, v], at| {
        smooth = smooth.after(trial.epsilon(epsilon));
        let [dy, dv] = at.minus(&smooth.sum(epsilon, ALL_TERMS)).sizes();
        [y.max(dy), v.max(dv)]
    })
}
