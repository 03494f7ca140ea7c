//! Figures 1, 3 and 4: the energy of the squeezer with constant steps.

use taut::Solver;
use taut::options::Options;
use taut::run::Output;
use taut_problems::find;

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Paper, Series};
use super::convergence::spark;
use crate::comparison::start_of;
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::squeezer_energy::{STEP, TORQUE, driven_squeezer, free_squeezer};

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

pub(super) const FIGURE_3: Claim = Claim {
    id: "jay-fig-3",
    paper: Paper::Jay,
    statement: "With a constant drive torque the energy error of Lobatto IIIA-B with s = 3 and h = 5e-5 on the squeezer \
                grows quadratically with time: its running maximum on [0.01, 0.1].",
    claimed: "exponent 2",
    correction: None,
    fast: true,
    source: file!(),
    experiment: figure_3,
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

/// The time over which the squeezers are watched, from the start of their runs.
const FREE_SPAN: f64 = 0.08;
const DRIVEN_SPAN: f64 = 0.1;

fn draw(finding: &mut Finding, run: &EnergyError) {
    let series = Series::plain("s = 3, h = 5e-5", run.points());
    finding.draw_on("energy error", ("t", "error"), (false, false), series);
}

fn figure_1() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let run = free_squeezer(Options { constant_step: Some(STEP), ..Options::default() }, FREE_SPAN)?;
    let (least, largest) = run.band();
    finding.check("squeezer", "least error", Near(-5.8e-9, 1e-10), least);
    finding.check("squeezer", "largest error", Near(7.2e-9, 1e-10), largest);
    let rise = run.drift() * FREE_SPAN;
    finding.check("squeezer", "|trend| over [0.02, 0.1]", AtMost(1e-10), rise.abs());
    let [position, velocity, _] = run.motion.invariants.residuals;
    finding.check("squeezer", "|g|", AtMost(1e-15), position);
    finding.check("squeezer", "|Gv|", AtMost(1e-13), velocity);
    draw(&mut finding, &run);
    Ok(finding)
}

fn figure_3() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let run = driven_squeezer(DRIVEN_SPAN)?;
    finding.check("squeezer", "exponent", Near(2.0, 0.2), run.growth(0.01));
    draw(&mut finding, &run);
    Ok(finding)
}

/// Time, kinetic and potential energy after each step; the torque does work on the first angle.
fn driven_energies() -> Result<Vec<(f64, f64, f64)>, LabError> {
    let problem = find("andrews")?;
    let Some(system) = problem.system.mechanism() else { return Ok(Vec::new()) };
    let solver = Solver::mechanical(system).method(spark(3)?).step(STEP).output(Output::Steps);
    let motion = solver.run(0.0, DRIVEN_SPAN, &start_of(&problem))?;
    let energy = |(t, y): (f64, &[f64])| {
        let (q, v, _) = motion.layout.split(y);
        let energy = system.energy(t, q, v)?;
        Ok((t, energy.kinetic, energy.potential - TORQUE * q[0]))
    };
    motion.trajectory.iter().map(energy).collect()
}

fn figure_4() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let energies = driven_energies()?;
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
