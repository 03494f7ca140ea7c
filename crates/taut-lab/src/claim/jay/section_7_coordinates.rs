//! Section 7: shares of damping that differ from coordinate to coordinate, and follow the solution.

use taut::Solver;
use taut::method::{Damped, Damping, SparkOptions};
use taut::options::Options;
use taut::system::{Differentiated, Scalar, Sketch};

use super::super::Expected::{AtLeast, AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::convergence::Scene;
use super::corollary_8_2::all_classes;
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-7-coordinates",
    paper: Paper::Jay,
    statement: "The coefficients that control numerical damping may be others for each component of positions and forces, and depend on \
                the solution: the order stays, and what is not to be damped is not.",
    claimed: "q, v, lambda 2s - 2; a stiff coordinate is damped, the others keep their energy; damping stops where a share says so",
    bounds: "order 2s - 2 of corollary 8.2; a thousandth for \"damped\", a tenth less for \"keep\"; a share that acts above a hundredth of \
             the energy leaves that, up to a factor 2 for the oscillation of the energy",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages, Mutant::Without("shares for positions")]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    orders(trial, &mut finding)?;
    for s in [2, 3] {
        stiff_coordinate(trial, &mut finding, s)?;
    }
    following(trial, &mut finding)?;
    Ok(finding)
}

fn options(trial: &Trial, damping: Damping) -> Options {
    let forces_only = trial.without("shares for positions");
    let damping_of = if forces_only { Damped::AppliedForces } else { Damped::Motion };
    Options { spark: SparkOptions { damping, damping_of, ..SparkOptions::default() }, ..Options::default() }
}

fn orders(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let system = Differentiated::new(all_classes());
    let start = [0.6, -0.8, 0.4, 0.3];
    let scene = Scene { name: "all classes", system: &system, start: &start, until: 1.0, kinks: &[] };
    let following = || {
        Damping::of(|t, q, v, shares| {
            shares.copy_from_slice(&[0.5 + 0.4 * (3.0 * t).sin() * q[0], v[1].abs()])
        })
    };
    for (stages, first) in [(2, 100), (3, 24)] {
        for (name, damping) in
            [("0.4 and 0", Damping::Shares(vec![0.4, 0.0])), ("of the solution", following())]
        {
            let steps = [first, first * 4 / 3, first * 5 / 3, first * 2];
            let orders = scene.orders(trial.stages(stages), &options(trial, damping), &steps)?;
            let order = OrderAtLeast(2 * stages - 2);
            let case = format!("s = {stages}, shares {name}");
            finding.orders(&case, &orders, &[("q", order), ("v", order), ("lambda", order)]);
        }
    }
    Ok(())
}

/// A stiff coordinate x beside a slow one, in steps of half a slow radian: with a share for x alone its vibration is gone
/// soon and y keeps its energy; with the same share for both y is damped as well, with two stages by much.
fn stiff_coordinate(trial: &Trial, finding: &mut Finding, s: usize) -> Result<(), LabError> {
    let stiffness = 1e6;
    let sketch = Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .potential(move |q| q[0].square() * (0.5 * stiffness) + q[1].square() * 0.5 + q[0] * q[1] * 0.3);
    let system = Differentiated::new(sketch);
    let start = [1e-3, 1.0, 0.0, 0.0];
    let run = |shares: [f64; 2], steps: usize| {
        let solver = Solver::mechanical(&system).options(options(trial, Damping::Shares(shares.to_vec())));
        Ok::<_, LabError>(solver.method(trial.spark(s)?).step(0.5).run(0.0, 0.5 * steps as f64, &start)?.y)
    };
    let (fast, slow) =
        (|y: &[f64]| stiffness * y[0] * y[0] + y[2] * y[2], |y: &[f64]| y[1] * y[1] + y[3] * y[3]);
    let case = format!("s = {s}, share 0.3 of x");
    finding.check(&case, "fast energy left after 100 steps", AtMost(1e-3), fast(&run([0.3, 0.0], 100)?));
    finding.check(&case, "slow energy left after 2000 steps", AtLeast(0.9), slow(&run([0.3, 0.0], 2000)?));
    if s == 2 {
        let both = slow(&run([0.3, 0.3], 2000)?);
        finding.check("s = 2, share 0.3 of both", "slow energy left, both damped", AtMost(0.5), both);
    }
    Ok(())
}

/// A vibration that is damped while its energy is above a hundredth of that of the start.
fn following(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let sketch = Sketch::new(["x"]).kinetic(|_q, v| v[0].square() * 0.5).potential(|q| q[0].square() * 50.0);
    let system = Differentiated::new(sketch);
    let energy = |q: f64, v: f64| 100.0 * q * q + v * v;
    let damping =
        Damping::of(move |_t, q, v, shares| shares[0] = f64::from(u8::from(energy(q[0], v[0]) > 0.01)));
    let solver =
        Solver::mechanical(&system).options(options(trial, damping)).method(trial.spark(2)?).step(0.1);
    let motion = solver.run(0.0, 40.0, &[0.1, 0.0])?;
    let left = energy(motion.y[0], motion.y[1]);
    finding.check("s = 2, share above a hundredth of the energy", "energy left, at most", AtMost(0.02), left);
    finding.check(
        "s = 2, share above a hundredth of the energy",
        "energy left, at least",
        AtLeast(0.002),
        left,
    );
    Ok(())
}
