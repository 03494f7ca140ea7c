//! What Taylor's series cost beside an explicit Runge-Kutta method, from model files, at equal error of positions.

use std::hint::black_box;

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut_text::Model;

use crate::equal_error::{Run, at_error, counted_alone, counts, tolerances};
use crate::workloads::{Failure, model_named};

const MODELS: [&str; 3] = ["squeezer", "pendulum", "car-axis"];
const METHODS: [&str; 2] = ["taylor", "dopri8"];
const POWERS: std::ops::RangeInclusive<i32> = -24..=-2;
const ERRORS: [f64; 6] = [1.4e-6, 1e-6, 1e-8, 4.2e-9, 1e-10, 2.2e-11];
/// The tolerance of what runs are compared with.
const OF_REFERENCE: f64 = 1e-15;

fn run_to_end(model: &Model, method: &Method, tolerance: f64) -> Result<Motion, Failure> {
    let system = model.system.mechanism().ok_or("it is no mechanical system")?;
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = Solver::mechanical(system).tolerance(tolerance).method(method.clone());
    Ok(solver.run(0.0, model.end.ok_or("the model has no end")?, &start)?)
}

/// The root mean square of the errors of positions, in the scale 1 + |q|.
fn difference(q: &[f64], exact: &[f64]) -> f64 {
    let square = |(q, exact): (&f64, &f64)| ((q - exact) / (1.0 + exact.abs())).powi(2);
    let sum: f64 = q.iter().zip(exact).map(square).sum();
    (sum / exact.len() as f64).sqrt()
}

/// Prints instructions at equal error.
pub fn table() -> Result<(), Failure> {
    for name in MODELS {
        let model = model_named(name)?;
        let exact = run_to_end(&model, &Method::named("taylor")?, OF_REFERENCE)?;
        let mut runs = Vec::new();
        for method in METHODS {
            let counts = counts(&["series", name, method])?;
            let named = Method::named(method)?;
            let errors = tolerances(POWERS).map(|tolerance| {
                let motion = run_to_end(&model, &named, tolerance)?;
                Ok(difference(motion.q(), exact.q()))
            });
            let of_method: Vec<Run> =
                errors.collect::<Result<Vec<_>, Failure>>()?.into_iter().zip(counts).collect();
            for (tolerance, (error, count)) in tolerances(POWERS).zip(&of_method) {
                println!("{name:10}{method:8}{tolerance:>9.1e}   {:8.3} M, error {error:7.1e}", count * 1e-6);
            }
            runs.push(of_method);
        }
        for error in ERRORS {
            let [series, other] = [0, 1].map(|which| at_error(&runs[which], error) * 1e-6);
            println!("{name:10}at {error:7.1e}   {series:8.3} M / {other:8.3} M = {:.3}", series / other);
        }
    }
    Ok(())
}

/// Runs one model with one method at all tolerances, each counted alone: what this program does under callgrind.
pub fn run(name: &str, method: &str) -> Result<(), Failure> {
    let (model, method): (&'static Model, _) =
        (Box::leak(Box::new(model_named(name)?)), Method::named(method)?);
    // Formulas are compiled, and coefficients of methods computed, once.
    for tolerance in tolerances(POWERS) {
        run_to_end(model, &method, tolerance)?;
    }
    for tolerance in tolerances(POWERS) {
        let method = method.clone();
        counted_alone(Box::new(move || {
            run_to_end(model, &method, tolerance).map(|motion| drop(black_box(motion)))
        }))?;
    }
    Ok(())
}
