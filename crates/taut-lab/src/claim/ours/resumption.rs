//! Runs that go on from a snapshot.

use taut::Solver;
use taut::method::Method;
use taut::run::{Observer, Snapshot};
use taut::system::Differentiated;
use taut_problems::mechanics::Pendulum;

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "ours-resume",
    paper: Paper::Ours,
    statement: "A run that goes on from any of its snapshots ends with the bits of a run without snapshots.",
    claimed: "no bit differs",
    bounds: "no bit",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("its past")]),
    experiment,
};

/// Keeps all snapshots.
#[derive(Default)]
struct Keeper(Vec<Snapshot>);

impl Observer for Keeper {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.push(snapshot.clone());
    }
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    let (start, until) = ([0.6, -0.8, 0.4, 0.3], 5.0);
    for name in ["radau", "spark", "lobatto-iiic", "dopri8", "bdf", "adams"] {
        let method = Method::named(name)?;
        let solver = || Solver::mechanical(&pendulum).method(method.clone()).tolerance(1e-8);
        let whole = solver().run(0.0, until, &start)?;
        let mut keeper = Keeper::default();
        solver().snapshot_every(5).run_with(0.0, until, &start, &mut keeper)?;
        finding.check(name, "snapshots", AtLeast(1.0), keeper.0.len() as f64);
        let (mut bits, mut counters) = (0, 0_usize);
        for snapshot in keeper.0 {
            let resumed = match trial.without("its past") {
                true => {
                    let [t] = snapshot.numbers("t").unwrap_or([0.0]);
                    let y = snapshot.get("y").map(<[f64]>::to_vec).unwrap_or_default();
                    solver().run(t, until, &y[..4])?
                }
                false => solver().resume(snapshot).run(0.0, until, &start)?,
            };
            bits += resumed.y.iter().zip(&whole.y).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            counters += usize::from(resumed.statistics != whole.statistics);
        }
        finding.check(name, "numbers that differ", AtMost(0.0), bits as f64);
        if counters > 0 {
            finding.remarks.push(format!("With {name} {counters} of the resumed runs have other counters."));
        }
    }
    Ok(finding)
}
