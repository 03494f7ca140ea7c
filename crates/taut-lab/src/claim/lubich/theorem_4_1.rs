//! Theorem 4.1: the associated system of index 3.

use taut_problems::find;
use taut_tableau::Family;

use super::super::Expected::{Order, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use super::stiff_end;
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;
use crate::order::{Setting, measure_orders};

pub(super) const CLAIM: Claim = Claim {
    id: "lubich-4.1",
    paper: Paper::Lubich,
    statement: "On the system (2.25.0) of index 3 a Runge-Kutta method of stage order q >= 1 with |R(inf)| < 1 converges with \
                order q in y and y' (4.1), and collocation methods with c_s = 1 with order p in y (4.2).",
    claimed: "y, y' >= q; Radau IIA: y 2s - 1, y' s",
    bounds: "orders of (4.1) and (4.2)",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let pendulum = find("pendulum/cash_g1")?;
    for (s, steps) in [(2, [32, 48, 64, 96, 128]), (3, [16, 24, 32, 48, 64])] {
        let orders = measure_orders(&pendulum, 1.0, &Setting::classical("radau", trial.stages(s))?, &steps)?;
        finding.orders(&format!("radau s = {s}"), &orders, &[("q", Order(2 * s - 1)), ("v", Order(s))]);
    }
    for (name, s, q) in [("radau-ia", 3, 2), ("radau-ia", 4, 3), ("lobatto-iiic", 3, 2)] {
        let orders = measure_orders(
            &pendulum,
            1.0,
            &Setting::classical(name, trial.stages_of(name, s))?,
            &[32, 48, 64, 96, 128],
        )?;
        finding.orders(
            &format!("{name} s = {s}"),
            &orders,
            &[("q", OrderAtLeast(q)), ("v", OrderAtLeast(q))],
        );
    }
    // In extended precision: high orders, and stage order 1, which the library refuses on index 3 since multipliers do not
    // converge.
    let others = [
        (Family::RadauIia, 4, [Order(7), Order(4)]),
        (Family::LobattoIiic, 4, [OrderAtLeast(3); 2]),
        (Family::Sdirk, 2, [OrderAtLeast(1); 2]),
        (Family::Sdirk, 3, [OrderAtLeast(1); 2]),
        (Family::Sdirk, 5, [OrderAtLeast(1); 2]),
    ];
    let start = Expansion::at_start(tangent_start(), 0);
    let exact = start.after(1.0).coefficients[0];
    for (family, s, orders) in others {
        let tableau = trial.tableau(family, s)?;
        let mut curves = [const { Vec::new() }; 2];
        for steps in [64_usize, 96, 128, 192, 256] {
            let end = stiff_end(&tableau, steps, 0.0, start.coefficients[0])?;
            for (curve, error) in curves.iter_mut().zip(end.minus(&exact).sizes()) {
                curve.push((1.0 / steps as f64, error));
            }
        }
        for ((name, order), points) in ["q", "v"].into_iter().zip(orders).zip(curves) {
            let series = Series::fitted(format!("{family} s = {s}"), points, 1e-22);
            finding.slope(name, order, "h", "error", series);
        }
    }
    Ok(finding)
}
