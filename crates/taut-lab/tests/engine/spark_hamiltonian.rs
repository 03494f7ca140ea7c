//! SPARK on Hamiltonian systems H(q, p) with constraints, the kinetic energy not quadratic in p.

use crate::snapshots_common::Keeper;
use crate::spark_common::{distance, run, spark};
use taut::motion::{Motion, Stop};
use taut::options::{Controller, Multipliers, Options};
use taut::run::{Event, Observer, Output};
use taut::start::StartError;
use taut::system::{Differentiated, Hamiltonian, HamiltonianSystem, Scalar, Sketch};
use taut::{Error, Solver};

/// A relativistic spherical pendulum: H = √(1 + |p|²) + z on the unit sphere.
struct Relativistic;

impl Hamiltonian for Relativistic {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z"].map(String::from).to_vec()
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        (p[0].square() + p[1].square() + p[2].square() + 1.0).sqrt() + q[2]
    }

    fn constraints(&self) -> Vec<String> {
        vec!["sphere".into()]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() + q[2].square() - 1.0) * 0.5;
    }
}

const START: [f64; 6] = [0.6, 0.0, -0.8, 0.4, 1.1, 0.3];

fn relativistic() -> HamiltonianSystem<Relativistic> {
    HamiltonianSystem::new(Relativistic)
}

fn state(motion: &Motion) -> Vec<f64> {
    [motion.q(), motion.v()].concat()
}

/// q, p and λ from (2e) have order 2s − 2; U_s has less.
#[test]
fn the_order_is_2s_minus_2() {
    let system = relativistic();
    let at = |stages: usize, h: f64, options: Options| {
        run(&Solver::partitioned(&system).options(options).method(spark(stages)).step(h), 0.0, 2.0, &START).y
    };
    let exact = at(6, 0.05, Options::default());
    for (stages, h) in [(2, 1.0 / 64.0), (3, 1.0 / 8.0), (4, 1.0 / 4.0)] {
        let errors = [h, h / 2.0].map(|h| {
            let y = at(stages, h, Options::default());
            [0..3, 3..6, 6..7].map(|part| distance(&y[part.clone()], &exact[part]))
        });
        for (part, (coarse, fine)) in ["q", "p", "λ"].iter().zip(errors[0].iter().zip(&errors[1])) {
            let order = (coarse / fine).log2();
            let expected = 2.0 * stages as f64 - 2.0;
            assert!((order - expected).abs() < 0.35, "{stages} stages, {part}: {order:.2} from {coarse:.1e}");
        }
    }
    let from_stages = Options { multipliers: Multipliers::FromStages, ..Options::default() };
    let y = at(3, 0.125, from_stages);
    let usual = at(3, 0.125, Options::default());
    assert!(distance(&y[..6], &usual[..6]) < 1e-13, "multipliers change nothing else");
    assert!(distance(&y[6..], &exact[6..]) > 10.0 * distance(&usual[6..], &exact[6..]));
}

/// The derivatives of (q, p) at the start and at the end of a step along a direction of starts, by differences of order 4.
fn derivatives(solver: &Solver<'_>, direction: &[f64], h: f64) -> [Vec<f64>; 2] {
    const SHIFT: f64 = 1e-3;
    let mut sums = [vec![0.0; 6], vec![0.0; 6]];
    for (steps, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
        let shifted: Vec<f64> = START.iter().zip(direction).map(|(y, d)| y + steps * SHIFT * d).collect();
        let motion = run(solver, 0.0, h, &shifted);
        let begin = motion.start.as_ref().unwrap();
        for (sum, phase) in sums.iter_mut().zip([[&begin.q[..], &begin.v].concat(), state(&motion)]) {
            sum.iter_mut().zip(&phase).for_each(|(sum, x)| *sum += weight * x / (12.0 * SHIFT));
        }
    }
    sums
}

