//! Why a run stopped before its end.

use std::fmt;

use crate::failure::StepFailure;
use crate::system::Fault;

/// Why a run stopped before its end. What was computed so far is kept.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunError {
    /// no step could be made short enough
    StepTooSmall {
        /// the time that was reached
        t: f64,
        /// the step that would have been next
        h: f64,
        /// why the last one failed; nothing when its error was too large
        cause: Option<StepFailure>,
    },
    /// a step of the length that was asked for could not be taken
    ConstantStepFailed {
        /// the time that was reached
        t: f64,
        /// the step
        h: f64,
        /// why it failed
        cause: StepFailure,
    },
    /// steps of one length do not pass a configuration in which constraints depend on each other
    ConstantStepAtSingularity {
        /// the time that was reached
        t: f64,
        /// about when they depend on each other
        at: f64,
        /// the constraints that become dependent
        constraints: Vec<String>,
        /// why the step failed
        cause: Box<StepFailure>,
    },
    /// the length of the first step could not be found
    FirstStep {
        /// the time that was reached
        t: f64,
        /// why not
        cause: StepFailure,
    },
    /// the step was taken, but states inside of it, for events or output, could not be found
    Inside {
        /// the end of the step
        t: f64,
        /// why not
        cause: StepFailure,
    },
    /// the system cannot go on from the state that was reached
    Fault {
        /// the time that was reached
        t: f64,
        /// what the system says
        fault: Fault,
    },
    /// a constraint that followed from others does not do so any more, and cannot be met together with them
    Contradiction {
        /// the time from which on it is not met
        t: f64,
        /// the constraint, and those that it contradicts
        constraints: Vec<String>,
        /// what is left of it at the end of the step that showed it
        gap: f64,
    },
    /// constraints become dependent, and no step passes that configuration
    Singular {
        /// the time that was reached
        t: f64,
        /// about when it would be
        at: f64,
        /// the constraints that become dependent
        constraints: Vec<String>,
        /// why the last step failed; nothing when its error was too large
        cause: Option<StepFailure>,
    },
    /// springs have begun to vibrate, and to follow them takes more steps than are allowed
    TooManyVibrations {
        /// the time that was reached
        t: f64,
        /// about so many steps it would take from there
        steps: f64,
        /// so many are allowed
        most_steps: usize,
        /// which spring vibrates, and how far
        cause: StepFailure,
    },
    /// a variable has left the range of numbers
    NotFinite {
        /// the time that was reached
        t: f64,
        /// the place of the variable in the state vector
        entry: usize,
        /// what it has become
        value: f64,
    },
    /// no step could be made short enough, since a variable that was below its absolute tolerance has grown beyond all bounds
    Grown {
        /// the time that was reached
        t: f64,
        /// the place of the variable in the state vector
        entry: usize,
        /// what it has become
        value: f64,
        /// up to when it was below
        since: f64,
        /// its absolute tolerance
        tolerance: f64,
    },
    /// the mass matrix has become indefinite on the way
    IndefiniteMass {
        /// the time that was reached
        t: f64,
        /// a coordinate whose motion would have a negative kinetic energy
        coordinate: String,
        /// twice that energy for a velocity of 1
        value: f64,
    },
    /// an event happens again and again while the time hardly goes on
    TooManyEvents {
        /// the time that was reached
        t: f64,
        /// the event
        event: String,
        /// so many times
        times: usize,
        /// within this time
        within: f64,
    },
    /// the motion cannot go on after events have changed it
    Change {
        /// the time that was reached
        t: f64,
        /// what is wrong, in words
        reason: String,
    },
    /// the limit of steps was reached
    TooManySteps {
        /// the time that was reached
        t: f64,
        /// the number of steps
        steps: usize,
        /// about so many it would take at this pace
        expected: f64,
    },
}

