//! SPARK steps behave like all others: output, events, checkpoints, adaptive steps.

use crate::snapshots_common::Keeper;
use crate::spark_common::{SWINGING, distance, pendulum, run, spark};
use taut::Solver;
use taut::linear::Choice;
use taut::options::Options;
use taut::run::{Event, Output};
use taut::system::{Differentiated, ForceClass, MechanicalSystem, Scalar, Sketch};

/// The tolerance bounds the error of the result, and the error falls with it.
#[test]
fn the_tolerance_is_the_error() {
    let pendulum = pendulum();
    let exact = run(&Solver::mechanical(&pendulum).tolerance(1e-13), 0.0, 2.0, &SWINGING);
    for stages in [2, 3, 4] {
        for tolerance in [1e-4, 1e-5, 1e-6, 1e-7] {
            let motion = run(
                &Solver::mechanical(&pendulum).method(spark(stages)).tolerance(tolerance),
                0.0,
                2.0,
                &SWINGING,
            );
            let error = distance(motion.q(), exact.q()).max(distance(motion.v(), exact.v())) / tolerance;
            assert!((0.01..1.0).contains(&error), "{stages} stages, {tolerance:e}: {error:.3}");
            assert!(motion.statistics.rejected() <= 3, "{:?}", motion.statistics);
        }
    }
}

/// Output between the steps is on the constraints and as accurate as the steps.
#[test]
fn output_between_steps_is_as_good_as_the_steps() {
    let pendulum = pendulum();
    let times: Vec<f64> = (0..=57).map(|k| 0.035 * f64::from(k)).collect();
    let solver = Solver::mechanical(&pendulum).method(spark(3)).step(0.1);
    let sampled = run(&solver.output(Output::Times(times.clone())), 0.0, 2.0, &SWINGING);
    let exact = Solver::mechanical(&pendulum).tolerance(1e-13).output(Output::Times(times));
    let exact = run(&exact, 0.0, 2.0, &SWINGING);
    assert_eq!(sampled.trajectory.len(), exact.trajectory.len());
    for ((t, y), (_, e)) in sampled.trajectory.iter().zip(exact.trajectory.iter()) {
        assert!(distance(y, e) < 2e-6, "t = {t}: {:.1e}", distance(y, e));
        let (mut g, mut rate) = ([0.0], [0.0]);
        pendulum.constraint(t, &y[..2], &mut g).unwrap();
        pendulum.constraint_rate(t, &y[..2], &y[2..4], &mut rate).unwrap();
        assert!(g[0].abs() < 5e-16 && rate[0].abs() < 5e-16, "t = {t}: {g:?} {rate:?}");
    }
}

/// A run that goes on from any of its checkpoints ends with the bits and the counters of a run without checkpoints.
#[test]
fn a_resumed_run_has_the_same_bits() {
    let (pendulum, free) = (pendulum(), Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].square())));
    let chain = taut_problems::find("pendulum_chain_20").unwrap();
    let (hanging, horizontal) = (chain.system.mechanism().unwrap(), taut_lab::start_of(&chain));
    let mut whole = Options { linear: Choice::Sparse, ..Options::default() };
    whole.spark.whole_matrix = true;
    let [usual, sparse] =
        [Choice::Auto, Choice::Sparse].map(|linear| Options { linear, ..Options::default() });
    let chain = &horizontal[..80];
    let cases: [(&dyn MechanicalSystem, &[f64], f64, &Options); 6] = [
        (&pendulum, &SWINGING, 0.05, &usual),
        (&pendulum, &SWINGING, 0.05, &sparse),
        (&free, &[1.0, 0.0], 0.05, &usual),
        (hanging, chain, 0.01, &usual),
        (hanging, chain, 0.01, &sparse),
        (hanging, chain, 0.01, &whole),
    ];
    let (mut with_factors, mut with_pivots) = (0, 0);
    for ((system, start, h, options), constant) in
        cases.into_iter().flat_map(|case| [(case, true), (case, false)])
    {
        let solver = || {
            let solver = Solver::mechanical(system).method(spark(3)).options(options.clone());
            if constant { solver.step(h) } else { solver.tolerance(1e-7) }
        };
        let until = 40.0 * h;
        let whole = run(&solver(), 0.0, until, start);
        let mut keeper = Keeper::default();
        solver().snapshot_every(9).run_with(0.0, until, start, &mut keeper).unwrap();
        assert!(!keeper.0.is_empty());
        for snapshot in keeper.0 {
            with_factors += usize::from(snapshot.get("matrix").is_ok_and(|matrix| !matrix.is_empty()));
            // The rest are lengths of lists.
            with_pivots += usize::from(snapshot.get("pivots").is_ok_and(|pivots| pivots.len() > 10));
            let resumed = run(&solver().resume(snapshot), 0.0, until, start);
            assert_eq!((&resumed.y, resumed.statistics), (&whole.y, whole.statistics));
        }
    }
    assert!(with_factors > 0, "no snapshot holds factors that are used again");
    assert!(with_pivots > 0, "no snapshot holds pivots that are used again");
}

