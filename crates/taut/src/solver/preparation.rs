//! From what a person has to a run: a consistent start, a target, a stepper.

use super::checks::{check_options, check_size, check_time};
use super::choice::Chosen;
use super::phases::Thread;
use super::target::Target;
use super::{Solver, System};
use crate::equations::{FirstOrderView, Formulation, Ggl, Layout};
use crate::error::Error;
use crate::method::Scheme;
use crate::motion::Statistics;
use crate::options::{Controller, Options};
use crate::run::{
    Driver, Guard, Observer, Plan, Session, Snapshot, Steppers, Stiff, Translation, is_crossing,
};
use crate::start::{
    ConsistentStart, StartError, check_length, check_mass, consistent_partition, consistent_start_with_gap,
    consistent_variables, find_index, impulses, index_along, keep_fixed, smooth_start,
};
use crate::system::{
    Augmented, Constraint, DamperForces, FirstOrderSystem, Independent, MechanicalSystem, PartitionedSystem,
    Sticking,
};

/// From where to where a run goes, who goes along, and what is done with it when it is ready to begin.
struct Way<'w, D> {
    t: f64,
    until: f64,
    observer: &'w mut dyn Observer,
    /// what came before
    thread: &'w mut Thread,
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
    /// accelerations or rates at the start
    rates: Vec<f64>,
    /// what it took to make velocities consistent
    impulses: Vec<(String, f64)>,
}

/// A mechanism with all of its constraints as it looks from outside, and how its multipliers are found.
#[derive(Clone, Copy, Default)]
struct Whole<'w> {
    /// knows constraints that follow from others and were left out
    independent: Option<&'w Independent<'w>>,
    /// knows dampers that the method sees as forces
    dampers: Option<&'w DamperForces<'w>>,
    /// knows constraints that are not in force
    held: Option<&'w Independent<'w>>,
    /// the number of the last rows, which nobody is shown
    hidden: usize,
}

