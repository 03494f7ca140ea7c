//! Figures 5 and 6: a rigid pendulum on a stiff spring pendulum with friction.

use taut::method::{Shares, SparkOptions};
use taut_tableau::Lobatto;

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::two_pendulums::{by_body, damped, mixed, rigid_pendulum_energy};

pub(super) const FIGURE_5: Claim = Claim {
    id: "jay-fig-5",
    paper: Paper::Jay,
    statement: "Lobatto IIIC for all equations of a rigid pendulum on a stiff spring pendulum (1/eps = 1e8, friction 1e12, \
                h = 0.12, s = 3) damps the rigid pendulum as well.",
    claimed: "its energy falls steadily",
    bounds: "nine tenths of the first quarter's loss in each quarter, and of the band, for \"steadily\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("IIIC for positions")]),
    experiment: figure_5,
};

pub(super) const FIGURE_6: Claim = Claim {
    id: "jay-fig-6",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B for the rigid pendulum and IIIC for the stiff one (1/eps = 1e8, friction 1e12, h = 0.12, \
                s = 3) keep the energy error of the rigid pendulum bounded.",
    claimed: "bounded over 4000 steps, no trend",
    bounds: "shares for \"bounded\": a tenth more in the second half, a trend of a tenth of the band",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("IIIA for positions")]),
    experiment: figure_6,
};

const STEPS: usize = 4000;

fn figure_5(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let options = if trial.without("IIIC for positions") { mixed() } else { damped() };
    let run = rigid_pendulum_energy(options, STEPS)?;
    // Damped: a loss that goes on, in every quarter of the time as in the others.
    let losses = [0, 1, 2, 3].map(|quarter| -run.drift_on(quarter));
    for (quarter, loss) in (1..).zip(losses) {
        let case = format!("IIIC everywhere, quarter {quarter}");
        finding.check(case, "loss per unit of time over that of the first", AtLeast(0.9), loss / losses[0]);
    }
    let lost = -run.drift() * run.times.last().copied().unwrap_or(0.0);
    let (least, largest) = run.band();
    finding.check("IIIC everywhere", "loss over the band of errors", AtLeast(0.9), lost / (largest - least));
    finding.check("IIIC everywhere", "loss per unit of time", AtLeast(1e-7), -run.drift());
    draw(&mut finding, "IIIC everywhere", &run);
    Ok(finding)
}

/// The paper's choice is by body: IIIC for positions and forces of the stiff one. Without friction on the rigid pendulum IIIB
/// and IIIC treat its equations alike, positions being in IIIA: IIIC for all forces is close to it. IIIB for the rod also at the stiff end is another method, as friction depends on
/// velocities there; of it no figures are claimed, only that its errors are no larger.
fn figure_6(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let positions = if trial.without("IIIA for positions") { Lobatto::C } else { Lobatto::A };
    let paper = SparkOptions { positions: Shares::only(positions), ..damped() };
    let bodies = if trial.without("IIIA for positions") { damped() } else { by_body() };
    for (case, options) in [
        ("IIIC for positions and forces of the stiff body", bodies),
        ("rod IIIC at the stiff end", paper),
        ("rod IIIB at both ends", mixed()),
    ] {
        let run = rigid_pendulum_energy(options, STEPS)?;
        let (least, largest) = run.band();
        let end = run.times.last().copied().unwrap_or(0.0);
        let (early, late) = (run.band_on(0.0, 0.5 * end), run.band_on(0.5 * end, end));
        finding.check(case, "band of the second half over the first", AtMost(1.1), late / early);
        let rise = (run.drift() * end).abs();
        finding.check(case, "|trend| over the band", AtMost(0.1), rise / (largest - least));
        finding.remarks.push(format!("{case}: errors within [{least:.1e}, {largest:.1e}]."));
        draw(&mut finding, case, &run);
    }
    Ok(finding)
}

fn draw(finding: &mut Finding, case: &str, run: &EnergyError) {
    let axes = ("t", "energy error");
    finding.draw_on("rigid pendulum", axes, (false, false), Series::plain(case, run.points()));
}
