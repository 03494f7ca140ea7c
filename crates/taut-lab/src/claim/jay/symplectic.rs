//! The change of the two-form dq ∧ d(M v) in one step.

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::system::{Differentiated, MechanicalSystem, Scalar, Sketch};

use crate::error::LabError;

/// A point on a sphere with a mass matrix that depends on the position: two degrees of freedom, M(q).
pub(super) fn heavy_point_on_a_sphere() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| {
            let square = v[0].square() * (q[1].square() + 1.0) + v[1].square() * (q[2].sin() * 0.5 + 2.0);
            (square + v[2].square() * (q[0] * q[1] + 1.5) + v[0] * v[2] * q[1] * 0.6) * 0.5
        })
        .potential(|q| q[2] + q[0] * q[1] * 0.5)
        .rod("sphere", |_t, q| q[0].square() + q[1].square() + q[2].square() - 1.0);
    Differentiated::new(sketch)
}

/// A start of it.
pub(super) const ON_THE_SPHERE: [f64; 6] = [0.6, 0.48, 0.64, 0.5, -0.3, -0.24375];

/// Derivatives are differences of order 4 with this shift.
const SHIFT: f64 = 1e-3;

/// The largest change of dq ∧ d(M v) in one step of length h, over all pairs of directions of starts. Starts are moved
/// onto the constraints.
pub(super) fn defect(
    system: &dyn MechanicalSystem,
    start: &[f64],
    method: &Method,
    options: &Options,
    h: f64,
) -> Result<f64, LabError> {
    let size = start.len();
    let solver = Solver::mechanical(system).options(options.clone()).method(method.clone()).step(h);
    let mut tangents = Vec::with_capacity(size);
    for k in 0..size {
        // One direction for each unknown, slanted so that none lies along a symmetry.
        let direction: Vec<f64> = (0..size).map(|i| if i == k { 1.0 } else { 0.1 * i as f64 }).collect();
        tangents.push(derivatives(&solver, system, start, &direction, h)?);
    }
    let n = size / 2;
    let form = |a: &[f64], b: &[f64]| (0..n).map(|i| a[i] * b[n + i] - b[i] * a[n + i]).sum::<f64>();
    let pairs = tangents.iter().flat_map(|one| tangents.iter().map(move |other| (one, other)));
    let change =
        pairs.map(|([before, after], [before_2, after_2])| form(after, after_2) - form(before, before_2));
    Ok(change.fold(0.0, |most: f64, change| most.max(change.abs())))
}

/// The derivatives of (q, M v) before and after a step along a direction of starts.
fn derivatives(
    solver: &Solver<'_>,
    system: &dyn MechanicalSystem,
    start: &[f64],
    direction: &[f64],
    h: f64,
) -> Result<[Vec<f64>; 2], LabError> {
    let mut sums = [vec![0.0; start.len()], vec![0.0; start.len()]];
    for (steps, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
        let shifted: Vec<f64> = start.iter().zip(direction).map(|(y, d)| y + steps * SHIFT * d).collect();
        let motion = solver.run(0.0, h, &shifted)?;
        let before = motion.start.as_ref().map(|start| (start.q.as_slice(), start.v.as_slice()));
        let states = [before.unwrap_or((&[], &[])), (motion.q(), motion.v())];
        for (sum, (q, v)) in sums.iter_mut().zip(states) {
            let phase = [q, &momentum(system, q, v)?].concat();
            sum.iter_mut().zip(&phase).for_each(|(sum, x)| *sum += weight * x / (12.0 * SHIFT));
        }
    }
    Ok(sums)
}

/// M(q) v
fn momentum(system: &dyn MechanicalSystem, q: &[f64], v: &[f64]) -> Result<Vec<f64>, LabError> {
    let pattern = &system.structure().mass;
    let (mut mass, mut p) = (vec![0.0; pattern.nnz()], vec![0.0; q.len()]);
    system.mass(q, &mut mass)?;
    pattern.multiply_add(&mass, v, &mut p, 1.0);
    Ok(p)
}
