//! A block that dry friction holds.

use taut::system::{Differentiated, FirstOrder, ForceClass, Linearised, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// A unit mass, x'' = F sin 2t − k x − μ tanh(x'/δ): friction goes from one end to the other within velocities of δ. As long as it
/// is stronger than the other forces, the block creeps with a share of δ.
#[derive(Clone, Copy, Debug)]
pub struct Stiction {
    /// F
    pub shaking: f64,
    /// k
    pub stiffness: f64,
    /// μ
    pub friction: f64,
    /// δ
    pub layer: f64,
}

impl Stiction {
    fn friction_at<S: Scalar>(&self, v: S) -> S {
        (v * (1.0 / self.layer)).tanh() * -self.friction
    }

    fn shaking_at<S: Scalar>(&self, t: S) -> S {
        (t * 2.0).sin() * self.shaking
    }
}

impl Mechanical for Stiction {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[0].square() * (0.5 * self.stiffness)
    }

    fn force<S: Scalar>(&self, class: ForceClass, t: S, _q: &[S], v: &[S], force: &mut [S]) {
        match class {
            ForceClass::Driving => force[0] += self.shaking_at(t),
            ForceClass::Dissipative => force[0] += self.friction_at(v[0]),
            _ => {}
        }
    }
}

/// The same block as an ordinary differential equation of first order: nothing says that it is friction.
impl FirstOrder for Stiction {
    fn variables(&self) -> Vec<String> {
        vec!["x".into(), "v".into()]
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        rate[0] = y[1];
        rate[1] = self.shaking_at(t) - y[0] * self.stiffness + self.friction_at(y[1]);
    }
}

pub(crate) const ENTRY: Entry =
    Entry { name: "stiction", starts: &["shaken", "stopped"], build: |start| Ok(problem(start, true)) };

pub(crate) const FIRST_ORDER: Entry = Entry {
    name: "stiction_first_order",
    starts: &["shaken", "stopped"],
    build: |start| Ok(problem(start, false)),
};

fn problem(start: &str, mechanical: bool) -> Problem {
    // Ends on which radau with tolerances of 1e-11 and 1e-12 and bdf with 1e-9 agree, as a mechanism and in first order.
    let (block, speed, end) = match start {
        "shaken" => (
            Stiction { shaking: 1.5, stiffness: 0.0, friction: 1.0, layer: 1e-6 },
            0.0,
            [0.003_115_217_86, 0.042_601_468_7],
        ),
        _ => (
            Stiction { shaking: 0.0, stiffness: 1.0, friction: 0.5, layer: 1e-6 },
            1.0,
            [0.381_960_227_895, -1.005_562_67e-6],
        ),
    };
    let state = |[x, v]: [f64; 2]| match mechanical {
        true => State::Motion(Motion { q: vec![x], v: vec![v], ..Motion::default() }),
        false => State::Variables(vec![x, v]),
    };
    Problem {
        name: if mechanical { ENTRY.name.into() } else { FIRST_ORDER.name.into() },
        start_name: start.into(),
        title: if mechanical { "Stiction".into() } else { "Stiction in first order".into() },
        source: "made for this library".into(),
        purpose: "dry friction that holds a body with velocities far below the tolerance".into(),
        index: 0,
        system: match mechanical {
            true => System::Mechanical(Box::new(Differentiated::new(block))),
            false => System::FirstOrder(Box::new(Linearised::new(block))),
        },
        start: Start { t: 0.0, state: state([0.0, speed]) },
        t_end: 10.0,
        kinks: Vec::new(),
        references: vec![Reference { t: 10.0, state: state(end), digits: 8 }],
    }
}
