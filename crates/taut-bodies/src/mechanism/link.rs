//! The rows of a joint: points that coincide, points in planes, vectors at right angles, each with its derivatives by hand.

use super::chain::{Chain, LocalFreedom};
use super::local::{LocalBlock, LocalRow, SECOND, Touched, VARIABLES, add_mixed, add_square};
use crate::pose::{Dimension, Pose, Rate, TURN};
use crate::vector::{Vector, cross, dot, minus, plus, times};

/// The most rows of one joint.
pub(crate) const MOST_ROWS: usize = 6;

/// The rows that hold two bodies together.
///
/// With variables θ the first point is τ(θ) = T(θ) first and the first vectors u(θ) = A(θ) u, T the motion that the freedoms
/// allow; without them they are fixed in the first body.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) touched: Touched,
    pub(crate) freedoms: Vec<LocalFreedom>,
    /// the point of the joint in the axes of either body
    pub(crate) points: [Vector; 2],
    /// r₂ + R₂ s₂ = r₁ + R₁ τ, a row for each direction of the world
    pub(crate) together: bool,
    /// d·(r₂ − r₁) = 0 for directions of the first body
    pub(crate) planes: Vec<Vector>,
    /// u·b = 0 for a vector of each body
    pub(crate) perpendicular: Vec<[Vector; 2]>,
    /// in the plane: φ₂ − φ₁ − Σθ = this
    pub(crate) angle: Option<f64>,
}

/// What several functions need of a state.
struct At {
    poses: [Pose; 2],
    chain: Chain,
    /// τ
    first: Vector,
}

