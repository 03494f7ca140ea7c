//! Every built-in model with every method: those that `taut methods` says suit it agree with references; the others are
//! refused, or named here with the reason why they do not suit.

use taut::method::{Damping, Method, Scheme, catalog};
use taut::options::{Options, Vibrations};
use taut::{Error, Solver};
use taut_problems::State;
use taut_text::{Model, Source, System, builtin};

/// What becomes of a model and a method.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    /// it runs and agrees
    Agrees,
    /// it runs and agrees with radau that follows the vibrations of springs, too
    Follows,
    /// the meeting of equations and method says no
    Refused,
    /// it would run for long, or not to the end: `taut methods` does not say that it suits
    Unfit,
}
use Fate::{Agrees, Follows, Refused, Unfit};

/// One model of the table.
struct Row {
    model: &'static str,
    /// the end of the run where it is not that of the model
    until: Option<f64>,
    /// a problem of the library with the same start, and a reference at the end
    problem: Option<&'static str>,
    /// the absolute tolerance where it is not the relative one
    atol: Option<f64>,
    /// the methods that do not agree
    others: &'static [(Fate, &'static [&'static str])],
}

/// Without damping, multipliers are not determined on constraints of positions.
const NOT_FOR_RODS: (Fate, &[&str]) =
    (Refused, &["gauss", "lobatto-iiia", "lobatto-iiib", "lobatto-iiid", "sdirk", "esdirk"]);
/// Explicit methods, those without damping and those of stage order 1 follow the vibrations of stiff springs, and say so.
const FOLLOW_SPRINGS: (Fate, &[&str]) =
    (Unfit, &["dopri8", "adams", "taylor", "dopri5", "lobatto-iiid", "sdirk", "spark", "rattle"]);
const NOT_FOR_SPRINGS: (Fate, &[&str]) = (Refused, &["lobatto-iiia", "lobatto-iiib", "esdirk"]);
/// Algebraic variables want a regular matrix, or series, SPARK a mechanical system.
const NOT_FOR_ALGEBRA: (Fate, &[&str]) =
    (Refused, &["dopri8", "adams", "dopri5", "lobatto-iiia", "lobatto-iiib", "esdirk", "spark", "rattle"]);

const fn rods(model: &'static str) -> Row {
    Row { model, until: None, problem: None, atol: None, others: &[NOT_FOR_RODS] }
}

const TABLE: &[Row] = &[
    Row { problem: Some("car_axis"), ..rods("car-axis") },
    rods("chain"),
    // Chaotic: errors grow without bounds.
    Row { until: Some(3.0), others: &[], ..rods("double-pendulum") },
    rods("four-bar"),
    rods("knife-edge"),
    // Errors grow with the square of the time; twenty seconds of RATTLE are long.
    Row { until: Some(4.0), ..rods("pendulum") },
    // RATTLE has no stage between its ends, where a singular mass matrix leaves the length of the quaternion open.
    Row { until: Some(10.0), others: &[NOT_FOR_RODS, (Unfit, &["rattle"])], ..rods("rigid-body") },
    rods("slider-crank"),
    Row { problem: Some("andrews"), ..rods("squeezer") },
    Row { others: &[FOLLOW_SPRINGS, NOT_FOR_SPRINGS], ..rods("stiff-spring-pendulum") },
    // Four derivatives of a strong potential are slow. Gauss keeps the vibration of the start, which others leave out.
    Row {
        until: Some(1.0),
        others: &[FOLLOW_SPRINGS, NOT_FOR_SPRINGS, (Follows, &["gauss"])],
        ..rods("water-molecule")
    },
    // Friction of 1e12 leaves few digits; SPARK takes it with constant steps.
    Row {
        until: Some(2.0),
        others: &[NOT_FOR_RODS, (Unfit, &["dopri8", "adams", "taylor", "dopri5", "spark", "rattle"])],
        ..rods("jay-two-pendulums")
    },
    // A substance of 1e-8 that becomes negative explodes; series take as many steps as the fastest reaction.
    Row {
        problem: Some("robertson"),
        atol: Some(1e-12),
        others: &[NOT_FOR_ALGEBRA, (Unfit, &["gauss", "lobatto-iiid", "taylor"])],
        ..rods("robertson")
    },
    Row {
        problem: Some("transistor_amplifier"),
        others: &[NOT_FOR_ALGEBRA, (Unfit, &["gauss", "lobatto-iiid"])],
        ..rods("transistor-amplifier")
    },
    Row {
        problem: Some("van_der_pol/y2_0"),
        others: &[
            (Refused, &["spark", "rattle"]),
            (
                Unfit,
                &[
                    "dopri8",
                    "adams",
                    "taylor",
                    "dopri5",
                    "gauss",
                    "lobatto-iiia",
                    "lobatto-iiib",
                    "lobatto-iiid",
                ],
            ),
        ],
        ..rods("van-der-pol")
    },
    // A compliant spring between two models of their own files.
    Row { until: Some(2.0), ..rods("coupled-pendulums") },
    // A road from a table.
    Row { others: &[], ..rods("rough-road") },
    // Given by an energy H(q, p): SPARK and RATTLE take coordinates and momenta.
    Row { until: Some(3.0), others: &[], ..rods("kepler") },
    Row { until: Some(4.0), others: &[], ..rods("toda") },
    Row { until: Some(1.0), others: &[], ..rods("heavy-top") },
    Row { until: Some(2000.0), others: &[], ..rods("outer-solar-system") },
];

/// The tolerance that a method is tried with, low for those of low order.
fn tolerance(method: &str) -> f64 {
    match method {
        "rattle" => 1e-4,
        "sdirk" => 1e-5,
        _ => 1e-6,
    }
}

/// Errors at the end may be so many tolerances. The estimate of Radau IA is one of lower order than what is returned.
fn allowance(method: &str) -> f64 {
    if method == "radau-ia" { 1000.0 } else { 100.0 }
}

impl Row {
    fn load(&self) -> Model {
        let (name, _, text) = builtin().iter().find(|(name, ..)| *name == self.model).unwrap();
        Model::read(&Source::new(*name, *text), &[]).unwrap()
    }

