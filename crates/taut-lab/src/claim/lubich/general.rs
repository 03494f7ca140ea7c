//! Theorem 3.1 beyond the pendulum: general U, M(y) and f(y, y'), through the engine.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Projection;
use taut::system::{Constraint, Differentiated, ForceClass, Mass, Mechanical, Scalar};

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::order::Setting;

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-general",
    paper: Paper::Lubich,
    statement: "On (2.1) with two stiff springs of different kind, M(y) and forces f(y, y') with friction, n = 3 and m = 2, the numerical \
                solution is that of the rigid system up to O(eps^2), with steps longer than eps and as long as it.",
    claimed: "distance from eps = 0: exponent 2 in eps, for fixed h; 2 in h for eps = h",
    bounds: "exponents of (3.7) and (6.2), q = 3",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("squares of eps")]),
    experiment,
};

/// A point in space, held by a spring to a sphere and by another, of four times its compliance, to a paraboloid that is curved
/// along it; its mass depends on the place, and friction slows it down.
struct Point {
    epsilon: f64,
}

impl Mechanical for Point {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(q[0].square() * 0.3 + 1.0);
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[2] + q[0] * q[1] * 0.2
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, _q: &[S], v: &[S], force: &mut [S]) {
        if class == ForceClass::Dissipative {
            force.iter_mut().zip(v).for_each(|(force, v)| *force -= *v * 0.2);
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        let compliance = self.epsilon * self.epsilon;
        vec![Constraint::spring("sphere", compliance), Constraint::spring("bowl", 4.0 * compliance)]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() + q[2].square()).sqrt() - 1.0;
        g[1] = q[1] - q[0].square() * 0.5 - q[2] * 0.3;
    }
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let distance = |epsilon: f64, h: f64| -> Result<f64, LabError> {
        let (stiff, rigid) = (run(trial, epsilon, h)?, run(trial, 0.0, h)?);
        let pairs = stiff.q().iter().zip(rigid.q());
        Ok(pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())))
    };
    let epsilons = [4e-3, 3e-3, 2e-3, 1.5e-3, 1e-3];
    for h in [0.1, 0.05] {
        let series = Series::measured(format!("h = {h}"), &epsilons, 1e-12, |epsilon| distance(epsilon, h))?;
        finding.slope("distance over eps", Near(2.0, 0.2), "eps", "distance", series);
    }
    let steps = [0.1, 0.0625, 0.05, 0.04, 0.025];
    let series = Series::measured("eps = h/4", &steps, 1e-12, |h| distance(0.25 * h, h))?;
    finding.slope("distance over h", Near(2.0, 0.2), "h", "distance", series);
    let largest = distance(1e-3, 0.05)? / 1e-6;
    finding.check("eps = 1e-3", "distance over eps^2", AtMost(30.0), largest);
    Ok(finding)
}

/// A run of Radau IIA with three stages to t = 1.
fn run(trial: &Trial, epsilon: f64, h: f64) -> Result<Motion, LabError> {
    // As a mutant the compliance is that of eps itself, not of its square.
    let epsilon = if trial.without("squares of eps") { epsilon.sqrt() } else { epsilon };
    let system = Differentiated::new(Point { epsilon });
    let setting = Setting::of(Method::radau().with_stages(3)?).projection(Projection::None);
    let solver = Solver::mechanical(&system).method(setting.method.clone()).options(setting.options(h));
    // A point of both surfaces with a velocity along both.
    let x = 0.6_f64;
    let (half, level) = (0.15 * x * x / 1.09, (x * x + 0.25 * x.powi(4) - 1.0) / 1.09);
    let z = -half - (half * half - level).sqrt();
    let y = 0.5 * x * x + 0.3 * z;
    let w = 0.3;
    let u = -w * (z + 0.3 * y) / (x + x * y);
    Ok(solver.run(0.0, 1.0, &[x, y, z, u, x * u + 0.3 * w, w])?)
}
