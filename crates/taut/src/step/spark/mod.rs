//! One step of a SPARK method (Jay 1998, Definition 4.1): structure is preserved, force by force.

mod checkpoint;
mod mechanism;
mod partition;
mod positions;
mod reversible;
mod solving;
#[cfg(test)]
mod tests;

use mechanism::OfMechanism;
use partition::OfPartition;

use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::error_norm::Scales;
use crate::control::first_step::Start;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::iteration::Iteration;
use crate::options::{Controller, Multipliers, Options};
use crate::snapshot::{Fields, SnapshotError};

/// Steps for a mechanical system.
pub(crate) type SparkStep<'a> = Spark<OfMechanism<'a>>;
/// Steps for a partitioned system.
pub(crate) type PartitionedStep<'a> = Spark<OfPartition<'a>>;

/// Steps of a SPARK method.
///
/// The equations are solved to rounding: then constraints hold to rounding after every step by construction, and with
/// constant steps and conservative forces the step is symplectic and symmetric.
pub(crate) struct Spark<E> {
    equations: E,
    solving: Solving,
}

/// The unknowns of a step, and how they are found.
pub(crate) struct Solving {
    x: Vec<f64>,
    iteration: Iteration,
    scales: Scales,
    options: Options,
    /// the length of the step that Newton's matrix was factored for
    factored_for: Option<f64>,
}

/// What a SPARK step is about, where mechanisms and partitioned systems differ: their equations with the matrices of these, the
/// constraints, and the states that were reached.
pub(crate) trait SparkKind {
    fn layout(&self) -> Layout;

    fn stages(&self) -> usize;

    /// p̃ + 1 of the error estimate
    fn error_power(&self) -> f64;

    /// The time and the state that have been reached.
    fn here(&self) -> (f64, &[f64]);

    /// The rates of both kinds of variables there.
    fn rates(&self) -> [&[f64]; 2];

    /// Begins a step of length h.
    fn begin(&mut self, h: f64);

    /// Predicts the unknowns of a step of length h.
    fn predict(&mut self, h: f64, x: &mut [f64]);

    /// Predicts unknowns that do not change with the rates at the beginning of the step.
    fn predict_constant(&mut self, h: f64, x: &mut [f64]);

    /// Solves with something simpler than the matrix of all unknowns; false where that does not succeed.
    fn solve_simply(&mut self, _h: f64, _solving: &mut Solving, _count: &mut Statistics) -> bool {
        false
    }

    /// Whether there is a matrix of all unknowns: it is made of derivatives of forces.
    fn has_whole_matrix(&self) -> bool {
        true
    }

