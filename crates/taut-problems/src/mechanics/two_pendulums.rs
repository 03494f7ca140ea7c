//! A rigid pendulum hanging from a stiff spring pendulum under strong friction.

use taut::system::{Constraint, Differentiated, ForceClass, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::error::Error;
use crate::problem::{Motion, Problem, Start, State, System};

/// Unit masses at (x1, z1) and (x2, z2), unit gravity (Jay 1998, section 10, last example).
///
/// The first hangs on a spring of stiffness 1/ε² and unit length at rest, with friction −γ v; the second hangs on the
/// first by a rod of unit length. The spring is a compliant constraint |r1| − 1 = ε² μ.
#[derive(Clone, Copy, Debug)]
pub struct TwoPendulums {
    /// ε
    pub epsilon: f64,
    /// γ
    pub friction: f64,
}

impl Mechanical for TwoPendulums {
    fn coordinates(&self) -> Vec<String> {
        ["x1", "z1", "x2", "z2"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] + q[3]
    }

    fn potential_force<S: Scalar>(&self, _q: &[S], force: &mut [S]) -> Given {
        force[1] = S::constant(-1.0);
        force[3] = S::constant(-1.0);
        Given::Written
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, _q: &[S], v: &[S], force: &mut [S]) {
        if class == ForceClass::Dissipative {
            force[0] -= v[0] * self.friction;
            force[1] -= v[1] * self.friction;
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::spring("spring", self.epsilon * self.epsilon), Constraint::rod("rod")]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square()).sqrt() - 1.0;
        g[1] = ((q[2] - q[0]).square() + (q[3] - q[1]).square()).sqrt() - 1.0;
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "two_pendulums", starts: &["jay", "moderate"], build };

/// "jay" has the paper's 1/ε = 1e8 and γ = 1e12; "moderate" has 1/ε = 100 and γ = 1. The start is chosen here: the
/// spring hangs down unstretched, the rod is horizontal, all is at rest.
fn build(start: &str) -> Result<Problem, Error> {
    let pendulums = match start {
        "jay" => TwoPendulums { epsilon: 1e-8, friction: 1e12 },
        _ => TwoPendulums { epsilon: 1e-2, friction: 1.0 },
    };
    let rest = Motion {
        q: vec![0.0, -1.0, 1.0, -1.0],
        v: vec![0.0; 4],
        a: Some(vec![0.0, -1.0, 0.0, -1.0]),
        lambda: Some(vec![0.0, 0.0]),
    };
    Ok(Problem {
        name: ENTRY.name.into(),
        start_name: start.into(),
        title: "Rigid pendulum on a stiff spring pendulum with friction".into(),
        source: "Jay, SIAM J. Sci. Comput. 20 (1998), section 10; start chosen here".into(),
        purpose: "partitioned methods: damping for the stiff part, none for the rigid pendulum".into(),
        index: 3,
        system: System::Mechanical(Box::new(Differentiated::new(pendulums))),
        start: Start { t: 0.0, state: State::Motion(rest) },
        t_end: 100.0,
        kinks: Vec::new(),
        references: Vec::new(),
    })
}
