//! What goes along with a run: files, pictures, checkpoints, the progress bar, Ctrl-C.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use taut::run::{Observer, Snapshot, View};
use taut::start::ConsistentStart;
use taut_report::track::{Keep, Thinned};

use super::collector::{Collected, Collector};
use super::interrupt::Interrupt;
use crate::checkpoint::{Checkpoint, Keeper, SoFar};
use crate::model::Subject;
use crate::outcome::{named, tell};
use crate::output::{Format, Sink};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::table::Table;

/// A picture shows at most so many rows.
const ROWS_OF_A_PICTURE: usize = 4000;

/// Where a trajectory goes; the file is begun with the first state, when method and model have met.
pub struct Destination {
    /// the file
    pub path: PathBuf,
    format: Format,
    names: Vec<String>,
    sink: Option<Box<dyn Sink>>,
}

impl Destination {
    /// A file that is not begun yet.
    pub fn new(path: PathBuf, format: Format, names: &[String]) -> Self {
        Destination { path, format, names: names.to_vec(), sink: None }
    }

    fn row(&mut self, row: &[f64]) -> io::Result<()> {
        let written = match &mut self.sink {
            Some(sink) => sink.row(row),
            None => {
                self.format.create(&self.path, &self.names).and_then(|sink| self.sink.insert(sink).row(row))
            }
        };
        written.map_err(|error| named(&self.path, error))
    }

    fn finish(self) -> io::Result<()> {
        let finished = match self.sink {
            Some(sink) => sink.finish(),
            None => self.format.create(&self.path, &self.names).and_then(Sink::finish),
        };
        finished.map_err(|error| named(&self.path, error))
    }
}

/// What a run was like, added up over its parts.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// what came before the checkpoint that the run went on from
    pub before: SoFar,
    /// the energy at the very start, for mechanical models
    pub energy_at_start: Option<f64>,
    /// the largest deviation from it
    pub energy_error: f64,
    /// the largest residual of equations without derivatives
    pub algebraic: f64,
}

