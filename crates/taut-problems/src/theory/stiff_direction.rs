//! Stiff systems with a curved invariant manifold and a stiff direction that turns (Auzinger, Eder & Frank 2001).
//!
//! Each of them is f(η) = f(p) + λ(η)(η − p), λ(η) = −(1 + |η|²)/ε, with a foot point p = pr(η) on the manifold that is
//! known in closed form: (2.3)-(2.6) of the paper hold exactly.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::names;
use crate::problem::{Problem, Reference, Start, State, System};

/// What is known of a member of the class.
pub trait StiffDirection {
    /// pr(η), the point of the manifold on the stiff line through η
    fn foot(&self, eta: &[f64]) -> Vec<f64>;

    /// the smooth solution at time t
    fn solution(&self, t: f64) -> Vec<f64>;
}

/// The manifold r = 1 + cos²(φ)/2 in the plane, with stiff lines through the origin; the smooth motion turns with φ' = 1.
///
/// The stiff direction turns with the motion, and is not normal to the manifold.
#[derive(Clone, Copy, Debug)]
pub struct StarCurve {
    /// ε > 0
    pub epsilon: f64,
}

impl StiffDirection for StarCurve {
    fn foot(&self, eta: &[f64]) -> Vec<f64> {
        let radius = eta[0].hypot(eta[1]);
        let e = [eta[0] / radius, eta[1] / radius];
        e.map(|e_i| (1.0 + 0.5 * e[0] * e[0]) * e_i).to_vec()
    }

    /// from φ = 1
    fn solution(&self, t: f64) -> Vec<f64> {
        self.foot(&[(1.0 + t).cos(), (1.0 + t).sin()])
    }
}

impl FirstOrder for StarCurve {
    fn variables(&self) -> Vec<String> {
        names("y", 2)
    }

    fn rate<S: Scalar>(&self, _t: S, eta: &[S], rate: &mut [S]) {
        let square = eta[0].square() + eta[1].square();
        let radius = square.sqrt();
        let e = [eta[0] / radius, eta[1] / radius];
        let turning = [-e[1], e[0]];
        let manifold = e[0].square() * 0.5 + 1.0;
        let stretching = e[0] * turning[0];
        let pull = stiff_pull(square, self.epsilon) * (radius - manifold);
        for i in 0..2 {
            rate[i] = e[i] * (stretching + pull) + turning[i] * manifold;
        }
    }
}

/// The manifold |η| = 1 + η1 η2/(2 |η|²) in space, with stiff lines through the origin; the smooth motion turns about the
/// third axis with the speed 1 + e3², e = η/|η|.
#[derive(Clone, Copy, Debug)]
pub struct StarSurface {
    /// ε > 0
    pub epsilon: f64,
}

impl StiffDirection for StarSurface {
    fn foot(&self, eta: &[f64]) -> Vec<f64> {
        let radius = eta.iter().map(|x| x * x).sum::<f64>().sqrt();
        let e: Vec<f64> = eta.iter().map(|x| x / radius).collect();
        e.iter().map(|e_i| (1.0 + 0.5 * e[0] * e[1]) * e_i).collect()
    }

    /// from the angle 1 at e3 = 3/5
    fn solution(&self, t: f64) -> Vec<f64> {
        let angle = 1.0 + (1.0 + 0.36) * t;
        self.foot(&[0.8 * angle.cos(), 0.8 * angle.sin(), 0.6])
    }
}

impl FirstOrder for StarSurface {
    fn variables(&self) -> Vec<String> {
        names("y", 3)
    }

    fn rate<S: Scalar>(&self, _t: S, eta: &[S], rate: &mut [S]) {
        let square = eta[0].square() + eta[1].square() + eta[2].square();
        let radius = square.sqrt();
        let e = [eta[0] / radius, eta[1] / radius, eta[2] / radius];
        let speed = e[2].square() + 1.0;
        let turning = [-e[1] * speed, e[0] * speed, S::zero()];
        let manifold = e[0] * e[1] * 0.5 + 1.0;
        let stretching = (turning[0] * e[1] + e[0] * turning[1]) * 0.5;
        let pull = stiff_pull(square, self.epsilon) * (radius - manifold);
        for i in 0..3 {
            rate[i] = e[i] * (stretching + pull) + turning[i] * manifold;
        }
    }
}

