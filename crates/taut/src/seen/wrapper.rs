//! Systems around systems: what a wrapper does not change is that of the system inside.

use super::expansion::MechanicalExpansion;
use super::fault::{Evaluation, Fault};
use super::force::Terms;
use super::mechanical_system::{
    Dynamics, Energy, MechanicalSystem, MotionSeries, MovingFrame, Partitioned, Structure,
};
use super::separately;
use taut_formula::number::Series;

/// A system with another one inside, of which it changes something. It is a [`MechanicalSystem`] by that.
///
/// Only what is changed has to be written: values and facts are those of the system inside. What is evaluated together, such as
/// [`dynamics`](Wrapper::dynamics), consists of the wrapper's own values, one after the other, unless it knows a shorter way.
/// What a wrapper must not take over unseen has no default: which terms there are, and the equations as formulas, which would
/// be those without its change.
pub trait Wrapper {
    /// The system inside.
    fn inner(&self) -> &dyn MechanicalSystem;

    /// See [`MechanicalSystem::terms`]; without those that a wrapper adds they would never be asked for.
    fn terms(&self) -> Terms;

    /// See [`MechanicalSystem::series`]; false when there are none with what is changed.
    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool;

    /// See [`MechanicalSystem::expansion`]; nothing when there is none with what is changed.
    fn expansion(&self) -> Option<MechanicalExpansion>;

    /// See [`MechanicalSystem::structure`].
    fn structure(&self) -> &Structure {
        self.inner().structure()
    }

    /// See [`MechanicalSystem::mass`].
    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        self.inner().mass(q, mass)
    }

    /// See [`MechanicalSystem::force`].
    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.inner().force(terms, t, q, v, force)
    }

    /// See [`MechanicalSystem::constraint`].
    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        self.inner().constraint(t, q, g)
    }

    /// See [`MechanicalSystem::jacobian`].
    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.inner().jacobian(t, q, v, jacobian)
    }

    /// See [`MechanicalSystem::constraint_rate`].
    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.inner().constraint_rate(t, q, v, rate)
    }

    /// See [`MechanicalSystem::curvature`].
    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.inner().curvature(t, q, v, curvature)
    }

    /// See [`MechanicalSystem::newton_blocks`].
    #[allow(clippy::too_many_arguments)]
    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        self.inner().newton_blocks(terms, t, q, v, a, lambda, stiffness, damping)
    }

    /// See [`MechanicalSystem::energy`].
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.inner().energy(t, q, v)
    }

    /// See [`MechanicalSystem::frame`].
    fn frame(&self) -> Option<&dyn MovingFrame> {
        self.inner().frame()
    }

    /// See [`MechanicalSystem::switching_times`].
    fn switching_times(&self, from: f64, to: f64) -> Vec<f64> {
        self.inner().switching_times(from, to)
    }

    /// See [`MechanicalSystem::constraints_move`].
    fn constraints_move(&self) -> bool {
        self.inner().constraints_move()
    }

    /// See [`MechanicalSystem::has_positive_mass`].
    fn has_positive_mass(&self) -> bool {
        self.inner().has_positive_mass()
    }

    /// See [`MechanicalSystem::has_newton_blocks`].
    fn has_newton_blocks(&self) -> bool {
        self.inner().has_newton_blocks()
    }

    /// See [`MechanicalSystem::dynamics`].
    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        separately::dynamics(self, t, q, v, out)
    }

    /// See [`MechanicalSystem::dynamics_and_curvature`].
    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        separately::dynamics_and_curvature(self, t, q, v, out, curvature)
    }

    /// See [`MechanicalSystem::partitioned`].
    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        separately::partitioned(self, parts, t, q, v, out)
    }

    /// See [`MechanicalSystem::takes_several`].
    fn takes_several(&self) -> bool {
        false
    }

    /// See [`MechanicalSystem::dynamics_of_several`].
    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        separately::dynamics_of_several(self, t, q, v, out)
    }
}

/// Answers that are those of the wrapper.
macro_rules! answers_of_wrapper {
    ($($function:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $function(&self, $($argument: $type),*) -> $result {
            Wrapper::$function(self, $($argument),*)
        })*
    };
}

// A function that MechanicalSystem gains has to be added here, and to Wrapper: a default would be that of no wrapper.
#[warn(clippy::missing_trait_methods)]
impl<W: Wrapper + ?Sized> MechanicalSystem for W {
    answers_of_wrapper! {
        structure() -> &Structure;
        mass(q: &[f64], mass: &mut [f64]) -> Evaluation;
        force(terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation;
        constraint(t: f64, q: &[f64], g: &mut [f64]) -> Evaluation;
        jacobian(t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation;
        constraint_rate(t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation;
        curvature(t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation;
        newton_blocks(
            terms: Terms, t: f64, q: &[f64], v: &[f64], a: &[f64], lambda: &[f64],
            stiffness: &mut [f64], damping: &mut [f64]
        ) -> Evaluation;
        energy(t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault>;
        series(along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool;
        expansion() -> Option<MechanicalExpansion>;
        frame() -> Option<&dyn MovingFrame>;
        switching_times(from: f64, to: f64) -> Vec<f64>;
        constraints_move() -> bool;
        has_positive_mass() -> bool;
        has_newton_blocks() -> bool;
        terms() -> Terms;
        dynamics(t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation;
        dynamics_and_curvature(
            t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>, curvature: &mut [f64]
        ) -> Evaluation;
        partitioned(
            parts: &[Terms], t: f64, q: &[f64], v: &[f64], out: &mut Partitioned<'_>
        ) -> Evaluation;
        takes_several() -> bool;
        dynamics_of_several(t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation;
    }
}
