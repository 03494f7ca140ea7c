//! Singular mass matrices through the augmented system (13) of Jay 1998.

use crate::spark_common::{distance, run, spark};
use taut::Solver;
use taut::system::{Augmented, Differentiated, Scalar, Sketch};

/// A coordinate z without mass that a rod ties to x and y: M = diag(1, 1, 0), z = x y.
fn tied() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .potential(|q| q[0].square() * 0.5 + q[1].square() + q[2].square() * 0.3)
        .rod("tie", |_t, q| q[2] - q[0] * q[1]);
    Differentiated::new(sketch)
}

/// The same motion in x and y alone.
fn free() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .potential(|q| q[0].square() * 0.5 + q[1].square() + (q[0] * q[1]).square() * 0.3);
    Differentiated::new(sketch)
}

/// Orders 2s − 2 in positions and velocities, the augmentation vanishes, energy does not drift.
#[test]
fn the_augmented_system_moves_like_the_given_one() {
    let (tied, free) = (tied(), free());
    let exact = run(&Solver::mechanical(&free).tolerance(1e-13), 0.0, 2.0, &[1.0, 0.5, 0.2, -0.4]);
    let augmented = Augmented::new(&tied);
    let start = augmented.state(&[1.0, 0.5, 0.5, 0.2, -0.4, -0.3]);
    for (stages, h) in [(2, 0.02), (3, 0.1), (4, 0.2)] {
        let errors = [h, h / 2.0, h / 4.0].map(|h| {
            let solver = Solver::mechanical(&augmented).method(spark(stages)).step(h);
            let motion = run(&solver, 0.0, 2.0, &start);
            assert!(motion.q()[3].abs() < 1e-14 && motion.v()[3].abs() < 1e-13, "{:?}", motion.y);
            distance(&motion.q()[..2], exact.q()).max(distance(&motion.v()[..2], exact.v()))
        });
        let order = 2.0 * stages as f64 - 2.0;
        for two in errors.windows(2) {
            assert!(((two[0] / two[1]).log2() - order).abs() < 0.25, "{stages} stages: {errors:?}");
        }
    }
    let solver = Solver::mechanical(&augmented).method(spark(3)).step(0.1).watch(true);
    let [short, long] = [10.0, 50.0].map(|until| run(&solver, 0.0, until, &start).invariants);
    assert!(
        long.energy_error < 1.5 * short.energy_error,
        "{:.1e} {:.1e}",
        short.energy_error,
        long.energy_error
    );
    assert!(long.residuals[0] < 1e-14 && long.residuals[1] < 1e-13, "{:?}", long.residuals);
}
