//! Singular configurations: passed, begun in, named; and what is refused there.

use taut::method::Method;
use taut::options::Options;
use taut::run::{Observer, RunError, Snapshot};
use taut::start::StartError;
use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar, Sketch};
use taut::{Error, Solver};
use taut_problems::mechanics::{FourBars, Parallelogram, four_bars};

/// Two unit masses on cranks of length 1 about (0, 0) and (2, 0), and a coupler of length 2 between them.
fn parallelogram() -> Differentiated<Parallelogram> {
    Differentiated::new(Parallelogram { force: 0.5 })
}

/// The angle of the crank, which is a pendulum with twice its mass.
fn angle(start: f64, rate: f64, until: f64) -> f64 {
    let pendulum = Differentiated::new(
        Sketch::new(["a"]).kinetic(|_q, v| v[0].square()).potential(|q| q[0].sin() * 0.5),
    );
    Solver::mechanical(&pendulum).tolerance(1e-13).run(0.0, until, &[start, rate]).unwrap().q()[0]
}

#[test]
fn a_motion_from_a_dead_point_keeps_to_the_branch_of_its_velocities() {
    let system = parallelogram();
    let exact = angle(0.0, 2.0, 3.0);
    for name in ["auto", "radau", "bdf", "spark", "adams"] {
        for (tolerance, allowed) in [(1e-4, 1e-2), (1e-8, 1e-6)] {
            let solver = Solver::mechanical(&system).method(Method::named(name).unwrap());
            let solver = solver.tolerance(tolerance).watch(true);
            let motion = solver.run(0.0, 3.0, &[1.0, 0.0, 3.0, 0.0, 0.0, 2.0, 0.0, 2.0]).unwrap();
            let error = (motion.q()[0] - exact.cos()).abs().max((motion.q()[3] - exact.sin()).abs());
            assert!(error < allowed, "{name} at {tolerance:e}: {error:.1e}");
            assert!(motion.invariants.residuals[0] < 1e-13, "{name}: {:?}", motion.invariants);
            let first = &motion.redundant[0];
            assert_eq!((first.name.as_str(), first.from, first.to), ("coupler", 0.0, 0.0), "{name}");
        }
    }
}

#[test]
fn beside_a_dead_point_it_is_no_other_motion() {
    let system = parallelogram();
    for off in [1e-9, 1e-7, 1e-5, 1e-3] {
        let (sine, cosine) = f64::sin_cos(off);
        let start = [cosine, sine, 2.0 + cosine, sine, -2.0 * sine, 2.0 * cosine, -2.0 * sine, 2.0 * cosine];
        let motion = Solver::mechanical(&system).tolerance(1e-8).run(0.0, 3.0, &start).unwrap();
        let exact = angle(off, 2.0, 3.0);
        let error = (motion.q()[0] - exact.cos()).abs().max((motion.q()[3] - exact.sin()).abs());
        assert!(error < 1e-6, "{off:e} off: {error:.1e}");
    }
}

