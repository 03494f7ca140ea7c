//! Theorem 4.3: existence and uniqueness of the numerical solution.

use taut::Solver;
use taut::options::Options;
use taut::run::{Observer, Snapshot};
use taut::system::{Differentiated, MechanicalSystem, Sketch};

use super::super::Expected::{AtMost, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::symplectic::{ON_THE_SPHERE, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-thm-4.3",
    paper: Paper::Jay,
    statement: "From g(y_0) = 0, a velocity off its constraint by O(h^2) and a multiplier off by O(h) a SPARK method that \
                satisfies (S), (20) and (21) has a locally unique solution for h <= h_0, with y_1 - y_0, z_1 - z_0 and \
                u_1 - u_0 = O(h).",
    claimed: "1; two iterations find the same, on the constraints",
    bounds: "order 1 of the statement; rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FartherStart]),
    experiment,
};

/// By how much the velocity is off the constraint, in units of h^2: the theorem allows g_y f = O(h^2).
const OFF: f64 = 0.5;

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let sphere = heavy_point_on_a_sphere();
    let steps: Vec<f64> = (0..7).map(|k| 0.1 * 0.5_f64.powi(k)).collect();
    for stages in [2, 3, 4] {
        let mut moved: [Vec<(f64, f64)>; 3] = Default::default();
        let (mut apart, mut off) = (0.0_f64, 0.0_f64);
        for &h in &steps {
            let [one, other] = [false, true].map(|whole| second_step(trial, &sphere, stages, h, whole));
            let (one, other) = (one?, other?);
            for (curve, parts) in moved.iter_mut().zip(one.parts()) {
                curve.push((h, distance(parts.0, parts.1)));
            }
            apart = apart.max(distance(&one.after, &other.after));
            off = off.max(one.off);
        }
        let case = format!("s = {stages}");
        for (quantity, points) in ["y_1 - y_0", "z_1 - z_0", "u_1 - u_0"].into_iter().zip(moved) {
            finding.slope(quantity, Order(1), "h", "distance", Series::fitted(&case, points, 1e-12));
        }
        finding.check(&case, "distance of what two iterations find", AtMost(1e-12), apart);
        finding.check(&case, "|Gv| after the step", AtMost(1e-13), off);
    }
    Ok(finding)
}

/// A step from a state off the constraints.
struct Step {
    before: Vec<f64>,
    after: Vec<f64>,
    /// |G v| at its end
    off: f64,
}

impl Step {
    /// y, z and u before and after it.
    fn parts(&self) -> [(&[f64], &[f64]); 3] {
        let part = |from: usize, to: usize| (&self.before[from..to], &self.after[from..to]);
        [part(0, 3), part(3, 6), part(6, 7)]
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
}

/// Keeps the first snapshot.
#[derive(Default)]
struct First(Option<Snapshot>);

impl Observer for First {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.get_or_insert_with(|| snapshot.clone());
    }
}

/// The second of two steps, before which the velocity is moved off the constraint and the multiplier off its value.
fn second_step(
    trial: &Trial,
    sphere: &Differentiated<Sketch>,
    stages: usize,
    h: f64,
    whole_matrix: bool,
) -> Result<Step, LabError> {
    let mut options = Options::default();
    options.spark.whole_matrix = whole_matrix;
    let solver = || {
        let solver = Solver::mechanical(sphere).options(options.clone()).step(h);
        Ok::<_, LabError>(solver.method(trial.spark(stages)?))
    };
    let mut keeper = First::default();
    solver()?.snapshot_every(1).run_with(0.0, 2.0 * h, &ON_THE_SPHERE, &mut keeper)?;
    let kept = keeper.0.unwrap_or_default();
    let mut before = kept.get("y").map(<[f64]>::to_vec).unwrap_or_default();
    let perturbation = trial.off(trial.off(OFF * h * h, h), h);
    for k in 0..3 {
        before[3 + k] += perturbation * before[k];
    }
    before[6] += OFF * h;
    let mut entries = kept.entries().to_vec();
    entries.iter_mut().filter(|(name, _)| name == "y").for_each(|(_, y)| y.clone_from(&before));
    let motion = solver()?.resume(Snapshot::from_entries(entries)).run(0.0, 2.0 * h, &ON_THE_SPHERE)?;
    let mut off = [0.0];
    sphere.constraint_rate(2.0 * h, motion.q(), motion.v(), &mut off)?;
    Ok(Step { before, after: motion.y.clone(), off: off[0].abs() })
}
