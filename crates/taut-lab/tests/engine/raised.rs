//! An error that a system raises ends a run at once: no shorter step is tried.

use std::cell::Cell;

use taut::method::Method;
use taut::run::RunError;
use taut::system::{Differentiated, Evaluation, Fault, FirstOrder, Linearised, Mass, Mechanical, Scalar};
use taut::{Error, Solver};

/// A pendulum's coordinate, or x' = −x, that is known up to t = 0.5.
#[derive(Default)]
struct Known {
    raised: Cell<usize>,
}

impl Known {
    fn known(&self, t: f64) -> Evaluation {
        if t <= 0.5 {
            return Ok(());
        }
        self.raised.set(self.raised.get() + 1);
        Err(Fault::raised(t, "the table ends here"))
    }
}

impl Mechanical for Known {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        -q[0].cos()
    }
    fn domain(&self, t: f64, _q: &[f64], _v: &[f64]) -> Evaluation {
        self.known(t)
    }
}

impl FirstOrder for Known {
    fn variables(&self) -> Vec<String> {
        vec!["x".into()]
    }
    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        rate[0] = -x[0];
    }
    fn domain(&self, t: f64, _x: &[f64]) -> Evaluation {
        self.known(t)
    }
}

fn check(method: &str, raised: usize, error: Error) {
    let Error::Stopped { reason: RunError::Fault { t, fault }, motion } = &error else {
        panic!("{method}: {error}")
    };
    assert!(*t <= 0.5 && motion.t == *t, "{method}: {t}");
    assert!(matches!(fault, Fault::Raised { t, .. } if *t > 0.5), "{method}: {fault}");
    let message = error.to_string();
    assert!(message.contains("the table ends here") && message.contains("raised"), "{method}: {message}");
    assert_eq!(raised, 1, "{method}");
}

#[test]
fn an_error_of_a_function_ends_the_run_at_once() {
    for name in ["radau", "lobatto-iiic", "sdirk", "bdf", "dopri8", "adams", "spark"] {
        let system = Differentiated::new(Known::default());
        let method = Method::named(name).unwrap();
        let error = Solver::mechanical(&system).method(method).run(0.0, 1.0, &[1.0, 0.0]).unwrap_err();
        check(name, system.system().raised.get(), error);
    }
    for name in ["radau", "bdf", "dopri8"] {
        let system = Linearised::new(Known::default());
        let method = Method::named(name).unwrap();
        let error = Solver::first_order(&system).method(method).run(0.0, 1.0, &[1.0]).unwrap_err();
        check(name, system.system().raised.get(), error);
    }
}
