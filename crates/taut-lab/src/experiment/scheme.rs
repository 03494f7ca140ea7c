//! Linear multistep methods, and either kind of method as one.

use taut_tableau::{Multistep, Tableau, TableauError};

use super::{DenseSystem, RungeKutta, newton};
use crate::error::LabError;

/// What a multistep method makes of equations without a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgebraicRows {
    /// 0 = Σ β_i g(x_i), the limit of singular perturbations (Nipp 1999, section 2.2 and remark 10)
    Summed,
    /// 0 = g(x_k) (Nipp 1999, eq. 19)
    Last,
}

/// A linear multistep method Σ α_i E x_i = h Σ β_i f(x_i) with constant steps.
pub struct LinearMultistep {
    /// the coefficients
    pub method: Multistep,
    /// what is done with equations without a derivative
    pub rows: AlgebraicRows,
}

impl LinearMultistep {
    /// The state after those of `history`, as many as there are steps, the oldest first.
    pub fn step(&self, system: &DenseSystem, h: f64, history: &[Vec<f64>]) -> Result<Vec<f64>, LabError> {
        let n = system.n();
        let (alpha, beta) = (self.method.alpha(), self.method.beta());
        let last = &history[history.len() - 1];
        let mut known = vec![0.0; n];
        // Deviations from the last state keep the sum, whose coefficients add up to zero, free of cancellation.
        for (x, (alpha, beta)) in history.iter().zip(alpha.iter().zip(beta)) {
            let deviation: Vec<f64> = x.iter().zip(last).map(|(x, last)| x - last).collect();
            let (momentum, rate) = (system.momentum(&deviation), system.rate(x)?);
            for k in 0..n {
                let counts = !(system.algebraic()[k] && self.rows == AlgebraicRows::Last);
                known[k] += alpha * momentum[k] - if counts { h * beta * rate[k] } else { 0.0 };
            }
        }
        let beta_k = beta[history.len()];
        let moved = newton(vec![0.0; n], |moved, residual, matrix| {
            let state: Vec<f64> = last.iter().zip(moved).map(|(last, moved)| last + moved).collect();
            let (momentum, rate) = (system.momentum(moved), system.rate(&state)?);
            for k in 0..n {
                residual[k] = known[k] + momentum[k] - h * beta_k * rate[k];
                for column in 0..n {
                    matrix[k + column * n] += system.mass(k, column);
                }
            }
            for (row, column, value) in system.jacobian(&state)? {
                matrix[row + column * n] -= h * beta_k * value;
            }
            Ok(())
        })?;
        Ok(last.iter().zip(moved).map(|(last, moved)| last + moved).collect())
    }
}

/// A method with constant steps.
pub enum Scheme {
    /// one step, several stages
    RungeKutta(RungeKutta),
    /// several steps
    Multistep(LinearMultistep),
}

impl Scheme {
    /// The Runge-Kutta method with these coefficients.
    pub fn runge_kutta(tableau: &Tableau) -> Result<Self, TableauError> {
        Ok(Scheme::RungeKutta(RungeKutta::new(tableau)?))
    }

    /// A multistep method with sums in its algebraic rows.
    pub fn multistep(method: Multistep) -> Self {
        Scheme::Multistep(LinearMultistep { method, rows: AlgebraicRows::Summed })
    }

    /// A multistep method that imposes algebraic equations on the new state only.
    pub fn multistep_last(method: Multistep) -> Self {
        Scheme::Multistep(LinearMultistep { method, rows: AlgebraicRows::Last })
    }

    /// How many states a step needs.
    pub fn memory(&self) -> usize {
        match self {
            Scheme::RungeKutta(_) => 1,
            Scheme::Multistep(multistep) => multistep.method.steps(),
        }
    }

    /// The state after those of `history`, the oldest first; only the last [`memory`](Self::memory) are used.
    pub fn step(&self, system: &DenseSystem, h: f64, history: &[Vec<f64>]) -> Result<Vec<f64>, LabError> {
        let recent = &history[history.len() - self.memory()..];
        match self {
            Scheme::RungeKutta(runge_kutta) => runge_kutta.step(system, h, &recent[0]),
            Scheme::Multistep(multistep) => multistep.step(system, h, recent),
        }
    }
}
