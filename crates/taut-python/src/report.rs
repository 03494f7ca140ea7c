//! A motion as a page.

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use taut::run::{Observer, Output, View};
use taut_cli::integration::{Recorder, expectation, start_of};
use taut_cli::model::Subject;
use taut_cli::page;
use taut_cli::summary::Summary;
use taut_cli::table::Table;
use taut_report::Report;
use taut_report::page::{Gravity, Note, Table as Listed};
use taut_report::plot::{Sources, column, standard};
use taut_report::track::{Column, Digits, Extremes, Kind, Track};

use crate::mistakes::model_error;
use crate::model::{Overrides, end_of, explained, plan};
use crate::pulse::Pulse;
use crate::settings::settings;

/// Integrates once more, with the same bits, and makes the page of `taut run --report` of it.
pub fn page(subject: &Subject, until: Option<f64>, options: &str, set: Overrides) -> PyResult<String> {
    let settings = settings(options, set)?;
    let until = end_of(subject, until).map_err(model_error)?;
    let start = start_of(subject, &settings).map_err(model_error)?;
    let mut recorder = Recorder::new(subject, &settings, Table::new(subject), start.as_ref());
    recorder.collect();
    let (pulse, from) = (Pulse::new(), subject.model.start.t);
    let mut along = Along { recorder, pulse: &pulse };
    let ending = plan(subject, &settings, until, Output::End).run(&mut along).map_err(model_error)?;
    if let Some(error) = pulse.take() {
        return Err(error);
    }
    let mut recorded = along.recorder.finish();
    let conserved = subject
        .mechanism()
        .zip(start.as_ref())
        .map(|(system, start)| expectation(system, &subject.model.system.acting(), from, start));
    let summary = Summary {
        subject,
        settings: &settings,
        from,
        until,
        ending: &ending,
        accounts: &recorded.accounts,
        conserved: conserved.as_ref(),
        stopped: ending.reason.as_ref().map(explained),
    };
    let collected = recorded.collected.take().unwrap_or_default();
    Ok(page::of_run(&summary, collected, &recorded.history, &page::Wanted::default()).to_html())
}

/// A recorder that Ctrl-C in Python stops.
struct Along<'a> {
    recorder: Recorder<'a>,
    pulse: &'a Pulse,
}

impl Observer for Along<'_> {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.recorder.step(view) && self.pulse.beats()
    }

    fn places(&self) -> &'static [f64] {
        self.recorder.places()
    }

    fn inside(&mut self, t: f64, y: &[f64]) {
        self.recorder.inside(t, y);
    }
}

/// So many times at most are drawn of rows; of more, extremes are kept.
const MOST_TIMES: usize = 4000;

/// A page of plots, of rows that no model stands behind.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Shown<'py> {
    title: String,
    subtitle: String,
    facts: Vec<(String, String)>,
    warnings: Vec<String>,
    summary: Vec<(String, String)>,
    /// names, and what they are: "position", "velocity", "multiplier"
    columns: Vec<(String, String)>,
    t: PyReadonlyArray1<'py, f64>,
    rows: PyReadonlyArray2<'py, f64>,
    /// the times of the steps
    steps: PyReadonlyArray1<'py, f64>,
}

/// The page of rows at times: plots and the summary, as HTML.
#[pyfunction]
pub fn page_of_rows(shown: Shown<'_>) -> String {
    let mut extremes = Extremes::new(MOST_TIMES);
    for (t, row) in shown.t.as_array().iter().zip(shown.rows.as_array().outer_iter()) {
        extremes.push(*t, &row.to_vec());
    }
    let (times, values) = extremes.finish();
    let column = |((name, what), values): ((String, String), Vec<f64>)| {
        Column::named(name).kind(kind(&what)).values(values)
    };
    let motion = Track::rows(times, shown.columns.into_iter().zip(values).map(column).collect());
    let steps = step_sizes(&shown.steps.as_array().to_vec());
    let sources = Sources { motion: &motion, extremes: None, steps: Some((1, &steps)), time: "t" };
    let rows = shown.summary.into_iter().map(|(name, value)| vec![name, value]).collect();
    let warning = |text| Note { gravity: Gravity::Warning, text };
    let report = Report {
        title: shown.title,
        subtitle: shown.subtitle,
        facts: shown.facts,
        notes: shown.warnings.into_iter().map(warning).collect(),
        groups: standard(&sources),
        summary: vec![Listed { title: "How it went".to_owned(), heads: Vec::new(), rows }],
        tables: vec![steps],
        motion,
        ..Report::default()
    };
    report.to_html()
}

fn kind(what: &str) -> Kind {
    match what {
        "position" => Kind::Position,
        "velocity" => Kind::Velocity,
        "multiplier" => Kind::Multiplier,
        _ => Kind::Observed,
    }
}

/// The lengths of steps, at their ends.
fn step_sizes(times: &[f64]) -> Track {
    let mut extremes = Extremes::new(MOST_TIMES);
    for pair in times.windows(2) {
        extremes.push(pair[1], &[(pair[1] - pair[0]).abs()]);
    }
    let (times, values) = extremes.finish();
    let lengths = values.into_iter().next().unwrap_or_default();
    Track::rows(times, vec![Column::named(column::STEP).digits(Digits::OfLogarithm).values(lengths)])
}
