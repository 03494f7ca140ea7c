//! A run from start to end: steps, output, events, what is kept.

use super::driver::Driver;
use super::error::RunError;
use super::event::{Crossing, Event, locate};
use super::observer::{Observer, View};
use crate::motion::{Invariants, Stop, Trajectory};
use crate::system::{Fault, Mechanism};

/// At which times states are recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Output {
    /// at the end only
    #[default]
    End,
    /// at the start and after every accepted step
    Steps,
    /// at these times, from dense output; they lie in the direction of the run
    Times(Vec<f64>),
}

/// A run in progress.
pub(crate) struct Session<'a, 's> {
    pub(crate) driver: Driver<'a>,
    pub(crate) until: f64,
    pub(crate) output: &'s Output,
    pub(crate) next_output: usize,
    pub(crate) events: &'s [Event<'s>],
    pub(crate) event_values: Vec<f64>,
    pub(crate) event_counts: Vec<usize>,
    /// whose energy and residuals are watched
    pub(crate) watched: Option<&'a dyn Mechanism>,
    pub(crate) keep_output: bool,
    pub(crate) record: Record,
    pub(crate) sampled: Vec<f64>,
}

/// What a run has recorded so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) trajectory: Trajectory,
    pub(crate) crossings: Vec<Crossing>,
    pub(crate) invariants: Invariants,
    /// time and state where a terminal event ended the run
    pub(crate) ended_at: Option<(f64, Vec<f64>)>,
}

/// Sign changes are looked for at so many places inside a step.
const EVENT_PLACES: usize = 4;

/// Why a session pauses.
pub(crate) enum Pause {
    Stop(Stop),
    Error(RunError),
    /// the steps are short for stability only
    Stiff,
    /// a snapshot is due
    Snapshot,
}

impl Session<'_, '_> {
    /// Records the start.
    pub(crate) fn begin(&mut self, observer: &mut dyn Observer) {
        let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
        match self.output {
            Output::End => {}
            Output::Steps => self.put(t, &y, observer),
            Output::Times(times) => {
                while times.get(self.next_output).is_some_and(|&time| time == t) {
                    self.next_output += 1;
                    self.put(t, &y, observer);
                }
            }
        }
        self.event_values = self.events.iter().map(|event| event.value(t, &y)).collect();
        if let Ok(energy) = self.energy() {
            self.record.invariants.energy = (energy, energy);
        }
        self.watch();
    }

    /// Goes on until there is a reason to pause.
    pub(crate) fn advance(&mut self, observer: &mut dyn Observer, snapshot_every: Option<usize>) -> Pause {
        while !self.driver.reached(self.until) {
            let before = self.driver.stepper.time();
            if let Err(error) = self.driver.step(self.until) {
                return Pause::Error(error);
            }
            let t = self.driver.stepper.time();
            let ended = match self.look_for_events(before, t) {
                Ok(ended) => ended,
                Err(failure) => return Pause::Error(RunError::StepTooSmall { t, h: 0.0, cause: Some(failure) }),
            };
            let end = self.record.ended_at.as_ref().map_or(t, |(t, _)| *t);
            if let Err(failure) = self.write_output(before, t, end, observer) {
                return Pause::Error(RunError::StepTooSmall { t, h: 0.0, cause: Some(failure) });
            }
            self.watch();
            if let Some(name) = ended {
                return Pause::Stop(Stop::Event(name));
            }
            let view = View {
                t,
                y: self.driver.stepper.state(),
                h: t - before,
                energy_error: self.record.invariants.energy.1 - self.record.invariants.energy.0,
                statistics: &self.driver.count,
            };
            if !observer.step(&view) {
                return Pause::Stop(Stop::Observer);
            }
            if self.driver.stepper.finds_stiffness() {
                return Pause::Stiff;
            }
            if snapshot_every.is_some_and(|every| self.driver.count.accepted % every == 0) {
                return Pause::Snapshot;
            }
        }
        Pause::Stop(Stop::End)
    }

