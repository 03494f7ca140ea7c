//! What the literature says, as experiments that anyone can run.
//!
//! A [`Claim`] is a statement of a paper together with an experiment; [`verify`] runs experiments and gives verdicts. A
//! claim is one file in the folder of its paper, and a line in the list there.

mod auzinger;
mod beyond;
mod coverage;
mod finding;
mod jay;
mod lubich;
mod mutants;
mod nipp;
mod ours;
mod page;
mod schropp;
mod trial;
mod verify;

use std::fmt;

pub use coverage::{Item, coverage, items};
pub use finding::{Check, Expected, Finding, Panel, Series, Table};
pub use mutants::{Spoilt, try_mutants};
pub use page::page;
pub use trial::{Mutant, Mutants, Trial};
pub use verify::{Verdict, Verified, verify};

use crate::error::LabError;

/// Where a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Lubich, Integration of stiff mechanical systems by Runge-Kutta methods (1992)
    Lubich,
    /// Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003)
    Schropp,
    /// Jay, Structure preservation for constrained dynamics with super partitioned additive Runge-Kutta methods (1998)
    Jay,
    /// what we say of Taut ourselves
    Ours,
    /// statements of other papers, which the claims name
    Beyond,
    /// Nipp, Numerical integration of differential algebraic systems and invariant manifolds (1999)
    Nipp,
    /// Auzinger, Eder and Frank, Extending convergence theory for nonlinear stiff problems, part II (2001)
    Auzinger,
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paper::Lubich => "Lubich 1992",
            Paper::Schropp => "Schropp 2003",
            Paper::Jay => "Jay 1998",
            Paper::Ours => "Taut itself",
            Paper::Beyond => "Beyond the five papers",
            Paper::Nipp => "Nipp 1999",
            Paper::Auzinger => "Auzinger, Eder and Frank 2001",
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
    /// where the bounds of its checks come from: the statement, or a number fitted on half of the points
    pub bounds: &'static str,
    /// where measurements contradict what is printed: what holds instead; the experiment shows both
    pub correction: Option<&'static str>,
    /// whether the experiment takes a few seconds at most
    pub fast: bool,
    /// the file of the experiment
    pub source: &'static str,
    /// what must not satisfy it
    pub mutants: Mutants,
    /// the measurement
    pub experiment: fn(&Trial) -> Result<Finding, LabError>,
}

/// All claims, paper by paper.
pub fn claims() -> Vec<&'static Claim> {
    let papers = [lubich::CLAIMS, schropp::CLAIMS, jay::CLAIMS, nipp::CLAIMS, auzinger::CLAIMS];
    [papers.concat().as_slice(), beyond::CLAIMS, ours::CLAIMS].concat()
}
