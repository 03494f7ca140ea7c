//! `taut run`

use serde_json::{Value, json};
use taut::motion::Stop;
use taut::run::{Output, RunError};
use taut::start::ConsistentStart;

use crate::arguments::Run;
use crate::checkpoint::{Checkpoint, Course, Keeper};
use crate::files::{Disk, Places, beside};
use crate::integration::{
    Collected, Ending, MORE_STEPS, Plan, Recorded, Recorder, SecondRun, Trouble, check_constant_steps,
    expectation, output_times, start_of,
};
use crate::manifest;
use crate::model::Subject;
use crate::outcome::{Failure, Outcome, Status, print, tell};
use crate::output::{Destination, Format};
use crate::page::{self, Wanted};
use crate::picture::{Picture, chosen_columns, write_page};
use crate::progress::Progress;
use crate::report::report;
use crate::settings::Settings;
use crate::summary::Summary;
use crate::table::Table;

/// What a run has to say.
#[derive(Debug)]
pub struct Performed {
    /// the report, or the summary as JSON
    pub text: String,
    /// what goes to standard error
    pub messages: Vec<String>,
    /// how it ended
    pub ending: Outcome,
}

/// Integrates a model, writes what was asked for, and says how it went.
pub fn execute(run: &Run) -> Outcome {
    if let Some(digits) = run.digits {
        return super::digits::execute(run, digits as usize);
    }
    let performed = perform(run, &Disk::default())?;
    print(&performed.text)?;
    performed.messages.iter().for_each(tell);
    performed.ending
}

/// Integrates a model and writes what was asked for to a disk.
pub fn perform(run: &Run, disk: &Disk) -> Result<Performed, Failure> {
    let format = run.out.as_deref().map(Format::of).transpose()?;
    let picture = run.plot.as_deref().map(Picture::of).transpose()?;
    let settings = settings(run)?;
    settings.method()?;
    let subject = Subject::load_robot(&run.subject.model, &settings.set, &run.subject.robot)?;
    chosen_columns(&Table::new(&subject).names()[1..], &run.columns)?;
    let checkpoint = run.resume.as_deref().map(|path| Checkpoint::read(path, &subject)).transpose()?;
    let course = course(run, &subject, checkpoint.as_ref())?;
    let from = subject.model.start.t;
    check_direction(from, course.until, checkpoint.as_ref())?;
    check_constant_steps(settings.step, run.how.max_steps, course.until - from)?;
    let output = output_times(run, from, &course)?;
    places(run).check()?;
    let start = start_of(&subject, &settings)?;
    let mut recorder = recorder(run, &subject, &settings, start.as_ref());
    recorder.write_to(destination(run, disk, &subject, format, checkpoint.as_ref())?);
    recorder.keep(run.checkpoint.as_deref().map(|path| Keeper::new(path, disk, &subject)), course);
    recorder.show_progress(Progress::new(from, course.until, run.quiet));
    let resume = checkpoint.map(|checkpoint| {
        recorder.go_on_from(checkpoint.t, checkpoint.so_far);
        checkpoint.snapshot
    });
    // The recorder says after which steps it wants a snapshot.
    let snapshot_every = run.checkpoint.is_some().then_some(1);
    let plan = Plan {
        subject: &subject,
        settings: &settings,
        until: course.until,
        output,
        snapshot_every,
        resume,
        share_of_tolerances: 1.0,
    };
    let (ending, mut recorded, interrupted) = integrate(&plan, run.second_run, recorder)?;
    let collected = recorded.collected.take();
    let acting = subject.model.system.acting();
    let mechanism = subject.mechanism().zip(start.as_ref());
    let conserved = mechanism.map(|(system, start)| expectation(system, &acting, from, start));
    let mut summary = Summary {
        subject: &subject,
        settings: &settings,
        from,
        until: course.until,
        ending: &ending,
        accounts: &recorded.accounts,
        conserved: conserved.as_ref(),
        stopped: why_stopped(&ending, course.until, interrupted, &recorded),
    };
    if summary.stopped.is_none() {
        summary.stopped = summary.not_finite();
    }
    // A file that cannot be written does not take the summary with it.
    let written = write_manifest(run, disk, &plan.output, &summary, &recorded.names)
        .and_then(|()| write_pages(run, disk, picture.as_ref(), &summary, &recorded, collected));
    Ok(performed(run, &summary, recorded.checkpointed, written))
}

