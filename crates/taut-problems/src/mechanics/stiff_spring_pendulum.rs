//! A pendulum on a very stiff spring.

use taut::system::{Constraint, Differentiated, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// q'' = −(|q| − 1)/ε² q/|q| − (0, 1): the introductory example of Lubich 1992.
///
/// Written as a compliant constraint |q| − 1 = ε² λ (eq. 8.4), so that ε = 0 is the rigid pendulum.
#[derive(Clone, Copy, Debug)]
pub struct StiffSpringPendulum {
    /// ε; the spring has the stiffness 1/ε²
    pub epsilon: f64,
    /// the mass
    pub mass: f64,
    /// the length of the spring at rest
    pub rest_length: f64,
    /// g
    pub gravity: f64,
}

impl Mechanical for StiffSpringPendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(self.mass));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] * (self.mass * self.gravity)
    }

    fn potential_force<S: Scalar>(&self, _q: &[S], force: &mut [S]) -> Given {
        force[1] = S::constant(-self.mass * self.gravity);
        Given::Written
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::spring("spring", self.epsilon * self.epsilon)]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square()).sqrt() - self.rest_length;
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "stiff_spring_pendulum",
    starts: &[
        "generic_eps1e-2",
        "near_smooth_eps1e-2",
        "manifold_horizontal_eps1e-2",
        "manifold_bottom_eps1e-2",
        "generic_eps1e-3",
        "near_smooth_eps1e-3",
        "manifold_horizontal_eps1e-3",
        "manifold_bottom_eps1e-3",
    ],
    build,
};

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/stiff_spring_pendulum.toml"), start)?;
    let pendulum = StiffSpringPendulum {
        epsilon: data.parameter("eps")?,
        mass: data.parameter("mass")?,
        rest_length: data.parameter("rest_length")?,
        gravity: data.parameter("g")?,
    };
    let system = System::Mechanical(Box::new(Differentiated::new(pendulum)));
    let purpose = "strong potentials: steps much longer than eps, starts on and off the slow manifold";
    data.problem(purpose, Layout::Motion, system)
}
