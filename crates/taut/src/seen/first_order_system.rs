//! What a solver sees of a first-order system: E x' = f(t, x).

use super::fault::{Evaluation, finite};
use super::first_order_expansion::FirstOrderExpansion;
use crate::linear::Pattern;

/// How the variables of a first-order system are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// nothing is known
    General,
    /// x' = f(x, y), 0 = g(x, y): `differential` variables x come first (index 1 or 2)
    SemiExplicit {
        /// the number of variables x
        differential: usize,
    },
    /// u' = f(u, v), v' = k(u, v, λ), 0 = g(u) (index 3; Schropp 2003, eq. 2.1), in the order u, v, λ
    Hessenberg3 {
        /// the number of variables u
        u: usize,
        /// the number of variables v
        v: usize,
    },
}

/// What does not change in a first-order system: names, E, the places of the Jacobian.
#[derive(Clone, Debug)]
pub struct Composition {
    /// names of the variables
    pub variables: Vec<String>,
    /// places of the constant matrix E
    pub mass: Pattern,
    /// E, in the order of its pattern
    pub mass_values: Vec<f64>,
    /// places of the Jacobian ∂f/∂x
    pub jacobian: Pattern,
    /// the index of each variable (0 and 1: ordinary; 2 and 3: of higher index), where the author says it
    pub index: Option<Vec<u8>>,
    /// how the variables are arranged
    pub arrangement: Arrangement,
}

impl Composition {
    /// Of variables with the entries of E, which add up, and the places of the Jacobian; nothing more is known.
    pub(crate) fn new(variables: Vec<String>, entries: &[(usize, usize, f64)], jacobian: Pattern) -> Self {
        let n = variables.len();
        let mass = Pattern::from_entries(n, n, entries.iter().map(|&(i, j, _)| (i, j)));
        let mut mass_values = vec![0.0; mass.nnz()];
        for &(i, j, entry) in entries {
            if let Some(k) = mass.position(i, j) {
                mass_values[k] += entry;
            }
        }
        let arrangement = Arrangement::General;
        Composition { variables, mass, mass_values, jacobian, index: None, arrangement }
    }

    /// The number of variables.
    pub fn n(&self) -> usize {
        self.variables.len()
    }

    /// Whether E is the identity, so that the system is an ordinary differential equation.
    pub(crate) fn is_ordinary(&self) -> bool {
        self.mass.is_diagonal() && self.mass.nnz() == self.n() && self.mass_values.iter().all(|&e| e == 1.0)
    }

    /// For each equation whether it has no derivative: its row of E is zero.
    pub fn algebraic_rows(&self) -> Vec<bool> {
        let mut algebraic = vec![true; self.n()];
        for (&row, &entry) in self.mass.row_indices().iter().zip(&self.mass_values) {
            algebraic[row] &= entry == 0.0;
        }
        algebraic
    }

    /// Fails when one of `values`, one for each variable, is not finite.
    pub fn finite_variables(&self, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        finite(values, quantity, t, |i| self.variables[i].as_str())
    }

    /// Fails when an entry of the Jacobian is not finite; the row names it.
    pub fn finite_jacobian(&self, values: &[f64], t: f64) -> Evaluation {
        finite(values, "the Jacobian", t, |k| self.variables[self.jacobian.row_indices()[k]].as_str())
    }
}

/// A first-order system as a solver sees it: E x' = f(t, x) with a constant matrix E that may be singular.
pub trait FirstOrderSystem {
    /// Names, E and patterns.
    fn composition(&self) -> &Composition;

    /// f(t, x)
    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation;

    /// f at several states, such as the stages of a step. x and the rates hold one state after the other. Overwrite it
    /// where several states cost less together.
    fn rates_of_several(&self, t: &[f64], x: &[f64], rates: &mut [f64]) -> Evaluation {
        let n = self.composition().n().max(1);
        for ((x, rate), t) in x.chunks_exact(n).zip(rates.chunks_exact_mut(n)).zip(t) {
            self.rate(*t, x, rate)?;
        }
        Ok(())
    }

    /// ∂f/∂x, in the order of its pattern.
    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation;

    /// f as formulas whose Taylor coefficients can be found, which `taylor` steps are made of; nothing when the system has
    /// none.
    fn expansion(&self) -> Option<FirstOrderExpansion> {
        None
    }

    /// Values whose signs say which branches f takes at a state, where that is known: it has kinks, or jumps, where one of them
    /// vanishes. None where nothing is known, or f is smooth.
    fn branches(&self, _t: f64, _x: &[f64], values: &mut Vec<f64>) {
        values.clear();
    }

    /// Times between two at which f jumps or has a kink, as far as these follow from the time alone: steps end there.
    fn switching_times(&self, _from: f64, _to: f64) -> Vec<f64> {
        Vec::new()
    }
}
