//! What a person writes: a mechanical system as formulas for any number type.

use super::number::{Dual, Scalar};
use crate::linear::Pattern;
use crate::seen::{Constraint, Evaluation, ForceClass};

/// A mechanical system M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ, as formulas for any number type.
///
/// Only what exists has to be written; all derivatives are found by [`Differentiated`](super::Differentiated).
///
/// ```
/// use taut::system::{Constraint, Mass, Mechanical, Scalar};
///
/// struct Pendulum;
///
/// impl Mechanical for Pendulum {
///     fn coordinates(&self) -> Vec<String> {
///         vec!["x".into(), "y".into()]
///     }
///     fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
///         mass.diagonal(S::constant(1.0));
///     }
///     fn potential<S: Scalar>(&self, q: &[S]) -> S {
///         q[1] * 9.81
///     }
///     fn constraints(&self) -> Vec<Constraint> {
///         vec![Constraint::rod("rod")]
///     }
///     fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
///         g[0] = (q[0].square() + q[1].square() - 1.0) * 0.5;
///     }
/// }
/// ```
pub trait Mechanical {
    /// The names of the coordinates; their number is n.
    fn coordinates(&self) -> Vec<String>;

    /// The mass matrix M(q), entry by entry or from the kinetic energy; see [`Mass`].
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>);

    /// The potential V(q).
    fn potential<S: Scalar>(&self, _q: &[S]) -> S {
        S::zero()
    }

    /// Writes −∂V/∂q and says so: values are then computed by this function, and not by what was recorded of V.
    fn potential_force<S: Scalar>(&self, _q: &[S], _force: &mut [S]) -> Given {
        Given::Derive
    }

    /// Writes ∂T/∂q − (∂(M v)/∂q) v, the centrifugal and Coriolis forces, and says so.
    fn coriolis_force<S: Scalar>(&self, _q: &[S], _v: &[S], _force: &mut [S]) -> Given {
        Given::Derive
    }

    /// Adds the forces of one class.
    fn force<S: Scalar>(&self, _class: ForceClass, _t: S, _q: &[S], _v: &[S], _force: &mut [S]) {}

    /// Names and kinds of the constraints. Multipliers have their order, holonomic constraints before nonholonomic ones.
    fn constraints(&self) -> Vec<Constraint> {
        Vec::new()
    }

    /// g(t, q) of the holonomic constraints, rods and springs alike (without the compliance).
    fn constraint<S: Scalar>(&self, _t: S, _q: &[S], _g: &mut [S]) {}

    /// h(t, q, v) of the nonholonomic constraints.
    fn nonholonomic<S: Scalar>(&self, _t: S, _q: &[S], _v: &[S], _h: &mut [S]) {}

    /// ε of a strong potential U(q)/ε², when there is one.
    fn epsilon(&self) -> Option<f64> {
        None
    }

    /// U(q) of a strong potential U(q)/ε².
    fn strong_potential<S: Scalar>(&self, _q: &[S]) -> S {
        S::zero()
    }

    /// Whether a state can be evaluated; a refusal shortens the step. It is asked before forces, their derivatives and
    /// the energy are evaluated.
    fn domain(&self, _t: f64, _q: &[f64], _v: &[f64]) -> Evaluation {
        Ok(())
    }

    /// Whether formulas may be recorded, see [`Sparsity`].
    fn sparsity(&self) -> Sparsity {
        Sparsity::Traced
    }

    /// Whether values, not derivatives, are computed by these functions. Where that costs more than what was recorded of them,
    /// as it does for closures, say no.
    fn evaluates_itself(&self) -> bool {
        true
    }
}

/// Whether an optional formula was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// it was written
    Written,
    /// it is to be derived
    Derive,
}

/// How the places of nonzero entries are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sparsity {
    /// The formulas are recorded once ([`Traced`](super::number::Traced)): places are those of derivatives that are not zero
    /// everywhere. Formulas that ask for the value of a number cannot be recorded; all of their entries may be nonzero.
    Traced,
    /// All entries may be nonzero, and the formulas are not to be recorded: what they give depends on something that does not
    /// show in their arguments.
    Dense,
}

