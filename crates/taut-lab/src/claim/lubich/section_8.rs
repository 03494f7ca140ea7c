//! Section 8, (i) and (ii): why standard codes fail, and that weights and (8.4) help.

use taut::Solver;
use taut::method::Method;
use taut::motion::{Motion, Statistics};
use taut::options::{Controller, Options, Projection};
use taut::system::{FirstOrder, Linearised, Scalar};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-8i",
    paper: Paper::Lubich,
    statement: "Standard step size control with modified Newton iterations breaks down on (1.1); in the form (8.4), with \
                velocities multiplied by h in the error estimate, it works, whatever eps.",
    claimed: "steps in the form (8.4) with weights independent of eps, errors of the size of the tolerance; many more steps as (1.1)",
    bounds: "\"independent of eps\": a tenth more steps; 30 tolerances for errors that add up; factors 10 and 3 for \"breaks down\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("weights")]),
    experiment,
};

const TOLERANCE: f64 = 1e-4;
const UNTIL: f64 = 5.0;
const TERMS: usize = 3;
/// RADAU5 promises local errors; over five swings they add up to this many tolerances at most.
const MOST_TOLERANCES: f64 = 30.0;

/// (1.1) as a differential equation for (y, y').
struct Stiff {
    epsilon: f64,
}

impl FirstOrder for Stiff {
    fn variables(&self) -> Vec<String> {
        ["y1", "y2", "v1", "v2"].map(String::from).to_vec()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let length = (x[0].square() + x[1].square()).sqrt();
        let pull = (length - 1.0) / length / (self.epsilon * self.epsilon);
        rate[0] = x[2];
        rate[1] = x[3];
        rate[2] = -(x[0] * pull);
        rate[3] = -(x[1] * pull) - 1.0;
    }
}

/// (8.4) for (y, y', lambda), with the indices that the weights of the error estimate come from.
struct Reformulated {
    epsilon: f64,
    index: [u8; 5],
}

impl FirstOrder for Reformulated {
    fn variables(&self) -> Vec<String> {
        ["y1", "y2", "v1", "v2", "lambda"].map(String::from).to_vec()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let length = (x[0].square() + x[1].square()).sqrt();
        rate[0] = x[2];
        rate[1] = x[3];
        rate[2] = -(x[0] * x[4]);
        rate[3] = -(x[1] * x[4]) - 1.0;
        rate[4] = (length - 1.0) / length - x[4] * (self.epsilon * self.epsilon);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..4).map(|i| (i, i, 1.0)).collect()
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(self.index.to_vec())
    }
}

fn run(system: impl FirstOrder, start: &[f64]) -> Result<Motion, LabError> {
    let mut options = Options {
        rtol: TOLERANCE,
        atol: TOLERANCE,
        controller: Controller::Classical,
        projection: Some(Projection::None),
        ..Options::default()
    };
    // Standard codes have one Jacobian for all stages.
    options.newton.stage_jacobians = false;
    let system = Linearised::new(system);
    let solver = Solver::first_order(&system).method(Method::radau().with_stages(3)?).options(options);
    Ok(solver.run(0.0, UNTIL, start)?)
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let expansion = Expansion::at_start(tangent_start(), TERMS);
    let end = expansion.after(UNTIL);
    let mut weighted = Vec::new();
    for epsilon in [1e-3, 1e-4, 1e-6, 1e-8] {
        let start = expansion.sum(epsilon, TERMS);
        let with_lambda = [start.rounded().as_slice(), &[1.05]].concat();
        let index = if trial.without("weights") { [0, 0, 0, 0, 1] } else { [1, 1, 2, 2, 3] };
        let weighted_run = run(Reformulated { epsilon, index }, &with_lambda)?;
        let counts = &weighted_run.statistics;
        let exact = end.sum(epsilon, TERMS).rounded();
        let error =
            weighted_run.y.iter().zip(&exact[..2]).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        finding.check(
            format!("(8.4) with weights, eps {epsilon:.0e}"),
            "error of y over tol",
            AtMost(MOST_TOLERANCES),
            error / TOLERANCE,
        );
        finding.remarks.push(format!("(8.4) with weights, eps {epsilon:.0e}: {}.", described(counts)));
        weighted.push(counts.steps as f64);
        finding.check(
            format!("(8.4) with weights, eps {epsilon:.0e}"),
            "steps, over eps = 1e-3",
            AtMost(1.1),
            counts.steps as f64 / weighted[0],
        );
        if epsilon < 1e-4 {
            continue;
        }
        let unweighted = run(Reformulated { epsilon, index: [0, 0, 0, 0, 1] }, &with_lambda)?.statistics;
        finding
            .remarks
            .push(format!("(8.4) without weights, eps {epsilon:.0e}: {}.", described(&unweighted)));
        let ode = run(Stiff { epsilon }, &start.rounded())?.statistics;
        finding.remarks.push(format!("(1.1), eps {epsilon:.0e}: {}.", described(&ode)));
        if epsilon == 1e-4 {
            let ratio = unweighted.steps as f64 / counts.steps as f64;
            finding.check("(8.4) without weights, eps 1e-4", "steps, over weights", AtLeast(10.0), ratio);
            finding.check(
                "(1.1), eps 1e-4",
                "steps, over (8.4)",
                AtLeast(3.0),
                ode.steps as f64 / counts.steps as f64,
            );
            finding.check(
                "(1.1), eps 1e-4",
                "failures of Newton",
                AtLeast(50.0),
                ode.rejected_by_newton as f64,
            );
        }
    }
    Ok(finding)
}

fn described(counts: &Statistics) -> String {
    let Statistics { accepted, rejected_by_error, rejected_by_newton, .. } = counts;
    format!("{accepted} steps, {rejected_by_error} rejected, {rejected_by_newton} failures of Newton")
}
