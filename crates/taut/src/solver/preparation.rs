//! From what a person has to a run: a consistent start, a target, a stepper.

use super::choice::Chosen;
use super::target::Target;
use super::{Solver, System};
use crate::equations::{FirstOrderView, Formulation, Ggl, Layout};
use crate::error::Error;
use crate::method::Scheme;
use crate::motion::Statistics;
use crate::options::Options;
use crate::run::{Observer, Plan, Session, Steppers, Translation};
use crate::start::{
    ConsistentStart, StartError, check_length, consistent_partition, consistent_start, consistent_variables,
    find_index, redundant_constraints, smooth_start,
};
use crate::system::{
    Constraint, DamperForces, FirstOrderSystem, Independent, MechanicalSystem, PartitionedSystem,
};

/// From where to where a run goes, who goes along, and what is done with it when it is ready to begin.
struct Way<'w, D> {
    t: f64,
    until: f64,
    observer: &'w mut dyn Observer,
    drive: D,
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
        let way = Way { t, until, observer, drive };
        match self.system {
            System::FirstOrder(system) => self.prepare_first_order(system, start, way),
            System::Partitioned(system) => self.prepare_partition(system, start, way),
            System::Mechanical(system) => {
                let partitioned = matches!(self.method.scheme(), Scheme::Spark(_));
                let dampers = if partitioned { DamperForces::of(system) } else { None };
                let system = dampers.as_ref().map_or(system, |dampers| dampers as &dyn MechanicalSystem);
                self.prepare_mechanism(system, start, way)
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
        self.begin(&target, &x, None, None, way)
    }

    fn prepare_partition<R, D: Drive<R>>(
        &self,
        system: &dyn PartitionedSystem,
        start: &[f64],
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let start = consistent_partition(system, way.t, start, self.options.linear)?;
        let y = [start.q.as_slice(), &start.v, &start.lambda].concat();
        self.begin(&Target::Partitioned(system), &y, Some(start), None, way)
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
        let mut consistent = consistent_start(system, t, q, v, linear)?;
        if let Some(passes) = self.options.smooth_start {
            let smooth = smooth_start(system, t, &consistent.q, &consistent.v, passes, linear)?;
            consistent = consistent_start(system, t, &smooth.q, &smooth.v, linear)?;
            consistent.lambda = smooth.lambda;
        }
        if consistent.redundant.is_empty() {
            return self.begin_mechanism(system, None, consistent, way);
        }
        let left_out = redundant_constraints(system, t, &consistent.q, &consistent.v)?;
        let independent = Independent::without(system, &left_out);
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
            let index = find_index(&view, way.t, &x, self.options.linear)?;
            let map = |x: &[f64]| {
                let at = view.layout().split(x);
                widen(at.q, at.v, at.lambda)
            };
            let translation = Translation { layout: outer, map: Box::new(map) };
            let target = Target::FirstOrder { system: &view, index, of: Some(system) };
            return self.begin(&target, &x, Some(start), Some(&translation), way);
        }
        let inner = Layout::mechanical(structure.n(), structure.m());
        let map = |y: &[f64]| {
            let (q, v, kept) = inner.split(y);
            widen(q, v, kept)
        };
        let translation = Translation { layout: outer, map: Box::new(map) };
        let y = [start.q.as_slice(), &start.v, &kept].concat();
        let target = Target::Mechanical(system);
        self.begin(&target, &y, Some(start), all.map(|_| &translation), way)
    }

    /// Begins a run, or goes on with one, and hands it over.
    fn begin<R, D: Drive<R>>(
        &self,
        target: &Target<'_>,
        y: &[f64],
        start: Option<ConsistentStart>,
        translation: Option<&Translation<'_>>,
        way: Way<'_, D>,
    ) -> Result<R, Error> {
        let Way { t, until, observer, drive } = way;
        let mut chosen = Chosen::new(target, &self.method, &self.options, self.resume.as_ref());
        let driver = chosen.driver(t, y, Statistics::default())?;
        let warning = self.vibrations_to_follow(target, chosen.method(), (t, until, y))?;
        let warning = warning.or_else(|| driver.stepper.warning().map(str::to_owned));
        if let Some(warning) = &warning {
            observer.warning(warning);
        }
        let plan = Plan {
            end: until,
            breaks: &self.breaks,
            output: &self.output,
            keep_output: self.keep_output,
            keep_inside: self.keep_inside,
            events: &self.events,
            watched: target.watched().filter(|_| self.watch),
            snapshot_every: self.snapshot_every,
            translation,
        };
        let mut session = Session::new(driver, &mut chosen, plan, warning);
        if let Some(snapshot) = &self.resume {
            session.restore(snapshot)?;
        }
        session.begin(observer, self.resume.is_some());
        if self.resume.is_some() {
            session.look_for_break();
        }
        Ok(drive(&mut session, observer, start))
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
