//! What SPARK methods preserve: constraints, symmetry, the symplectic form, energy, momentum (Jay 1998, section 6).

use crate::spark_common::{SWINGING, distance, pendulum, run, spark};
use taut::Solver;
use taut::method::{Method, Shares};
use taut::motion::Motion;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Differentiated, MechanicalSystem, Scalar, Sketch};
use taut_tableau::Lobatto;

/// A point on a sphere with a mass matrix that depends on the position: two degrees of freedom, M(q).
fn heavy_point_on_a_sphere() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| {
            let square = v[0].square() * (q[1].square() + 1.0) + v[1].square() * (q[2].sin() * 0.5 + 2.0);
            (square + v[2].square() * (q[0] * q[1] + 1.5) + v[0] * v[2] * q[1] * 0.6) * 0.5
        })
        .potential(|q| q[2] + q[0] * q[1] * 0.5)
        .rod("sphere", |_t, q| q[0].square() + q[1].square() + q[2].square() - 1.0);
    Differentiated::new(sketch)
}

const ON_THE_SPHERE: [f64; 6] = [0.6, 0.48, 0.64, 0.5, -0.3, -0.24375];

fn state(motion: &Motion) -> Vec<f64> {
    [motion.q(), motion.v()].concat()
}

fn squeezer_start() -> (taut_problems::Problem, Vec<f64>) {
    let problem = taut_problems::find("andrews/ramp_down").unwrap();
    let start = problem.start.state.motion().unwrap();
    let start = [start.q.as_slice(), &start.v].concat();
    (problem, start)
}

/// Φ₋ₕ Φₕ is the identity: some steps forth and back lead to the start, to rounding.
#[test]
fn steps_forth_and_back_lead_to_the_start() {
    let (pendulum, sphere) = (pendulum(), heavy_point_on_a_sphere());
    let guided = Sketch::new(["x", "y", "z"])
        .potential(|q| q[0] * q[1] + q[2])
        .nonholonomic_rod("guide", |_t, q, v| v[2] - q[1] * v[0]);
    let guided = Differentiated::new(guided);
    let cases: [(&dyn MechanicalSystem, &[f64]); 3] =
        [(&pendulum, &SWINGING), (&sphere, &ON_THE_SPHERE), (&guided, &[0.6, 0.5, 0.6, 0.5, -0.3, 0.25])];
    for (system, start) in cases {
        for stages in 2..=6 {
            let solver = Solver::mechanical(system).method(spark(stages)).step(0.1);
            let there = run(&solver, 0.0, 0.3, start);
            let back = run(&solver, 0.3, 0.0, &state(&there));
            let consistent = back.start.as_ref().map(|start| start.moved);
            assert!(
                consistent.is_some_and(|(q, v)| q < 1e-14 && v < 1e-14),
                "the steps left the constraints"
            );
            let error = distance(&state(&back), start);
            assert!(error < 2e-14, "{stages} stages: {error:.2e}");
        }
    }
}

/// Reversing the velocities reverses the motion.
#[test]
fn the_reversed_motion_leads_to_the_start() {
    let sphere = heavy_point_on_a_sphere();
    let reversed = |y: &[f64]| [&y[..3], &y[3..].iter().map(|v| -v).collect::<Vec<_>>()].concat();
    for stages in 2..=5 {
        let solver = Solver::mechanical(&sphere).method(spark(stages)).step(0.1);
        let there = run(&solver, 0.0, 0.3, &ON_THE_SPHERE);
        let back = run(&solver, 0.0, 0.3, &reversed(&state(&there)));
        let error = distance(&reversed(&state(&back)), &ON_THE_SPHERE);
        assert!(error < 2e-14, "{stages} stages: {error:.2e}");
    }
}

