//! What expressions may ask of bodies and joints: `crank.vx`, `crank.spin.x`, `crank.tip.x`, `pin.angle`, `pin.rate`.

use std::collections::HashMap;

use taut::system::MechanicalSystem;
use taut_bodies::{Body, Dimension, JointKind, Mechanism, World};
use taut_formula::graph::{Graph, Node};

use super::inputs;

/// Bodies and joints by name.
#[derive(Clone, Debug)]
pub(in crate::reader) struct BodyNames {
    dimension: Dimension,
    bodies: HashMap<String, usize>,
    descriptions: Vec<Body>,
    joints: HashMap<String, JointQuantity>,
    names: Vec<String>,
}

/// The coordinate of a joint of one freedom.
#[derive(Clone, Debug)]
enum JointQuantity {
    /// a variable; whether it is an angle
    Variable(usize, bool),
    /// the angle between two bodies of the plane, from the one at the start
    Difference([Option<usize>; 2], f64),
}

impl BodyNames {
    pub(super) fn new(world: &World, mechanism: &Mechanism) -> Self {
        let index = |name: &str| world.bodies.iter().position(|body| body.name == name);
        let coordinates = &mechanism.structure().coordinates;
        let variable = |name: &str| coordinates.iter().position(|known| known == name);
        let mut joints = HashMap::new();
        for joint in &world.joints {
            let turns = matches!(joint.kind, JointKind::Revolute | JointKind::Screw { .. });
            let quantity = match variable(&joint.name) {
                Some(k) => JointQuantity::Variable(k, turns),
                None if joint.kind == JointKind::Revolute && world.dimension == Dimension::Plane => {
                    let bodies = [index(&joint.between[0]), index(&joint.between[1])];
                    let angle = |body: Option<usize>| body.map_or(0.0, |k| world.bodies[k].angle);
                    JointQuantity::Difference(bodies, angle(bodies[1]) - angle(bodies[0]))
                }
                None => continue,
            };
            joints.insert(joint.name.clone(), quantity);
        }
        let mut names = Vec::new();
        for body in &world.bodies {
            let fields: &[&str] = match world.dimension {
                Dimension::Plane => &["vx", "vy", "spin"],
                Dimension::Space => &["vx", "vy", "vz", "spin.x", "spin.y", "spin.z"],
            };
            names.extend(fields.iter().map(|field| format!("{}.{field}", body.name)));
            names.extend(body.points.iter().map(|(point, _)| format!("{}.{point}.x", body.name)));
        }
        names.extend(
            joints.keys().flat_map(|joint| ["angle", "rate"].map(|field| format!("{joint}.{field}"))),
        );
        BodyNames {
            dimension: world.dimension,
            bodies: world.bodies.iter().enumerate().map(|(k, body)| (body.name.clone(), k)).collect(),
            descriptions: world.bodies.clone(),
            joints,
            names,
        }
    }

    /// Whether the coordinate of a joint of one freedom is an angle.
    pub(super) fn turns(&self, joint: &str) -> Option<bool> {
        Some(match self.joints.get(joint)? {
            JointQuantity::Variable(_, turns) => *turns,
            JointQuantity::Difference(..) => true,
        })
    }

    /// Whether there is such a body.
    pub(super) fn is_body(&self, name: &str) -> bool {
        self.bodies.contains_key(name)
    }

