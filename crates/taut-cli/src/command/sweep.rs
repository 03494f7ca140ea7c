//! `taut sweep`

mod dask;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::arguments::Sweep;
use crate::files::{Disk, Places, beside};
use crate::integration::{Interrupt, check_constant_steps};
use crate::manifest;
use crate::model::{SharedModel, Subject};
use crate::outcome::{Failure, Outcome, Status, print, print_json, tell};
use crate::picture::write_page;
use crate::progress::Counter;
use crate::settings::Settings;
use crate::sweep::{
    Cases, Columns, Gathered, Identity, Receiver, Record, Row, RowStatus, Runner, Sampling, Store,
    Trajectories, end_of, in_order, label, read_table, window,
};

/// Rows are on the disk after at most this time.
const SECURED: Duration = Duration::from_secs(1);

/// Makes all runs that are not in the file yet.
pub fn execute(sweep: &Sweep) -> Outcome {
    let disk = Disk::default();
    let format = Store::format(&sweep.out)?;
    let settings = Settings::default().with(&sweep.how, &sweep.subject.resolved()?);
    settings.method()?;
    let cases = cases(sweep)?;
    let subject = Subject::load_robot(&sweep.subject.model, &settings.set, &sweep.subject.robot)?;
    let model = SharedModel::new(&subject);
    check_names(&subject, &model, &settings, &cases)?;
    let until = end_of(&subject, sweep.until)?;
    check_constant_steps(settings.step, sweep.how.max_steps, until - subject.model.start.t)?;
    places(sweep).check()?;
    let columns = Columns::of_sweep(&subject, &model, &settings, &cases);
    let trajectories = trajectories(sweep, format)?;
    let runner = Runner {
        model: &model,
        settings: &settings,
        until: sweep.until,
        columns: &columns,
        trajectories: trajectories.as_ref(),
    };
    let names = all_columns(&cases, &columns);
    let identity = Identity::new(&subject, &runner, &cases, &names);
    let (store, gathered) = open(sweep, &disk, &identity, &cases, &names)?;
    let work = Work { sweep, runner: &runner, cases: &cases, resumed: store.count };
    let mut made = match &sweep.dask {
        Some(address) => dask::run(address, &work, store, gathered)?,
        None => work.run(store, gathered)?,
    };
    if let Some(path) = &sweep.report {
        made.gathered.add_units(&subject.model);
        let title = format!("Sweep of {}", subject.model.name);
        write_page(path, &disk, &made.gathered.page(&title, super::typed())).map_err(Failure::late)?;
    }
    work.tell(&made, &subject, &names)
}

/// What is to be done, and what is known of it.
struct Work<'w> {
    sweep: &'w Sweep,
    runner: &'w Runner<'w>,
    cases: &'w Cases,
    /// so many rows were there before
    resumed: u64,
}

/// What was done.
struct Made {
    gathered: Gathered,
    /// how many rows there are
    count: u64,
    threads: usize,
    seconds: f64,
    interrupted: bool,
}

impl Work<'_> {
    /// Runs on threads.
    fn run(&self, store: Store, gathered: Gathered) -> Result<Made, Failure> {
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.sweep.threads.map_or(available, |threads| threads as usize);
        let (stop, began) = (AtomicBool::new(false), Instant::now());
        let range = store.count..self.cases.count();
        let progress = Counter::new(range.clone(), self.sweep.quiet);
        let mut writer = Writer {
            cases: self.cases,
            store,
            gathered,
            path: &self.sweep.out,
            secured: Instant::now(),
            progress,
            interrupt: Interrupt::listen(),
            stop: &stop,
        };
        let work = |run: u64| self.runner.run(run, &self.cases.set(run), &stop);
        let bytes = size_of::<f64>() * (self.runner.columns.names().len() + 16);
        let ended = in_order(range, threads, window(bytes), &stop, &work, &mut writer);
        writer.progress.finish();
        let Writer { store, gathered, interrupt, .. } = writer;
        let count = store.count;
        let finished = store.finish(count == self.cases.count());
        ended?;
        finished.map_err(|error| Failure::file(&self.sweep.out, error).late())?;
        let interrupted = interrupt.is_asked() && count < self.cases.count();
        Ok(Made { gathered, count, threads, seconds: began.elapsed().as_secs_f64(), interrupted })
    }

    /// Says what was done.
    fn tell(&self, made: &Made, subject: &Subject, names: &[String]) -> Outcome {
        let (sweep, cases) = (self.sweep, self.cases);
        let new = made.count - self.resumed;
        let rate = new as f64 / made.seconds.max(1e-9);
        let counts = RowStatus::ALL.map(|status| made.gathered.count(status));
        let [done, stopped, failed] = counts;
        if sweep.json {
            print_json(&json!({
                "model": subject.name, "runs": cases.count(), "rows": made.count, "done": done, "stopped": stopped,
                "failed": failed, "resumed": self.resumed, "varied": cases.names(), "threads": made.threads,
                "seconds": made.seconds, "interrupted": made.interrupted, "out": sweep.out, "columns": names,
                "report": sweep.report,
            }))?;
        } else {
            let mut text =
                format!("{}: {} runs over {}\n", subject.name, cases.count(), cases.names().join(", "));
            text += &format!("  {done} done, {stopped} stopped early, {failed} failed\n");
            if self.resumed > 0 {
                text += &format!("  {} of them were in the file already\n", self.resumed);
            }
            text += &format!("  {:.3} s with {} threads, {rate:.1} runs/s\n", made.seconds, made.threads);
            let place = manifest::place(&sweep.out);
            text += &format!("  {} (how it was made: {})\n", sweep.out.display(), place.display());
            text += &sweep.report.iter().map(|path| format!("  {}\n", path.display())).collect::<String>();
            print(&text)?;
        }
        if !made.interrupted {
            return Ok(Status::Done);
        }
        let (count, runs) = (made.count, cases.count());
        tell(format!(
            "stopped by the user after {count} of {runs} runs; the same command goes on from there"
        ));
        Ok(Status::Stopped)
    }
}

