//! Section 8: the simplifying assumptions, from which the order follows.

use taut_tableau::{Lobatto, Spark};

use super::super::Expected::Near;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-8",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B-C-C* methods satisfy B(2s-2), C1(s), D1(s-2), C2(s-2), D2(s), C3(s-1), D3(s-1), C4(s-1), \
                D4(s-1), C1Cn(s) and D1Dn(s) for n = 2, 3, 4 (section 4.2), and no more.",
    claimed: "B 2s-2; C s, s-2, s-1, s-1; D s-2, s, s-1, s-1; CC, DD s; s = 2, ..., 6",
    bounds: "the numbers of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::B, Lobatto::C)]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=6 {
        let spark = Spark::new(s)?;
        let mut check = |case: &str, quantity: &str, expected: usize, measured: usize| {
            let case = format!("s = {s}, {case}");
            finding.check(case, quantity, Near(expected as f64, 0.0), measured as f64);
        };
        let claimed = [
            (Lobatto::A, s, s - 2),
            (Lobatto::B, s - 2, s),
            (Lobatto::C, s - 1, s - 1),
            (Lobatto::CStar, s - 1, s - 1),
        ];
        for (meant, c, d) in claimed {
            let lobatto = trial.lobatto(meant);
            let assumptions = spark.tableau(lobatto).simplifying_assumptions();
            let name = lobatto.family().to_string();
            check(&name, "B", 2 * s - 2, assumptions.b);
            check(&name, "C", c, assumptions.c);
            check(&name, "D", d, assumptions.d);
            if meant != Lobatto::A {
                let pair = spark.pair(Lobatto::A, lobatto);
                check(&name, "CC", s, pair.assumption_cc());
                check(&name, "DD", s, pair.assumption_dd());
            }
        }
    }
    Ok(finding)
}
