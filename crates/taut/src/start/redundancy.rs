//! Constraints that follow from others: all along the motion, or in one configuration only.

use super::error::StartError;
use crate::geometry::rods::{DEPENDENT, Rods, largest};
use crate::linear::{ConstraintRank, Pattern};
use crate::system::{Fault, MechanicalSystem};

/// Which constraints follow from others at a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Redundancy {
    /// those that follow from others nearby as well: they are left out
    pub(crate) permanent: Vec<usize>,
    /// those that say something of their own as soon as the mechanism moves: all are kept
    pub(crate) passing: Vec<usize>,
}

/// How far the mechanism is moved to look whether constraints stay dependent, in units of 1 + |q|.
const MOVES: [f64; 2] = [1e-2, 1e-3];
/// Directions in which it is moved beside its velocities.
const DIRECTIONS: usize = 2;
/// The way onto the constraints has ended when a correction is below this share of positions.
const REACHED: f64 = 1e-10;

/// Gradients at a smaller angle that stay so along the motion belong to redundant constraints whose data were rounded.
pub(crate) const NEARLY_DEPENDENT: f64 = 1e-5;

/// The constraints that follow from others at a state: what remains of their gradients is below the tolerance.
pub(crate) fn dependent_constraints(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    tolerance: f64,
) -> Result<Vec<usize>, Fault> {
    let rods = Rods::all(system);
    let (pattern, values) = rods.gradients(t, q, v)?;
    Ok(dependent_among(&rods, (&pattern, &values), tolerance))
}

/// Those among rods that follow from others, by their numbers, with these gradients.
pub(crate) fn dependent_among(
    rods: &Rods<'_>,
    (pattern, gradients): (&Pattern, &[f64]),
    tolerance: f64,
) -> Vec<usize> {
    let rank = ConstraintRank::new(pattern, gradients, tolerance);
    rank.dependent().iter().map(|&row| rods.numbers[row]).collect()
}

/// How many ways a mechanism can move at a state, and which of its constraints say nothing new there.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// coordinates that are not determined by others
    pub degrees: usize,
    /// constraints without compliance
    pub constraints: usize,
    /// how many of them are independent
    pub rank: usize,
    /// the others
    pub redundant: Vec<FollowsFrom>,
}

/// A constraint that follows from others.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowsFrom {
    /// its name
    pub name: String,
    /// those that its gradient is a combination of; none where it vanishes
    pub others: Vec<String>,
}

/// The [`Freedom`] of a mechanism at a state: the rank of G(q), by the angles of the gradients of its constraints.
///
/// # Errors
/// What the formulas of the constraints say of the state.
pub fn freedom(system: &dyn MechanicalSystem, t: f64, (q, v): (&[f64], &[f64])) -> Result<Freedom, Fault> {
    let rods = Rods::all(system);
    let (pattern, values) = rods.gradients(t, q, v)?;
    let rank = ConstraintRank::new(&pattern, &values, ConstraintRank::TOLERANCE);
    let follows = |&row: &usize| {
        let others = rank.combination(row).iter().map(|&(other, _)| rods.name(other)).collect();
        FollowsFrom { name: rods.name(row), others }
    };
    Ok(Freedom {
        degrees: q.len().saturating_sub(rank.rank()),
        constraints: rods.numbers.len(),
        rank: rank.rank(),
        redundant: rank.dependent().iter().map(follows).collect(),
    })
}

/// Moves the mechanism a little on those constraints that are independent here, and looks which of the others remain
/// dependent there.
pub(crate) fn classify(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    dependent: &[usize],
    tolerance: f64,
) -> Result<Redundancy, StartError> {
    let kept = Rods::without(system, dependent);
    let mut permanent = dependent.to_vec();
    for direction in directions(&kept, t, q, v)? {
        for length in MOVES {
            let scale = length * (1.0 + largest(q)) / largest(&direction).max(f64::MIN_POSITIVE);
            let moved: Vec<f64> = q.iter().zip(&direction).map(|(q, d)| q + scale * d).collect();
            // Where the system cannot be evaluated, or its constraints are too far away, nothing is seen.
            if let Ok(Some(there)) = dependent_nearby(system, &kept, t, (moved, v), tolerance)
                && there.len() < permanent.len()
            {
                permanent = there;
            }
        }
    }
    let passing = dependent.iter().copied().filter(|k| !permanent.contains(k)).collect();
    Ok(Redundancy { permanent, passing })
}

