//! Springs, dampers and armature of ball joints.
//!
//! e = p₂ ∘ conj(p₁ ∘ c) is (cos θ/2, n sin θ/2): the second body is turned by θ about n, in the world, from where the spring
//! is at rest, c its rotation in the first body there. With Δ = ω₂ − ω₁ the torque on the second body is −kθn − dΔ, and
//! armature adds a|Δ|²/2 to the kinetic energy. Where all of them are 0 there is no such force.

use taut::linear::Pattern;
use taut::system::Terms;

use super::local::{LocalBlock, SECOND, SIZE, Scatter, Touched};
use crate::pose::TURN;
use crate::rotation::{self, Quaternion, conjugate, product, vector_part};
use crate::vector::{Vector, dot, minus, plus, times};

/// Something for the attitudes of both bodies.
type Pair = [Quaternion; 2];

/// Below this share of sin² θ/2 the angle is found by its series.
const SMALL: f64 = 1e-4;

/// What acts between two bodies on a ball joint.
#[derive(Clone, Debug)]
pub(crate) struct BallForce {
    /// its number among the joints
    pub(crate) joint: usize,
    pub(crate) touched: Touched,
    /// c
    pub(crate) rest: Quaternion,
    /// k
    pub(crate) stiffness: f64,
    /// d
    pub(crate) damping: f64,
    /// a
    pub(crate) armature: f64,
    pub(crate) to_mass: Scatter,
    pub(crate) to_stiffness: Scatter,
    pub(crate) to_damping: Scatter,
}

/// θ/sin(θ/2) = 2 atan(|w|/s)/|w| as a function of s = cos θ/2 and w = n sin θ/2, and its derivatives: by s, and by w what w is
/// multiplied with.
fn angle_over_sine(s: f64, w: Vector) -> [f64; 3] {
    let square = dot(w, w);
    let by_s = -2.0 / (s * s + square);
    let x = square / (s * s);
    if x < SMALL {
        let value = 1.0 - x * (1.0 / 3.0 - x * (1.0 / 5.0 - x / 7.0));
        let slope = -2.0 / 3.0 + x * (4.0 / 5.0 - x * (6.0 / 7.0 - x * 8.0 / 9.0));
        return [2.0 * value / s, by_s, 2.0 * slope / (s * s * s)];
    }
    let sine = square.sqrt();
    let over = sine.atan2(s) / sine;
    [2.0 * over, by_s, 2.0 * (s / (s * s + square) - over) / square]
}

/// A direction of one of the eight numbers.
fn direction(k: usize) -> Pair {
    let mut pair = [[0.0; 4]; 2];
    pair[k / 4][k % 4] = 1.0;
    pair
}

/// The local number of one of the eight numbers.
fn local(k: usize) -> usize {
    k / 4 * SECOND + TURN + k % 4
}

fn sum(a: Pair, b: Pair) -> Pair {
    std::array::from_fn(|i| std::array::from_fn(|k| a[i][k] + b[i][k]))
}

/// The forces on the attitudes that a torque on the second body is, and its opposite on the first.
fn turning(torque: Vector, p: Pair) -> Pair {
    let [x, y, z] = times(2.0, torque);
    [product([0.0, -x, -y, -z], p[0]), product([0.0, x, y, z], p[1])]
}

/// Δ = ω₂ − ω₁, linear in p and in the rates
fn relative_spin(p: Pair, rate: Pair) -> Vector {
    minus(rotation::spin(p[1], rate[1]), rotation::spin(p[0], rate[0]))
}

/// The matrix of a linear map, among local numbers.
fn matrix(map: impl Fn(Pair) -> Pair) -> LocalBlock {
    let mut block = [[0.0; SIZE]; SIZE];
    for j in 0..8 {
        let column = map(direction(j));
        for i in 0..8 {
            block[local(i)][local(j)] = column[i / 4][i % 4];
        }
    }
    block
}

impl BallForce {
    /// The block of both attitudes.
    fn entries(&self) -> Vec<(usize, usize)> {
        let pairs = (0..8).flat_map(|i| (0..8).map(move |j| (local(i), local(j))));
        pairs.filter(|&(i, j)| [i, j].iter().all(|&k| self.touched.coordinate(k).is_some())).collect()
    }

    /// Its places in M, K and D.
    pub(crate) fn places(&self) -> [Vec<(usize, usize)>; 3] {
        let all = self.touched.places(&self.entries());
        let or_none = |there: bool| if there { all.clone() } else { Vec::new() };
        let turns = self.armature != 0.0;
        [or_none(turns), all.clone(), or_none(turns || self.damping != 0.0)]
    }

    pub(crate) fn connect(&mut self, [mass, stiffness, damping]: [&Pattern; 3]) {
        let entries = self.entries();
        let to = |pattern: &Pattern| Scatter::block(pattern, &self.touched, &entries);
        (self.to_mass, self.to_stiffness, self.to_damping) = (to(mass), to(stiffness), to(damping));
    }

    fn attitudes(&self, q: &[f64]) -> Pair {
        self.touched.bodies.map(|body| body.pose(q).turn())
    }

    fn rates(&self, v: &[f64]) -> Pair {
        self.touched.bodies.map(|body| body.rate(v).turn)
    }

    /// e, as the rotation of at most half a turn.
    fn turned(&self, [one, two]: Pair) -> Quaternion {
        let e = product(two, conjugate(product(one, self.rest)));
        if e[0] < 0.0 { e.map(|x| -x) } else { e }
    }