impl Whole<'_> {
    fn is_given(&self) -> bool {
        self.independent.is_some() || self.dampers.is_some() || self.held.is_some() || self.hidden > 0
    }

    /// All multipliers at a state, with what dampers pull with.
    fn multipliers(&self, t: f64, (q, v): (&[f64], &[f64]), kept: &[f64]) -> Vec<f64> {
        let mut held = self.independent.map_or_else(|| kept.to_vec(), |all| all.all_multipliers(kept));
        if let Some(dampers) = self.dampers {
            dampers.add_reactions(t, q, v, &mut held);
        }
        let mut all = self.held.map_or(held.clone(), |all| all.all_multipliers(&held));
        all.truncate(all.len().saturating_sub(self.hidden));
        all
    }
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
        thread: &mut Thread,
        drive: impl FnOnce(&mut Session<'_, '_>, &mut dyn Observer, Option<ConsistentStart>) -> R,
    ) -> Result<R, Error> {
        check_options(&self.options)?;
        check_size(self.system)?;
        check_time("the start time", t)?;
        check_time("the end time", until)?;
        let way = Way { t, until, observer, thread, drive };
        match self.system {
            System::FirstOrder(system) => self.prepare_first_order(system, start, way),
            System::Partitioned(system) => self.prepare_partition(system, start, way),
            System::Mechanical(system) => {
                let sticking = (!self.held.is_empty()).then(|| Sticking::new(system, &self.held));
                let system = sticking.as_ref().map_or(system, |sticking| sticking as &dyn MechanicalSystem);
                let released = !self.released.is_empty();
                let held = released.then(|| Independent::without(system, &self.released));
                let system = held.as_ref().map_or(system, |held| held as &dyn MechanicalSystem);
                let partitioned = matches!(self.method.scheme(), Scheme::Spark(_));
                let dampers = if partitioned { DamperForces::of(system) } else { None };
                let system = dampers.as_ref().map_or(system, |dampers| dampers as &dyn MechanicalSystem);
                let hidden = self.held.len();
                let whole =
                    Whole { independent: None, dampers: dampers.as_ref(), held: held.as_ref(), hidden };
                self.prepare_mechanism(system, whole, start, way)
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
        let rates =
            if system.composition().is_ordinary() { ordinary_rates(system, way.t, &x) } else { Vec::new() };
        let index = index_along(system, (way.t, way.until), &x, index, self.options.linear);
        let target = Target::FirstOrder { system, index, of: None };
        self.begin(&target, &x, Around { rates, ..Around::default() }, way)
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
        whole: Whole<'_>,
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
        let begins = way.thread.begins();
        if q.len() == n && v.len() == n && begins {
            keep_fixed(system, t, &mut q, &mut v, &self.options.fixed)?;
        }
        let mut consistent = consistent_start_with_gap(system, t, (&q, &v), gap, linear)?;
        if let Some(passes) = self.options.smooth_start.filter(|_| begins) {
            let smooth = smooth_start(system, t, &consistent.q, &consistent.v, passes, linear)?;
            consistent = consistent_start_with_gap(system, t, (&smooth.q, &smooth.v), gap, linear)?;
            consistent.lambda = smooth.lambda;
        }
        let averaged = self.averaged(system, (t, begins), &mut consistent)?;
        let system = averaged.as_ref().map_or(system, |averaged| averaged as &dyn MechanicalSystem);
        let impulses = match begins {
            true => Vec::new(),
            false => impulses(system, t, (&consistent.q, &consistent.v), &v).map_err(StartError::from)?,
        };
        if consistent.selection.is_everything() {
            return self.begin_mechanism(system, whole, (consistent, impulses), way);
        }
        let independent = Independent::of(system, &consistent.selection);
        let whole = Whole { independent: Some(&independent), ..whole };
        self.begin_mechanism(&independent, whole, (consistent, impulses), way)
    }

    /// Begins with a mechanism whose constraints are independent; `whole` knows those that were left out.
    fn begin_mechanism<R, D: Drive<R>>(
        &self,
        system: &dyn MechanicalSystem,
        whole: Whole<'_>,
        (mut start, impulses): (ConsistentStart, Vec<(String, f64)>),
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let structure = system.structure();
        let (all, rates) = (whole.independent, start.a.clone());
        let guard = all.map(|all| self.guard(all, &start, way.t)).transpose()?;
        let kept = all.map_or(start.lambda.clone(), |all| all.kept_multipliers(&start.lambda));
        start.lambda = whole.multipliers(way.t, (&start.q, &start.v), &kept);
        let outer = Layout::mechanical(structure.n(), start.lambda.len());
        let widen =
            |t: f64, q: &[f64], v: &[f64], kept: &[f64]| [q, v, &whole.multipliers(t, (q, v), kept)].concat();
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
            let (start, translation, options) = (Some(start), Some(&translation), None);
            let around = Around { start, translation, guard, options, rates, impulses };
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
            let (start, translation, options) = (Some(start), Some(&translation), Some(options));
            let around = Around { start, translation, guard, options, rates, impulses };
            return self.begin(&Target::Mechanical(&augmented), &y, around, way);
        }
        let inner = Layout::mechanical(structure.n(), structure.m());
        let map = |t: f64, y: &[f64]| {
            let (q, v, kept) = inner.split(y);
            widen(t, q, v, kept)
        };
        let translation = Translation { layout: outer, map: Box::new(map) };
        let y = [start.q.as_slice(), &start.v, &kept].concat();
        let translation = whole.is_given().then_some(&translation);
        let around = Around { start: Some(start), translation, guard, options: None, rates, impulses };
        self.begin(&Target::Mechanical(system), &y, around, way)
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
        let Way { t, until, observer, thread, drive } = way;
        let Around { start, translation, guard, options, rates, impulses } = around;
        let options = options.as_ref().unwrap_or(&self.options);
        // Phases behind the first do not begin with a snapshot.
        let resume = self.resume.as_ref().filter(|_| thread.carried.is_none());
        let stiff = match &thread.carried {
            Some(carried) => carried.stiff,
            None => resume.and_then(Stiff::before),
        };
        let mut chosen = Chosen::new(target, &self.method, options, stiff);
        let count = thread.carried.as_ref().map_or(Statistics::default(), |carried| carried.count);
        chosen
            .keep_following(thread.carried.as_ref().map_or(Vec::new(), |carried| carried.vibrating.clone()));
        let driver = self.first_driver(&mut chosen, (t, y), start.as_ref(), (resume, count))?;
        let warning = self.vibrations_to_follow(target, chosen.method(), (t, until, y))?;
        let warning = warning.or_else(|| driver.stepper.warning().map(str::to_owned));
        let adaptive = options.constant_step.is_none();
        let warning =
            warning.or_else(|| target.beyond_estimate(chosen.method(), options).filter(|_| adaptive));
        if let Some(warning) = warning.as_ref().filter(|_| thread.carried.is_none()) {
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
            rates: &rates,
            released: &self.released,
            impulses: &impulses,
            phase: &thread.phase,
        };
        let mut session = Session::new(driver, &mut chosen, plan, warning).guarded_by(guard);
        if let Some(snapshot) = resume {
            session.restore(snapshot)?;
        }
        let carried = thread.carried.take();
        let first = carried.as_ref().and_then(|carried| carried.start.clone());
        session.carry_on(carried);
        session.begin(observer, resume.is_some());
        if resume.is_some() {
            session.look_for_break();
        }
        Ok(drive(&mut session, observer, first.or(start)))
    }

    /// The driver of the first steps. No stepper of a method can be made at a singular configuration where a run began: there
    /// one that crosses it begins, or the one that goes on is made where it does.
    fn first_driver<'b>(
        &self,
        chosen: &mut Chosen<'_, 'b>,
        (t, y): (f64, &[f64]),
        start: Option<&ConsistentStart>,
        (resume, count): (Option<&Snapshot>, Statistics),
    ) -> Result<Driver<'b>, Error> {
        let branch = start.filter(|start| !start.passing.is_empty()).map(|start| start.a.as_slice());
        let (crosses, at) = match resume {
            None => (branch.is_some(), (t, y)),
            Some(snapshot) => {
                let reached = reached(snapshot).filter(|_| branch.is_some());
                (is_crossing(snapshot), reached.unwrap_or((t, y)))
            }
        };
        match crosses {
            true => chosen.crossing(at.0, at.1, branch.filter(|_| at.0 == t), count),
            false => chosen.driver(at.0, at.1, count),
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

/// x' of an ordinary first-order system; empty where it cannot be evaluated.
fn ordinary_rates(system: &dyn FirstOrderSystem, t: f64, x: &[f64]) -> Vec<f64> {
    let composition = system.composition();
    let mut rate = vec![0.0; x.len()];
    let known = system.rate(t, x, &mut rate).is_ok();
    let diagonal = composition.mass.entries().zip(&composition.mass_values);
    for ((i, _), mass) in diagonal {
        rate[i] /= mass;
    }
    let is_diagonal = composition.mass.entries().all(|(i, j)| i == j);
    if known && is_diagonal { rate } else { Vec::new() }
}
