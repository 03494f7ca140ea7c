//! Projection of Hessenberg systems u' = f(u, v), v' = k(u, v, λ), 0 = g(u) (Schropp 2003, eq. 2.7 and 2.8).
//!
//! Positions move along f_v k_λ, velocities along k_λ, until g(u) = 0 and g_u f(u, v) = 0. For mechanical systems
//! these are the directions M⁻¹Gᵀ.

use super::falling::{Left, correct_while_falling};
use super::hidden::{BACKWARD, SPACING};
use crate::control::error_norm::largest;
use crate::failure::StepFailure;
use crate::linear::DenseLu;
use crate::motion::Statistics;
use crate::options::Projection;
use crate::system::{Arrangement, FirstOrderSystem};

/// A projection gives up after so many corrections.
const MOST_CORRECTIONS: usize = 10;

/// The projection of a first-order system in Hessenberg form of index 3.
pub(crate) struct HessenbergProjection<'a> {
    system: &'a dyn FirstOrderSystem,
    projection: Projection,
    n_u: usize,
    n_v: usize,
    m: usize,
    rate: Vec<f64>,
    jacobian: Vec<f64>,
    /// k_λ and f_v k_λ, column by column
    along_v: Vec<f64>,
    along_u: Vec<f64>,
    /// g_u f_v k_λ
    gamma: DenseLu,
    mu: Vec<f64>,
    /// (u', v', 0), and a state on the line along it
    slope: Vec<f64>,
    moved: Vec<f64>,
    /// d/dt g_u f
    acceleration: Vec<f64>,
}

impl<'a> HessenbergProjection<'a> {
    /// Nothing when the system has another form, or is not to be projected.
    pub(crate) fn new(system: &'a dyn FirstOrderSystem, projection: Projection) -> Option<Self> {
        let composition = system.composition();
        let Arrangement::Hessenberg3 { u: n_u, v: n_v } = composition.arrangement else { return None };
        if projection == Projection::None {
            return None;
        }
        let n = composition.n();
        let m = n - n_u - n_v;
        Some(HessenbergProjection {
            system,
            projection,
            n_u,
            n_v,
            m,
            rate: vec![0.0; n],
            jacobian: vec![0.0; composition.jacobian.nnz()],
            along_v: vec![0.0; n_v * m],
            along_u: vec![0.0; n_u * m],
            gamma: DenseLu::new(m),
            mu: vec![0.0; m],
            slope: vec![0.0; n],
            moved: vec![0.0; n],
            acceleration: vec![0.0; m],
        })
    }

    /// Whether it corrects variable i, which is then as accurate as one with an ordinary derivative.
    pub(crate) fn corrects(&self, i: usize) -> bool {
        i < self.n_u + self.n_v
    }

    /// Evaluates the directions at a state and factors g_u f_v k_λ.
    fn place(&mut self, t: f64, x: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.system.jacobian(t, x, &mut self.jacobian)?;
        let pattern = &self.system.composition().jacobian;
        let (n_u, n_v, m) = (self.n_u, self.n_v, self.m);
        let (v_start, lambda_start) = (n_u, n_u + n_v);
        self.along_v.fill(0.0);
        self.along_u.fill(0.0);
        let entries = || pattern.entries().zip(&self.jacobian);
        for ((i, j), value) in entries() {
            if j >= lambda_start && (v_start..lambda_start).contains(&i) {
                self.along_v[(j - lambda_start) * n_v + i - v_start] = *value;
            }
        }
        for ((i, j), value) in entries() {
            if i < n_u && (v_start..lambda_start).contains(&j) {
                for k in 0..m {
                    self.along_u[k * n_u + i] += value * self.along_v[k * n_v + j - v_start];
                }
            }
        }
        let stride = self.gamma.stride();
        let gamma = self.gamma.matrix_mut();
        gamma.fill(0.0);
        for ((i, j), value) in entries() {
            if i >= lambda_start && j < n_u {
                for k in 0..m {
                    gamma[k * stride + i - lambda_start] += value * self.along_u[k * n_u + j];
                }
            }
        }
        count.factorizations += 1;
        let variables = &self.system.composition().variables;
        self.gamma.factor().map_err(|s| StepFailure::singular(s, |row| variables[lambda_start + row].clone()))
    }

    /// g(u) and g_u f(u, v) into the multipliers of a correction.
    fn residual(&mut self, t: f64, x: &[f64], hidden: bool) -> Result<f64, StepFailure> {
        self.system.rate(t, x, &mut self.rate)?;
        let lambda_start = self.n_u + self.n_v;
        if !hidden {
            self.mu.copy_from_slice(&self.rate[lambda_start..]);
        } else {
            self.system.jacobian(t, x, &mut self.jacobian)?;
            self.mu.fill(0.0);
            for ((i, j), value) in self.system.composition().jacobian.entries().zip(&self.jacobian) {
                if i >= lambda_start && j < self.n_u {
                    self.mu[i - lambda_start] += value * self.rate[j];
                }
            }
        }
        Ok(largest(self.mu.iter().copied()))
    }