/// Integrates, and once more to see how far the end is off; how it ended, what was recorded, and whether the user stopped it.
fn integrate(
    plan: &Plan<'_>,
    second_run: SecondRun,
    mut recorder: Recorder<'_>,
) -> Result<(Ending, Recorded, bool), Failure> {
    let mut ending = plan.run(&mut recorder)?;
    let interrupt = recorder.interrupt();
    let interrupted = interrupt.is_asked();
    let recorded = recorder.finish();
    let goes_on = || recorded.trouble.is_none() && !interrupt.is_asked();
    if let Some(warning) = ending.look_again(plan, second_run, &Vec::new, &goes_on) {
        tell(format!("warning: {warning}"));
    }
    Ok((ending, recorded, interrupted))
}

/// The words for what was done.
fn performed(
    run: &Run,
    summary: &Summary<'_>,
    checkpointed: Option<f64>,
    written: Result<(), Failure>,
) -> Performed {
    let text = match run.json {
        true => format!("{:#}\n", summary.to_json()),
        false => report(summary, &files(run, checkpointed)),
    };
    let messages = match &summary.stopped {
        Some(stopped) => why(run, stopped, summary.ending.motion.t, checkpointed),
        None => Vec::new(),
    };
    let status = if summary.stopped.is_some() { Status::Stopped } else { Status::Done };
    Performed { text, messages, ending: written.map(|()| status).map_err(Failure::late) }
}

/// Why a run stopped, and how it goes on; one object for programs.
fn why(run: &Run, stopped: &str, t: f64, checkpointed: Option<f64>) -> Vec<String> {
    let failure = Failure::stopped(stopped, t);
    if run.json {
        return vec![failure.to_json().to_string()];
    }
    let resumed = run.checkpoint.as_ref().zip(checkpointed);
    let how = resumed.map(|(path, t)| format!("go on from t = {t} with --resume {}", path.display()));
    [failure.message].into_iter().chain(how).collect()
}

fn write_manifest(
    run: &Run,
    disk: &Disk,
    output: &Output,
    summary: &Summary<'_>,
    names: &[String],
) -> Result<(), Failure> {
    let Some(out) = &run.out else { return Ok(()) };
    manifest::write(disk, out, names, &output_json(output), summary)
}

/// The report and the picture.
fn write_pages(
    run: &Run,
    disk: &Disk,
    picture: Option<&Picture>,
    summary: &Summary<'_>,
    recorded: &Recorded,
    collected: Option<Collected>,
) -> Result<(), Failure> {
    let Some(collected) = collected else { return Ok(()) };
    let wanted = Wanted { columns: run.columns.clone(), command: Some(super::typed()) };
    let report = page::of_run(summary, collected, &recorded.history, &wanted);
    if let Some(path) = &run.report {
        write_page(path, disk, &report)?;
    }
    match picture {
        Some(picture) => picture.write_on(disk, &report.to_figure()),
        None => Ok(()),
    }
}

/// What was typed, on top of what a checkpoint says.
fn settings(run: &Run) -> Result<Settings, Failure> {
    let overrides = &run.subject.resolved()?;
    let Some(path) = &run.resume else { return Ok(Settings::default().with(&run.how, overrides)) };
    let kept = Checkpoint::read_settings(path)?;
    let typed = kept.clone().with(&run.how, overrides);
    match kept.difference(&typed) {
        None => Ok(typed),
        Some(difference) => {
            Err(Failure::file(path, format!("{difference}; a run goes on with the options it began with")))
        }
    }
}

/// How far the run goes and when it gives states: as typed, else as before the checkpoint, else as the model says.
fn course(run: &Run, subject: &Subject, checkpoint: Option<&Checkpoint>) -> Result<Course, Failure> {
    let before = checkpoint.map(|checkpoint| checkpoint.course);
    let end = run.until.or(before.map(|course| course.until)).or(subject.model.end);
    let until = end.ok_or_else(|| {
        Failure::wrong("there is no end time: add --until T, or `end` to [time] of the model")
    })?;
    Ok(match (run.samples, run.every, before) {
        (None, None, Some(before)) => Course { until, ..before },
        (samples, every, _) => Course { until, samples, every },
    })
}

