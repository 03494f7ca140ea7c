//! How far a run has come, on a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use taut::run::View;

/// The bar has this many parts.
const PARTS: u64 = 1000;
/// How often it is drawn.
const REST: Duration = Duration::from_millis(100);

/// A bar with time, step size, energy error and the time left; nothing when standard error is not a terminal.
pub struct Progress {
    bar: Option<ProgressBar>,
    from: f64,
    until: f64,
    began: Instant,
    drawn: Instant,
}

impl Progress {
    /// A bar for a run between two times.
    pub fn new(from: f64, until: f64, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {msg}");
        let bar = style.ok().filter(|_| visible).map(|style| ProgressBar::new(PARTS).with_style(style));
        let now = Instant::now();
        Progress { bar, from, until, began: now, drawn: now }
    }

    /// Draws the state of a run, when the last one has been seen long enough.
    pub fn show(&mut self, view: &View<'_>, energy_error: Option<f64>) {
        let Some(bar) = &self.bar else { return };
        if self.drawn.elapsed() < REST {
            return;
        }
        self.drawn = Instant::now();
        let share = ((view.t - self.from) / (self.until - self.from)).clamp(0.0, 1.0);
        let energy = energy_error.map(|error| format!("  energy error {error:+.1e}")).unwrap_or_default();
        let left = time_left(self.began.elapsed(), share);
        bar.set_position((share * PARTS as f64) as u64);
        bar.set_message(format!("t = {:.6}  step {:.1e}{energy}  {left}", view.t, view.h.abs()));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar with the number of runs, their rate and the time left; nothing when standard error is not a terminal.
pub struct Counter {
    bar: Option<ProgressBar>,
    first: u64,
    count: u64,
    began: Instant,
}

impl Counter {
    /// A bar for runs of which the first ones are there already.
    pub fn new(range: std::ops::Range<u64>, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {msg}");
        let bar = style.ok().filter(|_| visible).map(|style| ProgressBar::new(range.end).with_style(style));
        Counter { bar, first: range.start, count: range.end, began: Instant::now() }
    }

    /// Draws how many runs there are.
    pub fn show(&self, found: u64) {
        let Some(bar) = &self.bar else { return };
        let (elapsed, new) = (self.began.elapsed(), found - self.first);
        let rate = new as f64 / elapsed.as_secs_f64();
        let left = time_left(elapsed, new as f64 / (self.count - self.first).max(1) as f64);
        bar.set_position(found);
        bar.set_message(format!("{found} of {} runs  {rate:.1}/s  {left}", self.count));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn time_left(elapsed: Duration, share: f64) -> String {
    if share <= 0.0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - share) / share;
    match seconds {
        s if s < 60.0 => format!("{s:.0} s left"),
        s if s < 3600.0 => format!("{:.0} min left", s / 60.0),
        s => format!("{:.1} h left", s / 3600.0),
    }
}
