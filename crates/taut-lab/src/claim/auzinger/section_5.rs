//! Section 5 and footnote 4: the manifold attracts, and steps may vary.

use taut::Solver;
use taut::method::Method;
use taut::run::Output;
use taut::system::Linearised;
use taut_problems::theory::{StarCurve, StiffDirection};
use taut_tableau::Family::RadauIia;

use super::super::Expected::{AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::scenes::{PLATEAU, STARS, STEPS, scheme};
use crate::error::LabError;
use crate::experiment::decay;

pub(super) const CLAIM: Claim = Claim {
    id: "auzinger-5",
    paper: Paper::Auzinger,
    statement: "Solutions off the manifold are drawn to it at least like exp(-t/eps) (section 5); the error bounds of Theorem 4.7 hold \
                for steps that vary (footnote 4).",
    claimed: "logarithm of the distance falls by 1/eps per unit of time; smooth error >= s + 1 with steps h and h/2 in turn",
    bounds: "rate 1/eps of the class, up to a hundredth; orders of (4.26)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Matrix]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for epsilon in [1e-2, 1e-3] {
        let curve = StarCurve { epsilon };
        let system = Linearised::new(curve);
        let start: Vec<f64> = curve.solution(0.0).iter().map(|x| 1.05 * x).collect();
        let until = 8.0 * epsilon;
        let solver = Solver::first_order(&system).method(Method::named("dopri8")?).tolerance(1e-12);
        let motion =
            solver.output(Output::Samples { first: 0.0, last: until, count: 9 }).run(0.0, until, &start)?;
        let distances: Vec<f64> = motion
            .trajectory
            .iter()
            .map(|(_, eta)| {
                let foot = curve.foot(eta);
                (eta[0] - foot[0]).hypot(eta[1] - foot[1])
            })
            .collect();
        // From sample to sample, a time eps, the distance falls by exp(-1) at least.
        let case = format!("flow, eps {epsilon:.0e}");
        finding.check(case, "distance after a time eps", AtMost((-0.99_f64).exp()), decay(&distances, 1e-12));
    }
    for problem in STARS {
        for s in [2, 3] {
            let method = scheme(trial, RadauIia, s)?;
            let case = format!("s = {s}, {}", problem.0);
            let series = Series::measured(case, &STEPS, PLATEAU, |h| {
                let scene = problem.1(1e-9);
                let (mut t, mut eta, mut most) = (0.0, scene.start(0.0), 0.0_f64);
                for step in [h, 0.5 * h].into_iter().cycle() {
                    if t > 2.0 {
                        break;
                    }
                    eta = scene.step(&method, t, step, &eta)?;
                    t += step;
                    most = most.max(scene.split(t, &eta).smooth);
                }
                Ok(most)
            })?;
            finding.slope("smooth, steps h and h/2", OrderAtLeast(s + 1), "h", "error", series);
        }
    }
    Ok(finding)
}
