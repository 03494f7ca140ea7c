//! Consistent initial values.

use std::fmt;

use crate::failure::StepFailure;
use crate::geometry::{AlgebraicSolve, Manifold};
use crate::linear::{Choice, ConstraintRank};
use crate::motion::Statistics;
use crate::system::{Constraint, Fault, FirstOrderSystem, Independent, MechanicalSystem, Structure};

/// A start on the constraints, and what it took to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsistentStart {
    /// positions with g(t, q) = 0
    pub q: Vec<f64>,
    /// velocities with G v + g_t = 0
    pub v: Vec<f64>,
    /// accelerations
    pub a: Vec<f64>,
    /// multipliers from the acceleration constraint
    pub lambda: Vec<f64>,
    /// how far positions and velocities were moved, in the norm √(xᵀM x)
    pub moved: (f64, f64),
    /// constraints that follow from others and are left out
    pub redundant: Vec<String>,
}

/// There is no consistent start.
#[derive(Clone, Debug, PartialEq)]
pub enum StartError {
    /// a list has the wrong length
    Length {
        /// which list
        what: &'static str,
        /// the length it has
        found: usize,
        /// the length it should have
        expected: usize,
    },
    /// the damper beside a spring has a relaxation time that is negative or no number, or there is no spring
    Relaxation {
        /// the spring
        constraint: String,
        /// its relaxation time
        relaxation: f64,
        /// its compliance
        compliance: f64,
    },
    /// a spring has a compliance that is negative or no number
    Compliance {
        /// the spring
        constraint: String,
        /// its compliance
        compliance: f64,
    },
    /// constraints contradict each other
    Contradiction {
        /// a constraint that cannot be satisfied with the others
        constraint: String,
        /// what is left of it
        residual: f64,
    },
    /// positions could not be moved onto the constraints
    NotReached {
        /// the constraint with the largest residual
        constraint: String,
        /// that residual
        residual: f64,
    },
    /// accelerations are not determined: the mass matrix is singular and no constraint helps
    Undetermined {
        /// a coordinate (or variable) that nothing determines
        name: String,
    },
    /// the gradient of a constraint vanishes or is a combination of others
    Dependent {
        /// the constraint
        constraint: String,
    },
    /// multipliers of a partitioned system are not determined
    Irregular {
        /// a constraint that no multiplier can hold
        constraint: String,
    },
    /// a smooth start was asked to make too many passes
    Passes {
        /// the number asked for
        asked: usize,
        /// the most there can be
        most: usize,
    },
    /// the springs have no smooth motion that could be found
    NoSmoothMotion {
        /// why
        reason: String,
    },
    /// the system cannot be evaluated there
    Fault(Fault),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Length { what, found, expected } => {
                write!(f, "{what} has {found} entries, {expected} are needed")
            }
            StartError::Relaxation { constraint, relaxation, compliance: 0.0 } => write!(
                f,
                "the rod '{constraint}' has a relaxation time, {relaxation:e}, but no compliance: a damper stands beside a \
                 spring (take a small compliance)"
            ),
            StartError::Relaxation { constraint, relaxation, .. } => write!(
                f,
                "the relaxation time of '{constraint}' is {relaxation:e}, but must be 0 or positive"
            ),
            StartError::Compliance { constraint, compliance } => {
                write!(
                    f,
                    "the compliance of '{constraint}' is {compliance:e}, but must be 0 for a rod or positive"
                )
            }
            StartError::Contradiction { constraint, residual } => {
                write!(
                    f,
                    "constraint '{constraint}' contradicts the others or cannot hold by itself: a residual of {residual:.3e} cannot be removed"
                )
            }
            StartError::NotReached { constraint, residual } => {
                write!(
                    f,
                    "the start cannot be moved onto constraint '{constraint}': a residual of {residual:.3e} is left; begin closer to it"
                )
            }
            StartError::Undetermined { name } => {
                write!(
                    f,
                    "nothing determines the acceleration of '{name}': the mass matrix is singular there and no constraint helps"
                )
            }
            StartError::Dependent { constraint } => {
                write!(
                    f,
                    "constraint '{constraint}' has no gradient of its own at the start: it vanishes or follows from the \
                     others; leave it out or write it so that it is regular"
                )
            }
            StartError::Irregular { constraint } => {
                write!(
                    f,
                    "no multiplier can hold constraint '{constraint}': G f_z M^-1 k_u is singular at the start (Jay 1998, \
                     condition 3), which for a Hamiltonian is G H_pp G'"
                )
            }
            StartError::Passes { asked, most } => {
                write!(f, "a smooth start makes at most {most} passes, {asked} were asked for")
            }
            StartError::NoSmoothMotion { reason } => {
                write!(f, "there is no smooth start: {reason}")
            }
            StartError::Fault(fault) => write!(f, "the system cannot be evaluated at the start: {fault}"),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> Self {
        StartError::Fault(fault)
    }
}

