//! Runge-Kutta methods (3.2) for the pendulum on a spring and for its expansion (2.25.0-k), in one code: with numbers the
//! former, with power series in eps^2 the latter, since the Runge-Kutta relations are linear.

use taut_tableau::number::{DoubleDouble, Factored, Matrix};
use taut_tableau::{Coefficients, Tableau};

use super::super::series::Series;
use super::iteration::condition;
use super::{Plane, State, dot};
use crate::error::LabError;

/// Newton's iteration ends when updates, relative to 1 + |x|, are below this and shrink no more: what is left is rounding,
/// which each further coefficient divides by h^2.
const ACCURACY: f64 = 1e-9;
const MOST_ITERATIONS: usize = 60;

/// Position and velocity, as numbers (K = 1) or expanded in eps^2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expanded<const K: usize> {
    pub y: [Series<K>; 2],
    pub v: [Series<K>; 2],
}

impl<const K: usize> Expanded<K> {
    /// From the coefficients; those that are not given are zero.
    pub fn new(coefficients: &[State]) -> Self {
        let entry = |part: fn(&State) -> Plane, d: usize| {
            Series(std::array::from_fn(|k| coefficients.get(k).map_or(DoubleDouble::ZERO, |at| part(at)[d])))
        };
        Expanded { y: [0, 1].map(|d| entry(|at| at.y, d)), v: [0, 1].map(|d| entry(|at| at.v, d)) }
    }

    /// The coefficient of eps^(2k).
    pub fn coefficient(&self, k: usize) -> State {
        State { y: self.y.map(|x| x.0[k]), v: self.v.map(|x| x.0[k]) }
    }
}

/// A method with a step.
pub(crate) struct Stepper<const K: usize> {
    coefficients: Coefficients,
    /// A^2 and b^T A
    squared: Matrix<DoubleDouble>,
    weights: Vec<DoubleDouble>,
    h: DoubleDouble,
    compliance: Series<K>,
}

/// The unknowns of the stages: accelerations and multipliers.
pub(crate) struct Stages<const K: usize> {
    pub a: Vec<[Series<K>; 2]>,
    pub lambda: Vec<Series<K>>,
}

impl<const K: usize> Stepper<K> {
    /// eps^2 is `compliance`: a number, 0 for the rigid pendulum, or [`Series::parameter`] for the expansion.
    pub fn new(tableau: &Tableau, h: DoubleDouble, compliance: Series<K>) -> Self {
        let coefficients = tableau.exact().clone();
        let squared = coefficients.a.product(&coefficients.a);
        let weights = coefficients.a.transpose().times(&coefficients.b);
        Stepper { coefficients, squared, weights, h, compliance }
    }

    /// The state after some steps.
    pub fn run(&self, start: Expanded<K>, steps: usize) -> Result<Expanded<K>, LabError> {
        (0..steps).try_fold(start, |at, _| self.step(&at))
    }

    /// One step (5.1a).
    pub fn step(&self, at: &Expanded<K>) -> Result<Expanded<K>, LabError> {
        let stages = self.stages(at)?;
        let sum = |weights: &[DoubleDouble], d: usize| {
            weights.iter().zip(&stages.a).fold(Series::ZERO, |sum, (&b, a)| sum + a[d].times(b))
        };
        Ok(Expanded {
            y: [0, 1].map(|d| at.y[d] + (at.v[d] + sum(&self.weights, d).times(self.h)).times(self.h)),
            v: [0, 1].map(|d| at.v[d] + sum(&self.coefficients.b, d).times(self.h)),
        })
    }

    /// The stages of a step, from the acceleration of the rigid pendulum.
    pub fn stages(&self, at: &Expanded<K>) -> Result<Stages<K>, LabError> {
        self.solve(at, predicted(at))
    }

    /// The condition number of Newton's matrix at the stages.
    pub fn condition(&self, at: &Expanded<K>, stages: &Stages<K>) -> f64 {
        condition(&self.matrix(&self.positions(at, stages), stages))
    }

    /// The positions of the stages (5.1b).
    pub fn positions(&self, at: &Expanded<K>, stages: &Stages<K>) -> Vec<[Series<K>; 2]> {
        let place = |i: usize, d: usize| {
            let bent = stages
                .a
                .iter()
                .enumerate()
                .fold(Series::ZERO, |sum, (j, a)| sum + a[d].times(self.squared[(i, j)]));
            at.y[d] + (at.v[d].times(self.coefficients.c[i]) + bent.times(self.h)).times(self.h)
        };
        (0..self.coefficients.b.len()).map(|i| [0, 1].map(|d| place(i, d))).collect()
    }

