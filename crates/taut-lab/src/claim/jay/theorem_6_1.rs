//! Theorem 6.1: symplecticness.

use taut::options::Options;
use taut_tableau::{Lobatto, Spark, symplectic_defect};

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::symplectic::{ON_THE_SPHERE, defect, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-thm-6.1",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B satisfies (35), and SPARK methods that do are symplectic for conservative mechanical systems \
                with constraints and M(q), directly in (q, v).",
    claimed: "no change of dq ^ d(Mv)",
    bounds: "rounding of coefficients with 30 digits, and of differences of order 4",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::B, Lobatto::C)]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let coefficients = Spark::new(s)?;
        let [a, b] =
            [Lobatto::A, Lobatto::B].map(|lobatto| coefficients.exact_matrix(trial.lobatto(lobatto)));
        let weights = &coefficients.tableau(Lobatto::A).exact().b.clone();
        finding.check(format!("s = {s}"), "(35)", AtMost(1e-25), symplectic_defect(weights, a, b));
    }
    let sphere = heavy_point_on_a_sphere();
    for s in 2..=5 {
        let measured =
            defect(&sphere, &ON_THE_SPHERE, &trial.spark(s)?, &trial.spark_options(Options::default()), 0.2)?;
        // The derivatives are differences of order 4, good to about 1e-12.
        finding.check(format!("s = {s}"), "change of dq ^ d(Mv) in a step", AtMost(1e-11), measured);
    }
    Ok(finding)
}
