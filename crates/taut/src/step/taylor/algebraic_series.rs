//! Steps of equations some of which have no derivative.

use super::algebraic::{AlgebraicMotion, Obstacle};
use super::{Expanding, Polynomial};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Projection;
use crate::system::{FirstOrderExpansion, finite};

/// Newton's corrections that are smaller than this are the last: the next one is rounding.
const CONVERGED: f64 = 1e-9;
/// The elimination is dense: with more variables than this it would cost more than all the rest.
pub(crate) const MOST_VARIABLES: usize = 400;

/// E x' = f(t, x) with a singular matrix E, or equations that are held, expanded.
pub(crate) struct AlgebraicSeries {
    motion: AlgebraicMotion<f64>,
    /// the layout of the state outside
    layout: Layout,
    names: Vec<String>,
    projection: Projection,
}

impl AlgebraicSeries {
    /// Nothing where all equations have derivatives; `names` are those of the variables.
    pub(crate) fn new(
        formulas: &FirstOrderExpansion,
        order: usize,
        layout: Layout,
        names: Vec<String>,
        projection: Projection,
    ) -> Option<Self> {
        let motion = AlgebraicMotion::new(formulas, formulas.settings(), order, CONVERGED)?;
        Some(AlgebraicSeries { motion, layout, names, projection })
    }

    fn failure(&self, obstacle: Obstacle) -> StepFailure {
        match obstacle {
            Obstacle::Singular => {
                StepFailure::Singular { name: self.names.last().cloned().unwrap_or_default() }
            }
            Obstacle::Far(residual, variable) => {
                StepFailure::Projection { constraint: self.names[variable].clone(), residual }
            }
        }
    }
}

impl Expanding for AlgebraicSeries {
    fn layout(&self) -> Layout {
        Layout::first_order(self.names.len())
    }

    fn state_layout(&self) -> Layout {
        self.layout
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        count.projections += 1;
        self.motion.project(self.projection, t, y).map_err(|obstacle| self.failure(obstacle))
    }

    fn place(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.motion.place(t, y).map_err(|obstacle| self.failure(obstacle))?;
        count.rhs += 1;
        count.factorizations += 1;
        count.solves += 1;
        Ok(finite(self.motion.coefficients(1), "the rate", t, |i| self.names[i].as_str())?)
    }

    fn rate(&self, rate: &mut [f64]) {
        rate.copy_from_slice(self.motion.coefficients(1));
    }

    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics) {
        self.motion.expand();
        count.solves += polynomial.order() - 1;
        for k in 0..=polynomial.order() {
            polynomial.positions_mut(k).copy_from_slice(self.motion.coefficients(k));
        }
    }

    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure> {
        self.motion.place(t, y).map_err(|obstacle| self.failure(obstacle))?;
        let [position, velocity] = self.motion.gaps();
        Ok([position, velocity, 0.0])
    }
}
