//! Section 6.1: nonholonomic constraints; (37): backward in time IIIC and IIIC* exchange their places; section 9: errors
//! proportional to the tolerance.

use taut::Solver;
use taut::method::Shares;
use taut::options::{Controller, Options};
use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};
use taut_problems::mechanics::Pendulum;
use taut_tableau::Lobatto;

use super::super::Expected::{AtMost, Near, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::convergence::Scene;
use super::corollary_8_2::all_classes;
use crate::error::LabError;
use crate::experiment::squeezer_energy::variable_steps;

pub(super) const NONHOLONOMIC: Claim = Claim {
    id: "jay-section-6.1",
    paper: Paper::Jay,
    statement: "SPARK methods and their convergence results extend to nonholonomic constraints 0 = h(y, z).",
    claimed: "q, v, lambda 2s - 2 on a blade that slides, for s = 2, 3",
    bounds: "order 2s - 2 of corollary 8.2",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment: nonholonomic,
};

pub(super) const EXCHANGE: Claim = Claim {
    id: "jay-37",
    paper: Paper::Jay,
    statement: "A step backward in time undoes a step forward when IIIC and IIIC*, which are conjugate (37), exchange their places: \
                what dissipates forward drives backward.",
    claimed: "back at the start, to rounding, with all classes of forces",
    bounds: "rounding of twenty steps",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("the exchange")]),
    experiment: exchange,
};

pub(super) const TOLERANCE: Claim = Claim {
    id: "jay-section-9",
    paper: Paper::Jay,
    statement: "With the step size selection of section 9, target TOL^((pt+1)/(p+1)) for the estimate, global errors are proportional \
                to the tolerance.",
    claimed: "exponent 1 of the error in TOL, reversible and standard steps",
    bounds: "exponent of the statement, up to a quarter: steps are whole numbers",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("variable steps")]),
    experiment: tolerance,
};

/// A blade on a slope: it moves along its edge only.
struct Blade;

impl Mechanical for Blade {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "angle"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        -q[0] + q[1].square() * 0.3
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::nonholonomic("edge")]
    }

    fn nonholonomic<S: Scalar>(&self, _t: S, q: &[S], v: &[S], h: &mut [S]) {
        h[0] = v[0] * q[2].sin() - v[1] * q[2].cos();
    }
}

fn nonholonomic(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let system = Differentiated::new(Blade);
    let angle = 0.5_f64;
    let start = [0.0, 0.2, angle, 0.4 * angle.cos(), 0.4 * angle.sin(), 0.8];
    let scene = Scene { name: "blade", system: &system, start: &start, until: 2.0, kinks: &[] };
    for (stages, first) in [(2, 60), (3, 16)] {
        let steps = [first, first * 4 / 3, first * 5 / 3, first * 2];
        let orders = scene.orders(trial.stages(stages), &Options::default(), &steps)?;
        let order = Order(2 * stages - 2);
        finding.orders(&format!("s = {stages}"), &orders, &[("q", order), ("v", order), ("lambda", order)]);
    }
    Ok(finding)
}

fn exchange(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let system = Differentiated::new(all_classes());
    let start = [0.6, -0.8, 0.4, 0.3];
    for stages in [2, 3, 4] {
        let solver = |options: Options| -> Result<Solver<'_>, LabError> {
            Ok(Solver::mechanical(&system).options(options).method(trial.spark(stages)?).step(0.05))
        };
        let forward = solver(Options::default())?;
        let begun = forward.run(0.0, 0.05, &start)?.start;
        let begin = begun.map_or(Vec::new(), |begun| [begun.q, begun.v].concat());
        let there = forward.run(0.0, 1.0, &start)?;
        let mut exchanged = Options::default();
        if !trial.without("the exchange") {
            exchanged.spark.dissipative = Shares::only(Lobatto::CStar);
            exchanged.spark.driving = Shares::only(Lobatto::C);
            // With two stages oscillatory forces are in IIIC by default.
            if stages == 2 {
                exchanged.spark.oscillatory = Some(Shares::only(Lobatto::CStar));
            }
        }
        let back = solver(exchanged)?.run(1.0, 0.0, &[there.q(), there.v()].concat())?;
        let ends = [back.q(), back.v()].concat();
        let distance = ends.iter().zip(&begin).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        finding.check(format!("s = {stages}"), "distance from the start", AtMost(1e-12), distance);
    }
    Ok(finding)
}

fn tolerance(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    let (start, until) = ([0.6, -0.8, 0.4, 0.3], 20.0);
    let exact = Solver::mechanical(&pendulum).tolerance(1e-13).run(0.0, until, &start)?;
    for (name, controller) in [("reversible", Controller::Reversible), ("standard", Controller::Standard)] {
        for stages in [3, 4] {
            let tolerances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
            let case = format!("{name} steps, s = {stages}");
            let series = Series::measured(case, &tolerances, 1e-11, |tolerance| {
                let mut options = variable_steps(tolerance, controller);
                if trial.without("variable steps") {
                    options.constant_step = Some(tolerance.powf(0.1));
                }
                let solver = Solver::mechanical(&pendulum).options(options).method(trial.spark(stages)?);
                let motion = solver.run(0.0, until, &start)?;
                Ok(motion.q().iter().zip(exact.q()).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())))
            })?;
            let slope = series
                .points
                .first()
                .zip(series.points.last())
                .map_or(f64::NAN, |(first, last)| (last.1 / first.1).ln() / (last.0 / first.0).ln());
            finding.check(series.name.clone(), "exponent in TOL", Near(1.0, 0.25), slope);
            finding.draw("error", "TOL", "error", series);
        }
    }
    Ok(finding)
}
