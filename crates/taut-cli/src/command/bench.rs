//! `taut bench`

use serde_json::{Value, json};
use taut::method::Method;
use taut_lab::{Patience, Point, time_for_error, work_precision};
use taut_problems::{Problem, all, find};
use taut_report::Report;
use taut_report::figure::{Curve, Figure, Marks, Panel, Scale};

use crate::arguments::Bench;
use crate::files::Disk;
use crate::outcome::{Failure, Outcome, Status, print, print_json, tell};
use crate::picture::{Picture, write_page};
use crate::report::Columns;

/// The problems that are measured when none is named.
const USUAL_PROBLEMS: [&str; 9] = [
    "pendulum",
    "andrews",
    "car_axis",
    "stiff_spring_pendulum/manifold_horizontal_eps1e-3",
    "beam",
    "hires",
    "van_der_pol",
    "robertson",
    "transistor_amplifier",
];

/// The methods that are measured when none is named.
const USUAL_METHODS: [&str; 2] = ["radau", "dopri8"];

/// One problem with one method.
struct Series {
    problem: String,
    method: &'static str,
    points: Vec<Point>,
}

/// Measures true errors and times for tolerances 1e-3 to 1e-12.
pub fn execute(bench: &Bench) -> Outcome {
    let picture = bench.plot.as_deref().map(Picture::of).transpose()?;
    let problems = problems(bench)?;
    let methods = methods(bench)?;
    let tolerances: Vec<f64> = (3..=12).map(|k| 10_f64.powi(-k)).collect();
    let mut measured = Vec::new();
    for (name, problem) in &problems {
        for method in &methods {
            match work_precision(problem, method, &tolerances, &Patience::default()) {
                Ok(points) => measured.push(Series { problem: name.clone(), method: method.name(), points }),
                Err(error) => tell(format!("{name} with {}: {error}", method.name())),
            }
        }
    }
    if let Some(picture) = picture {
        picture.write(&figure(&measured))?;
    }
    if let Some(path) = &bench.report {
        write_page(path, &Disk::default(), &page(&measured))?;
    }
    if bench.json {
        print_json(&Value::Array(measured.iter().flat_map(to_json).collect()))?;
    } else {
        print(&tables(&measured))?;
    }
    Ok(Status::Done)
}

fn problems(bench: &Bench) -> Result<Vec<(String, Problem)>, Failure> {
    let named = |name: &str| match find(name) {
        Ok(problem) => Ok((name.to_owned(), problem)),
        Err(error) => {
            let known: Vec<&str> = all().map(|entry| entry.name).collect();
            Err(Failure::wrong(format!("{error}; there are {}", known.join(", "))))
        }
    };
    match &bench.problem {
        Some(name) => Ok(vec![named(name)?]),
        None => USUAL_PROBLEMS.into_iter().map(named).collect(),
    }
}

fn methods(bench: &Bench) -> Result<Vec<Method>, Failure> {
    let named = |name: &str| Method::named(name).map_err(Failure::wrong);
    match &bench.method {
        Some(name) => Ok(vec![named(name)?]),
        None => USUAL_METHODS.into_iter().map(named).collect(),
    }
}

fn to_json(series: &Series) -> Vec<Value> {
    let Series { problem, method, points } = series;
    let object = |point: &Point| {
        json!({
            "problem": problem,
            "method": method,
            "rtol": point.rtol,
            "error_q": point.error_q,
            "error_v": point.error_v,
            "error_lambda": point.error_lambda,
            "steps": point.statistics.steps,
            "rhs": point.statistics.rhs,
            "jacobians": point.statistics.jacobians,
            "factorizations": point.statistics.factorizations,
            "seconds": point.seconds,
        })
    };
    points.iter().map(object).collect()
}

/// The names of the problems, each once, in the order in which they were measured.
fn names(measured: &[Series]) -> Vec<&str> {
    let mut names: Vec<&str> = measured.iter().map(|series| series.problem.as_str()).collect();
    names.dedup();
    names
}

fn tables(measured: &[Series]) -> String {
    let mut text =
        String::from("Errors are rms of |e|/(1 + |y|) against the reference; times are the shortest.\n");
    for name in names(measured) {
        let series: Vec<&Series> = measured.iter().filter(|series| series.problem == name).collect();
        text.push_str(&format!("\n{name}\n{}", table(&series)));
        text.push_str(&fastest(&series));
    }
    text
}

fn table(series: &[&Series]) -> String {
    let heads =
        ["method", "rtol", "error q", "v", "lambda", "steps", "rhs", "jacobians", "factorizations", "ms"];
    let mut columns = Columns::new(&heads);
    let error = |error: f64| format!("{error:.1e}");
    for series in series {
        for point in &series.points {
            let statistics = &point.statistics;
            columns.row(vec![
                series.method.to_owned(),
                format!("{:.0e}", point.rtol),
                error(point.error_q),
                point.error_v.map_or_else(String::new, error),
                point.error_lambda.map_or_else(String::new, error),
                statistics.steps.to_string(),
                statistics.rhs.to_string(),
                statistics.jacobians.to_string(),
                statistics.factorizations.to_string(),
                format!("{:.3}", 1e3 * point.seconds),
            ]);
        }
    }
    columns.render(2)
}

/// Which method is the fastest for which error of q.
fn fastest(series: &[&Series]) -> String {
    let mut text = String::new();
    for k in 3..=11 {
        let error = 10_f64.powi(-k);
        let times = series.iter().filter_map(|s| Some((s.method, time_for_error(&s.points, error)?)));
        if let Some((method, seconds)) = times.min_by(|a, b| a.1.total_cmp(&b.1)) {
            text.push_str(&format!("  error 1e-{k:<2} fastest: {method}, {:.3} ms\n", 1e3 * seconds));
        }
    }
    text
}

/// A page with a diagram for each problem, and which method is the fastest.
fn page(measured: &[Series]) -> Report {
    let figure = figure(measured);
    let mut report =
        Report { title: figure.title.clone(), subtitle: figure.subtitle.clone(), ..Report::default() };
    for (name, panel) in names(measured).into_iter().zip(&figure.panels) {
        let series: Vec<&Series> = measured.iter().filter(|series| series.problem == name).collect();
        let fastest = fastest(&series);
        let line = |line: &str| {
            let (error, method) = line.trim().split_once("fastest:")?;
            Some((error.trim().to_owned(), method.trim().to_owned()))
        };
        report.add_panels(name, fastest.lines().filter_map(line).collect(), std::slice::from_ref(panel));
    }
    report
}

fn figure(measured: &[Series]) -> Figure {
    let curve = |series: &Series| Curve {
        name: series.method.to_owned(),
        points: series.points.iter().map(|point| (point.error_q, point.seconds)).collect(),
        marks: Marks::Both,
    };
    let panel = |name: &str| Panel {
        title: name.to_owned(),
        x_label: "error of q".to_owned(),
        y_label: "seconds".to_owned(),
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        x_from: None,
        x_margin: 0.0,
        equal: false,
        curves: measured.iter().filter(|series| series.problem == name).map(curve).collect(),
    };
    Figure {
        title: "Work and precision".to_owned(),
        subtitle: "tolerances 1e-3 to 1e-12, true errors at the end".to_owned(),
        phases: Vec::new(),
        panels: names(measured).into_iter().map(panel).collect(),
    }
}
