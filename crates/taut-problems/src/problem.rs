//! What a problem is: a system, a start, values to compare with, and where they come from.

use std::fmt;

use taut::system::{FirstOrderSystem, MechanicalSystem};

/// A system with everything that is needed to try a solver on it.
#[derive(Debug)]
pub struct Problem {
    /// its name in the [catalogue](crate::all)
    pub name: String,
    /// which of its starts this is; starts may differ in parameters too
    pub start_name: String,
    /// one line for people
    pub title: String,
    /// where equations and values come from
    pub source: String,
    /// what it is good for
    pub purpose: String,
    /// the index of its equations; 0 for ordinary differential equations
    pub index: u8,
    /// the equations
    pub system: System,
    /// where the motion begins
    pub start: Start,
    /// the usual end of the interval
    pub t_end: f64,
    /// times at which the right-hand side is not smooth, ascending; a solver should not step across them
    pub kinks: Vec<f64>,
    /// values to compare with, by ascending time
    pub references: Vec<Reference>,
}

/// The equations of a problem, as a solver sees them.
pub enum System {
    /// M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ
    Mechanical(Box<dyn MechanicalSystem>),
    /// E x' = f(t, x)
    FirstOrder(Box<dyn FirstOrderSystem>),
}

impl System {
    /// The number of coordinates, or of variables.
    pub fn n(&self) -> usize {
        match self {
            System::Mechanical(mechanism) => mechanism.structure().n(),
            System::FirstOrder(evolution) => evolution.composition().n(),
        }
    }

    /// The mechanism, when the problem is a mechanical one.
    pub fn mechanism(&self) -> Option<&dyn MechanicalSystem> {
        match self {
            System::Mechanical(mechanism) => Some(mechanism.as_ref()),
            System::FirstOrder(_) => None,
        }
    }

    /// The first-order system, when the problem is one.
    pub fn evolution(&self) -> Option<&dyn FirstOrderSystem> {
        match self {
            System::Mechanical(_) => None,
            System::FirstOrder(evolution) => Some(evolution.as_ref()),
        }
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            System::Mechanical(_) => write!(f, "Mechanical(n = {})", self.n()),
            System::FirstOrder(_) => write!(f, "FirstOrder(n = {})", self.n()),
        }
    }
}

/// Where a motion begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// the time
    pub t: f64,
    /// the state
    pub state: State,
}

/// A value to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// the time
    pub t: f64,
    /// the state then
    pub state: State,
    /// significant digits on which two independent computations agree; more than 16 are cut to double precision
    pub digits: u32,
}

/// A state, or as much of it as is known.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// the state of a mechanical system
    Motion(Motion),
    /// all variables of a first-order system
    Variables(Vec<f64>),
    /// some variables of a first-order system: number and value
    Some(Vec<(usize, f64)>),
}

impl State {
    /// The motion, when the state is one.
    pub fn motion(&self) -> Option<&Motion> {
        match self {
            State::Motion(motion) => Some(motion),
            _ => None,
        }
    }

    /// The known variables of a first-order system: number and value.
    pub fn variables(&self) -> Vec<(usize, f64)> {
        match self {
            State::Motion(_) => Vec::new(),
            State::Variables(x) => x.iter().copied().enumerate().collect(),
            State::Some(known) => known.clone(),
        }
    }
}

/// Positions and velocities, and what else is known of a mechanical system at one time.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Motion {
    /// positions
    pub q: Vec<f64>,
    /// velocities
    pub v: Vec<f64>,
    /// accelerations, where they are known
    pub a: Option<Vec<f64>>,
    /// multipliers, where they are known, in the sign of M v' = f − Gᵀλ
    pub lambda: Option<Vec<f64>>,
}
