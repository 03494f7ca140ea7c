//! Theorem 4.5, and theorem 4.6 with steps that vary.

use taut::Solver;
use taut::options::Options;
use taut::system::Differentiated;

use super::super::Expected::OrderAtLeast;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::convergence::relative_errors;
use super::corollary_8_2::all_classes;
use super::symplectic::{ON_THE_SPHERE, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const THEOREM_4_5: Claim = Claim {
    id: "jay-thm-4.5",
    paper: Paper::Jay,
    statement: "The local errors of Lobatto IIIA-B-C-C* SPARK methods are O(h^(mu+1)) in y and O(h^(nu+1)) in z and u, with mu = nu = \
                2s - 2 for reactions that are linear in u.",
    claimed: "y, z, u >= 2s - 1 for s = 2, 3, 4",
    bounds: "exponents of the theorem",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: local_errors,
};

pub(super) const VARIABLE_STEPS: Claim = Claim {
    id: "jay-thm-4.6-variable",
    paper: Paper::Jay,
    statement: "The global error O(h^(2s-2)) of theorem 4.6 and corollary 8.2 remains valid for variable steps, h the longest of them.",
    claimed: "y, z, u >= 2s - 2 with steps h, h/2 and 3h/4 in turn, s = 2, 3",
    bounds: "exponents of the theorem",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: variable_steps,
};

const NAMES: [&str; 3] = ["y", "z", "u"];
/// The tolerance of the runs that errors are measured against, and the plateau of their errors.
const EXACT: f64 = 1e-13;
const PLATEAU: f64 = 1e-12;

fn local_errors(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let sphere = heavy_point_on_a_sphere();
    for (s, longest) in [(2, 0.1), (3, 0.4), (4, 0.4)] {
        let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
        for share in [1.0, 0.85, 0.7, 0.6, 0.5, 0.42] {
            let h = longest * share;
            let exact = Solver::mechanical(&sphere).tolerance(EXACT).run(0.0, h, &ON_THE_SPHERE)?;
            let step = Solver::mechanical(&sphere).method(trial.spark(s)?).step(h);
            let motion = step.run(0.0, h, &ON_THE_SPHERE)?;
            for (curve, error) in curves.iter_mut().zip(relative_errors(&motion, &exact)) {
                curve.push((h, error));
            }
        }
        for (name, points) in NAMES.into_iter().zip(curves) {
            let series = Series::fitted(format!("s = {s}"), points, PLATEAU);
            finding.slope(name, OrderAtLeast(2 * s - 1), "h", "local error", series);
        }
    }
    Ok(finding)
}

fn variable_steps(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let system = Differentiated::new(all_classes());
    let start = [0.6, -0.8, 0.4, 0.3];
    let until = 0.9;
    let exact = Solver::mechanical(&system).tolerance(EXACT).run(0.0, until, &start)?;
    for (s, counts) in [(2, [40, 56, 80, 112]), (3, [10, 14, 20, 28])] {
        let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
        for rounds in counts {
            // Three steps, h, h/2 and 3h/4, make a round.
            let h = until / (2.25 * f64::from(rounds));
            let (mut t, mut y, mut last) = (0.0, start.to_vec(), None);
            for step in (0..rounds).flat_map(|_| [h, 0.5 * h, 0.75 * h]) {
                let solver = Solver::mechanical(&system).options(Options::default()).method(trial.spark(s)?);
                let motion = solver.step(step).run(t, t + step, &y)?;
                t += step;
                y = [motion.q(), motion.v()].concat();
                last = Some(motion);
            }
            let errors = last.map_or([f64::NAN; 3], |motion| relative_errors(&motion, &exact));
            for (curve, error) in curves.iter_mut().zip(errors) {
                curve.push((h, error));
            }
        }
        for (name, points) in NAMES.into_iter().zip(curves) {
            let series = Series::fitted(format!("s = {s}"), points, PLATEAU);
            finding.slope(name, OrderAtLeast(2 * s - 2), "h", "error", series);
        }
    }
    Ok(finding)
}
