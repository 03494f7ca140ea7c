//! The distance of two points: a rod, and what linear springs and contacts act along.

use super::local::{LocalBlock, LocalRow, SECOND, SIZE, Touched, add_square};
use crate::pose::{Pose, Rate, TURN};
use crate::vector::{Vector, dot, minus, norm, times};

/// |r₂ + R₂ s₂ − r₁ − R₁ s₁| − length.
#[derive(Clone, Debug)]
pub(crate) struct Distance {
    pub(crate) touched: Touched,
    pub(crate) points: [Vector; 2],
    pub(crate) length: f64,
}

impl Distance {
    fn poses(&self, q: &[f64]) -> [Pose; 2] {
        self.touched.bodies.map(|body| body.pose(q))
    }

    /// Distance and direction from the first point to the second; no direction where they coincide.
    fn between(&self, [one, two]: &[Pose; 2]) -> (f64, Vector) {
        let gap = minus(two.point(self.points[1]), one.point(self.points[0]));
        let distance = norm(gap);
        (distance, if distance > 0.0 { times(1.0 / distance, gap) } else { [0.0; 3] })
    }

    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        self.between(&self.poses(q)).0 - self.length
    }

    /// Where the first point is and which way the second one lies.
    pub(crate) fn direction(&self, q: &[f64]) -> Vector {
        self.between(&self.poses(q)).1
    }

    /// The point on the second body.
    pub(crate) fn place(&self, q: &[f64]) -> Vector {
        self.touched.bodies[1].pose(q).point(self.points[1])
    }

    pub(crate) fn gradient(&self, q: &[f64], row: &mut LocalRow) {
        self.value_and_gradient(q, row);
    }

    /// The value, and its derivatives into a row.
    pub(crate) fn value_and_gradient(&self, q: &[f64], row: &mut LocalRow) -> f64 {
        let poses = self.poses(q);
        let (distance, n) = self.between(&poses);
        for k in 0..3 {
            row[k] = -n[k];
            row[SECOND + k] = n[k];
        }
        let turns = [poses[0].gradient(self.points[0], n), poses[1].gradient(self.points[1], n)];
        for i in 0..4 {
            row[TURN + i] = -turns[0][i];
            row[SECOND + TURN + i] = turns[1][i];
        }
        distance - self.length
    }

    pub(crate) fn curvature(&self, q: &[f64], v: &[f64]) -> f64 {
        let poses = self.poses(q);
        let rates: [Rate; 2] = self.touched.bodies.map(|body| body.rate(v));
        let (distance, n) = self.between(&poses);
        let [one, two] = &poses;
        let apart =
            minus(two.point_rate(&rates[1], self.points[1]), one.point_rate(&rates[0], self.points[0]));
        let bend = minus(two.bend(&rates[1], self.points[1]), one.bend(&rates[0], self.points[0]));
        let along = dot(n, apart);
        let across = if distance > 0.0 { (dot(apart, apart) - along * along) / distance } else { 0.0 };
        dot(n, bend) + across
    }

    /// Adds λ times the second derivatives.
    pub(crate) fn second(&self, q: &[f64], lambda: f64, block: &mut LocalBlock) {
        let poses = self.poses(q);
        let (distance, n) = self.between(&poses);
        let pull = times(lambda, n);
        add_square(block, (TURN, TURN), &poses[0].second(self.points[0], times(-1.0, pull)));
        add_square(block, (SECOND + TURN, SECOND + TURN), &poses[1].second(self.points[1], pull));
        if distance == 0.0 {
            return;
        }
        let rows = self.gap_rows(&poses);
        let mut along = [0.0; SIZE];
        for (i, along) in along.iter_mut().enumerate() {
            *along = (0..3).map(|k| n[k] * rows[k][i]).sum();
        }
        let factor = lambda / distance;
        // Bodies of the plane have three of seven coordinates, and the ground has none.
        let coordinates = || (0..SECOND + TURN + 4).filter(|&i| self.touched.coordinate(i).is_some());
        for i in coordinates() {
            for j in coordinates() {
                let inner: f64 = (0..3).map(|k| rows[k][i] * rows[k][j]).sum();
                block[i][j] += factor * (inner - along[i] * along[j]);
            }
        }
    }

    /// The derivatives of the vector from one point to the other.
    fn gap_rows(&self, poses: &[Pose; 2]) -> [LocalRow; 3] {
        let turns = [poses[0].gradients(self.points[0]), poses[1].gradients(self.points[1])];
        let mut rows = [[0.0; SIZE]; 3];
        for (k, row) in rows.iter_mut().enumerate() {
            row[k] = -1.0;
            row[SECOND + k] = 1.0;
            for i in 0..4 {
                row[TURN + i] = -turns[0][k][i];
                row[SECOND + TURN + i] = turns[1][k][i];
            }
        }
        rows
    }
}