/// dq ∧ dp on tangent vectors of the constraints is the same before and after a step.
#[test]
fn steps_are_symplectic() {
    let (system, h) = (relativistic(), 0.2);
    for stages in 2..=4 {
        let solver = Solver::partitioned(&system).method(spark(stages)).step(h);
        let directions: Vec<_> = (0..6)
            .map(|k| {
                let direction = |i: usize| if i == k { 1.0 } else { 0.1 * i as f64 };
                derivatives(&solver, &(0..6).map(direction).collect::<Vec<_>>(), h)
            })
            .collect();
        let form = |a: &[f64], b: &[f64]| (0..3).map(|i| a[i] * b[3 + i] - b[i] * a[3 + i]).sum::<f64>();
        let mut largest: (f64, f64) = (0.0, 0.0);
        for one in &directions {
            for other in &directions {
                let change = form(&one[1], &other[1]) - form(&one[0], &other[0]);
                largest = (largest.0.max(change.abs()), largest.1.max(form(&one[0], &other[0]).abs()));
            }
        }
        assert!(largest.0 < 2e-11 && largest.1 > 0.1, "{stages} stages: {largest:.2?}");
    }
}

#[test]
fn steps_forth_and_back_lead_to_the_start() {
    let system = relativistic();
    let start = run(&Solver::partitioned(&system).method(spark(3)).step(0.1), 0.0, 0.1, &START);
    let start = state(&start);
    for stages in 2..=5 {
        let solver = Solver::partitioned(&system).method(spark(stages)).step(0.1);
        let there = run(&solver, 0.1, 0.6, &start);
        let back = run(&solver, 0.6, 0.1, &state(&there));
        let error = distance(&state(&back), &start);
        assert!(error < 4e-14, "{stages} stages: {error:.2e}");
    }
}

/// Watches H and q×p about the vertical.
#[derive(Default)]
struct Watch {
    energies: Vec<f64>,
    turning: Vec<f64>,
}

impl Observer for Watch {
    fn step(&mut self, view: &taut::run::View<'_>) -> bool {
        let (q, p) = (&view.y[..3], &view.y[3..6]);
        self.energies.push((1.0 + p.iter().map(|p| p * p).sum::<f64>()).sqrt() + q[2]);
        self.turning.push(q[0] * p[1] - q[1] * p[0]);
        true
    }
}

/// The energy oscillates and does not drift; angular momentum is exact.
#[test]
fn energy_does_not_drift_in_a_long_run() {
    let (system, h, steps) = (relativistic(), 0.1, 20_000);
    let options = Options { most_steps: 2 * steps, constant_step: Some(h), ..Options::default() };
    let solver = Solver::partitioned(&system).method(spark(3)).options(options).watch(true);
    let mut watch = Watch::default();
    let motion = solver.run_with(0.0, h * steps as f64, &START, &mut watch).unwrap();
    let [position, rate, bent] = motion.invariants.residuals;
    assert!(position < 2e-15 && rate < 2e-14 && bent < 1e-12, "{position:.1e} {rate:.1e} {bent:.1e}");
    let error = motion.invariants.energy_error;
    assert!(error > 1e-9 && error < 1e-5, "energy error {error:.1e}");
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let quarters: Vec<f64> = watch.energies.chunks(steps / 4).take(4).map(mean).collect();
    let drift = quarters.iter().fold(0.0_f64, |drift, q| drift.max((q - quarters[0]).abs()));
    assert!(drift < 1e-2 * error, "means of quarters differ by {drift:.1e}, error {error:.1e}");
    let turning = watch.turning.iter().fold(0.0_f64, |d, l| d.max((l - watch.turning[0]).abs()));
    assert!(turning < 1e-13, "angular momentum changes by {turning:.1e}");
}

/// H = pᵀM(q)⁻¹p/2 + U on a sphere.
struct Heavy;

