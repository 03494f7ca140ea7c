//! What a spring with energy in it does to the slow motion.

use taut::Solver;
use taut::method::Method;
use taut::options::{Options, Vibrations};
use taut::run::Output;
use taut::system::{Differentiated, Number, Scalar, Sketch};

use super::super::Expected::{AtLeast, AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "beyond-averaged-vibrations",
    paper: Paper::Beyond,
    statement: "A stiff spring that vibrates with the energy E and the frequency omega(q)/eps moves the rest of a mechanism, for \
                eps -> 0, like a rod with the further potential E omega(q)/omega(q_0), since the action E/omega is kept (Rubin and \
                Ungar 1957; Bornemann 1998); without it the motion tends to another one.",
    claimed: "spring and rod, two springs: positions off by O(eps); without the potential off by O(1)",
    bounds: "exponent 1 of the amplitude of the vibration itself; a tenth of a length for \"O(1)\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("the correcting potential")]),
    experiment,
};

const EPSILONS: [f64; 5] = [0.02, 0.01, 0.005, 0.0025, 0.00125];
const UNTIL: f64 = 3.0;
/// The energy of the vibration, half the square of its velocity.
const VIBRATING: f64 = 2.0;
const ANGLES: [f64; 2] = [0.5, 1.6];
const TOLERANCE: f64 = 1e-9;
const EPSILONS_OF_TWO: [f64; 4] = [0.02, 0.01, 0.005, 0.0025];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let energy = if trial.without("the correcting potential") { 0.0 } else { VIBRATING };
    let (averaged, uncorrected) = (rods(energy)?, rods(0.0)?);
    let case = "spring and rod";
    let points = EPSILONS.iter().map(|&epsilon| Ok((epsilon, distance(&followed(epsilon)?, &averaged))));
    let points: Vec<(f64, f64)> = points.collect::<Result<_, LabError>>()?;
    let (stiffest, error) = points[points.len() - 1];
    finding.slope(
        "distance from the averaged motion",
        OrderAtLeast(1),
        "eps",
        "distance",
        Series::fitted(case, points, 0.0),
    );
    let amplitude = stiffest * (2.0 * VIBRATING).sqrt();
    finding.check(
        case,
        "distance over the amplitude of the vibration, stiffest spring",
        AtMost(10.0),
        error / amplitude,
    );
    let without = distance(&followed(stiffest)?, &uncorrected);
    finding.check(case, "distance without the potential, stiffest spring", AtLeast(0.1), without);
    two_springs(trial, &mut finding)?;
    Ok(finding)
}

/// Two masses on two springs whose vibrations are coupled, as the product averages them: positions at all times of a grid.
fn two_springs(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let averaging = if trial.without("the correcting potential") { Vibrations::Damp } else { Vibrations::Averaged };
    let mut points = Vec::new();
    let mut without = 0.0;
    for epsilon in EPSILONS_OF_TWO {
        let followed = on_grid(epsilon, "dopri8", Vibrations::Follow)?;
        points.push((epsilon, distance(&on_grid(epsilon, "radau", averaging)?, &followed)));
        without = distance(&on_grid(epsilon, "radau", Vibrations::Damp)?, &followed);
    }
    let series = Series::fitted("two springs", points, 0.0);
    finding.slope("distance from the averaged motion, two springs", OrderAtLeast(1), "eps", "distance", series);
    finding.check("two springs", "distance without the potential, stiffest springs", AtLeast(0.1), without);
    Ok(())
}

/// Positions of two unit masses, the second on a spring a fourth as compliant as that of the first.
fn on_grid(epsilon: f64, method: &str, vibrations: Vibrations) -> Result<Vec<f64>, LabError> {
    let compliance = epsilon * epsilon;
    let sketch = Sketch::new(["x1", "y1", "x2", "y2"])
        .potential(|q| q[1] + q[3])
        .spring("upper", compliance, |_t, q| q[0].hypot(q[1]) - 1.0)
        .spring("lower", 0.25 * compliance, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0);
    let system = Differentiated::new(sketch);
    let [(s1, c1), (s2, c2)] = [0.4_f64, 1.5].map(f64::sin_cos);
    let start = [s1, -c1, s1 + s2, -c1 - c2, 1.2 * s1, -1.2 * c1, 2.0 * s2 + 0.3, -2.0 * c2 + 0.2];
    let options = Options { rtol: 1e-8, atol: 1e-8, vibrations, ..Options::default() };
    let solver = Solver::mechanical(&system).method(Method::named(method)?).options(options);
    let grid = Output::Samples { first: 0.0, last: 2.0, count: 201 };
    let motion = solver.output(grid).run(0.0, 2.0, &start)?;
    Ok(motion.trajectory.iter().flat_map(|(_, y)| y[..4].to_vec()).collect())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

/// Two unit masses, the first at the end of a spring or rod, the second on a rod from there.
fn masses() -> Sketch {
    Sketch::new(["x1", "y1", "x2", "y2"]).rod("rod", |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
}

/// Positions at rest at the angles from the vertical.
fn places() -> [f64; 4] {
    let [(s1, c1), (s2, c2)] = ANGLES.map(f64::sin_cos);
    [s1, -c1, s1 + s2, -c1 - c2]
}

/// 1/(reduced mass) of the spring: 1 - c^2/2, c the cosine of the angle between spring and rod.
fn inverse_mass(q: &[Number]) -> Number {
    let cosine = (q[0] * (q[2] - q[0]) + q[1] * (q[3] - q[1])) / q[0].hypot(q[1]);
    -(cosine.square() * 0.5) + 1.0
}

/// The end of the motion with two rods and the potential of a vibration of this energy.
fn rods(energy: f64) -> Result<Vec<f64>, LabError> {
    let at_start = inverse_mass_at_start();
    let system = masses()
        .rod("spring", |_t, q| q[0].hypot(q[1]) - 1.0)
        .potential(move |q| q[1] + q[3] + (inverse_mass(q) / at_start).sqrt() * energy);
    let start = [places().as_slice(), &[0.0; 4]].concat();
    end(&Differentiated::new(system), &start)
}

fn inverse_mass_at_start() -> f64 {
    let cosine = (ANGLES[0] - ANGLES[1]).cos();
    1.0 - 0.5 * cosine * cosine
}

/// The end of the motion with the spring, which vibrates from the start on: its mode moves the first mass along the spring
/// and both along the rod, such that the rod keeps its length.
fn followed(epsilon: f64) -> Result<Vec<f64>, LabError> {
    let system = masses()
        .spring("spring", epsilon * epsilon, |_t, q| q[0].hypot(q[1]) - 1.0)
        .potential(|q| q[1] + q[3]);
    let [(s1, c1), (s2, c2)] = ANGLES.map(f64::sin_cos);
    let half_cosine = 0.5 * (ANGLES[0] - ANGLES[1]).cos();
    let along = [half_cosine * s2, -half_cosine * c2];
    let speed = (2.0 * VIBRATING / inverse_mass_at_start()).sqrt();
    let velocities = [s1 - along[0], -c1 - along[1], along[0], along[1]].map(|v| speed * v);
    end(&Differentiated::new(system), &[places(), velocities].concat())
}

fn end(system: &Differentiated<Sketch>, start: &[f64]) -> Result<Vec<f64>, LabError> {
    let options =
        Options { rtol: TOLERANCE, atol: TOLERANCE, vibrations: Vibrations::Follow, ..Options::default() };
    let solver = Solver::mechanical(system).method(Method::named("dopri8")?).options(options);
    Ok(solver.run(0.0, UNTIL, start)?.q().to_vec())
}
