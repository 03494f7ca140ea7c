//! Ball joints, body by body: each row is a sum of what its two bodies add, so that nothing is carried through the blocks of a
//! general joint.
//!
//! A ball joint holds r₂ + R₂ s₂ − r₁ − R₁ s₁ = 0. With c = 2 (w s + u × s) and d = 2 u·s, p = (w, u), the derivative of R(p)s
//! in a direction (e, f) is e c + d f − c × f, linear in p as well, and R(p)s itself is half of that in the direction p.

use std::collections::BTreeMap;

use taut::linear::Pattern;

use super::link::Link;
use super::row::Ask;
use crate::pose::Dimension;
use crate::rotation::{self, Quaternion};
use crate::vector::{Vector, plus, times};

/// All ball joints of a mechanism in space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balls {
    /// where a joint that begins or ends on the ground is: its first row, then the point with its sign
    ground: Vec<(usize, Vector)>,
    bodies: Vec<HeldBody>,
    /// their numbers, by where their coordinates begin
    numbers: BTreeMap<usize, usize>,
    /// the first rows of the joints
    rows: Vec<usize>,
}

/// A body and the points at which it is held.
#[derive(Clone, Debug)]
struct HeldBody {
    /// where x, y, z and p begin
    at: usize,
    /// the block of p in the stiffness, row by row; none where it is only held at its centre
    block: Option<[usize; 16]>,
    points: Vec<HeldPoint>,
}

#[derive(Clone, Debug)]
struct HeldPoint {
    /// the row of x; those of y and z follow
    row: usize,
    /// −1 on the first body of a joint, +1 on the second
    sign: f64,
    /// in body axes
    point: Vector,
    /// the places of x, y, z in the Jacobian
    straight: [usize; 3],
    /// those of p: where the three rows begin in each column; none at the centre
    turning: Option<[usize; 4]>,
}

/// Which coordinates of the attitude a place in its block belongs to.
fn pair(place: usize) -> [usize; 2] {
    [place / 4, place % 4]
}

impl Balls {
    /// Whether the rows of a link are those of a ball joint.
    pub(crate) fn takes(link: &Link) -> bool {
        link.touched.bodies[0].dimension == Dimension::Space
            && link.together
            && link.planes.is_empty()
            && link.perpendicular.is_empty()
            && link.freedoms.is_empty()
    }

    /// The number of ball joints.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Adds the rows of a link that begin at `row`.
    pub(crate) fn add(&mut self, link: &Link, row: usize) {
        self.rows.push(row);
        for ((place, sign), point) in link.touched.bodies.iter().zip([-1.0, 1.0]).zip(link.points) {
            let Some(at) = place.at else {
                self.ground.push((row, times(sign, point)));
                continue;
            };
            let number = *self.numbers.entry(at).or_insert(self.bodies.len());
            if number == self.bodies.len() {
                self.bodies.push(HeldBody { at, block: None, points: Vec::new() });
            }
            let held = HeldPoint { row, sign, point, straight: [0; 3], turning: None };
            self.bodies[number].points.push(held);
        }
    }

    /// Asks for its places in the Jacobian, but for those of turning bodies.
    pub(crate) fn ask(&mut self, jacobian: Ask<'_>) {
        for HeldBody { at, points, .. } in &mut self.bodies {
            for point in points {
                point.straight = std::array::from_fn(|k| jacobian(point.row + k, *at + k));
            }
        }
    }

    /// Finds those of turning bodies, as far as these turn about another point than their centre.
    pub(crate) fn connect(&mut self, jacobian: &Pattern, stiffness: &Pattern) {
        for HeldBody { at, block, points } in &mut self.bodies {
            let turn = *at + 3;
            *block = all(|place| {
                let [i, j] = pair(place);
                stiffness.position(turn + i, turn + j)
            });
            for point in points {
                // Rows of a joint follow each other, so that its entries in a column do.
                let HeldPoint { row, .. } = *point;
                point.turning = all(|i| {
                    jacobian.position(row + 2, turn + i)?;
                    jacobian.position(row, turn + i)
                });
            }
        }
    }