impl Link {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        let together = if self.together { self.dimension().positions() } else { 0 };
        together + self.planes.len() + self.perpendicular.len() + usize::from(self.angle.is_some())
    }

    fn dimension(&self) -> Dimension {
        self.touched.bodies[0].dimension
    }

    fn at(&self, q: &[f64]) -> At {
        let poses = self.touched.bodies.map(|body| body.pose(q));
        let chain = Chain::new(&self.freedoms, &self.touched.variables, q);
        At { poses, chain, first: chain.point(self.points[0]) }
    }

    /// r₂ + R₂ s₂ − r₁, from the centre of the first body to the point of the second
    fn reach(&self, at: &At) -> Vector {
        minus(at.poses[1].point(self.points[1]), at.poses[0].x)
    }

    pub(crate) fn value(&self, q: &[f64], g: &mut [f64]) {
        let at = self.at(q);
        let [one, two] = &at.poses;
        let reach = self.reach(&at);
        let mut row = 0..;
        let mut put = |value: f64| {
            if let Some(k) = row.next() {
                g[k] = value;
            }
        };
        if self.together {
            let gap = minus(reach, one.vector(at.first));
            gap[..self.dimension().positions()].iter().for_each(|&x| put(x));
        }
        for &d in &self.planes {
            put(dot(one.vector(d), reach) - dot(d, self.points[0]));
        }
        for &[u, b] in &self.perpendicular {
            put(dot(one.vector(at.chain.vector(u)), two.vector(b)));
        }
        if let Some(offset) = self.angle {
            let turned: f64 = self.turning(q);
            put(two.turn()[0] - one.turn()[0] - turned - offset);
        }
    }

    /// Σθ of the variables that turn, about the third axis
    fn turning(&self, q: &[f64]) -> f64 {
        let turning = |(freedom, &k): (&LocalFreedom, &usize)| {
            if freedom.turns { freedom.axis[2] * (q[k] - freedom.zero) } else { 0.0 }
        };
        self.freedoms.iter().zip(&self.touched.variables).map(turning).sum()
    }

    pub(crate) fn jacobian(&self, q: &[f64], rows: &mut [LocalRow; MOST_ROWS]) {
        let at = self.at(q);
        let [one, two] = &at.poses;
        let mut row = 0;
        if self.together {
            let (turn_one, turn_two) = (one.gradients(at.first), two.gradients(self.points[1]));
            for k in 0..self.dimension().positions() {
                let out = &mut rows[row + k];
                out[k] = -1.0;
                out[SECOND + k] = 1.0;
                for i in 0..4 {
                    out[TURN + i] = -turn_one[k][i];
                    out[SECOND + TURN + i] = turn_two[k][i];
                }
            }
            for i in 0..at.chain.count() {
                let slope = one.vector(at.chain.point_slope(i, at.first));
                for k in 0..self.dimension().positions() {
                    rows[row + k][VARIABLES + i] = -slope[k];
                }
            }
            row += self.dimension().positions();
        }
        let reach = self.reach(&at);
        for &d in &self.planes {
            let direction = one.vector(d);
            let out = &mut rows[row];
            for k in 0..3 {
                out[k] = -direction[k];
                out[SECOND + k] = direction[k];
            }
            out[TURN..TURN + 4].copy_from_slice(&one.gradient(d, reach));
            out[SECOND + TURN..SECOND + TURN + 4].copy_from_slice(&two.gradient(self.points[1], direction));
            row += 1;
        }
        for &[u, b] in &self.perpendicular {
            let u = at.chain.vector(u);
            let (in_one, in_two) = (one.vector(u), two.vector(b));
            let out = &mut rows[row];
            out[TURN..TURN + 4].copy_from_slice(&one.gradient(u, in_two));
            out[SECOND + TURN..SECOND + TURN + 4].copy_from_slice(&two.gradient(b, in_one));
            for i in 0..at.chain.count() {
                out[VARIABLES + i] = dot(one.vector(at.chain.vector_slope(i, u)), in_two);
            }
            row += 1;
        }
        if self.angle.is_some() {
            let out = &mut rows[row];
            out[TURN] = -1.0;
            out[SECOND + TURN] = 1.0;
            for (i, freedom) in self.freedoms.iter().enumerate().filter(|(_, freedom)| freedom.turns) {
                out[VARIABLES + i] = -freedom.axis[2];
            }
        }
    }

    /// The second derivatives of the rows along the motion, without accelerations.
    pub(crate) fn curvature(&self, q: &[f64], v: &[f64], curvature: &mut [f64]) {
        let at = self.at(q);
        let [one, two] = &at.poses;
        let [rate_one, rate_two] = self.touched.bodies.map(|body| body.rate(v));
        let variable_rate = |i: usize| v[self.touched.variables[i]];
        let chain = &at.chain;
        let bend_two = two.bend(&rate_two, self.points[1]);
        let mut row = 0;
        if self.together {
            let tau = at.first;
            let tau_rate = chain.rate(variable_rate, |i| chain.point_slope(i, tau));
            let tau_bend = chain.bend(variable_rate, |i, j| chain.point_second(i, j, tau));
            let bend_one = moving_vector(one, &rate_one, [tau, tau_rate, tau_bend])[2];
            let bend = minus(bend_two, bend_one);
            let positions = self.dimension().positions();
            curvature[..positions].copy_from_slice(&bend[..positions]);
            row += positions;
        }
        let reach = self.reach(&at);
        let reach_rate = minus(two.point_rate(&rate_two, self.points[1]), rate_one.x);
        for &d in &self.planes {
            curvature[row] = dot(one.bend(&rate_one, d), reach)
                + 2.0 * dot(one.vector_rate(&rate_one, d), reach_rate)
                + dot(one.vector(d), bend_two);
            row += 1;
        }
        for &[u, b] in &self.perpendicular {
            let u = chain.vector(u);
            let u_rate = chain.rate(variable_rate, |i| chain.vector_slope(i, u));
            let u_bend = chain.bend(variable_rate, |i, j| chain.vector_second(i, j, u));
            let first = moving_vector(one, &rate_one, [u, u_rate, u_bend]);
            let second = moving_vector(two, &rate_two, [b, [0.0; 3], [0.0; 3]]);
            curvature[row] =
                dot(first[2], second[0]) + 2.0 * dot(first[1], second[1]) + dot(first[0], second[2]);
            row += 1;
        }
        if self.angle.is_some() {
            curvature[row] = 0.0;
        }
    }

    /// The second derivatives of Σ λ g.
    pub(crate) fn second(&self, q: &[f64], lambda: &[f64], block: &mut LocalBlock) {
        let at = self.at(q);
        let mut row = 0;
        if self.together {
            let positions = self.dimension().positions();
            let mut pull = [0.0; 3];
            pull[..positions].copy_from_slice(&lambda[..positions]);
            self.second_of_points(&at, pull, block);
            row += positions;
        }
        for &d in &self.planes {
            self.second_of_plane(&at, d, lambda[row], block);
            row += 1;
        }
        for &pair in &self.perpendicular {
            self.second_of_vectors(&at, pair, lambda[row], block);
            row += 1;
        }
    }

    fn second_of_points(&self, at: &At, pull: Vector, block: &mut LocalBlock) {
        let [one, two] = &at.poses;
        let back = times(-1.0, pull);
        add_square(block, (TURN, TURN), &one.second(at.first, back));
        add_square(block, (SECOND + TURN, SECOND + TURN), &two.second(self.points[1], pull));
        let chain = &at.chain;
        for i in 0..chain.count() {
            let slope = chain.point_slope(i, at.first);
            add_mixed(block, (TURN, VARIABLES + i), &one.gradient(slope, back));
            for j in 0..chain.count() {
                let second = one.vector(chain.point_second(i, j, at.first));
                block[VARIABLES + i][VARIABLES + j] += dot(back, second);
            }
        }
    }

    fn second_of_plane(&self, at: &At, d: Vector, lambda: f64, block: &mut LocalBlock) {
        let [one, two] = &at.poses;
        add_square(block, (TURN, TURN), &one.second(d, times(lambda, self.reach(at))));
        let pull = times(lambda, one.vector(d));
        add_square(block, (SECOND + TURN, SECOND + TURN), &two.second(self.points[1], pull));
        let (first, second) = (one.gradients(d), two.gradients(self.points[1]));
        for k in 0..3 {
            let slope = first[k].map(|x| lambda * x);
            add_mixed(block, (TURN, SECOND + k), &slope);
            add_mixed(block, (TURN, k), &slope.map(|x| -x));
        }
        add_product(block, lambda, &first, &second);
    }

    fn second_of_vectors(&self, at: &At, [u, b]: [Vector; 2], lambda: f64, block: &mut LocalBlock) {
        let [one, two] = &at.poses;
        let chain = &at.chain;
        let u = chain.vector(u);
        let (in_one, in_two) = (times(lambda, one.vector(u)), times(lambda, two.vector(b)));
        add_square(block, (TURN, TURN), &one.second(u, in_two));
        add_square(block, (SECOND + TURN, SECOND + TURN), &two.second(b, in_one));
        add_product(block, lambda, &one.gradients(u), &two.gradients(b));
        for i in 0..chain.count() {
            let slope = chain.vector_slope(i, u);
            add_mixed(block, (TURN, VARIABLES + i), &one.gradient(slope, in_two));
            let pull = times(lambda, one.vector(slope));
            add_mixed(block, (SECOND + TURN, VARIABLES + i), &two.gradient(b, pull));
            for j in 0..chain.count() {
                let second = one.vector(chain.vector_second(i, j, u));
                block[VARIABLES + i][VARIABLES + j] += dot(in_two, second);
            }
        }
    }

    /// Force and torque of the joint on its second body, in the world, at the joint.
    pub(crate) fn reaction(&self, q: &[f64], lambda: &[f64]) -> [Vector; 2] {
        let at = self.at(q);
        let [one, two] = &at.poses;
        let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
        let mut row = 0;
        if self.together {
            for k in 0..self.dimension().positions() {
                force[k] -= lambda[k];
            }
            row += self.dimension().positions();
        }
        for &d in &self.planes {
            force = minus(force, times(lambda[row], one.vector(d)));
            row += 1;
        }
        for &[u, b] in &self.perpendicular {
            let (u, b) = (one.vector(at.chain.vector(u)), two.vector(b));
            torque = plus(torque, times(lambda[row], cross(u, b)));
            row += 1;
        }
        if self.angle.is_some() {
            torque[2] -= lambda[row];
        }
        [force, torque]
    }

    /// Where the joint is in the world, on its second body.
    pub(crate) fn place(&self, q: &[f64]) -> Vector {
        self.touched.bodies[1].pose(q).point(self.points[1])
    }

    /// The names of the rows.
    pub(crate) fn row_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        if self.together {
            names
                .extend(["x", "y", "z"][..self.dimension().positions()].iter().map(|&name| name.to_string()));
        }
        names.extend((1..=self.planes.len()).map(|k| format!("plane{k}")));
        names.extend((1..=self.perpendicular.len()).map(|k| format!("turn{k}")));
        names.extend(self.angle.map(|_| "angle".to_string()));
        names
    }
}

/// Value, rate and second derivative of a vector that moves inside a body.
fn moving_vector(pose: &Pose, rate: &Rate, [s, s_rate, s_bend]: [Vector; 3]) -> [Vector; 3] {
    let first = plus(pose.vector_rate(rate, s), pose.vector(s_rate));
    let carried = times(2.0, pose.vector_rate(rate, s_rate));
    [pose.vector(s), first, plus(plus(pose.bend(rate, s), carried), pose.vector(s_bend))]
}

/// λ (∂U/∂p₁)ᵀ ∂W/∂p₂ and its mirror image
fn add_product(block: &mut LocalBlock, lambda: f64, first: &[[f64; 4]; 3], second: &[[f64; 4]; 3]) {
    for i in 0..4 {
        for j in 0..4 {
            let sum: f64 = (0..3).map(|k| first[k][i] * second[k][j]).sum();
            block[TURN + i][SECOND + TURN + j] += lambda * sum;
            block[SECOND + TURN + j][TURN + i] += lambda * sum;
        }
    }
}
