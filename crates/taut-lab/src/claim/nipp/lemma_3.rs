//! Lemma 3: stages exist near the constraint.

use taut_problems::theory::Form;
use taut_tableau::{Family, Tableau};

use super::super::Expected::{AtMost, Near, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::methods::{PLATEAU, stretched};
use crate::error::LabError;
use crate::experiment::{Graph, RungeKutta, largest};

pub(super) const CLAIM: Claim = Claim {
    id: "nipp-lemma-3",
    paper: Paper::Nipp,
    statement: "For G(x) = h^2 Delta the stages (13) of a Runge-Kutta method on the index-2 form exist, are unique, and \
                |X - x|, |Y - s_0(x)| = O(h) (14).",
    claimed: "X - x, Y - s_0(x) >= 1",
    bounds: "orders of (14); rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FartherStart]),
    experiment,
};

const STEPS: [f64; 6] = [0.02, 0.01, 0.005, 0.0025, 0.00125, 0.000625];

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let graph = Graph::curved(Form::Index2);
    let families =
        [(Family::RadauIia, 2), (Family::RadauIia, 3), (Family::RadauIa, 3), (Family::LobattoIiic, 3)];
    for (family, s) in families {
        let (name, tableau) = (format!("{family} s = {s}"), family.tableau(s)?);
        for (place, quantity) in ["X - x", "Y - s_0(x)"].into_iter().enumerate() {
            let series = Series::measured(&name, &STEPS, PLATEAU, |h| {
                Ok(distances(&graph, &tableau, h, trial.off(h * h, h))?.0[place])
            })?;
            finding.slope(quantity, OrderAtLeast(1), "h", "distance", series);
        }
        let apart = STEPS.iter().map(|&h| Ok(distances(&graph, &tableau, h, trial.off(h * h, h))?.1 * h));
        let apart = largest(apart.collect::<Result<Vec<f64>, LabError>>()?);
        finding.check(&name, "h times distance of solutions from two guesses", AtMost(1e-14), apart);
        let far =
            Series::measured(&name, &STEPS, PLATEAU, |h| Ok(distances(&graph, &tableau, h, 0.1 * h)?.0[1]))?;
        finding.check(&name, "order of Y - s_0(x) for G(x) = O(h)", Near(0.0, 0.1), far.slope());
        finding.draw("Y - s_0(x) for G(x) = O(h)", "h", "distance", far);
    }
    Ok(finding)
}

/// |X - x| and |Y - s_0(x)| of the stages from a point with this G(x), and how much Y depends on where Newton begins.
fn distances(graph: &Graph, tableau: &Tableau, h: f64, off: f64) -> Result<([f64; 2], f64), LabError> {
    let method = RungeKutta::new(tableau)?;
    let mut state = stretched(&graph.solution(0.0), off);
    state[2] -= graph.above(&state);
    let moved = method.stages(&graph.system, h, &state, &vec![0.0; 3 * tableau.stages()])?;
    let guess: Vec<f64> = (0..3 * tableau.stages()).map(|k| if k % 3 == 2 { 0.2 } else { h }).collect();
    let other = method.stages(&graph.system, h, &state, &guess)?;
    let part =
        |y: bool| largest(moved.iter().enumerate().filter(|(k, _)| (k % 3 == 2) == y).map(|(_, x)| *x));
    let apart = largest(moved.iter().zip(&other).map(|(one, other)| one - other));
    Ok(([part(false), part(true)], apart))
}
