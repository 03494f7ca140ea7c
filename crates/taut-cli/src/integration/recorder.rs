//! What goes along with a run: files, pictures, checkpoints, the progress bar, Ctrl-C.

use std::time::Instant;

use taut::run::{Change, Observer, Snapshot, View};
use taut::start::ConsistentStart;
use taut::system::PartitionedSystem;
use taut_report::track::{Keep, Thinned};

use super::collector::Collector;
use super::distances::Distances;
use super::interrupt::Interrupt;
use super::recorded::{Accounts, Recorded, Trouble};
use crate::checkpoint::{Checkpoint, Course, Keeper, SoFar};
use crate::model::Subject;
use crate::outcome::tell;
use crate::output::Destination;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::table::Table;

/// A picture shows at most so many rows.
const ROWS_OF_A_PICTURE: usize = 4000;

/// Goes along with a run.
pub struct Recorder<'m> {
    subject: &'m Subject,
    settings: &'m Settings,
    table: Table<'m>,
    accounts: Accounts,
    /// residuals as distances, known from the first step on
    distances: Option<Option<Distances>>,
    /// whether the run goes on from a checkpoint
    resumed: bool,
    destination: Option<Destination>,
    /// how far the run is to go
    course: Option<Course>,
    /// what a page or a picture shows
    collector: Option<Collector<'m>>,
    /// t, h, energy error, |g|, |G v + g_t| (or the residual of algebraic equations) for a picture
    history: Option<Thinned>,
    keeper: Option<Keeper<'m>>,
    progress: Option<Progress>,
    interrupt: Interrupt,
    began: Instant,
    latest_time: f64,
    trouble: Option<Trouble>,
    /// for each equation of a first-order model whether it has no derivative
    algebraic: Vec<bool>,
    rows: Vec<f64>,
}

impl<'m> Recorder<'m> {
    /// A recorder that records nothing yet.
    pub fn new(
        subject: &'m Subject,
        settings: &'m Settings,
        table: Table<'m>,
        start: Option<&ConsistentStart>,
    ) -> Self {
        let t = subject.model.start.t;
        let energy = start.and_then(|start| subject.energy(t, &[start.q.as_slice(), &start.v].concat()));
        let algebraic =
            subject.evolution().map(|system| system.composition().algebraic_rows()).unwrap_or_default();
        let constraints = subject.mechanism().map_or(0, |system| system.structure().m());
        Recorder {
            accounts: Accounts { energy_at_start: energy, ..Accounts::default() },
            subject,
            settings,
            table,
            distances: None,
            resumed: false,
            destination: None,
            course: None,
            collector: None,
            history: None,
            keeper: None,
            progress: None,
            interrupt: Interrupt::default(),
            began: Instant::now(),
            latest_time: t,
            trouble: None,
            rows: vec![0.0; algebraic.len().max(constraints)],
            algebraic,
        }
    }

    /// Writes the trajectory.
    pub fn write_to(&mut self, destination: Option<Destination>) {
        self.destination = destination;
    }

    /// Stops the run when the user presses Ctrl-C.
    pub fn listen(&mut self) {
        self.interrupt = Interrupt::listen();
    }

    /// Shows how far the run has come.
    pub fn show_progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Collects what a page or a picture shows.
    pub fn collect(&mut self) {
        self.collector = Some(Collector::new(self.subject));
        let rule = vec![Keep::Last, Keep::Last, Keep::Largest, Keep::Largest, Keep::Largest, Keep::Last];
        self.history = Some(Thinned::new(ROWS_OF_A_PICTURE, rule));
    }

    /// Writes checkpoints of a run that is to go so far.
    pub fn keep(&mut self, keeper: Option<Keeper<'m>>, course: Course) {
        (self.keeper, self.course) = (keeper, Some(course));
    }

    /// Goes on where another run stopped, at this time.
    pub fn go_on_from(&mut self, t: f64, before: SoFar) {
        self.accounts.energy_at_start = before.energy.map(|(start, _)| start);
        self.accounts.energy_error = before.energy.map_or(0.0, |(_, error)| error);
        self.accounts.algebraic = before.algebraic;
        self.accounts.residuals = before.residuals;
        self.accounts.distances = before.distances;
        self.accounts.before = before;
        self.latest_time = t;
        self.resumed = true;
    }

