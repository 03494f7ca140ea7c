//! Steps do not depend on the stiffness where the stiff direction turns.

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::system::{FirstOrder, Linearised};
use taut_problems::theory::{SlantedCircle, StarCurve, StarSurface, StiffDirection};

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "ours-stiff-direction",
    paper: Paper::Ours,
    statement: "Taut's Radau methods take as many steps on stiff problems whose stiff direction turns (Auzinger, Eder and Frank 2001), \
                whatever the stiffness, and their errors are of the size of the tolerance: Theorems 4.7 to 4.9 through the engine, \
                stages found from its own predictions.",
    claimed: "eps = 1e-2 ... 1e-9, 1e-3 ... 1e-8: most steps over fewest at most 3; errors at most 30 tolerances",
    bounds: "3 and 30 are written down beforehand; without a Jacobian for each stage the ratio is above 20 for eps = 1e-2 ... 1e-6",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("a Jacobian for each stage")]),
    experiment,
};

const UNTIL: f64 = 5.0;
const TOLERANCES: [f64; 6] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    uniform(trial, &mut finding, "star curve", |epsilon| StarCurve { epsilon })?;
    uniform(trial, &mut finding, "star surface", |epsilon| StarSurface { epsilon })?;
    uniform(trial, &mut finding, "slanted circle", |epsilon| SlantedCircle { epsilon })?;
    Ok(finding)
}

fn uniform<P: FirstOrder + StiffDirection + Copy>(
    trial: &Trial,
    finding: &mut Finding,
    name: &str,
    problem: impl Fn(f64) -> P,
) -> Result<(), LabError> {
    // Without what is claimed one tolerance says enough, and takes long enough.
    let without = trial.without("a Jacobian for each stage");
    for tolerance in TOLERANCES.into_iter().take(if without { 1 } else { TOLERANCES.len() }) {
        let (mut steps, mut worst) = (Vec::new(), 0.0_f64);
        for exponent in 2..=if without { 6 } else { 9 } {
            let epsilon = 10.0_f64.powi(-exponent);
            let problem = problem(epsilon);
            let system = Linearised::new(problem);
            let mut options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
            options.newton.stage_jacobians = !without;
            let solver = Solver::first_order(&system).method(Method::radau()).options(options);
            let motion = solver.run(0.0, UNTIL, &problem.solution(0.0))?;
            let exact = problem.solution(UNTIL);
            let errors =
                motion.y.iter().zip(&exact).map(|(y, exact)| (y - exact).abs() / (1.0 + exact.abs()));
            worst = worst.max(errors.fold(0.0, f64::max) / tolerance);
            steps.push((epsilon, motion.statistics.steps as f64));
        }
        let case = format!("{name}, tol {tolerance:.0e}");
        let (fewest, most) =
            steps.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), (_, n)| (l.min(*n), m.max(*n)));
        finding.check(&case, "most steps over fewest", AtMost(3.0), most / fewest);
        finding.check(&case, "largest error over tol", AtMost(30.0), worst);
        finding.draw("steps", "eps", "steps", Series::plain(case, steps));
    }
    Ok(())
}