    /// Names to suggest.
    pub(in crate::reader) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The node of a name with dots, when it is known.
    pub(in crate::reader) fn find(&self, graph: &mut Graph, name: &str) -> Option<Node> {
        let (owner, rest) = name.split_once('.')?;
        let of_joint = self.joints.get(owner).and_then(|joint| self.of_joint(graph, joint, rest));
        if of_joint.is_some() {
            return of_joint;
        }
        let body = *self.bodies.get(owner)?;
        let axis = |word: &str| self.axis(word);
        if let Some(k) = rest.strip_prefix('v').and_then(axis) {
            return Some(inputs(graph, self.first(body) + k).1);
        }
        match rest.split_once('.') {
            None if rest == "spin" && self.dimension == Dimension::Plane => {
                Some(inputs(graph, self.first(body) + 2).1)
            }
            None => None,
            Some(("spin", word)) if self.dimension == Dimension::Space => {
                Some(self.spin(graph, body)[axis(word)?])
            }
            Some((point, word)) => {
                let place = self.descriptions[body].place_of(point)?;
                let point = self.point(graph, body, place);
                match word.strip_prefix('v').and_then(axis) {
                    Some(k) => Some(graph.along_motion(point[k])),
                    None => Some(point[axis(word)?]),
                }
            }
        }
    }

    /// The coordinate whose velocity a name is: `crank.vx`, `crank.spin` in the plane.
    pub(super) fn velocity(&self, name: &str) -> Option<usize> {
        let (owner, rest) = name.split_once('.')?;
        let first = self.first(*self.bodies.get(owner)?);
        if rest == "spin" && self.dimension == Dimension::Plane {
            return Some(first + 2);
        }
        Some(first + self.axis(rest.strip_prefix('v')?)?)
    }

    /// The body and the axis of `crank.spin.x` in space.
    pub(super) fn spin_axis(&self, name: &str) -> Option<(usize, usize)> {
        let (owner, rest) = name.split_once('.')?;
        let body = *self.bodies.get(owner).filter(|_| self.dimension == Dimension::Space)?;
        Some((body, self.axis(rest.strip_prefix("spin.")?)?))
    }

    fn axis(&self, word: &str) -> Option<usize> {
        ["x", "y", "z"][..self.dimension.positions()].iter().position(|axis| *axis == word)
    }

    fn of_joint(&self, graph: &mut Graph, joint: &JointQuantity, field: &str) -> Option<Node> {
        match (joint, field) {
            (JointQuantity::Variable(k, true), "angle") | (JointQuantity::Variable(k, false), "length") => {
                Some(inputs(graph, *k).0)
            }
            (JointQuantity::Variable(k, _), "rate") => Some(inputs(graph, *k).1),
            (JointQuantity::Difference(bodies, offset), "angle") => {
                let [first, second] = bodies.map(|body| self.angle(graph, body).0);
                let offset = graph.constant(*offset);
                let difference = graph.subtract(second, first);
                Some(graph.subtract(difference, offset))
            }
            (JointQuantity::Difference(bodies, _), "rate") => {
                let [first, second] = bodies.map(|body| self.angle(graph, body).1);
                Some(graph.subtract(second, first))
            }
            _ => None,
        }
    }

    fn angle(&self, graph: &mut Graph, body: Option<usize>) -> (Node, Node) {
        body.map_or((Graph::ZERO, Graph::ZERO), |body| inputs(graph, self.first(body) + 2))
    }

    /// Where the coordinates of a body begin.
    fn first(&self, body: usize) -> usize {
        body * self.dimension.coordinates()
    }

    /// A point of a body in the world.
    pub(super) fn point(&self, graph: &mut Graph, body: usize, place: [f64; 3]) -> [Node; 3] {
        let first = self.first(body);
        let s = place.map(|x| graph.constant(x));
        let turned = match self.dimension {
            Dimension::Plane => {
                let (angle, _) = inputs(graph, first + 2);
                let (sin, cos) = (
                    graph.unary(taut_formula::function::Unary::Sin, angle),
                    graph.unary(taut_formula::function::Unary::Cos, angle),
                );
                let x = difference(graph, [cos, s[0]], [sin, s[1]]);
                let y = sum(graph, &[[sin, s[0]], [cos, s[1]]]);
                [x, y, Graph::ZERO]
            }
            Dimension::Space => {
                let (p, _) = self.quaternion(graph, body);
                rotated(graph, p, s)
            }
        };
        let mut point = [Graph::ZERO; 3];
        for k in 0..self.dimension.positions() {
            let (centre, _) = inputs(graph, first + k);
            point[k] = graph.add(centre, turned[k]);
        }
        point
    }