/// Takes rows, in order.
struct Writer<'w> {
    cases: &'w Cases,
    store: Store,
    gathered: Gathered,
    path: &'w Path,
    secured: Instant,
    progress: Counter,
    interrupt: Interrupt,
    stop: &'w AtomicBool,
}

impl Receiver<Row, Failure> for Writer<'_> {
    fn take(&mut self, run: u64, row: Row) -> Result<(), Failure> {
        let numbers = [self.cases.values(run), row.numbers].concat();
        let record = Record { run, numbers, status: row.status, reason: row.reason };
        self.gathered.take(&record);
        self.store.add(&record).map_err(|error| Failure::file(self.path, error).late())
    }

    fn rest(&mut self, found: u64) -> Result<(), Failure> {
        self.progress.show(found);
        if self.interrupt.is_asked() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.secured.elapsed() > SECURED {
            self.store.secure().map_err(|error| Failure::file(self.path, error).late())?;
            self.secured = Instant::now();
        }
        Ok(())
    }
}

fn cases(sweep: &Sweep) -> Result<Cases, Failure> {
    if let Some(table) = &sweep.table {
        return read_table(table);
    }
    if sweep.vary.is_empty() {
        return Err(Failure::wrong(
            "what is varied? Add --vary NAME=FROM..TO:COUNT, or --table FILE with a row for each run",
        ));
    }
    let sampling = match (sweep.latin, sweep.sobol) {
        (true, _) => Sampling::Latin,
        (_, true) => Sampling::Sobol,
        _ => Sampling::Independent,
    };
    match sweep.random {
        Some(count) => Cases::random(sweep.vary.clone(), count, sweep.seed.unwrap_or(0), sampling),
        None => Cases::grid(sweep.vary.clone()),
    }
}

/// Whether the model has what is varied, and nothing is both set and varied.
fn check_names(
    subject: &Subject,
    model: &SharedModel,
    settings: &Settings,
    cases: &Cases,
) -> Result<(), Failure> {
    let parameters = subject.model.parameters.iter().map(|(name, _)| &**name);
    let coordinates = subject.model.coordinates().iter().map(String::as_str);
    let known: Vec<&str> = parameters.chain(coordinates).collect();
    let mechanical = subject.mechanism().is_some();
    for (name, value) in cases.set(0) {
        if settings.set.iter().any(|(set, _)| *set == name) {
            return Err(Failure::wrong(format!("'{name}' is varied, and --set gives it a value")));
        }
        let rate = name.strip_suffix('\'').filter(|_| mechanical);
        if !known.contains(&rate.unwrap_or(&name)) || rate.is_some_and(|rate| !known.contains(&rate)) {
            model.subject(&[settings.set.as_slice(), &[(name, value)]].concat())?;
        }
    }
    Ok(())
}

/// All files of a sweep, none of which may be another one.
fn places(sweep: &Sweep) -> Places {
    let out = sweep.out.as_path();
    let (manifest, part) = (manifest::place(out), beside(out, "part"));
    let model = Path::new(&sweep.subject.model);
    Places::default()
        .reads("the model", model.exists().then_some(model))
        .reads("--table", sweep.table.as_deref())
        .writes("--out", Some(out))
        .writes("the manifest of --out", Some(&manifest))
        .writes("the journal of --out", Some(&part))
        .writes("--report", sweep.report.as_deref())
}

fn trajectories(sweep: &Sweep, format: crate::output::Format) -> Result<Option<Trajectories>, Failure> {
    let Some(folder) = sweep.trajectories.clone() else { return Ok(None) };
    if sweep.samples.is_some_and(|samples| samples < 2) {
        return Err(Failure::wrong("--samples must be 2 or more: start and end are among them"));
    }
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, error))?;
    Ok(Some(Trajectories { folder, format, samples: sweep.samples, every: sweep.every }))
}

/// The columns of the file: the run, what was varied, what came of it, how it ended.
fn all_columns(cases: &Cases, columns: &Columns) -> Vec<String> {
    let varied = cases.names().iter().map(|name| label(name, columns.names()));
    let first = ["run".to_owned()].into_iter().chain(varied);
    let last = ["status".to_owned(), "reason".to_owned()];
    first.chain(columns.names().iter().cloned()).chain(last).collect()
}

/// The file, new or as an earlier sweep has left it.
fn open(
    sweep: &Sweep,
    disk: &Disk,
    identity: &Identity,
    cases: &Cases,
    names: &[String],
) -> Result<(Store, Gathered), Failure> {
    let mut gathered = Gathered::new(names, cases.names().len(), sweep.report.is_some());
    if !identity.is_there(&sweep.out)? {
        identity.write(disk, &sweep.out)?;
        return Ok((Store::begin(disk, &sweep.out, names)?, gathered));
    }
    let store = Store::go_on(disk, &sweep.out, names, &mut |record| {
        let expected = if record.run < cases.count() { cases.values(record.run) } else { Vec::new() };
        let found = record.numbers.iter().take(cases.names().len());
        if !found.map(|value| value.to_bits()).eq(expected.iter().map(|value| value.to_bits())) {
            return Err(format!("the values of run {} are others than in this sweep", record.run));
        }
        gathered.take(&record);
        Ok(())
    })?;
    Ok((store, gathered))
}