    /// Newton's iteration for the stages, with the derivative at the current leading coefficients: once those have
    /// converged, each iteration puts one further coefficient right.
    pub fn solve(&self, at: &Expanded<K>, guess: (Plane, DoubleDouble)) -> Result<Stages<K>, LabError> {
        let s = self.coefficients.b.len();
        let (acceleration, lambda) = guess;
        let mut stages =
            Stages { a: vec![acceleration.map(Series::from); s], lambda: vec![Series::from(lambda); s] };
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let y = self.positions(at, &stages);
            let residual = self.residual(&y, &stages);
            let factored =
                Factored::new(&self.matrix(&y, &stages)).ok_or(LabError::Iteration { of: "the stages" })?;
            let mut moved = 0.0_f64;
            for k in 0..K {
                let right: Vec<DoubleDouble> = residual.iter().map(|x| x.0[k]).collect();
                let update = factored.solve(&right);
                let mut apply = |x: &mut DoubleDouble, change: DoubleDouble| {
                    *x -= change;
                    moved = moved.max(change.to_f64().abs() / (1.0 + x.to_f64().abs()));
                };
                for i in 0..s {
                    apply(&mut stages.a[i][0].0[k], update[2 * i]);
                    apply(&mut stages.a[i][1].0[k], update[2 * i + 1]);
                    apply(&mut stages.lambda[i].0[k], update[2 * s + i]);
                }
            }
            if moved <= ACCURACY && moved >= 0.5 * last || moved == 0.0 {
                return Ok(stages);
            }
            if !moved.is_finite() {
                break;
            }
            last = moved;
        }
        Err(LabError::Iteration { of: "the stages" })
    }

    /// a + y lambda + (0, 1) and (y.y (1 - e lambda)^2 - 1)/(2 h^2), stage by stage.
    fn residual(&self, y: &[[Series<K>; 2]], stages: &Stages<K>) -> Vec<Series<K>> {
        let gravity = [0.0, 1.0].map(Series::from);
        let scale = DoubleDouble::from(0.5) / (self.h * self.h);
        let forces = y.iter().zip(&stages.a).zip(&stages.lambda);
        let forces = forces.flat_map(|((y, a), &lambda)| [0, 1].map(|d| a[d] + y[d] * lambda + gravity[d]));
        let lengths = y.iter().zip(&stages.lambda).map(|(y, &lambda)| {
            let p = Series::from(1.0) - self.compliance * lambda;
            ((y[0] * y[0] + y[1] * y[1]) * p * p - Series::from(1.0)).times(scale)
        });
        forces.chain(lengths).collect()
    }

    /// The derivative of the residual, leading coefficients only.
    fn matrix(&self, y: &[[Series<K>; 2]], stages: &Stages<K>) -> Matrix<DoubleDouble> {
        let s = y.len();
        let h2 = self.h * self.h;
        let compliance = self.compliance.leading();
        let mut matrix = Matrix::identity(3 * s);
        for i in 0..s {
            let (y, lambda) = (y[i].map(Series::leading), stages.lambda[i].leading());
            let p = DoubleDouble::ONE - compliance * lambda;
            for d in 0..2 {
                for j in 0..s {
                    let bent = self.squared[(i, j)];
                    matrix[(2 * i + d, 2 * j + d)] += h2 * bent * lambda;
                    matrix[(2 * s + i, 2 * j + d)] = bent * p * p * y[d];
                }
                matrix[(2 * i + d, 2 * s + i)] = y[d];
            }
            matrix[(2 * s + i, 2 * s + i)] = -(compliance / h2) * dot(y, y) * p;
        }
        matrix
    }
}

/// Acceleration and multiplier of the rigid pendulum at the beginning of a step.
fn predicted<const K: usize>(at: &Expanded<K>) -> (Plane, DoubleDouble) {
    let State { y, v } = at.coefficient(0);
    let lambda = (dot(v, v) - y[1]) / dot(y, y);
    ([-(y[0] * lambda), -(y[1] * lambda) - DoubleDouble::ONE], lambda)
}
