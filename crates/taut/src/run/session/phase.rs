//! Phases of a run: what one hands over to the next.

use std::collections::VecDeque;

use super::{Record, Session, Stiff};
use crate::motion::{Change, EventCount, Motion, Statistics, Stop};
use crate::run::observer::Observer;
use crate::snapshot::{Snapshot, SnapshotError};
use crate::start::ConsistentStart;

/// Time hardly goes on when it goes on by less than this share of what has passed.
const NO_TIME: f64 = 1e-9;
/// A value that is this share of what it was around an event is zero.
const ZERO: f64 = 1e-9;
/// A value that is this share of it may have either sign.
const ROUNDING: f64 = 1e-14;

/// How often an event has happened, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) count: usize,
    first: f64,
    last: f64,
    /// the last times, as many as are too many at a time
    recent: VecDeque<f64>,
    limit: usize,
}

impl Tally {
    /// It happens once more.
    pub(super) fn count(&mut self, t: f64, limit: Option<usize>) {
        if self.count == 0 {
            self.first = t;
        }
        self.count += 1;
        self.last = t;
        self.limit = limit.unwrap_or(0);
        if self.limit > 0 {
            self.recent.push_back(t);
            while self.recent.len() > self.limit {
                self.recent.pop_front();
            }
        }
    }

    /// The time in which it happened as often as is allowed; nothing when it did not.
    pub(super) fn span(&self) -> Option<f64> {
        let (first, last) = (self.recent.front()?, self.recent.back()?);
        (self.limit > 0 && self.recent.len() == self.limit).then(|| (last - first).abs())
    }
}

/// What a phase hands over to the next one.
pub(crate) struct Carried {
    record: Record,
    tallies: Vec<Tally>,
    /// the largest size of each event's value around the last step
    scales: Vec<f64>,
    /// the events that ended the phase
    acted: Vec<usize>,
    next_output: usize,
    warning: Option<String>,
    began: (f64, Vec<f64>),
    pub(crate) count: Statistics,
    pub(crate) stiff: Option<Stiff>,
    /// the springs whose vibrations are followed
    pub(crate) vibrating: Vec<String>,
    pub(crate) start: Option<ConsistentStart>,
    /// whether nothing but the equations changes
    silent: bool,
    /// the energy before the change
    energy: Option<f64>,
    motion: Box<Motion>,
}

impl Carried {
    /// The events that ended the phase, by number.
    pub(crate) fn acted(&self) -> &[usize] {
        &self.acted
    }

    /// When the phase ended.
    pub(crate) fn t(&self) -> f64 {
        self.motion.t
    }

    /// The state that it ended with.
    pub(crate) fn state(&self) -> &[f64] {
        &self.motion.y
    }

    /// What the run gives back when it does not go on.
    pub(crate) fn into_motion(self) -> Motion {
        let mut motion = *self.motion;
        motion.trajectory = self.record.trajectory;
        motion.inside = self.record.inside;
        motion.crossings = self.record.crossings;
        motion.changes = self.record.changes;
        motion.stop = Stop::Observer;
        motion.start = self.start;
        motion
    }
}

impl Session<'_, '_> {
    /// Whether the phase has ended, and not the run.
    pub(crate) fn ends_phase(&self) -> bool {
        !self.acted.is_empty() || self.rechooses
    }

    /// Whether the phase has ended for other constraints to be left out.
    pub(crate) fn rechooses(&self) -> bool {
        self.rechooses
    }

    /// Goes on from the phase before.
    pub(crate) fn carry_on(&mut self, carried: Option<Carried>) {
        let Some(carried) = carried else { return };
        let Carried { record, tallies, scales, acted, next_output, warning, began, energy, silent, .. } =
            carried;
        self.record = record;
        if tallies.len() == self.tallies.len() {
            (self.tallies, self.event_scales) = (tallies, scales);
        }
        self.next_output = next_output;
        self.warning = warning.or(self.warning.take());
        self.began = began;
        self.changed = Some(super::Changed { acted, energy, silent });
    }

    /// What the next phase needs of this one.
    pub(crate) fn hand_over(&mut self, start: Option<ConsistentStart>) -> Carried {
        let ended = self.record.ended_at.as_ref().map_or(self.time(), |(t, _)| *t);
        let redundant = self.redundant(ended, start.as_ref());
        let acted = std::mem::take(&mut self.acted);
        let silent = acted.iter().all(|&k| self.plan.events[k].is_silent());
        let record = Record { ended_at: self.record.ended_at.clone(), ..Record::default() };
        let mut record = std::mem::replace(&mut self.record, record);
        record.spring_spans.extend(self.driver.spring_spans());
        let began = self.began.clone();
        self.record.invariants = record.invariants;
        let energy = self.record.ended_at.clone().and_then(|(t, y)| self.energy_at(t, &y).ok());
        let mut motion = self.motion(Stop::Observer, start.clone());
        motion.redundant = redundant;
        motion.spring_spans.clone_from(&record.spring_spans);
        record.ended_at = None;
        Carried {
            record,
            tallies: self.tallies.clone(),
            scales: self.event_scales.clone(),
            acted,
            next_output: self.next_output,
            warning: motion.warning.clone(),
            began,
            count: self.driver.count,
            stiff: self.steppers.stiff(),
            vibrating: self.driver.followed_springs(),
            start,
            silent,
            energy,
            motion: Box::new(motion),
        }
    }

