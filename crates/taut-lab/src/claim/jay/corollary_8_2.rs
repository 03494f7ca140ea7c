//! Corollary 8.2: superconvergence.

use taut::options::Options;
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};
use taut_problems::find;
use taut_problems::mechanics::Pendulum;

use super::super::Expected::Order;
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use super::convergence::Scene;
use crate::comparison::start_of;
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-cor-8.2",
    paper: Paper::Jay,
    statement: "Lobatto IIIA-B-C-C* SPARK methods (17) with s stages converge with order 2s - 2 in y, z and u, whatever \
                the classes of forces (theorems 4.5, 4.6; corollary 8.2).",
    claimed: "q, v, lambda 2s - 2 for s = 2, 3, 4: 2, 4, 6",
    bounds: "order 2s - 2 of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

/// All classes of forces at once, M(q), a constraint that moves with time.
pub(super) fn all_classes() -> Sketch {
    Sketch::new(["x", "y"])
        .kinetic(|q, v| {
            (v[0].square() * (q[1].square() + 1.0) + v[1].square() * (q[0].cos() + 2.0) + v[0] * v[1]) * 0.5
        })
        .potential(|q| q[1] + q[0] * q[1] * 0.3)
        .force(ForceClass::Conservative, 0, |_t, q, _v| -(q[0].sin() * 0.4))
        .force(ForceClass::Dissipative, 1, |_t, _q, v| -(v[1] * 0.3) - v[1] * v[1] * v[1] * 0.1)
        .force(ForceClass::Driving, 0, |t, _q, v| (t * 3.0).cos() * 0.5 + v[0] * 0.2)
        .force(ForceClass::Oscillatory, 1, |_t, q, _v| -(q[1] * 2.0))
        .rod("rod", |t, q| (q[0] - t.sin() * 0.2).square() + q[1].square() - 1.0)
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let pendulum = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    let classes = Differentiated::new(all_classes());
    let andrews = find("andrews")?;
    let andrews_start = start_of(&andrews);
    let scene = |name, system, start, until| Scene { name, system, start, until, kinks: &[] };
    let mut scenes = vec![
        (scene("pendulum", &pendulum, &[1.0, 0.0, 0.0, 0.0], 2.0), [64, 24, 12]),
        (scene("all classes", &classes, &[0.6, -0.8, 0.4, 0.3], 1.0), [100, 24, 6]),
    ];
    if let Some(system) = andrews.system.mechanism() {
        scenes.push((scene("squeezer", system, &andrews_start, 0.03), [1200, 300, 160]));
    }
    let mut finding = Finding::default();
    for (scene, steps) in scenes {
        for (stages, first) in (2..).zip(steps) {
            let steps = [first, first * 4 / 3, first * 5 / 3, first * 2];
            let orders = scene.orders(trial.stages(stages), &Options::default(), &steps)?;
            let order = Order(2 * stages - 2);
            let case = format!("{} s = {stages}", scene.name);
            finding.orders(&case, &orders, &[("q", order), ("v", order), ("lambda", order)]);
        }
    }
    Ok(finding)
}
