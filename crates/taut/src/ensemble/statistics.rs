//! What many runs have in common, at common times.

use super::{Outcome, Quantile};

/// How a number is spread over runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    count: usize,
    mean: f64,
    /// the sum of the squares of deviations from the mean (Welford 1962)
    squares: f64,
    least: f64,
    most: f64,
    quantiles: Vec<Quantile>,
}

impl Spread {
    /// Of nothing yet, with quantiles of these probabilities.
    pub fn new(probabilities: &[f64]) -> Self {
        Spread {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            quantiles: probabilities.iter().map(|probability| Quantile::new(*probability)).collect(),
        }
    }

    /// Takes a number.
    pub fn take(&mut self, x: f64) {
        self.count += 1;
        let deviation = x - self.mean;
        self.mean += deviation / self.count as f64;
        self.squares += deviation * (x - self.mean);
        self.least = self.least.min(x);
        self.most = self.most.max(x);
        self.quantiles.iter_mut().for_each(|quantile| quantile.take(x));
    }

    /// How many numbers there were.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    /// Their variance, of samples: divided by their number less one.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { f64::NAN } else { self.squares / (self.count - 1) as f64 }
    }

    /// The least of them.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The largest of them.
    pub fn most(&self) -> f64 {
        self.most
    }

    /// The quantile of the k-th probability; no number where there is none.
    pub fn quantile(&self, k: usize) -> f64 {
        self.quantiles.get(k).map_or(f64::NAN, Quantile::value)
    }
}

/// How states are spread over many runs, at common times.
#[derive(Clone, Debug)]
pub struct EnsembleStatistics {
    times: Vec<f64>,
    probabilities: Vec<f64>,
    /// so many numbers a state has
    width: usize,
    /// time after time
    spreads: Vec<Spread>,
    done: usize,
    failed: usize,
    first_failure: Option<(usize, String)>,
    empty: Spread,
}

impl EnsembleStatistics {
    /// Of no runs yet.
    pub fn new(times: &[f64], probabilities: &[f64]) -> Self {
        EnsembleStatistics {
            times: times.to_vec(),
            probabilities: probabilities.to_vec(),
            width: 0,
            spreads: Vec::new(),
            done: 0,
            failed: 0,
            first_failure: None,
            empty: Spread::new(probabilities),
        }
    }

    /// Takes a run whose output is at the common times. One that failed, or has other times, counts as failed.
    pub fn take(&mut self, outcome: Outcome) {
        let motion = match outcome.result {
            Ok(motion) if motion.trajectory.len() == self.times.len() => motion,
            other => {
                self.failed += 1;
                let reason = || match other {
                    Ok(motion) => format!("it ended at t = {} with states at other times", motion.t),
                    Err(error) => error.to_string(),
                };
                self.first_failure.get_or_insert_with(|| (outcome.run, reason()));
                return;
            }
        };
        if self.spreads.is_empty() {
            self.width = motion.layout.len();
            self.spreads = vec![Spread::new(&self.probabilities); self.times.len() * self.width];
        }
        self.done += 1;
        for (k, spreads) in self.spreads.chunks_exact_mut(self.width.max(1)).enumerate() {
            let state = motion.trajectory.state(k);
            spreads.iter_mut().zip(state).for_each(|(spread, x)| spread.take(*x));
        }
    }

    /// The common times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// How many runs came to their end.
    pub fn done(&self) -> usize {
        self.done
    }

    /// How many did not.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// The first run that failed, and why.
    pub fn first_failure(&self) -> Option<&(usize, String)> {
        self.first_failure.as_ref()
    }

    /// The spread of a number of the state (q, v, λ, or x) at one of the times; of nothing where there is none.
    pub fn at(&self, time: usize, number: usize) -> &Spread {
        let place = (number < self.width).then_some(time * self.width + number);
        place.and_then(|place| self.spreads.get(place)).unwrap_or(&self.empty)
    }
}
