//! Figures 2, 3 and 5: how far solutions leave the constraints without projection, and with it.

use taut::method::Method;
use taut::motion::Motion;
use taut::options::{Multipliers, Options};
use taut::run::Output;
use taut::system::MechanicalSystem;
use taut_problems::{Problem, find};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::tables::options;
use crate::comparison::{solver_of, start_of};
use crate::error::LabError;

pub(super) const FIGURE_2: Claim = Claim {
    id: "schropp-fig-2",
    paper: Paper::Schropp,
    statement: "On the pendulum (4.1) with tolerance 1e-8 the deviations d_1 from g = 0 and d_2 from Gv = 0 are visible \
                without projection and vanish with it.",
    claimed: "rounding with projection, more without",
    bounds: "rounding of g and of Gv with projection; a hundred times that without, to be \"visible\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("projection")]),
    experiment: figure_2,
};

pub(super) const FIGURE_3: Claim = Claim {
    id: "schropp-fig-3",
    paper: Paper::Schropp,
    statement: "On the pendulum (4.1) with tolerance 1e-8 the deviation d_3 from the constraint on accelerations stays \
                small, without projection and with it.",
    claimed: "small in comparison with the terms of d_3",
    bounds: "a hundredth of the terms of d_3 for \"small\"; rounding where lambda solves the constraint",
    correction: Some(
        "Printed: d_3 = -2 lambda |u|^2 - 2 u_2 + 2 |v|^2. With v' = -2 u lambda of (4.1) the factor of lambda is 4: the \
         second derivative of |u|^2 - 1 is 2 |v|^2 + 2 u v' = 2 |v|^2 - 2 u_2 - 4 lambda |u|^2. As printed, d_3 does not \
         vanish along the solution. The projection moves u and v only: with lambda of the stages d_3 is as large as without \
         it; with lambda from the accelerations, which is our default, it vanishes by construction.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("the factor 4")]),
    experiment: figure_3,
};

pub(super) const FIGURE_5: Claim = Claim {
    id: "schropp-fig-5",
    paper: Paper::Schropp,
    statement: "On the squeezer (4.3) with tolerance 1e-8 the deviations d_1 from g = 0 and d_2 from Gv = 0 are visible \
                without projection and vanish with it.",
    claimed: "rounding with projection, more without",
    bounds: "rounding of g and of Gv with projection; a hundred times that without, to be \"visible\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("projection")]),
    experiment: figure_5,
};

const TOLERANCE: f64 = 1e-8;
/// The names of runs without and with projection.
const CASES: [(&str, bool); 2] = [("without projection", false), ("with projection", true)];

fn run(problem: &Problem, t: f64, projected: bool) -> Result<Motion, LabError> {
    let solver =
        solver_of(problem).method(Method::radau().with_stages(3)?).options(options(TOLERANCE, projected));
    Ok(solver.output(Output::Steps).run(problem.start.t, t, &start_of(problem))?)
}

/// The largest entry of g, or of G v + g_t, after each step.
fn deviations(
    system: &dyn MechanicalSystem,
    motion: &Motion,
    of_rate: bool,
) -> Result<Vec<(f64, f64)>, LabError> {
    let mut found = vec![0.0; system.structure().m()];
    let mut deviation = |(t, y): (f64, &[f64])| {
        let (q, v, _) = motion.layout.split(y);
        match of_rate {
            true => system.constraint_rate(t, q, v, &mut found)?,
            false => system.constraint(t, q, &mut found)?,
        }
        Ok((t, largest(found.iter().copied())))
    };
    motion.trajectory.iter().map(&mut deviation).collect()
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// d_1 and d_2 of a mechanical problem. `sizes` are rounding errors of g and of G v.
fn compare(trial: &Trial, problem: &Problem, t: f64, sizes: [f64; 2]) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let Some(system) = problem.system.mechanism() else { return Ok(finding) };
    for (case, projected) in CASES {
        let motion = run(problem, t, projected && !trial.without("projection"))?;
        for ((quantity, of_rate), size) in [("d_1", false), ("d_2", true)].into_iter().zip(sizes) {
            let points = deviations(system, &motion, of_rate)?;
            let most = largest(points.iter().map(|point| point.1));
            let expected = if projected { AtMost(size) } else { AtLeast(100.0 * size) };
            finding.check(case, format!("largest {quantity}"), expected, most);
            // A logarithm has no place for what is exactly 0.
            let shown = points.into_iter().map(|(t, d)| (t, d.max(1e-18))).collect();
            finding.draw_on(quantity, ("t", "deviation"), (false, true), Series::plain(case, shown));
        }
    }
    Ok(finding)
}

fn figure_2(trial: &Trial) -> Result<Finding, LabError> {
    compare(trial, &find("pendulum/horizontal_rest_g1")?, 20.0, [1e-15, 1e-14])
}

fn figure_5(trial: &Trial) -> Result<Finding, LabError> {
    compare(trial, &find("andrews")?, 0.05, [1e-15, 1e-11])
}

fn figure_3(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let problem = find("schropp_pendulum")?;
    let factor = if trial.without("the factor 4") { 2.0 } else { 4.0 };
    // With projection lambda is that of the stages, as in the paper, and that of the accelerations, which is our default.
    let cases = [
        ("without projection", false, Multipliers::FromStages, AtMost(0.01)),
        ("with projection", true, Multipliers::FromStages, AtMost(0.01)),
        ("with projection, lambda from accelerations", true, Multipliers::FromAccelerations, AtMost(1e-10)),
    ];
    for (case, projected, multipliers, bound) in cases {
        let options = Options { multipliers, ..options(TOLERANCE, projected) };
        let solver = solver_of(&problem).method(Method::radau().with_stages(3)?).options(options);
        let motion = solver.output(Output::Steps).run(problem.start.t, 20.0, &start_of(&problem))?;
        let d_3 = |y: &[f64], factor: f64| {
            let (square_u, square_v) = (y[0] * y[0] + y[1] * y[1], y[2] * y[2] + y[3] * y[3]);
            -factor * y[4] * square_u - 2.0 * y[1] + 2.0 * square_v
        };
        // The largest of the terms that cancel in d_3, 2 |v|^2 with |v|^2 <= 2 at the lowest point.
        let points: Vec<(f64, f64)> =
            motion.trajectory.iter().map(|(t, y)| (t, d_3(y, factor).abs() / 4.0)).collect();
        finding.check(case, "largest d_3 over its terms", bound, largest(points.iter().map(|point| point.1)));
        let printed = largest(motion.trajectory.iter().map(|(_, y)| d_3(y, 2.0) / 4.0));
        finding.check(case, "largest d_3 as printed", AtLeast(0.25), printed);
        let shown = points.into_iter().map(|(t, d)| (t, d.max(1e-18))).collect();
        finding.draw_on("d_3", ("t", "deviation"), (false, true), Series::plain(case, shown));
    }
    Ok(finding)
}
