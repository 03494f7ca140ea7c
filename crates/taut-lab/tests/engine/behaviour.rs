//! What every method of the catalogue does, whatever its coefficients.

use std::panic::{AssertUnwindSafe, catch_unwind};

use taut::method::{Entry, Method, catalog};
use taut::motion::{Motion, Stop};
use taut::options::Options;
use taut::run::{Direction, Event, Observer, Output, Snapshot, View};
use taut::system::{Constraint, Differentiated, Mass, Mechanical, MechanicalSystem, Scalar};
use taut::{Error, Solver};

const TOLERANCE: f64 = 1e-6;
/// What two runs at this tolerance may differ by.
const CLOSE: f64 = 100.0 * TOLERANCE;

/// x'' = −x, from (0, 1) the motion is sin t; or a pendulum that a rod holds.
struct Tried {
    held: bool,
}

impl Mechanical for Tried {
    fn coordinates(&self) -> Vec<String> {
        if self.held { vec!["x".into(), "y".into()] } else { vec!["x".into()] }
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        if self.held { q[1] * 1.0 } else { q[0].square() * 0.5 }
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.held.then(|| Constraint::rod("rod")).into_iter().collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g.iter_mut().for_each(|g| *g = (q[0].square() + q[1].square() - 1.0) * 0.5);
    }
}

fn tried(held: bool) -> Differentiated<Tried> {
    Differentiated::new(Tried { held })
}

/// An equation and a start.
struct Trial {
    name: &'static str,
    system: Differentiated<Tried>,
    start: Vec<f64>,
}

/// Methods that refuse constraints of index 3.
const REFUSE_CONSTRAINTS: [&str; 6] =
    ["gauss", "lobatto-iiia", "lobatto-iiib", "lobatto-iiid", "sdirk", "esdirk"];

/// The equations a method is tried on.
fn trials(entry: &Entry) -> Vec<Trial> {
    let free = Trial { name: "oscillator", system: tried(false), start: vec![0.0, 1.0] };
    let held = Trial { name: "pendulum", system: tried(true), start: vec![1.0, 0.0, 0.0, 0.5] };
    let refused = Solver::mechanical(&held.system).method(entry.method()).run(0.0, 0.1, &held.start);
    match refused {
        Err(Error::Mismatch(_)) => {
            assert!(REFUSE_CONSTRAINTS.contains(&entry.name), "{} refuses constraints", entry.name);
            vec![free]
        }
        _ => {
            assert!(!REFUSE_CONSTRAINTS.contains(&entry.name), "{} permits constraints", entry.name);
            vec![free, held]
        }
    }
}

/// Checks every method on its equations, and names all that fail.
fn every(check: impl Fn(&str, &Method, &Trial)) {
    let mut failed = Vec::new();
    for entry in catalog() {
        for trial in trials(entry) {
            let label = format!("{} on the {}", entry.name, trial.name);
            let checked = catch_unwind(AssertUnwindSafe(|| check(&label, &entry.method(), &trial)));
            if checked.is_err() {
                failed.push(label);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

fn solver<'a>(trial: &'a Trial, method: &Method) -> Solver<'a> {
    let solver = Solver::mechanical(&trial.system).method(method.clone()).tolerance(TOLERANCE);
    // The first stage of Lobatto IIIA is the start, so that its embedded estimate vanishes.
    if method.name() == "lobatto-iiia" { solver.step(1.0 / 64.0) } else { solver }
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |d, (x, y)| d.max((x - y).abs()))
}

/// (q, v) of a motion.
fn state(motion: &Motion) -> Vec<f64> {
    [motion.q(), motion.v()].concat()
}

/// |g| and |G v| of a state vector of the pendulum.
fn residual(system: &dyn MechanicalSystem, t: f64, y: &[f64]) -> f64 {
    let n = system.structure().n();
    let mut rows = vec![0.0; system.structure().m()];
    system.constraint(t, &y[..n], &mut rows).unwrap();
    let position = rows.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    system.constraint_rate(t, &y[..n], &y[n..2 * n], &mut rows).unwrap();
    rows.iter().fold(position, |m, g| m.max(g.abs()))
}

/// Collects the lengths of steps and snapshots.
#[derive(Default)]
struct Diary {
    times: Vec<f64>,
    lengths: Vec<f64>,
    snapshots: Vec<Snapshot>,
}

impl Observer for Diary {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.times.push(view.t);
        self.lengths.push(view.h);
        true
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.snapshots.push(snapshot.clone());
    }
}

