//! Lemma 8.1: the conditions (20) and (21) for existence and uniqueness.

use taut_tableau::number::{DoubleDouble, Matrix};
use taut_tableau::{Lobatto, Spark};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-lemma-8.1",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B-C-C* methods share weights and nodes (20) and satisfy (S), (21a), (21b) and (21c): the \
                products of IIIA with IIIB, IIIC, IIIC* (and IIID) are the same, of rank s together with b.",
    claimed: "no defects; rank s for s = 2, ..., 8",
    bounds: "rounding of coefficients with 30 digits",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::C, Lobatto::A)]),
    experiment,
};

/// The coefficients are computed with about 30 digits.
const ROUNDING: f64 = 1e-25;

const OTHERS: [Lobatto; 4] = [Lobatto::B, Lobatto::C, Lobatto::CStar, Lobatto::D];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for stages in 2..=8 {
        let spark = Spark::new(stages)?;
        let case = format!("s = {stages}");
        let difference = |x: &Matrix<DoubleDouble>, y: &Matrix<DoubleDouble>| {
            x.plus(DoubleDouble::from(-1.0), y).largest()
        };
        let a = spark.exact_matrix(Lobatto::A);
        let products = OTHERS.map(|other| a.product(spark.exact_matrix(trial.lobatto(other))));
        let defect = products.iter().map(|product| difference(product, &products[0])).fold(0.0, f64::max);
        finding.check(&case, "(21b)", AtMost(ROUNDING), defect);
        let first_row = a.row(0).iter().fold(0.0_f64, |most, entry| most.max(entry.to_f64().abs()));
        finding.check(&case, "(21a)", AtMost(0.0), first_row);
        let weights = spark.tableau(Lobatto::A);
        let last_row = a.row(stages - 1).iter().zip(&weights.exact().b);
        let last_row = last_row.fold(0.0_f64, |most, (a, b)| most.max((*a - *b).to_f64().abs()));
        finding.check(&case, "(S)", AtMost(ROUNDING), last_row);
        let solvable = spark.solvability(Lobatto::A, &OTHERS);
        finding.check(&case, "(21c), 1 for rank s", AtLeast(1.0), f64::from(u8::from(solvable.full_rank)));
        // (21b) is what singles out the second matrices: IIIA with itself misses (21c).
        let itself = spark.solvability(Lobatto::A, &[Lobatto::A]);
        finding.check(&case, "(21c) for IIIA itself", AtMost(0.0), f64::from(u8::from(itself.full_rank)));
    }
    Ok(finding)
}
