//! Figures 1 and 4: the energy of the squeezer with constant steps.

use taut::Solver;
use taut::motion::Motion;
use taut::run::Output;
use taut_problems::{Problem, find};

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Paper, Series};
use super::convergence::spark;
use crate::comparison::start_of;
use crate::error::LabError;

pub(super) const FIGURE_1: Claim = Claim {
    id: "jay-fig-1",
    paper: Paper::Jay,
    statement: "Without drive torque for t >= 0.02 the energy error of Lobatto IIIA-B with s = 3 and h = 5e-5 on the \
                squeezer stays bounded and oscillates around 0.",
    claimed: "within [-5.8e-9, 7.2e-9], no drift; constraints hold to rounding",
    correction: None,
    fast: true,
    source: file!(),
    experiment: figure_1,
};

pub(super) const FIGURE_4: Claim = Claim {
    id: "jay-fig-4",
    paper: Paper::Jay,
    statement: "With a constant drive torque the total energy of the squeezer is constant while kinetic energy is gained \
                from the potential of the torque.",
    claimed: "E constant, T grows, U falls without bound",
    correction: None,
    fast: true,
    source: file!(),
    experiment: figure_4,
};

/// The torque of the motor on the first angle.
const TORQUE: f64 = 0.033;

fn run(problem: &Problem) -> Result<Motion, LabError> {
    let solver = match problem.system.mechanism() {
        Some(system) => Solver::mechanical(system),
        None => crate::comparison::solver_of(problem),
    };
    let solver = solver.method(spark(3)?).step(5e-5).breaks(&problem.kinks);
    Ok(solver.output(Output::Steps).watch(true).run(0.0, 0.1, &start_of(problem))?)
}

/// Time, kinetic and potential energy after each step; the torque does work on the first angle.
fn energies(problem: &Problem, motion: &Motion, torque: f64) -> Result<Vec<(f64, f64, f64)>, LabError> {
    let Some(system) = problem.system.mechanism() else { return Ok(Vec::new()) };
    let energy = |(t, y): (f64, &[f64])| {
        let (q, v, _) = motion.layout.split(y);
        let energy = system.energy(t, q, v)?;
        Ok((t, energy.kinetic, energy.potential - torque * q[0]))
    };
    motion.trajectory.iter().map(energy).collect()
}

fn figure_1() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let problem = find("andrews/ramp_down")?;
    let motion = run(&problem)?;
    let energies = energies(&problem, &motion, 0.0)?;
    let free: Vec<(f64, f64)> = energies
        .iter()
        .filter(|(t, ..)| *t >= 0.02 - 1e-9)
        .map(|&(t, kinetic, v)| (t, kinetic + v))
        .collect();
    let begin = free.first().map_or(f64::NAN, |(_, energy)| *energy);
    let errors: Vec<(f64, f64)> = free.iter().map(|&(t, energy)| (t, energy - begin)).collect();
    let least = errors.iter().fold(0.0_f64, |least, (_, error)| least.min(*error));
    let largest = errors.iter().fold(0.0_f64, |largest, (_, error)| largest.max(*error));
    finding.check("squeezer", "least error", Near(-5.8e-9, 1e-10), least);
    finding.check("squeezer", "largest error", Near(7.2e-9, 1e-10), largest);
    let rise = least_squares_slope(&errors) * 0.08;
    finding.check("squeezer", "|trend| over [0.02, 0.1]", AtMost(1e-10), rise.abs());
    let [position, velocity, _] = motion.invariants.residuals;
    finding.check("squeezer", "|g|", AtMost(1e-15), position);
    finding.check("squeezer", "|Gv|", AtMost(1e-13), velocity);
    finding.draw_on("energy error", ("t", "error"), (false, false), Series::plain("s = 3, h = 5e-5", errors));
    Ok(finding)
}

fn least_squares_slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
        (above + (point.0 - x) * (point.1 - y), below + (point.0 - x).powi(2))
    });
    above / below
}

fn figure_4() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let problem = find("andrews")?;
    let motion = run(&problem)?;
    let energies = energies(&problem, &motion, TORQUE)?;
    let total: Vec<(f64, f64)> =
        energies.iter().map(|&(t, kinetic, potential)| (t, kinetic + potential)).collect();
    let begin = total.first().map_or(f64::NAN, |(_, energy)| *energy);
    let error = total.iter().fold(0.0_f64, |most, (_, energy)| most.max((energy - begin).abs()));
    let gained = energies.iter().fold(0.0_f64, |most, (_, kinetic, _)| most.max(*kinetic));
    finding.check("squeezer", "change of E, in shares of T gained", AtMost(1e-5), error / gained);
    // The kinetic energy rises and falls within a turn; its largest value of each fifth of the time rises.
    let fifth = |k: usize| {
        let within = energies.iter().filter(|(t, ..)| (t / 0.02) as usize == k);
        within.fold(0.0_f64, |most, (_, kinetic, _)| most.max(*kinetic))
    };
    for k in 1..5 {
        let case = format!("fifth {} of the time", k + 1);
        finding.check(case, "largest T over the one before", AtLeast(1.05), fifth(k) / fifth(k - 1));
    }
    let curve = |name, of: fn(&(f64, f64, f64)) -> f64| {
        Series::plain(name, energies.iter().map(|energy| (energy.0, of(energy))).collect())
    };
    for series in [curve("E", |e| e.1 + e.2), curve("T", |e| e.1), curve("U", |e| e.2)] {
        finding.draw_on("energies", ("t", "energy"), (false, false), series);
    }
    Ok(finding)
}
