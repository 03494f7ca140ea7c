//! From what a person has to a run: a consistent start, a target, a stepper.

use super::choice::Chosen;
use super::target::Target;
use super::{Solver, System};
use crate::equations::{FirstOrderView, Formulation, Ggl, Layout};
use crate::error::Error;
use crate::method::Scheme;
use crate::motion::Statistics;
use crate::options::{Controller, Options};
use crate::run::{Driver, Guard, Observer, Plan, Session, Snapshot, Steppers, Translation, is_crossing};
use crate::start::{
    ConsistentStart, StartError, check_length, check_mass, consistent_partition, consistent_start_with_gap,
    consistent_variables, find_index, keep_fixed, smooth_start,
};
use crate::system::{
    Augmented, Constraint, DamperForces, FirstOrderSystem, Independent, MechanicalSystem, PartitionedSystem,
};

/// From where to where a run goes, who goes along, and what is done with it when it is ready to begin.
struct Way<'w, D> {
    t: f64,
    until: f64,
    observer: &'w mut dyn Observer,
    /// dampers that the method sees as forces
    dampers: Option<&'w DamperForces<'w>>,
    drive: D,
}

/// What belongs to a run beside its equations.
#[derive(Default)]
struct Around<'r> {
    /// the start of a mechanism, made consistent
    start: Option<ConsistentStart>,
    /// how states look from outside
    translation: Option<&'r Translation<'r>>,
    /// looks after constraints that are not imposed as they are
    guard: Option<Guard<'r>>,
    /// options that differ from those that were given
    options: Option<Options>,
}

/// What is done with a run.
trait Drive<R>: FnOnce(&mut Session<'_, '_>, &mut dyn Observer, Option<ConsistentStart>) -> R {}

impl<R, D: FnOnce(&mut Session<'_, '_>, &mut dyn Observer, Option<ConsistentStart>) -> R> Drive<R> for D {}

