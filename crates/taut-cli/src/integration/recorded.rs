//! What a recorder leaves.

use std::fmt;
use std::io;

use super::collector::Collected;
use crate::checkpoint::SoFar;

/// What a run was like, added up over its parts.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// what came before the checkpoint that the run went on from
    pub before: SoFar,
    /// the energy at the very start, for mechanical models
    pub energy_at_start: Option<f64>,
    /// the largest deviation from it
    pub energy_error: f64,
    /// the largest residuals of the constraints
    pub residuals: [f64; 3],
    /// those of positions and velocities over the lengths of gradients, where these are far from 1
    pub distances: Option<[f64; 2]>,
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
}

/// Why a recorder has stopped a run.
#[derive(Debug)]
pub enum Trouble {
    /// a file could not be written
    File(io::Error),
    /// a number is none
    NotFinite {
        /// what it is the value of
        name: String,
        /// when
        t: f64,
        /// what it is
        value: f64,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::File(error) => write!(f, "a file could not be written: {error}"),
            Trouble::NotFinite { name, t, value } => write!(f, "at t = {t} {name} is {value}"),
        }
    }
}

/// What a recorder leaves.
#[derive(Default)]
pub struct Recorded {
    /// what was counted
    pub accounts: Accounts,
    /// the names of the columns
    pub names: Vec<String>,
    /// what a page or a picture shows
    pub collected: Option<Collected>,
    /// t, h, energy error, residuals and stages (or order) after each step
    pub history: Vec<Vec<f64>>,
    /// the time of the last checkpoint
    pub checkpointed: Option<f64>,
    /// why the run was stopped, or what could not be written at its end
    pub trouble: Option<Trouble>,
}