#[test]
fn the_end_is_reached_exactly_and_the_way_back_leads_to_the_start() {
    every(|label, method, trial| {
        let there = solver(trial, method).run(0.0, 2.7, &trial.start).unwrap();
        assert_eq!((there.t, &there.stop), (2.7, &Stop::End), "{label}");
        let back = solver(trial, method).run(2.7, 0.0, &state(&there)).unwrap();
        assert_eq!(back.t, 0.0, "{label}");
        let error = distance(&state(&back), &trial.start);
        println!("{label:30} there and back: {:.2} tol", error / TOLERANCE);
        assert!(error <= CLOSE, "{label}: {error:.1e} from the start");
    });
}

#[test]
fn the_oscillator_is_solved_to_the_tolerance() {
    every(|label, method, trial| {
        if trial.name != "oscillator" {
            return;
        }
        let motion = solver(trial, method).run(0.0, 10.0, &trial.start).unwrap();
        let error = distance(&motion.y, &[10.0_f64.sin(), 10.0_f64.cos()]);
        println!("{label:30} error {:.2} tol, {} steps", error / TOLERANCE, motion.statistics.accepted);
        assert!(error <= CLOSE, "{label}: {error:.1e}");
    });
}

#[test]
fn lobatto_iiia_controls_its_error() {
    let (system, method) = (tried(false), Method::named("lobatto-iiia").unwrap());
    let solver = Solver::mechanical(&system).method(method).tolerance(TOLERANCE);
    let motion = solver.run(0.0, 10.0, &[0.0, 1.0]).unwrap();
    let error = distance(&motion.y, &[10.0_f64.sin(), 10.0_f64.cos()]);
    assert!(error <= CLOSE, "{error:.1e} after {} steps", motion.statistics.accepted);
}

fn keeps_constraints(label: &str, method: &Method, trial: &Trial) {
    let motion =
        solver(trial, method).watch(true).output(Output::Steps).run(0.0, 20.0, &trial.start).unwrap();
    let [position, velocity, _] = motion.invariants.residuals;
    assert!(
        position <= 2.0 * f64::EPSILON && velocity <= 8.0 * f64::EPSILON,
        "{label}: {position:.1e}, {velocity:.1e}"
    );
    for (t, y) in motion.trajectory.iter() {
        let residual = residual(&trial.system, t, y);
        assert!(residual <= 8.0 * f64::EPSILON, "{label} at t = {t}: {residual:.1e}");
    }
}

#[test]
fn constraints_hold_to_rounding_after_every_step() {
    every(keeps_constraints);
}

#[test]
fn a_run_of_no_length_gives_the_start() {
    every(|label, method, trial| {
        let motion = solver(trial, method).run(1.5, 1.5, &trial.start).unwrap();
        assert_eq!((motion.t, state(&motion)), (1.5, trial.start.clone()), "{label}");
        assert_eq!(motion.statistics.steps, 0, "{label}");
    });
}

#[test]
fn dense_output_agrees_with_runs_that_end_there() {
    let times: Vec<f64> = (0..=27).map(|k| 0.1 * k as f64).collect();
    every(|label, method, trial| {
        let output = Output::Times(times.clone());
        let motion = solver(trial, method).output(output).run(0.0, 2.7, &trial.start).unwrap();
        assert_eq!(motion.trajectory.times(), times, "{label}");
        for (t, y) in motion.trajectory.iter() {
            let ended = solver(trial, method).run(0.0, t, &trial.start).unwrap();
            let error = distance(y, &ended.y);
            assert!(error <= CLOSE, "{label} at t = {t}: {error:.1e}");
            let residual = residual(&trial.system, t, y);
            assert!(residual <= 4.0 * f64::EPSILON, "{label} at t = {t}: residual {residual:.1e}");
        }
    });
}

#[test]
fn times_are_monotone_and_the_last_step_is_not_tiny() {
    every(|label, method, trial| {
        for until in [2.7, -2.7] {
            let mut diary = Diary::default();
            let motion = solver(trial, method)
                .output(Output::Steps)
                .run_with(0.0, until, &trial.start, &mut diary)
                .unwrap();
            let times = motion.trajectory.times();
            assert!(times.windows(2).all(|pair| (pair[1] - pair[0]) * until > 0.0), "{label}: {times:?}");
            assert_eq!((times[0], times[times.len() - 1]), (0.0, until), "{label}");
            assert_eq!(diary.times, &times[1..], "{label}");
            let lengths = &diary.lengths;
            let (last, before) = (lengths[lengths.len() - 1], lengths[lengths.len() - 2]);
            assert!(last.abs() >= 0.3 * before.abs(), "{label}: {before:.2e}, then {last:.2e}");
        }
    });
}