#[test]
fn at_rest_on_a_dead_point_nothing_chooses_a_motion() {
    let system = parallelogram();
    let refused = Solver::mechanical(&system).run(0.0, 1.0, &[1.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let Err(Error::Start(StartError::DeadPoint { constraints })) = refused else { panic!("{refused:?}") };
    assert_eq!(constraints, ["coupler"]);
}

/// A step of another length meets the same configuration: what helps is steps that cross it.
#[test]
fn constant_steps_say_which_constraints_depend_on_each_other() {
    let system = parallelogram();
    for (name, h) in [("rattle", 1e-3), ("rattle", 1e-4), ("spark", 1e-3), ("radau", 1e-3), ("radau", 1e-2)] {
        let solver = Solver::mechanical(&system).method(Method::named(name).unwrap()).step(h);
        let stopped = solver.run(0.0, 3.0, &[1.0, 0.0, 3.0, 0.0, 0.0, 2.0, 0.0, 2.0]);
        let Err(Error::Stopped { reason, motion }) = stopped else { panic!("{name}: {stopped:?}") };
        let RunError::ConstantStepAtSingularity { at, constraints, .. } = &reason else {
            panic!("{name}: {reason}")
        };
        // 1.638...: the next configuration in line.
        let singular = if motion.t < 0.1 { 0.0 } else { 1.638 };
        assert!((motion.t - at).abs() < 0.01 && (at - singular).abs() < 1e-3, "{name} with {h}: {reason}");
        assert_eq!(constraints.len(), 1, "{name} with {h}: {reason}");
        let (said, advice) = (reason.to_string(), reason.advice());
        assert!(said.contains("depends on the other constraints"), "{said}");
        assert!(advice.contains("shorter step does not help") && advice.contains("auto"), "{advice}");
    }
}

#[test]
fn rates_that_leave_the_constraints_at_once_are_refused() {
    // Crank and coupler in line, the rocker as long as both: unequal rates have no motion.
    let sketch = Sketch::new(["x1", "y1", "x2", "y2"])
        .rod("crank", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5)
        .rod("coupler", |_t, q| ((q[2] - q[0]).square() + (q[3] - q[1]).square() - 4.0) * 0.5)
        .rod("rocker", |_t, q| (q[2].square() + q[3].square() - 9.0) * 0.5);
    let system = Differentiated::new(sketch);
    let refused = Solver::mechanical(&system).run(0.0, 1.0, &[1.0, 0.0, 3.0, 0.0, 0.0, 1.0, 0.0, -1.0]);
    assert!(matches!(refused, Err(Error::Start(StartError::NoMotion { .. }))), "{refused:?}");
}

#[test]
fn rows_of_four_bars_pass_their_singular_configurations() {
    for (linkages, tolerances) in [(2, [1e-3, 1e-6, 1e-9, 1e-10].as_slice()), (10, &[1e-4, 1e-8])] {
        let problem = four_bars(linkages).unwrap();
        let (start, end) =
            (problem.start.state.motion().unwrap(), problem.references[0].state.motion().unwrap());
        let system = problem.system.mechanism().unwrap();
        for name in ["auto", "radau"] {
            for &tolerance in tolerances {
                let options =
                    Options { rtol: tolerance, atol: tolerance, most_steps: 2000, ..Options::default() };
                let solver = Solver::mechanical(system).method(Method::named(name).unwrap()).options(options);
                let motion = solver.watch(true).run(0.0, 10.0, &[&start.q[..], &start.v].concat()).unwrap();
                let error =
                    motion.q().iter().zip(&end.q).fold(0.0, |most: f64, (q, end)| most.max((q - end).abs()));
                let label = format!("{linkages} linkages, {name} at {tolerance:e}");
                assert!(error < 50.0 * tolerance, "{label}: {error:.1e}");
                assert!(motion.invariants.residuals[0] < 1e-13, "{label}: {:?}", motion.invariants);
                let allowed = 50.0 * tolerance * (1.0 + linkages as f64);
                assert!(motion.invariants.energy_error < allowed, "{label}: {:?}", motion.invariants);
            }
        }
    }
}

/// Parallelograms in a row whose bars are springs: in line, a combination of them is soft.
struct Springy {
    bars: FourBars,
    compliance: f64,
}

impl Mechanical for Springy {
    fn coordinates(&self) -> Vec<String> {
        self.bars.coordinates()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        self.bars.mass(q, mass);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.bars.potential(q)
    }
    fn constraints(&self) -> Vec<Constraint> {
        let rods = self.bars.constraints().into_iter();
        rods.map(|rod| Constraint::spring(rod.name, self.compliance)).collect()
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        self.bars.constraint(t, q, g);
    }
}

#[test]
fn springs_that_become_soft_together_are_named() {
    let start: Vec<f64> = (0..3).flat_map(|i| [f64::from(i), 1.0]).chain([1.0, 0.0].repeat(3)).collect();
    for (compliance, tolerance) in [(1e-10, 1e-9), (1e-10, 1e-6), (1e-10, 1e-4), (1e-8, 1e-6)] {
        let bars = FourBars { linkages: 2, gravity: 9.81 };
        let system = Differentiated::new(Springy { bars, compliance });
        let options = Options { rtol: tolerance, atol: tolerance, most_steps: 5000, ..Options::default() };
        let solver = Solver::mechanical(&system).method(Method::radau()).options(options);
        let stopped = solver.watch(true).run(0.0, 10.0, &start);
        let Err(Error::Stopped { motion, reason }) = stopped else { panic!("{compliance:e}: {stopped:?}") };
        assert!(reason.to_string().contains("is not in smooth motion"), "{compliance:e}: {reason}");
        assert!(motion.t > 0.6 && motion.t < 0.75, "{compliance:e}: {}", motion.t);
        let error = motion.invariants.energy_error;
        assert!(error < 100.0 * tolerance, "{compliance:e}: the energy is off by {error:.1e}");
    }
}

/// A point on a circle whose angle is a coordinate of its own: one of three constraints follows from the two others, and each two
/// of them depend on each other somewhere.
fn circle() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "phi"])
        .kinetic(|_q, v| (v[0].square() + v[1].square() + v[2].square() * 0.1) * 0.5)
        .potential(|q| q[1] * 0.1)
        .rod("circle", |_t, q| q[0].square() + q[1].square() - 1.0)
        .rod("cosine", |_t, q| q[0] - q[2].cos())
        .rod("sine", |_t, q| q[1] - q[2].sin());
    Differentiated::new(sketch)
}

