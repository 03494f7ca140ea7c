//! Events: zeros of functions of the state.

use std::fmt;

/// Which crossings of zero count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// both
    #[default]
    Either,
    /// from negative to positive
    Rising,
    /// from positive to negative
    Falling,
}

type Function<'e> = Box<dyn Fn(f64, &[f64]) -> f64 + 'e>;
/// Of time, state and accelerations (or rates).
type Slope<'e> = Box<dyn Fn(f64, &[f64], &[f64]) -> f64 + 'e>;
/// Of time and state.
type Condition<'e> = Box<dyn Fn(f64, &[f64]) -> bool + 'e>;

/// A function of time and state vector, whose zeros are located to rounding.
pub struct Event<'e> {
    name: String,
    function: Function<'e>,
    direction: Direction,
    ends_after: Option<usize>,
    acts: bool,
    is_silent: bool,
    limit: Option<usize>,
    slope: Option<Slope<'e>>,
    reported_if: Option<Condition<'e>>,
    is_idle: bool,
}

impl<'e> Event<'e> {
    /// An event that is counted. The state vector is laid out as [`Layout`](crate::equations::Layout) says: (q, v, λ), or x.
    pub fn new(name: impl Into<String>, function: impl Fn(f64, &[f64]) -> f64 + 'e) -> Self {
        Event {
            name: name.into(),
            function: Box::new(function),
            direction: Direction::Either,
            ends_after: None,
            acts: false,
            is_silent: false,
            limit: None,
            slope: None,
            reported_if: None,
            is_idle: false,
        }
    }

    /// With each crossing a phase ends: the state or the equations change there, see [`Phases`](crate::Phases).
    pub fn acts(mut self) -> Self {
        self.acts = true;
        self
    }

    /// Crossings are neither recorded nor counted.
    pub fn silent(mut self) -> Self {
        self.is_silent = true;
        self
    }

    /// A silent event is recorded and counted where this holds: only the state says whether anybody is to hear of it.
    pub fn reported_if(mut self, condition: impl Fn(f64, &[f64]) -> bool + 'e) -> Self {
        self.reported_if = Some(Box::new(condition));
        self
    }

    /// It cannot happen in this phase and is not looked for; it is here since all phases have the same events.
    pub fn idle(mut self) -> Self {
        self.is_idle = true;
        self
    }

    /// A run ends where this happens so many times while the time hardly goes on.
    pub fn limit(mut self, crossings: usize) -> Self {
        self.limit = Some(crossings.max(2));
        self
    }

    /// How fast the value changes, as a function of time, state and accelerations (or rates). After a change it says to which
    /// side an event leaves that has just happened, where the value itself is rounding.
    pub fn slope(mut self, slope: impl Fn(f64, &[f64], &[f64]) -> f64 + 'e) -> Self {
        self.slope = Some(Box::new(slope));
        self
    }

    /// Only crossings in this direction count.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// The run ends with the first crossing.
    pub fn terminal(self) -> Self {
        self.ends_after(1)
    }

    /// The run ends with the crossing of this number.
    pub fn ends_after(mut self, crossings: usize) -> Self {
        self.ends_after = Some(crossings);
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn value(&self, t: f64, y: &[f64]) -> f64 {
        (self.function)(t, y)
    }

    /// How fast the value changes, where that is known.
    pub(crate) fn slope_at(&self, t: f64, y: &[f64], rates: &[f64]) -> Option<f64> {
        let slope = self.slope.as_ref().filter(|_| !rates.is_empty())?;
        Some(slope(t, y, rates)).filter(|slope| slope.is_finite())
    }

    /// Whether a phase ends with each crossing.
    pub(crate) fn ends_phase(&self) -> bool {
        self.acts
    }

    /// Whether nobody hears of it.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_silent
    }

    /// Whether it is not looked for.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Whether somebody may hear of it.
    pub(crate) fn may_be_heard(&self) -> bool {
        !self.is_silent || self.reported_if.is_some()
    }

    /// Whether somebody hears of it when it happens at this state.
    pub(crate) fn is_heard(&self, t: f64, y: &[f64]) -> bool {
        self.reported_if.as_ref().map_or(!self.is_silent, |condition| condition(t, y))
    }

    /// So many crossings at a time are too many.
    pub(crate) fn most_at_a_time(&self) -> Option<usize> {
        self.limit
    }

    /// Whether so many crossings end the run.
    pub(crate) fn ends(&self, crossings: usize) -> bool {
        self.ends_after.is_some_and(|limit| crossings >= limit)
    }

    pub(crate) fn crosses(&self, before: f64, after: f64) -> bool {
        let rising = before < 0.0 && after >= 0.0;
        let falling = before > 0.0 && after <= 0.0;
        match self.direction {
            Direction::Either => rising || falling,
            Direction::Rising => rising,
            Direction::Falling => falling,
        }
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("name", &self.name)
            .field("direction", &self.direction)
            .finish_non_exhaustive()
    }
}

/// The neighbouring places before and behind the zero of `value` between 0 and 1, where it has opposite signs, to rounding:
/// regula falsi with the Illinois modification, bisection when that is slow.
pub(crate) fn locate(mut value: impl FnMut(f64) -> f64, at_zero: f64, at_one: f64) -> [f64; 2] {
    let (mut low, mut high) = ((0.0, at_zero), (1.0, at_one));
    for iteration in 0..200 {
        let width = high.0 - low.0;
        if width <= 2.0 * f64::EPSILON {
            break;
        }
        let secant = high.0 - high.1 * width / (high.1 - low.1);
        let inside = secant > low.0 && secant < high.0 && iteration % 3 != 2;
        let middle = if inside { secant } else { low.0 + 0.5 * width };
        let at_middle = value(middle);
        if at_middle == 0.0 {
            return [middle; 2];
        }
        // The value behind may be zero.
        if (at_middle < 0.0) != (at_zero < 0.0) {
            high = (middle, at_middle);
            low.1 *= 0.5;
        } else {
            low = (middle, at_middle);
            high.1 *= 0.5;
        }
    }
    [low.0, high.0]
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn a_zero_at_the_end_is_found_there() {
        let [before, behind] = locate(|x| 1.0 - x * x * x, 1.0, 0.0);
        assert!(before > 1.0 - 1e-15 && behind == 1.0, "{before} {behind}");
    }
}