    /// A phase begins: events that have just happened leave by the side to which their values go, and what the change has done
    /// is recorded.
    pub(super) fn begin_phase(&mut self, t: f64, outward: &[f64], observer: &mut dyn Observer) {
        let changed = self.changed.take();
        let acted = changed.as_ref().map_or(&[][..], |changed| &changed.acted);
        for (k, event) in self.plan.events.iter().enumerate() {
            let value = event.value(t, outward);
            self.event_values[k] = value;
            let scale = self.event_scales[k];
            let (has_acted, is_rounding) = (acted.contains(&k), value.abs() <= ROUNDING * scale);
            if !(value == 0.0 || has_acted && value.abs() <= ZERO * scale || changed.is_some() && is_rounding)
            {
                continue;
            }
            let slope = event.slope_at(t, outward, self.plan.rates).unwrap_or(0.0);
            // One that has not happened yet may be about to.
            if has_acted || value == 0.0 || slope != 0.0 && !event.crosses(value, slope) {
                self.event_offsets[k] = value;
                self.event_values[k] = if slope == 0.0 { 0.0 } else { f64::MIN_POSITIVE.copysign(slope) };
            }
        }
        let Some(changed) = changed else { return };
        let energy = changed.energy.zip(self.energy().ok()).map_or(0.0, |(before, after)| after - before);
        self.record.invariants.by_events += energy;
        if changed.silent {
            return;
        }
        let name = |k: &usize| self.plan.events[*k].name().to_owned();
        let events = changed.acted.iter().map(name).collect();
        let change = Change { t, events, energy, impulses: self.plan.impulses.to_vec() };
        observer.changed(&change, outward);
        self.record.changes.push(change);
    }

    /// What counts as no time.
    pub(super) fn no_time(&self, t: f64) -> f64 {
        NO_TIME * (t - self.began.0).abs()
    }

    /// How often events have happened.
    pub(super) fn event_counts(&self) -> Vec<EventCount> {
        let heard = self.plan.events.iter().zip(&self.tallies);
        let heard = heard.filter(|(event, tally)| event.may_be_heard() && tally.count > 0);
        let count = |(event, tally): (&crate::run::Event<'_>, &Tally)| EventCount {
            name: event.name().to_owned(),
            count: tally.count,
            first: tally.first,
            last: tally.last,
        };
        heard.map(count).collect()
    }

    /// Everything that decides how the run goes on.
    pub(super) fn save(&mut self) -> Snapshot {
        let mut snapshot = self.driver.save();
        let numbers =
            |of: &dyn Fn(&Tally) -> Vec<f64>| self.tallies.iter().flat_map(of).collect::<Vec<f64>>();
        snapshot.put("events", &numbers(&|tally| vec![tally.count as f64, tally.first, tally.last]));
        snapshot.put(
            "events at a time",
            &numbers(&|tally| {
                [tally.limit as f64, tally.recent.len() as f64]
                    .into_iter()
                    .chain(tally.recent.iter().copied())
                    .collect()
            }),
        );
        let began = [self.began.0, self.record.invariants.by_events];
        snapshot.put("events left", &[&began[..], &self.event_values, &self.event_offsets].concat());
        snapshot.put("phase", self.plan.phase);
        Stiff::put(self.steppers.stiff(), &mut snapshot);
        snapshot
    }

    /// Goes on from a snapshot.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.driver.restore(snapshot)?;
        let length = |name: &str, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(SnapshotError::Length { name: name.to_owned(), found, expected }),
        };
        let counts = snapshot.get("events")?;
        length("events", counts.len(), 3 * self.tallies.len())?;
        let mut recent = snapshot.get("events at a time")?;
        for (tally, numbers) in self.tallies.iter_mut().zip(counts.chunks_exact(3)) {
            (tally.count, tally.first, tally.last) = (numbers[0] as usize, numbers[1], numbers[2]);
            let [limit, kept, rest @ ..] = recent else { return length("events at a time", recent.len(), 2) };
            let kept = (*kept as usize).min(rest.len());
            tally.limit = *limit as usize;
            tally.recent = rest[..kept].iter().copied().collect();
            recent = &rest[kept..];
        }
        let left = snapshot.get("events left")?;
        length("events left", left.len(), 2 + 2 * self.tallies.len())?;
        self.began.0 = left[0];
        self.record.invariants.by_events = left[1];
        let (values, offsets) = left[2..].split_at(self.tallies.len());
        self.restored = Some((values.to_vec(), offsets.to_vec()));
        self.until = self.plan.next_break(self.driver.stepper.time());
        Ok(())
    }
}