/// The constraints that are dependent at the place on those that are kept which is closest to the given one; nothing
/// where there is none.
fn dependent_nearby(
    system: &dyn MechanicalSystem,
    kept: &Rods<'_>,
    t: f64,
    (mut q, v): (Vec<f64>, &[f64]),
    tolerance: f64,
) -> Result<Option<Vec<usize>>, Fault> {
    let weights = vec![1.0; q.len()];
    if !(kept.approach(t, &mut q, v, &weights)? <= REACHED * (1.0 + largest(&q))) {
        return Ok(None);
    }
    dependent_constraints(system, t, (&q, v), tolerance).map(Some)
}

/// Directions along the constraints: that of the velocities, and arbitrary ones.
fn directions(kept: &Rods<'_>, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<Vec<f64>>, Fault> {
    let matrix = kept.matrix(t, q, v)?;
    let rows = kept.numbers.len();
    let mut found = Vec::new();
    if largest(v) > 0.0 {
        found.push(v.to_vec());
    }
    for k in 0..DIRECTIONS {
        let mut direction: Vec<f64> =
            (0..q.len()).map(|i| ((i + 1) as f64 * (1.7 + k as f64)).sin()).collect();
        let mut along = vec![0.0; rows];
        for (j, x) in direction.iter().enumerate() {
            along.iter_mut().zip(&matrix[j * rows..]).for_each(|(along, entry)| *along += entry * x);
        }
        let normal = kept.correction(&matrix, &along, &vec![1.0; q.len()]);
        direction.iter_mut().zip(&normal).for_each(|(x, normal)| *x += normal);
        if largest(&direction) > DEPENDENT {
            found.push(direction);
        }
    }
    Ok(found)
}

/// A gradient is taken to vanish where it is shorter than this share of what it is close by.
const VANISHING: f64 = 1e-6;
/// Close by, in units of 1 + |q|.
const CLOSE_BY: f64 = 1e-2;
/// In so many directions it is looked whether a constraint changes its sign.
const SIGNS: usize = 6;
/// Ten times as close by, gradients are so many times as short where constraints are higher powers of what is to be zero: those of
/// powers that change their sign are a hundred times as short, those at a crossing of two branches ten times.
const HIGHER: f64 = 30.0;

/// Refuses constraints whose gradient vanishes where they hold, as that of a square, of a third power or of an absolute value does: no
/// force along it can hold them. The lengths of gradients may be known.
pub(crate) fn check_gradients(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    known: Option<&[f64]>,
) -> Result<(), StartError> {
    let mut rods = Rods::all(system);
    let constraints = &system.structure().constraints;
    let all_holonomic = rods.numbers.iter().all(|&k| constraints[k].is_holonomic());
    rods.numbers.retain(|&k| constraints[k].is_holonomic());
    let here = match known.filter(|_| all_holonomic) {
        Some(known) => known.to_vec(),
        None => rods.lengths(t, q, v)?,
    };
    let step = CLOSE_BY * (1.0 + largest(q));
    let moved = |step: f64, k: usize| -> Vec<f64> {
        q.iter().enumerate().map(|(i, q)| q + step * ((i + 1) as f64 * (0.9 + k as f64)).sin()).collect()
    };
    let nearby = |k: usize| moved(step, k);
    // Where the constraints cannot be evaluated close by, nothing is said.
    let Ok(there) = rods.lengths(t, &nearby(0), v) else { return Ok(()) };
    let vanishing: Vec<usize> = (0..here.len()).filter(|&row| here[row] <= VANISHING * there[row]).collect();
    if vanishing.is_empty() {
        return Ok(());
    }
    let mut signs = vec![(false, false); here.len()];
    for values in (0..SIGNS).filter_map(|k| rods.values(t, &nearby(k)).ok()) {
        for (sign, value) in signs.iter_mut().zip(values) {
            *sign = (sign.0 || value > 0.0, sign.1 || value < 0.0);
        }
    }
    let closer = rods.lengths(t, &moved(0.1 * step, 0), v).unwrap_or_else(|_| there.clone());
    let is_power = |row: usize| signs[row] != (true, true) || closer[row] * HIGHER < there[row];
    let Some(row) = vanishing.into_iter().find(|&row| is_power(row)) else { return Ok(()) };
    let constraint = rods.name(row);
    // What hardly changes close by, and yet is not zero, does not hold: its gradient vanishes only here.
    let (residual, beside) = (rods.values(t, q)?[row], rods.values(t, &nearby(0))?[row]);
    match residual.abs() > (beside - residual).abs() {
        true => Err(StartError::NotReached { constraint, residual }),
        false => Err(StartError::Vanishing { constraint }),
    }
}
