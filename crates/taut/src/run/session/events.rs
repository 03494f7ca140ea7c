//! Events inside the last step.

mod separation;

use super::{Interruption, Session};
use crate::error::RunError;
use crate::failure::StepFailure;
use crate::motion::Crossing;
use crate::run::event::{Event, locate};
use separation::places;

/// Sign changes are looked for at so many places inside a step,
const EVENT_PLACES: usize = 4;
/// and where a series of this degree says so, when a step has no degree of its own. States that have to be made consistent for an
/// event of multipliers are too dear for that; an event that has just happened begins in rounding errors.
const USUAL_DEGREE: usize = 12;
/// Events whose times differ by so many rounding errors happen at the same time.
const SAME_TIME: f64 = 8.0 * f64::EPSILON;

/// Where an event happens inside a step: the last place before it and the first one behind it.
#[derive(Clone, Copy, Debug)]
struct Found {
    places: [f64; 2],
    event: usize,
}

impl Session<'_, '_> {
    /// Where events happen inside the step, and which.
    fn crossings(&mut self, before: f64, t: f64) -> Result<Vec<Found>, StepFailure> {
        let mut found = Vec::new();
        for (k, event) in self.plan.events.iter().enumerate().filter(|(_, event)| !event.is_idle()) {
            let exact = self.asks_for_multipliers(event);
            // In the first step of a phase an event that has just happened counts from where it began.
            let offset = self.event_offsets[k];
            let mut failure = None;
            let mut value = |session: &mut Self, theta: f64| {
                let value = session.value_inside(event, theta, (before, t), exact);
                value.map(|value| value - offset).unwrap_or_else(|error| {
                    failure.get_or_insert(error);
                    f64::NAN
                })
            };
            let mut low = (0.0, self.event_values[k]);
            let evenly = (1..=EVENT_PLACES).map(|place| place as f64 / EVENT_PLACES as f64);
            let mut looked_at: Vec<f64> = evenly.collect();
            let usual = (!exact && offset == 0.0).then_some(USUAL_DEGREE);
            if let Some(degree) = self.driver.stepper.degree_inside().or(usual) {
                looked_at.extend(places(degree + 1, |theta| value(self, theta)));
                looked_at.sort_unstable_by(f64::total_cmp);
                looked_at.dedup();
            }
            for theta in looked_at {
                let at_theta =
                    if theta == 1.0 { event.value(t, &self.state()) - offset } else { value(self, theta) };
                if event.crosses(low.1, at_theta) {
                    let inside = locate(|x| value(self, low.0 + x * (theta - low.0)), low.1, at_theta);
                    let places = inside.map(|place| low.0 + place * (theta - low.0));
                    found.push(Found { places, event: k });
                }
                low = (theta, at_theta);
            }
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        self.look_again(&mut found, (before, t))?;
        Ok(found)
    }

    /// Where the step goes on beyond an event that ends a phase, another one may have crossed zero and come back: what counts is the
    /// value where the phase ends.
    fn look_again(&mut self, found: &mut Vec<Found>, (before, t): (f64, f64)) -> Result<(), StepFailure> {
        let acting = found.iter().filter(|found| self.plan.events[found.event].ends_phase());
        let Some(end) = acting.map(|found| found.places[1]).min_by(f64::total_cmp) else { return Ok(()) };
        for (k, event) in self.plan.events.iter().enumerate().filter(|(_, event)| !event.is_idle()) {
            let low = self.event_values[k];
            if found.iter().any(|found| found.event == k && found.places[1] <= end) {
                continue;
            }
            let (exact, offset) = (self.asks_for_multipliers(event), self.event_offsets[k]);
            let at_end = self.value_inside(event, end, (before, t), exact)? - offset;
            if !event.crosses(low, at_end) {
                continue;
            }
            let mut value = |theta: f64| {
                let value = self.value_inside(event, theta, (before, t), exact);
                value.map_or(f64::NAN, |value| value - offset)
            };
            // One that has just happened begins in rounding errors: it is located from the last place at which it has left them.
            let mut low = (0.0, low);
            for place in 1..EVENT_PLACES {
                let theta = end * place as f64 / EVENT_PLACES as f64;
                let at_theta = value(theta);
                if event.crosses(at_theta, at_end) {
                    low = (theta, at_theta);
                }
            }
            let places = locate(|x| value(low.0 + x * (end - low.0)), low.1, at_end);
            let places = places.map(|place| low.0 + place * (end - low.0));
            found.retain(|found| found.event != k);
            found.push(Found { places, event: k });
        }
        Ok(())
    }

    /// The value of an event inside the step: of the interpolation, or of the exact state there. What is interpolated is smooth,
    /// but of the multipliers only the order is right.
    fn value_inside(
        &mut self,
        event: &Event<'_>,
        theta: f64,
        (before, t): (f64, f64),
        exact: bool,
    ) -> Result<f64, StepFailure> {
        let mut y = std::mem::take(&mut self.sampled);
        let sampled = if exact {
            self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)
        } else {
            self.driver.stepper.interpolate(theta, &mut y);
            Ok(())
        };
        let at = before + theta * (t - before);
        let value = event.value(at, &self.outward(at, &y));
        self.sampled = y;
        sampled.map(|()| value)
    }

    /// Whether an event is a function of multipliers, too: whether it is undefined without them.
    fn asks_for_multipliers(&self, event: &Event<'_>) -> bool {
        let mut state = self.state();
        let multipliers = self.layout().split(&state).2.len();
        let first = state.len() - multipliers;
        state[first..].fill(f64::NAN);
        event.value(self.driver.stepper.time(), &state).is_nan()
    }

