//! Tables 1, 2 and 3: the coefficients.

use taut_tableau::{Lobatto, Spark};

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-tables-1-3",
    paper: Paper::Jay,
    statement: "The Lobatto IIIA, IIIB, IIIC, IIIC* and IIID coefficients with 2 and 3 stages, computed from B(s), C(s), \
                D(s) (section 8), are the fractions of tables 1, 2 and 3.",
    claimed: "no deviation",
    bounds: "the printed fractions",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::C, Lobatto::D)]),
    experiment,
};

/// b, then the matrix, row by row.
type Printed = (Lobatto, &'static [f64]);

const B_2: [f64; 2] = [1.0 / 2.0, 1.0 / 2.0];
const B_3: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];

const TWO_STAGES: [Printed; 5] = [
    (Lobatto::A, &[0.0, 0.0, 1.0 / 2.0, 1.0 / 2.0]),
    (Lobatto::B, &[1.0 / 2.0, 0.0, 1.0 / 2.0, 0.0]),
    (Lobatto::C, &[1.0 / 2.0, -1.0 / 2.0, 1.0 / 2.0, 1.0 / 2.0]),
    (Lobatto::CStar, &[0.0, 0.0, 1.0, 0.0]),
    (Lobatto::D, &[1.0 / 4.0, -1.0 / 4.0, 3.0 / 4.0, 1.0 / 4.0]),
];

const THREE_STAGES: [Printed; 5] = [
    (Lobatto::A, &[0.0, 0.0, 0.0, 5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0, 1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]),
    (Lobatto::B, &[1.0 / 6.0, -1.0 / 6.0, 0.0, 1.0 / 6.0, 1.0 / 3.0, 0.0, 1.0 / 6.0, 5.0 / 6.0, 0.0]),
    (
        Lobatto::C,
        &[
            1.0 / 6.0,
            -1.0 / 3.0,
            1.0 / 6.0,
            1.0 / 6.0,
            5.0 / 12.0,
            -1.0 / 12.0,
            1.0 / 6.0,
            2.0 / 3.0,
            1.0 / 6.0,
        ],
    ),
    (Lobatto::CStar, &[0.0, 0.0, 0.0, 1.0 / 4.0, 1.0 / 4.0, 0.0, 0.0, 1.0, 0.0]),
    (
        Lobatto::D,
        &[
            1.0 / 12.0,
            -1.0 / 6.0,
            1.0 / 12.0,
            5.0 / 24.0,
            1.0 / 3.0,
            -1.0 / 24.0,
            1.0 / 12.0,
            5.0 / 6.0,
            1.0 / 12.0,
        ],
    ),
];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let tables: [(&[f64], &[Printed]); 2] = [(&B_2, &TWO_STAGES), (&B_3, &THREE_STAGES)];
    for (weights, table) in tables {
        let stages = weights.len();
        let spark = Spark::new(stages)?;
        let deviation = |computed: &[f64], printed: &[f64]| {
            computed.iter().zip(printed).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
        };
        finding.check(format!("s = {stages}"), "weights", AtMost(0.0), deviation(spark.b(), weights));
        for (lobatto, printed) in table {
            let measured = deviation(spark.matrix(trial.lobatto(*lobatto)).as_slice(), printed);
            finding.check(format!("s = {stages}, {}", lobatto.family()), "matrix", AtMost(0.0), measured);
        }
    }
    Ok(finding)
}