/// Newton's iteration for positions gives up after so many steps.
const MOST_ITERATIONS: usize = 50;
/// It ends when a step changes positions by less than this share of them.
const CLOSE_ENOUGH: f64 = 1e-13;
/// The rank of so many constraints is always examined; of more only when an elimination fails.
const ALWAYS_EXAMINED: usize = 300;

/// Moves a start onto its constraints with the least change in the norm of M, and finds accelerations and multipliers.
///
/// Redundant constraints are left out and named; contradictory ones are an error.
pub fn consistent_start(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    let structure = system.structure();
    check_length("the start of positions", q, structure.n())?;
    check_length("the start of velocities", v, structure.n())?;
    check_compliance(structure)?;
    let redundant =
        if structure.m() <= ALWAYS_EXAMINED { redundant_constraints(system, t, q, v)? } else { Vec::new() };
    if redundant.is_empty() {
        return on_independent(system, t, q, v, choice);
    }
    let independent = Independent::without(system, &redundant);
    let mut start = on_independent(&independent, t, q, v, choice)?;
    check_left_out(system, t, &start, &redundant)?;
    start.lambda = independent.all_multipliers(&start.lambda);
    start.redundant = redundant.iter().map(|&k| structure.constraints[k].name.clone()).collect();
    Ok(start)
}

fn check_compliance(structure: &Structure) -> Result<(), StartError> {
    let wrong = |c: &&Constraint| !(c.compliance() >= 0.0 && c.compliance().is_finite());
    if let Some(c) = structure.constraints.iter().find(wrong) {
        return Err(StartError::Compliance { constraint: c.name.clone(), compliance: c.compliance() });
    }
    let (compliance, relaxation) = (Constraint::compliance, Constraint::relaxation);
    let fits = |c: &Constraint| relaxation(c) == 0.0 || (relaxation(c) > 0.0 && compliance(c) > 0.0);
    let wrong = |c: &&Constraint| !(fits(c) && relaxation(c).is_finite());
    match structure.constraints.iter().find(wrong) {
        None => Ok(()),
        Some(c) => Err(StartError::Relaxation {
            constraint: c.name.clone(),
            relaxation: relaxation(c),
            compliance: compliance(c),
        }),
    }
}

/// The constraints that follow from others at a state.
pub(crate) fn redundant_constraints(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
) -> Result<Vec<usize>, StartError> {
    let structure = system.structure();
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    system.jacobian(t, q, v, &mut jacobian)?;
    // Springs restrict nothing: their rows are never redundant.
    let rods: Vec<usize> =
        (0..structure.m()).filter(|&k| structure.constraints[k].compliance() == 0.0).collect();
    let place = |k: usize| rods.binary_search(&k).ok();
    let pattern = crate::linear::Pattern::from_entries(
        rods.len(),
        structure.n(),
        structure.jacobian.entries().filter_map(|(i, j)| Some((place(i)?, j))),
    );
    let values: Vec<f64> = structure
        .jacobian
        .entries()
        .zip(&jacobian)
        .filter(|((i, _), _)| place(*i).is_some())
        .map(|(_, value)| *value)
        .collect();
    let rank = ConstraintRank::new(&pattern, &values, ConstraintRank::TOLERANCE);
    Ok(rank.dependent().iter().map(|&k| rods[k]).collect())
}

fn check_left_out(
    system: &dyn MechanicalSystem,
    t: f64,
    start: &ConsistentStart,
    redundant: &[usize],
) -> Result<(), StartError> {
    let structure = system.structure();
    let mut rows = vec![0.0; structure.m()];
    let check = |rows: &[f64]| {
        for &k in redundant {
            if rows[k].abs() > 1e-8 * (1.0 + largest(&start.q)) {
                let constraint = structure.constraints[k].name.clone();
                return Err(StartError::Contradiction { constraint, residual: rows[k] });
            }
        }
        Ok(())
    };
    system.constraint(t, &start.q, &mut rows)?;
    check(&rows)?;
    system.constraint_rate(t, &start.q, &start.v, &mut rows)?;
    check(&rows)
}

