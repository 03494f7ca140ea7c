//! What `auto` costs, beside the methods that it chooses among and others: instructions on all problems of the library.

use std::collections::HashMap;
use std::error::Error;

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut_lab::{comparison_time, run_to, solver_of, start_of};
use taut_problems::{Problem, all, find};

use crate::callgrind;
use crate::workloads::counted;

type Failure = Box<dyn Error>;

/// `auto`, and what it is compared with.
const METHODS: [&str; 7] = ["auto", "taylor", "dopri8", "dopri5", "adams", "radau", "bdf"];
const TOLERANCES: [f64; 3] = [1e-4, 1e-6, 1e-8];
/// A method with a larger error, in tolerances, has missed its tolerance and is not the best one,
const MOST_ERROR: f64 = 100.0;
/// unless that of `auto` is about as large: some motions magnify errors.
const LIKE_AUTO: f64 = 2.0;
/// Runs give up after so many steps: they are not the best ones.
const MOST_STEPS: usize = 300_000;
/// Methods with more than so many times the evaluations of the fewest are not counted. An implicit step may do more for one
/// evaluation, but not by so much.
const WORTH_COUNTING: f64 = 12.0;
/// `auto` may take so many times the instructions of the best method on nine of ten problems, and on all of them.
const MOST_ON_NEARLY_ALL: f64 = 1.5;
const MOST: f64 = 3.0;

/// atol/rtol where values far below 1 matter.
const FLOORS: [(&str, f64); 5] =
    [("hires", 1e-3), ("robertson", 1e-6), ("plate", 1e-3), ("diurnal", 1e3), ("e5", 1e-20)];

/// One run of a problem: what it costs and how well it went.
struct Cell {
    method: &'static str,
    steps: usize,
    evaluations: usize,
    /// in tolerances; none where the run failed
    error: Option<f64>,
    instructions: Option<u64>,
}

fn solver<'p>(problem: &'p Problem, method: &str, tolerance: f64) -> Result<(Solver<'p>, f64), Failure> {
    let floor = FLOORS.iter().find(|(name, _)| *name == problem.name).map_or(1.0, |(_, floor)| *floor);
    let options = Options {
        rtol: tolerance,
        atol: tolerance * floor,
        most_steps: MOST_STEPS,
        stage_tolerance: Some(tolerance),
        ..Options::default()
    };
    Ok((solver_of(problem).options(options).method(Method::named(method)?), floor))
}

/// Prints the table of some problems, or of all, and says where `auto` costs too much.
pub fn table(names: &[&str]) -> Result<(), Failure> {
    let mut ratios = Vec::new();
    println!("{:26}{:>7}   method: instructions in millions (steps, error in tolerances)", "problem", "tol");
    for entry in all().filter(|entry| names.is_empty() || names.contains(&entry.name)) {
        let problem = entry.problem()?;
        let Some(t) = comparison_time(&problem) else { continue };
        for tolerance in TOLERANCES {
            let mut cells = try_methods(&problem, t, tolerance)?;
            count(&problem, tolerance, &mut cells)?;
            let ratio = over_the_best(&cells);
            let shown: Vec<String> = cells.iter().map(show).collect();
            println!("{:26}{tolerance:>7.0e}{ratio:>6.2}  {}", problem.name, shown.join("  "));
            ratios.push((ratio, format!("{} at {tolerance:.0e}", problem.name)));
        }
    }
    judge(&ratios)
}

/// Runs all methods, not counting instructions.
fn try_methods(problem: &Problem, t: f64, tolerance: f64) -> Result<Vec<Cell>, Failure> {
    let one = |method: &'static str| {
        let (solver, floor) = solver(problem, method, tolerance)?;
        let mut cell = Cell { method, steps: 0, evaluations: usize::MAX, error: None, instructions: None };
        if let Ok(summary) = run_to(problem, t, &solver, tolerance, floor) {
            cell.error = Some(summary.largest_error());
            (cell.steps, cell.evaluations) = (summary.statistics.steps, summary.statistics.rhs);
        }
        Ok(cell)
    };
    METHODS.into_iter().map(one).collect()
}

