//! Section 8.1: Lobatto IIID.

use taut::method::Shares;
use taut::options::Options;
use taut_tableau::number::DoubleDouble;
use taut_tableau::{Lobatto, Spark};

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::symplectic::{ON_THE_SPHERE, defect, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-8.1",
    paper: Paper::Jay,
    statement: "Lobatto IIID, the mean of IIIC and IIIC*, satisfies C5(s-1), D5(s-1), C1C5(s), D1D5(s), is symmetric and \
                symplectic by itself, and takes the place of the others in SPARK methods.",
    claimed: "C, D s-1; CC, DD s; defects of (36), (35) none",
    bounds: "the numbers of the statement; rounding of coefficients with 30 digits",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::D, Lobatto::C)]),
    experiment,
};

/// The coefficients are computed with about 30 digits.
const ROUNDING: f64 = 1e-25;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=6 {
        let case = format!("s = {s}");
        let coefficients = Spark::new(s)?;
        let half = DoubleDouble::from(0.5);
        let mean =
            coefficients.exact_matrix(Lobatto::C).plus(1.0.into(), coefficients.exact_matrix(Lobatto::CStar));
        let mean = mean.map(|entry| half * entry);
        let deviation =
            mean.plus((-1.0).into(), coefficients.exact_matrix(trial.lobatto(Lobatto::D))).largest();
        finding.check(&case, "IIID - (IIIC + IIIC*)/2", AtMost(ROUNDING), deviation);
        let method = coefficients.tableau(trial.lobatto(Lobatto::D));
        let assumptions = method.simplifying_assumptions();
        finding.check(&case, "C", Near(s as f64 - 1.0, 0.0), assumptions.c as f64);
        finding.check(&case, "D", Near(s as f64 - 1.0, 0.0), assumptions.d as f64);
        let pair = coefficients.pair(Lobatto::A, trial.lobatto(Lobatto::D));
        finding.check(&case, "CC", Near(s as f64, 0.0), pair.assumption_cc() as f64);
        finding.check(&case, "DD", Near(s as f64, 0.0), pair.assumption_dd() as f64);
        finding.check(&case, "(35)", AtMost(ROUNDING), method.algebraic_stability_matrix().largest());
        finding.check(&case, "symmetric", AtLeast(1.0), f64::from(u8::from(method.is_symmetric())));
    }
    finding.remarks.push(
        "The methods are symplectic by themselves: (35) with IIID for both parts. With positions in IIIA and forces in \
         IIID, on constraints and M(q), the two-form changes; IIIA with IIIB keeps it."
            .into(),
    );
    let sphere = heavy_point_on_a_sphere();
    for (second, expected) in [(Lobatto::B, AtMost(1e-11)), (Lobatto::D, AtLeast(1e-8))] {
        let mut options = Options::default();
        options.spark.conservative = Shares::only(trial.lobatto(second));
        options.spark.reactions = Shares::only(trial.lobatto(second));
        let measured = defect(&sphere, &ON_THE_SPHERE, &trial.spark(3)?, &options, 0.2)?;
        let case = format!("s = 3, IIIA with {}", second.family());
        finding.check(case, "change of dq ^ d(Mv) in a step", expected, measured);
    }
    Ok(finding)
}
