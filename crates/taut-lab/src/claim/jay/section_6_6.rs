//! Section 6.6: momentum and quadratic invariants.

use taut::Solver;
use taut::run::Output;
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Paper};
use super::convergence::spark;
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-6.6",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B keeps quadratic invariants y'SM(y)z, such as angular momentum, exactly, and quadratic weak \
                invariants y'Ty as well.",
    claimed: "kept to rounding",
    correction: Some(
        "Printed: weak invariants y'Ty are kept by all Lobatto IIIA-B methods. Measured on a point that a force depending \
         on velocities keeps on the unit circle, this holds for s = 2; for s > 2 they are kept when they are a \
         constraint that the method enforces.",
    ),
    fast: true,
    source: file!(),
    experiment,
};

const ROUNDING: f64 = 1e-13;

/// Two masses on a rod, held to the origin by a central force.
fn dumbbell() -> Sketch {
    Sketch::new(["x1", "y1", "x2", "y2"])
        .kinetic(|_q, v| (v[0].square() + v[1].square() + (v[2].square() + v[3].square()) * 3.0) * 0.5)
        .potential(|q| (q[0].square() + q[1].square() + 1.0).sqrt())
        .rod("rod", |_t, q| (q[2] - q[0]).square() + (q[3] - q[1]).square() - 1.0)
}

/// Forces -|v|² q, and others along the circle, so that its speed changes: q q = 1 and q v = 0 are kept once they hold,
/// and only then, since (q v)' = |v|² (1 - q q).
fn kept_on_a_circle() -> Sketch {
    Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .force(ForceClass::Conservative, 0, |_t, q, v| {
            let pull = v[0].square() + v[1].square();
            -(q[0] * pull) - q[0] * q[1] * 0.7
        })
        .force(ForceClass::Conservative, 1, |_t, q, v| {
            let pull = v[0].square() + v[1].square();
            -(q[1] * pull) + q[0].square() * 0.7
        })
}

/// The largest deviation of a function of (q, v) over a run with h = 0.1.
fn deviation(
    sketch: Sketch,
    stages: usize,
    start: &[f64],
    until: f64,
    invariant: impl Fn(&[f64]) -> f64,
) -> Result<f64, LabError> {
    let system = Differentiated::new(sketch);
    let solver = Solver::mechanical(&system).method(spark(stages)?).step(0.1).output(Output::Steps);
    let motion = solver.run(0.0, until, start)?;
    let begin = invariant(start);
    Ok(motion.trajectory.iter().fold(0.0, |most: f64, (_, y)| most.max((invariant(y) - begin).abs())))
}

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let momentum = |y: &[f64]| y[0] * y[5] - y[1] * y[4] + 3.0 * (y[2] * y[7] - y[3] * y[6]);
    let start = [0.5, 0.2, 0.5, 1.2, 0.3, 0.4, -0.6, 0.4];
    let radius = |y: &[f64]| y[0] * y[0] + y[1] * y[1];
    let on_the_circle = [1.0, 0.0, 0.0, 1.0];
    for s in 2..=4 {
        let case = format!("s = {s}");
        let measured = deviation(dumbbell(), s, &start, 20.0, momentum)?;
        finding.check(&case, "angular momentum", AtMost(ROUNDING), measured);
        let free = deviation(kept_on_a_circle(), s, &on_the_circle, 10.0, radius)?;
        let expected = if s == 2 { AtMost(ROUNDING) } else { AtLeast(10.0 * ROUNDING) };
        finding.check(&case, "y'y, weak", expected, free);
        let rod = kept_on_a_circle().rod("circle", |_t, q| q[0].square() + q[1].square() - 1.0);
        let enforced = deviation(rod, s, &on_the_circle, 10.0, radius)?;
        finding.check(&case, "y'y, enforced", AtMost(1e-15), enforced);
    }
    Ok(finding)
}
