//! Adams methods: orders with constant steps, evaluations, first-order systems, kinks, snapshots of their beginning.

use crate::snapshots_common::Keeper;
use taut::method::Method;
use taut::options::Options;
use taut::run::{Snapshot, SnapshotError};
use taut::system::{Differentiated, Scalar, Sketch};
use taut::{Error, Solver};
use taut_lab::{Setting, measure_orders, run_to, solver_of};
use taut_problems::find;

/// How far a measured order may be below the claimed one.
const CLOSE: f64 = 0.3;

fn order(p: usize) -> Method {
    Method::adams().with_stages(p).unwrap()
}

/// The pair that constant steps begin with has order 8: so many orders can be seen.
#[test]
fn constant_steps_have_their_order() {
    let problem = find("pendulum/cash_g1").unwrap();
    for p in 2..=8 {
        let first = [3200, 800, 400, 200][(p - 2).min(3)];
        let steps: Vec<usize> =
            (0..6).map(|k| (f64::from(first) * 1.25_f64.powi(k)).round() as usize).collect();
        let orders = measure_orders(&problem, 10.0, &Setting::of(order(p)), &steps).unwrap();
        for group in ["q", "v", "lambda"] {
            let fit = orders.fit(group).unwrap_or_else(|| panic!("order {p}: no fit of {group}, {orders:?}"));
            println!("order {p}, {group}: {:.2} from {} points", fit.slope, fit.points());
            assert!(fit.slope >= p as f64 - CLOSE, "order {p}, {group}: {fit:?} in {orders:?}");
        }
    }
}

/// One factorisation for each attempted step, beside those of the start: less than half of what dopri8 takes for the same
/// tolerance, and two evaluations.
#[test]
fn few_factorisations() {
    for (name, t) in [("pendulum", 20.0), ("andrews", 0.03), ("car_axis", 3.0)] {
        let problem = find(name).unwrap();
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let [adams, explicit] = [Method::adams(), Method::explicit()].map(|method| {
                let solver = solver_of(&problem).method(method).tolerance(tolerance);
                run_to(&problem, t, &solver, tolerance, 1.0).unwrap().statistics
            });
            println!("{name} {tolerance:e}: {adams:?}");
            assert!(adams.factorizations <= adams.steps + 5, "{name} {tolerance:e}: {adams:?}");
            assert!(2 * adams.factorizations < explicit.factorizations, "{name} {tolerance:e}");
            assert!(adams.rejected() * 8 <= adams.steps, "{name} {tolerance:e}: {adams:?}");
        }
    }
}

#[test]
fn first_order_systems_are_integrated_once() {
    let problem = find("rigid_body").unwrap();
    let t = taut_lab::comparison_time(&problem).unwrap();
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let solver = solver_of(&problem).method(Method::adams()).tolerance(tolerance);
        let summary = run_to(&problem, t, &solver, tolerance, 1.0).unwrap();
        let error = summary.largest_error();
        println!("{tolerance:e}: {error:.1} tolerances, {:?}", summary.statistics);
        assert!(error <= 100.0, "{tolerance:e}: wrong by {error:.1} tolerances");
    }
}

/// x'' = −sign x from (1, 0): parabolas, with a kink every time that x = 0; four of them take 4 √2 and end where they began.
#[test]
fn kinks_that_nobody_announced_are_crossed() {
    let system = Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].abs()));
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let solver = Solver::mechanical(&system).method(Method::adams()).tolerance(tolerance);
        let motion = solver.run(0.0, 4.0 * 2.0_f64.sqrt(), &[1.0, 0.0]).unwrap();
        let error = (motion.q()[0] - 1.0).abs().max(motion.v()[0].abs());
        println!("{tolerance:e}: error {error:.1e}, {:?}", motion.statistics);
        assert!(error <= 100.0 * tolerance, "{tolerance:e}: {error:.1e}");
        assert!(motion.statistics.steps < 1000, "{:?}", motion.statistics);
    }
}

fn pendulum() -> Differentiated<Sketch> {
    Differentiated::new(
        Sketch::new(["x", "y"]).potential(|q| q[1]).rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0),
    )
}

/// Also from the one-step method that constant steps begin with, and while the order rises.
#[test]
fn every_snapshot_goes_on_with_the_same_bits() {
    let (pendulum, start) = (pendulum(), [1.0, 0.0, 0.0, 0.2]);
    for (method, step) in [(Method::adams(), None), (order(9), Some(0.1))] {
        let options = Options { rtol: 1e-7, atol: 1e-7, constant_step: step, ..Options::default() };
        let solver = || Solver::mechanical(&pendulum).method(method.clone()).options(options.clone());
        let whole = solver().run(0.0, 3.0, &start).unwrap();
        let mut keeper = Keeper::default();
        solver().snapshot_every(1).run_with(0.0, 3.0, &start, &mut keeper).unwrap();
        assert!(keeper.0.len() >= 29, "{} snapshots", keeper.0.len());
        for snapshot in keeper.0 {
            let resumed = solver().resume(snapshot).run(0.0, 3.0, &start).unwrap();
            assert_eq!((resumed.y, resumed.statistics), (whole.y.clone(), whole.statistics));
        }
    }
}

/// Numbers of steps are whole, and there are no more past rates than are kept: nothing else is gone on from.
#[test]
fn snapshots_with_impossible_counts_are_refused() {
    let (pendulum, start) = (pendulum(), [1.0, 0.0, 0.0, 0.2]);
    let mut keeper = Keeper::default();
    let solver = || Solver::mechanical(&pendulum).method(Method::adams());
    solver().snapshot_every(1).run_with(0.0, 3.0, &start, &mut keeper).unwrap();
    let snapshot = keeper.0.last().unwrap();
    for (name, place, value) in
        [("pace", 0, 2.5), ("pace", 0, 99.0), ("stiffness", 2, 0.5), ("driver", 2, -1.0)]
    {
        let mut entries = snapshot.entries().to_vec();
        entries.iter_mut().find(|entry| entry.0 == name).unwrap().1[place] = value;
        let outcome = solver().resume(Snapshot::from_entries(entries)).run(0.0, 3.0, &start);
        let expected = SnapshotError::Value { name: name.to_owned(), value };
        assert!(matches!(outcome, Err(Error::Snapshot(error)) if error == expected), "{name}: {value}");
    }
}