/// Counts the instructions of `auto` and of all methods that may be the best one.
fn count(problem: &Problem, tolerance: f64, cells: &mut [Cell]) -> Result<(), Failure> {
    let fewest = cells.iter().map(|cell| cell.evaluations).min().unwrap_or(0) as f64;
    let worth = |cell: &Cell| cell.evaluations as f64 <= WORTH_COUNTING * fewest || cell.method == "auto";
    let counted: Vec<&str> =
        cells.iter().filter(|cell| cell.error.is_some() && worth(cell)).map(|cell| cell.method).collect();
    let tolerance = format!("{tolerance:e}");
    let arguments = [&["methods", &problem.name, &tolerance], counted.as_slice()].concat();
    let counts = callgrind::each(&arguments)?.into_iter().skip(1).step_by(2);
    let counts: HashMap<&str, u64> = counted.iter().copied().zip(counts).collect();
    for cell in cells {
        cell.instructions = counts.get(cell.method).copied();
    }
    Ok(())
}

/// Runs methods one after the other, each inside of [`counted`], and after a call of it that ends what came before: what this
/// program does under callgrind.
pub fn run(name: &str, tolerance: &str, methods: &[&str]) -> Result<(), Failure> {
    let (problem, tolerance) = (find(name)?, tolerance.parse()?);
    let until = comparison_time(&problem).ok_or("no reference")?;
    let (from, start) = (problem.start.t, start_of(&problem));
    // Coefficients of methods are computed once, those of more stages where a run comes to them, and do not belong to the run that is first.
    let radau = Method::radau();
    let with_stages = radau.stages().iter().map(|&stages| radau.clone().with_stages(stages));
    for method in METHODS.into_iter().map(Method::named).chain(with_stages) {
        let method = method?;
        let _ = solver(&problem, "auto", tolerance)?.0.method(method).max_steps(1).run(from, until, &start);
    }
    for method in methods {
        let (problem, method, start) = (find(name)?, (*method).to_owned(), start.clone());
        counted(Box::new(|| Ok(())))?;
        counted(Box::new(move || {
            std::hint::black_box(solver(&problem, &method, tolerance)?.0.run(from, until, &start)?);
            Ok(())
        }))?;
    }
    Ok(())
}

/// The instructions of `auto` over those of the best method that has kept the tolerance.
fn over_the_best(cells: &[Cell]) -> f64 {
    let Some((auto, others)) = cells.split_first() else { return f64::NAN };
    let enough = MOST_ERROR.max(LIKE_AUTO * auto.error.unwrap_or(0.0));
    let kept = others.iter().filter(|cell| cell.error.is_some_and(|error| error <= enough));
    let best = kept.filter_map(|cell| cell.instructions).min();
    match (auto.instructions, best) {
        (Some(auto), Some(best)) => auto as f64 / best as f64,
        (Some(_), None) => 1.0,
        (None, _) => f64::INFINITY,
    }
}

fn show(cell: &Cell) -> String {
    let (method, steps) = (cell.method, cell.steps);
    match (cell.error, cell.instructions) {
        (Some(error), Some(count)) => format!("{method}: {:.2} ({steps}, {error:.2})", count as f64 * 1e-6),
        (Some(error), None) => format!("{method}: - ({steps}, {error:.2})"),
        (None, _) => format!("{method}: failed"),
    }
}

fn judge(ratios: &[(f64, String)]) -> Result<(), Failure> {
    let above = |most: f64| ratios.iter().filter(move |(ratio, _)| *ratio > most);
    let within = ratios.len() - above(MOST_ON_NEARLY_ALL).count();
    println!("auto within {MOST_ON_NEARLY_ALL} of the best method: {within} of {}", ratios.len());
    let far: Vec<String> = above(MOST).map(|(ratio, name)| format!("{name}: {ratio:.2}")).collect();
    if 10 * within < 9 * ratios.len() {
        return Err("auto costs too much on more than one of ten problems".into());
    }
    if far.is_empty() { Ok(()) } else { Err(format!("auto costs far too much on {}", far.join(", ")).into()) }
}
