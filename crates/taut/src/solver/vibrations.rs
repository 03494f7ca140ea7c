//! Stiff springs under methods that have to follow their vibrations.

use super::Solver;
use super::target::Target;
use crate::error::Error;
use crate::method::{Meeting, Method, Scheme, TAKE_SPRINGS_ALONG};
use crate::options::Vibrations;
use crate::springs::{FastestSpring, fastest_spring};

impl Solver<'_> {
    /// The vibrations of stiff springs that the method has to follow: a warning, or an error when they take more steps than
    /// are allowed.
    pub(super) fn vibrations_to_follow(
        &self,
        target: &Target<'_>,
        method: &Method,
        (t, until, y): (f64, f64, &[f64]),
    ) -> Result<Option<String>, Error> {
        let Target::Mechanical(system) = target else { return Ok(None) };
        let asked = self.options.vibrations == Vibrations::Follow;
        let able = Meeting::takes_springs_along(method).is_ok();
        let implicit = !method.scheme().is_explicit() && !matches!(method.scheme(), Scheme::Spark(_));
        let damped = self.options.vibrations == Vibrations::Damp && implicit;
        if self.options.constant_step.is_some() || damped || (able && !asked) {
            return Ok(None);
        }
        let Some(spring) = fastest_spring(*system, &self.options, t, y) else { return Ok(None) };
        let FastestSpring { name, period, longest_step } = spring;
        let (method, most_steps) = (method.name(), self.options.most_steps);
        let steps = (until - t).abs() / longest_step;
        let instead = if able { "other vibrations than 'follow'" } else { TAKE_SPRINGS_ALONG };
        if steps > most_steps as f64 {
            let instead = instead.to_owned();
            return Err(Error::Vibrations { method, spring: name, period, steps, most_steps, instead });
        }
        Ok((!asked).then(|| {
            format!(
                "{method} follows the vibrations of '{name}', whose period is {period:.2e}: it takes about {steps:.1e} \
                 steps; {instead} would take stiff springs along in smooth motion"
            )
        }))
    }
}
