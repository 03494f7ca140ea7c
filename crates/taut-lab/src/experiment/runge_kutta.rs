//! A step of a Runge-Kutta method on E x' = f(x).

use taut_tableau::{Matrix, Tableau, TableauError};

use super::{DenseSystem, newton};
use crate::error::LabError;

/// Stages of a step that nothing is known of are found from those of so many shorter ones, each longer by a factor.
const APPROACHES: i32 = 8;
const GROWTH: f64 = std::f64::consts::SQRT_2;

/// A Runge-Kutta method with invertible A, in the direct form of Nipp (1999), section 2.1:
/// E (X - 1 x) = h A f(X), x̄ = R(∞) x + bᵀA⁻¹X.
///
/// For E = diag(1, ε) this is (I)_{h,ε}, for ε = 0 it is (I)_{h,0}, and on 0 = G(x) the form of index 2 (13).
pub struct RungeKutta {
    inverse: Matrix,
    weights: Vec<f64>,
    nodes: Vec<f64>,
    at_infinity: f64,
}

impl RungeKutta {
    /// The method with these coefficients.
    pub fn new(tableau: &Tableau) -> Result<Self, TableauError> {
        let inverse = tableau.inverse()?;
        let weights: Vec<f64> =
            inverse.transpose().times(&tableau.exact().b).iter().map(|weight| weight.to_f64()).collect();
        let at_infinity = tableau.stability_function().at_infinity();
        Ok(RungeKutta { inverse: inverse.to_f64(), weights, nodes: tableau.c().to_vec(), at_infinity })
    }

    /// R(∞)
    pub fn at_infinity(&self) -> f64 {
        self.at_infinity
    }

    /// The state after a step from x.
    pub fn step(&self, system: &DenseSystem, h: f64, x: &[f64]) -> Result<Vec<f64>, LabError> {
        self.step_near(system, h, x, |_| x.to_vec())
    }

    /// The state after a step from x, when stages are expected near `expected(c_i)`.
    pub fn step_near(
        &self,
        system: &DenseSystem,
        h: f64,
        x: &[f64],
        expected: impl Fn(f64) -> Vec<f64>,
    ) -> Result<Vec<f64>, LabError> {
        Ok(self.end(x, &self.stages(system, h, x, &self.guess(x, expected))?))
    }

    /// The states of so many steps of length h, with stages that are looked for where the step before says: on the polynomial
    /// through its beginning and its stages. Those of the first step, and where that is not close enough, are found from those of
    /// shorter steps.
    pub fn walk(
        &self,
        system: &DenseSystem,
        h: f64,
        start: Vec<f64>,
        steps: usize,
    ) -> Result<Vec<Vec<f64>>, LabError> {
        let mut moved = self.approached(system, h, &start)?;
        let mut states = vec![start];
        for j in 0..steps {
            let (x, next) = (&states[j], self.end(&states[j], &moved));
            if j + 1 < steps {
                let mut guess = self.continued(&moved, |node| 1.0 + node);
                let gone: Vec<f64> = next.iter().zip(x).map(|(next, x)| next - x).collect();
                guess.iter_mut().zip(gone.iter().cycle()).for_each(|(guess, gone)| *guess -= gone);
                let found = self.stages(system, h, &next, &guess);
                moved = found.or_else(|_| self.approached(system, h, &next))?;
            }
            states.push(next);
        }
        Ok(states)
    }

    /// The stages of a step from x, found from those of shorter ones.
    fn approached(&self, system: &DenseSystem, h: f64, x: &[f64]) -> Result<Vec<f64>, LabError> {
        let length = |k: i32| h * GROWTH.powi(k - APPROACHES);
        let mut moved = vec![0.0; self.nodes.len() * x.len()];
        for k in 0..=APPROACHES {
            let guess = self.continued(&moved, |node| GROWTH * node);
            moved = self.stages(system, length(k), x, &guess)?;
        }
        Ok(moved)
    }

    /// The polynomial through the stages of a step and its beginning, where it is 0, at places in units of the step; a stage at
    /// the beginning takes the place of that.
    fn continued(&self, moved: &[f64], place: impl Fn(f64) -> f64) -> Vec<f64> {
        let (s, n) = (self.nodes.len(), moved.len() / self.nodes.len());
        let beginning = if self.nodes[0] == 0.0 { None } else { Some(0.0) };
        let weight = |j: usize, at: f64| {
            let others = (0..s).filter(|&k| k != j).map(|k| self.nodes[k]).chain(beginning);
            others.map(|other| (at - other) / (self.nodes[j] - other)).product::<f64>()
        };
        let value = |at: f64, k: usize| (0..s).map(|j| weight(j, at) * moved[j * n + k]).sum();
        let stage = |node: &f64| (0..n).map(|k| value(place(*node), k)).collect::<Vec<f64>>();
        self.nodes.iter().flat_map(stage).collect()
    }

    /// x̄ of a step from x with the stages X - 1 x.
    fn end(&self, x: &[f64], moved: &[f64]) -> Vec<f64> {
        let mut next = x.to_vec();
        for (stage, weight) in moved.chunks(x.len()).zip(&self.weights) {
            for (next, moved) in next.iter_mut().zip(stage) {
                *next += weight * moved;
            }
        }
        next
    }

    /// X - 1 x of stages at `expected(c_i)`.
    fn guess(&self, x: &[f64], expected: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
        let stage =
            |node: &f64| expected(*node).into_iter().zip(x).map(|(expected, x)| expected - x).collect();
        self.nodes.iter().map(stage).collect::<Vec<Vec<f64>>>().concat()
    }

    /// The times within the step and the states of the stages, when they are expected near `expected(c_i)`.
    pub fn stages_near(
        &self,
        system: &DenseSystem,
        h: f64,
        x: &[f64],
        expected: impl Fn(f64) -> Vec<f64>,
    ) -> Result<Vec<(f64, Vec<f64>)>, LabError> {
        let moved = self.stages(system, h, x, &self.guess(x, expected))?;
        let state = |moved: &[f64]| x.iter().zip(moved).map(|(x, moved)| x + moved).collect();
        Ok(self.nodes.iter().map(|node| node * h).zip(moved.chunks(x.len()).map(state)).collect())
    }

    /// The stages as X - 1 x, one after the other, from a guess of them.
    pub fn stages(
        &self,
        system: &DenseSystem,
        h: f64,
        x: &[f64],
        guess: &[f64],
    ) -> Result<Vec<f64>, LabError> {
        let (s, n) = (self.weights.len(), x.len());
        newton(guess.to_vec(), |moved, residual, matrix| {
            let momenta: Vec<Vec<f64>> = moved.chunks(n).map(|stage| system.momentum(stage)).collect();
            for i in 0..s {
                let state: Vec<f64> = x.iter().zip(&moved[i * n..]).map(|(x, moved)| x + moved).collect();
                let rate = system.rate(&state)?;
                for k in 0..n {
                    let pull: f64 = (0..s).map(|j| self.inverse[(i, j)] * momenta[j][k]).sum();
                    residual[i * n + k] = pull - h * rate[k];
                }
                for j in 0..s {
                    for (row, column) in (0..n * n).map(|place| (place % n, place / n)) {
                        matrix[i * n + row + (j * n + column) * s * n] +=
                            self.inverse[(i, j)] * system.mass(row, column);
                    }
                }
                for (row, column, value) in system.jacobian(&state)? {
                    matrix[i * n + row + (i * n + column) * s * n] -= h * value;
                }
            }
            Ok(())
        })
    }
}