    fn fate(&self, method: &str) -> Fate {
        let listed = self.others.iter().find(|(_, methods)| methods.contains(&method));
        listed.map_or(Agrees, |(fate, _)| *fate)
    }

    /// The state at the end: (q, v) or x.
    fn run(
        &self,
        model: &Model,
        method: Method,
        tolerance: f64,
        vibrations: Vibrations,
    ) -> Result<Vec<f64>, Error> {
        let mut options = Options { vibrations, ..Options::default() };
        let solver = match &model.system {
            System::Mechanical(system) => {
                options.spark.damping = Damping::Shares(system.damping_shares().to_vec());
                Solver::mechanical(system)
            }
            System::Strong(system) => Solver::mechanical(system),
            System::Bodies(model) => Solver::mechanical(model.system()),
            System::Partitioned(system) if matches!(method.scheme(), Scheme::Spark(_)) => {
                Solver::partitioned(system)
            }
            System::Partitioned(system) => Solver::first_order(system.evolution()),
            System::FirstOrder(system) => Solver::first_order(system),
        };
        options.absolute = model.absolute.clone();
        (options.rtol, options.atol) = (tolerance, self.atol.unwrap_or(tolerance));
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let solver = solver.method(method).options(options);
        let motion = solver.run(model.start.t, self.until.or(model.end).unwrap(), &start)?;
        Ok(motion.y[..start.len()].to_vec())
    }

