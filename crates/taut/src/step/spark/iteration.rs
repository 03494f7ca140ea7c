//! Simplified Newton's iteration that goes on until rounding stops it.
//!
//! What a SPARK method preserves, it preserves as exactly as its equations are solved: an iteration that stops at a
//! tolerance makes the energy drift.

use super::equations::SparkEquations;
use super::reversible::FreeLength;
use crate::control::error_norm::Scales;
use crate::motion::Statistics;
use crate::options::Options;
use crate::step::failure::StepFailure;

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

/// Newton's iteration of a SPARK step.
pub(super) struct Iteration {
    most_iterations: usize,
    slowest_contraction: f64,
    /// the slowest contraction in the last step, as far as it could be seen
    pub(super) contraction: f64,
    /// how many iterations the last step took
    pub(super) iterations: usize,
    update: Vec<f64>,
}

impl Iteration {
    pub(super) fn new(options: &Options, unknowns: usize) -> Self {
        Iteration {
            most_iterations: options.spark.most_iterations,
            slowest_contraction: options.newton.slowest_contraction,
            contraction: 0.0,
            iterations: 0,
            update: vec![0.0; unknowns],
        }
    }

    /// Improves the unknowns `x` by what `solve` makes of their residuals, and with them the length of the step where it is
    /// `free`. Where it contracts at a `steady` rate, that tells when nothing is left. Returns early when Newton's matrix does not belong to the length that is found, or when that does not
    /// settle soon.
    pub(super) fn run(
        &mut self,
        equations: &mut SparkEquations<'_>,
        mut solve: impl FnMut(&mut [f64], &mut Statistics),
        x: &mut [f64],
        scales: &Scales,
        steady: bool,
        mut free: Option<&mut FreeLength<'_>>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let unit = equations.rounding(x, scales);
        let rounding = ROUNDING_UNITS * unit;
        let nothing = if steady { NOTHING * unit } else { NOTHING * f64::EPSILON };
        // A steady iteration that is slower than what counts as standstill could not be told from it.
        let slowest = if steady { STANDSTILL } else { self.slowest_contraction };
        let mut previous = f64::INFINITY;
        self.contraction = 0.0;
        for k in 1..=self.most_iterations {
            count.newton_iterations += 1;
            self.iterations = k;
            equations.residual(x, &mut self.update, count)?;
            if let Some(free) = free.as_deref_mut() {
                free.estimate(equations, x);
                if k == free.from() {
                    free.find_tangent(equations, x, &self.update, count)?;
                }
                free.find_change(equations, x);
            }
            solve(&mut self.update, count);
            let mut length = equations.h;
            if let Some(free) = free.as_deref_mut().filter(|free| k >= free.from()) {
                length = free.improve(equations, x, &self.update);
            }
            for (x, update) in x.iter_mut().zip(&self.update) {
                *x -= update;
            }
            let size = equations.size(&self.update, scales);
            let ratio = size / previous;
            let mut settled = true;
            if let Some(free) = free.as_deref_mut() {
                free.change_to(length, equations, x);
                settled = free.settled();
                if free.out_of_reach(length) || (!settled && k == SOON) {
                    return Ok(());
                }
            }
            let diverges = settled && ratio >= slowest && size > rounding && k > FREE_ITERATIONS;
            if !size.is_finite() || diverges {
                return Err(StepFailure::Newton { contraction: ratio, iterations: k });
            }
            if settled && size > rounding {
                self.contraction = self.contraction.max(ratio);
            }
            let next = self.contraction.max(ratio) * size;
            let done = k > 1 && size <= rounding && (ratio >= STANDSTILL || next <= nothing);
            if settled && (done || size == 0.0) {
                return Ok(());
            }
            previous = size;
        }
        Err(StepFailure::Newton { contraction: self.contraction, iterations: self.most_iterations })
    }
}