/// The unit circle, with stiff lines that make the angle 45° with its normals; the smooth motion turns with φ' = 1.
///
/// η = p + d π with π = (p + p⊥)/√2. The lines are tangents of the circle with radius 1/√2, so that |η| is larger than
/// that; the Jacobian is far from normal, as in the paper's motivation.
#[derive(Clone, Copy, Debug)]
pub struct SlantedCircle {
    /// ε > 0
    pub epsilon: f64,
}

/// √2 π = (p + p⊥) has these components along p and p⊥; π has 1/√2 of them.
const SLANT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// p and d of η = p + d π: |η|² = 1 + √2 d + d², and (1 + d/√2, d/√2) are the components of η along p and p⊥.
fn slanted_foot<S: Scalar>(eta: &[S]) -> ([S; 2], S) {
    let square = eta[0].square() + eta[1].square();
    let d = (square - 0.5).sqrt() - SLANT;
    let (along, across) = (d * SLANT + 1.0, d * SLANT);
    ([(along * eta[0] + across * eta[1]) / square, (along * eta[1] - across * eta[0]) / square], d)
}

impl StiffDirection for SlantedCircle {
    fn foot(&self, eta: &[f64]) -> Vec<f64> {
        slanted_foot(eta).0.to_vec()
    }

    /// from φ = 1
    fn solution(&self, t: f64) -> Vec<f64> {
        vec![(1.0 + t).cos(), (1.0 + t).sin()]
    }
}

impl FirstOrder for SlantedCircle {
    fn variables(&self) -> Vec<String> {
        names("y", 2)
    }

    fn rate<S: Scalar>(&self, _t: S, eta: &[S], rate: &mut [S]) {
        let (p, d) = slanted_foot(eta);
        let pull = stiff_pull(eta[0].square() + eta[1].square(), self.epsilon) * d * SLANT;
        rate[0] = -p[1] + pull * (p[0] - p[1]);
        rate[1] = p[0] + pull * (p[1] + p[0]);
    }
}

/// λ(η) = −(1 + |η|²)/ε, eq. (2.6)
fn stiff_pull<S: Scalar>(square: S, epsilon: f64) -> S {
    (square + 1.0) * (-1.0 / epsilon)
}

/// Starts with moderate and with large stiffness.
const STARTS: &[&str] = &["eps1e-6", "eps1e-3"];

fn epsilon_of(start: &str) -> f64 {
    if start == "eps1e-3" { 1e-3 } else { 1e-6 }
}

pub(crate) const CURVE: Entry = Entry {
    name: "star_curve",
    starts: STARTS,
    build: |start| {
        let title = "A closed curve with stiff lines through the origin";
        Ok(problem(CURVE.name, start, title, StarCurve { epsilon: epsilon_of(start) }))
    },
};

pub(crate) const SURFACE: Entry = Entry {
    name: "star_surface",
    starts: STARTS,
    build: |start| {
        let title = "A closed surface with stiff lines through the origin";
        Ok(problem(SURFACE.name, start, title, StarSurface { epsilon: epsilon_of(start) }))
    },
};

pub(crate) const SLANTED: Entry = Entry {
    name: "slanted_circle",
    starts: STARTS,
    build: |start| {
        let title = "A circle with stiff lines far from its normals";
        Ok(problem(SLANTED.name, start, title, SlantedCircle { epsilon: epsilon_of(start) }))
    },
};

fn problem(
    name: &str,
    start: &str,
    title: &str,
    equations: impl FirstOrder + StiffDirection + 'static,
) -> Problem {
    let state = |t: f64| State::Variables(equations.solution(t));
    Problem {
        name: name.into(),
        start_name: start.into(),
        title: title.into(),
        source: "made for this library, in the class of Auzinger, Eder & Frank (2001), section 2".into(),
        purpose: "errors split into smooth and stiff components where the stiff direction turns".into(),
        index: 0,
        start: Start { t: 0.0, state: state(0.0) },
        t_end: 5.0,
        kinks: Vec::new(),
        references: [1.0, 5.0].map(|t| Reference { t, state: state(t), digits: 15 }).to_vec(),
        system: System::FirstOrder(Box::new(Linearised::new(equations))),
    }
}