/// M(q) v
fn momentum(system: &dyn MechanicalSystem, q: &[f64], v: &[f64]) -> Vec<f64> {
    let pattern = &system.structure().mass;
    let (mut mass, mut p) = (vec![0.0; pattern.nnz()], vec![0.0; q.len()]);
    system.mass(q, &mut mass).unwrap();
    pattern.multiply_add(&mass, v, &mut p, 1.0);
    p
}

/// The derivatives of (q, M v) at the start and at the end of a step along a direction of starts, by differences of
/// order 4. The starts are moved onto the constraints, so that they lie on a curve there.
fn derivatives(
    solver: &Solver<'_>,
    system: &dyn MechanicalSystem,
    start: &[f64],
    direction: &[f64],
    h: f64,
) -> [Vec<f64>; 2] {
    const SHIFT: f64 = 1e-3;
    let n = start.len() / 2;
    let mut sums = [vec![0.0; 2 * n], vec![0.0; 2 * n]];
    for (steps, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
        let shifted: Vec<f64> = start.iter().zip(direction).map(|(y, d)| y + steps * SHIFT * d).collect();
        let motion = run(solver, 0.0, h, &shifted);
        let begin = motion.start.as_ref().unwrap();
        for (sum, (q, v)) in
            sums.iter_mut().zip([(begin.q.as_slice(), begin.v.as_slice()), (motion.q(), motion.v())])
        {
            let phase = [q, &momentum(system, q, v)].concat();
            sum.iter_mut().zip(&phase).for_each(|(sum, x)| *sum += weight * x / (12.0 * SHIFT));
        }
    }
    sums
}

/// The largest change of dq ∧ d(M v) in one step over pairs of directions.
fn symplectic_defect(solver: &Solver<'_>, system: &dyn MechanicalSystem, start: &[f64], h: f64) -> f64 {
    let n = start.len() / 2;
    let directions: Vec<_> = (0..2 * n)
        .map(|k| {
            let direction: Vec<f64> = (0..2 * n).map(|i| if i == k { 1.0 } else { 0.1 * i as f64 }).collect();
            derivatives(solver, system, start, &direction, h)
        })
        .collect();
    let form = |a: &[f64], b: &[f64]| (0..n).map(|i| a[i] * b[n + i] - b[i] * a[n + i]).sum::<f64>();
    let mut defect: f64 = 0.0;
    for one in &directions {
        for other in &directions {
            defect = defect.max((form(&one[1], &other[1]) - form(&one[0], &other[0])).abs());
        }
    }
    defect
}

/// Lobatto IIIA with IIIB is symplectic in (q, v), also where M depends on q; IIIA with IIIC or IIID is not.
#[test]
fn iiia_with_iiib_is_symplectic_and_others_are_not() {
    let (sphere, h) = (heavy_point_on_a_sphere(), 0.2);
    for stages in 2..=4 {
        let solver = Solver::mechanical(&sphere).method(spark(stages)).step(h);
        let defect = symplectic_defect(&solver, &sphere, &ON_THE_SPHERE, h);
        assert!(defect < 1e-11, "{stages} stages: {defect:.2e}");
    }
    for other in [Lobatto::C, Lobatto::D] {
        let mut options = Options::default();
        options.spark.conservative = Shares::only(other);
        options.spark.reactions = Shares::only(other);
        let solver = Solver::mechanical(&sphere).options(options).method(spark(3)).step(h);
        let defect = symplectic_defect(&solver, &sphere, &ON_THE_SPHERE, h);
        assert!(defect > 1e-8, "{other:?}: {defect:.2e}");
    }
}

