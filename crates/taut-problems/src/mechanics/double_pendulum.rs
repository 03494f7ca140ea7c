//! The double pendulum in angles: the chain of two links without constraints.

use taut::system::{Differentiated, Mass, Mechanical, Scalar};

use super::chain;
use crate::catalogue::Entry;
use crate::error::Error;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// Two unit masses on unit rods, θ_i measured from the downward vertical:
/// T = θ₁'² + θ₂'²/2 + θ₁'θ₂' cos(θ₁ − θ₂), V = −g (2 cos θ₁ + cos θ₂).
///
/// The same motion as [`Chain`](super::Chain) with two links, with a mass matrix that depends on q instead of rods.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum {
    /// g
    pub gravity: f64,
}

impl Mechanical for DoublePendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["theta1".into(), "theta2".into()]
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.add(0, 0, S::constant(2.0));
        mass.add(1, 0, (q[0] - q[1]).cos());
        mass.add(1, 1, S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        (q[0].cos() * 2.0 + q[1].cos()) * -self.gravity
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "double_pendulum", starts: &["horizontal_rest"], build };

fn build(_start: &str) -> Result<Problem, Error> {
    let chain = chain::CHAIN_2.problem()?;
    let mut references = Vec::new();
    for reference in &chain.references {
        if let Some(motion) = reference.state.motion() {
            let state = State::Motion(in_angles(motion));
            references.push(Reference { state, ..reference.clone() });
        }
    }
    let rest = Motion { q: vec![std::f64::consts::FRAC_PI_2; 2], v: vec![0.0; 2], ..Motion::default() };
    Ok(Problem {
        name: ENTRY.name.into(),
        title: "Double pendulum in angles".into(),
        purpose: "an ordinary differential equation with M(q); chaotic, comparable with pendulum_chain_2"
            .into(),
        index: 0,
        system: System::Mechanical(Box::new(Differentiated::new(DoublePendulum { gravity: 9.81 }))),
        start: Start { t: 0.0, state: State::Motion(rest) },
        references,
        ..chain
    })
}

/// Angles from the downward vertical, and their rates, of the two links of a chain. Neither link turns over before
/// t = 10, so that the angles are between −π and π.
fn in_angles(chain: &Motion) -> Motion {
    let link = |x: &[f64], i: usize| match i {
        0 => [x[0], x[1]],
        _ => [x[2] - x[0], x[3] - x[1]],
    };
    let angle = |i: usize| {
        let [x, y] = link(&chain.q, i);
        x.atan2(-y)
    };
    let rate = |i: usize| {
        let ([x, y], [x_rate, y_rate]) = (link(&chain.q, i), link(&chain.v, i));
        x * y_rate - y * x_rate
    };
    Motion { q: vec![angle(0), angle(1)], v: vec![rate(0), rate(1)], ..Motion::default() }
}
