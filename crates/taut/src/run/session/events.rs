//! Events inside the last step.

use super::Session;
use crate::failure::StepFailure;
use crate::motion::Crossing;
use crate::run::event::{Event, locate};

/// Sign changes are looked for at so many places inside a step.
const EVENT_PLACES: usize = 4;

impl Session<'_, '_> {
    /// Where events happen inside the step, and which.
    fn crossings(&mut self, before: f64, t: f64) -> Result<Vec<(f64, usize)>, StepFailure> {
        let mut found = Vec::new();
        for (k, event) in self.plan.events.iter().enumerate() {
            let exact = self.asks_for_multipliers(event);
            let mut failure = None;
            let mut value = |session: &mut Self, theta: f64| {
                session.value_inside(event, theta, (before, t), exact).unwrap_or_else(|error| {
                    failure.get_or_insert(error);
                    f64::NAN
                })
            };
            let mut low = (0.0, self.event_values[k]);
            for place in 1..=EVENT_PLACES {
                let theta = place as f64 / EVENT_PLACES as f64;
                let at_theta =
                    if place == EVENT_PLACES { event.value(t, &self.state()) } else { value(self, theta) };
                if event.crosses(low.1, at_theta) {
                    let inside = locate(|x| value(self, low.0 + x * (theta - low.0)), low.1, at_theta);
                    found.push((low.0 + inside * (theta - low.0), k));
                }
                low = (theta, at_theta);
            }
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        Ok(found)
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

    /// Locates events inside the step; the name of the first one that ends the run.
    pub(super) fn look_for_events(&mut self, before: f64, t: f64) -> Result<Option<String>, StepFailure> {
        if self.plan.events.is_empty() {
            return Ok(None);
        }
        self.driver.stepper.prepare_interpolation(&mut self.driver.count)?;
        let mut found = self.crossings(before, t)?;
        if !found.is_empty() {
            self.driver.stepper.refine_interpolation(&mut self.driver.count)?;
            found = self.crossings(before, t)?;
        }
        let state = self.state();
        for (value, event) in self.event_values.iter_mut().zip(self.plan.events) {
            *value = event.value(t, &state);
        }
        let mut y = std::mem::take(&mut self.sampled);
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ended = None;
        for (theta, k) in found {
            self.driver.stepper.sample(theta, &mut y, &mut self.driver.count)?;
            let at = before + theta * (t - before);
            self.event_counts[k] += 1;
            let event = &self.plan.events[k];
            let state = self.outward(at, &y).into_owned();
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
}
