//! What is run.

use std::error::Error;

use taut::Solver;
use taut::equations::Formulation;
use taut::linear::Choice;
use taut::method::{Method, Scheme, catalog};
use taut::options::{AlgebraicRows, Controller, Multipliers, Options, Projection, Vibrations};
use taut::run::{Event, Observer, Output, View};
use taut::system::{ForceClass, Hamiltonian, HamiltonianSystem, Scalar};
use taut_problems::mechanics::{planar_chain, space_chain};
use taut_problems::{Problem, State, System, find};

use crate::hash::of_run;

const TOLERANCES: [f64; 3] = [1e-3, 1e-6, 1e-9];
/// A run is followed for about so many steps divided by its number of unknowns,
const STEPS_TIMES_UNKNOWNS: usize = 4000;
/// but for at least so many, and at most so many.
const FEWEST_STEPS: usize = 10;
const MOST_STEPS: usize = 250;
/// Systems of more unknowns are run with one tolerance only.
const MANY_UNKNOWNS: usize = 100;
/// States between steps are compared at so many times.
const OUTPUT: usize = 23;

type Report<'r> = dyn FnMut(String, Vec<Option<u64>>) + 'r;

/// Stops a run after some steps.
struct Patience(usize);

impl Observer for Patience {
    fn step(&mut self, _view: &View<'_>) -> bool {
        self.0 -= 1;
        self.0 > 0
    }
}

/// A problem that runs as its solver says.
struct Case<'p> {
    problem: &'p Problem,
    method: Method,
    options: Options,
}

impl Case<'_> {
    fn hash(&self) -> Option<u64> {
        let Problem { start, t_end, system, .. } = self.problem;
        let solver = match system {
            System::Mechanical(mechanism) => Solver::mechanical(mechanism.as_ref()),
            System::FirstOrder(system) => Solver::first_order(system.as_ref()),
        };
        let solver =
            solver.breaks(&self.problem.kinks).method(self.method.clone()).options(self.options.clone());
        let steps = (STEPS_TIMES_UNKNOWNS / system.n()).clamp(FEWEST_STEPS, MOST_STEPS);
        let output = times(start.t, *t_end);
        let crossing = Event::new("crossing", |_t, y: &[f64]| y[0] - 0.123);
        let solver = solver.watch(true).output(output).event(crossing);
        of_run(&solver.run_with(start.t, *t_end, &start_of(self.problem), &mut Patience(steps)))
    }
}

/// (q, v), or x
fn start_of(problem: &Problem) -> Vec<f64> {
    match &problem.start.state {
        State::Motion(motion) => [motion.q.as_slice(), &motion.v].concat(),
        State::Variables(x) => x.clone(),
        State::Some(known) => known.iter().map(|&(_, value)| value).collect(),
    }
}

/// Equally far apart, by a rule of our own.
fn times(first: f64, last: f64) -> Output {
    let share = |k: usize| k as f64 / (OUTPUT - 1) as f64;
    let time = |k: usize| if k == OUTPUT - 1 { last } else { first + (last - first) * share(k) };
    Output::Times((0..OUTPUT).map(time).collect())
}

fn options(tolerance: f64) -> Options {
    Options { rtol: tolerance, atol: tolerance, ..Options::default() }
}

/// Every run; `report` gets a name and the hashes of the tolerances.
pub fn all(report: &mut Report<'_>) -> Result<(), Box<dyn Error>> {
    for entry in taut_problems::all() {
        with_every_method(&entry.problem()?, report);
    }
    for chain in [planar_chain(20), planar_chain(200), space_chain(40)] {
        with_every_method(&chain, report);
    }
    for name in
        ["pendulum", "andrews", "car_axis", "stiff_spring_pendulum", "van_der_pol", "transistor_amplifier"]
    {
        with_settings(&find(name)?, report);
    }
    hamiltonian(report)
}