const ON_CIRCLE: [f64; 6] = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0];

#[test]
fn other_constraints_are_left_out_along_the_motion() {
    let pendulum = Differentiated::new(
        Sketch::new(["phi"]).kinetic(|_q, v| v[0].square() * 0.55).potential(|q| q[0].sin() * 0.1),
    );
    let exact = Solver::mechanical(&pendulum).tolerance(1e-13).run(0.0, 10.0, &[0.0, 1.0]).unwrap().q()[0];
    let system = circle();
    for name in ["auto", "dopri8", "radau", "bdf", "spark", "adams"] {
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let solver = Solver::mechanical(&system).method(Method::named(name).unwrap());
            let motion = solver.tolerance(tolerance).watch(true).run(0.0, 10.0, &ON_CIRCLE).unwrap();
            let error = (motion.q()[2] - exact).abs() / (tolerance * (1.0 + exact));
            assert!(error < 3.0, "{name} at {tolerance:e}: {error:.1} tolerances");
            let [position, velocity, _] = motion.invariants.residuals;
            assert!(position < 2e-14 && velocity < 2e-13, "{name} at {tolerance:e}: {:?}", motion.invariants);
        }
    }
    let motion = Solver::mechanical(&system).tolerance(1e-8).run(0.0, 10.0, &ON_CIRCLE).unwrap();
    let spans = &motion.redundant;
    assert!(spans.len() > 3, "{spans:?}");
    assert_eq!((spans[0].from, spans[spans.len() - 1].to), (0.0, 10.0), "{spans:?}");
    for pair in spans.windows(2) {
        assert!(pair[0].to == pair[1].from && pair[0].name != pair[1].name, "{spans:?}");
    }
}

/// Keeps snapshots.
#[derive(Default)]
struct Snapshots(Vec<Snapshot>);

impl Observer for Snapshots {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.push(snapshot.clone());
    }
}

#[test]
fn a_run_goes_on_with_the_constraints_that_were_chosen_last() {
    let system = circle();
    for (name, every) in [("auto", 1), ("radau", 5), ("bdf", 100)] {
        let solver = || Solver::mechanical(&system).method(Method::named(name).unwrap()).tolerance(1e-8);
        let mut kept = Snapshots::default();
        let whole = solver().snapshot_every(every).run_with(0.0, 10.0, &ON_CIRCLE, &mut kept).unwrap();
        assert!(kept.0.len() > 4, "{name}");
        for snapshot in kept.0 {
            let further = solver().resume(snapshot).run(0.0, 10.0, &ON_CIRCLE).unwrap();
            assert_eq!(further.y, whole.y, "{name}");
            assert_eq!(further.statistics.steps, whole.statistics.steps, "{name}");
        }
    }
}
