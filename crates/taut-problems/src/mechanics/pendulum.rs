//! The planar pendulum in Cartesian coordinates.

use taut::system::{Constraint, Given, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// m x'' = −λ x, m y'' = −λ y − m g, (x² + y² − l²)/2 = 0. With m = l = 1: λ = |v|² − g y.
///
/// The smallest system of index 3; its motion is known in elliptic functions.
#[derive(Clone, Copy, Debug)]
pub struct Pendulum {
    /// m
    pub mass: f64,
    /// l
    pub length: f64,
    /// g
    pub gravity: f64,
}

impl Mechanical for Pendulum {
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
        vec![Constraint::rod("rod")]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() - self.length * self.length) * 0.5;
    }
}

pub(crate) const ENTRY: Entry =
    Entry { name: "pendulum", starts: &["horizontal_rest_g1", "horizontal_rest_g9.81", "cash_g1"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/pendulum.toml"), start)?;
    let pendulum = Pendulum {
        mass: data.parameter("mass")?,
        length: data.parameter("length")?,
        gravity: data.parameter("g")?,
    };
    let system = System::Mechanical(Box::new(by_hand::Pendulum::new(pendulum)));
    let purpose = "first steps with index 3: orders, drift and energy against a closed form";
    data.problem(purpose, Layout::WithMultipliers { factor: 1.0 }, system)
}