/// A checkpoint at the end itself is fine: a run may have been killed before its files were complete.
fn check_direction(from: f64, until: f64, checkpoint: Option<&Checkpoint>) -> Result<(), Failure> {
    let Some(checkpoint) = checkpoint else { return Ok(()) };
    if (until - checkpoint.t) * (checkpoint.t - from).signum() >= 0.0 {
        return Ok(());
    }
    Err(Failure::wrong(format!(
        "the checkpoint is at t = {} already, the end is {until}: set --until",
        checkpoint.t
    )))
}

/// All files of a run, none of which may be another one.
fn places(run: &Run) -> Places {
    let out = run.out.as_deref();
    let (manifest, part) = (out.map(manifest::place), out.map(|out| beside(out, "part")));
    // A checkpoint may take the place of the one that the run goes on from.
    let resumed = run.resume.as_deref().filter(|resumed| Some(*resumed) != run.checkpoint.as_deref());
    let model = std::path::Path::new(&run.subject.model);
    Places::default()
        .reads("the model", model.exists().then_some(model))
        .reads("--resume", resumed)
        .writes("--out", out)
        .writes("the manifest of --out", manifest.as_deref())
        .writes("the journal of --out", part.as_deref())
        .writes("--plot", run.plot.as_deref())
        .writes("--report", run.report.as_deref())
        .writes("--checkpoint", run.checkpoint.as_deref())
}

/// Where the trajectory goes; behind what is there already when the run goes on.
fn destination(
    run: &Run,
    disk: &Disk,
    subject: &Subject,
    format: Option<Format>,
    checkpoint: Option<&Checkpoint>,
) -> Result<Option<Destination>, Failure> {
    let Some((path, format)) = run.out.clone().zip(format) else { return Ok(None) };
    let mut destination = Destination::new(path, format, Table::new(subject).names()).on(disk);
    destination.go_on_from(checkpoint.and_then(|checkpoint| checkpoint.written.as_ref()))?;
    Ok(Some(destination))
}

fn recorder<'m>(
    run: &Run,
    subject: &'m Subject,
    settings: &'m Settings,
    start: Option<&ConsistentStart>,
) -> Recorder<'m> {
    let mut recorder = Recorder::new(subject, settings, Table::new(subject), start);
    recorder.listen();
    if run.plot.is_some() || run.report.is_some() {
        recorder.collect();
    }
    recorder
}

fn output_json(output: &Output) -> Value {
    match output {
        Output::Steps => json!("steps"),
        Output::End => Value::Null,
        times => json!({ "times": times.times() }),
    }
}

fn why_stopped(ending: &Ending, until: f64, interrupted: bool, recorded: &Recorded) -> Option<String> {
    let t = ending.motion.t;
    match (&recorded.trouble, &ending.reason) {
        (Some(trouble @ Trouble::File(_)), _) => return Some(format!("at t = {t} {trouble}")),
        (Some(trouble), _) => return Some(trouble.to_string()),
        (None, Some(reason @ RunError::TooManySteps { .. })) => {
            return Some(format!("{reason}; {}: {MORE_STEPS}", reason.advice()));
        }
        (None, Some(reason @ RunError::NotFinite { value, .. })) => {
            let entry = ending.motion.y.iter().position(|y| !y.is_finite());
            let name = entry.and_then(|entry| recorded.names.get(entry + 1));
            let name = name.map_or_else(|| "a variable".to_owned(), |name| format!("'{name}'"));
            return Some(format!("at t = {t} {name} is {value}; {}", reason.advice()));
        }
        (None, Some(reason @ RunError::Grown { entry, .. })) => {
            let said = format!("{reason}; {}", reason.advice());
            let name = recorded.names.get(entry + 1);
            return Some(name.map_or(said.clone(), |name| {
                said.replace(&format!("entry {entry} of the state"), &format!("'{name}'"))
            }));
        }
        (None, Some(reason)) => return Some(format!("{reason}; {}", reason.advice())),
        (None, None) => {}
    }
    let by_user = interrupted && ending.motion.stop == Stop::Observer && t != until;
    by_user.then(|| format!("at t = {t} by the user"))
}

fn files(run: &Run, checkpointed: Option<f64>) -> Vec<String> {
    let mut files = Vec::new();
    if let Some(out) = &run.out {
        files.push(format!("{} (how it was made: {})", out.display(), manifest::place(out).display()));
    }
    files.extend(run.plot.iter().chain(&run.report).map(|path| path.display().to_string()));
    if let (Some(path), Some(t)) = (&run.checkpoint, checkpointed) {
        files.push(format!("{} (checkpoint at t = {t})", path.display()));
    }
    files
}