    /// Locates events inside the step; the name of the first one that ends the run or the phase.
    pub(super) fn look_for_events(&mut self, before: f64, t: f64) -> Result<Option<String>, Interruption> {
        if self.plan.events.is_empty() {
            return Ok(None);
        }
        let inside = |failure| RunError::of_failure(t, failure, |cause| RunError::Inside { t, cause });
        self.driver.stepper.prepare_interpolation(&mut self.driver.count).map_err(inside)?;
        let mut found = self.crossings(before, t).map_err(inside)?;
        if !found.is_empty() {
            self.driver.stepper.refine_interpolation(&mut self.driver.count).map_err(inside)?;
            found = self.crossings(before, t).map_err(inside)?;
        }
        let state = self.state();
        for (k, event) in self.plan.events.iter().enumerate().filter(|(_, event)| !event.is_idle()) {
            let now = event.value(t, &state);
            self.event_scales[k] = self.event_values[k].abs().max(now.abs());
            self.event_values[k] = now;
            self.event_offsets[k] = 0.0;
        }
        found.sort_by(|a, b| a.places[1].total_cmp(&b.places[1]).then(a.event.cmp(&b.event)));
        if found.is_empty() {
            return Ok(None);
        }
        let mut y = self.sampled.clone();
        self.follow_events(&found, (before, t), &mut y)
    }

    /// Records events in the order they happen, until one ends the run or the phase.
    fn follow_events(
        &mut self,
        found: &[Found],
        (before, t): (f64, f64),
        y: &mut [f64],
    ) -> Result<Option<String>, Interruption> {
        let inside = |failure| RunError::of_failure(t, failure, |cause| RunError::Inside { t, cause });
        let time = |place: f64| before + place * (t - before);
        for (number, first) in found.iter().enumerate() {
            let event = &self.plan.events[first.event];
            if !event.ends_phase() {
                let at = time(first.places[1]);
                self.driver.stepper.sample(first.places[1], y, &mut self.driver.count).map_err(inside)?;
                if self.happens(first.event, at, y)? {
                    self.record.ended_at = Some((at, y.to_vec()));
                    return Ok(Some(event.name().to_owned()));
                }
                continue;
            }
            // What acts does so before the value changes its sign: what it sets then begins on the side where it was.
            let (place, mut at) = (first.places[0], time(first.places[0]));
            self.driver.stepper.sample(place, y, &mut self.driver.count).map_err(inside)?;
            if self.driver.stepper.is_rough_inside() {
                at = self.step_to_event(first, (before, t), y).unwrap_or(at);
            }
            let near = SAME_TIME * t.abs().max(before.abs());
            let located = time(first.places[1]);
            let together =
                found[number..].iter().take_while(|other| (time(other.places[1]) - located).abs() <= near);
            let mut together: Vec<usize> = together.map(|other| other.event).chain([first.event]).collect();
            together.sort_unstable();
            together.dedup();
            self.record.ended_at = Some((at, y.to_vec()));
            let mut ended = None;
            for &k in &together {
                if self.happens(k, at, y)? {
                    ended = Some(self.plan.events[k].name().to_owned());
                }
            }
            // An event that ends the run does so before anything changes.
            if ended.is_none() {
                self.acted = together.into_iter().filter(|&k| self.plan.events[k].ends_phase()).collect();
            }
            return Ok(ended.or_else(|| Some(event.name().to_owned())));
        }
        Ok(None)
    }

    /// Steps to an event from where the last step began, where interpolation is rougher than rounding; when it happens. Nothing
    /// where a step does not lead there.
    fn step_to_event(&mut self, found: &Found, (before, t): (f64, f64), y: &mut [f64]) -> Option<f64> {
        /// Slopes are differences over this share of a step.
        const NEAR: f64 = 1e-3;
        let (k, place) = (found.event, found.places[0]);
        let near = [(place - NEAR).max(0.0), (place + NEAR).min(1.0)];
        let event = &self.plan.events[k];
        let [low, high] = near.map(|at| self.value_inside(event, at, (before, t), false).ok());
        let slope = (high? - low?) / ((near[1] - near[0]) * (t - before));
        let mut at = before + place * (t - before);
        self.steppers.keep_following(self.driver.followed_springs());
        for correction in [true, false] {
            let mut driver = self.steppers.driver(before, &self.before_step, self.driver.count).ok()?;
            let taken = at != before && driver.stepper.attempt(at, &mut driver.count).is_ok();
            if !taken || driver.stepper.accept(&mut driver.count).is_err() {
                return None;
            }
            self.driver.count = driver.count;
            let value = event.value(at, &self.outward(at, driver.stepper.state()));
            let better = at - value / slope;
            if correction && better.is_finite() && (better - at).abs() <= NEAR * (t - before).abs() {
                at = better;
            } else {
                y.copy_from_slice(driver.stepper.state());
            }
        }
        Some(at)
    }

    /// Records and counts an event; whether it ends the run.
    fn happens(&mut self, k: usize, at: f64, y: &[f64]) -> Result<bool, RunError> {
        let event = &self.plan.events[k];
        let state = if event.may_be_heard() { self.outward(at, y).into_owned() } else { Vec::new() };
        let heard = event.may_be_heard() && event.is_heard(at, &state);
        if event.may_be_heard() && !heard {
            return Ok(false);
        }
        self.tallies[k].count(at, event.most_at_a_time());
        if let (Some(times), Some(within)) = (event.most_at_a_time(), self.tallies[k].span())
            && within <= self.no_time(at)
        {
            let event = event.name().to_owned();
            return Err(RunError::TooManyEvents { t: at, event, times, within });
        }
        if heard {
            self.record.crossings.push(Crossing { event: event.name().to_owned(), t: at, y: state });
        }
        Ok(event.ends(self.tallies[k].count))
    }
}