impl RunError {
    /// The time that was reached.
    pub fn t(&self) -> f64 {
        match self {
            RunError::StepTooSmall { t, .. }
            | RunError::FirstStep { t, .. }
            | RunError::Inside { t, .. }
            | RunError::ConstantStepFailed { t, .. }
            | RunError::ConstantStepAtSingularity { t, .. }
            | RunError::Fault { t, .. }
            | RunError::Contradiction { t, .. }
            | RunError::Singular { t, .. }
            | RunError::TooManyVibrations { t, .. }
            | RunError::NotFinite { t, .. }
            | RunError::Grown { t, .. }
            | RunError::IndefiniteMass { t, .. }
            | RunError::TooManyEvents { t, .. }
            | RunError::Change { t, .. }
            | RunError::TooManySteps { t, .. } => *t,
        }
    }

    /// No step goes on from t. A fault that a system raised is itself the reason; others are the cause of something.
    pub(crate) fn of_failure(
        t: f64,
        failure: StepFailure,
        other: impl FnOnce(StepFailure) -> RunError,
    ) -> Self {
        match failure {
            StepFailure::Fault(fault) if fault.is_fatal() => RunError::Fault { t, fault },
            cause => other(cause),
        }
    }

    /// What to try next.
    pub fn advice(&self) -> &'static str {
        match self {
            RunError::Fault { fault, .. } if fault.is_fatal() => {
                "a function of the system raised this error: correct it there"
            }
            RunError::Fault { .. }
            | RunError::FirstStep { cause: StepFailure::Fault(_), .. }
            | RunError::Inside { cause: StepFailure::Fault(_), .. }
            | RunError::StepTooSmall { cause: Some(StepFailure::Fault(_)), .. } => {
                "the motion runs into a state that cannot be evaluated: look at the formulas there, or end before it"
            }
            RunError::NotFinite { .. } => {
                "the motion leaves the range of numbers: end before it, or choose other units"
            }
            RunError::StepTooSmall { cause: Some(StepFailure::Singular { .. }), .. } => {
                "the constraints become dependent or the mass matrix singular there: look for a dead centre of the mechanism"
            }
            RunError::StepTooSmall { cause: None, .. } => {
                "the motion is not smooth there, or the tolerance is below what rounding allows: try a larger tolerance"
            }
            RunError::StepTooSmall { .. } => {
                "try a larger absolute tolerance (rounding errors may be above it), another method, or a model that is \
                 smooth at that time"
            }
            RunError::Contradiction { .. } => {
                "look at these constraints: from then on they cannot all hold; a gap from rounding of data can be accepted \
                 (--accept-gap)"
            }
            RunError::Singular { .. } => {
                "the mechanism runs into a singular configuration: another tolerance may pass it, or end the run before it"
            }
            RunError::FirstStep { .. } => "give the length of the first step, or begin at another state",
            RunError::Inside { .. } => "take shorter steps, or other times of output",
            RunError::ConstantStepFailed { cause: StepFailure::Singular { .. }, .. } => {
                "another length does not help there: take another method (auto, radau)"
            }
            RunError::ConstantStepFailed { .. } => "take a shorter step, or let the steps be adaptive",
            RunError::ConstantStepAtSingularity { .. } => {
                "a shorter step does not help, a longer one may; or leave the length of steps to the method (auto, radau, bdf, \
                 adams, or spark, without --step), which then crosses such configurations"
            }
            RunError::TooManyVibrations { .. } => {
                "take a larger tolerance, allow more steps, or leave vibrations out: --vibrations damp"
            }
            RunError::Grown { .. } => {
                "give it a smaller absolute tolerance: atol beside it in a model file, or --atol for all (Options::absolute, \
                 Options::atol)"
            }
            RunError::IndefiniteMass { .. } => {
                "what came before may be wrong already: end the run before it, or look at the kinetic energy"
            }
            RunError::TooManyEvents { .. } => {
                "let another event end this, such as one that adds a constraint where the motion is slow"
            }
            RunError::Change { .. } => "look at what events set, remove and add",
            RunError::TooManySteps { .. } => {
                "take a larger tolerance or a method for stiff systems, or allow more steps"
            }
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::StepTooSmall { t, h, cause } => {
                write!(f, "at t = {t} the step would have to be shorter than {h:.2e}: {}", reason(cause))
            }
            RunError::ConstantStepFailed { t, h, cause } => {
                write!(f, "at t = {t} the step of length {h} could not be taken: {cause}")
            }
            RunError::ConstantStepAtSingularity { t, at, constraints, cause } => write!(
                f,
                "at t = {t} a step of constant length could not be taken, since '{}' depends on the other constraints at about t = {at:.9}: \
                 {cause}",
                constraints.join("', '")
            ),
            RunError::Contradiction { t, constraints, gap } => contradiction(f, *t, constraints, *gap),
            RunError::Singular { t, at, constraints, cause } => write!(
                f,
                "at t = {t} no step passes the singular configuration at about t = {at:.9}, where '{}' depends on the other \
                 constraints: {}",
                constraints.join("', '"),
                reason(cause)
            ),
            RunError::FirstStep { t, cause } => {
                write!(f, "at t = {t} the length of the first step cannot be found: {cause}")
            }
            RunError::Inside { t, cause } => {
                write!(f, "states inside the step that ends at t = {t} cannot be found: {cause}")
            }
            RunError::Fault { t, fault } => write!(f, "at t = {t} the motion cannot go on: {fault}"),
            RunError::TooManyVibrations { t, steps, most_steps, cause } => write!(
                f,
                "at t = {t} {cause}; to follow it takes about {steps:.1e} steps, more than {most_steps}"
            ),
            RunError::NotFinite { t, entry, value } => {
                write!(f, "at t = {t} entry {entry} of the state is {value}")
            }
            RunError::Grown { t, entry, value, since, tolerance } => write!(
                f,
                "at t = {t} entry {entry} of the state has grown to {value:.3e}; up to t = {since:.6e} it was below its absolute \
                 tolerance {tolerance:.1e}, where any value is right enough, also one from which it grows without bounds"
            ),
            RunError::TooManyEvents { t, event, times, within } => {
                write!(f, "at t = {t} {event} happened {times} times within {within:.1e} s")
            }
            RunError::IndefiniteMass { t, coordinate, value } => write!(
                f,
                "by t = {t} the mass matrix has become indefinite: '{coordinate}' has a kinetic energy of {:.3e} at the speed 1",
                0.5 * value
            ),
            RunError::Change { t, reason } => write!(f, "at t = {t} the motion cannot go on: {reason}"),
            RunError::TooManySteps { t, steps, expected } if expected.is_finite() => write!(
                f,
                "after {steps} steps the run has come to t = {t} only, at this pace it takes about {expected:.1e} steps"
            ),
            RunError::TooManySteps { t, steps, .. } => {
                write!(f, "after {steps} steps the run has come to t = {t} only")
            }
        }
    }
}