#[test]
fn constant_steps_are_constant() {
    every(|label, method, trial| {
        let mut diary = Diary::default();
        let motion = solver(trial, method).step(0.05).run_with(0.0, 2.0, &trial.start, &mut diary).unwrap();
        assert_eq!((motion.statistics.steps, motion.statistics.accepted), (40, 40), "{label}");
        for (k, t) in diary.times.iter().enumerate() {
            let expected = 0.05 * (k + 1) as f64;
            assert!((t - expected).abs() <= 2.0 * f64::EPSILON * expected, "{label}: step {k} ends at {t}");
        }
        let negative = solver(trial, method).step(0.05).run(0.0, -2.0, &trial.start).unwrap();
        assert_eq!((negative.t, negative.statistics.accepted), (-2.0, 40), "{label}");
        let uneven = solver(trial, method).step(0.3).run(0.0, 1.0, &trial.start).unwrap();
        assert_eq!((uneven.t, uneven.statistics.accepted), (1.0, 4), "{label}");
    });
}

/// Runs and counts crossings of the first coordinate through 0 and of cos 3t through 0.
fn watched<'a>(trial: &'a Trial, method: &Method) -> Solver<'a> {
    solver(trial, method)
        .event(Event::new("coordinate", |_t, y| y[0]))
        .event(Event::new("rising", |t, _y| (3.0 * t).cos()).direction(Direction::Rising))
        .event(Event::new("falling", |t, _y| (3.0 * t).cos()).direction(Direction::Falling))
}

#[test]
fn events_are_located_to_rounding() {
    use std::f64::consts::PI;
    every(|label, method, trial| {
        for until in [10.0, -10.0] {
            let motion = watched(trial, method).run(0.0, until, &trial.start).unwrap();
            let of = |name: &str| {
                motion.crossings.iter().filter(|c| c.event == name).map(|c| c.t).collect::<Vec<_>>()
            };
            // cos 3t changes its sign at (k + 1/2) π/3, k = 0 ... 9 before t = 10, first falling when time goes on.
            let zeros = |first: usize| {
                (first..=9).step_by(2).map(|k| (k as f64 + 0.5) * PI / 3.0).collect::<Vec<_>>()
            };
            for (found, expected) in [(of("falling"), zeros(0)), (of("rising"), zeros(1))] {
                assert_eq!(found.len(), expected.len(), "{label} to {until}: {found:?}");
                for (found, expected) in found.iter().zip(&expected) {
                    let error = (found.abs() - expected).abs();
                    assert!(error <= 8.0 * f64::EPSILON * expected, "{label}: {found} instead of {expected}");
                }
            }
            let order = motion.crossings.windows(2).all(|pair| (pair[1].t - pair[0].t) * until >= 0.0);
            assert!(order, "{label}: crossings are not in order");
            for crossing in motion.crossings.iter().filter(|crossing| crossing.event == "coordinate") {
                let value = crossing.y[0].abs();
                assert!(value <= 1e-3 * TOLERANCE, "{label}: x = {value:.1e} at the crossing");
                if trial.name == "oscillator" {
                    let error = (crossing.t.abs() / PI - (crossing.t.abs() / PI).round()).abs() * PI;
                    assert!(error <= CLOSE, "{label}: sin t crosses 0 at {}", crossing.t);
                }
            }
        }
    });
}

#[test]
fn terminal_events_end_the_run() {
    use std::f64::consts::PI;
    every(|label, method, trial| {
        let event = || Event::new("clock", |t: f64, _y: &[f64]| (3.0 * t).cos());
        let first = solver(trial, method).event(event().terminal()).run(0.0, 10.0, &trial.start).unwrap();
        assert_eq!(first.stop, Stop::Event("clock".into()), "{label}");
        assert!((first.t - PI / 6.0).abs() <= 1e-15, "{label}: {}", first.t);
        let there = solver(trial, method).run(0.0, first.t, &trial.start).unwrap();
        assert!(distance(&first.y, &there.y) <= CLOSE, "{label}");
        let third = solver(trial, method).event(event().ends_after(3)).output(Output::Steps);
        let third = third.run(0.0, 10.0, &trial.start).unwrap();
        assert!((third.t - 2.5 * PI / 3.0).abs() <= 4e-15, "{label}: {}", third.t);
        assert_eq!(third.crossings.len(), 3, "{label}");
        assert_eq!(third.trajectory.times().last(), Some(&third.t), "{label}");
    });
}

