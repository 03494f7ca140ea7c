//! Section 5.2: which coefficients take stiff springs with steps longer than their periods.

use taut::Solver;
use taut::method::{Shares, SparkOptions};
use taut::motion::Motion;
use taut::options::{Options, Vibrations};
use taut::system::Differentiated;
use taut_problems::mechanics::StiffSpringPendulum;
use taut_tableau::Lobatto;

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-5.2",
    paper: Paper::Jay,
    statement: "With steps longer than the period of stiff springs the Verlet algorithm (IIIA-B, s = 2) and the trapezoidal rule (IIIA, \
                s = 2) fail even on smooth motion; Lobatto IIIA with s >= 3 and IIIC with s >= 2 for the springs converge.",
    claimed: "error of halved steps smaller for IIIA s = 3, 4 and IIIC s = 2, 3; not for the others",
    bounds: "0.7, between no convergence, 1, and order 1, a half",
    correction: Some(
        "Verlet fails as printed. The trapezoidal rule, from a start on smooth motion, converges in positions and velocities of the \
         pendulum, though on index 3 it does not: nothing excites the vibrations that it does not damp. IIIC has to treat positions as \
         well as springs: with positions in IIIA it is the same method as IIIB, and fails with it.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("suitable coefficients")]),
    experiment,
};

const EPSILON: f64 = 1e-4;
const UNTIL: f64 = 1.0;
const TERMS: usize = 3;
/// Between no convergence, 1, and order 1, a half.
const CONVERGES: f64 = 0.7;
/// Steps of 80 and 160 periods over 2 pi.
const COUNTS: [f64; 2] = [40.0, 80.0];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let smooth = Expansion::at_start(tangent_start(), TERMS);
    let exact = smooth.after(UNTIL).sum(EPSILON, TERMS).rounded();
    let start = smooth.sum(EPSILON, TERMS).rounded();
    let cases = [
        (Lobatto::A, 3, true),
        (Lobatto::A, 4, true),
        (Lobatto::C, 2, true),
        (Lobatto::C, 3, true),
        (Lobatto::A, 2, true),
        (Lobatto::B, 2, false),
    ];
    for (lobatto, stages, converges) in cases {
        let taken = if trial.without("suitable coefficients") { Lobatto::B } else { lobatto };
        let mut stopped = String::new();
        let errors = COUNTS.map(|count| match run(trial, taken, stages, UNTIL / count, &start) {
            Ok(motion) => {
                let found = motion.q().iter().chain(motion.v());
                found.zip(&exact).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
            }
            // What a method cannot go on with has not converged.
            Err(cause) => {
                stopped = format!(" ({cause})");
                f64::INFINITY
            }
        });
        let ratio = if errors[1].is_finite() { errors[1] / errors[0] } else { f64::INFINITY };
        let case = format!("{} s = {stages}", lobatto.family());
        let expected = if converges { AtMost(CONVERGES) } else { AtLeast(CONVERGES) };
        finding.check(&case, "error of halved steps over error", expected, ratio);
        finding.remarks.push(format!("{case}: errors {:.1e} and {:.1e}{stopped}.", errors[0], errors[1]));
    }
    Ok(finding)
}

fn run(trial: &Trial, lobatto: Lobatto, stages: usize, h: f64, start: &[f64]) -> Result<Motion, LabError> {
    let system = Differentiated::new(StiffSpringPendulum {
        epsilon: EPSILON,
        mass: 1.0,
        rest_length: 1.0,
        gravity: 1.0,
    });
    // IIIC for the springs is IIIC for the positions as well: with positions in IIIA it would be the same as IIIB.
    let spark = match lobatto {
        Lobatto::C => SparkOptions::damped(1.0),
        _ => SparkOptions { oscillatory: Some(Shares::only(lobatto)), ..SparkOptions::default() },
    };
    let options = Options { spark, vibrations: Vibrations::Damp, ..Options::default() };
    let solver = Solver::mechanical(&system).options(options).method(trial.spark(stages)?).step(h);
    Ok(solver.run(0.0, UNTIL, start)?)
}
