//! `taut run --digits`: motion in double-double numbers.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::{Map, Value, json};
use taut::digits::{Digits, DigitsMotion};
use taut::system::number::{DoubleDouble, Scalar};
use taut_text::ExactModel;

use crate::arguments::{How, Run};
use crate::files::{Disk, Places};
use crate::model::find;
use crate::outcome::{Failure, Kind, Outcome, Status, print};

/// A model read with all its digits, and the times at which its states are wanted.
pub(super) struct Precise {
    pub(super) name: String,
    pub(super) model: ExactModel,
    pub(super) times: Vec<DoubleDouble>,
}

impl Precise {
    /// Reads a model; `until` instead of its own end.
    pub(super) fn load(
        subject: &crate::arguments::Subject,
        until: Option<f64>,
        times: impl FnOnce(DoubleDouble, DoubleDouble) -> Vec<DoubleDouble>,
    ) -> Result<Self, Failure> {
        let (name, source) = find(&subject.model, &subject.robot)?;
        let model = ExactModel::read(&source, &subject.resolved()?)
            .map_err(|errors| Failure::model(source.name(), &errors))?;
        let end = until.and_then(as_written).or(model.end).ok_or_else(|| {
            Failure::wrong("there is no end time: add --until T, or `end` to [time] of the model")
        })?;
        Ok(Precise { name, times: times(model.start_time, end), model })
    }

    /// Integrates.
    pub(super) fn run(&self, digits: &Digits) -> Result<DigitsMotion, Failure> {
        let run = digits.run(self.model.start_time, &self.model.start, &self.times);
        run.map_err(|error| Failure {
            status: Status::Stopped,
            ..Failure::wrong(error).about(Kind::Integration)
        })
    }

    /// The names of the columns: t, positions, velocities, multipliers.
    pub(super) fn columns(&self) -> Vec<String> {
        let ExactModel { coordinates, constraints, .. } = &self.model;
        let mut names = vec!["t".to_owned()];
        names.extend_from_slice(coordinates);
        if self.model.is_mechanical() {
            names.extend(coordinates.iter().map(|name| format!("{name}'")));
        }
        names.extend(constraints.iter().map(|name| format!("lambda.{name}")));
        names
    }
}

/// A number that was typed.
fn as_written(value: f64) -> Option<DoubleDouble> {
    DoubleDouble::parse(&value.to_string())
}

/// Integrates a model with so many digits, and writes what was asked for.
pub fn execute(run: &Run, digits: usize) -> Outcome {
    check(run)?;
    Places::default().writes("--out", run.out.as_deref()).check()?;
    let every = run.every.and_then(as_written);
    let precise = Precise::load(&run.subject, run.until, |from, to| times(from, to, run.samples, every))?;
    let digits = precise.model.digits(digits);
    let motion = precise.run(&digits)?;
    if let Some(path) = &run.out {
        let text = match path.extension().is_some_and(|ending| ending == "json") {
            true => to_json(&precise, &digits, &motion),
            false => to_csv(&precise, &digits, &motion),
        };
        Disk::default()
            .replace(path, |file| file.write_all(text.as_bytes()))
            .map_err(|error| Failure::file(path, error).late())?;
    }
    print(&match run.json {
        true => last_as_json(&precise, &digits, &motion),
        false => report(&precise, &digits, &motion),
    })?;
    Ok(Status::Done)
}

