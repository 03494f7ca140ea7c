//! Theorem 6.3: symmetry, and with it reversibility.

use taut::Solver;
use taut::motion::Motion;
use taut::options::Options;
use taut_tableau::{Lobatto, Spark};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::symplectic::{ON_THE_SPHERE, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-thm-6.3",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B satisfies (36), and SPARK methods that do are symmetric: steps with -h undo steps with h, and \
                reversed velocities reverse the motion.",
    claimed: "back at the start, to rounding",
    bounds: "rounding of ten steps forth and ten back",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::B, Lobatto::C)]),
    experiment,
};

/// Ten steps forth and ten back leave a few units of rounding.
const ROUNDING: f64 = 1e-13;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let sphere = heavy_point_on_a_sphere();
    let state = |motion: &Motion| [motion.q(), motion.v()].concat();
    let reversed = |y: &[f64]| [&y[..3], &y[3..].iter().map(|v| -v).collect::<Vec<_>>()].concat();
    let distance =
        |y: &[f64]| y.iter().zip(&ON_THE_SPHERE).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    for s in 2..=6 {
        let case = format!("s = {s}");
        let coefficients = Spark::new(s)?;
        let symmetric =
            [Lobatto::A, Lobatto::B].iter().all(|&m| coefficients.tableau(trial.lobatto(m)).is_symmetric());
        finding.check(&case, "(36)", AtLeast(1.0), f64::from(u8::from(symmetric)));
        let solver = Solver::mechanical(&sphere).options(trial.spark_options(Options::default()));
        let solver = solver.method(trial.spark(s)?).step(0.1);
        let there = solver.run(0.0, 1.0, &ON_THE_SPHERE)?;
        let back = solver.run(1.0, 0.0, &state(&there))?;
        finding.check(&case, "steps with -h", AtMost(ROUNDING), distance(&state(&back)));
        let back = solver.run(0.0, 1.0, &reversed(&state(&there)))?;
        finding.check(&case, "reversed velocities", AtMost(ROUNDING), distance(&reversed(&state(&back))));
    }
    Ok(finding)
}