impl Hamiltonian for Heavy {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z"].map(String::from).to_vec()
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        let (a, b, c) = (q[1].square() + 1.0, q[1] * 0.3, q[0] * q[1] + 1.5);
        let middle = q[2].sin() * 0.5 + 2.0;
        let outer = (c * p[0].square() - b * p[0] * p[2] * 2.0 + a * p[2].square()) / (a * c - b * b);
        (outer + p[1].square() / middle) * 0.5 + q[2] + q[0] * q[1] * 0.5
    }

    fn constraints(&self) -> Vec<String> {
        vec!["sphere".into()]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0].square() + q[1].square() + q[2].square() - 1.0;
    }
}

/// The steps do not depend on whether velocities or momenta are the variables (Jay 1998, eq. 18).
#[test]
fn mechanical_systems_take_the_same_steps() {
    let mechanical = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| {
            let square = v[0].square() * (q[1].square() + 1.0) + v[1].square() * (q[2].sin() * 0.5 + 2.0);
            (square + v[2].square() * (q[0] * q[1] + 1.5) + v[0] * v[2] * q[1] * 0.6) * 0.5
        })
        .potential(|q| q[2] + q[0] * q[1] * 0.5)
        .rod("sphere", |_t, q| q[0].square() + q[1].square() + q[2].square() - 1.0);
    let (mechanical, canonical) = (Differentiated::new(mechanical), HamiltonianSystem::new(Heavy));
    let momenta = |q: &[f64], v: &[f64]| {
        let (a, b, c) = (q[1] * q[1] + 1.0, q[1] * 0.3, q[0] * q[1] + 1.5);
        vec![a * v[0] + b * v[2], (q[2].sin() * 0.5 + 2.0) * v[1], b * v[0] + c * v[2]]
    };
    let start = [0.6, 0.48, 0.64, 0.5, -0.3, -0.24375];
    for stages in 2..=5 {
        let (method, h) = (spark(stages), 0.1);
        let by_v = run(
            &Solver::mechanical(&mechanical).method(method.clone()).step(h).watch(true),
            0.0,
            2.0,
            &start,
        );
        let begin = by_v.start.as_ref().unwrap();
        let start = [begin.q.clone(), momenta(&begin.q, &begin.v)].concat();
        let by_p = run(&Solver::partitioned(&canonical).method(method).step(h).watch(true), 0.0, 2.0, &start);
        let error = distance(by_p.q(), by_v.q()).max(distance(by_p.v(), &momenta(by_v.q(), by_v.v())));
        assert!(error < 3e-14, "{stages} stages: {error:.2e}");
        assert!(distance(by_p.lambda(), by_v.lambda()) < 1e-12, "{stages} stages: multipliers");
        let (e, f) = (by_p.invariants.energy_error, by_v.invariants.energy_error);
        assert!((e - f).abs() < 1e-13, "{stages} stages: energy errors {e:.3e} {f:.3e}");
    }
}

/// Variable steps hold the tolerance; samples lie on the motion and on the constraints.
#[test]
fn variable_steps_output_and_events() {
    let system = relativistic();
    let exact = |t: f64| run(&Solver::partitioned(&system).method(spark(6)).step(0.05), 0.0, t, &START).y;
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let solver = Solver::partitioned(&system).tolerance(tolerance);
        let times: Vec<f64> = (1..=10).map(|k| 0.5 * f64::from(k)).collect();
        let motion = solver
            .output(Output::Times(times))
            .event(Event::new("middle", |_t, y| y[0]))
            .run(0.0, 5.0, &START)
            .unwrap();
        assert_eq!(motion.method, "spark");
        assert_eq!(motion.stop, Stop::End);
        assert!(motion.choice.as_ref().is_some_and(|choice| choice.contains("partitioned")));
        assert_eq!(motion.trajectory.len(), 10);
        for (t, y) in motion.trajectory.iter() {
            let error = distance(&y[..6], &exact(t)[..6]);
            assert!(error < 30.0 * tolerance, "{tolerance:.0e} at {t}: {error:.1e}");
            let [q, p] = [&y[..3], &y[3..6]];
            let g = q.iter().map(|q| q * q).sum::<f64>() - 1.0;
            let rate = q.iter().zip(p).map(|(q, p)| q * p).sum::<f64>();
            assert!(g.abs() < 1e-14 && rate.abs() < 1e-14, "{g:.1e} {rate:.1e}");
        }
        let crossing = motion.crossings.first().unwrap();
        assert!(crossing.y[0].abs() < 1e-9, "event at {}", crossing.y[0]);
    }
    let there = Solver::partitioned(&system).tolerance(1e-8).run(0.0, 5.0, &START).unwrap();
    let begin = there.start.clone().unwrap();
    let back = Solver::partitioned(&system).tolerance(1e-8).run(5.0, 0.0, &state(&there)).unwrap();
    assert!(distance(&state(&back), &[begin.q, begin.v].concat()) < 1e-6);
}

