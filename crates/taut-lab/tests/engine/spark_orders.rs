//! SPARK methods converge with order 2s − 2 in positions, velocities and multipliers (Jay 1998, section 8).

use crate::spark_common::{SWINGING, distance, errors, pendulum, run, spark};
use taut::Solver;
use taut::options::{Multipliers, Options};
use taut::system::{Differentiated, ForceClass, MechanicalSystem, Scalar, Sketch};

/// One step from rest against values of an independent computation with many more digits.
#[test]
fn one_step_of_the_pendulum_has_the_known_values() {
    let known = [
        (2, [0.999_987_499_921_874, -0.005], [-0.000_499_996_874_980_468_5, -0.099_998_124_996_093_7]),
        (
            3,
            [0.999_987_500_013_020_7, -0.004_999_981_770_865_546],
            [-0.000_499_996_875_009_901_2, -0.099_998_489_588_277_15],
        ),
    ];
    let pendulum = pendulum();
    for (stages, q, v) in known {
        let solver = Solver::mechanical(&pendulum).method(spark(stages)).step(0.1);
        let motion = run(&solver, 0.0, 0.1, &[1.0, 0.0, 0.0, 0.0]);
        assert!(distance(motion.q(), &q) < 4e-16, "{stages} stages: q = {:?}", motion.q());
        assert!(distance(motion.v(), &v) < 4e-16, "{stages} stages: v = {:?}", motion.v());
    }
}

/// The sizes of the errors, not only their orders, are those of an independent computation.
#[test]
fn errors_of_the_pendulum_have_the_known_sizes() {
    let pendulum = pendulum();
    let exact = run(&Solver::mechanical(&pendulum).tolerance(1e-13), 0.0, 2.0, &SWINGING);
    for (stages, h, q, v) in [(3, 0.1, 3.06e-7, 2.89e-7), (4, 1.0 / 12.0, 1.46e-11, 1.21e-11)] {
        let motion = run(&Solver::mechanical(&pendulum).method(spark(stages)).step(h), 0.0, 2.0, &SWINGING);
        let [error_q, error_v, _] = errors(&motion, &exact);
        assert!((error_q / q - 1.0).abs() < 0.01, "{stages} stages: error of q {error_q:.3e}");
        assert!((error_v / v - 1.0).abs() < 0.01, "{stages} stages: error of v {error_v:.3e}");
    }
}

/// The exponents of the errors of q, v and λ between n and 2n steps.
fn exponents(
    system: &dyn MechanicalSystem,
    stages: usize,
    steps: usize,
    until: f64,
    start: &[f64],
) -> [f64; 3] {
    let exact = run(&Solver::mechanical(system).tolerance(1e-13), 0.0, until, start);
    let [coarse, fine] = [steps, 2 * steps].map(|steps| {
        let solver = Solver::mechanical(system).method(spark(stages)).step(until / steps as f64);
        errors(&run(&solver, 0.0, until, start), &exact)
    });
    std::array::from_fn(|k| (coarse[k] / fine[k]).log2())
}

fn assert_order(measured: [f64; 3], expected: f64, what: &str) {
    for (exponent, component) in measured.iter().zip(["q", "v", "lambda"]) {
        assert!((exponent - expected).abs() < 0.1, "{what}: {component} has order {exponent:.2}");
    }
}

/// A skate on a slope: it moves where it points to and is turned by a motor.
fn skate() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "angle"])
        .potential(|q| q[0])
        .force(ForceClass::Driving, 2, |t, _q, _v| t.sin())
        .nonholonomic_rod("edge", |_t, q, v| q[2].sin() * v[0] - q[2].cos() * v[1]);
    Differentiated::new(sketch)
}

/// A point on a sphere with M(q) that must also keep a relation of its velocities.
fn guided_point() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| (v[0].square() * (q[1].square() + 1.0) + v[1].square() + v[2].square() * 2.0) * 0.5)
        .potential(|q| (q[0].square() + q[1].square() * 2.0 + q[2].square() * 3.0) * 0.5)
        .rod("sphere", |_t, q| q[0].square() + q[1].square() + q[2].square() - 1.0)
        .nonholonomic_rod("guide", |_t, q, v| v[2] - q[1] * v[0]);
    Differentiated::new(sketch)
}

/// Nonholonomic constraints (Jay 1998, section 6.1), alone and together with rods.
#[test]
fn nonholonomic_systems_converge_with_order_2s_minus_2() {
    let (skate, point) = (skate(), guided_point());
    let (sin, cos) = 0.3_f64.sin_cos();
    let cases: [(&dyn MechanicalSystem, [f64; 6]); 2] =
        [(&skate, [0.0, 0.0, 0.3, cos, sin, 1.0]), (&point, [0.6, 0.48, 0.64, 0.3, -0.567, 0.144])];
    for (system, start) in cases {
        for (stages, steps) in [(2, 100), (3, 32), (4, 16)] {
            let measured = exponents(system, stages, steps, 2.0, &start);
            assert_order(measured, 2.0 * stages as f64 - 2.0, &format!("{stages} stages"));
            let solver = Solver::mechanical(system).method(spark(stages)).step(0.1).watch(true);
            let [position, velocity, _] = run(&solver, 0.0, 1.0, &start).invariants.residuals;
            assert!(position < 1e-15 && velocity < 1e-15, "|g| = {position:.1e}, |h| = {velocity:.1e}");
        }
    }
}

/// λ₁ := Λ_s instead of (17h) has order s − 1, and leaves positions and velocities as they are.
#[test]
fn multipliers_of_the_last_stage_have_order_s_minus_1() {
    let pendulum = pendulum();
    let exact = run(&Solver::mechanical(&pendulum).tolerance(1e-13), 0.0, 2.0, &SWINGING);
    let from_stages = Options { multipliers: Multipliers::FromStages, ..Options::default() };
    for stages in [3, 4] {
        let [coarse, fine] = [40.0, 80.0].map(|steps| {
            let solver = Solver::mechanical(&pendulum).method(spark(stages));
            let usual = run(&solver.step(2.0 / steps), 0.0, 2.0, &SWINGING);
            let solver = Solver::mechanical(&pendulum).options(from_stages.clone()).method(spark(stages));
            let motion = run(&solver.step(2.0 / steps), 0.0, 2.0, &SWINGING);
            assert!(distance(motion.q(), usual.q()) < 1e-14 && distance(motion.v(), usual.v()) < 1e-14);
            distance(motion.lambda(), exact.lambda())
        });
        let order = (coarse / fine).log2();
        assert!((order - (stages as f64 - 1.0)).abs() < 0.15, "{stages} stages: order {order:.2}");
    }
}
