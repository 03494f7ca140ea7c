//! Simplified Newton's iteration that goes on until rounding stops it.
//!
//! What a SPARK method preserves, it preserves as exactly as its equations are solved: an iteration that stops at a
//! tolerance makes the energy drift.

use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Options;
use crate::stages::step_residuals::StepResiduals;
use crate::system::Fault;

/// Updates of so many units of rounding of the largest position or velocity may be nothing else.
const ROUNDING_UNITS: f64 = 1e3;
/// The length of a reversible step should have settled after so many iterations.
const SOON: usize = 12;
/// So many iterations need not contract: the first ones may have to leave a bad prediction behind.
const FREE_ITERATIONS: usize = 3;
/// Such an update that is not smaller than this share of the last one is a rounding error.
const STANDSTILL: f64 = 0.3;
/// An update that would be below this share of a unit of rounding cannot change anything.
const NOTHING: f64 = 0.1;

/// The length of the step as the iteration sees it: given, or one more unknown.
pub(crate) trait StepLength<E> {
    /// Looks at the residuals of iteration k, before they become an update.
    fn look(
        &mut self,
        _k: usize,
        _equations: &mut E,
        _x: &[f64],
        _residual: &[f64],
        _count: &mut Statistics,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// A better length, when the unknowns are about to change by −`update` in iteration k.
    fn improve(&mut self, _k: usize, _equations: &E, _x: &[f64], _update: &[f64]) -> Option<f64> {
        None
    }

    /// Changes the length, and the unknowns with it.
    fn change_to(&mut self, _h: f64, _equations: &mut E, _x: &mut [f64]) {}

    /// Whether the length is one more unknown. The estimate that determines it is known to a few digits only, so that
    /// changes of the others below a unit of rounding mean nothing.
    fn is_unknown(&self) -> bool {
        false
    }

    /// Whether the length has been found.
    fn settled(&self) -> bool {
        true
    }

    /// Whether Newton's matrix belongs to quite another length than that of the equations.
    fn out_of_reach(&self, _equations: &E) -> bool {
        false
    }
}

/// The length of the step is given.
pub(crate) struct Given;

impl<E> StepLength<E> for Given {}

/// Newton's iteration of a SPARK step.
pub(crate) struct Iteration {
    most_iterations: usize,
    slowest_contraction: f64,
    /// the slowest contraction in the last step, as far as it could be seen
    pub(crate) contraction: f64,
    /// how many iterations the last step took
    pub(crate) iterations: usize,
    update: Vec<f64>,
}

impl Iteration {
    pub(crate) fn new(options: &Options, unknowns: usize) -> Self {
        Iteration {
            most_iterations: options.spark.most_iterations,
            slowest_contraction: options.newton.slowest_contraction,
            contraction: 0.0,
            iterations: 0,
            update: vec![0.0; unknowns],
        }
    }

    /// Improves the unknowns `x`, all or some of them, by what `solve` makes of their residuals, and with them the `length` of the step. Where it
    /// contracts at a `steady` rate, that tells when nothing is left. Returns early when Newton's matrix does not belong
    /// to the length that is found, or when that does not settle soon.
    pub(crate) fn run<E: StepResiduals>(
        &mut self,
        (equations, steady): (&mut E, bool),
        mut solve: impl FnMut(&mut [f64], &mut Statistics),
        x: &mut [f64],
        scales: &Scales,
        length: &mut impl StepLength<E>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let update = &mut self.update[..x.len()];
        let unit = equations.rounding(x, scales);
        let rounding = ROUNDING_UNITS * unit;
        let nothing = NOTHING * if steady || length.is_unknown() { unit } else { f64::EPSILON };
        // A steady iteration that is slower than what counts as standstill could not be told from it.
        let slowest = if steady { STANDSTILL } else { self.slowest_contraction };
        let (mut previous, mut last_ratio) = (f64::INFINITY, 0.0_f64);
        self.contraction = 0.0;
        for k in 1..=self.most_iterations {
            count.newton_iterations += 1;
            self.iterations = k;
            equations.residual(x, update, count)?;
            length.look(k, equations, x, update, count)?;
            solve(update, count);
            let better = length.improve(k, equations, x, update);
            for (x, update) in x.iter_mut().zip(&*update) {
                *x -= update;
            }
            let size = equations.size(update, scales);
            let ratio = size / previous;
            if let Some(h) = better {
                length.change_to(h, equations, x);
            }
            let settled = length.settled();
            if length.out_of_reach(equations) || (!settled && k == SOON) {
                return Ok(());
            }
            let diverges = settled && ratio >= slowest && size > rounding && k > FREE_ITERATIONS;
            if !size.is_finite() || diverges {
                return Err(StepFailure::Newton { contraction: ratio, iterations: k });
            }
            if settled && size > rounding {
                self.contraction = self.contraction.max(ratio);
            }
            // What a bad prediction leaves in the first update says nothing about a steady rate.
            let rate = if steady { last_ratio } else { self.contraction };
            let next = rate.max(ratio) * size;
            let done = k > 1 && size <= rounding && (ratio >= STANDSTILL || next <= nothing);
            if settled && (done || size == 0.0) {
                return Ok(());
            }
            (previous, last_ratio) = (size, ratio);
        }
        Err(StepFailure::Newton { contraction: self.contraction, iterations: self.most_iterations })
    }
}
