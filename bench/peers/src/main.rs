//! Taut and other integrators on the same problems, in one run on one machine.
//!
//! Every peer calls the same compiled functions. Runs of all solvers are interleaved and repeated; the shortest processor
//! time counts. Ratios are taken at equal true error at the end, interpolated in logarithms.

mod arguments;
mod blocks;
mod chain;
mod diffsol_runs;
mod first_order;
mod ida;
mod measure;
mod plot;
mod radau5;
mod russell;
mod stiff_spring;
mod subject;
mod table;

use serde_json::{Value, json};
use taut::method::Method;
use taut::options::Options;
use taut_lab::experiment::{self, Reduced};
use taut_lab::{solver_of, start_of};

use crate::arguments::Arguments;
use crate::ida::stabilised::Elimination;
use crate::measure::{Contestant, measure, tolerances};
use crate::subject::Subject;

/// A method of Taut.
fn taut(name: &'static str, stages: Option<usize>) -> Contestant<'static> {
    let run = move |subject: &Subject, tolerance: f64| {
        let mut method = Method::named(name).ok()?;
        if let Some(stages) = stages {
            method = method.with_stages(stages).ok()?;
        }
        let options = Options { rtol: tolerance, atol: subject.floor * tolerance, ..Options::default() };
        let solver = solver_of(&subject.problem).method(method).options(options);
        let start = start_of(&subject.problem);
        let motion = solver.run(subject.problem.start.t, subject.until, &start).ok()?;
        Some(motion.y)
    };
    let stages = stages.map_or_else(String::new, |s| format!(" s={s}"));
    Contestant::new(format!("taut {name}{stages}"), run)
}

/// DOP853 on the index-reduced equations.
fn dop853(field: Reduced<'_>, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let start = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    experiment::dop853(field, (subject.problem.start.t, subject.until), &start, tolerance)
}

fn radaus() -> Vec<Contestant<'static>> {
    let mut all = vec![taut("radau", None)];
    all.extend([3, 4, 5].map(|stages| taut("radau", Some(stages))));
    all
}

/// Rods: index 3 for Taut and RADAU5, stabilised index 2 for IDA, index-reduced for explicit methods.
fn on_rods(code: Option<&radau5::Code>) -> Vec<Contestant<'_>> {
    let mut all = radaus();
    all.push(taut("dopri8", None));
    all.push(taut("adams", None));
    all.extend(code.map(|code| Contestant::new("RADAU5", |s, tol| radau5::mechanical::run(code, s, tol))));
    all.push(Contestant::new("DOP853", |s, tol| dop853(Reduced::new(s.mechanism()?), s, tol)));
    all.push(Contestant::new("DOP853 by hand", |s, tol| dop853(Reduced::by_hand(s.mechanism()?), s, tol)));
    all.push(Contestant::new("IDA", |s, tol| ida::stabilised::run(s, tol, Elimination::Dense)));
    all.push(Contestant::new("russell DoPri8", russell::reduced));
    all.push(Contestant::new("diffsol Tsit45", diffsol_runs::reduced));
    all
}

/// Springs: the ordinary differential equation takes RADAU5 seconds where they are very stiff, and is left out there.
fn on_springs(code: Option<&radau5::Code>, epsilon: f64) -> Vec<Contestant<'_>> {
    let mut all = radaus();
    if let Some(code) = code {
        all.push(Contestant::new("RADAU5 g = c lambda", |s, tol| radau5::mechanical::run(code, s, tol)));
        if epsilon > 5e-6 {
            all.push(Contestant::new("RADAU5 ODE", |s, tol| radau5::spring::run(code, s, tol)));
        }
    }
    all
}

fn on_the_beam(code: Option<&radau5::Code>) -> Vec<Contestant<'_>> {
    let mut all = radaus();
    all.extend(code.map(|code| Contestant::new("RADAU5", |s, tol| radau5::beam::run(code, s, tol))));
    all
}

fn on_first_order(code: Option<&radau5::Code>) -> Vec<Contestant<'_>> {
    let mut all = radaus();
    all.push(taut("bdf", None));
    all.extend(code.map(|code| Contestant::new("RADAU5", |s, tol| radau5::first_order::run(code, s, tol))));
    all.push(Contestant::new("IDA", ida::first_order::run));
    all.push(Contestant::new("russell Radau5", russell::first_order));
    for (name, method) in
        [("diffsol BDF", diffsol_runs::Method::Bdf), ("diffsol ESDIRK34", diffsol_runs::Method::Esdirk34)]
    {
        all.push(Contestant::new(name, move |s, tol| diffsol_runs::first_order(s, tol, method)));
    }
    all
}

/// What solves a problem.
type Field<'a> = Vec<Contestant<'a>>;

/// All problems and who solves them. atol/rtol is 1 where variables are of the size of 1, and of the size of the smallest
/// variables that matter where they are not.
fn problems(code: Option<&radau5::Code>) -> Result<Vec<(Subject, Field<'_>)>, String> {
    let mut all = Vec::new();
    for (name, until) in [("pendulum", None), ("andrews", Some(0.03)), ("car_axis", None)] {
        all.push((Subject::find(name, until, 1.0)?, on_rods(code)));
    }
    let mut soft = Subject::find("stiff_spring_pendulum/manifold_horizontal_eps1e-3", None, 1.0)?;
    soft.name = "stiff_spring_pendulum_1e-3".into();
    all.push((soft, on_springs(code, 1e-3)));
    for epsilon in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
        all.push((stiff_spring::subject(epsilon)?, on_springs(code, epsilon)));
    }
    all.push((Subject::find("beam", None, 1.0)?, on_the_beam(code)));
    for (name, floor) in
        [("hires", 1e-4), ("van_der_pol", 1.0), ("robertson", 1e-8), ("transistor_amplifier", 1.0)]
    {
        all.push((Subject::find(name, None, floor)?, on_first_order(code)));
    }
    Ok(all)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [chain::MEMORY, links] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return chain::report_memory(links.parse()?);
    }
    let arguments = Arguments::parse(words.into_iter())?;
    let code = radau5::Code::load().inspect_err(|error| println!("without RADAU5: {error}")).ok();
    let mut tables: Vec<Value> = Vec::new();
    for (subject, contestants) in problems(code.as_ref())? {
        if !arguments.asks_for(&subject.name) {
            continue;
        }
        let results = measure(&subject, &contestants, &tolerances(), arguments.rounds);
        tables.push(table::table(&subject, &contestants, &results));
        let title = format!("{} to t = {}", subject.name, subject.until);
        let picture = arguments.results.with_file_name(format!("{}.svg", subject.name));
        std::fs::write(picture, plot::work_precision(&title, &contestants, &results))?;
    }
    let chains = match arguments.asks_for("chain") {
        true => chain::chains(arguments.rounds, code.as_ref(), arguments.dense_chain)?,
        false => Value::Null,
    };
    let results = json!({"problems": tables, "chains": chains});
    std::fs::write(&arguments.results, format!("{results:#}\n"))?;
    println!("\nwritten: {}, and diagrams beside it", arguments.results.display());
    Ok(())
}
