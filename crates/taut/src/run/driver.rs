//! One accepted step: proposed, attempted, accepted or rejected.

mod failures;

use super::growth::Growth;
use crate::control::{Attempt, NextLength, StepSize};
use crate::error::RunError;
use crate::geometry::{Near, Singularities};
use crate::motion::{SpringSpan, Statistics};
use crate::options::{Controller, Options};
use crate::snapshot::{Fields, Snapshot, SnapshotError};
use crate::step::Stepper;
use crate::system::{MovingFrame, are_finite};

/// Takes steps until an end time: proposes, attempts, accepts or rejects.
pub(crate) struct Driver<'a> {
    pub(crate) stepper: Box<dyn Stepper + 'a>,
    pub(crate) count: Statistics,
    options: Options,
    size: StepSize,
    /// the proposed length of the next step
    h: f64,
    /// stages or order of the last accepted step
    pub(crate) stages: usize,
    /// where a run with constant steps began, and how many it has taken
    grid: (f64, usize),
    failures_in_a_row: usize,
    /// looks for singular configurations where steps are rejected
    singularities: Option<Singularities<'a>>,
    /// how often this step was rejected, and the longest length that was rejected, in steps before as well
    rejections: (usize, f64),
    /// a singular configuration that has to be crossed, and the length of steps that meet it
    pub(crate) meets: Option<(Near, f64)>,
    /// which variables were below their tolerances
    growth: Growth,
    /// directions of the system that go along with the motion
    frame: Option<&'a dyn MovingFrame>,
}

/// The entry of snapshots that says whether a singular configuration is being crossed.
const CROSSING: &str = "crossing";

/// Whether a singular configuration was being crossed when a snapshot was taken.
pub(crate) fn is_crossing(snapshot: &Snapshot) -> bool {
    snapshot.get(CROSSING).is_ok_and(|numbers| numbers == [1.0])
}

/// After so many failures in a row the next step is much shorter.
const FAILURES_BEFORE_ALARM: usize = 3;
const ALARM_FACTOR: f64 = 0.1;
/// After so many rejections of a step it is looked for singular configurations,
const REJECTIONS_BEFORE_LOOK: usize = 2;
/// and again after so many more.
const REJECTIONS_BETWEEN_LOOKS: usize = 4;
/// It is looked for them after one rejection where rejected steps, one after the other, have become shorter by this factor.
const SHORTENED_BEFORE_LOOK: f64 = 8.0;
/// What is left, one step later, of the longest length that was rejected: in front of a singular configuration steps become shorter
/// one after the other, and short ones do not meet it.
const KEPT_LENGTH: f64 = 0.5;
/// No step is shorter than this share of the time that has been reached: it would be lost in its rounding errors. Where a run
/// begins, at t = 0, the whole interval says nothing about how fast things happen: it may be 10¹³ times as long.
const SHORTEST: f64 = 16.0 * f64::EPSILON;

/// The first step is at least this share of t: time goes on with it.
const LEAST_FIRST_STEP: f64 = 4.0 * f64::EPSILON;

impl<'a> Driver<'a> {
    pub(crate) fn new(
        stepper: Box<dyn Stepper + 'a>,
        options: &Options,
        count: Statistics,
        frame: Option<&'a dyn MovingFrame>,
    ) -> Self {
        let grid = (stepper.time(), 0);
        let mut growth = Growth::new(options, &stepper.layout());
        growth.look(stepper.time(), stepper.state());
        Driver {
            growth,
            stepper,
            count,
            options: options.clone(),
            size: StepSize::new(options.steps.clone()),
            h: 0.0,
            stages: 0,
            grid,
            failures_in_a_row: 0,
            singularities: None,
            rejections: (0, 0.0),
            meets: None,
            frame,
        }
    }

    /// Looks for singular configurations where steps are rejected.
    pub(crate) fn expect_singularities(mut self, singularities: Option<Singularities<'a>>) -> Self {
        self.singularities = singularities;
        self
    }

    /// The first step is no longer than this.
    pub(crate) fn begin_with(&mut self, h: f64, until: f64) -> Result<(), RunError> {
        let own = self.first_step(until)?;
        self.h = if own.abs() < h.abs() { own } else { self.limited(h) };
        Ok(())
    }

    /// The proposed length of the next step.
    pub(crate) fn proposed(&self) -> f64 {
        self.h
    }

