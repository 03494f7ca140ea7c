//! Singular configurations: passed, begun in, named; and what is refused there.

use taut::method::Method;
use taut::options::Options;
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