fn on_independent(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    let structure = system.structure();
    let mut count = Statistics::default();
    let mut manifold = Manifold::new(system, choice);
    let (mut q_new, mut v_new) = (q.to_vec(), v.to_vec());
    let (mut a, mut lambda) = (vec![0.0; structure.n()], vec![0.0; structure.m()]);
    let explain = |failure| explain(system, failure);
    move_positions(&mut manifold, t, &mut q_new, v, &mut count).map_err(explain)?;
    manifold.evaluate(t, &q_new, &v_new, &mut count).map_err(explain)?;
    manifold.factor(&mut count).map_err(explain)?;
    manifold.project_velocities(t, &q_new, &mut v_new, &mut count).map_err(explain)?;
    manifold.evaluate(t, &q_new, &v_new, &mut count).map_err(explain)?;
    manifold.spring_multipliers(&mut lambda, |_| true);
    manifold.accelerations(t, &mut a, &mut lambda, 2, &mut count).map_err(explain)?;
    let mass = &manifold.evaluated().mass;
    let moved = (distance(structure, mass, &q_new, q), distance(structure, mass, &v_new, v));
    Ok(ConsistentStart { q: q_new, v: v_new, a, lambda, moved, redundant: Vec::new() })
}

/// Finds the closest positions on the constraints, with M and G evaluated anew in every step: the start may be far away.
fn move_positions(
    manifold: &mut Manifold<'_>,
    t: f64,
    q: &mut [f64],
    v: &[f64],
    count: &mut Statistics,
) -> Result<(), StepFailure> {
    let origin = q.to_vec();
    for _ in 0..MOST_ITERATIONS {
        manifold.evaluate_geometry(t, q, v)?;
        manifold.factor(count)?;
        if manifold.approach_closest(t, &origin, q, count)? < CLOSE_ENOUGH {
            break;
        }
    }
    manifold.evaluate_geometry(t, q, v)?;
    manifold.factor(count)?;
    manifold.project_positions(t, q, count)
}

fn explain(system: &dyn MechanicalSystem, failure: StepFailure) -> StartError {
    match failure {
        StepFailure::Fault(fault) => StartError::Fault(fault),
        StepFailure::Projection { constraint, residual } => StartError::NotReached { constraint, residual },
        StepFailure::Singular { name } => {
            let is_constraint = system.structure().constraints.iter().any(|c| c.name == name);
            if is_constraint {
                StartError::Contradiction { constraint: name, residual: f64::NAN }
            } else {
                StartError::Undetermined { name }
            }
        }
        StepFailure::Newton { .. } | StepFailure::NotSmooth { .. } => {
            StartError::NotReached { constraint: String::new(), residual: f64::NAN }
        }
    }
}

pub(crate) fn check_length(what: &'static str, found: &[f64], expected: usize) -> Result<(), StartError> {
    if found.len() == expected {
        return Ok(());
    }
    Err(StartError::Length { what, found: found.len(), expected })
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

fn distance(structure: &Structure, mass: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    let mut momentum = vec![0.0; x.len()];
    structure.mass.multiply_add(mass, &difference, &mut momentum, 1.0);
    momentum.iter().zip(&difference).map(|(p, d)| p * d).sum::<f64>().max(0.0).sqrt()
}

/// An equation of higher index whose residual is below this share of the state is satisfied.
const CONSISTENT: f64 = 1e-8;

/// Moves a first-order system onto its equations without derivatives; returns the variables and the largest residual
/// that is left.
///
/// Variables of index 1 move, those with derivatives do not. With variables of higher index a start with 0 = G(x) is left
/// alone; another one moves along the directions in which they act, and they themselves are taken as they are given.
///
/// # Errors
/// A residual is left that is not small.
pub fn consistent_variables(
    system: &dyn FirstOrderSystem,
    index: &[u8],
    t: f64,
    x: &[f64],
    choice: Choice,
) -> Result<(Vec<f64>, f64), StartError> {
    let composition = system.composition();
    check_length("the start", x, composition.n())?;
    let mut x = x.to_vec();
    if !composition.algebraic_rows().contains(&true) {
        return Ok((x, 0.0));
    }
    let undetermined = |failure| match failure {
        StepFailure::Singular { name } => StartError::Undetermined { name },
        StepFailure::Fault(fault) => StartError::Fault(fault),
        other => StartError::NoSmoothMotion { reason: other.to_string() },
    };
    let mut equations = AlgebraicSolve::new(system, index, choice);
    let allowed = CONSISTENT * largest(&x).max(1.0);
    let (_, residual) = equations.residual(t, &x).map_err(undetermined)?;
    if index.iter().any(|&i| i > 1) && residual <= allowed {
        return Ok((x, residual));
    }
    let mut count = Statistics::default();
    let (row, residual) = equations.solve(t, &mut x, &mut count).map_err(undetermined)?;
    if residual > allowed || !residual.is_finite() {
        return Err(StartError::NotReached { constraint: composition.variables[row].clone(), residual });
    }
    Ok((x, residual))
}
