//! A stiff spring between two rods.

use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// Three unit masses that hang from the origin, one below the other: by a rod, an undamped spring, and a rod, all of length 1.
///
/// Released from rest at the horizontal, the spring does not vibrate at first; the motion whips its vibrations up later.
#[derive(Clone, Copy, Debug)]
pub struct RodSpringRod {
    /// the stiffness of the spring
    pub stiffness: f64,
}

impl Mechanical for RodSpringRod {
    fn coordinates(&self) -> Vec<String> {
        ["x1", "y1", "x2", "y2", "x3", "y3"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        (q[1] + q[3] + q[5]) * 9.81
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![
            Constraint::rod("first"),
            Constraint::spring("spring", 1.0 / self.stiffness),
            Constraint::rod("second"),
        ]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0].hypot(q[1]) - 1.0;
        g[1] = (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0;
        g[2] = (q[4] - q[2]).hypot(q[5] - q[3]) - 1.0;
    }
}

/// The stiffness that the reference belongs to.
const STIFFNESS: f64 = 1e4;
/// Angle of the first rod, the second mass, angle of the second rod, and their rates at t = 3: with rods eliminated, by Taylor
/// series with 30 digits.
const AT_3: ([f64; 4], [f64; 4]) = (
    [-1.084_792_519_580_131_8, 1.364_955_191_291_636, -1.335_701_167_253_036, -0.154_845_041_742_207_23],
    [2.215_840_680_879_285, 3.938_899_898_648_09, 4.536_844_783_838_467, -0.470_398_480_276_550_7],
);

pub(crate) const ENTRY: Entry =
    Entry { name: "rod_spring_rod", starts: &["horizontal_rest"], build: |start| Ok(problem(start)) };

/// The state of all masses.
fn state([first, x, y, second]: [f64; 4], [spin, x_rate, y_rate, turn]: [f64; 4]) -> State {
    let ((sine, cosine), (along, across)) = (first.sin_cos(), (second.cos(), second.sin()));
    State::Motion(Motion {
        q: vec![cosine, sine, x, y, x + along, y + across],
        v: vec![-spin * sine, spin * cosine, x_rate, y_rate, x_rate - turn * across, y_rate + turn * along],
        ..Motion::default()
    })
}

fn problem(start: &str) -> Problem {
    let system = RodSpringRod { stiffness: STIFFNESS };
    Problem {
        name: ENTRY.name.into(),
        start_name: start.into(),
        title: "Rod, spring and rod".into(),
        source: "made for this library".into(),
        purpose: "whether a spring that is treated as smooth is seen to begin to vibrate".into(),
        index: 3,
        system: System::Mechanical(Box::new(Differentiated::new(system))),
        start: Start { t: 0.0, state: state([0.0, 2.0, 0.0, 0.0], [0.0; 4]) },
        t_end: 3.0,
        kinks: Vec::new(),
        references: vec![Reference { t: 3.0, state: state(AT_3.0, AT_3.1), digits: 15 }],
    }
}
