//! Section 6.6: momentum and quadratic invariants.

use taut::Solver;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};
use taut_tableau::Lobatto;

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-6.6",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B keeps quadratic invariants y'SM(y)z, such as angular momentum, exactly, and quadratic weak \
                invariants y'Ty as well.",
    claimed: "kept to rounding",
    bounds: "rounding where kept; ten times, and ten thousand times, that where not",
    correction: Some(
        "Printed: weak invariants y'Ty are kept by all Lobatto IIIA-B methods. Measured on a point that forces depending \
         on velocities keep on the unit circle, they are kept when they are a constraint that the method enforces. \
         Otherwise s > 2 loses them, and s = 2 as well as soon as the forces have a part, here -(q v) q, that vanishes on \
         the invariant set only: it is kept for s = 2 where z'Tz + y'Tk = 0 also off that set.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::B, Lobatto::C)]),
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
///
/// With `drag` a force -(q v) q is added, which vanishes on the circle.
fn kept_on_a_circle(drag: f64) -> Sketch {
    Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .force(ForceClass::Conservative, 0, move |_t, q, v| {
            let pull = v[0].square() + v[1].square() + (q[0] * v[0] + q[1] * v[1]) * drag;
            -(q[0] * pull) - q[0] * q[1] * 0.7
        })
        .force(ForceClass::Conservative, 1, move |_t, q, v| {
            let pull = v[0].square() + v[1].square() + (q[0] * v[0] + q[1] * v[1]) * drag;
            -(q[1] * pull) + q[0].square() * 0.7
        })
}

/// The largest deviation of a function of (q, v) over a run with h = 0.1.
fn deviation(
    trial: &Trial,
    sketch: Sketch,
    stages: usize,
    start: &[f64],
    until: f64,
    invariant: impl Fn(&[f64]) -> f64,
) -> Result<f64, LabError> {
    let system = Differentiated::new(sketch);
    let solver = Solver::mechanical(&system).options(trial.spark_options(Options::default()));
    let solver = solver.method(trial.spark(stages)?).step(0.1).output(Output::Steps);
    let motion = solver.run(0.0, until, start)?;
    let begin = invariant(start);
    Ok(motion.trajectory.iter().fold(0.0, |most: f64, (_, y)| most.max((invariant(y) - begin).abs())))
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let momentum = |y: &[f64]| y[0] * y[5] - y[1] * y[4] + 3.0 * (y[2] * y[7] - y[3] * y[6]);
    let start = [0.5, 0.2, 0.5, 1.2, 0.3, 0.4, -0.6, 0.4];
    let radius = |y: &[f64]| y[0] * y[0] + y[1] * y[1];
    let on_the_circle = [1.0, 0.0, 0.0, 1.0];
    for s in 2..=4 {
        let case = format!("s = {s}");
        let measured = deviation(trial, dumbbell(), s, &start, 20.0, momentum)?;
        finding.check(&case, "angular momentum", AtMost(ROUNDING), measured);
        let free = deviation(trial, kept_on_a_circle(0.0), s, &on_the_circle, 10.0, radius)?;
        let expected = if s == 2 { AtMost(ROUNDING) } else { AtLeast(10.0 * ROUNDING) };
        finding.check(&case, "y'y, weak", expected, free);
        let dragged = deviation(trial, kept_on_a_circle(1.0), s, &on_the_circle, 10.0, radius)?;
        finding.check(&case, "y'y, weak, with -(q v) q", AtLeast(1e4 * ROUNDING), dragged);
        let rod = kept_on_a_circle(1.0).rod("circle", |_t, q| q[0].square() + q[1].square() - 1.0);
        let enforced = deviation(trial, rod, s, &on_the_circle, 10.0, radius)?;
        finding.check(&case, "y'y, enforced", AtMost(1e-15), enforced);
    }
    Ok(finding)
}
