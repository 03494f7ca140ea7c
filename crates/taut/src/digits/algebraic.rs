//! Equations some of which have no derivative, in double-double numbers.

use taut_formula::number::DoubleDouble;

use super::series::Row;
use super::{DigitsError, Exact, MOST_UNKNOWNS};
use crate::options::Projection;
use crate::step::taylor::algebraic::{AlgebraicMotion, Obstacle};
use crate::system::FirstOrderExpansion;
use taut_formula::number::Scalar;

/// Corrections that become smaller than this have converged: the next one would be of the size of its square.
const CONVERGED: f64 = 1e-17;

/// Equations some of which have no derivative, expanded.
pub(super) struct Algebraic {
    motion: AlgebraicMotion<DoubleDouble>,
    order: usize,
}

impl Algebraic {
    /// Nothing where the equations are x' = f(t, x).
    pub(super) fn new(
        formulas: &FirstOrderExpansion,
        constants: &[DoubleDouble],
        order: usize,
        n: usize,
    ) -> Result<Option<Self>, DigitsError> {
        if formulas.algebraic().is_some() && n > MOST_UNKNOWNS {
            return Err(DigitsError::TooLarge { unknowns: n, most: MOST_UNKNOWNS });
        }
        let motion = AlgebraicMotion::new(formulas, constants, order, CONVERGED);
        Ok(motion.map(|motion| Algebraic { motion, order }))
    }
}

fn failure(obstacle: Obstacle, t: DoubleDouble) -> DigitsError {
    match obstacle {
        Obstacle::Singular => DigitsError::HigherIndex { t: t.value() },
        Obstacle::Far(residual, _) => DigitsError::Projection { t: t.value(), residual },
    }
}

impl Exact for Algebraic {
    fn project(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        self.motion.project(Projection::Full, t, y).map_err(|obstacle| failure(obstacle, t))
    }

    fn place(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        self.motion.place(t, y).map_err(|obstacle| failure(obstacle, t))?;
        let finite = self.highest_rate().iter().all(|rate| rate.is_finite());
        if finite { Ok(()) } else { Err(DigitsError::NotFinite { t: t.value() }) }
    }

    fn highest_rate(&self) -> &[DoubleDouble] {
        self.motion.coefficients(1)
    }

    fn expand(&mut self, rows: &mut [Row]) {
        self.motion.expand();
        for k in 0..=self.order {
            let coefficients = self.motion.coefficients(k);
            rows.iter_mut().zip(coefficients).for_each(|(row, x)| row[k] = *x);
        }
    }

    fn derivatives(&self) -> usize {
        1
    }
}