impl Solver<'_> {
    /// Makes the start consistent, and hands a run that is ready to begin to `drive`.
    pub(super) fn prepare<R>(
        &self,
        (t, until, start): (f64, f64, &[f64]),
        observer: &mut dyn Observer,
        drive: impl FnOnce(&mut Session<'_, '_>, &mut dyn Observer, Option<ConsistentStart>) -> R,
    ) -> Result<R, Error> {
        check_options(&self.options)?;
        check_size(self.system)?;
        check_time("the start time", t)?;
        check_time("the end time", until)?;
        let way = Way { t, until, observer, dampers: None, drive };
        match self.system {
            System::FirstOrder(system) => self.prepare_first_order(system, start, way),
            System::Partitioned(system) => self.prepare_partition(system, start, way),
            System::Mechanical(system) => {
                let partitioned = matches!(self.method.scheme(), Scheme::Spark(_));
                let dampers = if partitioned { DamperForces::of(system) } else { None };
                let system = dampers.as_ref().map_or(system, |dampers| dampers as &dyn MechanicalSystem);
                self.prepare_mechanism(system, start, Way { dampers: dampers.as_ref(), ..way })
            }
        }
    }

    fn prepare_first_order<R, D: Drive<R>>(
        &self,
        system: &dyn FirstOrderSystem,
        start: &[f64],
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        check_length("the start", start, system.composition().n())?;
        let index = find_index(system, way.t, start, self.options.linear)?;
        let (x, _) = consistent_variables(system, &index, way.t, start, self.options.linear)?;
        let target = Target::FirstOrder { system, index, of: None };
        self.begin(&target, &x, Around::default(), way)
    }

    fn prepare_partition<R, D: Drive<R>>(
        &self,
        system: &dyn PartitionedSystem,
        start: &[f64],
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let start = consistent_partition(system, way.t, start, self.options.linear)?;
        let y = [start.q.as_slice(), &start.v, &start.lambda].concat();
        let around = Around { start: Some(start), ..Around::default() };
        self.begin(&Target::Partitioned(system), &y, around, way)
    }

    fn prepare_mechanism<R, D: Drive<R>>(
        &self,
        system: &dyn MechanicalSystem,
        start: &[f64],
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let (n, t, linear) = (system.structure().n(), way.t, self.options.linear);
        let (q, v) = start.split_at(n.min(start.len()));
        if let Some(frame) = system.frame().filter(|_| q.len() == n) {
            frame.begin(t, q).map_err(StartError::from)?;
        }
        let gap = self.options.accept_gap;
        let (mut q, mut v) = (q.to_vec(), v.to_vec());
        if q.len() == n && v.len() == n {
            keep_fixed(system, t, &mut q, &mut v, &self.options.fixed)?;
        }
        let mut consistent = consistent_start_with_gap(system, t, (&q, &v), gap, linear)?;
        if let Some(passes) = self.options.smooth_start {
            let smooth = smooth_start(system, t, &consistent.q, &consistent.v, passes, linear)?;
            consistent = consistent_start_with_gap(system, t, (&smooth.q, &smooth.v), gap, linear)?;
            consistent.lambda = smooth.lambda;
        }
        if consistent.selection.is_everything() {
            return self.begin_mechanism(system, None, consistent, way);
        }
        let independent = Independent::of(system, &consistent.selection);
        self.begin_mechanism(&independent, Some(&independent), consistent, way)
    }

    /// Begins with a mechanism whose constraints are independent; `all` knows those that were left out.
    fn begin_mechanism<R, D: Drive<R>>(
        &self,
        system: &dyn MechanicalSystem,
        all: Option<&Independent<'_>>,
        start: ConsistentStart,
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let structure = system.structure();
        let guard = all.map(|all| self.guard(all, &start, way.t)).transpose()?;
        let outer = Layout::mechanical(structure.n(), start.lambda.len());
        let kept = all.map_or(start.lambda.clone(), |all| all.kept_multipliers(&start.lambda));
        let dampers = way.dampers;
        let widen = |t: f64, q: &[f64], v: &[f64], kept: &[f64]| {
            let mut lambda = all.map_or(kept.to_vec(), |all| all.all_multipliers(kept));
            if let Some(dampers) = dampers {
                dampers.add_reactions(t, q, v, &mut lambda);
            }
            [q, v, &lambda].concat()
        };
        if self.options.formulation == Formulation::Ggl
            && structure.constraints.iter().any(Constraint::is_rod)
        {
            let view = FirstOrderView::<Ggl>::new(system);
            let x = view.layout().state(&start.q, &start.v, &start.a, &kept);
            let index = find_index(&view, way.t, &x, self.options.linear)?;
            let map = |t: f64, x: &[f64]| {
                let at = view.layout().split(x);
                widen(t, at.q, at.v, at.lambda)
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let target = Target::FirstOrder { system: &view, index, of: Some(system) };
            let around = Around { start: Some(start), translation: Some(&translation), guard, options: None };
            return self.begin(&target, &x, around, way);
        }
        if self.needs_augmentation(system, &start)? {
            let augmented = Augmented::new(system);
            let (n, m) = (structure.n(), structure.m());
            let inner = Layout::mechanical(n + m, 2 * m);
            let map = |t: f64, y: &[f64]| {
                let (q, v, lambda) = inner.split(y);
                widen(t, &q[..n], &v[..n], &lambda[..m])
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let state = augmented.state(&[start.q.as_slice(), &start.v].concat());
            let y = [state.as_slice(), &kept, &vec![0.0; m]].concat();
            let mut options = self.options.clone();
            options.spark.damping = options.spark.damping.widened(n, m);
            let options = Some(options);
            let around = Around { start: Some(start), translation: Some(&translation), guard, options };
            return self.begin(&Target::Mechanical(&augmented), &y, around, way);
        }
        let inner = Layout::mechanical(structure.n(), structure.m());
        let map = |t: f64, y: &[f64]| {
            let (q, v, kept) = inner.split(y);
            widen(t, q, v, kept)
        };
        let translation = Translation { layout: outer, map: Box::new(map) };
        let y = [start.q.as_slice(), &start.v, &kept].concat();
        let target = Target::Mechanical(system);
        let translation = (all.is_some() || dampers.is_some()).then_some(&translation);
        let around = Around { start: Some(start), translation, guard, options: None };
        self.begin(&target, &y, around, way)
    }

    /// Looks after constraints that were left out or rescaled.
    fn guard<'g>(&self, all: &Independent<'g>, start: &ConsistentStart, t: f64) -> Result<Guard<'g>, Error> {
        let (left_out, accepted) = (&start.selection.left_out, self.options.accept_gap);
        let at = (t, start.q.as_slice(), start.v.as_slice());
        Ok(Guard::new(all.whole(), left_out, at, accepted).map_err(StartError::from)?)
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

    /// Begins a run, or goes on with one, and hands it over.
    fn begin<R, D: Drive<R>>(
        &self,
        target: &Target<'_>,
        y: &[f64],
        around: Around<'_>,
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let Way { t, until, observer, drive, dampers: _ } = way;
        let Around { start, translation, guard, options } = around;
        let options = options.as_ref().unwrap_or(&self.options);
        let mut chosen = Chosen::new(target, &self.method, options, self.resume.as_ref());
        let driver = self.first_driver(&mut chosen, (t, y), start.as_ref())?;
        let warning = self.vibrations_to_follow(target, chosen.method(), (t, until, y))?;
        let warning = warning.or_else(|| driver.stepper.warning().map(str::to_owned));
        if let Some(warning) = &warning {
            observer.warning(warning);
        }
        let breaks = self.all_breaks(t, until);
        let plan = Plan {
            end: until,
            breaks: &breaks,
            output: &self.output,
            keep_output: self.keep_output,
            keep_inside: self.keep_inside,
            events: &self.events,
            watched: target.watched().filter(|_| self.watch),
            snapshot_every: self.snapshot_every,
            translation,
        };
        let mut session = Session::new(driver, &mut chosen, plan, warning).guarded_by(guard);
        if let Some(snapshot) = &self.resume {
            session.restore(snapshot)?;
        }
        session.begin(observer, self.resume.is_some());
        if self.resume.is_some() {
            session.look_for_break();
        }
        Ok(drive(&mut session, observer, start))
    }

    /// The driver of the first steps. No stepper of a method can be made at a singular configuration where a run began: there
    /// one that crosses it begins, or the one that goes on is made where it does.
    fn first_driver<'b>(
        &self,
        chosen: &mut Chosen<'_, 'b>,
        (t, y): (f64, &[f64]),
        start: Option<&ConsistentStart>,
    ) -> Result<Driver<'b>, Error> {
        let branch = start.filter(|start| !start.passing.is_empty()).map(|start| start.a.as_slice());
        let (crosses, at) = match &self.resume {
            None => (branch.is_some(), (t, y)),
            Some(snapshot) => {
                let reached = reached(snapshot).filter(|_| branch.is_some());
                (is_crossing(snapshot), reached.unwrap_or((t, y)))
            }
        };
        match crosses {
            true => chosen.crossing(at.0, at.1, branch.filter(|_| at.0 == t), Statistics::default()),
            false => chosen.driver(at.0, at.1, Statistics::default()),
        }
    }
}

