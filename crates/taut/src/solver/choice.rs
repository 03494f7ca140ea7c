//! Which method `auto` takes, and why.

use super::prediction::series_pay;
use super::target::Target;
use crate::equations::Formulation;
use crate::error::Error;
use crate::geometry::Singularities;
use crate::method::{Meeting, Method, Scheme};
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::run::{Driver, Steppers, Stiff};
use crate::start::StartError;
use crate::step::{Crossing, MOST_VARIABLES, MechanicalStep};
use crate::system::MechanicalSystem;

/// The method of a run: the one that was asked for, or what `auto` takes.
pub(super) struct Chosen<'t, 'b> {
    target: &'t Target<'b>,
    options: &'t Options,
    method: Method,
    /// why, where it was chosen
    reason: Option<String>,
    automatic: bool,
    stiff: Option<Stiff>,
    /// springs whose vibrations are followed where the next stepper begins
    vibrating: Vec<String>,
}

impl<'t, 'b> Chosen<'t, 'b> {
    pub(super) fn new(
        target: &'t Target<'b>,
        method: &Method,
        options: &'t Options,
        stiff: Option<Stiff>,
    ) -> Self {
        let automatic = method.scheme() == Scheme::Auto;
        let (method, reason) = match (automatic, stiff) {
            (false, _) => (method.clone(), None),
            (true, None) => choose(target, options),
            (true, Some(stiff)) => choose_for_stiff_motion(target, stiff, &choose(target, options).0),
        };
        Chosen { target, options, method, reason, automatic, stiff, vibrating: Vec::new() }
    }

    /// What is integrated.
    pub(super) fn target(&self) -> &'t Target<'b> {
        self.target
    }

    /// The driver of a method at a state.
    pub(super) fn driver_of(
        &self,
        method: &Method,
        t: f64,
        y: &[f64],
        mut count: Statistics,
    ) -> Result<Driver<'b>, Error> {
        let stepper = self.target.stepper(method, self.options, (t, y, &self.vibrating), &mut count)?;
        let frame = self.target.mechanism().and_then(MechanicalSystem::frame);
        // Constant steps, of any formulation, ask why one was not taken.
        let looks = self.options.formulation == Formulation::Index3 || self.options.constant_step.is_some();
        let singularities = match self.target {
            Target::Mechanical(system) if looks => Singularities::of(*system),
            _ => None,
        };
        Ok(Driver::new(stepper, self.options, count, frame).expect_singularities(singularities))
    }

    /// The method in use.
    pub(super) fn method(&self) -> &Method {
        &self.method
    }
}

impl<'b> Steppers<'b> for Chosen<'_, 'b> {
    fn driver(&mut self, t: f64, y: &[f64], count: Statistics) -> Result<Driver<'b>, Error> {
        self.driver_of(&self.method, t, y, count)
    }

    fn implicit_steps_pay(&mut self, explicit: &mut Driver<'b>, until: f64) -> bool {
        self.automatic && self.compare(explicit, until)
    }

    fn may_change(&self) -> bool {
        self.automatic && self.method.scheme().is_explicit() && self.target.has_newton_blocks()
    }

    fn crossing(
        &mut self,
        t: f64,
        y: &[f64],
        branch: Option<&[f64]>,
        mut count: Statistics,
    ) -> Result<Driver<'b>, Error> {
        let found = match self.target {
            Target::Mechanical(system) => Singularities::of(*system).map(|found| (*system, found)),
            _ => None,
        };
        let Some((system, singularities)) = found else {
            return Err(Error::Start(StartError::DeadPoint { constraints: Vec::new() }));
        };
        // Steps that cross are others: a method that cannot go on behind must not begin before.
        let takes_along = self.target.permits(&self.method, self.options)?;
        let equations = MechanicalStep::new(system, self.options, Projection::Full, takes_along);
        let equations = equations.keep_following(&self.vibrating);
        let stepper = Crossing::new(equations, singularities, self.options, (t, y), branch, &mut count);
        let stepper = Box::new(stepper.map_err(Error::Preparation)?);
        let driver = Driver::new(stepper, self.options, count, system.frame());
        // These know themselves what they cross, unless they are too short for that.
        let constant = self.options.constant_step.is_some();
        Ok(driver.expect_singularities(Singularities::of(system).filter(|_| constant)))
    }

    fn keep_following(&mut self, springs: Vec<String>) {
        self.vibrating = springs;
    }

    fn meet_stiffness(&mut self, t: f64, steepest: Option<usize>) -> Result<Option<String>, String> {
        let steep = steepest.map(|place| self.target.rate_named(place));
        if !self.automatic || !self.target.has_newton_blocks() {
            return Err(kept_in_spite(t, self.method.name(), steep.as_deref()));
        }
        let stiff = Stiff { since: t, steep: steep.is_some() };
        (self.method, self.reason) = choose_for_stiff_motion(self.target, stiff, &self.method);
        self.stiff = Some(stiff);
        // Newton's iteration of mechanisms finds its way with such friction.
        let doubtful = steep.filter(|_| !matches!(self.target, Target::Mechanical(_)));
        Ok(doubtful.map(|rate| {
            format!(
                "{rate} changes by much within its tolerance, as with dry friction that is steeper than it: errors may be some hundred \
                 tolerances; take a smaller one, or write a mechanism instead of equations of first order"
            )
        }))
    }

    fn stiff(&self) -> Option<Stiff> {
        self.stiff
    }

    fn method(&self) -> (&'static str, Option<String>) {
        (self.method.name(), self.reason.clone())
    }
}

