//! Pins of the plane, body by body: each row is a sum of what its two bodies add, so that sine and cosine are found once for a body
//! and not once for every pin.
//!
//! A pin holds r₂ + R₂ s₂ − r₁ − R₁ s₁ = 0, and with a variable also φ₂ − φ₁ − θ = offset. Its variable turns about the pin itself and is
//! not in the first two rows.

use taut::linear::Pattern;

use super::link::Link;
use super::row::Ask;
use crate::pose::Dimension;

/// All pins of a mechanism of the plane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    /// where a row of a pin that begins on the ground starts from: its row, then x and y with their sign
    ground: Vec<(usize, [f64; 2])>,
    bodies: Vec<PinnedBody>,
    angles: Vec<AngleRow>,
    rows: Vec<usize>,
}

/// A body and the points at which it is pinned.
#[derive(Clone, Debug)]
struct PinnedBody {
    /// where x, y and the angle begin
    at: usize,
    /// (angle, angle) in the stiffness; none where it is only pinned at its centre
    diagonal: Option<usize>,
    points: Vec<PinnedPoint>,
}

#[derive(Clone, Debug)]
struct PinnedPoint {
    /// the row of x; that of y follows
    row: usize,
    /// −1 on the first body of a joint, +1 on the second
    sign: f64,
    /// in body axes
    point: [f64; 2],
    /// (x, x) and (y, y) in the Jacobian
    straight: [usize; 2],
    /// (x, angle) and (y, angle); none at the centre
    turning: Option<[usize; 2]>,
}

/// φ₂ − φ₁ − Σ axis (θ − zero) − offset, which is linear.
#[derive(Clone, Debug)]
struct AngleRow {
    row: usize,
    offset: f64,
    /// coordinate, factor, place in the Jacobian
    terms: Vec<(usize, f64, usize)>,
}

impl Pins {
    /// Whether the rows of a link are those of a pin.
    pub(crate) fn takes(link: &Link) -> bool {
        let about_itself = |anchor: [f64; 3]| anchor[..2] == link.points[0][..2];
        link.touched.bodies[0].dimension == Dimension::Plane
            && link.together
            && link.planes.is_empty()
            && link.perpendicular.is_empty()
            && link.freedoms.iter().all(|freedom| freedom.turns && about_itself(freedom.anchor))
    }

    /// Adds the rows of a link that begin at `first_row`.
    pub(crate) fn add(&mut self, link: &Link, first_row: usize) {
        self.rows.extend([first_row, first_row + 1]);
        for ((place, sign), point) in link.touched.bodies.iter().zip([-1.0, 1.0]).zip(link.points) {
            let point = [point[0], point[1]];
            let Some(at) = place.at else {
                self.ground.push((first_row, point.map(|x| sign * x)));
                continue;
            };
            let known = self.bodies.iter().rposition(|body| body.at == at);
            let k = known.unwrap_or_else(|| {
                self.bodies.push(PinnedBody { at, diagonal: None, points: Vec::new() });
                self.bodies.len() - 1
            });
            self.bodies[k].points.push(PinnedPoint::new(first_row, sign, point));
        }
        if let Some(offset) = link.angle {
            self.angles.push(AngleRow::new(link, first_row + 2, offset));
        }
    }

    /// Asks for its places in the Jacobian, but for those of turning bodies.
    pub(crate) fn ask(&mut self, jacobian: Ask<'_>) {
        for body in &mut self.bodies {
            for point in &mut body.points {
                point.straight = [0, 1].map(|k| jacobian(point.row + k, body.at + k));
            }
        }
        for angle in &mut self.angles {
            for (coordinate, _, slot) in &mut angle.terms {
                *slot = jacobian(angle.row, *coordinate);
            }
        }
    }

    /// Finds those of turning bodies, as far as these turn about another point than their centre.
    pub(crate) fn connect(&mut self, jacobian: &Pattern, stiffness: &Pattern) {
        for body in &mut self.bodies {
            let angle = body.at + 2;
            body.diagonal = stiffness.position(angle, angle);
            for point in &mut body.points {
                let (x, y) = (point.row, point.row + 1);
                point.turning = jacobian.position(x, angle).zip(jacobian.position(y, angle)).map(Into::into);
            }
        }
    }

    pub(crate) fn value(&self, q: &[f64], g: &mut [f64]) {
        self.begin_value(q, g);
        self.each_arm(q, |body, point, arm| point.add_value([q[body.at], q[body.at + 1]], arm, g));
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        self.rows.iter().for_each(|&row| rate[row] = 0.0);
        for body in &self.bodies {
            let (turn, spin) = (body.turn(q), v[body.at + 2]);
            for point in &body.points {
                let arm = turn.apply(point.point);
                rate[point.row] += point.sign * (v[body.at] - spin * arm[1]);
                rate[point.row + 1] += point.sign * (v[body.at + 1] + spin * arm[0]);
            }
        }
        for angle in &self.angles {
            rate[angle.row] = angle.along(v);
        }
    }

    /// Adds to a Jacobian.
    pub(crate) fn jacobian(&self, q: &[f64], values: &mut [f64]) {
        self.each_arm(q, |_, point, arm| point.add_jacobian(arm, values));
        self.add_angles(values);
    }