    pub(crate) fn value(&self, q: &[f64], g: &mut [f64]) {
        self.clear(g);
        for &(row, point) in &self.ground {
            add(g, row, 1.0, point);
        }
        for body in &self.bodies {
            let (x, p) = (body.position(q), body.turn(q));
            for point in &body.points {
                add(g, point.row, point.sign, plus(x, rotation::rotate(p, point.point)));
            }
        }
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        self.clear(rate);
        for body in &self.bodies {
            let (p, straight, turning) = (body.turn(q), body.position(v), body.turn(v));
            for point in &body.points {
                let arm = Slope::new(p, point.point).along(turning);
                add(rate, point.row, point.sign, plus(straight, arm));
            }
        }
    }

    /// Writes all entries of its rows: the two bodies of a joint have none in common.
    pub(crate) fn jacobian(&self, q: &[f64], values: &mut [f64]) {
        for body in &self.bodies {
            let p = body.turn(q);
            for point in &body.points {
                point.straight.iter().for_each(|&slot| values[slot] = point.sign);
                let Some(turning) = &point.turning else { continue };
                let columns = Slope::new(p, times(point.sign, point.point)).columns();
                for (column, &start) in columns.iter().zip(turning) {
                    values[start..start + 3].copy_from_slice(column);
                }
            }
        }
    }

    pub(crate) fn curvature(&self, v: &[f64], curvature: &mut [f64]) {
        self.clear(curvature);
        for body in &self.bodies {
            let turning = body.turn(v);
            for point in &body.points {
                // twice the form of degree two that R(p)s is, of p'
                let bend = times(2.0, rotation::rotate(turning, point.point));
                add(curvature, point.row, point.sign, bend);
            }
        }
    }

    /// Adds −∂(Gᵀλ)/∂q.
    pub(crate) fn add_stiffness(&self, lambda: &[f64], stiffness: &mut [f64]) {
        for body in &self.bodies {
            let Some(block) = &body.block else { continue };
            for point in &body.points {
                let pull: Vector = std::array::from_fn(|k| -point.sign * lambda[point.row + k]);
                let form = rotation::form(point.point, pull);
                for (place, &slot) in block.iter().enumerate() {
                    let [i, j] = pair(place);
                    stiffness[slot] += form[i][j];
                }
            }
        }
    }

    fn clear(&self, values: &mut [f64]) {
        self.rows.iter().for_each(|&row| values[row..row + 3].fill(0.0));
    }
}

/// All of several places, if they are there.
fn all<T: Default + Copy, const N: usize>(place: impl Fn(usize) -> Option<T>) -> Option<[T; N]> {
    let mut places = [T::default(); N];
    for (k, found) in places.iter_mut().enumerate() {
        *found = place(k)?;
    }
    Some(places)
}

fn add(values: &mut [f64], row: usize, sign: f64, x: Vector) {
    let values = &mut values[row..row + 3];
    for k in 0..3 {
        values[k] += sign * x[k];
    }
}

impl HeldBody {
    fn position(&self, x: &[f64]) -> Vector {
        std::array::from_fn(|k| x[self.at + k])
    }

    fn turn(&self, x: &[f64]) -> Quaternion {
        std::array::from_fn(|k| x[self.at + 3 + k])
    }
}

/// c and d: the derivative of R(p)s by p.
struct Slope {
    c: Vector,
    d: f64,
}

impl Slope {
    fn new([w, x, y, z]: Quaternion, [a, b, c]: Vector) -> Self {
        let across = [w * a + (y * c - z * b), w * b + (z * a - x * c), w * c + (x * b - y * a)];
        Slope { c: times(2.0, across), d: 2.0 * (x * a + y * b + z * c) }
    }

    /// The rows of x, y and z.
    fn rows(&self) -> [[f64; 4]; 3] {
        let ([x, y, z], d) = (self.c, self.d);
        [[x, d, z, -y], [y, -z, d, x], [z, y, -x, d]]
    }

    /// The columns of p.
    fn columns(&self) -> [Vector; 4] {
        let ([x, y, z], d) = (self.c, self.d);
        [[x, y, z], [d, -z, y], [z, d, -x], [-y, x, d]]
    }

    /// The change of R(p)s in a direction.
    fn along(&self, direction: Quaternion) -> Vector {
        self.rows().map(|row| row.iter().zip(direction).map(|(a, b)| a * b).sum())
    }
}
