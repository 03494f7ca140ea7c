//! Simplified Newton's iteration for all stages of an implicit step.

use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::NewtonOptions;
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::{StageEquations, UpdateSize};

/// Newton's iteration, with what it remembers from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Newton {
    options: NewtonOptions,
    /// η = Θ/(1 − Θ) of the last step, a guess for the first iteration of the next (Hairer and Wanner, eq. IV.8.10)
    eta: f64,
    contraction: f64,
    /// so many times as many iterations are allowed
    patience: usize,
    /// convergence of earlier steps is not trusted: a second iteration shows it
    doubting: bool,
    /// a first iteration that is enough is followed by a second one
    polishing: bool,
    /// what is left may not bring strong friction up
    minds_friction: bool,
    /// an iteration that stands still below so many tolerances has met rounding
    standstill: f64,
    residual: Vec<f64>,
}

impl Newton {
    pub(crate) fn new(options: NewtonOptions) -> Self {
        Newton {
            options,
            eta: 1.0,
            contraction: 1.0,
            patience: 1,
            doubting: false,
            polishing: false,
            minds_friction: false,
            standstill: NEGLIGIBLE,
            residual: Vec::new(),
        }
    }

    /// The largest number of iterations for s stages.
    pub(crate) fn most_iterations(&self, stages: usize) -> usize {
        let further = self.options.iterations_per_stage * stages.saturating_sub(3) as f64;
        self.options.most_iterations + further as usize
    }

    /// The contraction of the last iteration.
    pub(crate) fn contraction(&self) -> f64 {
        self.contraction
    }

    /// Allows more iterations, where shorter steps do not help.
    pub(crate) fn be_patient(&mut self, patient: bool) {
        self.patience = if patient { self.options.patience } else { 1 };
    }

    /// Whether at least two iterations are made, since the matrices are old.
    pub(crate) fn doubt(&mut self, doubting: bool) {
        self.doubting = doubting;
    }

    /// Whether a second iteration follows a first one that is enough.
    pub(crate) fn polish(&mut self, polishing: bool) {
        self.polishing = polishing;
    }

    /// Goes on where what is left would bring strong friction up.
    pub(crate) fn mind_friction(mut self) -> Self {
        self.minds_friction = true;
        self
    }

    /// An iteration that stands still with updates below so many tolerances has met rounding and is good enough.
    pub(crate) fn stand_still_below(&mut self, tolerances: f64) {
        self.standstill = tolerances;
    }

    /// Where equations are solved to rounding, that is where the iteration stands still.
    pub(crate) fn go_to_rounding(&mut self, rounding: bool) {
        if rounding {
            self.standstill = ROUNDING_STANDSTILL;
        }
    }

    /// Forgets the convergence of earlier steps.
    pub(crate) fn forget(&mut self) {
        self.eta = 1.0;
    }

    /// What has to be kept to go on from here with the same bits.
    pub(crate) fn memory(&mut self) -> [&mut f64; 2] {
        [&mut self.eta, &mut self.contraction]
    }

    /// Iterates until the last update is estimated to be below `tolerance`; returns the number of iterations.
    pub(crate) fn iterate(
        &mut self,
        equations: &mut dyn StageEquations,
        method: &Coefficients,
        unknowns: &mut [f64],
        scales: &Scales,
        tolerance: f64,
        count: &mut Statistics,
    ) -> Result<usize, StepFailure> {
        let limit = self.patience * self.most_iterations(method.stages);
        self.residual.resize(unknowns.len(), 0.0);
        self.eta = self.eta.max(f64::EPSILON).powf(0.8);
        let mut course = Course { previous: 0.0, least_eta: 0.0, previous_ratio: None, limit };
        // η where the iterations would have been enough, if convergence is what it seems
        let mut enough: Option<f64> = None;
        for k in 0..limit {
            count.newton_iterations += 1;
            equations.residual(method, unknowns, &mut self.residual, count)?;
            equations.solve(method, &mut self.residual, count);
            let size = equations.update(method, &self.residual, scales);
            if !size.contracting.is_finite() {
                return Err(self.diverged(f64::INFINITY, k + 1));
            }
            for (unknown, update) in unknowns.iter_mut().zip(&self.residual) {
                *unknown += update;
            }
            if k == 0 {
                self.begin(size);
            } else if let Err(failure) = self.follow(k, size, &mut course, tolerance) {
                // One more iteration after what was enough is never worse than none.
                self.eta = enough.ok_or(failure)?;
            }
            course.previous = size.contracting.max(f64::MIN_POSITIVE);
            course.least_eta = size.least_eta();
            if enough.is_some() {
                return Ok(k + 1);
            }
            if self.is_done((k, limit), size.against_tolerance, tolerance, equations) {
                if self.is_sure(k, size.against_tolerance, tolerance) {
                    return Ok(k + 1);
                }
                enough = Some(self.eta);
            }
        }
        Err(self.diverged(self.contraction, limit))
    }

    /// One iteration shows no contraction; that it suffices shows that the matrices are good.
    fn begin(&mut self, size: UpdateSize) {
        self.contraction = 0.0;
        // What earlier steps have shown does not hold from so far away.
        self.eta = self.eta.max(size.least_eta());
    }

