//! Theorem 4.3: existence and uniqueness of the numerical solution.

use taut::Solver;
use taut::options::{Multipliers, Options};

use super::super::Expected::{AtMost, Order};
use super::super::{Claim, Finding, Paper, Series};
use super::convergence::spark;
use super::symplectic::{ON_THE_SPHERE, heavy_point_on_a_sphere};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-thm-4.3",
    paper: Paper::Jay,
    statement: "For h <= h_0 a SPARK method that satisfies (S), (20) and (21) has a locally unique solution, with y_1 - y_0, \
                z_1 - z_0, u_1 - u_0 and U_s - u_0 = O(h).",
    claimed: "1, Newton's iteration converges for all h",
    correction: None,
    fast: true,
    source: file!(),
    experiment,
};

fn experiment() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let sphere = heavy_point_on_a_sphere();
    let steps: Vec<f64> = (0..8).map(|k| 0.1 * 0.5_f64.powi(k)).collect();
    for stages in [2, 3, 4] {
        let mut moved: [Vec<(f64, f64)>; 4] = Default::default();
        let mut iterations: f64 = 0.0;
        for &h in &steps {
            for (multipliers, place) in [(Multipliers::FromAccelerations, 2), (Multipliers::FromStages, 3)] {
                let options = Options { multipliers, ..Options::default() };
                let solver = Solver::mechanical(&sphere).options(options).method(spark(stages)?).step(h);
                let motion = solver.run(0.0, h, &ON_THE_SPHERE)?;
                let Some(start) = &motion.start else { continue };
                let largest = |a: &[f64], b: &[f64]| {
                    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
                };
                if place == 2 {
                    moved[0].push((h, largest(motion.q(), &start.q)));
                    moved[1].push((h, largest(motion.v(), &start.v)));
                }
                moved[place].push((h, largest(motion.lambda(), &start.lambda)));
                iterations = iterations.max(motion.statistics.newton_iterations as f64);
            }
        }
        for (quantity, points) in ["y_1 - y_0", "z_1 - z_0", "u_1 - u_0", "U_s - u_0"].into_iter().zip(moved)
        {
            let series = Series::fitted(format!("s = {stages}"), points, 1e-12);
            finding.slope(quantity, Order(1), "h", "distance", series);
        }
        finding.check(format!("s = {stages}"), "most Newton iterations", AtMost(40.0), iterations);
    }
    Ok(finding)
}