    /// Proposes the length of the next step.
    pub(crate) fn propose(&mut self, h: f64) {
        self.h = self.limited(h);
    }

    /// A step was rejected: now and then it is looked whether a singular configuration is the reason.
    fn meets_singularity(&mut self, tried: f64) -> bool {
        let (rejections, longest) = self.rejections;
        let longest = if tried.abs() > longest.abs() { tried } else { longest };
        self.rejections = (rejections + 1, longest);
        let adaptive = self.options.constant_step.is_none();
        let Some(singularities) = self.singularities.as_ref().filter(|_| adaptive) else { return false };
        let often = self.rejections.0 % REJECTIONS_BETWEEN_LOOKS == REJECTIONS_BEFORE_LOOK;
        let ever_shorter = self.rejections.0 == 1 && longest.abs() > SHORTENED_BEFORE_LOOK * self.h.abs();
        if !(often || ever_shorter || self.stepper.ended_beside_singularity()) {
            return false;
        }
        let (t, layout, y) = (self.stepper.time(), self.stepper.layout(), self.stepper.state());
        let (q, v, _) = layout.split(y);
        let near = singularities.look(t, (q, v), None, longest);
        self.meets = near.ok().flatten().map(|near| (near, longest));
        self.meets.is_some()
    }

    /// Whether it has taken a step.
    pub(crate) fn has_moved(&self) -> bool {
        self.grid.1 > 0
    }

    /// Whether the end has been reached.
    pub(crate) fn reached(&self, until: f64) -> bool {
        self.stepper.time() == until
    }

    /// The state that has been reached, as it is given away.
    pub(crate) fn give_away(&mut self, y: &mut [f64]) {
        // What is only looked at is no work of the integration.
        self.stepper.give_away(y, &mut Statistics::default());
    }

    /// One accepted step towards `until`. A step that was begun is finished, however often it is rejected: only between steps
    /// may a run go on later with the same bits.
    pub(crate) fn step(&mut self, until: f64) -> Result<(), RunError> {
        let t = self.stepper.time();
        if self.count.steps >= self.options.most_steps && self.options.constant_step.is_none() {
            let (steps, begun) = (self.count.steps, self.grid.0);
            let expected = steps as f64 * ((until - begun) / (t - begun)).abs();
            return Err(RunError::TooManySteps { t, steps, expected });
        }
        if self.h == 0.0 {
            self.h = self.first_step(until)?;
        }
        self.rejections = (0, KEPT_LENGTH * self.rejections.1);
        loop {
            let to = self.next_time(until);
            if to == t {
                return Err(RunError::StepTooSmall { t, h: self.h, cause: None });
            }
            self.count.steps += 1;
            self.stages = self.stepper.stages();
            match self.stepper.attempt_near(to, until, &mut self.count) {
                Ok(attempt) if attempt.error < 1.0 => match self.stepper.accept(&mut self.count) {
                    Ok(()) => {
                        self.check_finite()?;
                        self.accepted(self.stepper.time() - t, &attempt);
                        return self.follow();
                    }
                    Err(failure) => self.failed((t, to - t, until), failure)?,
                },
                Ok(attempt) => {
                    self.count.rejected_by_error += 1;
                    self.stepper.reject(false);
                    self.h = (to - t) * self.size.after_rejection(&attempt);
                    self.check_length(t, until, None)?;
                }
                Err(failure) => self.failed((t, to - t, until), failure)?,
            }
            if self.meets_singularity(to - t) {
                return Ok(());
            }
        }
    }

    /// What has led to the end of a run, where more than its last step is known.
    pub(crate) fn explained(&self, reason: RunError) -> RunError {
        self.growth.explain(reason, self.stepper.state())
    }

    /// No accepted state is given away that is not made of numbers.
    fn check_finite(&self) -> Result<(), RunError> {
        let y = self.stepper.state();
        if are_finite(y) {
            return Ok(());
        }
        let entry = y.iter().position(|y| !y.is_finite()).unwrap_or_default();
        Err(RunError::NotFinite { t: self.stepper.time(), entry, value: y[entry] })
    }

    /// Lets directions of the system go along with the motion.
    fn follow(&self) -> Result<(), RunError> {
        let Some(frame) = self.frame else { return Ok(()) };
        let t = self.stepper.time();
        frame.follow(t, self.stepper.state()).map_err(|fault| RunError::Fault { t, fault })
    }

