//! The iterations of Lubich 1992, section 8, for the stages of one step on (1.1), for comparison with the product's.

use taut_tableau::number::{DoubleDouble, Factored, Matrix};
use taut_tableau::{Coefficients, Tableau};

use super::super::series::Series;
use super::runge_kutta::{Expanded, Stepper};
use super::{Plane, State, dot, plus};
use crate::error::LabError;

/// Iterations end when updates of accelerations are below this: for (5.1), whose rounding is divided by eps^2, and for (8.6).
const SMALL: [f64; 2] = [1e-16, 1e-26];
/// Iterations end when updates are above this.
const LARGE: f64 = 1e16;
const MOST_ITERATIONS: usize = 400;
/// A spectral radius is the root of the norm of the power 2^14: factors of the norm are then below 1e-3.
const SQUARINGS: i32 = 14;

/// grad U = (1 - 1/|y|) y
fn gradient(y: Plane) -> Plane {
    let stretch = DoubleDouble::ONE - DoubleDouble::ONE / dot(y, y).sqrt();
    y.map(|x| stretch * x)
}

/// The second derivative of U, (1 - 1/|y|) I + y y'/|y|^3.
fn hessian(y: Plane) -> [Plane; 2] {
    let r = dot(y, y).sqrt();
    let stretch = DoubleDouble::ONE - DoubleDouble::ONE / r;
    let entry = |i: usize, j: usize| {
        let outer = y[i] * y[j] / (r * r * r);
        if i == j { stretch + outer } else { outer }
    };
    [0, 1].map(|i| [0, 1].map(|j| entry(i, j)))
}

/// Where the second derivative of U is evaluated in modified Newton iterations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Jacobian {
    /// J_0 (8.1): at y_0
    AtStart,
    /// J_1 (8.2): at y_0 + c_i h y'_0
    AlongVelocity,
    /// J_2 (8.3): at the stages of the rigid pendulum
    AtRigidStages,
}

/// How an iteration went.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// the accelerations it found
    pub a: Vec<Plane>,
    /// the sizes of its updates
    pub updates: Vec<f64>,
}

impl Course {
    /// The mean contraction over the last half of the iterations.
    pub fn rate(&self) -> f64 {
        let last = self.updates.len().saturating_sub(1);
        let first = last / 2;
        (self.updates[last] / self.updates[first]).powf(1.0 / (last - first).max(1) as f64)
    }
}

/// One step with the length h on (1.1) from a state.
pub(crate) struct Step {
    tableau: Tableau,
    coefficients: Coefficients,
    squared: Matrix<DoubleDouble>,
    h: DoubleDouble,
    e: DoubleDouble,
    at: State,
}

impl Step {
    pub fn new(tableau: &Tableau, h: f64, epsilon: f64, at: State) -> Self {
        let coefficients = tableau.exact().clone();
        let squared = coefficients.a.product(&coefficients.a);
        let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
        Step { tableau: tableau.clone(), coefficients, squared, h: h.into(), e, at }
    }

    fn stages(&self) -> usize {
        self.coefficients.b.len()
    }

    /// Y_i = y_0 + c_i h y'_0 + h^2 sum (A^2)_ij a_j
    fn positions(&self, a: &[Plane]) -> Vec<Plane> {
        let place = |i: usize| {
            let straight = plus(self.at.y, self.coefficients.c[i] * self.h, self.at.v);
            let factor = self.h * self.h;
            a.iter().enumerate().fold(straight, |y, (j, &a)| plus(y, factor * self.squared[(i, j)], a))
        };
        (0..self.stages()).map(place).collect()
    }

    /// The accelerations of the stages, found with (8.4).
    pub fn solution(&self, epsilon_squared: DoubleDouble) -> Result<Vec<Plane>, LabError> {
        let stepper = Stepper::<1>::new(&self.tableau, self.h, Series::from(epsilon_squared));
        let stages = stepper.stages(&Expanded::new(&[self.at]))?;
        Ok(stages.a.iter().map(|a| a.map(Series::leading)).collect())
    }

