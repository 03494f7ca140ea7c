//! Figure 2: the energy with reversible variable steps.

use taut::Solver;
use taut::options::Controller;
use taut::system::Differentiated;
use taut_problems::mechanics::Pendulum;

use super::super::Expected::{AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Paper, Series};
use super::convergence::spark;
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::squeezer_energy::{free_squeezer, reversible_squeezer, variable_steps};

pub(super) const CLAIM: Claim = Claim {
    id: "jay-fig-2",
    paper: Paper::Jay,
    statement: "With reversible variable steps and TOL = 1e-8 the energy error of Lobatto IIIA-B with s = 3 on the \
                squeezer without torque grows linearly, with a standard strategy in general quadratically.",
    claimed: "reversible: exponent of the running maximum <= 1",
    correction: Some(
        "Printed: standard steps make the error grow quadratically. On the squeezer growth is at most linear with either \
         strategy; it rotates, so that its orbit is not symmetric under v -> -v. On a pendulum that swings to and fro reversible \
         steps leave no trend at all, standard steps a linear one.",
    ),
    fast: true,
    source: file!(),
    experiment,
};

const TOLERANCE: f64 = 1e-8;
/// The time over which the squeezer is watched, and that from which on growth is measured.
const SPAN: f64 = 0.3;
const SETTLED: f64 = 0.03;

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    squeezer(&mut finding)?;
    libration(&mut finding)?;
    Ok(finding)
}

fn squeezer(finding: &mut Finding) -> Result<(), LabError> {
    let third = 1.0 / 3.0;
    let symmetric = reversible_squeezer(TOLERANCE, Some(vec![third, -2.0 * third, third]), SPAN)?;
    let case = "squeezer, e = (1, -2, 1)/3";
    finding.check(case, "steps", Near(2000.0, 50.0), symmetric.motion.statistics.accepted as f64);
    finding.check(case, "exponent", AtMost(1.1), symmetric.growth(SETTLED));
    draw(finding, "squeezer", case, &symmetric);

    let antisymmetric = reversible_squeezer(TOLERANCE, Some(vec![2.0 * third, 0.0, -2.0 * third]), SPAN)?;
    let case = "squeezer, e = (2/3)(1, 0, -1)";
    finding.check(case, "|trend| per second", Near(3.6e-9, 2e-10), antisymmetric.drift().abs());
    draw(finding, "squeezer", case, &antisymmetric);

    let standard = free_squeezer(variable_steps(TOLERANCE, Controller::Standard), SPAN)?;
    let case = "squeezer, standard steps";
    finding.check(case, "exponent", AtMost(1.1), standard.growth(SETTLED));
    draw(finding, "squeezer", case, &standard);
    Ok(())
}

/// A pendulum that swings to and fro.
fn libration(finding: &mut Finding) -> Result<(), LabError> {
    let (start, until) = ([0.6, -0.8, 0.4, 0.3], 1000.0);
    let pendulum = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    let energy = |_t: f64, q: &[f64], v: &[f64]| 0.5 * (v[0] * v[0] + v[1] * v[1]) + q[1];
    for (case, controller, expected) in [
        ("pendulum, reversible steps", Controller::Reversible, AtMost(0.01)),
        ("pendulum, standard steps", Controller::Standard, AtLeast(0.5)),
    ] {
        let solver =
            Solver::mechanical(&pendulum).method(spark(3)?).options(variable_steps(1e-5, controller));
        let run = EnergyError::along(solver, "pendulum", &pendulum, (0.0, until), &start, energy)?;
        let (least, largest) = run.band();
        let share = (run.drift() * until).abs() / (largest - least);
        finding.check(case, "|trend| over the band of errors", expected, share);
        draw(finding, "pendulum", case, &run);
    }
    Ok(())
}

fn draw(finding: &mut Finding, title: &str, case: &str, run: &EnergyError) {
    finding.draw_on(title, ("t", "energy error"), (false, false), Series::plain(case, run.points()));
}
