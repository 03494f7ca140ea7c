//! Actions of stiff springs over a million periods, with steps of many periods.

use std::f64::consts::{PI, TAU};

use taut::Solver;
use taut::method::Method;
use taut::options::{Projection, Vibrations};
use taut::run::Output;
use taut::system::Differentiated;
use taut_problems::mechanics::StiffSpringPendulum;

use super::super::Expected::{AtLeast, AtMost, Near, Order};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::experiment::{Filters, oscillatory_energy_change};
use crate::order::Setting;

pub(super) const TURNING: Claim = Claim {
    id: "beyond-adiabatic-turning",
    paper: Paper::Beyond,
    statement: "The energy of the vibration of a stiff spring pendulum, an adiabatic invariant of the motion (Benettin, Galgani and \
                Giorgilli 1987), is kept by Gauss methods with steps h >> eps over a million periods as long as h^2 << eps, and is \
                lost where h^2 is not small against eps, since the direction of the spring turns (Ascher and Reich 1999 on the \
                midpoint rule): its change is a function of h^2/eps alone, of the order 1 for one stage and 2 for two. Methods that \
                damp, as Radau IIA, remove it at once.",
    claimed: "change like h^2/eps (s = 1), (h^2/eps)^2 (s = 2), the same for eps = 1e-4 and 1e-5; h = 100 eps, s = 2: no drift in 1e6 \
              periods",
    bounds: "exponents of the statement; a tenth for \"the same\"; a fifth more in the second half for \"no drift\"; a fifth of the \
             energy for \"lost\"",
    correction: None,
    fast: false,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("a method that does not damp")]),
    experiment: turning,
};

pub(super) const TRIGONOMETRIC: Claim = Claim {
    id: "beyond-adiabatic-trigonometric",
    paper: Paper::Beyond,
    statement: "Where the direction of a stiff spring is fixed, trigonometric methods whose filters satisfy |psi| <= C sinc^2(h omega/2), \
                |phi| <= C |sinc(h omega/2)| and |psi phi| <= C |sinc(h omega)| keep the energy of its vibration to O(h) over long times with \
                any h omega (Hairer and Lubich 2000); those that do not satisfy them lose it near multiples of pi: Deuflhard's near \
                even, Gautschi's near odd ones.",
    claimed: "1e6 periods with h omega about 30: change <= h with sinc^2 and sinc, more than a twentieth of the energy with the others",
    bounds: "h of the statement, with C = 1; a twentieth of the energy, 0.5, for \"lost\"",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("filters")]),
    experiment: trigonometric,
};

const PERIODS: f64 = 1e6;
/// The energy of the vibration at the start, where its velocity is 1.
const ENERGY: f64 = 0.5;

/// The largest changes of the energy of the vibration in the first and in the second half of a run.
fn changes(trial: &Trial, stages: usize, epsilon: f64, h: f64, until: f64) -> Result<[f64; 2], LabError> {
    let method = match trial.without("a method that does not damp") {
        true => Method::radau().with_stages(stages + 1)?,
        false => Method::named("gauss")?.with_stages(stages)?,
    };
    let system =
        Differentiated::new(StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 });
    let setting = Setting::of(method).projection(Projection::None);
    let mut options = setting.options(h);
    options.vibrations = Vibrations::Follow;
    let solver = Solver::mechanical(&system).method(setting.method.clone()).options(options);
    let motion = solver.output(Output::Steps).run(0.0, until, &[1.0, 0.0, 1.0, 0.0])?;
    let mut largest = [0.0_f64; 2];
    for (t, y) in motion.trajectory.iter() {
        let length = y[0].hypot(y[1]);
        let (rate, stretch) = ((y[0] * y[2] + y[1] * y[3]) / length, (length - 1.0) / epsilon);
        let change = (0.5 * (rate * rate + stretch * stretch) - ENERGY).abs();
        let half = usize::from(t > 0.5 * until);
        largest[half] = largest[half].max(change);
    }
    Ok(largest)
}

fn turning(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let shares: [(usize, &[f64]); 2] = [(1, &[0.8, 0.4, 0.2, 0.1]), (2, &[1.6, 1.2, 0.8, 0.6, 0.4])];
    for (stages, shares) in shares {
        let case = format!("gauss s = {stages}");
        let curve = |epsilon: f64| -> Result<Vec<(f64, f64)>, LabError> {
            let change = |share: f64| -> Result<f64, LabError> {
                let [first, second] = changes(trial, stages, epsilon, (share * epsilon).sqrt(), 10.0)?;
                Ok(first.max(second))
            };
            shares.iter().map(|&share| Ok((share, change(share)?))).collect()
        };
        let (soft, stiff) = (curve(1e-4)?, curve(1e-5)?);
        let apart = soft.iter().zip(&stiff).map(|(a, b)| (a.1 / b.1 - 1.0).abs()).fold(0.0, f64::max);
        finding.check(&case, "change at eps = 1e-4 over that at 1e-5, less 1", AtMost(0.1), apart);
        let name = format!("{case}, eps = 1e-5");
        finding.slope("change", Order(stages), "h^2/eps", "change", Series::fitted(name, stiff, 0.0));
    }
    let epsilon = 1e-5;
    let [first, second] = changes(trial, 2, epsilon, 100.0 * epsilon, PERIODS * TAU * epsilon)?;
    let case = "gauss s = 2, h = 100 eps, 1e6 periods";
    finding.check(case, "change over the energy", AtMost(1e-3), second / ENERGY);
    finding.check(case, "change of the second half over the first", Near(1.0, 0.2), second / first);
    let [_, lost] = changes(trial, 2, epsilon, 1000.0 * epsilon, 10.0)?;
    let case = "gauss s = 2, h = 1000 eps, h^2 = 10 eps";
    finding.check(case, "change over the energy, where it is lost", AtLeast(0.2), lost / ENERGY);
    Ok(finding)
}

fn trigonometric(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let omega = 1e3;
    let change = |xi: f64, filters: fn(f64) -> Filters| {
        oscillatory_energy_change(omega, xi / omega, filters(xi), (PERIODS * TAU / xi) as usize)
    };
    let good = if trial.without("filters") { Filters::deuflhard } else { Filters::mollified };
    let places = [9.5, 10.0, 10.4, 11.0].map(|turns| turns * PI * 1.0001);
    for xi in places {
        let case = format!("sinc^2, sinc, h omega = {:.4} pi", xi / PI);
        finding.check(case, "change over h", AtMost(1.0), change(xi, good) * omega / xi);
    }
    lost(&mut finding, "Deuflhard", 10.0 * PI * 1.0001, &|xi| change(xi, Filters::deuflhard));
    lost(&mut finding, "Gautschi", 11.0 * PI * 1.0001, &|xi| change(xi, Filters::gautschi));
    Ok(finding)
}

fn lost(finding: &mut Finding, name: &str, xi: f64, change: &dyn Fn(f64) -> f64) {
    let case = format!("{name}, h omega = {:.4} pi", xi / PI);
    finding.check(case, "change over the energy, where it is lost", AtLeast(0.05), change(xi) / ENERGY);
}
