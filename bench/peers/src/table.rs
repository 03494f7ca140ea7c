//! Times at equal error and their ratios, for people and as JSON.

use serde_json::{Value, json};

use crate::measure::{Contestant, Measured, time_for};
use crate::subject::Subject;

/// Which errors are compared.
pub fn errors() -> Vec<f64> {
    (4..=9).map(|k| 10_f64.powi(-k)).collect()
}

/// Prints the table of a problem, and gives back its numbers.
pub fn table(subject: &Subject, contestants: &[Contestant<'_>], results: &[Vec<Measured>]) -> Value {
    println!(
        "\n{} to t = {}: milliseconds at equal error, rms of |e|/({:e} + |y|), and time / Taut's best",
        subject.name, subject.until, subject.floor
    );
    let errors = errors();
    print!("{:22}", "");
    errors.iter().for_each(|error| print!("{error:>18.0e}"));
    println!();
    let fastest = |is_meant: &dyn Fn(&Contestant<'_>) -> bool, error: f64| {
        let meant = contestants.iter().zip(results).filter(|(contestant, _)| is_meant(contestant));
        meant.filter_map(|(_, results)| time_for(results, error)).min_by(f64::total_cmp)
    };
    let best = |error: f64| fastest(&|contestant| contestant.is_ours(), error);
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
                (Some(time), None) => print!("{:>10.3} (  -  )", 1e3 * time),
                _ => print!("{:>18}", "-"),
            }
        }
        println!();
        let points: Vec<Value> = results
            .iter()
            .map(|m| json!({"tolerance": m.tolerance, "error": m.error, "seconds": m.seconds}))
            .collect();
        rows.push(json!({"solver": contestant.name, "points": points, "time_over_taut": ratios}));
    }
    let mut comparisons = Vec::new();
    for (peer, ours) in [("", "taut"), ("RADAU5", "taut radau"), ("IDA", "taut radau")] {
        let label = format!("{} / {ours}", if peer.is_empty() { "fastest peer" } else { peer });
        let ratio = |&error: &f64| {
            let theirs = fastest(&|peer_of| !peer_of.is_ours() && peer_of.name.starts_with(peer), error)?;
            Some(theirs / fastest(&|ours_of| ours_of.name.starts_with(ours), error)?)
        };
        let ratios: Vec<Option<f64>> = errors.iter().map(ratio).collect();
        if ratios.iter().all(Option::is_none) {
            continue;
        }
        print!("{label:22}");
        for ratio in &ratios {
            print!("{:>18}", ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")));
        }
        println!();
        comparisons.push(json!({"comparison": label, "ratios": ratios}));
    }
    json!({
        "problem": subject.name,
        "t": subject.until,
        "floor": subject.floor,
        "errors": errors,
        "solvers": rows,
        "comparisons": comparisons,
    })
}
