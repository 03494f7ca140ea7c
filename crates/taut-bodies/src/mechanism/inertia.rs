//! Kinetic energy of a body: T = m|x'|²/2 + yᵀ𝒥y/2 with y = p̄ ∘ p' = (p·p', ω/2) and 𝒥 = diag(μ, 4J), J the inertia in body axes.
//!
//! The term μ/2 (p·p')² vanishes on unit quaternions; with μ = 2 tr J it makes the mass regular and well-conditioned.

use crate::pose::{Dimension, Place};
use crate::rotation::{Quaternion, conjugate, product, vector_part};
use crate::vector::{Vector, dot};

/// A matrix on the four numbers of an attitude.
pub(crate) type Square = [[f64; 4]; 4];

/// The inertia of a body and where its blocks are.
#[derive(Clone, Debug)]
pub(crate) struct Inertia {
    pub(crate) place: Place,
    pub(crate) mass: f64,
    /// rows of J; in the plane the last entry
    pub(crate) about_centre: [Vector; 3],
    /// 4 J, where it has no entries beside the diagonal
    pub(crate) principal: Option<Vector>,
    /// μ
    pub(crate) extension: f64,
    /// places of the mass among the values: positions, then the attitude row by row
    pub(crate) mass_slots: Vec<usize>,
    /// places of the attitude's block in K and in D, row by row
    pub(crate) stiffness_slots: Vec<usize>,
    pub(crate) damping_slots: Vec<usize>,
}

const BASIS: [Quaternion; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// The matrix of a linear map.
fn matrix(map: impl Fn(Quaternion) -> Quaternion) -> Square {
    let columns = BASIS.map(map);
    let mut matrix = [[0.0; 4]; 4];
    for (i, row) in matrix.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = columns[j][i];
        }
    }
    matrix
}

fn sum(a: Quaternion, b: Quaternion) -> Quaternion {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

fn scaled(factor: f64, a: Quaternion) -> Quaternion {
    a.map(|x| factor * x)
}

fn inner(a: Quaternion, b: Quaternion) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

impl Inertia {
    pub(crate) fn is_spatial(&self) -> bool {
        self.place.dimension == Dimension::Space
    }

    /// J about the third axis, all there is in the plane.
    pub(crate) fn in_plane(&self) -> f64 {
        self.about_centre[2][2]
    }

    /// 4 J y without its first number
    fn about(&self, y: Quaternion) -> Quaternion {
        let y = vector_part(y);
        if let Some([a, b, c]) = self.principal {
            return [0.0, a * y[0], b * y[1], c * y[2]];
        }
        let row = |k: usize| {
            4.0 * (self.about_centre[k][0] * y[0]
                + self.about_centre[k][1] * y[1]
                + self.about_centre[k][2] * y[2])
        };
        [0.0, row(0), row(1), row(2)]
    }

    /// 𝒥 y
    fn whole(&self, y: Quaternion) -> Quaternion {
        let mut momentum = self.about(y);
        momentum[0] = self.extension * y[0];
        momentum
    }

    /// M(p) a, the part of the attitude
    pub(crate) fn momentum(&self, p: Quaternion, a: Quaternion) -> Quaternion {
        product(p, self.whole(product(conjugate(p), a)))
    }

    /// M(p) = P 𝒥 Pᵀ, P the matrix of p ∘ y
    pub(crate) fn mass_block(&self, p: Quaternion) -> Square {
        let [w, x, y, z] = p;
        let turns = [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]];
        let loads = match self.principal {
            Some(principal) => turns.map(|row| [0, 1, 2].map(|k| principal[k] * row[k])),
            None => turns.map(|row| self.about_centre.map(|j| 4.0 * dot(j, row))),
        };
        let mut mass = [[0.0; 4]; 4];
        for i in 0..4 {
            let along = self.extension * p[i];
            for j in 0..=i {
                let [a, b, c] = turns[j];
                let entry = along * p[j] + (loads[i][0] * a + loads[i][1] * b + loads[i][2] * c);
                mass[i][j] = entry;
                mass[j][i] = entry;
            }
        }
        mass
    }

    /// ∂(M a)/∂p
    pub(crate) fn load_stiffness(&self, p: Quaternion, a: Quaternion) -> Square {
        let momentum = self.whole(product(conjugate(p), a));
        matrix(|d| sum(product(d, momentum), product(p, self.whole(product(conjugate(d), a)))))
    }

    /// ∂T/∂p
    pub(crate) fn kinetic(&self, p: Quaternion, v: Quaternion) -> Quaternion {
        product(v, conjugate(self.whole(product(conjugate(p), v))))
    }

    /// Its derivatives by p and by p'.
    pub(crate) fn kinetic_blocks(&self, p: Quaternion, v: Quaternion) -> [Square; 2] {
        let momentum = conjugate(self.whole(product(conjugate(p), v)));
        let by_p = matrix(|d| product(v, conjugate(self.whole(product(conjugate(d), v)))));
        let by_v = matrix(|d| {
            sum(product(d, momentum), product(v, conjugate(self.whole(product(conjugate(p), d)))))
        });
        [by_p, by_v]
    }

    /// ∂T/∂p − (∂(M v)/∂p) v = −2 v ∘ (0, 4J y) − μ |v|² p
    pub(crate) fn coriolis(&self, p: Quaternion, v: Quaternion) -> Quaternion {
        let turning = scaled(-2.0, product(v, self.about(product(conjugate(p), v))));
        sum(turning, scaled(-self.extension * inner(v, v), p))
    }

    /// Its derivatives by p and by p'.
    pub(crate) fn coriolis_blocks(&self, p: Quaternion, v: Quaternion) -> [Square; 2] {
        let square = self.extension * inner(v, v);
        let by_p = matrix(|d| {
            sum(scaled(-2.0, product(v, self.about(product(conjugate(d), v)))), scaled(-square, d))
        });
        let momentum = self.about(product(conjugate(p), v));
        let by_v = matrix(|d| {
            let turning = sum(product(d, momentum), product(v, self.about(product(conjugate(p), d))));
            sum(scaled(-2.0, turning), scaled(-2.0 * self.extension * inner(v, d), p))
        });
        [by_p, by_v]
    }

    /// T
    pub(crate) fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let (pose, rate) = (self.place.pose(q), self.place.rate(v));
        let straight = 0.5 * self.mass * dot(rate.x, rate.x);
        let turning = if self.is_spatial() {
            inner(rate.turn, self.momentum(pose.turn(), rate.turn))
        } else {
            self.in_plane() * rate.turn[0] * rate.turn[0]
        };
        straight + 0.5 * turning
    }
}