    pub(crate) fn curvature(&self, q: &[f64], v: &[f64], curvature: &mut [f64]) {
        self.begin_curvature(curvature);
        self.each_arm(q, |body, point, arm| point.add_curvature(v[body.at + 2], arm, curvature));
    }

    /// Values and Jacobian, which share the arms of points.
    pub(crate) fn value_and_jacobian(&self, q: &[f64], g: &mut [f64], jacobian: &mut [f64]) {
        self.begin_value(q, g);
        self.each_arm(q, |body, point, arm| {
            point.add_value([q[body.at], q[body.at + 1]], arm, g);
            point.add_jacobian(arm, jacobian);
        });
        self.add_angles(jacobian);
    }

    /// Values, Jacobian and curvature, which share the arms of points.
    pub(crate) fn all(&self, q: &[f64], v: &[f64], [g, jacobian, curvature]: [&mut [f64]; 3]) {
        self.begin_value(q, g);
        self.begin_curvature(curvature);
        self.each_arm(q, |body, point, arm| {
            point.add_value([q[body.at], q[body.at + 1]], arm, g);
            point.add_jacobian(arm, jacobian);
            point.add_curvature(v[body.at + 2], arm, curvature);
        });
        self.add_angles(jacobian);
    }

    /// Calls a function for each point, with where it is from the centre of its body.
    fn each_arm(&self, q: &[f64], mut f: impl FnMut(&PinnedBody, &PinnedPoint, [f64; 2])) {
        for body in &self.bodies {
            let turn = body.turn(q);
            body.points.iter().for_each(|point| f(body, point, turn.apply(point.point)));
        }
    }

    /// What values are without the bodies.
    fn begin_value(&self, q: &[f64], g: &mut [f64]) {
        self.rows.iter().for_each(|&row| g[row] = 0.0);
        for &(row, [x, y]) in &self.ground {
            g[row] += x;
            g[row + 1] += y;
        }
        for angle in &self.angles {
            g[angle.row] = angle.along(q) - angle.offset;
        }
    }

    fn begin_curvature(&self, curvature: &mut [f64]) {
        self.rows.iter().for_each(|&row| curvature[row] = 0.0);
        self.angles.iter().for_each(|angle| curvature[angle.row] = 0.0);
    }

    fn add_angles(&self, jacobian: &mut [f64]) {
        for &(_, factor, slot) in self.angles.iter().flat_map(|angle| &angle.terms) {
            jacobian[slot] += factor;
        }
    }

    /// Adds −∂(Gᵀλ)/∂q.
    pub(crate) fn add_stiffness(&self, q: &[f64], lambda: &[f64], stiffness: &mut [f64]) {
        for body in &self.bodies {
            let Some(diagonal) = body.diagonal else { continue };
            let turn = body.turn(q);
            for point in &body.points {
                let arm = turn.apply(point.point);
                let pull = lambda[point.row] * arm[0] + lambda[point.row + 1] * arm[1];
                stiffness[diagonal] += point.sign * pull;
            }
        }
    }
}

/// Cosine and sine of a body.
#[derive(Clone, Copy)]
struct Turn {
    cos: f64,
    sin: f64,
}

impl Turn {
    fn apply(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }
}

impl PinnedBody {
    fn turn(&self, q: &[f64]) -> Turn {
        let (sin, cos) = q[self.at + 2].sin_cos();
        Turn { cos, sin }
    }
}

impl PinnedPoint {
    fn new(row: usize, sign: f64, point: [f64; 2]) -> Self {
        PinnedPoint { row, sign, point, straight: [0; 2], turning: None }
    }

    fn add_value(&self, [x, y]: [f64; 2], arm: [f64; 2], g: &mut [f64]) {
        g[self.row] += self.sign * (x + arm[0]);
        g[self.row + 1] += self.sign * (y + arm[1]);
    }

    fn add_jacobian(&self, arm: [f64; 2], values: &mut [f64]) {
        self.straight.iter().for_each(|&slot| values[slot] += self.sign);
        if let Some([x_turn, y_turn]) = self.turning {
            values[x_turn] -= self.sign * arm[1];
            values[y_turn] += self.sign * arm[0];
        }
    }

    fn add_curvature(&self, spin: f64, arm: [f64; 2], curvature: &mut [f64]) {
        let square = spin * spin;
        curvature[self.row] -= self.sign * square * arm[0];
        curvature[self.row + 1] -= self.sign * square * arm[1];
    }
}

impl AngleRow {
    fn new(link: &Link, row: usize, offset: f64) -> Self {
        let [one, two] = link.touched.bodies.map(|place| place.at.map(|at| at + 2));
        let of_bodies = one.map(|k| (k, -1.0, 0)).into_iter().chain(two.map(|k| (k, 1.0, 0)));
        let variables = link.freedoms.iter().zip(&link.touched.variables);
        let of_variables = variables.clone().map(|(freedom, &k)| (k, -freedom.axis[2], 0));
        let zeros: f64 = variables.map(|(freedom, _)| freedom.axis[2] * freedom.zero).sum();
        AngleRow { row, offset: offset - zeros, terms: of_bodies.chain(of_variables).collect() }
    }

    fn along(&self, x: &[f64]) -> f64 {
        self.terms.iter().map(|&(coordinate, factor, _)| factor * x[coordinate]).sum()
    }
}
