//! True errors: a state against a reference, quantity by quantity.

use taut::Solver;
use taut::equations::Layout;
use taut::linear::Choice;
use taut::start::find_index;
use taut_problems::{Problem, Reference, State, System};

use crate::error::LabError;

/// Entries of a state vector that behave alike: positions, velocities, multipliers, variables of one index.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// `q`, `v` or `lambda`; in first-order systems `index 0`, `index 1`, `index 2`, `index 3`
    pub name: String,
    /// where the entries lie in a state vector, and their values in the reference
    pub entries: Vec<(usize, f64)>,
}

/// A reference value, taken apart into groups. Errors of one group are never hidden behind those of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    groups: Vec<Group>,
}

impl Comparison {
    /// With the reference of a problem at time t.
    pub fn at(problem: &Problem, t: f64) -> Result<Self, LabError> {
        let missing = || LabError::NoReference { problem: problem.name.clone(), t };
        let reference = problem.references.iter().find(|reference| reference.t == t).ok_or_else(missing)?;
        match &problem.system {
            System::Mechanical(mechanism) => {
                let structure = mechanism.structure();
                Ok(mechanical(&Layout::mechanical(structure.n(), structure.m()), reference))
            }
            System::FirstOrder(system) => {
                let start = start_of(problem);
                let index =
                    find_index(system.as_ref(), problem.start.t, &start, Choice::Auto).map_err(|cause| {
                        LabError::Run { problem: problem.name.clone(), cause: taut::Error::Start(cause) }
                    })?;
                Ok(by_index(&index, reference))
            }
        }
    }

    /// The groups of which something is known.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The largest error of each group.
    pub fn largest_errors(&self, y: &[f64]) -> Vec<f64> {
        let error = |group: &Group| {
            group.entries.iter().fold(0.0_f64, |largest, &(i, value)| largest.max((y[i] - value).abs()))
        };
        self.groups.iter().map(error).collect()
    }

    /// The root mean square of |eᵢ|/(1 + |yᵢ|) of each group: the norm in which a tolerance rtol = atol is meant.
    pub fn weighted_errors(&self, y: &[f64]) -> Vec<f64> {
        self.scaled_errors(y, 1.0)
    }

    /// The root mean square of |eᵢ|/(floor + |yᵢ|) of each group, floor = atol/rtol.
    pub fn scaled_errors(&self, y: &[f64], floor: f64) -> Vec<f64> {
        let error = |group: &Group| {
            let square = |&(i, value): &(usize, f64)| ((y[i] - value) / (floor + value.abs())).powi(2);
            (group.entries.iter().map(square).sum::<f64>() / group.entries.len() as f64).sqrt()
        };
        self.groups.iter().map(error).collect()
    }
}

fn mechanical(layout: &Layout, reference: &Reference) -> Comparison {
    let Some(motion) = reference.state.motion() else { return Comparison { groups: Vec::new() } };
    let multipliers = motion.lambda.as_deref().unwrap_or_default();
    let parts = [
        ("q", layout.q(), motion.q.as_slice()),
        ("v", layout.v(), motion.v.as_slice()),
        ("lambda", layout.multipliers(), multipliers),
    ];
    let groups = parts.into_iter().map(|(name, places, values)| Group {
        name: name.into(),
        entries: places.zip(values.iter().copied()).collect(),
    });
    Comparison { groups: groups.filter(|group| !group.entries.is_empty()).collect() }
}

fn by_index(index: &[u8], reference: &Reference) -> Comparison {
    let known = reference.state.variables();
    let groups = (0..=3u8).map(|k| Group {
        name: format!("index {k}"),
        entries: known.iter().copied().filter(|&(i, _)| index[i] == k).collect(),
    });
    Comparison { groups: groups.filter(|group| !group.entries.is_empty()).collect() }
}

/// A solver for a problem; it does not step across the times at which the equations are not smooth.
pub fn solver_of(problem: &Problem) -> Solver<'_> {
    let solver = match &problem.system {
        System::Mechanical(mechanism) => Solver::mechanical(mechanism.as_ref()),
        System::FirstOrder(system) => Solver::first_order(system.as_ref()),
    };
    solver.breaks(&problem.kinks)
}

/// The start of a problem as a solver takes it: (q, v), or x.
pub fn start_of(problem: &Problem) -> Vec<f64> {
    match &problem.start.state {
        State::Motion(motion) => [motion.q.as_slice(), &motion.v].concat(),
        State::Variables(x) => x.clone(),
        State::Some(known) => known.iter().map(|&(_, value)| value).collect(),
    }
}
