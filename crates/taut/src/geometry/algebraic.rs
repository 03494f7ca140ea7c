//! Variables of index 1 from their equations: 0 = g(x, y) for y (Nipp 1999, section 2.1 a).

use crate::failure::StepFailure;
use crate::geometry::pencil::pencil;
use crate::linear::{Choice, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::system::FirstOrderSystem;

/// Newton's iteration gives up after so many rounds.
const MOST_ITERATIONS: usize = 30;
/// (s E − J) dx = f with s so many times ‖J‖/‖E‖ leaves variables with derivatives alone.
const STIFFNESS: f64 = 1e12;

/// Moves algebraic variables of index 1 onto their equations, and leaves the others alone.
pub(crate) struct AlgebraicSolve<'a> {
    system: &'a dyn FirstOrderSystem,
    /// equations that are solved
    algebraic: Vec<bool>,
    /// variables that move
    movable: Vec<bool>,
    pub(crate) saddle: Saddle,
    jacobian: Vec<f64>,
    rate: Vec<f64>,
    update: Vec<f64>,
}

impl<'a> AlgebraicSolve<'a> {
    /// Variables of index 2 and 3 are not moved, and equations in which they stand are left alone; 0 = G(x) is solved by
    /// moving what they act on.
    pub(crate) fn new(system: &'a dyn FirstOrderSystem, index: &[u8], choice: Choice) -> Self {
        let composition = system.composition();
        let n = composition.n();
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        let movable: Vec<bool> = index.iter().map(|&index| index < 2).collect();
        let mut algebraic = composition.algebraic_rows();
        for (row, column) in composition.jacobian.entries() {
            algebraic[row] &= movable[column];
        }
        AlgebraicSolve {
            system,
            algebraic,
            movable,
            saddle: Saddle::new(&pattern, choice),
            jacobian: vec![0.0; composition.jacobian.nnz()],
            rate: vec![0.0; n],
            update: vec![0.0; n],
        }
    }

    /// The largest residual of these equations, and the number of the equation.
    pub(crate) fn residual(&mut self, t: f64, x: &[f64]) -> Result<(usize, f64), StepFailure> {
        self.system.rate(t, x, &mut self.rate)?;
        let residuals = self.rate.iter().zip(&self.algebraic).map(|(f, a)| if *a { f.abs() } else { 0.0 });
        Ok(residuals.enumerate().fold((0, 0.0), |most, this| if this.1 > most.1 { this } else { most }))
    }

    /// Iterates until residuals no longer fall; returns the largest that is left, and the number of its equation.
    pub(crate) fn solve(
        &mut self,
        t: f64,
        x: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(usize, f64), StepFailure> {
        let mut now = self.residual(t, x)?;
        count.rhs += 1;
        for _ in 0..MOST_ITERATIONS {
            if now.1 == 0.0 {
                break;
            }
            self.improve(t, x, count)?;
            let next = self.residual(t, x)?;
            count.rhs += 1;
            let falls = next.1 < now.1;
            now = next;
            if !falls {
                break;
            }
        }
        Ok(now)
    }

    /// One iteration from the residual at hand.
    fn improve(&mut self, t: f64, x: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let composition = self.system.composition();
        self.system.jacobian(t, x, &mut self.jacobian)?;
        count.jacobians += 1;
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let ratio = largest(&self.jacobian) / largest(&composition.mass_values).max(f64::MIN_POSITIVE);
        let scales = Scales { alpha: STIFFNESS * ratio, beta: 0.0, gamma: -1.0, delta: 0.0 };
        self.saddle
            .assemble_and_factor(&pencil(composition, &self.jacobian), scales)
            .map_err(|s| StepFailure::singular(s, |row| composition.variables[row].clone()))?;
        count.factorizations += 1;
        for (update, (f, algebraic)) in self.update.iter_mut().zip(self.rate.iter().zip(&self.algebraic)) {
            *update = if *algebraic { *f } else { 0.0 };
        }
        self.saddle.solve(&mut self.update);
        count.solves += 1;
        for (x, (update, movable)) in x.iter_mut().zip(self.update.iter().zip(&self.movable)) {
            if *movable {
                *x += update;
            }
        }
        Ok(())
    }
}
