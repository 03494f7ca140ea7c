//! Figures 1, 3 and 4: the energy of the squeezer with constant steps.

use taut::Solver;
use taut::options::Options;
use taut::run::Output;
use taut_problems::find;

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::comparison::start_of;
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::squeezer_energy::{STEP, TORQUE, driven_squeezer, free_squeezer};

pub(super) const FIGURE_1: Claim = Claim {
    id: "jay-fig-1",
    paper: Paper::Jay,
    statement: "Without drive torque for t >= 0.02 the energy error of Lobatto IIIA-B with s = 3 and h = 5e-5 on the \
                squeezer stays bounded and oscillates around 0.",
    claimed: "bounded, no drift; constraints hold to rounding",
    bounds: "shares for \"bounded\" and \"around 0\": a tenth more in the second half, both signs, a trend of a fiftieth of the band; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: figure_1,
};

pub(super) const FIGURE_3: Claim = Claim {
    id: "jay-fig-3",
    paper: Paper::Jay,
    statement: "With a constant drive torque the energy error of Lobatto IIIA-B with s = 3 and h = 5e-5 on the squeezer \
                grows quadratically with time.",
    claimed: "exponent 2",
    bounds: "exponent 2 of the statement, up to 0.2, on the whole window; 1.5 and 2.8 to show that its halves differ",
    correction: Some(
        "There is no exponent: that of the running maximum is 2 on [0.01, 0.1], but below 1.5 on its first and above 2.8 on \
         its second half. The error grows with the kinetic energy.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: figure_3,
};

pub(super) const FIGURE_4: Claim = Claim {
    id: "jay-fig-4",
    paper: Paper::Jay,
    statement: "With a constant drive torque the total energy of the squeezer is constant while kinetic energy is gained \
                from the potential of the torque.",
    claimed: "E constant, T grows, U falls without bound",
    bounds: "1e-5 of the energy gained for \"constant\"; a twentieth more in each fifth for \"grows\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: figure_4,
};

/// The time over which the squeezers are watched, from the start of their runs.
const FREE_SPAN: f64 = 0.08;
const DRIVEN_SPAN: f64 = 0.1;

fn draw(finding: &mut Finding, run: &EnergyError) {
    let series = Series::plain("s = 3, h = 5e-5", run.points());
    finding.draw_on("energy error", ("t", "error"), (false, false), series);
}

fn figure_1(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let run = free_squeezer(
        &trial.spark(3)?,
        Options { constant_step: Some(STEP), ..Options::default() },
        FREE_SPAN,
    )?;
    let (least, largest) = run.band();
    finding.remarks.push(format!("The errors lie within [{least:.1e}, {largest:.1e}]."));
    // Bounded and around 0: both signs, a band that the second half does not widen, and a trend small against it.
    let (early, late) = (run.band_on(0.0, 0.5 * FREE_SPAN), run.band_on(0.5 * FREE_SPAN, FREE_SPAN));
    finding.check("squeezer", "band of the second half over the first", AtMost(1.1), late / early);
    finding.check("squeezer", "least over largest error", AtMost(-0.5), least / largest);
    let rise = (run.drift() * FREE_SPAN).abs();
    finding.check("squeezer", "|trend| over the band", AtMost(0.02), rise / (largest - least));
    finding.check("squeezer", "band over the energy", AtMost(1e-6), (largest - least) / run.energy_at_start);
    let [position, velocity, _] = run.motion.invariants.residuals;
    finding.check("squeezer", "|g|", AtMost(1e-15), position);
    finding.check("squeezer", "|Gv|", AtMost(1e-13), velocity);
    draw(&mut finding, &run);
    Ok(finding)
}

fn figure_3(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let run = driven_squeezer(&trial.spark(3)?, DRIVEN_SPAN)?;
    for (from, to, expected) in
        [(0.01, 0.1, Near(2.0, 0.2)), (0.01, 0.05, AtMost(1.5)), (0.05, 0.1, AtLeast(2.8))]
    {
        let exponent = run.growth_on(from, to);
        finding.check(format!("running maximum on [{from}, {to}]"), "exponent", expected, exponent);
    }
    draw(&mut finding, &run);
    Ok(finding)
}

/// Time, kinetic and potential energy after each step; the torque does work on the first angle.
fn driven_energies(trial: &Trial) -> Result<Vec<(f64, f64, f64)>, LabError> {
    let problem = find("andrews")?;
    let Some(system) = problem.system.mechanism() else { return Ok(Vec::new()) };
    let solver = Solver::mechanical(system).method(trial.spark(3)?).step(STEP).output(Output::Steps);
    let motion = solver.run(0.0, DRIVEN_SPAN, &start_of(&problem))?;
    let energy = |(t, y): (f64, &[f64])| {
        let (q, v, _) = motion.layout.split(y);
        let energy = system.energy(t, q, v)?;
        Ok((t, energy.kinetic, energy.potential - TORQUE * q[0]))
    };
    motion.trajectory.iter().map(energy).collect()
}

fn figure_4(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let energies = driven_energies(trial)?;
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
