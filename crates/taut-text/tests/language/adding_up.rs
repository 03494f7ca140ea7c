//! Errors of many steps, each within its tolerance.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut_text::{Model, Source, builtin};

/// The pendulum, for so many seconds.
fn pendulum(method: &str, until: f64) -> Motion {
    let (_, _, text) = builtin().iter().find(|model| model.0 == "pendulum").unwrap();
    let model = Model::read(&Source::new("pendulum.toml", *text), &[]).unwrap();
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = Solver::mechanical(model.system.mechanism().unwrap()).method(Method::named(method).unwrap());
    solver.tolerance(1e-6).run(0.0, until, &start).unwrap()
}

#[test]
fn many_explicit_steps_tell_what_their_errors_come_to() {
    for method in ["adams", "dopri5"] {
        let long = pendulum(method, 200.0);
        let (steps, sum) = (long.statistics.accepted, long.statistics.local_errors);
        let words = format!("errors of {steps} steps come to {sum:.0} tolerances together");
        assert!(sum > 180.0 && long.warning.is_some_and(|told| told.contains(&words)), "{method}: {sum}");
        assert_eq!(pendulum(method, 10.0).warning, None, "{method}");
    }
}

#[test]
fn few_steps_and_methods_that_damp_errors_do_not() {
    for method in ["taylor", "dopri8", "radau", "bdf"] {
        let motion = pendulum(method, 40.0);
        assert_eq!(motion.warning, None, "{method}, {} tolerances", motion.statistics.local_errors);
    }
}
