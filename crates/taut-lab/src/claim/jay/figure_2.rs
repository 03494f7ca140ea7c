//! Figure 2: errors with reversible variable steps.

use taut::Solver;
use taut::options::Controller;
use taut::run::Output;
use taut::system::Differentiated;
use taut_problems::mechanics::Pendulum;

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::energy::EnergyError;
use crate::experiment::squeezer_energy::{free_squeezer, reversible_squeezer, variable_steps};
use crate::slope::least_squares;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-fig-2",
    paper: Paper::Jay,
    statement: "With reversible variable steps the error of Lobatto IIIA-B with s = 3 grows linearly, with a standard strategy \
                in general quadratically; on the squeezer without torque, with TOL = 1e-8, the energy error grows linearly.",
    claimed: "exponents of the global error 1 and 2; of the energy at most 1 with reversible steps",
    bounds: "exponents of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("reversible steps")]),
    experiment,
};

const TOLERANCE: f64 = 1e-8;
/// The time over which the squeezer is watched, and that from which on growth is measured.
const SPAN: f64 = 0.3;
const SETTLED: f64 = 0.03;
/// The pendulum: a state that swings to and fro, its tolerance, the times between which the growth of errors is measured.
const SWINGING: [f64; 4] = [0.6, -0.8, 0.4, 0.3];
const PENDULUM_TOLERANCE: f64 = 1e-5;
const FROM: f64 = 200.0;
const UNTIL: f64 = 2000.0;
const SAMPLES: usize = 4001;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    libration(trial, &mut finding)?;
    squeezer(trial, &mut finding)?;
    finding.remarks.push(
        "On the squeezer the energy error grows at most linearly with a standard strategy, too: it rotates, so that its \
         orbit is not symmetric under v -> -v, and reversibility gives nothing there."
            .into(),
    );
    Ok(finding)
}

fn squeezer(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let third = 1.0 / 3.0;
    let method = trial.spark(3)?;
    for (case, weights) in [
        ("squeezer, e = (1, -2, 1)/3", vec![third, -2.0 * third, third]),
        ("squeezer, e = (2/3)(1, 0, -1)", vec![2.0 * third, 0.0, -2.0 * third]),
    ] {
        let run = reversible_squeezer(&method, TOLERANCE, Some(weights), SPAN)?;
        finding.check(case, "exponent of the energy error", AtMost(1.1), run.growth(SETTLED));
        draw(finding, "squeezer", case, &run);
    }
    let standard = free_squeezer(&method, variable_steps(TOLERANCE, Controller::Standard), SPAN)?;
    draw(finding, "squeezer", "squeezer, standard steps", &standard);
    Ok(())
}

/// A pendulum that swings to and fro.
fn libration(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let pendulum = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    let samples = || Output::Samples { first: 0.0, last: UNTIL, count: SAMPLES };
    let exact =
        Solver::mechanical(&pendulum).tolerance(1e-13).output(samples()).run(0.0, UNTIL, &SWINGING)?;
    for (case, controller, exponent) in
        [("reversible steps", Controller::Reversible, 1.0), ("standard steps", Controller::Standard, 2.0)]
    {
        let controller = if trial.without("reversible steps") { Controller::Standard } else { controller };
        let solver = Solver::mechanical(&pendulum).options(variable_steps(PENDULUM_TOLERANCE, controller));
        let motion = solver.method(trial.spark(3)?).output(samples()).run(0.0, UNTIL, &SWINGING)?;
        let mut most = 0.0_f64;
        let errors = motion.trajectory.iter().zip(exact.trajectory.iter()).map(|((t, y), (_, known))| {
            most = most.max((y[0] - known[0]).abs().max((y[1] - known[1]).abs()));
            (t, most)
        });
        let errors: Vec<(f64, f64)> = errors.filter(|(t, _)| *t >= FROM).collect();
        let logarithms: Vec<(f64, f64)> = errors.iter().map(|(t, error)| (t.ln(), error.ln())).collect();
        let measured = least_squares(&logarithms).0;
        finding.check(
            format!("pendulum, {case}"),
            "exponent of the global error",
            Near(exponent, 0.2),
            measured,
        );
        finding.draw("largest position error so far", "t", "error", Series::plain(case, errors));
    }
    Ok(())
}

fn draw(finding: &mut Finding, title: &str, case: &str, run: &EnergyError) {
    finding.draw_on(title, ("t", "energy error"), (false, false), Series::plain(case, run.points()));
}