    /// What knows whether the user asked to stop.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Completes the files; what was counted, what a picture needs, and what went wrong.
    pub fn finish(self) -> Recorded {
        if let Some(progress) = &self.progress {
            progress.finish();
        }
        let finished = self.destination.map_or(Ok(()), Destination::finish);
        Recorded {
            accounts: self.accounts,
            collected: self.collector.map(Collector::finish),
            history: self.history.map(Thinned::finish).unwrap_or_default(),
            checkpointed: self.keeper.and_then(|keeper| keeper.latest()),
            trouble: self.trouble.or(finished.err().map(Trouble::File)),
            names: self.table.names().to_vec(),
        }
    }

    fn energy_error(&self, view: &View<'_>) -> Option<f64> {
        let start = self.accounts.energy_at_start?;
        if !self.resumed && self.subject.mechanism().is_some() {
            return Some(view.energy_error);
        }
        Some(self.subject.energy(view.t, view.y)? - start - view.invariants.by_events)
    }

    /// The residuals on the levels of position and velocity, or of the equations without derivatives.
    fn residuals(&mut self, view: &View<'_>) -> (f64, f64) {
        let (q, v) = self.table.motion(view.y);
        let rows = &mut self.rows;
        let mut largest = (0.0, 0.0);
        if let Some(system) = self.subject.mechanism() {
            let constraints = &system.structure().constraints;
            let largest_row = |rows: &[f64]| {
                let in_force = rows.iter().zip(constraints).enumerate();
                let in_force = in_force.filter(|(k, _)| !view.released.contains(k));
                let rigid = in_force.filter(|(_, (_, constraint))| constraint.compliance() == 0.0);
                largest_of(rigid.map(|(_, (row, _))| *row))
            };
            if system.constraint(view.t, q, rows).is_ok() {
                largest.0 = largest_row(rows);
            }
            if system.constraint_rate(view.t, q, v, rows).is_ok() {
                largest.1 = largest_row(rows);
            }
        } else if self.subject.evolution().is_some_and(|system| system.rate(view.t, q, rows).is_ok()) {
            let algebraic = rows.iter().zip(&self.algebraic).filter(|(_, algebraic)| **algebraic);
            largest.0 = largest_of(algebraic.map(|(row, _)| *row));
            if let Some(system) = self.subject.partition() {
                let structure = system.structure();
                let (first, rate) = (&q[..structure.n()], &rows[..structure.n()]);
                let mut along = [vec![0.0; structure.m()], vec![0.0; structure.m()]];
                let [velocity, curvature] = &mut along;
                if system.along(view.t, first, rate, velocity, curvature).is_ok() {
                    largest.1 = largest_of(velocity.iter().copied());
                }
            }
        }
        largest
    }

    fn note_history(&mut self, view: &View<'_>, energy_error: Option<f64>) {
        let first_order = self.algebraic.contains(&true);
        if self.history.is_none() && !first_order {
            return;
        }
        let (position, velocity) = self.residuals(view);
        if first_order {
            self.accounts.algebraic = larger(self.accounts.algebraic, position);
            if self.subject.partition().is_some() {
                let residuals = &mut self.accounts.residuals;
                (residuals[0], residuals[1]) =
                    (larger(residuals[0], position), larger(residuals[1], velocity));
            }
        }
        if let Some(history) = &mut self.history {
            let energy = energy_error.map_or(0.0, f64::abs);
            history.push(&[view.t, view.h.abs(), energy, position, velocity, view.stages as f64]);
        }
    }

    /// Keeps the maxima, and notices when one of them is no number.
    fn account(&mut self, view: &View<'_>, energy_error: Option<f64>) {
        let accounts = &mut self.accounts;
        accounts.energy_error = larger(accounts.energy_error, energy_error.map_or(0.0, f64::abs));
        for (largest, residual) in accounts.residuals.iter_mut().zip(view.invariants.residuals) {
            *largest = larger(*largest, residual);
        }
        let residuals = accounts.residuals.map(|residual| ("the residual of a constraint", residual));
        let mut maxima = residuals.into_iter().chain([("the error of the energy", accounts.energy_error)]);
        if let Some((name, value)) = maxima.find(|(_, value)| !value.is_finite()) {
            self.trouble = Some(Trouble::NotFinite { name: name.to_owned(), t: view.t, value });
        }
    }