    fn put(&mut self, t: f64, y: &[f64], observer: &mut dyn Observer) {
        observer.output(t, y);
        if self.keep_output {
            self.record.trajectory.push(t, y);
        }
    }

    /// Output of the step from `before` to `t`, as far as `end`.
    fn write_output(
        &mut self,
        before: f64,
        t: f64,
        end: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), crate::step::StepFailure> {
        let mut y = std::mem::take(&mut self.sampled);
        match self.output {
            Output::End => {}
            Output::Steps => {
                match &self.record.ended_at {
                    Some((_, state)) => y.copy_from_slice(state),
                    None => y.copy_from_slice(self.driver.stepper.state()),
                }
                self.put(end, &y, observer);
            }
            Output::Times(times) => {
                let forward = t > before;
                while let Some(&time) = times.get(self.next_output) {
                    let due = if forward { time <= end } else { time >= end };
                    if !due {
                        break;
                    }
                    self.next_output += 1;
                    if time == t {
                        y.copy_from_slice(self.driver.stepper.state());
                    } else {
                        self.driver.stepper.sample((time - before) / (t - before), &mut y, &mut self.driver.count)?;
                    }
                    self.put(time, &y, observer);
                }
            }
        }
        self.sampled = y;
        Ok(())
    }

    /// Locates events inside the step; the name of the first one that ends the run.
    fn look_for_events(&mut self, before: f64, t: f64) -> Result<Option<String>, crate::step::StepFailure> {
        if self.events.is_empty() {
            return Ok(None);
        }
        self.driver.stepper.prepare_interpolation(&mut self.driver.count)?;
        let mut found: Vec<(f64, usize)> = Vec::new();
        let mut y = std::mem::take(&mut self.sampled);
        for (k, event) in self.events.iter().enumerate() {
            let stepper = &self.driver.stepper;
            let mut value = |theta: f64| {
                stepper.interpolate(theta, &mut y);
                event.value(before + theta * (t - before), &y)
            };
            let mut low = (0.0, self.event_values[k]);
            for place in 1..=EVENT_PLACES {
                let theta = place as f64 / EVENT_PLACES as f64;
                let at_theta = if place == EVENT_PLACES { event.value(t, stepper.state()) } else { value(theta) };
                if event.crosses(low.1, at_theta) {
                    let inside = locate(|x| value(low.0 + x * (theta - low.0)), low.1, at_theta);
                    found.push((low.0 + inside * (theta - low.0), k));
                }
                low = (theta, at_theta);
            }
            self.event_values[k] = low.1;
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ended = None;
        for (theta, k) in found {
            self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)?;
            let at = before + theta * (t - before);
            self.event_counts[k] += 1;
            let event = &self.events[k];
            self.record.crossings.push(Crossing { event: event.name().to_owned(), t: at, y: y.clone() });
            if event.ends(self.event_counts[k]) {
                self.record.ended_at = Some((at, y.clone()));
                ended = Some(event.name().to_owned());
                break;
            }
        }
        self.sampled = y;
        Ok(ended)
    }

    fn energy(&self) -> Result<f64, Fault> {
        let Some(system) = self.watched else { return Ok(0.0) };
        let stepper = &self.driver.stepper;
        let (q, v, _) = stepper.layout().split(stepper.state());
        system.energy(stepper.time(), q, v).map(|energy| energy.total())
    }

    /// Keeps the maxima of residuals and energy error.
    fn watch(&mut self) {
        if self.watched.is_none() {
            return;
        }
        if let Ok(residuals) = self.driver.stepper.residuals() {
            for (largest, residual) in self.record.invariants.residuals.iter_mut().zip(residuals) {
                *largest = largest.max(residual);
            }
        }
        if let Ok(energy) = self.energy() {
            let invariants = &mut self.record.invariants;
            invariants.energy.1 = energy;
            invariants.energy_error = invariants.energy_error.max((energy - invariants.energy.0).abs());
        }
    }
}
