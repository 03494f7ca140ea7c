//! How mechanisms are integrated: with all their constraints or the independent ones, as they are or as other equations.

use super::Solver;
use super::around::Around;
use super::target::Target;
use crate::equations::{FirstOrderView, Formulation, Ggl, Layout};
use crate::error::Error;
use crate::geometry::Singularities;
use crate::method::Scheme;
use crate::motion::{Motion, Statistics};
use crate::run::{Driver, Guard, Observer, Translation};
use crate::start::{ConsistentStart, StartError, check_mass, find_index};
use crate::step::Crossing;
use crate::system::{Augmented, Constraint, Independent, MechanicalSystem};

impl Solver<'_> {
    /// Integrates a mechanism whose constraints are independent; `all` knows those that were left out.
    pub(super) fn integrate_mechanism(
        &self,
        system: &dyn MechanicalSystem,
        all: Option<&Independent<'_>>,
        start: ConsistentStart,
        (t, until): (f64, f64),
        observer: &mut dyn Observer,
    ) -> Result<Motion, Error> {
        let structure = system.structure();
        let at = (t, start.q.as_slice(), start.v.as_slice());
        let guard = match all {
            Some(all) => {
                let (left_out, accepted) = (&start.selection.left_out, self.options.accept_gap);
                Some(Guard::new(all.whole(), left_out, at, accepted).map_err(StartError::from)?)
            }
            None => None,
        };
        let outer = Layout::mechanical(structure.n(), start.lambda.len());
        let kept = all.map_or(start.lambda.clone(), |all| all.kept_multipliers(&start.lambda));
        let widen = |q: &[f64], v: &[f64], kept: &[f64]| match all {
            Some(all) => [q, v, &all.all_multipliers(kept)].concat(),
            None => [q, v, kept].concat(),
        };
        if self.options.formulation == Formulation::Ggl
            && structure.constraints.iter().any(Constraint::is_rod)
        {
            let view = FirstOrderView::<Ggl>::new(system);
            let x = view.layout().state(&start.q, &start.v, &start.a, &kept);
            let index = find_index(&view, t, &x, self.options.linear)?;
            let map = |x: &[f64]| {
                let at = view.layout().split(x);
                widen(at.q, at.v, at.lambda)
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let target = Target::FirstOrder { system: &view, index, of: Some(system) };
            let around = Around { start: Some(start), translation: Some(&translation), guard };
            return self.integrate(&target, (t, until, &x), around, observer);
        }
        if self.needs_augmentation(system, &start)? {
            let augmented = Augmented::new(system);
            let (n, m) = (structure.n(), structure.m());
            let inner = Layout::mechanical(n + m, 2 * m);
            let map = |y: &[f64]| {
                let (q, v, lambda) = inner.split(y);
                widen(&q[..n], &v[..n], &lambda[..m])
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let state = augmented.state(&[start.q.as_slice(), &start.v].concat());
            let y = [state.as_slice(), &kept, &vec![0.0; m]].concat();
            let around = Around { start: Some(start), translation: Some(&translation), guard };
            return self.integrate(&Target::Mechanical(&augmented), (t, until, &y), around, observer);
        }
        let inner = Layout::mechanical(structure.n(), structure.m());
        let map = |y: &[f64]| {
            let (q, v, kept) = inner.split(y);
            widen(q, v, kept)
        };
        let translation = Translation { layout: outer, map: Box::new(map) };
        let y = [start.q.as_slice(), &start.v, &kept].concat();
        let target = Target::Mechanical(system);
        let around = Around { start: Some(start), translation: all.map(|_| &translation), guard };
        self.integrate(&target, (t, until, &y), around, observer)
    }

    /// Whether the mass matrix is singular and the method asks for its inverse, so that it is applied to the augmented system
    /// (Jay 1998, eq. 13).
    fn needs_augmentation(
        &self,
        system: &dyn MechanicalSystem,
        start: &ConsistentStart,
    ) -> Result<bool, StartError> {
        let constraints = &system.structure().constraints;
        let rods = !constraints.is_empty() && constraints.iter().all(Constraint::is_rod);
        let able = matches!(self.method.scheme(), Scheme::Spark(_)) && rods && !system.constraints_move();
        Ok(able && check_mass(system, &start.q)?)
    }

    /// The driver of steps across a singular configuration, with accelerations where it is one itself.
    pub(super) fn crossing<'b>(
        &self,
        target: &Target<'b>,
        (t, y): (f64, &[f64]),
        branch: Option<&[f64]>,
        mut count: Statistics,
    ) -> Result<Driver<'b>, Error> {
        let found = target.mechanism().and_then(|system| Some((system, Singularities::of(system)?)));
        let Some((system, singularities)) = found.filter(|_| matches!(target, Target::Mechanical(_))) else {
            return Err(Error::Start(StartError::DeadPoint { constraints: Vec::new() }));
        };
        let stepper = Crossing::new(system, singularities, &self.options, (t, y), branch, &mut count);
        let stepper = Box::new(stepper.map_err(Error::Preparation)?);
        Ok(Driver::new(stepper, &self.options, count, system.frame()))
    }
}