/// Events are found inside the steps.
#[test]
fn events_are_found() {
    let pendulum = pendulum();
    let lowest = |_t: f64, y: &[f64]| y[0];
    let solver = Solver::mechanical(&pendulum).method(spark(4)).step(0.1).event(Event::new("lowest", lowest));
    let motion = run(&solver, 0.0, 3.0, &[1.0, 0.0, 0.0, 0.0]);
    // A quarter of the period from rest at the horizontal: K(1/√2).
    let quarter = 1.854_074_677_301_371_9;
    assert_eq!(motion.crossings.len(), 1);
    assert!((motion.crossings[0].t - quarter).abs() < 1e-8, "{:?}", motion.crossings);
}

/// A matrix with M and G of the beginning of the step leads to the same step as the whole one, with M(q) and without.
#[test]
fn both_matrices_lead_to_the_same_steps() {
    for (name, stages, h, steps) in [
        ("andrews", 2, 5e-5, 100.0),
        ("andrews", 3, 5e-5, 100.0),
        ("pendulum_chain_20", 2, 0.01, 30.0),
        ("pendulum_chain_20", 4, 0.01, 30.0),
    ] {
        let problem = taut_problems::find(name).unwrap();
        let (system, start) = (problem.system.mechanism().unwrap(), taut_lab::start_of(&problem));
        let start = &start[..2 * system.structure().n()];
        let [whole, frozen] = [true, false].map(|whole_matrix| {
            let mut options = Options::default();
            options.spark.whole_matrix = whole_matrix;
            let solver = Solver::mechanical(system).options(options).method(spark(stages)).step(h);
            run(&solver, 0.0, steps * h, start)
        });
        assert!(
            whole.statistics.jacobians > 0 && frozen.statistics.jacobians == 0,
            "{name}, {stages} stages"
        );
        let largest = whole.y.iter().fold(1.0_f64, |largest, y| largest.max(y.abs()));
        let error = distance(&whole.y, &frozen.y) / largest;
        assert!(error < 1e-12, "{name}, {stages} stages: {error:.1e}");
    }
}

/// Stiff forces on many coordinates: the steps are those of one coordinate alone, whose matrix is the whole one.
#[test]
fn stiff_forces_are_solved_with_the_whole_matrix() {
    let springs = |names: Vec<String>| {
        let many = names.len();
        let sketch = Sketch::new(names);
        let stiff = |sketch: Sketch, k: usize| {
            sketch.force(ForceClass::Oscillatory, k, move |_t, q, _v| -(q[k] * q[k] * q[k] + q[k]) * 1e4)
        };
        Differentiated::new((0..many).fold(sketch, stiff))
    };
    let (many, one) = (springs((0..12).map(|k| format!("x{k}")).collect()), springs(vec!["x".into()]));
    let solver = |system| Solver::mechanical(system).method(spark(3)).step(0.05);
    let motion = run(&solver(&many), 0.0, 2.0, &[[0.1; 12], [0.0; 12]].concat());
    let alone = run(&solver(&one), 0.0, 2.0, &[0.1, 0.0]);
    assert!(motion.statistics.jacobians > 0);
    for k in 0..12 {
        let error = (motion.q()[k] - alone.q()[0]).abs().max((motion.v()[k] - alone.v()[0]).abs());
        // Velocities reach 10.
        assert!(error < 1e-9, "coordinate {k}: {error:.1e}");
    }
}

/// The matrix of a chain may be eliminated dense or sparse.
#[test]
fn dense_and_sparse_elimination_agree() {
    let problem = taut_problems::find("pendulum_chain_2").unwrap();
    let start = problem.start.state.motion().unwrap();
    let start = [start.q.as_slice(), &start.v].concat();
    let system = problem.system.mechanism().unwrap();
    let [dense, sparse] = [Choice::Dense, Choice::Sparse].map(|linear| {
        let options = Options { linear, ..Options::default() };
        run(&Solver::mechanical(system).options(options).method(spark(3)).step(0.02), 0.0, 1.0, &start)
    });
    let error = distance(&dense.y, &sparse.y);
    assert!(error < 1e-11, "{error:.1e}");
}
