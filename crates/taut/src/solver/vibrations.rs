//! Stiff springs under methods that have to follow their vibrations, and vibrations that are averaged.

use super::Solver;
use super::target::Target;
use crate::error::Error;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::method::{Meeting, Method, Scheme, TAKE_SPRINGS_ALONG};
use crate::motion::Statistics;
use crate::options::Vibrations;
use crate::springs::averaged::AveragedVibrations;
use crate::springs::{FastestSpring, fastest_spring};
use crate::start::{ConsistentStart, StartError, consistent_start_with_gap};
use crate::system::MechanicalSystem;

impl Solver<'_> {
    /// The system with the potential of its vibrations, where they are to be averaged; the start is moved onto smooth motion.
    pub(super) fn averaged<'s>(
        &self,
        system: &'s dyn MechanicalSystem,
        (t, begins): (f64, bool),
        start: &mut ConsistentStart,
    ) -> Result<Option<AveragedVibrations<'s>>, Error> {
        let springs = system.structure().constraints.iter().any(|constraint| constraint.compliance() > 0.0);
        if self.options.vibrations != Vibrations::Averaged || !springs {
            return Ok(None);
        }
        Meeting::takes_springs_along(&self.method)?;
        if !begins {
            let reason = "after an event it is not known how springs vibrate that are averaged".to_owned();
            return Err(StartError::NoSmoothMotion { reason }.into());
        }
        let (linear, mut count) = (self.options.linear, Statistics::default());
        let (mut q, mut v) = (start.q.clone(), start.v.clone());
        let mut manifold = Manifold::new(system, linear);
        manifold.follow_springs(|_| false);
        let unsmooth = |failure: StepFailure| StartError::NoSmoothMotion { reason: failure.to_string() };
        manifold.begin_smoothly(t, &mut q, &mut v, &mut count).map_err(unsmooth)?;
        let averaged = AveragedVibrations::of(system, t, (&start.q, &start.v), (&q, &v), linear);
        let averaged = averaged.map_err(StartError::from)?;
        *start = consistent_start_with_gap(&averaged, t, (&q, &v), self.options.accept_gap, linear)?;
        Ok(Some(averaged))
    }

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
