//! The order of convergence over the plane of h and eps.

use taut_tableau::number::DoubleDouble;
use taut_tableau::{Family, Multistep, Tableau};

use super::super::Expected::{AtLeast, Order, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Table, Trial};
use crate::error::LabError;
use crate::experiment::series;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::one_stage::{GeneralisedAlpha, acceleration_at, differentiate_backward};
use crate::experiment::spring::runge_kutta::{Expanded, Stepper};
use crate::experiment::spring::vibration::vibrate_until;
use crate::experiment::spring::{State, plus, tangent_start};

pub(super) const CLAIM: Claim = Claim {
    id: "beyond-order-maps",
    paper: Paper::Beyond,
    statement: "On the pendulum on a spring, from a start on smooth motion, methods have their classical order for h << eps and their \
                order on index 3 for h >> eps (Runge-Kutta: Lubich 1992, theorem 4.1; backward differentiation: Hairer, Lubich and Roche \
                1989; generalised alpha: Arnold and Bruels 2007); Runge-Kutta methods with |R(inf)| < 1 converge with the stage order q \
                for all eps together (theorem 3.1), bdf k = 2 and generalised alpha, which are A-stable, with order 2. Gauss, with \
                |R(inf)| = 1, does not converge in y' for h >> eps, and bdf k = 3 grows on vibrations where h is about eps.",
    claimed: "y, y' for h << eps: p; for h >> eps: radau 5, 3, lobatto-iiic >= 2, sdirk >= 1, bdf k, generalised alpha 2; for all eps: q, 2; \
              gauss y' 0; bdf k = 3: a hundred times the error for h >> eps",
    bounds: "orders of the statements; a hundred for \"grows\"",
    correction: None,
    fast: false,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::FewerStages]),
    experiment,
};

/// Powers of 1/2.
const STEPS: [i32; COLUMNS] = [3, 4, 5, 6, 7, 8, 9];
const COLUMNS: usize = 7;
/// So many of the longest steps are too long for any order.
const TOO_LONG: usize = 3;
const STIFFNESSES: [i32; 7] = [2, 4, 6, 8, 10, 14, 24];
/// Terms of smooth motion; its series is of no use for springs that are softer than 2^-6.
const TERMS: usize = 5;
const SOFTEST: i32 = 6;
/// What is left of errors in extended precision.
const PLATEAU: f64 = 1e-20;

/// What is asked of y and y' for h << eps, for h >> eps and for all eps.
struct Asked {
    classical: usize,
    rigid: Rigid,
    uniform: Option<usize>,
}

/// What is asked for h >> eps.
#[derive(Clone, Copy)]
enum Rigid {
    Orders([usize; 2]),
    /// y' does not converge
    NoVelocities,
}

/// A method on the pendulum.
enum Method {
    RungeKutta(Box<Tableau>),
    Backward(Multistep),
    Alpha(GeneralisedAlpha),
}

fn methods(trial: &Trial) -> Result<Vec<(String, Method, Asked)>, LabError> {
    let mut methods = Vec::new();
    for (family, s, classical, rigid, uniform) in [
        (Family::RadauIia, 3, 5, Rigid::Orders([5, 3]), Some(3)),
        (Family::Gauss, 2, 4, Rigid::NoVelocities, None),
        (Family::LobattoIiic, 3, 4, Rigid::Orders([2, 2]), Some(2)),
        (Family::Sdirk, 3, 3, Rigid::Orders([1, 1]), Some(1)),
    ] {
        let asked = Asked { classical, rigid, uniform };
        methods.push((
            format!("{family} s = {s}"),
            Method::RungeKutta(Box::new(trial.tableau(family, s)?)),
            asked,
        ));
    }
    for (k, uniform) in [(2, Some(2)), (3, None)] {
        let method = Method::Backward(Multistep::bdf(trial.stages(k))?);
        let asked = Asked { classical: k, rigid: Rigid::Orders([k, k]), uniform };
        methods.push((format!("bdf k = {k}"), method, asked));
    }
    let asked = Asked { classical: 2, rigid: Rigid::Orders([2, 2]), uniform: Some(2) };
    methods.push(("generalised alpha".to_owned(), Method::Alpha(GeneralisedAlpha::new(0.8)), asked));
    Ok(methods)
}

/// The motion that starts smoothly.
struct Motion {
    start: Expansion,
    end: Expansion,
}

impl Motion {
    fn begin(&self, epsilon: f64) -> State {
        // The series diverges for soft springs; any start will do there, and one term vibrates little.
        self.start.sum(epsilon, if epsilon > half_to(SOFTEST) { 1 } else { TERMS })
    }

    fn at(&self, epsilon: f64, t: f64) -> State {
        match epsilon > half_to(SOFTEST) {
            true => vibrate_until(self.begin(epsilon), epsilon, t),
            false if t == 1.0 => self.end.sum(epsilon, TERMS),
            false if t == 0.0 => self.begin(epsilon),
            false => self.start.after(t).sum(epsilon, TERMS),
        }
    }