    /// What the update of iteration k ≥ 1 shows: contraction, and what is left at the end.
    fn follow(
        &mut self,
        k: usize,
        size: UpdateSize,
        course: &mut Course,
        tolerance: f64,
    ) -> Result<(), StepFailure> {
        let ratio = size.contracting / course.previous;
        self.contraction = course.previous_ratio.map_or(ratio, |before: f64| (ratio * before).sqrt());
        // An update from far away has used the matrices of another place: it says nothing about the next.
        course.previous_ratio = (course.least_eta == 0.0).then_some(ratio);
        let far = size.against_tolerance > self.standstill * tolerance;
        if self.contraction >= self.options.slowest_contraction && far {
            return Err(self.diverged(self.contraction, k + 1));
        }
        self.eta = match self.contraction < 1.0 {
            true => (self.contraction / (1.0 - self.contraction)).min(MOST_ETA),
            false => MOST_ETA,
        };
        self.eta = self.eta.max(course.least_eta);
        let left = (course.limit - 1 - k) as i32;
        let final_size = self.eta * size.against_tolerance * self.contraction.powi(left);
        if final_size > tolerance && far {
            return Err(self.diverged(self.contraction, k + 1));
        }
        Ok(())
    }

    /// Whether iteration k, which was enough, needs no further one to show that: there is one where the first has to be polished, and where
    /// a single ratio promises much.
    fn is_sure(&self, k: usize, size: f64, tolerance: f64) -> bool {
        let shown = match k {
            0 => !self.polishing,
            1 => FASTEST * size <= tolerance,
            _ => true,
        };
        shown || size <= NEGLIGIBLE * tolerance
    }

    /// Whether nothing is left to improve after an update of this size in iteration k of at most `limit`.
    fn is_done(
        &mut self,
        (k, limit): (usize, usize),
        size: f64,
        tolerance: f64,
        equations: &mut dyn StageEquations,
    ) -> bool {
        if self.doubting && k == 0 && size > NEGLIGIBLE * tolerance {
            return false;
        }
        let small = self.eta * size <= tolerance || size <= NEGLIGIBLE * tolerance;
        if small && (k + 1 == limit || self.leaves_friction_alone(size, tolerance, equations)) {
            return true;
        }
        let stands = k > 0 && self.contraction >= self.options.slowest_contraction;
        let rounding = stands
            && size <= self.standstill * tolerance
            && self.leaves_friction_alone(size, tolerance, equations);
        if rounding {
            // Rounding errors say nothing about the matrices.
            (self.eta, self.contraction) = (1.0, 0.0);
        }
        rounding
    }

    /// Whether what is left after an update of this size, small as it is, does not bring friction up.
    ///
    /// What dry friction holds has velocities far below the tolerance, in which its force goes from one end to the other: with
    /// stages that are right to the tolerance only, it holds, lets go and holds again from step to step, and the body slides away.
    fn leaves_friction_alone(&self, size: f64, tolerance: f64, equations: &mut dyn StageEquations) -> bool {
        let left = self.eta * size;
        if !self.minds_friction || left <= ROUNDING {
            return true;
        }
        let answer = equations.answer_of_friction();
        answer < STRONG_ANSWER || left * (answer / SHARE_OF_ANSWER) <= tolerance
    }

    fn diverged(&mut self, contraction: f64, iterations: usize) -> StepFailure {
        self.contraction = contraction;
        self.eta = 1.0;
        StepFailure::Newton { contraction, iterations }
    }
}

/// What the iterations of one step have shown.
struct Course {
    /// the size of the last update
    previous: f64,
    /// η is at least this much after it, since it came from far away
    least_eta: f64,
    /// and its ratio to the one before, unless that came from far away
    previous_ratio: Option<f64>,
    /// so many iterations are allowed
    limit: usize,
}

/// Updates below this share of the tolerance are good enough, whether they contract or stand still on the level of rounding.
const NEGLIGIBLE: f64 = 1e-3;

/// Friction that answers an update with more than so many times its size within the step is strong: it may hold a body,
const STRONG_ANSWER: f64 = 1.0;

/// and its answer to what is left may be this share of the tolerance. (Measured on blocks that stick and slip, with a layer of 1e-6
/// and tolerances from 1e-3 to 1e-8: up to 3700 tolerances off and up to 1e5 steps without it, 48 and 17000 with a share of 1, 28 and
/// 1700 with this one.)
const SHARE_OF_ANSWER: f64 = 0.01;

/// Less than this cannot be left.
const ROUNDING: f64 = 100.0 * f64::EPSILON;

/// An iteration to rounding that stands still below so many units has met it.
const ROUNDING_STANDSTILL: f64 = 1e4;

/// Updates above this share of the state come from far away.
const FAR: f64 = 1e-2;

/// A first ratio of updates, and updates of velocities from far away, say no more than that the next ones contract so much: what is left
/// then is what was small in the first update. (A mass on a spring that vibrates with 7000 m/s, predicted to a few percent: ratios of
/// 1e-5, followed by ratios of 5e-3, left 40 times what they had promised in every step. Predicted to a thousandth, it is the same.)
const FASTEST: f64 = 0.01;

impl UpdateSize {
    /// η is at least this much after an update, if it came from far away: in velocities, too, which count little where contraction
    /// is measured.
    fn least_eta(self) -> f64 {
        match (self.contracting > FAR, self.against_tolerance > FAR) {
            (true, _) => 1.0,
            (false, true) => FASTEST,
            (false, false) => 0.0,
        }
    }
}

/// Bounds η when the iteration stands still on the level of rounding.
const MOST_ETA: f64 = 1e3;
