//! What Taylor's series cost beside explicit Runge-Kutta methods at equal error of positions: those of Taut from the same model
//! file, and DOP853 on the index-reduced equations by hand.

use std::hint::black_box;

use taut::Solver;
use taut::method::Method;
use taut_lab::experiment::{Reduced, dop853};
use taut_problems::Problem;
use taut_text::Model;

use crate::equal_error::{Run, at_error, counted_alone, counts, tolerances};
use crate::workloads::{Failure, model_with};

/// A model file with other values of parameters, and the problem of the library that has the same equations, by hand.
struct Contest {
    model: Model,
    problem: Problem,
}

/// The name of a model, the values of its parameters, and the problem by hand.
type Named = (&'static str, &'static [(&'static str, f64)], &'static str);

const CONTESTS: [Named; 3] =
    [("squeezer", &[], "andrews"), ("pendulum", &[("g", 1.0)], "pendulum"), ("car-axis", &[], "car_axis")];
const SERIES: &str = "taylor";
/// A method of Taut, DOP853 with Taut's elimination of accelerations and multipliers, and with one written by hand.
const OTHERS: [&str; 3] = ["dopri8", "DOP853", "DOP853-by-hand"];
const POWERS: std::ops::RangeInclusive<i32> = -24..=-2;
const ERRORS: [f64; 7] = [1.4e-6, 1e-6, 1e-8, 4.2e-9, 1e-9, 1e-10, 2.2e-11];
/// The tolerance of what runs are compared with.
const OF_REFERENCE: f64 = 1e-15;

impl Contest {
    fn named(name: &str) -> Result<Self, Failure> {
        let found = CONTESTS.iter().find(|(known, ..)| *known == name);
        let (_, parameters, problem) = found.ok_or("there is no such contest")?;
        Ok(Contest { model: model_with(name, parameters)?, problem: taut_problems::find(problem)? })
    }

    fn span(&self) -> Result<(f64, f64), Failure> {
        Ok((0.0, self.model.end.ok_or("the model has no end")?))
    }

    fn start(&self) -> Vec<f64> {
        [self.model.start.q.as_slice(), &self.model.start.v].concat()
    }

    /// The positions at the end, unless DOP853 comes to a stop, as it does where equations are reduced and tolerances are loose.
    fn positions(&self, method: &str, tolerance: f64) -> Result<Option<Vec<f64>>, Failure> {
        let by_hand = self.problem.system.mechanism().ok_or("it is no mechanical system")?;
        match method {
            "DOP853" => Ok(dop853(Reduced::new(by_hand), self.span()?, &self.start(), tolerance)),
            "DOP853-by-hand" => Ok(dop853(Reduced::by_hand(by_hand), self.span()?, &self.start(), tolerance)),
            _ => self.by_taut(Method::named(method)?, tolerance).map(Some),
        }
    }

    fn by_taut(&self, method: Method, tolerance: f64) -> Result<Vec<f64>, Failure> {
        let system = self.model.system.mechanism().ok_or("it is no mechanical system")?;
        let solver = Solver::mechanical(system).tolerance(tolerance).method(method);
        let (begin, end) = self.span()?;
        Ok(solver.run(begin, end, &self.start())?.q().to_vec())
    }
}

/// The root mean square of the errors of positions, in the scale 1 + |q|.
fn difference(q: &[f64], exact: &[f64]) -> f64 {
    let square = |(q, exact): (&f64, &f64)| ((q - exact) / (1.0 + exact.abs())).powi(2);
    let sum: f64 = q.iter().zip(exact).map(square).sum();
    (sum / exact.len() as f64).sqrt()
}

/// Prints instructions at equal error.
pub fn table() -> Result<(), Failure> {
    for (name, ..) in CONTESTS {
        let contest = Contest::named(name)?;
        let exact = contest.by_taut(Method::named(SERIES)?, OF_REFERENCE)?;
        let of_method = |method: &str| -> Result<Vec<Run>, Failure> {
            let counts = counts(&["series", name, method])?;
            let errors = tolerances(POWERS).map(|tolerance| {
                let positions = contest.positions(method, tolerance)?;
                Ok(positions.map_or(f64::NAN, |q| difference(&q, &exact)))
            });
            let runs: Vec<Run> =
                errors.collect::<Result<Vec<_>, Failure>>()?.into_iter().zip(counts).collect();
            for (tolerance, (error, count)) in tolerances(POWERS).zip(&runs) {
                println!(
                    "{name:10}{method:15}{tolerance:>9.1e}   {:8.3} M, error {error:7.1e}",
                    count * 1e-6
                );
            }
            Ok(runs)
        };
        let series = of_method(SERIES)?;
        for other in OTHERS {
            let runs = of_method(other)?;
            for error in ERRORS {
                let [series, others] = [&series, &runs].map(|runs| at_error(runs, error) * 1e-6);
                let ratio = series / others;
                println!(
                    "{name:10}at {error:7.1e}   {series:8.3} M / {others:8.3} M of {other} = {ratio:.3}"
                );
            }
        }
    }
    Ok(())
}

/// Runs one contest with one method at all tolerances, each counted alone: what this program does under callgrind.
pub fn run(name: &str, method: &str) -> Result<(), Failure> {
    let contest: &'static Contest = Box::leak(Box::new(Contest::named(name)?));
    // Formulas are compiled, and coefficients of methods computed, once.
    for tolerance in tolerances(POWERS) {
        contest.positions(method, tolerance)?;
    }
    for tolerance in tolerances(POWERS) {
        let method = method.to_owned();
        counted_alone(Box::new(move || contest.positions(&method, tolerance).map(|q| drop(black_box(q)))))?;
    }
    Ok(())
}
