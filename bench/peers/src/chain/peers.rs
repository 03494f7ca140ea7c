//! The chain of 1000 links to t = 1: Taut, IDA with KLU, and RADAU5 with full matrices.

use serde_json::{Value, json};
use taut::method::Method;
use taut_lab::{solver_of, start_of};
use taut_problems::mechanics::planar_chain;

use crate::ida::stabilised::{self, Elimination};
use crate::measure::{Contestant, measure, timed};
use crate::subject::Subject;
use crate::table::table;
use crate::{radau5, taut};

const LINKS: usize = 1000;
const UNTIL: f64 = 1.0;
const REFERENCE_TOLERANCE: f64 = 1e-12;
/// RADAU5 is run once, with the tolerance that gives about the error 1e-6.
const DENSE_TOLERANCE: f64 = 1e-6;

/// The table for the chain. The reference is Taut's own with a small tolerance; how far the finest run of IDA is away
/// from it is printed, too.
pub fn peers(rounds: usize, dense: Option<&radau5::Code>) -> Result<Value, String> {
    let subject = subject()?;
    let contestants = [
        taut("radau", None),
        taut("radau", Some(3)),
        taut("radau", Some(5)),
        taut("dopri8", None),
        Contestant::new("IDA KLU", |s, tol| stabilised::run(s, tol, Elimination::Sparse)),
    ];
    let tolerances: Vec<f64> = (6..=20).map(|k| 10_f64.powf(-0.5 * f64::from(k))).collect();
    let results = measure(&subject, &contestants, &tolerances, rounds.min(3));
    let mut value = table(&subject, &contestants, &results);
    let finest = results[4].last().map_or(f64::NAN, |last| last.error);
    println!("  IDA with its smallest tolerance is {finest:.1e} away from the reference");
    value["finest_of_ida"] = json!(finest);
    if let Some(code) = dense {
        let (q, seconds) = timed(|| radau5::mechanical::run(code, &subject, DENSE_TOLERANCE));
        let error = q.map_or(f64::NAN, |q| subject.error(&q));
        println!("  RADAU5 with full matrices: {seconds:.1} s, error {error:.1e}");
        value["dense_radau5"] = json!({"seconds": seconds, "error": error});
    }
    Ok(value)
}

fn subject() -> Result<Subject, String> {
    let problem = planar_chain(LINKS);
    let method = Method::radau().with_stages(7).map_err(|error| error.to_string())?;
    let end = {
        let solver = solver_of(&problem).method(method).tolerance(REFERENCE_TOLERANCE);
        solver.run(0.0, UNTIL, &start_of(&problem)).map_err(|error| error.to_string())?
    };
    let known = end.q().iter().copied().enumerate().collect();
    Subject::new(problem, UNTIL, 1.0, known)
}
