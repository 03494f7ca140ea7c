//! A run from start to end: steps, output, events, what is kept.

use std::borrow::Cow;

use super::driver::Driver;
use super::error::RunError;
use super::event::{Crossing, Event, locate};
use super::observer::{Observer, View};
use super::output::Output;
use crate::control::error_norm::{self, larger};
use crate::equations::Layout;
use crate::motion::{Invariants, Stop, Trajectory};
use crate::snapshot::{Snapshot, SnapshotError};
use crate::step::StepFailure;
use crate::system::{Fault, MechanicalSystem, PartitionedSystem};

/// How the state of a stepper looks from outside, when it is not the state that was asked for.
pub(crate) struct Translation<'t> {
    /// where everything lies in the state that was asked for
    pub(crate) layout: Layout,
    /// from the state of the stepper to that state
    pub(crate) map: StateMap<'t>,
}

/// From one state vector to another.
type StateMap<'t> = Box<dyn Fn(&[f64]) -> Vec<f64> + 't>;

/// A system whose energy and residuals are watched.
#[derive(Clone, Copy)]
pub(crate) enum Watched<'a> {
    Mechanical(&'a dyn MechanicalSystem),
    Partitioned(&'a dyn PartitionedSystem),
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
    pub(crate) watched: Option<Watched<'a>>,
    pub(crate) translation: Option<&'s Translation<'s>>,
    pub(crate) keep_output: bool,
    pub(crate) record: Record,
    pub(crate) sampled: Vec<f64>,
    /// when `auto` found the motion stiff
    pub(crate) stiff_since: Option<f64>,
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

/// The entry of snapshots that says when `auto` found the motion stiff.
const STIFF_SINCE: &str = "stiff since";

/// When `auto` found the motion stiff, before a snapshot was taken.
pub(crate) fn stiff_since(snapshot: &Snapshot) -> Option<f64> {
    snapshot.get(STIFF_SINCE).ok()?.first().copied()
}

/// Sign changes are looked for at so many places inside a step.
const EVENT_PLACES: usize = 4;

/// Why a session pauses.
pub(crate) enum Pause {
    Stop(Stop),
    Error(RunError),
    /// the steps are short for stability only
    Stiff,
    /// another method may take longer steps for less work
    Suspicious,
    /// a snapshot is due
    Snapshot,
}

impl Pause {
    /// Whether nothing is wrong with the state that was reached.
    pub(crate) fn may_go_on_later(&self) -> bool {
        let too_many = matches!(self, Pause::Error(RunError::TooManySteps { .. }));
        too_many || matches!(self, Pause::Snapshot | Pause::Stop(Stop::Observer))
    }
}

impl Session<'_, '_> {
    /// A state as it looks from outside.
    pub(crate) fn outward<'y>(&self, y: &'y [f64]) -> Cow<'y, [f64]> {
        match self.translation {
            Some(translation) => Cow::Owned((translation.map)(y)),
            None => Cow::Borrowed(y),
        }
    }

    /// Where everything lies in a state as it looks from outside.
    pub(crate) fn layout(&self) -> Layout {
        self.translation.map_or(self.driver.stepper.layout(), |translation| translation.layout)
    }

    /// The state that was reached, as it looks from outside.
    pub(crate) fn state(&self) -> Vec<f64> {
        self.outward(self.driver.stepper.state()).into_owned()
    }

    /// The state that was reached as it is given away at the end of a run.
    pub(crate) fn result(&mut self) -> Vec<f64> {
        let mut y = self.driver.stepper.state().to_vec();
        self.driver.give_away(&mut y);
        self.outward(&y).into_owned()
    }

    /// Everything that decides how the run goes on.
    pub(crate) fn save(&mut self) -> Snapshot {
        let mut snapshot = self.driver.save();
        let counts: Vec<f64> = self.event_counts.iter().map(|&count| count as f64).collect();
        snapshot.put("events", &counts);
        snapshot.put(STIFF_SINCE, self.stiff_since.as_slice());
        snapshot
    }

    /// Goes on from a snapshot.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.driver.restore(snapshot)?;
        let counts = snapshot.get("events")?;
        if counts.len() != self.event_counts.len() {
            let (found, expected) = (counts.len(), self.event_counts.len());
            return Err(SnapshotError::Length { name: "events".to_owned(), found, expected });
        }
        self.event_counts = counts.iter().map(|&count| count as usize).collect();
        Ok(())
    }

    /// Records the start; a run that was resumed has recorded it before.
    pub(crate) fn begin(&mut self, observer: &mut dyn Observer, resumed: bool) {
        let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
        match self.output {
            Output::End => {}
            Output::Steps if resumed => {}
            Output::Steps => self.put(t, &y, observer),
            Output::Times(_) | Output::Samples { .. } | Output::Every { .. } => {
                let until = self.until;
                let behind = |time: &f64| (time - t) * (until - t) < 0.0 || *time == t;
                while let Some(time) = self.output.time(self.next_output).filter(behind) {
                    self.next_output += 1;
                    if time == t && !resumed {
                        self.put(t, &y, observer);
                    }
                }
            }
        }
        let outward = self.outward(&y);
        if !observer.places().is_empty() {
            observer.inside(t, &outward);
        }
        let values = self.events.iter().map(|event| event.value(t, &outward)).collect();
        self.event_values = values;
        if let Ok(energy) = self.energy() {
            self.record.invariants.energy = (energy, energy);
        }
        self.watch();
    }

    /// Goes on until there is a reason to pause.
    pub(crate) fn advance(&mut self, observer: &mut dyn Observer, snapshot_every: Option<usize>) -> Pause {
        while !self.driver.reached(self.until) {
            if self.driver.stepper.finds_stiffness() {
                return Pause::Stiff;
            }
            if self.driver.stepper.suspects_stiffness() {
                return Pause::Suspicious;
            }
            let before = self.driver.stepper.time();
            if let Err(error) = self.driver.step(self.until) {
                return Pause::Error(error);
            }
            let t = self.driver.stepper.time();
            let ended = match self.look_for_events(before, t) {
                Ok(ended) => ended,
                Err(failure) => {
                    return Pause::Error(RunError::after_failure(t, 0.0, failure));
                }
            };
            let end = self.record.ended_at.as_ref().map_or(t, |(t, _)| *t);
            let written = self.write_output(before, t, end, observer);
            if let Err(failure) = written.and_then(|()| self.show_inside(before, end, observer)) {
                return Pause::Error(RunError::after_failure(t, 0.0, failure));
            }
            self.watch();
            if let Some(name) = ended {
                return Pause::Stop(Stop::Event(name));
            }
            let state = self.outward(self.driver.stepper.state());
            let view = View {
                t,
                y: &state,
                h: t - before,
                energy_error: self.record.invariants.energy.1 - self.record.invariants.energy.0,
                invariants: &self.record.invariants,
                statistics: &self.driver.count,
            };
            if !observer.step(&view) {
                return Pause::Stop(Stop::Observer);
            }
            let due = snapshot_every.is_some_and(|every| self.driver.count.accepted.is_multiple_of(every));
            if due && observer.wants_snapshot() {
                return Pause::Snapshot;
            }
        }
        Pause::Stop(Stop::End)
    }

    fn put(&mut self, t: f64, y: &[f64], observer: &mut dyn Observer) {
        let y = self.outward(y);
        observer.output(t, &y);
        if self.keep_output {
            self.record.trajectory.push(t, &y);
        }
    }

    /// Output of the step from `before` to `t`, as far as `end`.
    fn write_output(
        &mut self,
        before: f64,
        t: f64,
        end: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepFailure> {
        let mut y = std::mem::take(&mut self.sampled);
        match self.output {
            Output::End => {}
            Output::Steps => {
                match &self.record.ended_at {
                    Some((_, state)) => y.copy_from_slice(state),
                    None => self.driver.give_away(&mut y),
                }
                self.put(end, &y, observer);
            }
            Output::Times(_) | Output::Samples { .. } | Output::Every { .. } => {
                let forward = t > before;
                while let Some(time) = self.output.time(self.next_output) {
                    let due = if forward { time <= end } else { time >= end };
                    if !due {
                        break;
                    }
                    self.next_output += 1;
                    if time == t {
                        self.driver.give_away(&mut y);
                    } else {
                        self.driver.stepper.sample(
                            (time - before) / (t - before),
                            &mut y,
                            &mut self.driver.count,
                        )?;
                    }
                    self.put(time, &y, observer);
                }
            }
        }
        self.sampled = y;
        Ok(())
    }

    /// Shows an observer the step from `before` as far as `end`, at the places that it asked for.
    fn show_inside(&mut self, before: f64, end: f64, observer: &mut dyn Observer) -> Result<(), StepFailure> {
        let (count, t) = (self.driver.count, self.driver.stepper.time());
        let mut y = std::mem::take(&mut self.sampled);
        for &place in observer.places() {
            let time = if place == 1.0 { end } else { before + place * (end - before) };
            if time == t {
                self.driver.give_away(&mut y);
            } else {
                let theta = (time - before) / (t - before);
                self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)?;
            }
            observer.inside(time, &self.outward(&y));
        }
        self.sampled = y;
        self.driver.count = count;
        Ok(())
    }

    /// Where events happen inside the step, and which.
    fn crossings(&mut self, before: f64, t: f64) -> Vec<(f64, usize)> {
        let mut found = Vec::new();
        let mut y = std::mem::take(&mut self.sampled);
        for (k, event) in self.events.iter().enumerate() {
            let stepper = &self.driver.stepper;
            let mut value = |theta: f64| {
                stepper.interpolate(theta, &mut y);
                event.value(before + theta * (t - before), &self.outward(&y))
            };
            let mut low = (0.0, self.event_values[k]);
            for place in 1..=EVENT_PLACES {
                let theta = place as f64 / EVENT_PLACES as f64;
                let at_theta =
                    if place == EVENT_PLACES { event.value(t, &self.state()) } else { value(theta) };
                if event.crosses(low.1, at_theta) {
                    let inside = locate(|x| value(low.0 + x * (theta - low.0)), low.1, at_theta);
                    found.push((low.0 + inside * (theta - low.0), k));
                }
                low = (theta, at_theta);
            }
        }
        self.sampled = y;
        found
    }

    /// Locates events inside the step; the name of the first one that ends the run.
    fn look_for_events(&mut self, before: f64, t: f64) -> Result<Option<String>, StepFailure> {
        if self.events.is_empty() {
            return Ok(None);
        }
        self.driver.stepper.prepare_interpolation(&mut self.driver.count)?;
        let mut found = self.crossings(before, t);
        if !found.is_empty() {
            self.driver.stepper.refine_interpolation(&mut self.driver.count)?;
            found = self.crossings(before, t);
        }
        let state = self.state();
        for (value, event) in self.event_values.iter_mut().zip(self.events) {
            *value = event.value(t, &state);
        }
        let mut y = std::mem::take(&mut self.sampled);
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ended = None;
        for (theta, k) in found {
            self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)?;
            let at = before + theta * (t - before);
            self.event_counts[k] += 1;
            let event = &self.events[k];
            let state = self.outward(&y).into_owned();
            self.record.crossings.push(Crossing { event: event.name().to_owned(), t: at, y: state });
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
        let state = self.outward(self.driver.stepper.state());
        let (t, (q, v, _)) = (self.driver.stepper.time(), self.layout().split(&state));
        match system {
            Watched::Mechanical(system) => system.energy(t, q, v).map(|energy| energy.total()),
            Watched::Partitioned(system) => {
                system.energy(t, q, v).map(|energy| energy.map_or(0.0, |energy| energy.total()))
            }
        }
    }

    /// The residuals of the constraints; those of a mechanism that is seen as a first-order system are its own.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        let (mechanical, watched) = (self.driver.stepper.layout().is_mechanical(), self.watched);
        let Some(Watched::Mechanical(system)) = watched.filter(|_| !mechanical) else {
            return self.driver.stepper.residuals();
        };
        let t = self.driver.stepper.time();
        let state = self.state();
        let (q, v, _) = self.layout().split(&state);
        let constraints = &system.structure().constraints;
        let mut rows = vec![0.0; constraints.len()];
        let largest = |rows: &[f64]| {
            let rigid = rows.iter().zip(constraints).filter(|(_, c)| c.compliance() == 0.0);
            error_norm::largest(rigid.map(|(row, _)| *row))
        };
        system.constraint(t, q, &mut rows)?;
        let position = largest(&rows);
        system.constraint_rate(t, q, v, &mut rows)?;
        Ok([position, largest(&rows), 0.0])
    }

    /// Keeps the maxima of residuals and energy error.
    fn watch(&mut self) {
        if self.watched.is_none() {
            return;
        }
        if let Ok(residuals) = self.residuals() {
            for (largest, residual) in self.record.invariants.residuals.iter_mut().zip(residuals) {
                *largest = larger(*largest, residual);
            }
        }
        if let Ok(energy) = self.energy() {
            let invariants = &mut self.record.invariants;
            invariants.energy.1 = energy;
            invariants.energy_error = larger(invariants.energy_error, (energy - invariants.energy.0).abs());
        }
    }
}
