//! What long runs keep to rounding.

use taut::Solver;
use taut::method::Method;
use taut::options::{Options, Projection};
use taut::system::Differentiated;
use taut_problems::mechanics::Pendulum;

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CONSTRAINTS: Claim = Claim {
    id: "ours-constraints",
    paper: Paper::Ours,
    statement: "Constraints on positions and velocities hold to rounding after each of a million steps of RATTLE, and of twenty \
                thousand of other methods.",
    claimed: "|g|, |Gv| <= 1e-15",
    bounds: "four units of rounding of coordinates of size 1",
    correction: None,
    fast: false,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("projection")]),
    experiment: constraints,
};

pub(super) const REVERSIBILITY: Claim = Claim {
    id: "ours-reversibility",
    paper: Paper::Ours,
    statement: "Ten thousand symmetric steps, and as many with reversed velocities, lead back to the start, up \
                to a random walk of the energy by rounding: u sqrt(N) in N steps, u sqrt(N) t in the phase.",
    claimed: "<= u sqrt(N) t",
    bounds: "u sqrt(N) t of the statement",
    correction: None,
    fast: false,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("symmetry")]),
    experiment: reversibility,
};

const STEPS: usize = 1_000_000;
const SWINGING: [f64; 4] = [0.6, -0.8, 0.4, 0.3];

fn pendulum() -> Differentiated<Pendulum> {
    Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 })
}

fn constraints(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = pendulum();
    let h = 0.05;
    for (name, steps) in
        [("rattle", STEPS), ("radau", STEPS / 50), ("spark", STEPS / 50), ("dopri8", STEPS / 50)]
    {
        // Without projection a few steps show what happens.
        let unprojected = trial.without("projection");
        let (name, steps) = if unprojected { ("radau", 1000) } else { (name, steps) };
        let projection = unprojected.then_some(Projection::None);
        let options = Options { projection, ..Options::default() };
        let solver = Solver::mechanical(&pendulum).options(options).method(Method::named(name)?).step(h);
        let motion = solver.watch(true).run(0.0, h * steps as f64, &SWINGING)?;
        let [position, velocity, _] = motion.invariants.residuals;
        finding.check(name, "steps", AtLeast(steps as f64), motion.statistics.accepted as f64);
        finding.check(name, "largest |g|", AtMost(1e-15), position);
        finding.check(name, "largest |Gv|", AtMost(1e-15), velocity);
    }
    Ok(finding)
}

fn reversibility(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = pendulum();
    let reversed = |y: &[f64]| [y[0], y[1], -y[2], -y[3]];
    let (h, until) = (0.1, 1000.0_f64);
    let bound = 0.5 * f64::EPSILON * (2.0 * until / h).sqrt() * until;
    for stages in [2, 3, 4] {
        let method = match trial.without("symmetry") {
            true => Method::radau().with_stages(stages)?,
            false => trial.spark(stages)?,
        };
        let solver = Solver::mechanical(&pendulum).method(method).step(h);
        let there = solver.run(0.0, until, &SWINGING)?;
        let back = reversed(&solver.run(0.0, until, &reversed(&there.y))?.y);
        let distance = back.iter().zip(&SWINGING).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        finding.check(format!("spark s = {stages}"), "distance from the start", AtMost(bound), distance);
    }
    Ok(finding)
}
