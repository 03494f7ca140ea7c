//! What every kind of step can do.

use super::crossing::Passage;
use crate::control::stiffness::StiffnessWatch;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::snapshot::{Fields, SnapshotError};
use crate::springs::TreatedSprings;

/// A way to take one step. An attempt computes, acceptance commits, rejection discards.
pub(crate) trait Stepper: Place + InsideStep + Watched {
    /// A guess for the first step (Hairer, Nørsett and Wanner, section II.4).
    fn first_step(&mut self, until: f64, count: &mut Statistics) -> Result<f64, StepFailure>;

    /// Computes a step to the time `to` from the state that has been reached.
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure>;

    /// Computes a step to about the time `to`, of a length that the stepper finds by itself, but not beyond `until`. Most
    /// steppers go to `to`.
    fn attempt_near(&mut self, to: f64, _until: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        self.attempt(to, count)
    }

    /// Commits the step that was computed last.
    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure>;

    /// Discards the step that was computed last, and with `refresh` also the derivative blocks it was computed with.
    fn reject(&mut self, refresh: bool);

    /// Springs that were found to vibrate leave smooth motion, at the state that has been reached.
    fn leave_smooth_motion(&mut self, _count: &mut Statistics) -> Result<(), StepFailure> {
        Ok(())
    }

    /// The length of the next step, and its order with it. `proposed` is the factor that the error of the last one allows; a
    /// stepper that knows more than that error need not ask for it.
    fn next_length(&mut self, proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength::by(proposed())
    }

    /// Everything that decides how the run goes on, into a snapshot or out of it.
    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError>;
}

/// Where a stepper has come to.
pub(crate) trait Place {
    /// Where everything lies in the state vector.
    fn layout(&self) -> Layout;

    /// The time that has been reached.
    fn time(&self) -> f64;

    /// The state that has been reached.
    fn state(&self) -> &[f64];

    /// The state that has been reached as it is given away: variables that steps do not need to know exactly are.
    fn give_away(&mut self, y: &mut [f64], _count: &mut Statistics) {
        y.copy_from_slice(self.state());
    }

    /// The largest residuals of the constraints at the state that has been reached, on the levels of position, velocity
    /// and acceleration.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure>;
}

/// What is between the ends of the last accepted step.
pub(crate) trait InsideStep {
    /// Computes what the interpolation needs beyond the step itself.
    fn prepare_interpolation(&mut self, _count: &mut Statistics) -> Result<(), StepFailure> {
        Ok(())
    }

    /// Makes the interpolation as good as the step, where it is not.
    fn refine_interpolation(&mut self, _count: &mut Statistics) -> Result<(), StepFailure> {
        Ok(())
    }

    /// Whether the interpolation is rougher than rounding, so that a step to a place inside is worth its work.
    fn is_rough_inside(&self) -> bool {
        false
    }

    /// The state at t₀ + θh, on its constraints.
    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// The state at t₀ + θh without any correction; smooth in θ, which events need.
    fn interpolate(&self, theta: f64, y: &mut [f64]);

    /// The degree of the polynomial where it is a series, as long as it converges: events are found as its roots.
    fn degree_inside(&self) -> Option<usize> {
        None
    }

    /// About the state after another step of this length, where it is known before that is taken; false where it is not, or where no other
    /// length may be taken.
    fn look_ahead(&self, _h: f64, _y: &mut [f64]) -> bool {
        false
    }
}

/// What a stepper tells those who watch the run.
pub(crate) trait Watched {
    /// The number of stages (or the order) in use.
    fn stages(&self) -> usize;

    /// What becomes of stiff springs, where the method treats any.
    fn springs(&self) -> Option<&dyn TreatedSprings> {
        None
    }

    /// What the user should know about the start, or about the steps so far, in words.
    fn warning(&self) -> Option<&str> {
        None
    }

    /// Singular configurations ahead and passed, of steps that were made to cross them.
    fn passage(&mut self) -> Option<&mut Passage> {
        None
    }

    /// Whether the last attempt ended so close to a singular configuration that its end is worth nothing.
    fn ended_beside_singularity(&self) -> bool {
        false
    }

    /// What looks for steps that are short for stability only, where that can happen.
    fn stiffness(&mut self) -> Option<&mut StiffnessWatch> {
        None
    }

    /// Whether there were kinks lately at times that nobody knows.
    fn knows_kinks(&self) -> bool {
        false
    }

    /// There were kinks before the method began anew.
    fn expect_kinks(&mut self) {}
}