    /// The state at t = 1 after steps of the length 1/steps.
    fn end_of(&self, method: &Method, epsilon: f64, steps: usize) -> Result<State, LabError> {
        let h = DoubleDouble::ONE / DoubleDouble::from(steps);
        match method {
            Method::RungeKutta(tableau) => {
                let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
                let stepper = Stepper::<1>::new(tableau, h, series::Series::from(e));
                let end = stepper.run(Expanded::new(&[self.begin(epsilon)]), steps)?;
                Ok(end.coefficient(0))
            }
            Method::Backward(method) => {
                let history = (0..method.steps()).map(|j| self.at(epsilon, j as f64 * h.to_f64())).collect();
                Ok(differentiate_backward(method, history, h, epsilon, steps))
            }
            Method::Alpha(method) => {
                let (now, soon) = (self.begin(epsilon), self.at(epsilon, h.to_f64()));
                let [a, b] = [now, soon].map(|state| acceleration_at(&state, epsilon));
                let change = plus(b, DoubleDouble::from(-1.0), a);
                Ok(method.run(now, [a, plus(a, method.shift(), change)], h, epsilon, steps))
            }
        }
    }
}

fn half_to(power: i32) -> f64 {
    0.5_f64.powi(power)
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let start = Expansion::at_start(tangent_start(), TERMS);
    let motion = Motion { end: start.after(1.0), start };
    for (name, method, asked) in methods(trial)? {
        let mut errors = Vec::new();
        for power in STIFFNESSES {
            let epsilon = half_to(power);
            let exact = motion.at(epsilon, 1.0);
            let row = STEPS.map(|steps| match motion.end_of(&method, epsilon, 1 << steps) {
                Ok(end) => end.minus(&exact).sizes(),
                Err(_) => [f64::NAN; 2],
            });
            errors.push(row);
        }
        for (place, component) in ["y", "y'"].into_iter().enumerate() {
            let errors = errors.iter().map(|row| row.map(|sizes| sizes[place])).collect();
            let map = Map { method: &name, component, errors };
            finding.tables.push(map.table());
            map.judge(&mut finding, &asked, place);
        }
    }
    Ok(finding)
}

/// The errors of a method in a component, by eps and h.
struct Map<'a> {
    method: &'a str,
    component: &'a str,
    errors: Vec<[f64; COLUMNS]>,
}

impl Map<'_> {
    fn table(&self) -> Table {
        let orders = |row: &[f64; COLUMNS]| row.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        let rows = STIFFNESSES.iter().zip(&self.errors);
        Table {
            title: format!("order of {}, {}", self.component, self.method),
            corner: "eps \\ h",
            columns: STEPS[1..].iter().map(|power| format!("2^-{power}")).collect(),
            rows: rows.map(|(power, row)| (format!("2^-{power}"), orders(row))).collect(),
        }
    }

    fn series(&self, label: &str, row: &[f64; COLUMNS]) -> Series {
        let points = STEPS.map(half_to).into_iter().zip(row.iter().copied()).skip(TOO_LONG).collect();
        Series::fitted(format!("{}, {label}", self.method), points, PLATEAU)
    }

    /// Checks the ends of the map and what holds for all eps.
    fn judge(&self, finding: &mut Finding, asked: &Asked, place: usize) {
        let quantity = |what: &str| format!("{}, {what}", self.component);
        let resolved = self.series("eps = 1/4", &self.errors[0]);
        finding.slope(&quantity("h << eps"), OrderAtLeast(asked.classical), "h", "error", resolved);
        let stiffest = self.errors[self.errors.len() - 1];
        let rigid = self.series("eps = 2^-24", &stiffest);
        match asked.rigid {
            Rigid::Orders(orders) => {
                finding.slope(&quantity("h >> eps"), OrderAtLeast(orders[place]), "h", "error", rigid);
            }
            Rigid::NoVelocities if place == 1 => {
                finding.slope(&quantity("h >> eps"), Order(0), "h", "error", rigid);
            }
            Rigid::NoVelocities => {}
        }
        let worst = self.errors.iter().fold([0.0_f64; COLUMNS], |worst, row| {
            std::array::from_fn(|k| if row[k].is_nan() { f64::NAN } else { worst[k].max(row[k]) })
        });
        match (asked.uniform, asked.rigid) {
            (Some(order), _) => {
                let all = self.series("all eps", &worst);
                finding.slope(&quantity("all eps"), OrderAtLeast(order), "h", "error", all);
            }
            (None, Rigid::NoVelocities) => {}
            (None, Rigid::Orders(_)) => {
                let grown =
                    worst.iter().zip(&stiffest).map(|(worst, rigid)| worst / rigid).fold(0.0, f64::max);
                finding.check(
                    self.method,
                    quantity("largest error over that for h >> eps"),
                    AtLeast(100.0),
                    grown,
                );
            }
        }
    }
}
