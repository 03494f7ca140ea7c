//! Where bodies are once `start` and `rate` of joints are taken into account: from the ground outwards.

use crate::description::{Joint, JointKind};
use crate::frames::{JointFrame, Placed, as_given, of};
use crate::mechanism::Chain;
use crate::rotation;
use crate::vector::{Vector, cross, minus, plus, times};
use crate::world::World;

/// The values of the coordinates of a joint at the start, where they place its bodies.
pub(crate) fn starts(joint: &Joint, frame: &JointFrame) -> Vec<f64> {
    let zero: Vec<f64> = frame.freedoms.iter().map(|freedom| freedom.zero).collect();
    match (&joint.kind, joint.start.as_slice()) {
        (_, []) => zero,
        (JointKind::Screw { pitch }, &[turn]) => vec![turn, turn * pitch / std::f64::consts::TAU],
        (_, start) => start.to_vec(),
    }
}

/// The rates of the coordinates at the start, when they are given.
pub(crate) fn rates(joint: &Joint) -> Option<Vec<f64>> {
    match (&joint.kind, joint.rate.as_slice()) {
        (_, []) => None,
        (JointKind::Screw { pitch }, &[turn]) => Some(vec![turn, turn * pitch / std::f64::consts::TAU]),
        (_, rate) => Some(rate.to_vec()),
    }
}

/// Goes from the ground outwards: each joint places and moves everything behind it.
pub(crate) fn place(world: &World, frames: &[JointFrame]) -> Vec<Placed> {
    let mut placed = as_given(world);
    let tree = Tree::new(world, frames);
    for &(k, reversed) in &tree.order {
        let (joint, frame) = (&world.joints[k], &frames[k]);
        if !joint.start.is_empty() {
            let [near, _] = ends(frame, reversed);
            move_behind(joint, frame, of(&placed, near), reversed, &tree.behind[k], &mut placed);
        }
    }
    for &(k, reversed) in &tree.order {
        let (joint, frame) = (&world.joints[k], &frames[k]);
        if let Some(rate) = rates(joint) {
            let one = of(&placed, frame.bodies[0]);
            let sign = if reversed { -1.0 } else { 1.0 };
            let (spin, through) = twist(joint, frame, one, &rate);
            for &body in &tree.behind[k] {
                let body = &mut placed[body];
                body.spin = plus(body.spin, times(sign, spin));
                body.velocity = plus(body.velocity, times(sign, plus(through, cross(spin, body.x))));
            }
        }
    }
    placed
}

fn ends(frame: &JointFrame, reversed: bool) -> [Option<usize>; 2] {
    let [first, second] = frame.bodies;
    if reversed { [second, first] } else { [first, second] }
}

/// Moves the bodies behind a joint by the motion that its start is.
fn move_behind(
    joint: &Joint,
    frame: &JointFrame,
    near: Placed,
    reversed: bool,
    behind: &[usize],
    placed: &mut [Placed],
) {
    let start = starts(joint, frame);
    // motion of the second body in the axes of the first
    let (mut turn, mut shift, turned) = match joint.kind {
        JointKind::Spherical => {
            let angle = crate::vector::norm([start[0], start[1], start[2]]);
            let turn = rotation::about([start[0], start[1], start[2]], angle);
            (turn, minus(frame.points[0], rotation::rotate(turn, frame.points[0])), 0.0)
        }
        _ => {
            let variables: Vec<usize> = (0..start.len()).collect();
            let chain = Chain::new(&frame.freedoms, &variables, &start);
            let turned = frame.freedoms.iter().zip(&start);
            let turned = turned.map(|(f, x)| if f.turns { f.axis[2] * (x - f.zero) } else { 0.0 }).sum();
            (chain.turn(), chain.point([0.0; 3]), turned)
        }
    };
    let mut sign = 1.0;
    if reversed {
        // The first body moves instead, against the motion; its axes are where the second one sees them.
        turn = rotation::conjugate(turn);
        shift = times(-1.0, rotation::rotate(turn, shift));
        sign = -1.0;
    }
    let origin = if reversed { of(placed, frame.bodies[0]) } else { near };
    for &k in behind {
        let body = &mut placed[k];
        let local = origin.into_body(body.x);
        let x = plus(origin.x, rotation::rotate(origin.p, plus(rotation::rotate(turn, local), shift)));
        // What was given to move as one goes on to do so from its new place.
        body.velocity = plus(body.velocity, cross(body.spin, minus(x, body.x)));
        body.x = x;
        let inner = rotation::product(rotation::conjugate(origin.p), body.p);
        body.p = rotation::normalised(rotation::product(origin.p, rotation::product(turn, inner)));
        body.angle += sign * turned;
    }
}