/// The mass matrix, while it is being written.
#[derive(Debug)]
pub struct Mass<'a, S> {
    size: usize,
    target: Target<'a, S>,
}

#[derive(Debug)]
enum Target<'a, S> {
    /// the formulas are being recorded: entries of the lower triangle, and T(q, v)
    Recorded {
        velocities: &'a [S],
        entries: &'a mut Vec<(usize, usize, S)>,
        energy: &'a mut Option<S>,
    },
    Values {
        pattern: &'a Pattern,
        values: &'a mut [S],
        motion: &'a mut [Dual<1, S>],
    },
}

impl<'a, S: Scalar> Mass<'a, S> {
    pub(crate) fn recorded(
        velocities: &'a [S],
        entries: &'a mut Vec<(usize, usize, S)>,
        energy: &'a mut Option<S>,
    ) -> Self {
        Mass { size: velocities.len(), target: Target::Recorded { velocities, entries, energy } }
    }

    /// `motion` is scratch space for n positions and n velocities.
    pub(crate) fn values(pattern: &'a Pattern, values: &'a mut [S], motion: &'a mut [Dual<1, S>]) -> Self {
        values.fill(S::zero());
        Mass { size: pattern.rows(), target: Target::Values { pattern, values, motion } }
    }

    /// Adds to the entry (i, j), and to (j, i).
    pub fn add(&mut self, i: usize, j: usize, entry: S) {
        match &mut self.target {
            Target::Recorded { entries, .. } => entries.push((i.max(j), i.min(j), entry)),
            Target::Values { pattern, values, .. } => {
                for (i, j) in [(i, j), (j, i)].into_iter().take(if i == j { 1 } else { 2 }) {
                    if let Some(k) = pattern.position(i, j) {
                        values[k] += entry;
                    }
                }
            }
        }
    }

    /// Adds the same mass for every coordinate.
    pub fn diagonal(&mut self, entry: S) {
        for i in 0..self.size {
            self.add(i, i, entry);
        }
    }

    /// M from the kinetic energy T(q, v) = vᵀM(q)v / 2, by differentiation.
    ///
    /// T(q, e_j + τ e_i) with unit vectors e has the slope M_ij at τ = 0, without cancellation. It costs n² / 2
    /// evaluations of T where formulas cannot be recorded; entries written one by one cost less.
    pub fn kinetic(&mut self, q: &[S], energy: impl Fn(&[Dual<1, S>], &[Dual<1, S>]) -> Dual<1, S>) {
        if self.record_energy(|velocities| {
            let lifted = |numbers: &[S]| numbers.iter().map(|x| Dual::lift(*x)).collect::<Vec<_>>();
            energy(&lifted(q), &lifted(velocities)).value
        }) {
            return;
        }
        for i in 0..self.size {
            for j in 0..=i {
                let entry = self.kinetic_entry(q, i, j, &energy);
                self.add(i, j, entry);
            }
        }
    }

    /// Adds T, given the velocities, where formulas are being recorded; whether they are.
    pub(crate) fn record_energy(&mut self, of: impl FnOnce(&[S]) -> S) -> bool {
        let Target::Recorded { velocities, energy, .. } = &mut self.target else { return false };
        let added = of(velocities);
        **energy = Some(energy.map_or(added, |known| known + added));
        true
    }

    fn kinetic_entry(
        &mut self,
        q: &[S],
        i: usize,
        j: usize,
        energy: &impl Fn(&[Dual<1, S>], &[Dual<1, S>]) -> Dual<1, S>,
    ) -> S {
        let Target::Values { motion, .. } = &mut self.target else { return S::zero() };
        let (positions, velocities) = motion.split_at_mut(q.len());
        for (position, q) in positions.iter_mut().zip(q) {
            *position = Dual::lift(*q);
        }
        velocities.fill(Dual::constant(0.0));
        velocities[j].value = S::constant(1.0);
        velocities[i].slope[0] = S::constant(1.0);
        energy(positions, velocities).slope[0]
    }
}