    /// −kθn
    fn spring(&self, p: Pair) -> Vector {
        let e = self.turned(p);
        times(-self.stiffness * angle_over_sine(e[0], vector_part(e))[0], vector_part(e))
    }

    /// The change of the torque of the spring in a direction.
    fn spring_along(&self, p: Pair, d: Pair) -> Vector {
        let e = product(p[1], conjugate(product(p[0], self.rest)));
        let sign = if e[0] < 0.0 { -1.0 } else { 1.0 };
        let by_first = product(p[1], conjugate(product(d[0], self.rest)));
        let by_second = product(d[1], conjugate(product(p[0], self.rest)));
        let change: Quaternion = std::array::from_fn(|k| sign * (by_first[k] + by_second[k]));
        let (s, w) = (sign * e[0], times(sign, vector_part(e)));
        let [value, by_s, by_w] = angle_over_sine(s, w);
        let slope = by_s * change[0] + by_w * dot(w, vector_part(change));
        times(-self.stiffness, plus(times(value, vector_part(change)), times(slope, w)))
    }

    /// The torque of spring and damper on the second body, in the world.
    pub(crate) fn torque(&self, q: &[f64], v: &[f64]) -> Vector {
        let p = self.attitudes(q);
        plus(self.spring(p), times(-self.damping, relative_spin(p, self.rates(v))))
    }

    /// Kinetic energy of the armature and potential energy of the spring.
    pub(crate) fn energy(&self, q: &[f64], v: &[f64]) -> [f64; 2] {
        let p = self.attitudes(q);
        let (spin, e) = (relative_spin(p, self.rates(v)), self.turned(p));
        let w = vector_part(e);
        let angle = 2.0 * dot(w, w).sqrt().atan2(e[0]);
        [0.5 * self.armature * dot(spin, spin), 0.5 * self.stiffness * angle * angle]
    }

    pub(crate) fn add_mass(&self, q: &[f64], mass: &mut [f64]) {
        if self.armature != 0.0 {
            let p = self.attitudes(q);
            let block = matrix(|d| turning(times(self.armature, relative_spin(p, d)), p));
            self.to_mass.add_block(&block, 1.0, mass);
        }
    }

    pub(crate) fn add_force(&self, terms: Terms, (q, v): (&[f64], &[f64]), force: &mut [f64]) {
        let (p, rate) = (self.attitudes(q), self.rates(v));
        let spin = relative_spin(p, rate);
        let mut all = [[0.0; 4]; 2];
        let parts = [
            (Terms::POTENTIAL, self.spring(p), p),
            (Terms::DISSIPATIVE, times(-self.damping, spin), p),
            // ∂T/∂p − (∂(M v)/∂p) v, where Δ does not change while p' does not, and ∂T/∂p
            (Terms::CORIOLIS, times(-2.0 * self.armature, spin), rate),
            (Terms::KINETIC, times(-self.armature, spin), rate),
        ];
        for (_, torque, on) in parts.into_iter().filter(|(part, ..)| terms.contain(*part)) {
            all = sum(all, turning(torque, on));
        }
        for k in 0..8 {
            if let Some(coordinate) = self.touched.coordinate(local(k)) {
                force[coordinate] += all[k / 4][k % 4];
            }
        }
    }

    /// Adds its share of K and of D.
    pub(crate) fn add_blocks(
        &self,
        terms: Terms,
        [q, v, a]: [&[f64]; 3],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) {
        let (p, rate) = (self.attitudes(q), self.rates(v));
        let spin = relative_spin(p, rate);
        if terms.contain(Terms::POTENTIAL) && self.stiffness != 0.0 {
            let torque = self.spring(p);
            let block = matrix(|d| sum(turning(self.spring_along(p, d), p), turning(torque, d)));
            self.to_stiffness.add_block(&block, 1.0, stiffness);
        }
        if terms.contain(Terms::DISSIPATIVE) && self.damping != 0.0 {
            let torque = |p, rate| times(-self.damping, relative_spin(p, rate));
            let by_p = matrix(|d| sum(turning(torque(d, rate), p), turning(torque(p, rate), d)));
            self.to_stiffness.add_block(&by_p, 1.0, stiffness);
            self.to_damping.add_block(&matrix(|d| turning(torque(p, d), p)), 1.0, damping);
        }
        if self.armature == 0.0 {
            return;
        }
        let acceleration = self.rates(a);
        let momentum = |p, rate| times(self.armature, relative_spin(p, rate));
        let load = momentum(p, acceleration);
        let by_p = matrix(|d| sum(turning(momentum(d, acceleration), p), turning(load, d)));
        self.to_stiffness.add_block(&by_p, -1.0, stiffness);
        for (part, factor) in [(Terms::CORIOLIS, -2.0), (Terms::KINETIC, -1.0)] {
            if terms.contain(part) {
                let torque = |spin| times(factor * self.armature, spin);
                let by_p = matrix(|d| turning(torque(relative_spin(d, rate)), rate));
                let by_v =
                    matrix(|d| sum(turning(torque(relative_spin(p, d)), rate), turning(torque(spin), d)));
                self.to_stiffness.add_block(&by_p, 1.0, stiffness);
                self.to_damping.add_block(&by_v, 1.0, damping);
            }
        }
    }
}