    /// The largest distance of accelerations from the solution of (5.1).
    pub fn error(&self, a: &[Plane]) -> Result<f64, LabError> {
        let solution = self.solution(self.e)?;
        Ok(largest(a.iter().zip(&solution).flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]])))
    }

    /// The largest distance of the positions that accelerations give from those of the solution.
    pub fn error_of_positions(&self, a: &[Plane]) -> Result<f64, LabError> {
        let (found, exact) = (self.positions(a), self.positions(&self.solution(self.e)?));
        Ok(largest(found.iter().zip(&exact).flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]])))
    }

    /// I + h²/ε² A² ∇²U at places, one for each stage.
    fn newton_matrix(&self, places: Vec<Plane>) -> Matrix<DoubleDouble> {
        let s = self.stages();
        let factor = self.h * self.h / self.e;
        let hessians: Vec<[Plane; 2]> = places.into_iter().map(hessian).collect();
        Matrix::from_fn(2 * s, 2 * s, |row, column| {
            let (i, k) = (row / 2, column / 2);
            let one = DoubleDouble::from(if row == column { 1.0 } else { 0.0 });
            one + factor * self.squared[(i, k)] * hessians[i][row % 2][column % 2]
        })
    }

    /// The matrix of a modified Newton iteration.
    pub fn frozen_matrix(&self, jacobian: Jacobian) -> Result<Matrix<DoubleDouble>, LabError> {
        let s = self.stages();
        Ok(self.newton_matrix(match jacobian {
            Jacobian::AtStart => vec![self.at.y; s],
            Jacobian::AlongVelocity => self.positions(&vec![[DoubleDouble::ZERO; 2]; s]),
            Jacobian::AtRigidStages => self.positions(&self.solution(DoubleDouble::ZERO)?),
        }))
    }

    /// The spectral radius of the iteration of Lemma 8.1 at its solution, I - (frozen matrix)⁻¹ (true matrix): by
    /// squaring, which needs no cap on iterations.
    pub fn spectral_radius(&self, jacobian: Jacobian) -> Result<f64, LabError> {
        let frozen = Factored::new(&self.frozen_matrix(jacobian)?);
        let frozen = frozen.ok_or(LabError::Iteration { of: "a regular matrix" })?;
        let exact = self.newton_matrix(self.positions(&self.solution(self.e)?));
        let mut power = Matrix::identity(exact.rows()).plus((-1.0).into(), &frozen.inverse().product(&exact));
        let mut logarithm = 0.0;
        for k in 0..SQUARINGS {
            let size = power.largest();
            if size == 0.0 {
                return Ok(0.0);
            }
            logarithm += size.ln() * 0.5_f64.powi(k);
            let factor = DoubleDouble::ONE / DoubleDouble::from(size);
            let scaled = power.map(|entry| entry * factor);
            power = scaled.product(&scaled);
        }
        Ok(logarithm.exp())
    }

    /// The modified Newton iteration of Lemma 8.1, from the accelerations of the rigid pendulum.
    pub fn modified_newton(&self, jacobian: Jacobian) -> Result<Course, LabError> {
        let rigid = self.solution(DoubleDouble::ZERO)?;
        let matrix = self.frozen_matrix(jacobian)?;
        let residual = |a: &[Plane], y: &[Plane]| -> Vec<DoubleDouble> {
            let forces = a.iter().zip(y).flat_map(|(a, &y)| {
                let pull = gradient(y);
                [a[0] + pull[0] / self.e, a[1] + DoubleDouble::ONE + pull[1] / self.e]
            });
            forces.collect()
        };
        self.iterate(&matrix, rigid, SMALL[0], |a, y, _| residual(a, y)).map(|(course, _)| course)
    }

    /// The matrix (8.8).
    pub fn inner_matrix(&self) -> Matrix<DoubleDouble> {
        let s = self.stages();
        let c = self.column();
        let h = hessian(self.at.y);
        let range = [h[0][c], h[1][c]];
        Matrix::from_fn(3 * s, 3 * s, |row, column| match (row < 2 * s, column < 2 * s) {
            (true, true) => DoubleDouble::from(if row == column { 1.0 } else { 0.0 }),
            (true, false) if row / 2 == column - 2 * s => range[row % 2],
            (false, true) => self.squared[(row - 2 * s, column / 2)] * h[c][column % 2] / range[c],
            (false, false) if row == column => -(self.e / (self.h * self.h)),
            _ => DoubleDouble::ZERO,
        })
    }

    /// The column of the second derivative that spans its range on the manifold: the larger one.
    fn column(&self) -> usize {
        usize::from(self.at.y[1].to_f64().abs() > self.at.y[0].to_f64().abs())
    }

    /// The outer iteration (8.5)-(8.7): the courses of its inner iterations, for k = 0 ... `most`.
    pub fn outer(&self, most: usize) -> Result<Vec<Course>, LabError> {
        let s = self.stages();
        let c = self.column();
        let matrix = self.inner_matrix();
        let range = |y: Plane| {
            let h = hessian(y);
            [h[0][c], h[1][c]]
        };
        let mut extra = vec![[DoubleDouble::ZERO; 2]; s];
        let mut courses = Vec::new();
        for _ in 0..=most {
            let residual = |a: &[Plane], y: &[Plane], lambda: &[DoubleDouble]| {
                let forces = (0..s).flat_map(|i| {
                    let along = range(y[i]);
                    let force = |d: usize| a[i][d] + along[d] * lambda[i] - extra[i][d];
                    [force(0), force(1) + DoubleDouble::ONE]
                });
                let stretches = (0..s).map(|i| {
                    let along = gradient(y[i])[c] / range(y[i])[c];
                    (along - self.e * lambda[i]) / (self.h * self.h)
                });
                forces.chain(stretches).collect()
            };
            let (course, lambda) =
                self.iterate(&matrix, vec![[DoubleDouble::ZERO; 2]; s], SMALL[1], residual)?;
            let y = self.positions(&course.a);
            for i in 0..s {
                let (along, pull) = (range(y[i]), gradient(y[i]));
                extra[i] = [0, 1].map(|d| along[d] * lambda[i] - pull[d] / self.e);
            }
            courses.push(course);
        }
        Ok(courses)
    }

    /// A simplified Newton iteration for accelerations, and multipliers where the matrix has rows for them.
    fn iterate(
        &self,
        matrix: &Matrix<DoubleDouble>,
        mut a: Vec<Plane>,
        small: f64,
        residual: impl Fn(&[Plane], &[Plane], &[DoubleDouble]) -> Vec<DoubleDouble>,
    ) -> Result<(Course, Vec<DoubleDouble>), LabError> {
        let s = self.stages();
        let factored = Factored::new(matrix).ok_or(LabError::Iteration { of: "a regular matrix" })?;
        let mut lambda = vec![DoubleDouble::ZERO; s];
        let mut updates = Vec::new();
        while updates.len() < MOST_ITERATIONS {
            let update = factored.solve(&residual(&a, &self.positions(&a), &lambda));
            for (a, change) in a.iter_mut().flatten().zip(&update) {
                *a -= *change;
            }
            for (lambda, change) in lambda.iter_mut().zip(update.iter().skip(2 * s)) {
                *lambda -= *change;
            }
            let size = largest(update.iter().take(2 * s).copied());
            updates.push(size);
            if size <= small || !size.is_finite() || size > LARGE {
                break;
            }
        }
        Ok((Course { a, updates }, lambda))
    }
}

/// The largest absolute value; NaN when there is one.
fn largest(numbers: impl Iterator<Item = DoubleDouble>) -> f64 {
    numbers.fold(0.0, |largest, x| {
        let size = x.to_f64().abs();
        if size > largest || size.is_nan() { size } else { largest }
    })
}

/// The condition number of a matrix in the norm of the largest row sum; infinite for a singular one.
pub(crate) fn condition(matrix: &Matrix<DoubleDouble>) -> f64 {
    let norm = |m: &Matrix<DoubleDouble>| {
        let sum = |i: usize| m.row(i).iter().map(|x| x.to_f64().abs()).sum::<f64>();
        (0..m.rows()).map(sum).fold(0.0, f64::max)
    };
    Factored::new(matrix).map_or(f64::INFINITY, |factored| norm(matrix) * norm(&factored.inverse()))
}