/// What has no meaning beside `--digits` is refused.
fn check(run: &Run) -> Result<(), Failure> {
    let How { method, stages, rtol, atol, step, controller, formulation, project, .. } = &run.how;
    let How { smooth_start, accept_gap, vibrations, first_step, max_step, max_steps, approach, .. } =
        &run.how;
    let wrong = method.as_deref().is_some_and(|method| !["auto", "taylor"].contains(&method))
        || stages.is_some()
        || rtol.or(*atol).or(*step).or(*accept_gap).or(*first_step).or(*max_step).is_some()
        || controller.is_some()
        || formulation.is_some()
        || project.is_some()
        || smooth_start.is_some()
        || vibrations.is_some()
        || max_steps.is_some()
        || approach.is_some()
        || !run.columns.is_empty()
        || [&run.plot, &run.report, &run.checkpoint, &run.resume].into_iter().any(|file| file.is_some());
    if wrong {
        return Err(Failure::wrong(
            "--digits is integrated by taylor in double-double numbers: it goes with --set, --until, --samples, --every, \
             --json and --out FILE.csv or FILE.json",
        ));
    }
    let Some(path) = &run.out else { return Ok(()) };
    if run.samples.or(run.every.map(|_| 0)).is_none() {
        return Err(Failure::wrong(
            "--digits writes states at times that you choose: add --samples N or --every DT",
        ));
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv" | "json") => Ok(()),
        _ => Err(Failure::file(path, "with --digits the trajectory is text: .csv or .json")),
    }
}

/// The times at which states are wanted, the end always among them.
fn times(
    from: DoubleDouble,
    to: DoubleDouble,
    samples: Option<usize>,
    every: Option<DoubleDouble>,
) -> Vec<DoubleDouble> {
    let span = to - from;
    let mut times = Vec::new();
    if let Some(samples) = samples.filter(|samples| *samples > 1) {
        times.extend((0..samples - 1).map(|k| from + span * k as f64 / (samples - 1) as f64));
    } else if let Some(every) = every {
        let every = if span.value() < 0.0 { -every } else { every };
        let count = (span / every).value();
        times.extend((0..).take_while(|k| (*k as f64) < count).map(|k| from + every * k as f64));
    }
    times.push(to);
    times
}

fn to_csv(precise: &Precise, digits: &Digits, motion: &DigitsMotion) -> String {
    let mut text = precise.columns().join(",");
    text.push('\n');
    for (t, state) in precise.times.iter().zip(&motion.states) {
        let row: Vec<String> = std::iter::once(t).chain(state).map(|x| x.to_text(digits.digits)).collect();
        text.push_str(&row.join(","));
        text.push('\n');
    }
    text
}

/// Numbers as text: programs would read numbers as plain ones.
fn to_json(precise: &Precise, digits: &Digits, motion: &DigitsMotion) -> String {
    let columns = precise.columns();
    let rows = precise.times.iter().zip(&motion.states).map(|(t, state)| {
        let row: Vec<Value> =
            std::iter::once(t).chain(state).map(|x| json!(x.to_text(digits.digits))).collect();
        Value::Array(row)
    });
    let rows: Vec<Value> = rows.collect();
    format!("{:#}\n", json!({ "columns": columns, "digits": digits.digits, "rows": rows }))
}

fn last_as_json(precise: &Precise, digits: &Digits, motion: &DigitsMotion) -> String {
    let mut state = Map::new();
    if let (Some(t), Some(last)) = (precise.times.last(), motion.states.last()) {
        for (name, x) in precise.columns().into_iter().zip(std::iter::once(t).chain(last)) {
            state.insert(name, json!(x.to_text(digits.digits)));
        }
    }
    let summary = json!({
        "model": precise.name,
        "method": "taylor",
        "digits": digits.digits,
        "order": digits.order,
        "steps": motion.steps,
        "state": state,
    });
    format!("{summary:#}\n")
}

fn report(precise: &Precise, digits: &Digits, motion: &DigitsMotion) -> String {
    let Precise { name, model, .. } = precise;
    let mut text = format!(
        "{} ({name}): {} digits, taylor of order {} in double-double numbers, {} steps\n\n",
        model.name, digits.digits, digits.order, motion.steps
    );
    if let (Some(t), Some(last)) = (precise.times.last(), motion.states.last()) {
        let columns = precise.columns();
        let width = columns.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, x) in columns.iter().zip(std::iter::once(t).chain(last)) {
            // A sign stands before the digits.
            let sign = if x.value() < 0.0 { "" } else { " " };
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {name:<width$}  {sign}{}", x.to_text(digits.digits));
        }
    }
    text
}
