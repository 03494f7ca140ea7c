//! How long the first step is.

use super::error_norm::{Scales, root_mean, weighted_square};
use crate::equations::Layout;

/// The state where a run begins, and its derivative.
pub(crate) struct Start<'a> {
    pub(crate) scales: &'a Scales,
    pub(crate) layout: &'a Layout,
    pub(crate) y: &'a [f64],
    pub(crate) rate: &'a [f64],
}

/// A motion that begins at rest is trusted to be as slow as its accelerations up to so many times the usual first step.
const FROM_REST: f64 = 100.0;
/// Along it accelerations may change by this share of what they are.
const MOST_CHANGE: f64 = 0.5;

impl Start<'_> {
    /// A first step from the sizes of the state and of its derivatives (Hairer, Nørsett and Wanner, section II.4): an Euler
    /// step may change the state by 1 percent, and an error of the size of the derivatives times h^power shall stay below
    /// `tolerance`. At rest velocities have no size: there the time in which accelerations change positions counts.
    pub(crate) fn first_step(&self, tolerance: f64, power: f64, span: f64) -> f64 {
        let derivatives = self.size_of_derivatives();
        let accurate = if derivatives <= 1e-15 {
            1e-3 * span.abs()
        } else {
            (tolerance / derivatives).powf(1.0 / power)
        };
        let usual = accurate.min(100.0 * self.euler_step(span));
        let from_rest = self.time_scale().map_or(usual, |time| time * tolerance.powf(1.0 / power));
        from_rest.min(FROM_REST * usual).max(usual).min(span.abs()).copysign(span)
    }

    /// The same where forces change with time by themselves, which the derivative at the start does not show:
    /// `rate_later(h, rate)` is to find that of the same state a time h later, and to return false where it cannot.
    pub(crate) fn first_step_in_time(
        &self,
        tolerance: f64,
        power: f64,
        span: f64,
        rate_later: impl FnOnce(f64, &mut [f64]) -> bool,
    ) -> f64 {
        let first = self.first_step(tolerance, power, span);
        let later = self.euler_step(span).min(span.abs()).copysign(span);
        let mut rate = self.rate.to_vec();
        if later == 0.0 || !rate_later(later, &mut rate) {
            return first;
        }
        rate.iter_mut().zip(self.rate).for_each(|(after, before)| *after = (*after - before) / later);
        let accurate = (tolerance / self.norm(&rate)).powf(1.0 / power);
        first.abs().min(accurate).copysign(span)
    }

    /// A first step from rest in which accelerations do not change much, as `rate_at(h, state, rate)` finds them where they would take
    /// the state: a weight that starts at rest on a spring, far from the origin, is faster than √(|q|/|a|), and the terms of odd order
    /// that error estimates would see vanish there.
    pub(crate) fn first_step_along(
        &self,
        first: f64,
        rate_at: impl FnOnce(f64, &mut [f64], &mut [f64]) -> bool,
    ) -> f64 {
        let (q, v) = (self.layout.q(), self.layout.v());
        let a = &self.rate[v.clone()];
        let size = self.norm_of_velocities(a);
        let at_rest = self.norm_of_velocities(&self.y[v.clone()]) <= first.abs() * size;
        if v.is_empty() || size == 0.0 || !at_rest {
            return first;
        }
        let (mut y, mut rate) = (self.y.to_vec(), self.rate.to_vec());
        for ((q, v), a) in q.zip(v.clone()).zip(a) {
            y[q] += first * (y[v] + 0.5 * first * a);
            y[v] += first * a;
        }
        if !rate_at(first, &mut y, &mut rate) {
            return first;
        }
        rate[v.clone()].iter_mut().zip(a).for_each(|(after, before)| *after -= before);
        let change = self.norm_of_velocities(&rate[v]) / size;
        if change > MOST_CHANGE { first * (MOST_CHANGE / change).sqrt() } else { first }
    }

    fn norm(&self, x: &[f64]) -> f64 {
        root_mean(weighted_square(x, self.scales.inverse()), x.len())
    }

    fn norm_of_velocities(&self, v: &[f64]) -> f64 {
        root_mean(weighted_square(v, &self.scales.inverse()[self.layout.v()]), v.len())
    }

    /// The second derivative of positions is known: it is the rate of the velocities.
    fn size_of_derivatives(&self) -> f64 {
        self.norm(self.rate).max(self.norm(&self.rate[self.layout.v()]))
    }

    /// The time in which positions change, |q|/|v| or √(|q|/|a|), where there are velocities and something moves; in the norm
    /// of the tolerances, as all errors (springs are compared with the motion by largest entries, which have no tolerance).
    fn time_scale(&self) -> Option<f64> {
        let (v, a) = (self.norm(&self.y[self.layout.v()]), self.norm(&self.rate[self.layout.v()]));
        let q = self.norm(&self.y[self.layout.q()]);
        Some((q / v).min((q / a).sqrt())).filter(|time| time.is_finite())
    }

    /// An Euler step that changes the state by 1 percent.
    fn euler_step(&self, span: f64) -> f64 {
        let (state, rate) = (self.norm(&self.y[..self.layout.differential()]), self.norm(self.rate));
        if state < 1e-5 || rate < 1e-5 { 1e-6 * span.abs() } else { 0.01 * state / rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 1e-6;
    const POWER: f64 = 8.0;

    /// The first steps towards a later and an earlier time of one body at `y` = (q, v), with `rate_later`.
    fn steps(y: [f64; 2], a: f64, span: f64, rate_later: impl Fn(f64, &mut [f64]) -> bool) -> [f64; 2] {
        let (layout, rate) = (Layout::mechanical(1, 0), [y[1], a]);
        let mut scales = Scales::new(TOLERANCE, TOLERANCE, y.len());
        scales.set(&y);
        let start = Start { scales: &scales, layout: &layout, y: &y, rate: &rate };
        [span, -span].map(|span| start.first_step_in_time(TOLERANCE, POWER, span, &rate_later))
    }

    #[test]
    fn a_motion_from_rest_has_the_time_scale_of_its_acceleration() {
        let [step, back] = steps([1.0, 0.0], 1e4, 10.0, |_, _| false);
        assert_eq!(step, -back);
        let time_scale = 1e-2;
        assert!((step / (time_scale * TOLERANCE.powf(1.0 / POWER)) - 1.0).abs() < 1e-12, "{step}");
    }

    #[test]
    fn a_force_that_changes_with_time_shortens_the_first_step() {
        let jerk = 1e6;
        let forced = |h: f64, rate: &mut [f64]| {
            rate[1] += jerk * h;
            true
        };
        let [alone, _] = steps([1.0, 1.0], 0.0, 10.0, |_, _| true);
        let [step, back] = steps([1.0, 1.0], 0.0, 10.0, forced);
        assert_eq!(step, -back);
        assert!(step < 0.5 * alone, "{step} {alone}");
    }

    #[test]
    fn a_spring_far_from_the_origin_shortens_the_first_step_from_rest() {
        let (layout, y, omega) = (Layout::mechanical(1, 0), [5.0, 0.0], 20.0_f64);
        let acceleration = |q: f64| -omega * omega * (q - 5.01);
        let rate = [0.0, acceleration(y[0])];
        let mut scales = Scales::new(TOLERANCE, TOLERANCE, y.len());
        scales.set(&y);
        let start = Start { scales: &scales, layout: &layout, y: &y, rate: &rate };
        let first = start.first_step(TOLERANCE, POWER, 1.0);
        let along = start.first_step_along(first, |_, y, rate| {
            rate[1] = acceleration(y[0]);
            true
        });
        assert!(first * omega > 2.0, "{first}");
        assert!((along * omega - 1.0).abs() < 1e-12, "{along}");
        assert_eq!(start.first_step_along(first, |_, _, _| false), first);
    }

    #[test]
    fn first_steps_are_no_longer_than_asked_and_lead_somewhere() {
        let values = [0.0, 1e-100, 1e-3, 1.0, 1e8, 1e100];
        let states = values.into_iter().flat_map(|q| values.map(|v| [q, v]));
        for (y, a) in states.flat_map(|y| values.map(|a| (y, a))) {
            for step in steps(y, a, 2.0, |_, _| true).map(f64::abs) {
                assert!(step > 0.0 && step <= 2.0, "{y:?} {a}: {step}");
            }
        }
    }

    #[test]
    fn a_state_that_is_no_number_gives_no_panic() {
        let steps = steps([f64::NAN, f64::NAN], f64::NAN, 1.0, |_, _| true);
        assert!(steps.iter().all(|step| step.abs() <= 1.0));
    }
}
