//! Singular configurations on the way: where constraints become dependent.
//!
//! The singular values of the gradients, each of length one, tell how far the constraints are from that. Along the motion,
//! uᵀG w with fixed singular vectors changes its sign where one of them vanishes.

use super::balance::balance;
use super::rods::{DEPENDENT, Rods};
use crate::linear::{Pattern, SingularValues};
use crate::system::{Fault, MechanicalSystem};

/// A singular configuration close by.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// when it is passed; nothing where it lies behind
    pub at: Option<f64>,
    /// the constraints that become dependent, by name
    pub constraints: Vec<String>,
}

/// Looks for singular configurations of a mechanism.
pub(crate) struct Singularities<'a> {
    system: &'a dyn MechanicalSystem,
    rods: Rods<'a>,
}

/// A singular value is small where it would vanish within so many steps.
const STEPS_AROUND: f64 = 4.0;
/// A singular time is looked for in so many steps ahead,
const STEPS_AHEAD: f64 = 3.0;
/// at so many places.
const PLACES: usize = 24;
/// Then it is found by so many halvings.
const HALVINGS: usize = 40;
/// Matrices with more rows are not looked at.
const MOST_RODS: usize = 300;
/// Differences along the motion are so long, in steps.
const DIFFERENCE: f64 = 1e-5;

impl<'a> Singularities<'a> {
    /// Nothing for systems with constraints on velocities, without rods or with too many.
    pub(crate) fn of(system: &'a dyn MechanicalSystem) -> Option<Self> {
        let rods = Rods::all(system);
        let holonomic = system.structure().constraints.iter().all(|c| c.is_holonomic());
        let few = !rods.numbers.is_empty() && rods.numbers.len() <= MOST_RODS.min(system.structure().n());
        (holonomic && few).then_some(Singularities { system, rods })
    }

    /// Accelerations at a state, also where constraints depend on each other.
    fn accelerations(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Fault> {
        let rows = self.rods.matrix(t, q, v)?;
        let given: Vec<f64> = self.rods.curvatures(t, q, v)?.iter().map(|c| -c).collect();
        Ok(balance(self.system, t, (q, v), &rows, &given)?[..q.len()].to_vec())
    }

    /// A singular configuration so close that steps of length h would meet it; accelerations are found where they are not
    /// given.
    pub(crate) fn look(
        &self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        a: Option<&[f64]>,
        h: f64,
    ) -> Result<Option<Near>, Fault> {
        let (pattern, values) = self.rods.gradients(t, q, v)?;
        let lengths = self.rods.lengths(t, q, v)?;
        let unit = |row: usize| if lengths[row] > 0.0 { 1.0 / lengths[row] } else { 1.0 };
        let (m, n) = (pattern.rows(), q.len());
        let mut gradients = vec![0.0; n * m];
        for ((i, j), value) in pattern.entries().zip(&values) {
            gradients[j + i * n] = unit(i) * value;
        }
        let found = SingularValues::new(n, m, gradients);
        let turned = |s: f64, a: &[f64]| -> Result<Vec<f64>, Fault> {
            let moved: Vec<f64> = (0..n).map(|k| q[k] + s * (v[k] + 0.5 * s * a[k])).collect();
            Ok(self.rods.gradients(t + s, &moved, v)?.1)
        };
        let (step, still) = (DIFFERENCE * h, vec![0.0; n]);
        let soon = turned(step, &still)?;
        let between = |values: &[f64], k: usize| form(&pattern, values, &unit, found.right(k), found.left(k));
        let small: Vec<usize> = (0..m)
            .filter(|&k| {
                let rate = (between(&soon, k) - between(&values, k)) / step;
                let here = found.values[k] <= DEPENDENT * found.largest();
                here || found.values[k] < STEPS_AROUND * (h * rate).abs()
            })
            .collect();
        if small.is_empty() {
            return Ok(None);
        }
        let constraints = self.names(&found, &small);
        let here = |k: &usize| found.values[*k] <= DEPENDENT * found.largest();
        if small.iter().any(here) {
            return Ok(Some(Near { at: Some(t), constraints }));
        }
        let a = match a {
            Some(a) => a.to_vec(),
            None => self.accelerations(t, q, v)?,
        };
        let ahead = small
            .iter()
            .map(|&k| first_root(STEPS_AHEAD * h, |s| turned(s, &a).map(|values| between(&values, k))));
        let mut at: Option<f64> = None;
        for root in ahead {
            at = root?.into_iter().chain(at).min_by(|x, y| x.abs().total_cmp(&y.abs()));
        }
        Ok(Some(Near { at: at.map(|s| t + s), constraints }))
    }

    /// The constraints with the largest share in the combinations that vanish.
    fn names(&self, found: &SingularValues, small: &[usize]) -> Vec<String> {
        let mut rows: Vec<usize> = small
            .iter()
            .filter_map(|&k| {
                let shares = found.right(k).iter().enumerate();
                shares.max_by(|x, y| x.1.abs().total_cmp(&y.1.abs())).map(|(row, _)| row)
            })
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into_iter().map(|row| self.rods.name(row)).collect()
    }
}

/// uᵀ D G w, D the lengths of the gradients at the beginning.
fn form(pattern: &Pattern, values: &[f64], unit: &impl Fn(usize) -> f64, u: &[f64], w: &[f64]) -> f64 {
    pattern.entries().zip(values).map(|((i, j), value)| u[i] * unit(i) * value * w[j]).sum()
}

/// Where a function, positive at 0, first changes its sign on the way to `end`.
fn first_root(end: f64, f: impl Fn(f64) -> Result<f64, Fault>) -> Result<Option<f64>, Fault> {
    let mut low = 0.0;
    for place in 1..=PLACES {
        let mut high = end * place as f64 / PLACES as f64;
        if f(high)? > 0.0 {
            low = high;
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if f(middle)? > 0.0 { low = middle } else { high = middle }
        }
        return Ok(Some(high));
    }
    Ok(None)
}
