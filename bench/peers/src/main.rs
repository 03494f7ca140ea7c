//! Taut and other integrators on the same problems, in one run on one machine.
//!
//! Every peer calls the same compiled functions. Runs of all solvers are interleaved and repeated; the shortest time
//! counts. Ratios are taken at equal true error of positions at the end, interpolated in logarithms.

mod chain;
mod dop853;
mod ida;
mod radau5;
mod subject;

use std::time::Instant;

use serde_json::{Value, json};
use taut::method::Method;
use taut_lab::{solver_of, start_of};

use crate::subject::Subject;

/// Rounds of interleaved runs.
const ROUNDS: usize = 9;

/// One way to integrate, with what it is called.
struct Contestant<'a> {
    name: String,
    run: Box<dyn Fn(&Subject, f64) -> Option<Vec<f64>> + 'a>,
}

/// Error and shortest time of one contestant with one tolerance.
struct Measured {
    tolerance: f64,
    error: f64,
    seconds: f64,
}

fn taut(name: &'static str, stages: Option<usize>) -> Contestant<'static> {
    let run = move |subject: &Subject, tolerance: f64| {
        let mut method = Method::named(name).ok()?;
        if let Some(stages) = stages {
            method = method.with_stages(stages).ok()?;
        }
        let solver = solver_of(&subject.problem).method(method).tolerance(tolerance);
        let start = start_of(&subject.problem);
        let motion = solver.run(subject.problem.start.t, subject.until, &start).ok()?;
        Some(motion.q().to_vec())
    };
    let stages = stages.map_or_else(String::new, |s| format!(" s={s}"));
    Contestant { name: format!("taut {name}{stages}"), run: Box::new(run) }
}

fn measure(subject: &Subject, contestants: &[Contestant<'_>]) -> Vec<Vec<Measured>> {
    let tolerances: Vec<f64> = (6..=24).map(|k| 10_f64.powf(-0.5 * f64::from(k))).collect();
    let mut results: Vec<Vec<Measured>> = contestants.iter().map(|_| Vec::new()).collect();
    for &tolerance in &tolerances {
        let mut best = vec![(f64::INFINITY, None); contestants.len()];
        for _ in 0..ROUNDS {
            for (contestant, best) in contestants.iter().zip(&mut best) {
                let begun = Instant::now();
                let q = (contestant.run)(subject, tolerance);
                let seconds = begun.elapsed().as_secs_f64();
                best.0 = best.0.min(seconds);
                best.1 = q.map(|q| subject.error(&q));
            }
        }
        for (results, (seconds, error)) in results.iter_mut().zip(best) {
            if let Some(error) = error.filter(|error| error.is_finite()) {
                results.push(Measured { tolerance, error, seconds });
            }
        }
    }
    results
}

/// The time for an error, interpolated in logarithms; nothing outside of what was measured.
fn time_for(measured: &[Measured], error: f64) -> Option<f64> {
    let pairs = measured.windows(2).filter(|pair| {
        let (a, b) = (pair[0].error, pair[1].error);
        a.min(b) <= error && error <= a.max(b) && a != b
    });
    let time = |pair: &[Measured]| {
        let share = (error / pair[0].error).ln() / (pair[1].error / pair[0].error).ln();
        (pair[0].seconds.ln() + share * (pair[1].seconds / pair[0].seconds).ln()).exp()
    };
    pairs.map(time).min_by(f64::total_cmp)
}

fn table(subject: &Subject, contestants: &[Contestant<'_>], results: &[Vec<Measured>]) -> Value {
    println!(
        "\n{} to t = {}: milliseconds at equal error of q, and time / Taut's best",
        subject.name, subject.until
    );
    let errors: Vec<f64> = (4..=9).map(|k| 10_f64.powi(-k)).collect();
    print!("{:22}", "");
    errors.iter().for_each(|error| print!("{error:>18.0e}"));
    println!();
    let fastest = |is_meant: &dyn Fn(&str) -> bool, error: f64| {
        let meant = contestants.iter().zip(results).filter(|(contestant, _)| is_meant(&contestant.name));
        meant.filter_map(|(_, results)| time_for(results, error)).min_by(f64::total_cmp)
    };
    let best = |error: f64| fastest(&|name| name.starts_with("taut"), error);
    let mut rows = Vec::new();
    for (contestant, results) in contestants.iter().zip(results) {
        print!("{:22}", contestant.name);
        let mut ratios = Vec::new();
        for &error in &errors {
            let time = time_for(results, error);
            let ratio = time.zip(best(error)).map(|(time, best)| time / best);
            ratios.push(json!(ratio));
            match (time, ratio) {
                (Some(time), Some(ratio)) => print!("{:>10.3} ({ratio:5.2})", 1e3 * time),
                _ => print!("{:>18}", "-"),
            }
        }
        println!();
        let points: Vec<Value> = results
            .iter()
            .map(|m| json!({"tolerance": m.tolerance, "error_q": m.error, "seconds": m.seconds}))
            .collect();
        rows.push(json!({"solver": contestant.name, "points": points, "time_over_taut": ratios}));
    }
    let mut comparisons = Vec::new();
    for (peer, ours) in [("", "taut"), ("RADAU5", "taut radau"), ("IDA", "taut radau")] {
        let label = format!("{} / {ours}", if peer.is_empty() { "fastest peer" } else { peer });
        print!("{label:22}");
        let ratio = |&error: &f64| {
            let theirs = fastest(&|name| !name.starts_with("taut") && name.starts_with(peer), error)?;
            Some(theirs / fastest(&|name| name.starts_with(ours), error)?)
        };
        let ratios: Vec<Option<f64>> = errors.iter().map(ratio).collect();
        ratios
            .iter()
            .for_each(|ratio| print!("{:>18}", ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))));
        println!();
        comparisons.push(json!({"comparison": label, "ratios": ratios}));
    }
    json!({"problem": subject.name, "t": subject.until, "errors": errors, "solvers": rows, "comparisons": comparisons})
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let radau5 = radau5::Code::load().inspect_err(|error| println!("without RADAU5: {error}")).ok();
    let mut contestants =
        vec![taut("radau", None), taut("radau", Some(3)), taut("radau", Some(5)), taut("dopri8", None)];
    if let Some(code) = &radau5 {
        contestants.push(Contestant { name: "RADAU5".into(), run: Box::new(|s, tol| code.run(s, tol)) });
    }
    contestants.push(Contestant { name: "DOP853".into(), run: Box::new(dop853::run) });
    contestants.push(Contestant { name: "IDA".into(), run: Box::new(ida::run) });
    let mut problems = Vec::new();
    for (name, until) in [("pendulum", None), ("andrews", Some(0.03)), ("car_axis", None)] {
        let subject = Subject::new(name, until)?;
        problems.push(table(&subject, &contestants, &measure(&subject, &contestants)));
    }
    let chains = chain::scaling();
    let results = json!({"problems": problems, "chains": chains});
    let path = std::env::args().nth(1).unwrap_or_else(|| "results.json".into());
    std::fs::write(&path, format!("{results:#}\n"))?;
    println!("\nwritten: {path}");
    Ok(())
}
