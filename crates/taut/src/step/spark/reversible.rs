//! The length of a reversible step, found together with its unknowns (Jay 1998, section 9).
//!
//! Newton's iteration for the unknowns x and the length h: with J = ∂R/∂x of the residuals R, an update d = J⁻¹R and the
//! tangent x' = −J⁻¹ ∂R/∂h, the new unknowns are x − d + Δh x', and Δh is such that the estimate (38), linearised along
//! −d + Δh x', takes the value it shall have. Without the part of d the length follows the unknowns too late.

use super::mechanism::{OfMechanism, whole_matrix};
use super::{Solving, SparkKind as _};
use crate::control::reversible::LengthSearch;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::iteration::StepLength;
use crate::options::Options;
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::equations::SparkEquations;
use crate::stages::spark::matrix::SparkMatrix;
use crate::stages::step_residuals::StepResiduals;
use crate::system::Fault;

/// The length of a reversible step is looked for with at most so many matrices.
const MOST_LENGTHS: usize = 30;
/// Factors serve steps whose logarithm of the length differs by at most this: beyond, Newton's matrix is set up anew.
const REACH: f64 = 0.03;
/// The relative difference of lengths for a difference of residuals.
const CLOSE_BY: f64 = 1e-4;

/// What the search for a length works with.
pub(super) struct LengthSpace {
    /// dx/dh
    tangent: Vec<f64>,
    /// a part of it
    bend: Vec<f64>,
    /// the estimate of positions and of momenta
    errors: [Vec<f64>; 2],
    /// the change of the estimate with h
    changes: [Vec<f64>; 2],
    /// displacements and momenta
    buffers: [Vec<f64>; 2],
}

impl LengthSpace {
    pub(super) fn new(unknowns: usize, n: usize) -> Self {
        let two = || [vec![0.0; n], vec![0.0; n]];
        LengthSpace {
            tangent: vec![0.0; unknowns],
            bend: vec![0.0; unknowns],
            errors: two(),
            changes: two(),
            buffers: two(),
        }
    }
}

/// A step whose length is one more unknown.
pub(super) struct FreeLength<'s> {
    search: &'s mut LengthSearch,
    /// the length that Newton's matrix was factored for
    factored_for: f64,
    from: usize,
    matrix: &'s SparkMatrix,
    space: &'s mut LengthSpace,
}

impl<'s> FreeLength<'s> {
    pub(super) fn new(
        search: &'s mut LengthSearch,
        factored_for: f64,
        from: usize,
        matrix: &'s SparkMatrix,
        space: &'s mut LengthSpace,
    ) -> Self {
        FreeLength { search, factored_for, from, matrix, space }
    }

    /// Finds dx/dh with a difference of residuals at h and at a length close by.
    fn find_tangent(
        &mut self,
        equations: &mut SparkEquations<'_>,
        x: &[f64],
        residual: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let (h, tangent) = (equations.h, &mut self.space.tangent);
        equations.h = h * (1.0 + CLOSE_BY);
        let evaluated = equations.residual(x, tangent, count);
        equations.h = h;
        evaluated?;
        for (tangent, residual) in tangent.iter_mut().zip(residual) {
            *tangent = (residual - *tangent) / (h * CLOSE_BY);
        }
        self.matrix.whole.solve(tangent, count);
        self.bend_tangent(equations, x, count)
    }

    /// Adds to the tangent what ∂(G v₁)/∂q of (17g), which the matrix leaves out, makes of the displacement of the end.
    fn bend_tangent(
        &mut self,
        equations: &mut SparkEquations<'_>,
        x: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let LengthSpace { tangent, bend, buffers: [displacement, _], .. } = &mut *self.space;
        let unknowns = equations.unknowns;
        displacement.fill(0.0);
        for (j, b) in equations.method.a.row(unknowns.stages).iter().enumerate() {
            for (dq, dv) in displacement.iter_mut().zip(&tangent[unknowns.velocities(j)]) {
                *dq += equations.h * b * dv;
            }
        }
        bend.fill(0.0);
        let close_by = equations.h * CLOSE_BY;
        equations.end_rate_change(x, displacement, close_by, &mut bend[unknowns.multipliers(0)])?;
        self.matrix.whole.solve(bend, count);
        for (tangent, bend) in tangent.iter_mut().zip(&*bend) {
            *tangent -= bend;
        }
        Ok(())
    }
}