/// Angular velocity, and velocity of what is at the origin of the world, of the motion that rates are.
fn twist(joint: &Joint, frame: &JointFrame, one: Placed, rates: &[f64]) -> (Vector, Vector) {
    if joint.kind == JointKind::Spherical {
        let spin = [rates[0], rates[1], rates[2]];
        let at = plus(one.x, rotation::rotate(one.p, frame.points[0]));
        return (spin, cross(at, spin));
    }
    let start = starts(joint, frame);
    let variables: Vec<usize> = (0..start.len()).collect();
    let chain = Chain::new(&frame.freedoms, &variables, &start);
    let (mut spin, mut through) = ([0.0; 3], [0.0; 3]);
    let origin = one.into_body([0.0; 3]);
    for (i, &rate) in rates.iter().enumerate() {
        let axis = rotation::rotate(one.p, chain.turning_axis(i));
        spin = plus(spin, times(rate, axis));
        through = plus(through, times(rate, rotation::rotate(one.p, chain.point_slope(i, origin))));
    }
    (spin, through)
}

/// Which joints place bodies, from the ground outwards.
struct Tree {
    /// joints, and whether their first body is the one that they place
    order: Vec<(usize, bool)>,
    /// by joint that has a start or a rate: the bodies that go along
    behind: Vec<Vec<usize>>,
}

impl Tree {
    fn new(world: &World, frames: &[JointFrame]) -> Tree {
        let count = world.bodies.len();
        // joints by body, those of the ground last
        let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for (k, frame) in frames.iter().enumerate().filter(|(k, _)| places(&world.joints[*k].kind)) {
            for body in frame.bodies {
                joints_of[body.unwrap_or(count)].push(k);
            }
        }
        let mut reached = vec![false; count];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut order = Vec::new();
        // Bodies that hang on nothing begin trees of their own.
        for root in std::iter::once(None).chain((0..count).map(Some)) {
            match root {
                Some(body) if reached[body] => continue,
                Some(body) => reached[body] = true,
                None => {}
            }
            let mut front = vec![root];
            let mut at = 0;
            while let Some(&near) = front.get(at) {
                at += 1;
                for &k in &joints_of[near.unwrap_or(count)] {
                    let reversed = frames[k].bodies[0] != near;
                    let [_, far] = ends(&frames[k], reversed);
                    if let Some(body) = far.filter(|&body| !reached[body]) {
                        reached[body] = true;
                        near.into_iter().for_each(|near| children[near].push(body));
                        order.push((k, reversed));
                        front.push(far);
                    }
                }
            }
        }
        let mut behind = vec![Vec::new(); frames.len()];
        for &(k, reversed) in &order {
            if !world.joints[k].start.is_empty() || !world.joints[k].rate.is_empty() {
                let [_, far] = ends(&frames[k], reversed);
                behind[k] = far.map_or_else(Vec::new, |body| with_descendants(body, &children));
            }
        }
        Tree { order, behind }
    }
}

fn with_descendants(body: usize, children: &[Vec<usize>]) -> Vec<usize> {
    let mut all = vec![body];
    let mut at = 0;
    while let Some(&body) = all.get(at) {
        all.extend(&children[body]);
        at += 1;
    }
    all
}

/// Whether a joint of this kind places what is behind it.
fn places(kind: &JointKind) -> bool {
    !matches!(kind, JointKind::Distance { .. } | JointKind::PointOnLine)
}
