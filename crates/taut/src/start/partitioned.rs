//! Consistent starts of partitioned systems.

use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::partitioned::{HiddenConstraints, Level};
use crate::linear::{Choice, ConstraintRank};
use crate::motion::Statistics;
use crate::start::{ConsistentStart, StartError, check_length};
use crate::system::{PartitionStructure, PartitionedSystem, Selection};

/// The way onto the constraints ends after so many corrections with new derivatives.
const MOST_MOVES: usize = 50;
/// It has ended when a correction is below this share of the state.
const CLOSE_ENOUGH: f64 = 1e-13;

/// Moves a start (y, z) onto its constraints, along f_z M⁻¹ k_u and M⁻¹ k_u, and finds z' and u.
pub fn consistent_partition(
    system: &dyn PartitionedSystem,
    t: f64,
    start: &[f64],
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    let structure = system.structure();
    let layout = Layout::partitioned(structure.n(), structure.p(), structure.m());
    check_length("the start", start, layout.differential())?;
    let mut state = [start, &vec![0.0; structure.m()]].concat();
    check_rank(system, t, &state[layout.q()])?;
    let explain = |failure| explain(structure, failure);
    let mut count = Statistics::default();
    let mut hidden = HiddenConstraints::new(system, choice);
    for _ in 0..MOST_MOVES {
        let before = state.clone();
        hidden.factor(t, &state, &mut count).map_err(explain)?;
        hidden.project(Level::First, t, &mut state, &mut count).map_err(explain)?;
        hidden.project(Level::Second, t, &mut state, &mut count).map_err(explain)?;
        let size = state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        if distance(&before, &state) <= CLOSE_ENOUGH * size {
            break;
        }
    }
    let mut a = vec![0.0; structure.p()];
    let (mut first_rate, mut bend) = (vec![0.0; structure.n()], vec![0.0; structure.n()]);
    hidden.find_rates(t, &mut state, [&mut first_rate, &mut a, &mut bend], &mut count).map_err(explain)?;
    let (y, z, u) = layout.split(&state);
    let moved = (distance(y, &start[layout.q()]), distance(z, &start[layout.v()]));
    Ok(ConsistentStart {
        q: y.to_vec(),
        v: z.to_vec(),
        a,
        lambda: u.to_vec(),
        moved,
        redundant: Vec::new(),
        passing: Vec::new(),
        selection: Selection::default(),
    })
}

/// Fails when the gradient of a constraint vanishes or is a combination of others.
fn check_rank(system: &dyn PartitionedSystem, t: f64, y: &[f64]) -> Result<(), StartError> {
    let structure = system.structure();
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    system.jacobian(t, y, &mut jacobian)?;
    let rank = ConstraintRank::new(&structure.jacobian, &jacobian, ConstraintRank::TOLERANCE);
    match rank.dependent().first() {
        Some(&k) => Err(StartError::Dependent { constraint: structure.constraints[k].clone() }),
        None => Ok(()),
    }
}

fn explain(structure: &PartitionStructure, failure: StepFailure) -> StartError {
    match failure {
        StepFailure::Fault(fault) => StartError::Fault(fault),
        StepFailure::Projection { constraint, residual } => StartError::NotReached { constraint, residual },
        StepFailure::Singular { name } if structure.constraints.contains(&name) => {
            StartError::Irregular { constraint: name }
        }
        StepFailure::Singular { name } => StartError::Undetermined { name },
        StepFailure::Newton { .. } | StepFailure::NotSmooth { .. } => {
            StartError::NotReached { constraint: String::new(), residual: f64::NAN }
        }
    }
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}
