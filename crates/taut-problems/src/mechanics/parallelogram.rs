//! A parallelogram of bars that begins with all of them in one line.

use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// Two unit masses on cranks of length 1 about (0, 0) and (2, 0), with a coupler of length 2 between them; a constant force
/// pulls the first one down.
///
/// The cranks turn together, as a pendulum of twice the mass, φ'' = −F/2 cos φ; from a dead point (φ = 0, π) they could go
/// on against each other as well: velocities decide.
#[derive(Clone, Copy, Debug)]
pub struct Parallelogram {
    /// F
    pub force: f64,
}

impl Mechanical for Parallelogram {
    fn coordinates(&self) -> Vec<String> {
        ["x1", "y1", "x2", "y2"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] * self.force
    }

    fn constraints(&self) -> Vec<Constraint> {
        ["crank", "rocker", "coupler"].map(Constraint::rod).to_vec()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() - 1.0) * 0.5;
        g[1] = ((q[2] - 2.0).square() + q[3].square() - 1.0) * 0.5;
        g[2] = ((q[2] - q[0]).square() + (q[3] - q[1]).square() - 4.0) * 0.5;
    }
}

/// φ and φ' at t = 3 from φ = 0, φ' = 2 with F = 1/2, by Taylor series with 30 digits.
const ANGLE: f64 = 5.978_609_547_980_455;
const RATE: f64 = 2.037_141_193_855_118_6;

pub(crate) const ENTRY: Entry =
    Entry { name: "parallelogram", starts: &["dead_point"], build: |start| Ok(problem(start)) };

fn problem(start: &str) -> Problem {
    let state = |angle: f64, rate: f64| {
        let (sine, cosine) = angle.sin_cos();
        let (x, y) = (-rate * sine, rate * cosine);
        State::Motion(Motion {
            q: vec![cosine, sine, 2.0 + cosine, sine],
            v: vec![x, y, x, y],
            ..Motion::default()
        })
    };
    Problem {
        name: ENTRY.name.into(),
        start_name: start.into(),
        title: "Parallelogram from its dead point".into(),
        source: "made for this library; its motion is that of a pendulum".into(),
        purpose: "a start at which constraints depend on each other and the motion has two branches".into(),
        index: 3,
        system: System::Mechanical(Box::new(Differentiated::new(Parallelogram { force: 0.5 }))),
        start: Start { t: 0.0, state: state(0.0, 2.0) },
        t_end: 3.0,
        kinks: Vec::new(),
        references: vec![Reference { t: 3.0, state: state(ANGLE, RATE), digits: 15 }],
    }
}
