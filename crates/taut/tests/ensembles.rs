//! Many runs of one system: the same outcomes on any number of threads, and what they have in common.

#![allow(clippy::unwrap_used)]

use taut::ensemble::EnsembleStatistics;
use taut::run::Output;
use taut::system::{Differentiated, FirstOrder, Linearised, Mass, Mechanical, Scalar};
use taut::{Ensemble, Solver};

/// A mass on a spring: x = x(0) cos t + x'(0) sin t.
#[derive(Clone)]
struct Oscillator;

impl Mechanical for Oscillator {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[0].square() * 0.5
    }
}

/// x' = x², which ends at t = 1/x(0).
#[derive(Clone)]
struct BlowUp;

impl FirstOrder for BlowUp {
    fn variables(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        rate[0] = x[0].square();
    }
}

/// Starts with x(0) from 0 to 1, without order.
fn starts(count: usize) -> impl Iterator<Item = Vec<f64>> {
    (0..count).map(move |k| vec![(k * 7919 % count) as f64 / count as f64, 0.5])
}

#[test]
fn outcomes_are_those_of_single_runs_on_any_number_of_threads() {
    let system = Differentiated::new(Oscillator);
    let single: Vec<Vec<f64>> = starts(150)
        .map(|start| Solver::mechanical(&system).tolerance(1e-7).run(0.0, 3.0, &start).unwrap().y)
        .collect();
    for threads in [0, 1, 2, 3] {
        let ensemble = Ensemble::new(&system).between(0.0, 3.0).tolerance(1e-7);
        let ensemble = if threads == 0 { ensemble } else { ensemble.threads(threads) };
        let mut number = 0;
        for (outcome, start) in ensemble.runs(starts(150)).zip(starts(150)) {
            assert_eq!((outcome.run, &outcome.start), (number, &start));
            assert_eq!(outcome.result.unwrap().y, single[number], "{threads} threads");
            number += 1;
        }
        assert_eq!(number, 150);
    }
}

#[test]
fn nothing_is_run_that_is_not_asked_for() {
    let system = Differentiated::new(Oscillator);
    let asked = std::cell::Cell::new(0);
    let counted = starts(1000).inspect(|_| asked.set(asked.get() + 1));
    let mut runs = Ensemble::new(&system).runs(counted);
    assert_eq!(asked.get(), 0);
    assert!(runs.by_ref().take(3).all(|outcome| outcome.result.is_ok()));
    assert_eq!(asked.get(), 3);
}

#[test]
fn statistics_are_those_of_all_states() {
    let system = Differentiated::new(Oscillator);
    let times = [0.0, 1.0, 2.5];
    let on = |threads: usize| -> EnsembleStatistics {
        let ensemble = Ensemble::new(&system).tolerance(1e-9).threads(threads);
        ensemble.statistics(starts(1000), &times, &[0.1, 0.5, 0.9])
    };
    let (one, two) = (on(1), on(2));
    assert_eq!((one.done(), one.failed(), one.times()), (1000, 0, &times[..]));
    for (k, t) in times.iter().enumerate() {
        // x(0) is spread evenly over [0, 1).
        let exact = |x0: f64| x0 * t.cos() + 0.5 * t.sin();
        let spread = one.at(k, 0);
        let all: Vec<f64> = starts(1000).map(|start| exact(start[0])).collect();
        let mean = all.iter().sum::<f64>() / 1000.0;
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 999.0;
        assert!((spread.mean() - mean).abs() < 1e-7, "{t}: {} {mean}", spread.mean());
        assert!((spread.variance() - variance).abs() < 1e-7, "{t}: {} {variance}", spread.variance());
        let (least, most) =
            (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(-9.0, f64::max));
        assert!((spread.least() - least).abs() < 1e-7 && (spread.most() - most).abs() < 1e-7);
        let mut sorted = all.clone();
        sorted.sort_by(f64::total_cmp);
        for (place, probability) in [(0, 0.1), (1, 0.5), (2, 0.9)] {
            let expected = sorted[(probability * 999.0) as usize];
            let found = spread.quantile(place);
            assert!((found - expected).abs() < 0.02, "{t}, {probability}: {found} {expected}");
        }
        for number in 0..2 {
            assert_eq!(one.at(k, number), two.at(k, number), "the same bits on two threads");
        }
    }
    assert!(one.at(7, 0).mean().is_nan() && one.at(0, 9).count() == 0);
}

#[test]
fn runs_that_fail_are_counted() {
    let system = Linearised::new(BlowUp);
    let starts = [0.1, 2.0, 0.2, 4.0].map(|x| vec![x]);
    let ensemble = Ensemble::first_order(&system);
    let statistics = ensemble.statistics(starts.to_vec(), &[0.5, 1.0], &[]);
    assert_eq!((statistics.done(), statistics.failed()), (2, 2));
    let (run, reason) = statistics.first_failure().unwrap();
    assert!(*run == 1 && reason.contains("t = "), "{reason}");
    // x = x(0)/(1 - x(0) t)
    let mean = (0.1 / 0.9 + 0.2 / 0.8) / 2.0;
    assert!((statistics.at(1, 0).mean() - mean).abs() < 1e-5);
    // Outcomes with other output times are no states at the common ones.
    let mut other = EnsembleStatistics::new(&[0.5, 1.0], &[]);
    Ensemble::first_order(&system)
        .output(Output::End)
        .runs(vec![vec![0.1]])
        .for_each(|outcome| other.take(outcome));
    assert_eq!((other.done(), other.failed()), (0, 1));
}