fn resumes(label: &str, method: &Method, trial: &Trial) {
    let mut diary = Diary::default();
    let whole =
        solver(trial, method).snapshot_every(3).run_with(0.0, 10.0, &trial.start, &mut diary).unwrap();
    assert!(diary.snapshots.len() >= 2, "{label}: {} snapshots", diary.snapshots.len());
    let few = diary.snapshots.len().div_ceil(5);
    for snapshot in diary.snapshots.iter().step_by(few) {
        let kept = Snapshot::from_entries(snapshot.entries().to_vec());
        let resumed = solver(trial, method).resume(kept).run(0.0, 10.0, &trial.start).unwrap();
        assert_eq!(resumed.y, whole.y, "{label}: bits differ after {:?}", snapshot.get("t"));
    }
}

#[test]
fn a_run_goes_on_from_a_snapshot_with_the_same_bits() {
    every(resumes);
}

#[test]
fn a_resumed_run_writes_the_rest_of_the_output() {
    let times: Vec<f64> = (0..=20).map(|k| 0.5 * k as f64).collect();
    every(|label, method, trial| {
        let with_output = || solver(trial, method).output(Output::Times(times.clone()));
        let mut diary = Diary::default();
        let whole = with_output().snapshot_every(3).run_with(0.0, 10.0, &trial.start, &mut diary).unwrap();
        let snapshot = diary.snapshots[1].clone();
        let [saved_at] = snapshot.numbers("t").unwrap();
        let resumed = with_output().resume(snapshot).run(0.0, 10.0, &trial.start).unwrap();
        let rest: Vec<(f64, &[f64])> = whole.trajectory.iter().filter(|(t, _)| *t > saved_at).collect();
        assert_eq!(resumed.trajectory.iter().collect::<Vec<_>>(), rest, "{label}, saved at {saved_at}");
    });
}

#[test]
fn runs_are_deterministic() {
    every(|label, method, trial| {
        let run = || watched(trial, method).output(Output::Steps).run(0.0, 5.0, &trial.start).unwrap();
        let (one, other) = (run(), run());
        assert_eq!(
            (one.y, one.trajectory, one.crossings),
            (other.y, other.trajectory, other.crossings),
            "{label}"
        );
        assert_eq!(one.statistics, other.statistics, "{label}");
    });
}

#[test]
fn statistics_are_consistent() {
    every(|label, method, trial| {
        let mut diary = Diary::default();
        let motion =
            solver(trial, method).output(Output::Steps).run_with(0.0, 5.0, &trial.start, &mut diary).unwrap();
        let count = motion.statistics;
        assert_eq!(count.steps, count.accepted + count.rejected(), "{label}");
        assert_eq!(count.accepted, diary.lengths.len(), "{label}");
        assert_eq!(motion.trajectory.len(), count.accepted + 1, "{label}");
        assert!(count.rhs >= count.accepted, "{label}");
        let newton = !matches!(motion.method, "dopri5" | "dopri8" | "adams" | "taylor");
        assert_eq!(count.newton_iterations > 0, newton, "{label}");
        assert_eq!(count.jacobians > 0, newton, "{label}");
        // SPARK methods end on the constraints by themselves.
        let projected = trial.system.structure().m() > 0 && !matches!(motion.method, "spark" | "rattle");
        assert_eq!(count.projections >= count.accepted, projected, "{label}: {count:?}");
        let limits =
            Options { rtol: TOLERANCE, atol: TOLERANCE, largest_step: Some(0.05), ..Options::default() };
        let mut diary = Diary::default();
        solver(trial, method).options(limits).run_with(0.0, 1.0, &trial.start, &mut diary).unwrap();
        let longest = diary.lengths.iter().fold(0.0_f64, |longest, h| longest.max(*h));
        assert!(longest <= 0.05 * 1.05, "{label}: a step of {longest}");
    });
}

#[test]
fn output_between_steps_does_not_change_what_is_watched() {
    every(|label, method, trial| {
        let run = |output: Output| {
            solver(trial, method).watch(true).output(output).run(0.0, 3.0, &trial.start).unwrap()
        };
        let (bare, sampled) =
            (run(Output::End), run(Output::Times((1..30).map(|k| 0.1 * k as f64).collect())));
        assert_eq!(bare.invariants, sampled.invariants, "{label}");
        assert_eq!(bare.y, sampled.y, "{label}");
    });
}
