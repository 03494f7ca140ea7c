//! Figures 5 and 6: a rigid pendulum on a stiff spring pendulum with friction.

use taut::method::{Shares, SparkOptions};
use taut_tableau::Lobatto;

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Paper, Series};
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::two_pendulums::{damped, mixed, rigid_pendulum_energy};

pub(super) const FIGURE_5: Claim = Claim {
    id: "jay-fig-5",
    paper: Paper::Jay,
    statement: "Lobatto IIIC for all equations of a rigid pendulum on a stiff spring pendulum (1/eps = 1e8, friction 1e12, \
                h = 0.12, s = 3) damps the rigid pendulum as well.",
    claimed: "its energy falls by 8.9e-7 per unit of time",
    correction: None,
    fast: true,
    source: file!(),
    experiment: figure_5,
};

pub(super) const FIGURE_6: Claim = Claim {
    id: "jay-fig-6",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B for the rigid pendulum and IIIC for the stiff one (1/eps = 1e8, friction 1e12, h = 0.12, \
                s = 3) keep the energy error of the rigid pendulum bounded.",
    claimed: "within [-1.3e-6, 1e-8] over 4000 steps, no trend",
    correction: None,
    fast: true,
    source: file!(),
    experiment: figure_6,
};

const STEPS: usize = 4000;

fn figure_5() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let run = rigid_pendulum_energy(damped(), STEPS)?;
    finding.check("IIIC everywhere", "loss per unit of time", Near(8.9e-7, 2e-8), -run.drift());
    draw(&mut finding, "IIIC everywhere", &run);
    Ok(finding)
}

/// Without friction on the rigid pendulum IIIB and IIIC treat its equations alike, positions being in IIIA: the paper's
/// choice is IIIC for all forces. IIIB for the rod also at the stiff end is another method, as friction depends on
/// velocities there; of it no figures are claimed, only that its errors are no larger.
fn figure_6() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let paper = SparkOptions { positions: Shares::only(Lobatto::A), ..damped() };
    let (least, largest) = (-1.3e-6, 1e-8);
    for (case, options, expected) in [
        ("rod IIIC at the stiff end", paper, (AtLeast(least), AtMost(largest))),
        ("rod IIIB at both ends", mixed(), (AtLeast(least), AtMost(-least))),
    ] {
        let run = rigid_pendulum_energy(options, STEPS)?;
        let (least, largest) = run.band();
        finding.check(case, "least error", expected.0, least);
        finding.check(case, "largest error", expected.1, largest);
        finding.check(case, "|trend| per unit of time", AtMost(1e-10), run.drift().abs());
        draw(&mut finding, case, &run);
    }
    Ok(finding)
}

fn draw(finding: &mut Finding, case: &str, run: &EnergyError) {
    let axes = ("t", "energy error");
    finding.draw_on("rigid pendulum", axes, (false, false), Series::plain(case, run.points()));
}