    /// Numbers of components and what they should be, from the library of problems or with another tolerance.
    fn expected(&self, model: &Model) -> Vec<(usize, f64)> {
        let Some(name) = self.problem else {
            // Where few digits are left, another tolerance is all there is to compare with.
            let other = if self.model == "jay-two-pendulums" { 1e-8 } else { 1e-10 };
            let all = self.run(model, Method::radau(), other, Vibrations::Auto).unwrap();
            return all.into_iter().enumerate().collect();
        };
        let problem = taut_problems::find(name).unwrap();
        let until = self.until.or(model.end).unwrap();
        let reference = problem.references.iter().find(|reference| reference.t == until).unwrap();
        match &reference.state {
            State::Motion(motion) => {
                [motion.q.as_slice(), &motion.v].concat().into_iter().enumerate().collect()
            }
            variables => variables.variables(),
        }
    }

    fn check(&self) {
        let model = self.load();
        let expected = self.expected(&model);
        let size = expected.iter().fold(1.0_f64, |size, (_, x)| size.max(x.abs()));
        for entry in catalog() {
            let what = format!("{} with {}", self.model, entry.name);
            let rtol = tolerance(entry.name);
            match self.fate(entry.name) {
                fate @ (Agrees | Follows) => {
                    let found = self.run(&model, entry.method(), rtol, Vibrations::Auto);
                    let found = found.unwrap_or_else(|e| panic!("{what}: {e}"));
                    let followed = || self.run(&model, Method::radau(), 1e-8, Vibrations::Follow).unwrap();
                    let expected = match fate {
                        Follows => &followed().into_iter().enumerate().collect(),
                        _ => &expected,
                    };
                    let error =
                        expected.iter().fold(0.0_f64, |e, (k, x)| e.max((found[*k] - x).abs())) / size;
                    assert!(error <= allowance(entry.name) * rtol, "{what}: error {error:e}");
                }
                Refused => {
                    let refused = self.run(&model, entry.method(), rtol, Vibrations::Auto);
                    assert!(matches!(refused, Err(Error::Mismatch(_))), "{what}: {refused:?}");
                }
                Unfit => assert_ne!(entry.scheme, Scheme::Auto, "{what}"),
            }
        }
    }
}

#[test]
fn the_table_has_every_model_and_knows_its_methods() {
    let mut names: Vec<&str> = TABLE.iter().map(|row| row.model).collect();
    // Of models with bodies `auto` and radau are compared, see `models`; events change the system on the way.
    let formulas = builtin().iter().filter(|(_, _, text)| {
        !["bodies.", "[bodies]", "[for.bodies]", "[events]"].iter().any(|section| text.contains(section))
    });
    let mut known: Vec<&str> = formulas.map(|(name, ..)| *name).collect();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known);
    for method in TABLE.iter().flat_map(|row| row.others).flat_map(|(_, methods)| *methods) {
        assert!(catalog().iter().any(|entry| entry.name == *method), "{method}");
    }
}

#[test]
fn methods_agree_on_mechanisms_with_rods() {
    TABLE.iter().filter(|row| row.others.contains(&NOT_FOR_RODS)).for_each(Row::check);
}

#[test]
fn methods_agree_on_all_other_models() {
    TABLE.iter().filter(|row| !row.others.contains(&NOT_FOR_RODS)).for_each(Row::check);
}

/// An estimate that does not show what is lost is no promise.
#[test]
fn methods_that_lose_order_say_so() {
    let said = |call: &str| {
        let answer = crate::support::taut(call);
        assert_eq!(answer.code, 0, "{call}: {}", answer.err);
        answer.err.contains("radau-ia loses order on equations of index 3")
    };
    assert!(said("run pendulum --until 1 --method radau-ia"));
    assert!(!said("run pendulum --until 1 --method radau-ia --formulation index2"));
    assert!(!said("run pendulum --until 1 --method radau-ia --step 0.01"));
    assert!(!said("run van-der-pol --until 1 --method radau-ia"));
    assert!(!said("run pendulum --until 1 --method radau"));
}
