//! A motion as a page.

use pyo3::PyResult;
use taut::run::{Observer, Output, View};
use taut_cli::integration::{Recorder, expectation, start_of};
use taut_cli::model::Subject;
use taut_cli::page;
use taut_cli::summary::Summary;
use taut_cli::table::Table;

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
    let conserved =
        subject.mechanism().zip(start.as_ref()).map(|(system, start)| expectation(system, from, start));
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