/// Figure 1 of Jay 1998: the squeezer swings freely after t = 0.02; its energy oscillates around a constant.
#[test]
fn the_energy_of_the_squeezer_stays_in_a_band() {
    let (problem, start) = squeezer_start();
    let system = problem.system.mechanism().unwrap();
    let solver = Solver::mechanical(system).method(spark(3)).step(5e-5).breaks(&problem.kinks);
    let motion = run(&solver.output(Output::Steps).watch(true), 0.0, 0.1, &start);
    let [position, velocity, _] = motion.invariants.residuals;
    assert!(position <= 1e-15 && velocity <= 1e-13, "|g| = {position:.1e}, |G v| = {velocity:.1e}");
    let free = motion.trajectory.iter().filter(|(t, _)| *t >= 0.02 - 1e-9);
    let energies: Vec<f64> =
        free.map(|(t, y)| system.energy(t, &y[..7], &y[7..14]).unwrap().total()).collect();
    let errors: Vec<f64> = energies.iter().map(|energy| energy - energies[0]).collect();
    let least = errors.iter().copied().fold(0.0, f64::min);
    let largest = errors.iter().copied().fold(0.0, f64::max);
    assert!((-5.9e-9..-5.7e-9).contains(&least), "least error {least:.3e}");
    assert!((7.1e-9..7.3e-9).contains(&largest), "largest error {largest:.3e}");
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let (first, second) = errors.split_at(errors.len() / 2);
    assert!((mean(first) - mean(second)).abs() < 5e-10, "the energy drifts");
}

/// Ten thousand steps of a pendulum: no drift of the energy, nor off the constraints.
#[test]
fn the_energy_of_the_pendulum_does_not_drift() {
    let pendulum = pendulum();
    for (stages, band) in [(2, 1e-3), (3, 3e-7), (4, 6e-11)] {
        let solver = Solver::mechanical(&pendulum).method(spark(stages)).step(0.1).watch(true);
        let [short, long] = [100.0, 1000.0].map(|until| run(&solver, 0.0, until, &SWINGING).invariants);
        assert!(short.energy_error < band, "{stages} stages: {:.2e}", short.energy_error);
        assert!(long.energy_error < 1.05 * short.energy_error, "{stages} stages: {:.2e}", long.energy_error);
        assert!(long.residuals[0] < 1e-15 && long.residuals[1] < 1e-15, "{:?}", long.residuals);
    }
}

/// Two masses on a rod without gravity: qᵀS M v with S antisymmetric, the angular momentum, is kept to rounding.
#[test]
fn angular_momentum_is_kept() {
    let dumbbell = Sketch::new(["x1", "y1", "x2", "y2"])
        .kinetic(|_q, v| (v[0].square() + v[1].square() + (v[2].square() + v[3].square()) * 3.0) * 0.5)
        .potential(|q| (q[0].square() + q[1].square() + 1.0).sqrt())
        .rod("rod", |_t, q| (q[2] - q[0]).square() + (q[3] - q[1]).square() - 1.0);
    let dumbbell = Differentiated::new(dumbbell);
    let momentum = |q: &[f64], v: &[f64]| q[0] * v[1] - q[1] * v[0] + 3.0 * (q[2] * v[3] - q[3] * v[2]);
    let start = [0.5, 0.2, 0.5, 1.2, 0.3, 0.4, -0.6, 0.4];
    for stages in 2..=4 {
        let motion = run(&Solver::mechanical(&dumbbell).method(spark(stages)).step(0.1), 0.0, 20.0, &start);
        let error = momentum(motion.q(), motion.v()) - momentum(&start[..4], &start[4..]);
        assert!(error.abs() < 2e-14, "{stages} stages: {error:.2e}");
    }
}

/// RATTLE is the SPARK method with two stages when all forces are conservative.
#[test]
fn rattle_is_spark_with_two_stages() {
    let sphere = heavy_point_on_a_sphere();
    let rattle = Solver::mechanical(&sphere).method(Method::named("rattle").unwrap()).step(0.05);
    let two_stages = Solver::mechanical(&sphere).method(spark(2)).step(0.05);
    let [one, other] = [rattle, two_stages].map(|solver| run(&solver, 0.0, 1.0, &ON_THE_SPHERE));
    assert_eq!((one.method, one.stages), ("rattle", 2));
    assert!(distance(&one.y, &other.y) < 1e-14);
}