/// Goes along with a run.
pub struct Recorder<'m> {
    subject: &'m Subject,
    settings: &'m Settings,
    table: Table<'m>,
    accounts: Accounts,
    /// whether the run goes on from a checkpoint
    resumed: bool,
    destination: Option<Destination>,
    /// what a page or a picture shows
    collector: Option<Collector<'m>>,
    /// t, h, energy error, |g|, |G v + g_t| (or the residual of algebraic equations) for a picture
    history: Option<Thinned>,
    keeper: Option<Keeper<'m>>,
    progress: Option<Progress>,
    interrupt: Interrupt,
    began: Instant,
    latest_time: f64,
    trouble: Option<io::Error>,
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
        let energy = subject
            .mechanism()
            .zip(start)
            .and_then(|(system, start)| system.energy(t, &start.q, &start.v).ok());
        let algebraic =
            subject.evolution().map(|system| system.composition().algebraic_rows()).unwrap_or_default();
        let constraints = subject.mechanism().map_or(0, |system| system.structure().m());
        Recorder {
            accounts: Accounts {
                energy_at_start: energy.map(|energy| energy.total()),
                ..Accounts::default()
            },
            subject,
            settings,
            table,
            resumed: false,
            destination: None,
            collector: None,
            history: None,
            keeper: None,
            progress: None,
            interrupt: Interrupt::listen(),
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

    /// Shows how far the run has come.
    pub fn show_progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Collects what a page or a picture shows.
    pub fn collect(&mut self) {
        self.collector = Some(Collector::new(self.subject));
        let rule = vec![Keep::Last, Keep::Last, Keep::Largest, Keep::Largest, Keep::Largest];
        self.history = Some(Thinned::new(ROWS_OF_A_PICTURE, rule));
    }

    /// Writes checkpoints.
    pub fn keep(&mut self, keeper: Option<Keeper<'m>>) {
        self.keeper = keeper;
    }

    /// Goes on where another run stopped, at this time.
    pub fn go_on_from(&mut self, t: f64, before: SoFar) {
        self.accounts.energy_at_start = before.energy.map(|(start, _)| start);
        self.accounts.energy_error = before.energy.map_or(0.0, |(_, error)| error);
        self.accounts.algebraic = before.algebraic;
        self.accounts.before = before;
        self.latest_time = t;
        self.resumed = true;
    }

    /// Whether the user asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_asked()
    }

    /// Completes the files; what was counted, what a picture needs, and what could not be written.
    pub fn finish(self) -> Recorded<'m> {
        if let Some(progress) = &self.progress {
            progress.finish();
        }
        let begun = self.destination.as_ref().is_none_or(|destination| destination.sink.is_some());
        let finished = self.destination.map_or(Ok(()), Destination::finish);
        Recorded {
            accounts: self.accounts,
            collected: self.collector.map(Collector::finish),
            history: self.history.map(Thinned::finish).unwrap_or_default(),
            keeper: self.keeper,
            begun: begun || finished.is_ok(),
            trouble: self.trouble.or(finished.err()),
            names: self.table.names().to_vec(),
        }
    }

    fn energy_error(&self, view: &View<'_>) -> Option<f64> {
        let start = self.accounts.energy_at_start?;
        if !self.resumed {
            return Some(view.energy_error);
        }
        let (q, v) = self.table.motion(view.y);
        let energy = self.subject.mechanism()?.energy(view.t, q, v).ok()?;
        Some(energy.total() - start)
    }

    /// The residuals on the levels of position and velocity, or of the equations without derivatives.
    fn residuals(&mut self, view: &View<'_>) -> (f64, f64) {
        let (q, v) = self.table.motion(view.y);
        let rows = &mut self.rows;
        let mut largest = (0.0, 0.0);
        if let Some(system) = self.subject.mechanism() {
            let constraints = &system.structure().constraints;
            let largest_row = |rows: &[f64]| {
                let rigid =
                    rows.iter().zip(constraints).filter(|(_, constraint)| constraint.compliance() == 0.0);
                rigid.fold(0.0, |largest: f64, (row, _)| largest.max(row.abs()))
            };
            if system.constraint(view.t, q, rows).is_ok() {
                largest.0 = largest_row(rows);
            }
            if system.constraint_rate(view.t, q, v, rows).is_ok() {
                largest.1 = largest_row(rows);
            }
        } else if self.subject.evolution().is_some_and(|system| system.rate(view.t, q, rows).is_ok()) {
            let algebraic = rows.iter().zip(&self.algebraic).filter(|(_, algebraic)| **algebraic);
            largest.0 = algebraic.fold(0.0, |largest: f64, (row, _)| largest.max(row.abs()));
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
            self.accounts.algebraic = self.accounts.algebraic.max(position);
        }
        if let Some(history) = &mut self.history {
            let energy = energy_error.map_or(0.0, f64::abs);
            history.push(&[view.t, view.h.abs(), energy, position, velocity]);
        }
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
        self.accounts.energy_error = self.accounts.energy_error.max(energy_error.map_or(0.0, f64::abs));
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

    fn output(&mut self, t: f64, y: &[f64]) {
        if self.trouble.is_some() {
            return;
        }
        let row = self.table.row(t, y);
        if let Some(destination) = &mut self.destination {
            self.trouble = destination.row(row).err();
        }
    }

    /// Not behind a row that could not be written: it would be missing in what the run goes on with.
    fn snapshot(&mut self, snapshot: &Snapshot) {
        let Some(keeper) = self.keeper.as_mut().filter(|_| self.trouble.is_none()) else { return };
        let Accounts { before, energy_at_start, energy_error, algebraic } = &self.accounts;
        let checkpoint = Checkpoint {
            settings: self.settings.clone(),
            start: self.subject.model.start.t,
            t: self.latest_time,
            so_far: SoFar {
                seconds: before.seconds + self.began.elapsed().as_secs_f64(),
                energy: energy_at_start.map(|start| (start, *energy_error)),
                residuals: before.residuals,
                algebraic: *algebraic,
            },
            snapshot: snapshot.clone(),
        };
        if let Err(error) = keeper.take(checkpoint) {
            self.trouble = Some(error);
        }
    }
}

/// What a recorder leaves.
pub struct Recorded<'m> {
    /// what was counted
    pub accounts: Accounts,
    /// the names of the columns
    pub names: Vec<String>,
    /// what a page or a picture shows
    pub collected: Option<Collected>,
    /// t, h, energy error and residuals after each step
    pub history: Vec<Vec<f64>>,
    /// the keeper of checkpoints
    pub keeper: Option<Keeper<'m>>,
    /// whether the trajectory could be begun
    pub begun: bool,
    /// a file that could not be written
    pub trouble: Option<io::Error>,
}
