//! Many runs of one system from many starts: one after the other or on threads, outcomes in the order of the starts.

mod quantile;
mod statistics;

pub use quantile::Quantile;
pub use statistics::{EnsembleStatistics, Spread};

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::method::Method;
use crate::motion::Motion;
use crate::options::Options;
use crate::run::Output;
use crate::solver::Solver;
use crate::system::{FirstOrderSystem, MechanicalSystem};

/// So many runs for each thread are begun before the outcomes of all of them are handed out.
const RUNS_OF_A_THREAD: usize = 32;

/// How every run is made.
#[derive(Clone)]
struct Setting<S> {
    solver: for<'s> fn(&'s S) -> Solver<'s>,
    method: Method,
    options: Options,
    output: Output,
    t: f64,
    until: f64,
}

impl<S> Setting<S> {
    fn run(&self, system: &S, start: &[f64]) -> Result<Motion, Error> {
        let solver = (self.solver)(system).method(self.method.clone()).options(self.options.clone());
        solver.output(self.output.clone()).run(self.t, self.until, start)
    }
}

/// Makes some runs; their results, in order.
type Batch<S> = fn(&S, &mut [S], &Setting<S>, &[Vec<f64>]) -> Vec<Result<Motion, Error>>;

/// Many runs of one system.
///
/// Outcomes come as they are found, in the order of the starts, and are the same whatever the number of threads. Nothing grows
/// with the number of runs.
///
/// ```
/// use taut::Ensemble;
/// use taut::system::{Differentiated, Scalar, Sketch};
///
/// let pendulum = Differentiated::new(Sketch::new(["angle"]).potential(|q| -q[0].cos()));
/// let starts = (1..=50).map(|k| vec![0.03 * k as f64, 0.0]);
/// let periods = Ensemble::new(&pendulum).between(0.0, 10.0).tolerance(1e-8);
/// let farthest = periods.runs(starts).filter_map(|outcome| outcome.result.ok()).map(|motion| motion.q()[0].abs());
/// assert!(farthest.fold(0.0, f64::max) <= 1.5);
/// ```
pub struct Ensemble<'a, S> {
    system: &'a S,
    /// a system for each thread: what a system works with is its own
    copies: Vec<S>,
    setting: Setting<S>,
    batch: Batch<S>,
}

impl<'a, S: MechanicalSystem> Ensemble<'a, S> {
    /// Runs of a mechanical system; a start is (q, v).
    pub fn new(system: &'a S) -> Self {
        Self::with(system, |system| Solver::mechanical(system))
    }
}

impl<'a, S: FirstOrderSystem> Ensemble<'a, S> {
    /// Runs of a first-order system; a start is x.
    pub fn first_order(system: &'a S) -> Self {
        Self::with(system, |system| Solver::first_order(system))
    }
}

impl<'a, S> Ensemble<'a, S> {
    fn with(system: &'a S, solver: for<'s> fn(&'s S) -> Solver<'s>) -> Self {
        let setting = Setting {
            solver,
            method: Method::default(),
            options: Options::default(),
            output: Output::End,
            t: 0.0,
            until: 1.0,
        };
        Ensemble { system, copies: Vec::new(), setting, batch: one_by_one }
    }

    /// From which time to which; from 0 to 1 when it is not said.
    pub fn between(mut self, t: f64, until: f64) -> Self {
        (self.setting.t, self.setting.until) = (t, until);
        self
    }

    /// The method; `auto` when none is chosen.
    pub fn method(mut self, method: Method) -> Self {
        self.setting.method = method;
        self
    }

    /// All options.
    pub fn options(mut self, options: Options) -> Self {
        self.setting.options = options;
        self
    }

    /// Relative and absolute tolerance.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        (self.setting.options.rtol, self.setting.options.atol) = (tolerance, tolerance);
        self
    }

    /// At which times states are recorded in the motions.
    pub fn output(mut self, output: Output) -> Self {
        self.setting.output = output;
        self
    }