    fn first_step(&mut self, until: f64) -> Result<f64, RunError> {
        let t = self.stepper.time();
        if let Some(h) = self.options.constant_step {
            return Ok(h.abs().copysign(until - t));
        }
        let h = match self.options.first_step {
            Some(h) => h.abs().copysign(until - t),
            None => self.stepper.first_step(until, &mut self.count).map_err(|failure| {
                RunError::of_failure(t, failure, |cause| RunError::FirstStep { t, cause })
            })?,
        };
        // Between the two sides of a jump there are a few rounding errors of t, which no first step may divide.
        let least = LEAST_FIRST_STEP * t.abs();
        Ok(self.limited(if h.abs() < least { least.copysign(until - t) } else { h }))
    }

    /// The end of the next step: the last ones are stretched or halved, so that none is tiny.
    pub(super) fn next_time(&self, until: f64) -> f64 {
        let t = self.stepper.time();
        let rest = until - t;
        if self.options.constant_step.is_some() {
            let (start, taken) = self.grid;
            let next = start + (taken + 1) as f64 * self.h;
            let slack = 1e-6 * self.h.abs();
            return if (until - next) * self.h.signum() <= slack { until } else { next };
        }
        if self.options.controller == Controller::Reversible {
            return t + self.h;
        }
        if rest.abs() <= self.options.steps.stretch_last * self.h.abs() {
            until
        } else if rest.abs() < 2.0 * self.h.abs() {
            t + 0.5 * rest
        } else {
            t + self.h
        }
    }

    fn accepted(&mut self, h: f64, attempt: &Attempt) {
        self.count.accepted += 1;
        self.count.local_errors += attempt.error;
        self.growth.look(self.stepper.time(), self.stepper.state());
        self.failures_in_a_row = 0;
        self.grid.1 += 1;
        if self.options.constant_step.is_some() {
            return;
        }
        if self.options.controller == Controller::Reversible {
            self.h = h * self.size.continued(h);
            return;
        }
        let proposed = &mut || self.size.after_acceptance(h, attempt);
        let NextLength { factor, same_is_cheaper } = self.stepper.next_length(proposed);
        let calm = (1.0..=self.options.steps.calm_up_to).contains(&factor);
        self.h = self.limited(h * if calm && same_is_cheaper { 1.0 } else { factor });
    }

    /// The singular configuration that its steps are about to cross.
    pub(super) fn near(&mut self) -> Option<&Near> {
        self.stepper.passage()?.near.as_ref()
    }

    /// How each spring was treated, and when.
    pub(super) fn spring_spans(&self) -> Vec<SpringSpan> {
        self.stepper.springs().map_or_else(Vec::new, |springs| springs.spans())
    }

    /// The springs whose vibrations are followed now.
    pub(super) fn followed_springs(&self) -> Vec<String> {
        self.stepper.springs().map_or_else(Vec::new, |springs| springs.followed())
    }

    /// Steps longer than this would miss vibrations that are to be followed.
    fn longest_step(&self) -> f64 {
        self.stepper.springs().map_or(f64::INFINITY, |springs| springs.longest_step())
    }

    /// A step that is no longer than asked for, and no longer than the stepper can see what happens in it.
    fn limited(&self, h: f64) -> f64 {
        let largest = self.options.largest_step.unwrap_or(f64::INFINITY);
        h.abs().min(largest).min(self.longest_step()).copysign(h)
    }

    /// Everything that decides how the run goes on.
    pub(crate) fn save(&mut self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        // A way into a snapshot never fails.
        let _ = self.fields(&mut Fields::Saved(&mut snapshot));
        snapshot.put(CROSSING, &[f64::from(u8::from(self.near().is_some()))]);
        if let Some(frame) = self.frame {
            snapshot.put("frame", &frame.save());
        }
        snapshot
    }

    /// Goes on from a snapshot.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        if let Some(frame) = self.frame {
            let numbers = snapshot.get("frame")?;
            if !frame.restore(numbers) {
                let (found, expected) = (numbers.len(), frame.save().len());
                return Err(SnapshotError::Length { name: "frame".to_owned(), found, expected });
            }
        }
        self.fields(&mut Fields::Restored(snapshot))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        self.stepper.fields(fields)?;
        let Self { h, grid: (start, taken), failures_in_a_row, rejections: (_, longest), .. } = self;
        fields.entry("driver", &mut [h, start, taken, failures_in_a_row, longest])?;
        self.size.fields(fields)?;
        fields.entry("statistics", &mut self.count.fields())
    }
}
