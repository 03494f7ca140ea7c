//! Reversible variable steps (Jay 1998, section 9): forth and back leads to the start. What they do to the energy is
//! the claim `jay-fig-2`.

use crate::spark_common::{SWINGING, distance, pendulum, run, spark};
use taut::Solver;
use taut::method::{Method, Shares};
use taut::options::{Controller, Options};
use taut::run::Output;
use taut::system::{Differentiated, ForceClass, MechanicalSystem, Sketch};
use taut_lab::experiment::energy::EnergyError;
use taut_lab::experiment::squeezer_energy::{
    FREE_FROM, STEP, free_squeezer, reversible_squeezer, variable_steps,
};
use taut_tableau::Lobatto;

fn reversible(tolerance: f64) -> Options {
    variable_steps(tolerance, Controller::Reversible)
}

/// The states after 0 and after `count` steps, and the state after as many steps back.
fn forth_and_back(
    system: &dyn MechanicalSystem,
    stages: usize,
    tolerance: f64,
    (t, span): (f64, f64),
    start: &[f64],
    count: usize,
) -> [(f64, Vec<f64>); 2] {
    let n = start.len();
    let solver = || {
        Solver::mechanical(system).method(spark(stages)).options(reversible(tolerance)).output(Output::Steps)
    };
    let steps = |from: f64, until: f64, start: &[f64]| -> Vec<(f64, Vec<f64>)> {
        let motion = run(&solver(), from, until, start);
        motion.trajectory.iter().map(|(t, y)| (t, y[..n].to_vec())).collect()
    };
    let there = steps(t, t + span, start);
    assert!(there.len() > count + 1, "only {} steps", there.len());
    let back = steps(there[count].0, t - 0.1 * span, &there[count].1);
    [there[0].clone(), back[count].clone()]
}

/// 300 steps of the squeezer and of a pendulum forth and 300 steps back.
#[test]
fn variable_steps_forth_and_back_lead_to_the_start() {
    let problem = taut_problems::find("andrews/ramp_down").unwrap();
    let system = problem.system.mechanism().unwrap();
    let driven = Solver::mechanical(system).method(spark(3)).step(STEP).breaks(&problem.kinks);
    let free = run(&driven, 0.0, FREE_FROM + 0.02, &taut_lab::start_of(&problem));
    let start = [free.q(), free.v()].concat();
    let [start, end] = forth_and_back(system, 3, 1e-8, (FREE_FROM + 0.02, 0.06), &start, 300);
    let (q, v) = (distance(&start.1[..7], &end.1[..7]), distance(&start.1[7..], &end.1[7..]));
    // Velocities reach 1e3: their error is relative to that.
    assert!(q < 1e-9 && v < 1e-6 && (start.0 - end.0).abs() < 1e-12, "q {q:.1e}, v {v:.1e}");

    let pendulum = pendulum();
    for (stages, tolerance) in [(2, 1e-6), (3, 1e-6), (4, 1e-6), (5, 1e-8)] {
        let [start, end] = forth_and_back(&pendulum, stages, tolerance, (0.0, 200.0), &SWINGING, 300);
        let error = distance(&start.1, &end.1);
        let time = (start.0 - end.0).abs();
        assert!(error < 1e-9 && time < 1e-8, "{stages} stages: {error:.1e}, time {time:.1e}");
    }
}

/// The length as one more unknown costs about two iterations in a step.
#[test]
fn the_length_costs_few_iterations() {
    let per_step = |run: &EnergyError| {
        let statistics = run.motion.statistics;
        statistics.newton_iterations as f64 / statistics.accepted as f64
    };
    let found = reversible_squeezer(&spark(3), 1e-8, None, 0.1).unwrap();
    let length = 0.1 / found.motion.statistics.accepted as f64;
    let mut constant = Options { constant_step: Some(length), ..Options::default() };
    constant.spark.whole_matrix = true;
    let given = free_squeezer(&spark(3), constant, 0.1).unwrap();
    let (found, given) = (per_step(&found), per_step(&given));
    println!("iterations for each step: {found:.2}, with steps of {length:.1e}: {given:.2}");
    assert!(found < given + 2.0, "{found:.2} for {given:.2}");
}

/// No motion, no error, no length: steps end where the run does, or are as long as allowed.
#[test]
fn a_free_point_moves_in_one_step() {
    let free = Differentiated::new(Sketch::new(["x"]));
    let solver = Solver::mechanical(&free).method(spark(3)).options(reversible(1e-6));
    let motion = run(&solver, 0.0, 10.0, &[0.0, 1.0]);
    assert!((motion.q()[0] - 10.0).abs() < 1e-13 && motion.statistics.accepted <= 2);
    let options = Options { largest_step: Some(0.5), ..reversible(1e-6) };
    let motion = run(&Solver::mechanical(&free).method(spark(3)).options(options), 0.0, 10.0, &[0.0, 1.0]);
    assert_eq!(motion.statistics.accepted, 20);
}

#[test]
fn methods_that_are_not_symmetric_are_refused() {
    let refusal = |solver: Solver<'_>, parts: &[&str]| {
        let sentence = solver.run(0.0, 1.0, &SWINGING).map(|_| ()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| sentence.contains(part)), "{sentence}");
    };
    let pendulum = pendulum();
    let solver = |options: Options| Solver::mechanical(&pendulum).options(options);
    refusal(
        solver(reversible(1e-6)).method(Method::radau()),
        &["reversible variable steps need a symmetric method", "take spark or rattle"],
    );
    let mut options = reversible(1e-6);
    options.spark.conservative = Shares::only(Lobatto::C);
    refusal(solver(options).method(spark(3)), &["the coefficients of the conservative forces are not"]);
    let mut options = reversible(1e-6);
    options.spark.error_weights = Some(vec![1.0, -1.0, 0.0]);
    refusal(solver(options).method(spark(3)), &["neither symmetric nor antisymmetric"]);

    let friction = Sketch::new(["x", "y"]).force(ForceClass::Dissipative, 0, |_t, _q, v| -v[0]);
    let friction = Differentiated::new(friction);
    let damped = Solver::mechanical(&friction).options(reversible(1e-6)).method(spark(3));
    refusal(damped, &["the coefficients of the dissipative forces are not", "take rattle"]);
    let rattle =
        Solver::mechanical(&friction).options(reversible(1e-6)).method(Method::named("rattle").unwrap());
    assert!(rattle.run(0.0, 1.0, &SWINGING).is_ok());
}
