//! Bodies that attract each other: the Pleiades, the outer solar system, and Kepler's problem.

use taut::system::{Differentiated, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// m_i r_i'' = Σ G m_i m_j (r_j − r_i)/|r_j − r_i|³ in D dimensions.
#[derive(Clone, Debug)]
pub struct Gravitation<const D: usize> {
    /// G
    pub constant: f64,
    /// m_i
    pub masses: Vec<f64>,
    /// how the coordinates are ordered
    pub order: Order,
}

/// How the coordinates of many bodies are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// x1 y1 x2 y2 …
    ByBody,
    /// x1 x2 … y1 y2 …
    ByAxis,
}

impl<const D: usize> Gravitation<D> {
    fn place(&self, body: usize, axis: usize) -> usize {
        match self.order {
            Order::ByBody => body * D + axis,
            Order::ByAxis => axis * self.masses.len() + body,
        }
    }

    /// Calls `visit` with i, j, r_i − r_j and |r_i − r_j|² for all pairs j < i.
    fn pairs<S: Scalar>(&self, q: &[S], mut visit: impl FnMut(usize, usize, [S; D], S)) {
        for i in 0..self.masses.len() {
            for j in 0..i {
                let r: [S; D] = std::array::from_fn(|d| q[self.place(i, d)] - q[self.place(j, d)]);
                let distance2 = r.iter().fold(S::zero(), |sum, r| sum + r.square());
                visit(i, j, r, distance2);
            }
        }
    }
}

impl<const D: usize> Mechanical for Gravitation<D> {
    fn coordinates(&self) -> Vec<String> {
        let bodies = self.masses.len();
        let mut names = vec![String::new(); D * bodies];
        for body in 0..bodies {
            for (axis, letter) in ["x", "y", "z"].into_iter().enumerate().take(D) {
                names[self.place(body, axis)] = format!("{letter}{}", body + 1);
            }
        }
        names
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        for (body, m) in self.masses.iter().enumerate() {
            for axis in 0..D {
                let i = self.place(body, axis);
                mass.add(i, i, S::constant(*m));
            }
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let mut sum = S::zero();
        self.pairs(q, |i, j, _, distance2| {
            sum -= S::constant(self.constant * self.masses[i] * self.masses[j]) / distance2.sqrt();
        });
        sum
    }

    fn potential_force<S: Scalar>(&self, q: &[S], force: &mut [S]) -> Given {
        self.pairs(q, |i, j, r, distance2| {
            let product = S::constant(self.constant * self.masses[i] * self.masses[j]);
            let strength = product / (distance2 * distance2.sqrt());
            for (d, r) in r.into_iter().enumerate() {
                force[self.place(i, d)] -= strength * r;
                force[self.place(j, d)] += strength * r;
            }
        });
        Given::Written
    }
}

/// q'' = −q/|q|³ in the plane, from the pericentre of an ellipse: energy −1/2, period 2π.
#[derive(Clone, Copy, Debug)]
pub struct Kepler;

impl Mechanical for Kepler {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        S::constant(-1.0) / (q[0].square() + q[1].square()).sqrt()
    }
}

pub(crate) const PLEIADES: Entry = Entry { name: "pleiades", starts: &["default"], build: build_pleiades };
pub(crate) const OUTER_SOLAR_SYSTEM: Entry =
    Entry { name: "outer_solar_system", starts: &["default"], build: build_outer_solar_system };
pub(crate) const KEPLER: Entry = Entry { name: "kepler", starts: &["e0.6", "e0.9"], build: build_kepler };

fn build_pleiades(start: &str) -> Result<Problem, Error> {
    let data = Data::read(PLEIADES.name, include_str!("../../reference/pleiades.toml"), start)?;
    let stars = Gravitation::<2> { constant: 1.0, masses: data.parameters("m")?, order: Order::ByAxis };
    let system = System::Mechanical(Box::new(Differentiated::new(stars)));
    data.problem(
        "close encounters of seven stars: step size control without stiffness",
        Layout::Motion,
        system,
    )
}

fn build_outer_solar_system(start: &str) -> Result<Problem, Error> {
    let text = include_str!("../../reference/outer_solar_system.toml");
    let data = Data::read(OUTER_SOLAR_SYSTEM.name, text, start)?;
    let planets = Gravitation::<3> {
        constant: data.parameter("G")?,
        masses: data.parameters("m")?,
        order: Order::ByBody,
    };
    let system = System::Mechanical(Box::new(Differentiated::new(planets)));
    data.problem("energy and phase over a long time; masses of very different size", Layout::Motion, system)
}

fn build_kepler(start: &str) -> Result<Problem, Error> {
    let data = Data::read(KEPLER.name, include_str!("../../reference/kepler.toml"), start)?;
    let system = System::Mechanical(Box::new(Differentiated::new(Kepler)));
    data.problem("reversible step size control; exact values from Kepler's equation", Layout::Motion, system)
}
