//! How a motion goes on from a configuration in which constraints depend on each other: along the branch that its velocities
//! choose.
//!
//! With u the combinations that vanish, uᵀG = 0, the second derivative of uᵀg leaves the condition uᵀg_qq(v, v) = 0 on
//! velocities, and the third one determines accelerations: with R = uᵀg_qq(v, ·),
//!
//! M a + Gᵀλ + Rᵀμ = f,  G a = −g_qq(v, v),  R a = −uᵀg_qqq(v, v, v)/3.

use super::error::StartError;
use crate::geometry::balance::balance;
use crate::geometry::rods::{DEPENDENT, Rods, largest};
use crate::linear::{ConstraintRank, Pattern, SingularValues};
use crate::system::{Fault, MechanicalSystem};

/// Accelerations of the branch and the smallest multipliers (of all constraints) that belong to them.
pub(crate) struct Branch {
    pub(crate) a: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
}

/// What may be left of uᵀg_qq(v, v), relative to |v|².
const NO_CURVATURE: f64 = 1e-5;
/// The length of differences along the motion, in units of (1 + |q|)/|v|. They are extrapolated from two lengths.
const DIFFERENCE: f64 = 1e-3;

/// The branch that the velocities choose at a state where some of the constraints in `kept` depend on others.
///
/// # Errors
/// The motion does not exist, or its velocities do not choose a branch.
pub(crate) fn branch(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    left_out: &[usize],
    passing: &[usize],
) -> Result<Branch, StartError> {
    let rods = Rods::without(system, left_out);
    let (m, n) = (rods.numbers.len(), q.len());
    let constraints = || passing.iter().map(|&k| system.structure().constraints[k].name.clone()).collect();
    let null = null_combinations(&rods, t, q, v)?;
    let speed = largest(v);
    if speed == 0.0 || null.is_empty() {
        return Err(StartError::DeadPoint { constraints: constraints() });
    }
    let curvature = rods.curvatures(t, q, v)?;
    let length = largest(&rods.lengths(t, q, v)?);
    for u in &null {
        let left = dot(u, &curvature);
        if left.abs() > NO_CURVATURE * speed * speed * length.max(1.0) {
            return Err(StartError::NoMotion { constraints: constraints(), left });
        }
    }
    let matrix = rods.matrix(t, q, v)?;
    let along = Along { t, q, v, step: DIFFERENCE * (1.0 + largest(q)) / speed };
    let turning = along.derivative(|t, q| rods.matrix(t, q, v))?;
    let change = along.derivative(|t, q| rods.curvatures(t, q, v))?;
    let k = null.len();
    let mut rows = vec![0.0; (m + k) * n];
    for j in 0..n {
        let column = &mut rows[j * (m + k)..][..m + k];
        column[..m].copy_from_slice(&matrix[j * m..][..m]);
        for (row, u) in column[m..].iter_mut().zip(&null) {
            *row = dot(u, &turning[j * m..][..m]);
        }
    }
    if ConstraintRank::new(&Pattern::dense(m + k, n), &rows, DEPENDENT).rank() < m {
        return Err(StartError::DeadPoint { constraints: constraints() });
    }
    let mut given: Vec<f64> = curvature.iter().map(|c| -c).collect();
    given.extend(null.iter().map(|u| -dot(u, &change) / 3.0));
    let solution = balance(system, t, (q, v), &rows, &given)?;
    let mut lambda = vec![0.0; system.structure().m()];
    for (&number, value) in rods.numbers.iter().zip(&solution[n..]) {
        lambda[number] = *value;
    }
    Ok(Branch { a: solution[..n].to_vec(), lambda })
}

/// Combinations of the constraints whose gradients vanish, each constraint as it is given.
fn null_combinations(rods: &Rods<'_>, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<Vec<f64>>, Fault> {
    let (m, n) = (rods.numbers.len(), q.len());
    let (matrix, lengths) = (rods.matrix(t, q, v)?, rods.lengths(t, q, v)?);
    let unit = |row: usize| if lengths[row] > 0.0 { 1.0 / lengths[row] } else { 1.0 };
    let mut gradients = vec![0.0; n * m];
    for row in 0..m {
        for j in 0..n {
            gradients[j + row * n] = unit(row) * matrix[row + j * m];
        }
    }
    let values = SingularValues::new(n, m, gradients);
    let dependent = |k: &usize| values.values[*k] <= DEPENDENT * values.largest();
    let combination = |k: usize| values.right(k).iter().enumerate().map(|(row, u)| u * unit(row)).collect();
    Ok((0..m).take_while(dependent).map(combination).collect())
}

/// A motion with constant velocities through a state.
struct Along<'r> {
    t: f64,
    q: &'r [f64],
    v: &'r [f64],
    step: f64,
}

impl Along<'_> {
    /// The derivative of a function along the motion.
    fn derivative(&self, of: impl Fn(f64, &[f64]) -> Result<Vec<f64>, Fault>) -> Result<Vec<f64>, Fault> {
        let at = |s: f64| {
            let q: Vec<f64> = self.q.iter().zip(self.v).map(|(q, v)| q + s * v).collect();
            of(self.t + s, &q)
        };
        let difference = |s: f64| -> Result<Vec<f64>, Fault> {
            let (ahead, behind) = (at(s)?, at(-s)?);
            Ok(ahead.iter().zip(&behind).map(|(ahead, behind)| (ahead - behind) / (2.0 * s)).collect())
        };
        let (long, short) = (difference(self.step)?, difference(0.5 * self.step)?);
        Ok(long.iter().zip(&short).map(|(long, short)| (4.0 * short - long) / 3.0).collect())
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
