//! Section 7: numerical damping that can be chosen.

use std::f64::consts::PI;

use taut::Solver;
use taut::method::{Shares, SparkOptions};
use taut::options::Options;
use taut::system::{Differentiated, Scalar, Sketch};
use taut_tableau::{Lobatto, Matrix, Spark};

use super::super::Expected::{AtLeast, AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::convergence::Scene;
use super::corollary_8_2::all_classes;
use crate::error::LabError;
use crate::experiment::spectral_radius;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-7",
    paper: Paper::Jay,
    statement: "Treating a share of a force with Lobatto IIIC changes the damping of high frequencies, from none to all of it, and \
                does not change the order.",
    claimed: "q, v, lambda 2s - 2 for every share; vibrations damped",
    bounds: "order 2s - 2 of corollary 8.2; 1 for the spectral radius of stable methods, 0 for that of removed vibrations",
    correction: Some(
        "Shares of forces alone do not damp elastic forces: with positions in IIIA the products with IIIB and IIIC are the same, \
         and vibrations with them. With positions in the same share of IIIC and forces in IIIB and IIIC vibrations are removed \
         for h omega to infinity, but grow at finite h omega below the shares 0.500, 0.629, 0.700, 0.749 for s = 2, ..., 5 (the last one in \
         a band of width 1e-3 near h omega = pi). With \
         positions and forces in IIIA and IIIC, the form of SparkOptions::damped, no vibration grows for any share and the highest \
         are removed.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages, Mutant::Without("shares for positions")]),
    experiment,
};

const SHARES: [f64; 3] = [0.0, 0.4, 1.0];
/// The least share that is stable with forces in IIIB, for s = 2, ..., 5.
const LEAST_STABLE: [f64; 4] = [0.500, 0.629, 0.700, 0.749];
/// How far below it frequencies grow that are found: close below it they are few, and high, but for s = 5 near pi.
const FOUND_BELOW: [f64; 4] = [0.2, 0.2, 0.2, 0.01];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    orders(trial, &mut finding)?;
    for s in 2..=5 {
        linear(trial, &mut finding, s)?;
    }
    for s in [2, 3] {
        elastic(trial, &mut finding, s)?;
    }
    Ok(finding)
}

fn orders(trial: &Trial, finding: &mut Finding) -> Result<(), LabError> {
    let system = Differentiated::new(all_classes());
    let start = [0.6, -0.8, 0.4, 0.3];
    let scene = Scene { name: "all classes", system: &system, start: &start, until: 1.0, kinks: &[] };
    for (stages, first) in [(2, 100), (3, 24)] {
        for share in SHARES {
            let mut of_forces = Options::default();
            of_forces.spark.conservative = Shares::damped(Lobatto::B, share);
            of_forces.spark.driving = Shares::damped(Lobatto::CStar, share);
            let of_all = Options { spark: SparkOptions::damped(share), ..Options::default() };
            for (name, options) in [("of forces", of_forces), ("of all", of_all)] {
                let steps = [first, first * 4 / 3, first * 5 / 3, first * 2];
                let orders = scene.orders(trial.stages(stages), &options, &steps)?;
                let order = OrderAtLeast(2 * stages - 2);
                let case = format!("s = {stages}, share {share} {name}");
                finding.orders(&case, &orders, &[("q", order), ("v", order), ("lambda", order)]);
            }
        }
    }
    Ok(())
}

/// The largest spectral radius of the oscillator over frequencies, and that of very high ones.
fn radii(spark: &Spark, share: f64, positions: bool, force: Lobatto) -> Result<(f64, f64), LabError> {
    let s = spark.stages();
    let mixed = |lobatto: Lobatto, share: f64| {
        let (own, damping) = (spark.matrix(lobatto), spark.matrix(Lobatto::C));
        Matrix::from_fn(s, s, |i, j| (1.0 - share) * own[(i, j)] + share * damping[(i, j)])
    };
    let first = mixed(Lobatto::A, if positions { share } else { 0.0 });
    let second = mixed(force, share);
    let radius = |mu: f64| spectral_radius(&first, &second, spark.b(), mu);
    let mut most = 0.0_f64;
    for k in 1..=400 {
        most = most.max(radius(0.05 * f64::from(k))?);
    }
    // Bands of growth near multiples of pi are narrow.
    for multiple in 1..=3 {
        for k in -100..=100 {
            most = most.max(radius(PI * f64::from(multiple) + 1e-4 * f64::from(k))?);
        }
    }
    Ok((most, radius(1e6)?))
}