/// The method to begin with, and why.
fn choose(target: &Target<'_>, options: &Options) -> (Method, Option<String>) {
    let reason = match target {
        Target::Partitioned(_) => {
            let method = Method::named("spark").unwrap_or_default();
            return (method, Some("spark, since the system is partitioned".to_owned()));
        }
        Target::Mechanical(system) => {
            let springs = system.structure().constraints.iter().any(|c| c.compliance() > 0.0);
            springs.then_some("the system has springs given as compliant constraints")
        }
        Target::FirstOrder { system, index, .. } => {
            let meeting = Meeting::first_order(system.composition(), index);
            // Formulas are expanded for those alone: that takes as long as some steps.
            if meeting.index == OF_RODS && held_series_pay(target, options) {
                return series();
            }
            meeting.singular_mass.then_some("the system has algebraic variables")
        }
    };
    if let Some(reason) = reason {
        return (Method::radau(), Some(format!("radau, since {reason}")));
    }
    if series_pay(target, options) {
        return series();
    }
    (Method::explicit(), Some("dopri8, since the motion is not stiff".to_owned()))
}

fn series() -> (Method, Option<String>) {
    let reason = "taylor, since the motion is smooth and not stiff, and its formulas are known";
    (Method::named("taylor").unwrap_or_default(), Some(reason.to_owned()))
}

/// Equations of first order that are those of a mechanism with rods, u' = f(u, v), v' = k(u, v, λ), 0 = g(u), cost less with
/// series from this tolerance on. (Schropp's pendulum: 2.6 million instructions instead of 3.6 at 1e-6, 2.7 instead of 4.7 at 1e-8; 2.8 instead of
/// 2.5 at 1e-4.)
const HELD_BELOW: f64 = 1e-5;
/// Their index.
const OF_RODS: u8 = 3;

fn held_series_pay(target: &Target<'_>, options: &Options) -> bool {
    let Target::FirstOrder { system, of: None, .. } = target else { return false };
    let as_usual = options.constant_step.is_none()
        && options.projection.is_none_or(|projection| projection == Projection::Full);
    as_usual
        && options.rtol <= HELD_BELOW
        && system.composition().n() <= MOST_VARIABLES
        && system.expansion().is_some_and(|formulas| formulas.is_held() && formulas.is_smooth())
}

/// The method for motion that became stiff, and why. Where equations of first order have friction that is steeper than the tolerance,
/// iterations of radau seldom converge (58929 steps with a block shaken at 1e-4, and 734 of bdf).
fn choose_for_stiff_motion(target: &Target<'_>, stiff: Stiff, before: &Method) -> (Method, Option<String>) {
    let (Stiff { since, steep }, before) = (stiff, before.name());
    let method = match target {
        Target::FirstOrder { .. } if steep => Method::named("bdf").unwrap_or_else(|_| Method::radau()),
        _ => Method::radau(),
    };
    let why = if steep { "a rate changed by much within its tolerance" } else { "the motion became stiff" };
    let reason = format!("{} from t = {since:.6} on, where {why}; {before} before", method.name());
    (method, Some(reason))
}

/// What to know of an explicit method that goes on where the motion is nothing for it.
fn kept_in_spite(t: f64, method: &str, steep: Option<&str>) -> String {
    match steep {
        Some(rate) => format!(
            "before t = {t:.3e} {rate} changed by much within its tolerance again and again, as with dry friction that is steeper than \
             it: error estimates of {method} say little then, and errors may be some hundred tolerances; take auto, radau or bdf"
        ),
        None => {
            format!(
                "before t = {t:.3e} steps of {method} became short for stability only; auto or radau would take longer ones"
            )
        }
    }
}
