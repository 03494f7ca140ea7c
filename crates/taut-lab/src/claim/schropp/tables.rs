//! What tables 1 and 2 share: adaptive runs with RADAU5's controller and three stages, with and without projection.

use taut::method::Method;
use taut::options::{Controller, Multipliers, Options, Projection};
use taut_problems::Problem;

use super::super::Expected::{self, AtMost};
use super::super::{Finding, Series, Trial};
use crate::comparison::solver_of;
use crate::error::LabError;
use crate::work::{Summary, run_to};

/// The tolerances of the tables.
const TOLERANCES: [f64; 4] = [1e-6, 1e-8, 1e-10, 1e-12];

/// Options as RADAU5 has them, with and without projection.
pub(super) fn options(tolerance: f64, projected: bool) -> Options {
    let (projection, multipliers) = match projected {
        true => (None, Multipliers::FromAccelerations),
        false => (Some(Projection::None), Multipliers::FromStages),
    };
    Options {
        rtol: tolerance,
        atol: tolerance,
        controller: Controller::Classical,
        first_step: Some(1e-6),
        projection,
        multipliers,
        ..Options::default()
    }
}

fn run(
    trial: &Trial,
    problem: &Problem,
    t: f64,
    tolerance: f64,
    projected: bool,
) -> Result<Summary, LabError> {
    let method = Method::radau().with_stages(trial.stages(3))?;
    let solver = solver_of(problem).method(method).options(options(tolerance, projected));
    run_to(problem, t, &solver, tolerance, 1.0)
}

/// What a table says of runs with projection.
pub(super) struct Table {
    /// evaluations of the right-hand side
    pub rhs: [usize; 4],
    /// Jacobians
    pub jacobians: [usize; 4],
    /// what right-hand sides with projection are over those without
    pub ratio: Expected,
}

/// Compares our counts with those of the paper, and runs with projection with those without.
pub(super) fn compare(trial: &Trial, problem: &Problem, t: f64, table: &Table) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let mut counts = [const { Vec::new() }; 3];
    let mut ratios = Vec::new();
    for (k, tolerance) in TOLERANCES.into_iter().enumerate() {
        let run = |projected: bool| run(trial, problem, t, tolerance, projected);
        let (with, without) = (run(true)?, run(false)?);
        let case = format!("tol {tolerance:.0e}");
        let (rhs, jacobians) = (table.rhs[k] as f64, table.jacobians[k] as f64);
        finding.check(&case, "right-hand sides", AtMost(rhs), with.statistics.rhs as f64);
        finding.check(&case, "Jacobians", AtMost(jacobians), with.statistics.jacobians as f64);
        let ratio = with.statistics.rhs as f64 / without.statistics.rhs as f64;
        finding.check(&case, "right-hand sides, with/without", table.ratio, ratio);
        for group in ["q", "v"] {
            ratios.push(format!("{:.2}", with.error(group) / without.error(group)));
        }
        let row = [rhs, with.statistics.rhs as f64, without.statistics.rhs as f64];
        for (curve, count) in counts.iter_mut().zip(row) {
            curve.push((tolerance, count));
        }
    }
    let [paper, with, without] = counts;
    let list = without.iter().map(|(_, count)| count.to_string()).collect::<Vec<_>>().join(", ");
    finding.remarks.push(format!(
        "Without projection our counts of right-hand sides are {list}; the errors of q and v with projection are {} \
         times those without.",
        ratios.join(", ")
    ));
    for (name, points) in [("paper, with projection", paper), ("with", with), ("without", without)] {
        finding.draw("right-hand sides", "tolerance", "count", Series::plain(name, points));
    }
    Ok(finding)
}
