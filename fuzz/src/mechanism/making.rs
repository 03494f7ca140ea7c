//! Mechanisms from seeds.

use super::{End, Kind, Link, Mechanism, Point};
use crate::random::Random;

/// The mechanism of a seed: a tree of links, some more of them that close loops, and one time in a few what makes a
/// mechanism difficult: redundant rods, a stretched position, masses of very different size.
pub fn make(seed: u64) -> Mechanism {
    let mut random = Random::new(seed);
    let size = random.magnitude(0.1, 10.0);
    let count = 1 + random.below(5);
    let spread = if random.once_in(4) { 1e3 } else { 3.0 };
    let stretched = random.once_in(6);
    let mut points: Vec<Point> = Vec::new();
    for _ in 0..count {
        let before = points.last().map_or([0.0, 0.0], |point: &Point| point.place);
        let angle = if stretched { -1.1 } else { random.between(0.0, std::f64::consts::TAU) };
        let far = size * if stretched { 0.7 } else { random.between(0.4, 1.6) };
        let place = [before[0] + far * angle.cos(), before[1] + far * angle.sin()];
        let moves = random.once_in(2);
        let velocity = std::array::from_fn(|_| if moves { size * random.between(-1.0, 1.0) } else { 0.0 });
        points.push(Point { mass: random.magnitude(1.0 / spread, spread), place, velocity });
    }
    let mut mechanism = Mechanism {
        points,
        links: Vec::new(),
        gravity: *random.one_of(&[0.0, 1.0, 9.81]),
        end: random.between(0.2, 1.2),
    };
    for to in 0..count {
        let from = tree_end(&mechanism, to, &mut random);
        add(&mut mechanism, from, to, &mut random);
    }
    for _ in 0..random.below(4) {
        let (from, to) = (any_end(&mechanism, &mut random), random.below(count));
        if from != End::Point(to) {
            add(&mut mechanism, from, to, &mut random);
        }
    }
    if random.once_in(5) {
        repeat_a_rod(&mut mechanism, &mut random);
    }
    mechanism
}

/// What a point hangs on: the one before it, or the ground, or a place that moves.
fn tree_end(mechanism: &Mechanism, to: usize, random: &mut Random) -> End {
    if to > 0 && !random.once_in(4) {
        return End::Point(random.below(to));
    }
    any_place(mechanism, random)
}

fn any_end(mechanism: &Mechanism, random: &mut Random) -> End {
    match random.once_in(2) {
        true => End::Point(random.below(mechanism.points.len())),
        false => any_place(mechanism, random),
    }
}

fn any_place(mechanism: &Mechanism, random: &mut Random) -> End {
    let size = mechanism.points[0].place[0].hypot(mechanism.points[0].place[1]);
    let place = match random.once_in(2) {
        true => [0.0, 0.0],
        false => std::array::from_fn(|_| size * random.between(-2.0, 2.0)),
    };
    if !random.once_in(5) {
        return End::Ground(place);
    }
    let amplitude = std::array::from_fn(|_| 0.1 * size * random.between(-1.0, 1.0));
    End::Driven { place, amplitude, frequency: random.magnitude(0.5, 8.0) }
}

fn add(mechanism: &mut Mechanism, from: End, to: usize, random: &mut Random) {
    let start = match &from {
        End::Point(k) => mechanism.points[*k].place,
        End::Ground(place) | End::Driven { place, .. } => *place,
    };
    let point = &mechanism.points[to];
    let far = (point.place[0] - start[0]).hypot(point.place[1] - start[1]);
    if far < 1e-3 {
        return;
    }
    let mass = point.mass;
    let rigid = mechanism.links.iter().filter(|link| link.is_rigid()).count();
    let (kind, length) = match random.below(10) {
        // More rods than coordinates leave nothing that moves.
        0..=3 if rigid + 1 < 2 * mechanism.points.len() => (Kind::Rod, far),
        4 if rigid + 1 < 2 * mechanism.points.len() => (Kind::SquaredRod, far),
        5 => {
            let compliance = random.magnitude(1e-12, 1e-5) / mass;
            let relaxation = if random.once_in(3) { random.magnitude(1e-5, 1e-2) } else { 0.0 };
            (Kind::Stiff { compliance, relaxation }, far)
        }
        6 => (Kind::Damper { strength: mass * random.magnitude(0.01, 5.0) }, far),
        _ => {
            let frequency = random.magnitude(0.5, 30.0);
            (Kind::Spring { stiffness: mass * frequency * frequency }, far * random.between(0.7, 1.3))
        }
    };
    mechanism.links.push(Link { from, to, kind, length });
}

/// A rod that says what another one says.
fn repeat_a_rod(mechanism: &mut Mechanism, random: &mut Random) {
    let rods: Vec<Link> = mechanism.links.iter().filter(|link| link.is_rigid()).cloned().collect();
    if !rods.is_empty() {
        mechanism.links.push(random.one_of(&rods).clone());
    }
}