fn linear(trial: &Trial, finding: &mut Finding, s: usize) -> Result<(), LabError> {
    let spark = Spark::new(s)?;
    let case = format!("s = {s}");
    let (without, with) =
        (radii(&spark, 0.0, false, Lobatto::B)?.0, radii(&spark, 0.8, false, Lobatto::B)?.0);
    finding.check(
        &case,
        "radius with shares of forces alone, over that without",
        Near(1.0, 1e-10),
        with / without,
    );
    let positions = !trial.without("shares for positions");
    for share in [0.05, 0.3, 0.8] {
        let (low, high) = radii(&spark, share, positions, Lobatto::A)?;
        let case = format!("s = {s}, share {share}, IIIA and IIIC");
        finding.check(&case, "largest radius", AtMost(1.0 + 1e-12), low);
        finding.check(&case, "radius for h omega = 1e6", AtMost(1e-3), high);
    }
    let least = LEAST_STABLE[s - 2];
    let (below, above) = (least - FOUND_BELOW[s - 2], least + 0.001);
    let unstable = radii(&spark, below, true, Lobatto::B)?.0;
    finding.check(format!("s = {s}, IIIB, share {below:.3}"), "radius below", AtLeast(1.0 + 1e-5), unstable);
    let stable = radii(&spark, above, true, Lobatto::B)?.0;
    finding.check(format!("s = {s}, IIIB, share {above:.3}"), "radius above", AtMost(1.0 + 1e-9), stable);
    let curve = |force: Lobatto| -> Result<Vec<(f64, f64)>, LabError> {
        let shares = (1..=5).map(|k| 0.2 * f64::from(k));
        shares.map(|share| Ok((share, radii(&spark, share, true, force)?.0))).collect()
    };
    for (name, force) in [("IIIA and IIIC", Lobatto::A), ("IIIB and IIIC", Lobatto::B)] {
        let series = Series::plain(format!("s = {s}, {name}"), curve(force)?);
        finding.draw_on("largest spectral radius", ("share", "radius"), (false, true), series);
    }
    Ok(())
}

/// A slow and a fast vibration, coupled: what the product does to the energy of the fast one in a hundred steps of half a
/// slow radian.
fn elastic(trial: &Trial, finding: &mut Finding, s: usize) -> Result<(), LabError> {
    let stiffness = 1e6;
    let sketch = Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .potential(move |q| q[0].square() * 0.5 + (q[1] - q[0] * 0.1).square() * (0.5 * stiffness));
    let system = Differentiated::new(sketch);
    let start = [1.0, 0.1 + 1e-3, 0.0, 0.0];
    let fast = |y: &[f64]| 0.5 * stiffness * (y[1] - 0.1 * y[0]).powi(2) + 0.5 * (y[3] - 0.1 * y[2]).powi(2);
    for share in [0.1, 1.0] {
        let mut spark = SparkOptions::damped(share);
        if trial.without("shares for positions") {
            spark.positions = Shares::only(Lobatto::A);
        }
        let options = Options { spark, ..Options::default() };
        let solver = Solver::mechanical(&system).options(options).method(trial.spark(s)?).step(0.05);
        let motion = solver.run(0.0, 5.0, &start)?;
        let left = fast(&motion.y) / fast(&start);
        finding.check(format!("s = {s}, share {share}"), "fast energy left", AtMost(1e-3), left);
        let slow = 0.5 * (motion.y[0].powi(2) + motion.y[2].powi(2) * 1.01);
        finding.check(format!("s = {s}, share {share}"), "slow energy left", AtLeast(0.9), slow / 0.5);
    }
    Ok(())
}