    /// Keeps the largest residuals as distances, where they are no distances as they are.
    fn note_distances(&mut self, view: &View<'_>) {
        let Some(system) = self.subject.mechanism() else { return };
        let (q, v) = self.table.motion(view.y);
        let distances = self.distances.get_or_insert_with(|| Distances::of(system, (view.t, q, v)));
        let found = distances.as_mut().and_then(|distances| distances.look(system, view, (q, v)));
        let Some(found) = found else { return };
        let so_far = self.accounts.distances.unwrap_or_default();
        self.accounts.distances = Some([larger(so_far[0], found[0]), larger(so_far[1], found[1])]);
    }

    /// Whether the run should go on.
    fn goes_on(&self) -> bool {
        self.trouble.is_none() && !self.interrupt.is_asked()
    }
}

impl Observer for Recorder<'_> {
    fn warning(&mut self, text: &str) {
        tell(format!("warning: {text}"));
    }

    fn step(&mut self, view: &View<'_>) -> bool {
        self.latest_time = view.t;
        let energy_error = self.energy_error(view);
        self.account(view, energy_error);
        self.note_distances(view);
        self.note_history(view, energy_error);
        if let Some(progress) = &mut self.progress {
            progress.show(view, energy_error);
        }
        self.goes_on()
    }

    fn places(&self) -> &'static [f64] {
        self.collector.as_ref().map_or(&[], Collector::places)
    }

    fn inside(&mut self, t: f64, y: &[f64]) {
        if let Some(collector) = &mut self.collector {
            collector.take(t, y);
        }
    }

    fn changed(&mut self, change: &Change, y: &[f64]) {
        if let Some(collector) = &mut self.collector {
            collector.jump(change.t, y);
        }
    }

    fn output(&mut self, t: f64, y: &[f64]) {
        if self.trouble.is_some() {
            return;
        }
        let row = self.table.row(t, y);
        if let Some(k) = row.iter().position(|value| !value.is_finite()) {
            let value = row[k];
            let name = format!("'{}'", self.table.names()[k]);
            self.trouble = Some(Trouble::NotFinite { name, t, value });
            return;
        }
        if let Some(destination) = &mut self.destination {
            self.trouble = destination.row(row).err().map(Trouble::File);
        }
    }

    fn wants_snapshot(&mut self) -> bool {
        self.keeper.as_ref().is_some_and(Keeper::wants_more)
    }

    /// Behind the rows on the disk, and not behind one that could not be written: it would be missing in what the run goes
    /// on with.
    fn snapshot(&mut self, snapshot: &Snapshot) {
        if self.trouble.is_none()
            && let Err(error) = self.keep_snapshot(snapshot)
        {
            self.trouble = Some(Trouble::File(error));
        }
    }
}

impl Recorder<'_> {
    fn keep_snapshot(&mut self, snapshot: &Snapshot) -> std::io::Result<()> {
        let (Some(keeper), Some(course)) = (&mut self.keeper, self.course) else { return Ok(()) };
        let written = self.destination.as_mut().map(Destination::secure).transpose()?;
        let Accounts { before, energy_at_start, energy_error, residuals, distances, algebraic } =
            &self.accounts;
        keeper.take(Checkpoint {
            settings: self.settings.clone(),
            start: self.subject.model.start.t,
            course,
            t: self.latest_time,
            so_far: SoFar {
                seconds: before.seconds + self.began.elapsed().as_secs_f64(),
                energy: energy_at_start.map(|start| (start, *energy_error)),
                residuals: *residuals,
                distances: *distances,
                algebraic: *algebraic,
            },
            written,
            snapshot: snapshot.clone(),
        })
    }
}

/// The larger of two sizes; no number when one of them is none, which `f64::max` would drop.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

fn largest_of(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |largest, value| larger(largest, value.abs()))
}