    fn correct(
        &mut self,
        t: f64,
        x: &mut [f64],
        hidden: bool,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let rounding = f64::EPSILON * largest(x.iter().copied());
        let left = correct_while_falling(
            &mut (&mut *self, x),
            |(this, x)| Ok([this.residual(t, x, hidden)?, rounding]),
            |(this, x)| {
                this.gamma.solve(&mut this.mu);
                count.solves += 1;
                let (along, start, rows) =
                    if hidden { (&this.along_v, this.n_u, this.n_v) } else { (&this.along_u, 0, this.n_u) };
                for (mu, direction) in this.mu.iter().zip(along.chunks_exact(rows)) {
                    for (x, d) in x[start..].iter_mut().zip(direction) {
                        *x -= mu * d;
                    }
                }
            },
        )?;
        self.check(left)
    }

    /// Fails where corrections have left more than rounding. How large that is follows from g_u, in which it arises, and from f, which
    /// (2.8) multiplies with it.
    fn check(&self, left: Left) -> Result<(), StepFailure> {
        let start = self.n_u + self.n_v;
        let entries = self.system.composition().jacobian.entries().zip(&self.jacobian);
        let of_constraints = entries.filter(|((i, j), _)| *i >= start && *j < self.n_u);
        let gradients = largest(of_constraints.map(|(_, value)| *value));
        let rates = 1.0 + largest(self.rate[..self.n_u].iter().copied());
        left.unless_small(gradients * rates).map_err(|residual| {
            let worst = self.mu.iter().position(|r| r.is_nan() || r.abs() == residual).unwrap_or(0);
            let constraint = self.system.composition().variables[start + worst].clone();
            StepFailure::Projection { constraint, residual }
        })
    }

    /// Moves a state onto g(u) = 0 and g_u f(u, v) = 0.
    pub(crate) fn project(
        &mut self,
        t: f64,
        x: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        count.projections += 1;
        self.place(t, x, count)?;
        if self.projection == Projection::Full {
            self.correct(t, x, false, count)?;
        }
        self.correct(t, x, true, count)
    }

    /// Finds the multipliers of a projected state at the end of a step of length h, or inside of it, from d/dt g_u f = 0:
    /// they are then as accurate as u and v. Where that is not possible they are left as they are.
    pub(crate) fn multipliers(&mut self, t: f64, h: f64, x: &mut [f64], count: &mut Statistics) {
        let mut previous = f64::INFINITY;
        if self.place(t, x, count).is_err() {
            return;
        }
        for _ in 0..MOST_CORRECTIONS {
            if self.differentiate_velocities(t, h, x).is_err() {
                return;
            }
            count.rhs += BACKWARD.len();
            self.gamma.solve(&mut self.acceleration);
            count.solves += 1;
            let size = largest(self.acceleration.iter().copied());
            if size.is_nan() || size >= 0.5 * previous {
                return;
            }
            let lambda = &mut x[self.n_u + self.n_v..];
            for (lambda, update) in lambda.iter_mut().zip(&self.acceleration) {
                *lambda -= update;
            }
            if size <= f64::EPSILON * largest(lambda.iter().copied()) {
                return;
            }
            previous = size;
        }
    }

    /// d/dt g_u f by backward differences along the line on which the motion leaves a state.
    fn differentiate_velocities(&mut self, t: f64, h: f64, x: &[f64]) -> Result<(), StepFailure> {
        let start = self.n_u + self.n_v;
        self.system.rate(t, x, &mut self.slope)?;
        self.slope[start..].fill(0.0);
        self.acceleration.fill(0.0);
        let spacing = SPACING * h;
        for (j, weight) in BACKWARD.iter().enumerate() {
            let back = j as f64 * spacing;
            let mut moved = std::mem::take(&mut self.moved);
            for (moved, (x, slope)) in moved.iter_mut().zip(x.iter().zip(&self.slope)) {
                *moved = x - back * slope;
            }
            let evaluated = self.residual(t - back, &moved, true);
            self.moved = moved;
            evaluated?;
            for (acceleration, velocity) in self.acceleration.iter_mut().zip(&self.mu) {
                *acceleration += weight / spacing * velocity;
            }
        }
        Ok(())
    }

    /// The largest |g| and |g_u f|.
    pub(crate) fn residuals(&mut self, t: f64, x: &[f64]) -> Result<[f64; 3], StepFailure> {
        Ok([self.residual(t, x, false)?, self.residual(t, x, true)?, 0.0])
    }
}
