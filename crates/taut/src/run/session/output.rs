//! What is written of a run.

use super::Session;
use crate::failure::StepFailure;
use crate::motion::{Inside, Statistics};
use crate::run::observer::Observer;
use crate::run::output::Output;

impl Session<'_, '_> {
    /// Records the start; a run that was resumed has recorded it before.
    pub(crate) fn begin(&mut self, observer: &mut dyn Observer, resumed: bool) {
        let (t, y) = (self.driver.stepper.time(), self.driver.stepper.state().to_vec());
        match self.plan.output {
            Output::End => {}
            Output::Steps if resumed => {}
            // A change of equations alone leaves the state as it was.
            Output::Steps if self.changed.as_ref().is_some_and(|changed| changed.silent) => {}
            Output::Steps => self.put(t, &y, observer),
            Output::Times(_) | Output::Samples { .. } | Output::Every { .. } => {
                let until = self.until;
                let behind = |time: &f64| (time - t) * (until - t) < 0.0 || *time == t;
                while let Some(time) = self.plan.output.time(self.next_output).filter(behind) {
                    self.next_output += 1;
                    if time == t && !resumed {
                        self.put(t, &y, observer);
                    }
                }
            }
        }
        let outward = self.outward(t, &y).into_owned();
        if let Some((values, offsets)) = self.restored.take() {
            (self.event_values, self.event_offsets) = (values, offsets);
        } else if self.changed.is_some() {
            self.begin_phase(t, &outward, observer);
            return self.watch();
        } else {
            self.begin_phase(t, &outward, observer);
        }
        if !observer.places().is_empty() {
            observer.inside(t, &outward);
        }
        if !resumed {
            self.began.1 = outward;
        }
        if let Ok(energy) = self.energy() {
            self.record.invariants.energy = (energy, energy);
        }
        self.watch();
    }

    fn put(&mut self, t: f64, y: &[f64], observer: &mut dyn Observer) {
        let y = self.outward(t, y);
        observer.output(t, &y);
        if self.plan.keep_output {
            self.record.trajectory.push(t, &y);
        }
    }

    /// Output of the step from `before` to `t`, as far as `end`.
    pub(super) fn write_output(
        &mut self,
        before: f64,
        t: f64,
        end: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepFailure> {
        let mut y = std::mem::take(&mut self.sampled);
        match self.plan.output {
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
                while let Some(time) = self.plan.output.time(self.next_output) {
                    let due = if forward { time <= end } else { time >= end };
                    if !due {
                        break;
                    }
                    self.next_output += 1;
                    if time == t {
                        self.driver.give_away(&mut y);
                    } else {
                        // What is only looked at is no work of the integration.
                        let theta = (time - before) / (t - before);
                        self.driver.stepper.sample(theta, &mut y, &mut Statistics::default())?;
                    }
                    self.put(time, &y, observer);
                }
            }
        }
        self.sampled = y;
        Ok(())
    }

    /// Shows an observer the step from `before` as far as `end`, at the places that it asked for.
    pub(super) fn show_inside(
        &mut self,
        before: f64,
        end: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepFailure> {
        let places = observer.places();
        self.look_inside(before, end, places, |time, y| observer.inside(time, y))
    }

    /// Keeps what is inside the step from `before`, as far as `end`.
    pub(super) fn keep_inside(&mut self, before: f64, end: f64) -> Result<(), StepFailure> {
        let mut states = Vec::new();
        self.look_inside(before, end, &Inside::places(), |_, y| states.extend_from_slice(y))?;
        self.record.inside.push(before, end, states);
        Ok(())
    }

    /// Calls `look` with times and states at places of the last step as far as `end`; that is not counted as work.
    fn look_inside(
        &mut self,
        before: f64,
        end: f64,
        places: &[f64],
        mut look: impl FnMut(f64, &[f64]),
    ) -> Result<(), StepFailure> {
        let (count, t) = (self.driver.count, self.driver.stepper.time());
        let mut y = std::mem::take(&mut self.sampled);
        for &place in places {
            let time = if place == 1.0 { end } else { before + place * (end - before) };
            if time == t {
                self.driver.give_away(&mut y);
            } else {
                let theta = (time - before) / (t - before);
                self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)?;
            }
            look(time, &self.outward(time, &y));
        }
        self.sampled = y;
        self.driver.count = count;
        Ok(())
    }
}
