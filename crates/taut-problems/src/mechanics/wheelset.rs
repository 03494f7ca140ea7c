//! A railway wheelset on straight track at constant speed.

use taut::system::{Arrangement, FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// The wheelset of Simeon, Führer and Rentrop (1991) in the index-2 form of the Test Set.
///
/// Positions x, y, z, θ, φ and their velocities, the deviation β of the rotation rate, the contact variables ψ, ξ of
/// the right and the left wheel, and two multipliers, stored divided by 10⁴. The contact is rolling with creep; the
/// creep force saturates, so that the equations are smooth in pieces only.
#[derive(Clone, Debug)]
pub struct Wheelset {
    mass: f64,
    gravity: f64,
    speed: f64,
    /// rN0
    radius: f64,
    i1: f64,
    i2: f64,
    /// μ
    friction: f64,
    xl: f64,
    cx: f64,
    cz: f64,
    /// (1 − σ) e, over 2π GM √GG
    hertz: f64,
    shear: f64,
    c11: f64,
    c22: f64,
    c23: f64,
    tan_delta0: f64,
    cos_delta0: f64,
    /// AR
    half_gauge: f64,
    /// AR + RS sin δ0
    rail_centre: f64,
    /// RS
    rail_radius: f64,
}

/// The differential variables: positions, velocities, β.
const DIFFERENTIAL: usize = 11;
/// Multipliers are stored divided by this.
const MULTIPLIER_SCALE: f64 = 1e4;

/// Position, velocity and rotation of the wheelset.
#[derive(Clone, Copy)]
struct Pose<S> {
    x: S,
    y: S,
    z: S,
    theta: S,
    sin_phi: S,
    cos_phi: S,
    sin_theta: S,
    cos_theta: S,
    v: [S; 5],
    /// ω + β
    spin: S,
}

/// One wheel on its rail.
#[derive(Clone, Copy)]
struct Contact<S> {
    /// +1 left, −1 right
    side: f64,
    xi: S,
    sin_psi: S,
    cos_psi: S,
    /// R(ξ) and R'(ξ)
    radius: S,
    radius_slope: S,
    /// S(X), S'(X), S''(X)
    rail: S,
    rail_slope: S,
    rail_curvature: S,
    /// δ
    angle: S,
}

impl Wheelset {
    /// With the parameters of the literature.
    pub fn new() -> Result<Wheelset, Error> {
        Wheelset::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    /// How far the left and the right wheel are from their rails: S(X) − y − ξ sin φ + R cos φ cos ψ. The index-2 form
    /// keeps both at 0 through their rates only.
    pub fn gaps(&self, x: &[f64]) -> [f64; 2] {
        let pose = self.pose(x);
        let left = self.contact(&pose, 1.0, x[13], x[14]);
        let right = self.contact(&pose, -1.0, x[11], x[12]);
        [left.gap(&pose), right.gap(&pose)]
    }

    fn read(data: &Data) -> Result<Wheelset, Error> {
        let of = |key: &str| data.parameter(key);
        let delta0 = of("delta0")?;
        let pressure = 2.0 * of("pi_in_creep")? * of("GM")? * of("GG")?.sqrt();
        Ok(Wheelset {
            mass: of("mR")?,
            gravity: of("g")?,
            speed: of("v")?,
            radius: of("rN0")?,
            i1: of("I1")?,
            i2: of("I2")?,
            friction: of("mu")?,
            xl: of("xl")?,
            cx: of("cx")?,
            cz: of("cz")?,
            hertz: 3.0 * (1.0 - of("sigma")?) * of("e")? / pressure,
            shear: of("GM")?,
            c11: of("C11")?,
            c22: of("C22")?,
            c23: of("C23")?,
            tan_delta0: delta0.tan(),
            cos_delta0: delta0.cos(),
            half_gauge: of("AR")?,
            rail_centre: of("AR")? + of("RS")? * delta0.sin(),
            rail_radius: of("RS")?,
        })
    }

    fn pose<S: Scalar>(&self, x: &[S]) -> Pose<S> {
        let ((sin_theta, cos_theta), (sin_phi, cos_phi)) = (x[3].sin_cos(), x[4].sin_cos());
        Pose {
            x: x[0],
            y: x[1],
            z: x[2],
            theta: x[3],
            sin_phi,
            cos_phi,
            sin_theta,
            cos_theta,
            v: [x[5], x[6], x[7], x[8], x[9]],
            spin: x[10] + self.speed / self.radius,
        }
    }

    /// Profiles of wheel and rail at the contact (ψ, ξ), and the contact angle.
    fn contact<S: Scalar>(&self, pose: &Pose<S>, side: f64, psi: S, xi: S) -> Contact<S> {
        let (sin_psi, cos_psi) = psi.sin_cos();
        let (sin_phi, cos_phi) = (pose.sin_phi, pose.cos_phi);
        let (sin_theta, cos_theta) = (pose.sin_theta, pose.cos_theta);
        let radius = (-xi.abs() + self.half_gauge) * self.tan_delta0 + self.radius;
        let radius_slope = xi.sign() * -self.tan_delta0;
        let across = pose.x
            + xi * cos_theta * cos_phi
            + radius * (cos_theta * sin_phi * cos_psi - sin_theta * sin_psi);
        let offset = -across.abs() + self.rail_centre;
        let height = (-offset.square() + self.rail_radius * self.rail_radius).sqrt();
        let slope = (cos_phi * radius_slope - sin_phi * cos_psi) * cos_theta + sin_psi * sin_theta;
        let normal = (sin_phi * radius_slope + cos_psi * cos_phi) * -side;
        Contact {
            side,
            xi,
            sin_psi,
            cos_psi,
            radius,
            radius_slope,
            rail: height - (self.radius + self.cos_delta0 * self.rail_radius),
            rail_slope: offset / height * across.sign(),
            rail_curvature: S::constant(-self.rail_radius * self.rail_radius) / height.powi(3),
            angle: (slope / normal).atan(),
        }
    }

    /// The creep force of one wheel under the normal force N.
    fn creep<S: Scalar>(&self, pose: &Pose<S>, contact: &Contact<S>, normal: S) -> [S; 3] {
        let Contact { side, xi, sin_psi, cos_psi, radius, angle, .. } = *contact;
        let Pose { sin_phi, cos_phi, v, spin, .. } = *pose;
        let (sin_d, cos_d) = angle.sin_cos();
        let (sin, cos) = (pose.theta / cos_d).sin_cos();
        let arm = xi * sin_phi - radius * cos_phi * cos_psi;
        let slip = [
            -spin * radius * (sin * cos_psi + cos * sin_phi * sin_psi) + v[0]
                - v[3] * (radius * (sin * sin_phi * cos_psi + cos * sin_psi) + xi * sin * cos_phi)
                - v[4] * cos * arm,
            spin * radius * cos_phi * sin_psi + v[1] + v[4] * (xi * cos_phi + radius * sin_phi * cos_psi),
            -spin * radius * (cos * cos_psi - sin * sin_phi * sin_psi) + v[2] + self.speed
                - v[3] * (xi * cos * cos_phi + radius * (cos * sin_phi * cos_psi - sin * sin_psi))
                + v[4] * sin * arm,
        ];
        let rolling = [slip[0] - v[0] * 2.0, slip[1] - v[1] * 2.0, slip[2] - v[2] * 2.0 - 2.0 * self.speed];
        let speed = (rolling[0].square() + rolling[1].square() + rolling[2].square()).sqrt() * 0.5;
        let along = (sin * slip[0] + cos * slip[2]) / speed;
        let across = (cos * cos_d * slip[0] + sin_d * slip[1] * side - sin * cos_d * slip[2]) / speed;
        let turning = (-(sin_d * spin) * side + cos_d * v[3]) / speed;
        let [force_along, force_across] = self.saturated(contact, normal, along, across, turning);
        [
            sin * force_along + cos * cos_d * force_across,
            sin_d * force_across * side,
            cos * force_along - sin * cos_d * force_across,
        ]
    }

    /// Tangential forces from the creepages; their length is at most the friction μ N.
    fn saturated<S: Scalar>(
        &self,
        contact: &Contact<S>,
        normal: S,
        along: S,
        across: S,
        turning: S,
    ) -> [S; 2] {
        let wheel = S::constant(0.5) / ((contact.radius_slope.square() + 1.0).sqrt() * contact.radius);
        let rail = -contact.rail_curvature / (contact.rail_slope.square() + 1.0).powf(1.5) * 0.5;
        let patch = (normal.abs() * self.hertz / (wheel + rail)).powf(1.0 / 3.0);
        let limit = normal * self.friction;
        let stiffness = patch.square() * self.shear / limit;
        let force_along = -limit * (stiffness * along * self.c11).tanh();
        let creep = stiffness * (across * self.c22 + patch * turning * self.c23);
        let force_across = -limit * creep.tanh();
        let length2 = force_along.square() + force_across.square();
        let beyond = length2 - limit.square();
        let share = beyond.select(limit.abs() / length2.sqrt(), S::constant(1.0));
        [force_along * share, force_across * share]
    }
}

impl<S: Scalar> Contact<S> {
    /// The row Q of the constraint matrix.
    fn row(&self, pose: &Pose<S>) -> [S; 5] {
        let Contact { xi, sin_psi, cos_psi, radius, rail_slope, .. } = *self;
        let Pose { sin_phi, cos_phi, sin_theta, cos_theta, .. } = *pose;
        let turn = radius * -(cos_theta * sin_psi + cos_psi * sin_phi * sin_theta) - cos_phi * sin_theta * xi;
        let tilt = cos_phi * cos_psi * cos_theta * radius - cos_theta * sin_phi * xi;
        [
            rail_slope,
            S::constant(-1.0),
            S::zero(),
            rail_slope * turn,
            -cos_psi * radius * sin_phi - cos_phi * xi + rail_slope * tilt,
        ]
    }

    /// The two contact conditions: the normals of wheel and rail agree.
    fn conditions(&self, pose: &Pose<S>) -> [S; 2] {
        let Contact { sin_psi, cos_psi, radius_slope, rail_slope, .. } = *self;
        let Pose { sin_phi, cos_phi, sin_theta, cos_theta, .. } = *pose;
        let tilt = cos_phi * radius_slope - sin_phi * cos_psi;
        [
            rail_slope * (sin_phi * radius_slope + cos_phi * cos_psi)
                + cos_theta * tilt
                + sin_theta * sin_psi,
            sin_theta * tilt - cos_theta * sin_psi,
        ]
    }

    /// S(X) − y − ξ sin φ + R cos φ cos ψ, which the index-2 form keeps at 0 through its derivative.
    fn gap(&self, pose: &Pose<S>) -> S {
        self.rail - pose.y - self.xi * pose.sin_phi + self.radius * pose.cos_phi * self.cos_psi
    }

    /// Torques of the creep force about the axes of θ, φ and the wheel axle.
    fn torques(&self, pose: &Pose<S>, force: [S; 3]) -> [S; 3] {
        let Contact { xi, sin_psi, cos_psi, radius, .. } = *self;
        let Pose { sin_phi, cos_phi, sin_theta, cos_theta, .. } = *pose;
        let (sin_r, cos_r) = (radius * sin_psi, radius * cos_psi);
        let lift = xi * sin_phi - cos_r * cos_phi;
        [
            -(xi * sin_theta + sin_r * cos_theta * cos_phi) * force[0] - sin_r * sin_phi * force[1]
                + (sin_r * sin_theta * cos_phi - xi * cos_theta) * force[2],
            -(lift * cos_theta) * force[0]
                + (xi * cos_phi + cos_r * sin_phi) * force[1]
                + lift * sin_theta * force[2],
            -(cos_r * sin_theta + sin_r * cos_theta * sin_phi) * force[0] + sin_r * cos_phi * force[1]
                - (cos_r * cos_theta - sin_r * sin_theta * sin_phi) * force[2],
        ]
    }
}

fn dot5<S: Scalar>(a: [S; 5], b: [S; 5]) -> S {
    (0..5).fold(S::zero(), |sum, k| sum + a[k] * b[k])
}

impl FirstOrder for Wheelset {
    fn variables(&self) -> Vec<String> {
        let positions = ["x", "y", "z", "theta", "phi"];
        let rest = ["beta", "psiR", "xiR", "psiL", "xiL", "lambda1", "lambda2"].map(String::from);
        let mut names: Vec<String> = positions.map(String::from).to_vec();
        names.extend(positions.map(|name| format!("{name}'")));
        names.extend(rest);
        names
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let pose = self.pose(x);
        let right = self.contact(&pose, -1.0, x[11], x[12]);
        let left = self.contact(&pose, 1.0, x[13], x[14]);
        let (row_left, row_right) = (left.row(&pose), right.row(&pose));
        let (push_left, push_right) = (x[15] * MULTIPLIER_SCALE, x[16] * MULTIPLIER_SCALE);
        let push: [S; 5] = std::array::from_fn(|k| row_left[k] * push_left + row_right[k] * push_right);
        let ((sin_left, cos_left), (sin_right, cos_right)) = (left.angle.sin_cos(), right.angle.sin_cos());
        let determinant = -sin_left * cos_right - sin_right * cos_left;
        let normal_left = (cos_right * push[0] - sin_right * push[1]) / determinant;
        let normal_right = (-cos_left * push[0] - sin_left * push[1]) / determinant;
        let creep_left = self.creep(&pose, &left, normal_left);
        let creep_right = self.creep(&pose, &right, normal_right);
        let (torque_left, torque_right) =
            (left.torques(&pose, creep_left), right.torques(&pose, creep_right));
        let creep: [S; 3] = std::array::from_fn(|k| creep_left[k] + creep_right[k]);
        let torque: [S; 3] = std::array::from_fn(|k| torque_left[k] + torque_right[k]);

        let Pose { v, spin, sin_phi, cos_phi, .. } = pose;
        let (difference, suspension) = (self.i1 - self.i2, pose.theta * (-2.0 * self.xl * self.xl * self.cz));
        let coupling = v[3] * v[4];
        let yaw = (coupling * sin_phi * (self.i2 - difference) - spin * v[4] * self.i1
            + torque[0]
            + cos_phi * suspension
            + push[3])
            / (cos_phi * self.i2);
        rate[..5].copy_from_slice(&v);
        rate[5] = (creep[0] + push[0] - pose.x * (2.0 * self.cx)) / self.mass;
        rate[6] = (creep[1] + push[1]) / self.mass - self.gravity;
        rate[7] = (creep[2] - pose.z * (2.0 * self.cz)) / self.mass;
        rate[8] = yaw;
        rate[9] = (spin * v[3] * cos_phi * self.i1
            + v[3].square() * sin_phi * cos_phi * difference
            + torque[1]
            + push[4])
            / self.i2;
        rate[10] = (torque[2] + sin_phi * suspension) / self.i1 - coupling * cos_phi - yaw * sin_phi;
        rate[11..13].copy_from_slice(&right.conditions(&pose));
        rate[13..15].copy_from_slice(&left.conditions(&pose));
        rate[15] = dot5(row_left, v);
        rate[16] = dot5(row_right, v);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..DIFFERENTIAL).map(|i| (i, i, 1.0)).collect()
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: DIFFERENTIAL }
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some([[1; 15].as_slice(), &[2; 2]].concat())
    }
}

const DATA: &str = include_str!("../../reference/wheelset.toml");

pub(crate) const ENTRY: Entry = Entry { name: "wheelset", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let system = System::FirstOrder(Box::new(Linearised::new(Wheelset::read(&data)?)));
    let purpose = "index 2 with contact and friction: only smooth in pieces, hunting motion";
    data.problem(purpose, Layout::Variables, system)
}