impl StepLength<SparkEquations<'_>> for FreeLength<'_> {
    /// Keeps the estimate at the unknowns x, and how it changes with h along the tangent.
    fn look(
        &mut self,
        k: usize,
        equations: &mut SparkEquations<'_>,
        x: &[f64],
        residual: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let [of_q, of_p] = &mut self.space.errors;
        equations.estimate(x, of_q, of_p);
        if k == self.from {
            self.find_tangent(equations, x, residual, count)?;
        }
        let LengthSpace { tangent, changes, buffers, .. } = &mut *self.space;
        changes.iter_mut().for_each(|change| change.fill(0.0));
        self.matrix.add_estimate_change(equations, x, (tangent, 1.0), 1.0, changes, buffers);
        Ok(())
    }

    fn improve(
        &mut self,
        k: usize,
        equations: &SparkEquations<'_>,
        x: &[f64],
        update: &[f64],
    ) -> Option<f64> {
        if k < self.from {
            return None;
        }
        let LengthSpace { errors, changes, buffers, .. } = &mut *self.space;
        self.matrix.add_estimate_change(equations, x, (update, -1.0), 0.0, errors, buffers);
        let (mut error, mut rate) = (0.0, 0.0);
        for (e, change) in errors.iter().zip(changes) {
            let norm = dot(e, e).sqrt();
            error += norm;
            rate += if norm > 0.0 { dot(e, change) / norm } else { 0.0 };
        }
        Some(self.search.improve(equations.h, error, equations.h * rate / error))
    }

    fn change_to(&mut self, h: f64, equations: &mut SparkEquations<'_>, x: &mut [f64]) {
        for (x, tangent) in x.iter_mut().zip(&self.space.tangent) {
            *x += (h - equations.h) * tangent;
        }
        equations.h = h;
    }

    fn is_unknown(&self) -> bool {
        true
    }

    fn settled(&self) -> bool {
        self.search.settled()
    }

    fn out_of_reach(&self, equations: &SparkEquations<'_>) -> bool {
        (equations.h / self.factored_for).ln().abs() > REACH
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl OfMechanism<'_> {
    /// Solves the equations of a reversible step, whose length is about h; returns the length, at most `longest`.
    ///
    /// Newton's matrix is set up anew where the length that is found is quite another one, at a new prediction, and where
    /// the length does not settle soon, at the unknowns that were found. A prediction that was no good is improved before
    /// the length is looked for again, as in the first step, which has no good one.
    pub(super) fn find_length(
        &mut self,
        mut h: f64,
        longest: f64,
        solving: &mut Solving,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let mut search = length_search(&self.equations.method, &solving.options, longest);
        let mut close = false;
        for round in 0..MOST_LENGTHS {
            if !close {
                self.begin(h);
                self.predict(h, &mut solving.x);
            }
            solving.factor(self, h, count)?;
            let from = if self.past.h == 0.0 && !close { 3 } else { 1 + round.min(2) };
            let matrix = &*whole_matrix(&mut self.matrix, &self.equations, self.linear);
            let mut free = FreeLength::new(&mut search, h, from, matrix, &mut self.length_space);
            let solve = |residual: &mut [f64], count: &mut Statistics| matrix.whole.solve(residual, count);
            let Solving { x, iteration, scales, .. } = &mut *solving;
            iteration.run((&mut self.equations, false), solve, x, scales, &mut free, count)?;
            h = self.equations.h;
            close = !free.out_of_reach(&self.equations);
            if free.settled() {
                return Ok(h);
            }
        }
        Err(StepFailure::Newton { contraction: 1.0, iterations: MOST_LENGTHS })
    }
}

/// The search for the length of a step.
fn length_search(method: &SparkCoefficients, options: &Options, longest: f64) -> LengthSearch {
    LengthSearch::new(target(method, options), method.error_power, longest)
}

/// TOL^((p̃+1)/(p+1)), the value of the error estimate for which the local error is about TOL, in units of atol/rtol.
fn target(method: &SparkCoefficients, options: &Options) -> f64 {
    let exponent = method.error_power / (2 * method.stages - 1) as f64;
    options.atol / options.rtol * options.rtol.powf(exponent)
}
