//! A stiff spring between two rods, which the motion whips: as a mechanism with constraints, and as a reference that knows nothing of
//! constraints or of smooth motion.

use taut::Error;
use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::system::{Differentiated, ForceClass, Scalar, Sketch};

const GRAVITY: f64 = 9.81;
/// The reference is integrated to this tolerance.
const EXACT: f64 = 1e-13;

/// Rod, spring and rod with three unit masses.
#[derive(Clone, Copy, Debug)]
pub struct BetweenRods {
    stiffness: f64,
    relaxation: f64,
}

impl BetweenRods {
    /// A spring of this stiffness with this share of critical damping.
    pub fn new(stiffness: f64, damping: f64) -> Self {
        BetweenRods { stiffness, relaxation: 2.0 * damping / (0.5 * stiffness).sqrt() }
    }

    /// Stretched out at an angle to the horizontal, at rest: positions and velocities.
    pub fn at_rest(angle: f64) -> Vec<f64> {
        let positions = (1..=3).flat_map(|i| [f64::from(i) * angle.cos(), f64::from(i) * angle.sin()]);
        positions.chain([0.0; 6]).collect()
    }

    /// The mechanism in the coordinates of its masses.
    pub fn mechanism(&self) -> Differentiated<Sketch> {
        let BetweenRods { stiffness, relaxation } = *self;
        Differentiated::new(
            Sketch::new(["x1", "y1", "x2", "y2", "x3", "y3"])
                .potential(|q| (q[1] + q[3] + q[5]) * GRAVITY)
                .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
                .damped_spring("spring", 1.0 / stiffness, relaxation, |_t, q| {
                    (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0
                })
                .rod("second", |_t, q| (q[4] - q[2]).hypot(q[5] - q[3]) - 1.0),
        )
    }

    /// Positions and velocities at a time, from those at 0: angles of the links and the stretch of the spring are integrated, with
    /// spring and damper as forces.
    ///
    /// # Errors
    /// That of the run.
    pub fn reference(&self, start: &[f64], until: f64) -> Result<Vec<f64>, Error> {
        let options = Options { rtol: EXACT, atol: EXACT, most_steps: usize::MAX, ..Options::default() };
        let system = Differentiated::new(self.in_angles());
        let method = Method::radau().with_stages(7)?;
        let solver = Solver::mechanical(&system).method(method).options(options);
        let motion = solver.run(0.0, until, &to_angles(start))?;
        Ok(from_angles(motion.q(), motion.v()))
    }

    /// With the angles of three links and the stretch of the second one as coordinates.
    fn in_angles(self) -> Sketch {
        let BetweenRods { stiffness, relaxation } = self;
        Sketch::new(["first", "spring", "second", "stretch"])
            .kinetic(|q, w| {
                let zero = q[0] * 0.0;
                let (mut velocity, mut energy) = ([zero, zero], zero);
                for k in 0..3 {
                    let (length, stretching) = if k == 1 { (q[3] + 1.0, w[3]) } else { (zero + 1.0, zero) };
                    velocity[0] += stretching * q[k].cos() - length * q[k].sin() * w[k];
                    velocity[1] += stretching * q[k].sin() + length * q[k].cos() * w[k];
                    energy += (velocity[0].square() + velocity[1].square()) * 0.5;
                }
                energy
            })
            .potential(move |q| {
                let heights = q[0].sin() * 3.0 + (q[3] + 1.0) * q[1].sin() * 2.0 + q[2].sin();
                heights * GRAVITY + q[3].square() * (0.5 * stiffness)
            })
            .force(ForceClass::Dissipative, 3, move |_t, _q, v| v[3] * (-stiffness * relaxation))
    }
}

/// The largest error of a vector, relative to 1 + |x|.
pub fn largest_error(x: &[f64], exact: &[f64]) -> f64 {
    let errors = x.iter().zip(exact).map(|(x, exact)| (x - exact).abs() / (1.0 + exact.abs()));
    errors.fold(0.0, f64::max)
}

/// Angles and stretch with their rates, from positions and velocities.
fn to_angles(start: &[f64]) -> Vec<f64> {
    let (q, v) = start.split_at(6);
    let link = |x: &[f64], k: usize| -> [f64; 2] {
        std::array::from_fn(|i| x[2 * k + i] - if k > 0 { x[2 * k - 2 + i] } else { 0.0 })
    };
    let mut angles = vec![0.0; 8];
    for k in 0..3 {
        let ([x, y], [x_rate, y_rate]) = (link(q, k), link(v, k));
        angles[k] = y.atan2(x);
        angles[4 + k] = (x * y_rate - y * x_rate) / (x * x + y * y);
        if k == 1 {
            let length = x.hypot(y);
            (angles[3], angles[7]) = (length - 1.0, (x * x_rate + y * y_rate) / length);
        }
    }
    angles
}

/// The inverse of [`to_angles`].
fn from_angles(q: &[f64], w: &[f64]) -> Vec<f64> {
    let (mut place, mut velocity) = ([0.0; 2], [0.0; 2]);
    let (mut places, mut velocities) = (Vec::new(), Vec::new());
    for k in 0..3 {
        let (length, stretching) = if k == 1 { (1.0 + q[3], w[3]) } else { (1.0, 0.0) };
        let (sin, cos) = q[k].sin_cos();
        place = [place[0] + length * cos, place[1] + length * sin];
        velocity[0] += stretching * cos - length * sin * w[k];
        velocity[1] += stretching * sin + length * cos * w[k];
        places.extend(place);
        velocities.extend(velocity);
    }
    places.extend(velocities);
    places
}