fn with_every_method(problem: &Problem, report: &mut Report<'_>) {
    let few = &TOLERANCES[1..2];
    let tolerances = if problem.system.n() > MANY_UNKNOWNS { few } else { &TOLERANCES };
    for method in catalog().iter().map(|entry| entry.method()) {
        let hash =
            |&tolerance: &f64| Case { problem, method: method.clone(), options: options(tolerance) }.hash();
        let name = format!("{} {}", problem.name, method.name());
        report(name, tolerances.iter().map(hash).collect());
        let h = (problem.t_end - problem.start.t) / 500.0;
        let constant = Options { constant_step: Some(h), ..options(TOLERANCES[1]) };
        let name = format!("{} {} constant", problem.name, method.name());
        report(name, vec![Case { problem, method, options: constant }.hash()]);
    }
}

/// Options that have paths of their own.
fn settings() -> Vec<(&'static str, Options)> {
    let usual = || options(1e-5);
    vec![
        ("index1", Options { formulation: Formulation::Index1, ..usual() }),
        ("index2", Options { formulation: Formulation::Index2, ..usual() }),
        ("ggl", Options { formulation: Formulation::Ggl, ..usual() }),
        ("classical", Options { controller: Controller::Classical, ..usual() }),
        ("reversible", Options { controller: Controller::Reversible, ..usual() }),
        ("unprojected", Options { projection: Some(Projection::None), ..usual() }),
        ("velocities", Options { projection: Some(Projection::Velocity), ..usual() }),
        ("stages", Options { multipliers: Multipliers::FromStages, ..usual() }),
        ("indirect", Options { algebraic_rows: AlgebraicRows::Indirect, ..usual() }),
        ("follow", Options { vibrations: Vibrations::Follow, ..usual() }),
        ("damp", Options { vibrations: Vibrations::Damp, ..usual() }),
        ("smooth", Options { smooth_start: Some(3), ..usual() }),
        ("dense", Options { linear: Choice::Dense, ..usual() }),
        ("sparse", Options { linear: Choice::Sparse, ..usual() }),
    ]
}

fn with_settings(problem: &Problem, report: &mut Report<'_>) {
    for (setting, options) in settings() {
        for method in catalog().iter().map(|entry| entry.method()) {
            let name = format!("{} {} {setting}", problem.name, method.name());
            report(name, vec![Case { problem, method, options: options.clone() }.hash()]);
        }
    }
}

/// A relativistic pendulum with friction: H = √(1 + |p|²) + z on the unit sphere.
struct Relativistic;

impl Hamiltonian for Relativistic {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z"].map(String::from).to_vec()
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        (p[0].square() + p[1].square() + p[2].square() + 1.0).sqrt() + q[2]
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, _q: &[S], p: &[S], force: &mut [S]) {
        if class == ForceClass::Dissipative {
            for (force, p) in force.iter_mut().zip(p) {
                *force -= *p * 0.1;
            }
        }
    }

    fn constraints(&self) -> Vec<String> {
        vec!["sphere".into()]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() + q[2].square() - 1.0) * 0.5;
    }
}

/// Partitioned systems, which no problem of the library is.
fn hamiltonian(report: &mut Report<'_>) -> Result<(), Box<dyn Error>> {
    let system = HamiltonianSystem::new(Relativistic);
    let start = [0.6, 0.0, -0.8, 0.4, 1.1, 0.3];
    let partitioned = catalog().iter().filter(|entry| matches!(entry.scheme, Scheme::Spark(_)));
    for method in partitioned.map(|entry| entry.method()) {
        for (setting, controller, step) in [
            ("constant", Controller::Standard, Some(0.05)),
            ("adaptive", Controller::Standard, None),
            ("reversible", Controller::Reversible, None),
        ] {
            let hash = |&tolerance: &f64| {
                let options = Options { controller, constant_step: step, ..options(tolerance) };
                let output = times(0.0, 4.0);
                let solver = Solver::partitioned(&system).method(method.clone()).options(options);
                of_run(&solver.watch(true).output(output).run_with(
                    0.0,
                    4.0,
                    &start,
                    &mut Patience(MOST_STEPS),
                ))
            };
            let name = format!("relativistic {} {setting}", method.name());
            report(name, TOLERANCES.iter().map(hash).collect());
        }
    }
    Ok(())
}