    /// The quaternion of a body and its rate.
    fn quaternion(&self, graph: &mut Graph, body: usize) -> ([Node; 4], [Node; 4]) {
        let first = self.first(body) + 3;
        let pairs: [(Node, Node); 4] = std::array::from_fn(|k| inputs(graph, first + k));
        (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1))
    }

    /// 2 p' ∘ p̄
    pub(super) fn spin(&self, graph: &mut Graph, body: usize) -> [Node; 3] {
        let ([w, x, y, z], [a, b, c, d]) = self.quaternion(graph, body);
        let two = graph.constant(2.0);
        let parts = [
            (sum(graph, &[[b, w], [d, y]]), sum(graph, &[[a, x], [c, z]])),
            (sum(graph, &[[c, w], [b, z]]), sum(graph, &[[a, y], [d, x]])),
            (sum(graph, &[[d, w], [c, x]]), sum(graph, &[[a, z], [b, y]])),
        ];
        parts.map(|(plus, minus)| {
            let spin = graph.subtract(plus, minus);
            graph.multiply(two, spin)
        })
    }

    /// The forces on the coordinates of a body that a torque in the world is: 2 (0, τ) ∘ p, or τ in the plane.
    pub(super) fn torque(&self, graph: &mut Graph, body: usize, torque: [Node; 3]) -> Vec<(usize, Node)> {
        let first = self.first(body) + self.dimension.positions();
        if self.dimension == Dimension::Plane {
            return vec![(first, torque[2])];
        }
        let [x, y, z] = torque;
        let [w, a, b, c] = self.quaternion(graph, body).0;
        let zero = Graph::ZERO;
        let parts = [
            (zero, sum(graph, &[[x, a], [y, b], [z, c]])),
            (sum(graph, &[[x, w], [y, c]]), sum(graph, &[[z, b]])),
            (sum(graph, &[[y, w], [z, a]]), sum(graph, &[[x, c]])),
            (sum(graph, &[[z, w], [x, b]]), sum(graph, &[[y, a]])),
        ];
        let two = graph.constant(2.0);
        let mut forces = Vec::new();
        for (k, (plus, minus)) in parts.into_iter().enumerate() {
            let force = graph.subtract(plus, minus);
            forces.push((first + k, graph.multiply(two, force)));
        }
        forces
    }
}

/// Σ a b
fn sum(graph: &mut Graph, products: &[[Node; 2]]) -> Node {
    products.iter().fold(Graph::ZERO, |total, &[a, b]| {
        let product = graph.multiply(a, b);
        graph.add(total, product)
    })
}

/// a b − c d
fn difference(graph: &mut Graph, [a, b]: [Node; 2], [c, d]: [Node; 2]) -> Node {
    let (first, second) = (graph.multiply(a, b), graph.multiply(c, d));
    graph.subtract(first, second)
}

/// (w² − u·u) s + 2 (u·s) u + 2 w u × s
fn rotated(graph: &mut Graph, [w, x, y, z]: [Node; 4], s: [Node; 3]) -> [Node; 3] {
    let u = [x, y, z];
    let squares = sum(graph, &[[x, x], [y, y], [z, z]]);
    let square = graph.multiply(w, w);
    let straight = graph.subtract(square, squares);
    let inner = sum(graph, &[[x, s[0]], [y, s[1]], [z, s[2]]]);
    let two = graph.constant(2.0);
    let (along, across) = (graph.multiply(two, inner), graph.multiply(two, w));
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let cross = difference(graph, [u[i], s[j]], [u[j], s[i]]);
        sum(graph, &[[straight, s[k]], [along, u[k]], [across, cross]])
    })
}