/// The time and the state at which a snapshot was taken.
fn reached(snapshot: &Snapshot) -> Option<(f64, &[f64])> {
    let [t] = snapshot.numbers("t").ok()?;
    Some((t, snapshot.get("y").ok()?))
}

impl Solver<'_> {
    /// The times that were given, and those at which the system says that it jumps. Constant and reversible steps go on across
    /// these: they are to have the lengths that were asked for.
    fn all_breaks(&self, t: f64, until: f64) -> Vec<f64> {
        let mut breaks = self.breaks.clone();
        let adaptive =
            self.options.constant_step.is_none() && self.options.controller != Controller::Reversible;
        if adaptive {
            breaks.extend(match self.system {
                System::Mechanical(system) => system.switching_times(t, until),
                System::FirstOrder(system) => system.switching_times(t, until),
                System::Partitioned(_) => Vec::new(),
            });
        }
        breaks
    }
}

/// Something must move.
fn check_size(system: System<'_>) -> Result<(), Error> {
    let nothing_moves = match system {
        System::Mechanical(system) => system.structure().n() == 0,
        System::FirstOrder(system) => system.composition().n() == 0,
        System::Partitioned(_) => false,
    };
    match nothing_moves {
        true => Err(Error::Option { name: "the number of variables", value: 0.0, expected: "at least 1" }),
        false => Ok(()),
    }
}

fn check_options(options: &Options) -> Result<(), Error> {
    let positive = |name, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(Error::Option { name, value, expected: "a positive number" }),
    };
    positive("rtol", options.rtol)?;
    positive("atol", options.atol)?;
    for (name, value) in [
        ("step", options.constant_step),
        ("first step", options.first_step),
        ("largest step", options.largest_step),
    ] {
        if let Some(value) = value {
            positive(name, value.abs())?;
        }
    }
    Ok(())
}

fn check_time(name: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() { Ok(()) } else { Err(Error::Option { name, value, expected: "a finite number" }) }
}