    /// Makes a run from each start. Nothing is done before outcomes are asked for.
    pub fn runs<I: IntoIterator<Item = Vec<f64>>>(self, starts: I) -> Runs<'a, S, I::IntoIter> {
        Runs { ensemble: self, starts: starts.into_iter(), found: Vec::new().into_iter(), number: 0 }
    }

    /// Mean, variance, extremes and quantiles of all numbers of the state at common times, over all runs from these starts.
    ///
    /// Memory grows with the number of times and of quantiles, not with that of runs: quantiles are estimated by [`Quantile`].
    /// A run that fails counts as failed, and none of its states is taken.
    ///
    /// ```
    /// use taut::Ensemble;
    /// use taut::system::{Differentiated, Scalar, Sketch};
    ///
    /// let oscillator = Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].square() * 0.5));
    /// let starts = (0..=100).map(|k| vec![0.01 * k as f64, 0.0]);
    /// let ensemble = Ensemble::new(&oscillator).tolerance(1e-9);
    /// let found = ensemble.statistics(starts, &[0.0, std::f64::consts::PI], &[0.5]);
    /// let (first, last) = (found.at(0, 0), found.at(1, 0));
    /// assert_eq!((first.least(), first.most()), (0.0, 1.0));
    /// assert!((last.mean() + 0.5).abs() < 1e-7 && (last.quantile(0) + 0.5).abs() < 0.02);
    /// ```
    pub fn statistics(
        mut self,
        starts: impl IntoIterator<Item = Vec<f64>>,
        times: &[f64],
        probabilities: &[f64],
    ) -> EnsembleStatistics {
        self.setting.output = Output::Times(times.to_vec());
        if let Some(last) = times.last() {
            self.setting.until = *last;
        }
        let mut statistics = EnsembleStatistics::new(times, probabilities);
        self.runs(starts).for_each(|outcome| statistics.take(outcome));
        statistics
    }
}

impl<S: Clone + Send> Ensemble<'_, S> {
    /// Runs on so many threads, each with a copy of the system.
    pub fn threads(mut self, threads: usize) -> Self {
        self.copies = vec![self.system.clone(); threads.max(1)];
        self.batch = on_threads;
        self
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// its number, from 0
    pub run: usize,
    /// its start, as it was given
    pub start: Vec<f64>,
    /// the motion, or why there is none
    pub result: Result<Motion, Error>,
}

/// The outcomes of many runs, in the order of their starts.
pub struct Runs<'a, S, I> {
    ensemble: Ensemble<'a, S>,
    starts: I,
    found: std::vec::IntoIter<(Vec<f64>, Result<Motion, Error>)>,
    number: usize,
}

impl<S, I: Iterator<Item = Vec<f64>>> Iterator for Runs<'_, S, I> {
    type Item = Outcome;

    fn next(&mut self) -> Option<Outcome> {
        if self.found.len() == 0 {
            // Without threads every outcome is there at once.
            let size = if self.ensemble.copies.is_empty() {
                1
            } else {
                RUNS_OF_A_THREAD * self.ensemble.copies.len()
            };
            let starts: Vec<Vec<f64>> = self.starts.by_ref().take(size).collect();
            let Ensemble { system, copies, setting, batch } = &mut self.ensemble;
            let results = batch(*system, copies, setting, &starts);
            self.found = starts.into_iter().zip(results).collect::<Vec<_>>().into_iter();
        }
        let (start, result) = self.found.next()?;
        self.number += 1;
        Some(Outcome { run: self.number - 1, start, result })
    }
}

fn one_by_one<S>(
    system: &S,
    _copies: &mut [S],
    setting: &Setting<S>,
    starts: &[Vec<f64>],
) -> Vec<Result<Motion, Error>> {
    starts.iter().map(|start| setting.run(system, start)).collect()
}

/// Whoever is free takes the next start.
fn on_threads<S: Send>(
    _system: &S,
    copies: &mut [S],
    setting: &Setting<S>,
    starts: &[Vec<f64>],
) -> Vec<Result<Motion, Error>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(starts.len()));
    std::thread::scope(|scope| {
        for system in copies {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                while let Some((k, start)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|k| Some((k, starts.get(k)?)))
                {
                    let result = setting.run(system, start);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((k, result));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(k, _)| *k);
    found.into_iter().map(|(_, result)| result).collect()
}