    /// Newton's matrix of all unknowns, at these.
    fn factor(&mut self, x: &[f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// Iterates with the factors at hand.
    fn iterate(&mut self, solving: &mut Solving, count: &mut Statistics) -> Result<(), StepFailure>;

    /// Solves the equations of a reversible step, whose length is about h; gives the length, at most `longest`. Nothing where it
    /// is not known how.
    fn solve_with_length(
        &mut self,
        _h: f64,
        _longest: f64,
        _solving: &mut Solving,
        _count: &mut Statistics,
    ) -> Option<Result<f64, StepFailure>> {
        None
    }

    /// Takes the end of a step to the time `to` from its unknowns.
    fn arrive(&mut self, to: f64, x: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// The state there.
    fn attempted(&self) -> &[f64];

    /// The norm of the error estimate (38), along the constraints.
    fn error(&mut self, x: &[f64], scales: &Scales, count: &mut Statistics) -> Result<f64, StepFailure>;

    /// Finds the rates at the end of the attempted step, and its multipliers (17h) where they are wanted.
    fn settle(&mut self, wanted: Multipliers, count: &mut Statistics) -> Result<(), StepFailure>;

    /// The attempted step was accepted. Its unknowns may be taken, others left in their place.
    fn keep(&mut self, x: &mut Vec<f64>);

    /// The state at θ of the last accepted step.
    fn interpolate(&self, theta: f64, y: &mut [f64]);

    /// Puts it on its constraints.
    fn correct(
        &mut self,
        theta: f64,
        y: &mut [f64],
        wanted: Multipliers,
        count: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// The largest residuals of the constraints at the state that has been reached.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure>;

    /// Everything that decides how the run goes on.
    fn fields(
        &mut self,
        factored_for: &mut Option<f64>,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError>;
}

impl Solving {
    fn new(number: usize, layout: &Layout, options: &Options) -> Self {
        Solving {
            x: vec![0.0; number],
            iteration: Iteration::new(options, number),
            scales: Scales::of(options, layout),
            options: options.clone(),
            factored_for: None,
        }
    }
}

impl<E: SparkKind> Spark<E> {
    /// The length of a step to the time `to`. Constant steps all have the same one: time is rounded, and the difference of
    /// two times late in a long run says little about a short step.
    fn length(&self, to: f64) -> f64 {
        let t = self.time();
        let h = to - t;
        let rounding = 4.0 * f64::EPSILON * to.abs().max(t.abs());
        match self.solving.options.constant_step.map(f64::abs) {
            Some(constant) if (h.abs() - constant).abs() <= rounding => constant.copysign(h),
            _ => h,
        }
    }

    /// Whether the lengths of steps are found together with their unknowns.
    fn is_reversible(&self) -> bool {
        let options = &self.solving.options;
        options.controller == Controller::Reversible && options.constant_step.is_none()
    }

    /// How large the error estimate, O(h^(p̃+1)), may be for the error of the result, O(h^(2s-2)), to be rtol.
    fn error_tolerance(&self) -> f64 {
        let (s, Solving { options, scales, .. }) = (self.stages() as f64, &self.solving);
        options.steps.error_share * scales.rtol().powf(self.equations.error_power() / (2.0 * s - 2.0))
    }

    /// Newton goes on to rounding whatever the step: its iterations say nothing about the next one.
    fn attempt_with(&self, error: f64) -> Attempt {
        Attempt { error, power: self.equations.error_power(), iterations: (1, 1) }
    }
}

impl<E: SparkKind> Stepper for Spark<E> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = self.length(to);
        self.solving.scales.set(self.equations.here().1);
        self.solve(h, count)?;
        self.equations.arrive(to, &mut self.solving.x, count)?;
        let mut error = 0.0;
        if self.solving.options.constant_step.is_none() {
            let Solving { x, scales, .. } = &mut self.solving;
            scales.widen(self.equations.attempted());
            error = self.equations.error(x, scales, count)? / self.error_tolerance();
        }
        Ok(self.attempt_with(error))
    }

    fn attempt_near(&mut self, to: f64, until: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        if !self.is_reversible() {
            return self.attempt(to, count);
        }
        let t = self.time();
        let rest = until - t;
        let longest = self.solving.options.largest_step.unwrap_or(f64::INFINITY).min(2.0 * rest.abs());
        let h = (to - t).abs().min(longest).copysign(rest);
        self.solving.scales.set(self.equations.here().1);
        let solved = self.equations.solve_with_length(h, longest, &mut self.solving, count);
        let Some(h) = solved else { return self.attempt(to, count) };
        let h = h?;
        if rest.abs() <= self.solving.options.steps.stretch_last * h.abs() {
            self.solve(rest, count)?;
            self.equations.arrive(until, &mut self.solving.x, count)?;
        } else {
            self.equations.arrive(t + h, &mut self.solving.x, count)?;
        }
        Ok(self.attempt_with(0.0))
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let Solving { x, iteration, options, factored_for, .. } = &mut self.solving;
        self.equations.settle(options.multipliers, count)?;
        self.equations.keep(x);
        if iteration.contraction > options.newton.keep_blocks_below {
            *factored_for = None;
        }
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {
        self.solving.factored_for = None;
    }

    fn next_length(&mut self, proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength { factor: proposed(), same_is_cheaper: self.solving.factored_for.is_some() }
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        let (t, y) = self.equations.here();
        self.solving.scales.set(y);
        let (layout, rate) = (self.layout(), self.equations.rates().concat());
        let (tolerance, power) = (self.error_tolerance(), self.equations.error_power());
        let start = Start { scales: &self.solving.scales, layout: &layout, y, rate: &rate };
        Ok(start.first_step(tolerance, power, until - t))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        self.equations.fields(&mut self.solving.factored_for, fields)
    }
}

impl<E: SparkKind> Place for Spark<E> {
    fn layout(&self) -> Layout {
        self.equations.layout()
    }

    fn time(&self) -> f64 {
        self.equations.here().0
    }

    fn state(&self) -> &[f64] {
        self.equations.here().1
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
    }
}

impl<E: SparkKind> InsideStep for Spark<E> {
    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.equations.interpolate(theta, y);
        self.equations.correct(theta, y, self.solving.options.multipliers, count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        self.equations.interpolate(theta, y);
    }
}

impl<E: SparkKind> Watched for Spark<E> {
    fn stages(&self) -> usize {
        self.equations.stages()
    }
}
