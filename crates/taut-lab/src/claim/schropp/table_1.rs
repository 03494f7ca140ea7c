//! Table 1: the effort for the pendulum.

use taut_problems::find;

use super::super::Expected::AtMost;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::tables::{Table, compare};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "schropp-table-1",
    paper: Paper::Schropp,
    statement: "Radau IIA with three stages, RADAU5's step control and projection takes the pendulum (4.1), (4.2) to \
                t = 20 with the counts of table 1 or fewer, and the projection saves some \
                of them.",
    claimed: "right-hand sides 2580, 4996, 9963, 20576; Jacobians 238, 481, 956, 1912",
    bounds: "the counts printed in table 1; ratios of counts at most 1",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

const TABLE: Table =
    Table { rhs: [2580, 4996, 9963, 20576], jacobians: [238, 481, 956, 1912], ratio: AtMost(1.0) };

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    compare(trial, &find("pendulum/horizontal_rest_g1")?, 20.0, &TABLE)
}
