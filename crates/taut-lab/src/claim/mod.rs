//! What the literature says, as experiments that anyone can run.
//!
//! A [`Claim`] is a statement of a paper together with an experiment; [`verify`] runs experiments and gives verdicts. A
//! claim is one file in the folder of its paper, and a line in the list there.

mod finding;
mod jay;
mod ours;
mod page;
mod schropp;
mod verify;

use std::fmt;

pub use finding::{Check, Expected, Finding, Panel, Series};
pub use page::page;
pub use verify::{Verdict, Verified, verify};

use crate::error::LabError;

/// Where a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003)
    Schropp,
    /// Jay, Structure preservation for constrained dynamics with super partitioned additive Runge-Kutta methods (1998)
    Jay,
    /// Taut itself
    Taut,
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paper::Schropp => "Schropp 2003",
            Paper::Jay => "Jay 1998",
            Paper::Taut => "Taut",
        })
    }
}

/// A statement of a paper that can be measured.
#[derive(Debug)]
pub struct Claim {
    /// paper and number, as in `schropp-table-1`
    pub id: &'static str,
    /// where it comes from
    pub paper: Paper,
    /// what is claimed, in one sentence, with the numbers of the equations
    pub statement: &'static str,
    /// the figures that are claimed, in short
    pub claimed: &'static str,
    /// where measurements contradict what is printed: what holds instead; the experiment shows both
    pub correction: Option<&'static str>,
    /// whether the experiment takes a few seconds at most
    pub fast: bool,
    /// the file of the experiment
    pub source: &'static str,
    /// the measurement
    pub experiment: fn() -> Result<Finding, LabError>,
}

/// All claims, paper by paper.
pub fn claims() -> Vec<&'static Claim> {
    [schropp::CLAIMS, jay::CLAIMS, ours::CLAIMS].concat()
}
