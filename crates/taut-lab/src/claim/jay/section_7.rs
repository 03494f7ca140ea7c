//! Section 7: numerical damping that can be chosen.

use taut::method::Shares;
use taut::options::Options;
use taut::system::Differentiated;
use taut_tableau::{Lobatto, Spark};

use super::super::Expected::{Near, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::convergence::Scene;
use super::corollary_8_2::all_classes;
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-7",
    paper: Paper::Jay,
    statement: "Treating a share of a force with Lobatto IIIC changes the damping of high frequencies, from none to all of \
                it, and does not change the order.",
    claimed: "q, v, lambda 2s - 2 for every share; |R(inf)| from 1 to 0",
    bounds: "order 2s - 2 of corollary 8.2; |R(inf)| of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

const SHARES: [f64; 3] = [0.0, 0.4, 1.0];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let system = Differentiated::new(all_classes());
    let start = [0.6, -0.8, 0.4, 0.3];
    let scene = Scene { name: "all classes", system: &system, start: &start, until: 1.0, kinks: &[] };
    for (stages, first) in [(2, 100), (3, 24)] {
        for share in SHARES {
            let mut options = Options::default();
            options.spark.conservative = Shares::damped(Lobatto::B, share);
            options.spark.driving = Shares::damped(Lobatto::CStar, share);
            let orders = scene.orders(
                trial.stages(stages),
                &options,
                &[first, first * 4 / 3, first * 5 / 3, first * 2],
            )?;
            let order = Order(2 * stages - 2);
            let case = format!("s = {stages}, share {share}");
            finding.orders(&case, &orders, &[("q", order), ("v", order), ("lambda", order)]);
        }
    }
    for stages in [2, 3, 4] {
        let spark = Spark::new(stages)?;
        let at_infinity = |share: f64| -> Result<f64, LabError> {
            let mixed = spark.combination(&[(Lobatto::B, 1.0 - share), (Lobatto::C, share)])?;
            Ok(mixed.stability_function().at_infinity().abs())
        };
        let case = format!("s = {stages}");
        finding.check(&case, "|R(inf)| undamped", Near(1.0, 1e-12), at_infinity(0.0)?);
        finding.check(&case, "|R(inf)| damped", Near(0.0, 1e-12), at_infinity(1.0)?);
        let points: Vec<(f64, f64)> = (0..=20)
            .map(|k| 0.05 * f64::from(k))
            .map(|share| Ok((share, at_infinity(share)?)))
            .collect::<Result<_, LabError>>()?;
        finding.draw_on(
            "damping of the highest frequencies",
            ("share", "|R(inf)|"),
            (false, false),
            Series::plain(case, points),
        );
    }
    Ok(finding)
}