/// Which constraints contradict each other, and by how much.
fn contradiction(f: &mut fmt::Formatter<'_>, t: f64, constraints: &[String], gap: f64) -> fmt::Result {
    let (first, others) = constraints.split_at(constraints.len().min(1));
    let others = match others {
        [] => "the others".to_owned(),
        others => format!("'{}'", others.join("', '")),
    };
    let gap = gap.abs();
    write!(
        f,
        "from t = {t} on constraint '{}' contradicts {others}: a gap of {gap:.3e} cannot be closed",
        first.concat()
    )
}

/// Why a step was not taken.
fn reason(cause: &Option<StepFailure>) -> String {
    cause.as_ref().map_or_else(|| "its error stays too large".to_owned(), StepFailure::to_string)
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::StepTooSmall { cause, .. } | RunError::Singular { cause, .. } => {
                cause.as_ref().map(|cause| cause as _)
            }
            RunError::ConstantStepFailed { cause, .. }
            | RunError::TooManyVibrations { cause, .. }
            | RunError::FirstStep { cause, .. }
            | RunError::Inside { cause, .. } => Some(cause),
            RunError::ConstantStepAtSingularity { cause, .. } => Some(&**cause),
            RunError::Fault { fault, .. } => Some(fault),
            RunError::Contradiction { .. }
            | RunError::NotFinite { .. }
            | RunError::Grown { .. }
            | RunError::IndefiniteMass { .. }
            | RunError::TooManyEvents { .. }
            | RunError::Change { .. }
            | RunError::TooManySteps { .. } => None,
        }
    }
}
