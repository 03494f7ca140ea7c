//! `taut run`

use serde_json::{Value, json};
use taut::motion::Stop;
use taut::run::{Output, RunError};
use taut::start::ConsistentStart;

use crate::arguments::Run;
use crate::checkpoint::{Checkpoint, Keeper, STEPS_BETWEEN};
use crate::integration::{
    Collected, Destination, Ending, MORE_STEPS, Plan, Recorded, Recorder, expectation, output_times, start_of,
};
use crate::manifest;
use crate::model::Subject;
use crate::outcome::{Failure, Outcome, Status, print, print_json, tell};
use crate::output::Format;
use crate::page;
use crate::picture::Picture;
use crate::progress::Progress;
use crate::report::report;
use crate::settings::Settings;
use crate::summary::Summary;
use crate::table::Table;

/// Integrates a model, writes what was asked for, and says how it went.
pub fn execute(run: &Run) -> Outcome {
    let format = run.out.as_deref().map(Format::of).transpose()?;
    let picture = run.plot.as_deref().map(Picture::of).transpose()?;
    let settings = settings(run)?;
    settings.method()?;
    let subject = Subject::load(&run.subject.model, &settings.set)?;
    let start = start_of(&subject, &settings)?;
    let mut recorder = recorder(run, &subject, &settings, start.as_ref(), format);
    let plan = plan(run, &subject, &settings, &mut recorder)?;
    let ending = plan.run(&mut recorder)?;
    let interrupted = recorder.is_interrupted();
    let mut recorded = recorder.finish();
    if let Some(trouble) = recorded.trouble.take_if(|_| !recorded.begun) {
        return Err(Failure::wrong(trouble));
    }
    let (keeper, collected) = (recorded.keeper.take(), recorded.collected.take());
    let from = subject.model.start.t;
    let conserved =
        subject.mechanism().zip(start.as_ref()).map(|(system, start)| expectation(system, from, start));
    let summary = Summary {
        subject: &subject,
        settings: &settings,
        from,
        until: plan.until,
        ending: &ending,
        accounts: &recorded.accounts,
        conserved: conserved.as_ref(),
        stopped: why_stopped(&ending, plan.until, interrupted, &recorded),
    };
    // A file that cannot be written does not take the summary with it.
    let checkpointed = keeper.map_or(Ok(None), |keeper| keeper.finish(summary.residuals()));
    let written = write_files(run, picture.as_ref(), &plan.output, &summary, &recorded, collected);
    if run.json {
        print_json(&summary.to_json())?;
    } else {
        print(&report(&summary, &files(run, checkpointed.as_ref().map_or(None, |t| *t))))?;
    }
    written?;
    say_how_it_ended(run, &summary, checkpointed?)
}

/// What is integrated and where it begins, which the recorder has to know as well.
fn plan<'m>(
    run: &Run,
    subject: &'m Subject,
    settings: &'m Settings,
    recorder: &mut Recorder<'m>,
) -> Result<Plan<'m>, Failure> {
    let checkpoint = run.resume.as_deref().map(|path| Checkpoint::read(path, subject)).transpose()?;
    let (from, until) = (subject.model.start.t, end_time(run, subject)?);
    check_direction(from, until, checkpoint.as_ref())?;
    let output = output_times(run, from, until)?;
    let snapshot_every = run.checkpoint.is_some().then_some(STEPS_BETWEEN);
    recorder.show_progress(Progress::new(from, until, run.quiet));
    let resume = checkpoint.map(|checkpoint| {
        recorder.go_on_from(checkpoint.t, checkpoint.so_far);
        checkpoint.snapshot
    });
    Ok(Plan { subject, settings, until, output, snapshot_every, resume })
}

fn write_files(
    run: &Run,
    picture: Option<&Picture>,
    output: &Output,
    summary: &Summary<'_>,
    recorded: &Recorded<'_>,
    collected: Option<Collected>,
) -> Result<(), Failure> {
    if let Some(out) = &run.out {
        manifest::write(out, &recorded.names, &output_json(output), summary)?;
    }
    let Some(collected) = collected else { return Ok(()) };
    let report = page::of_run(summary, collected, &recorded.history, Some(typed()));
    if let Some(path) = &run.report {
        std::fs::write(path, report.to_html()).map_err(|error| Failure::file(path, error))?;
    }
    match picture {
        Some(picture) => picture.write(&report.to_figure()),
        None => Ok(()),
    }
}

/// The command as it was typed, for a shell.
fn typed() -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=+:,*@%".contains(c))
    };
    let quoted =
        |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) };
    let words: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    format!("taut {}", words.join(" "))
}

fn say_how_it_ended(run: &Run, summary: &Summary<'_>, checkpointed: Option<f64>) -> Outcome {
    let Some(stopped) = &summary.stopped else { return Ok(Status::Done) };
    tell(format!("stopped: {stopped}"));
    if let (Some(path), Some(t)) = (&run.checkpoint, checkpointed) {
        tell(format!("go on from t = {t} with --resume {}", path.display()));
    }
    Ok(Status::Stopped)
}

/// What was typed, on top of what a checkpoint says.
fn settings(run: &Run) -> Result<Settings, Failure> {
    let overrides = &run.subject.overrides;
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

fn end_time(run: &Run, subject: &Subject) -> Result<f64, Failure> {
    let end = run.until.or(subject.model.end);
    end.ok_or_else(|| Failure::wrong("there is no end time: add --until T, or `end` to [time] of the model"))
}

fn check_direction(from: f64, until: f64, checkpoint: Option<&Checkpoint>) -> Result<(), Failure> {
    let Some(checkpoint) = checkpoint else { return Ok(()) };
    if (until - checkpoint.t) * (checkpoint.t - from).signum() > 0.0 {
        return Ok(());
    }
    Err(Failure::wrong(format!(
        "the checkpoint is at t = {} already, the end is {until}: set --until",
        checkpoint.t
    )))
}

fn recorder<'m>(
    run: &Run,
    subject: &'m Subject,
    settings: &'m Settings,
    start: Option<&ConsistentStart>,
    format: Option<Format>,
) -> Recorder<'m> {
    let table = Table::new(subject);
    let destination =
        run.out.clone().zip(format).map(|(path, format)| Destination::new(path, format, table.names()));
    let mut recorder = Recorder::new(subject, settings, table, start);
    recorder.write_to(destination);
    if run.plot.is_some() || run.report.is_some() {
        recorder.collect();
    }
    recorder.keep(run.checkpoint.as_deref().map(|path| Keeper::new(path, subject)));
    recorder
}

fn output_json(output: &Output) -> Value {
    match output {
        Output::Steps => json!("steps"),
        Output::End => Value::Null,
        times => json!({ "times": times.times() }),
    }
}

fn why_stopped(ending: &Ending, until: f64, interrupted: bool, recorded: &Recorded<'_>) -> Option<String> {
    if let Some(trouble) = &recorded.trouble {
        return Some(format!("at t = {} a file could not be written: {trouble}", ending.motion.t));
    }
    if let Some(reason @ RunError::TooManySteps { .. }) = &ending.reason {
        return Some(format!("{reason}; {}: {MORE_STEPS}", reason.advice()));
    }
    if let Some(reason) = &ending.reason {
        return Some(format!("{reason}; {}", reason.advice()));
    }
    let by_user = interrupted && ending.motion.stop == Stop::Observer && ending.motion.t != until;
    by_user.then(|| format!("at t = {} by the user", ending.motion.t))
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