/// A run that goes on from a snapshot ends with the same bits, with constant and with variable steps.
#[test]
fn resumed_runs_end_with_the_same_bits() {
    let system = relativistic();
    for step in [None, Some(0.05)] {
        let solver = || {
            let options = Options { constant_step: step, ..Options::default() };
            Solver::partitioned(&system).options(options)
        };
        let mut keep = Keeper::default();
        let whole = solver().snapshot_every(7).run_with(0.0, 5.0, &START, &mut keep).unwrap();
        assert!(keep.0.len() > 2);
        for snapshot in keep.0 {
            let resumed = solver().resume(snapshot).run(0.0, 5.0, &START).unwrap();
            assert_eq!(resumed.y, whole.y);
            assert_eq!(resumed.statistics, whole.statistics);
        }
    }
}

/// A Hamiltonian that does not know the momentum along the rod.
struct Weightless;

impl Hamiltonian for Weightless {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn energy<S: Scalar>(&self, _t: S, _q: &[S], p: &[S]) -> S {
        p[0].square() * 0.5
    }

    fn constraints(&self) -> Vec<String> {
        vec!["level".into()]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[1];
    }
}

/// The sphere twice.
struct Twice;

impl Hamiltonian for Twice {
    fn coordinates(&self) -> Vec<String> {
        Relativistic.coordinates()
    }

    fn energy<S: Scalar>(&self, t: S, q: &[S], p: &[S]) -> S {
        Relativistic.energy(t, q, p)
    }

    fn constraints(&self) -> Vec<String> {
        vec!["sphere".into(), "again".into()]
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        Relativistic.constraint(t, q, &mut g[..1]);
        g[1] = g[0] * 2.0;
    }
}

#[test]
fn what_cannot_be_integrated_is_refused_with_the_reason() {
    let error = Solver::partitioned(&HamiltonianSystem::new(Weightless)).run(0.0, 1.0, &[0.0; 4]);
    assert!(
        matches!(&error, Err(Error::Start(StartError::Irregular { constraint })) if constraint == "level"),
        "{error:?}"
    );
    assert!(error.is_err_and(|error| error.to_string().contains("G H_pp G'")));
    let error = Solver::partitioned(&HamiltonianSystem::new(Twice)).run(0.0, 1.0, &START);
    assert!(
        matches!(&error, Err(Error::Start(StartError::Dependent { constraint })) if constraint == "again"),
        "{error:?}"
    );
    let system = relativistic();
    let error = Solver::partitioned(&system).run(0.0, 1.0, &START[..5]);
    assert!(matches!(error, Err(Error::Start(StartError::Length { found: 5, expected: 6, .. }))));
    let radau = taut::method::Method::radau();
    let error = Solver::partitioned(&system).method(radau).run(0.0, 1.0, &START);
    assert!(error.is_err_and(|error| error.to_string().contains("partitioned")));
    let reversible = Options { controller: Controller::Reversible, ..Options::default() };
    let error = Solver::partitioned(&system).options(reversible).run(0.0, 1.0, &START);
    assert!(error.is_err_and(|error| error.to_string().contains("reversible")));
}
