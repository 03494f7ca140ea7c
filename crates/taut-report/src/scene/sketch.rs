//! A scene on paper: outlines at one time, seen from one side.

use super::{Dimension, Item, Number, Place, Scene, Shape, Solid};
use crate::track::Track;

/// A place on paper: to the right, upwards.
pub type Spot = (f64, f64);

/// One line of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub enum Stroke {
    /// through these places
    Line(Vec<Spot>),
    /// a mark
    Dot(Spot),
}

/// Where space is seen from: the angle around z and the height above the ground, as in the page.
const FROM: (f64, f64) = (-0.85, 0.42);
/// A spring has so many turns,
const TURNS: usize = 9;
/// and this share of its length as its width.
const WIDTH: f64 = 0.06;
/// A circle has so many corners.
const AROUND: usize = 24;

/// A scene at one time.
struct Moment<'a> {
    scene: &'a Scene,
    numbers: Vec<f64>,
}

impl Scene {
    /// What is seen at a time.
    pub fn sketch(&self, motion: &Track, t: f64) -> Vec<Stroke> {
        let moment = self.at(motion, t);
        self.items.iter().flat_map(|item| moment.strokes(item)).collect()
    }

    /// The ways of its points, in the plane and with the rows of these times.
    pub fn paths(&self, motion: &Track, times: &[f64]) -> Vec<(String, Vec<Spot>)> {
        let moves = |item: &&Item| match item {
            Item::Point { at: Place::World(at), .. } => at.iter().any(|x| matches!(x, Number::Channel(_))),
            _ => false,
        };
        let points: Vec<&Item> = self.items.iter().filter(moves).collect();
        let mut paths: Vec<(String, Vec<Spot>)> =
            points.iter().map(|item| (item.name().to_owned(), Vec::new())).collect();
        for &t in times {
            let moment = self.at(motion, t);
            for (item, path) in points.iter().zip(&mut paths) {
                path.1.extend(item.place().map(|place| moment.seen(moment.place(place))));
            }
        }
        paths
    }

    fn at(&self, motion: &Track, t: f64) -> Moment<'_> {
        let numbers = self.channels.iter().map(|channel| motion.between(channel, &[t])[0]).collect();
        Moment { scene: self, numbers }
    }
}

impl Item {
    fn place(&self) -> Option<&Place> {
        match self {
            Item::Point { at, .. } | Item::Joint { at, .. } => Some(at),
            _ => None,
        }
    }
}

impl Moment<'_> {
    fn number(&self, number: &Number) -> f64 {
        match number {
            Number::Fixed(value) => *value,
            Number::Channel(k) => self.numbers.get(*k).copied().unwrap_or(f64::NAN),
        }
    }

    fn place(&self, place: &Place) -> [f64; 3] {
        match place {
            Place::World(numbers) => std::array::from_fn(|k| self.number(&numbers[k])),
            Place::On { body, at } => match self.scene.items.get(*body) {
                Some(Item::Body { position, rotation, .. }) => self.on(position, rotation, *at),
                _ => [f64::NAN; 3],
            },
        }
    }

    fn on(&self, position: &[Number; 3], rotation: &[Number; 4], at: [f64; 3]) -> [f64; 3] {
        let turned = turned(std::array::from_fn(|k| self.number(&rotation[k])), at);
        std::array::from_fn(|k| self.number(&position[k]) + turned[k])
    }

    fn seen(&self, [x, y, z]: [f64; 3]) -> Spot {
        if self.scene.dimension == Dimension::Plane {
            return (x, y);
        }
        let ((sin_a, cos_a), (sin_e, cos_e)) = (FROM.0.sin_cos(), FROM.1.sin_cos());
        (cos_a * y - sin_a * x, cos_e * z - sin_e * (cos_a * x + sin_a * y))
    }

    fn strokes(&self, item: &Item) -> Vec<Stroke> {
        match item {
            Item::Point { at, .. } | Item::Joint { at, .. } => vec![Stroke::Dot(self.seen(self.place(at)))],
            Item::Line { corners, .. } => {
                vec![Stroke::Line(corners.iter().map(|corner| self.seen(self.place(corner))).collect())]
            }
            Item::Spring { from, to, .. } => {
                vec![Stroke::Line(zigzag(self.seen(self.place(from)), self.seen(self.place(to))))]
            }
            Item::Body { solids, position, rotation, .. } => {
                let outline = |solid: &Solid| {
                    let corners = corners(&solid.shape).into_iter().map(|corner| {
                        let inside = turned(solid.rotation, corner);
                        let inside = std::array::from_fn(|k| solid.position[k] + inside[k]);
                        self.seen(self.on(position, rotation, inside))
                    });
                    Stroke::Line(hull(corners.collect()))
                };
                solids.iter().map(outline).collect()
            }
        }
    }
}

/// A vector through the rotation of a quaternion w, x, y, z.
fn turned([w, x, y, z]: [f64; 4], [a, b, c]: [f64; 3]) -> [f64; 3] {
    let s = 2.0 / (w * w + x * x + y * y + z * z).max(f64::MIN_POSITIVE);
    [
        a - s * ((y * y + z * z) * a - (x * y - w * z) * b - (x * z + w * y) * c),
        b - s * ((x * x + z * z) * b - (x * y + w * z) * a - (y * z - w * x) * c),
        c - s * ((x * x + y * y) * c - (x * z - w * y) * a - (y * z + w * x) * b),
    ]
}

fn zigzag(from: Spot, to: Spot) -> Vec<Spot> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let mut spots = vec![from];
    for k in 0..TURNS {
        let (along, side) = ((k as f64 + 0.5) / TURNS as f64, if k % 2 == 0 { WIDTH } else { -WIDTH });
        spots.push((from.0 + along * dx - side * dy, from.1 + along * dy + side * dx));
    }
    spots.push(to);
    spots
}

/// Places on the surface of a shape of which the hull is what is seen of it.
fn corners(shape: &Shape) -> Vec<[f64; 3]> {
    let circle = |radius: f64, z: f64| {
        let angle = |k: usize| 2.0 * std::f64::consts::PI * k as f64 / AROUND as f64;
        (0..AROUND).map(move |k| [radius * angle(k).cos(), radius * angle(k).sin(), z])
    };
    let ball = |radius: f64, z: f64| {
        let heights = (0..=8).map(|k| (std::f64::consts::PI * (f64::from(k) / 8.0 - 0.5)).sin_cos());
        heights.flat_map(move |(sin, cos)| circle(radius * cos, z + radius * sin)).collect::<Vec<_>>()
    };
    match shape {
        Shape::Box(edges) => {
            let sign = |bit: usize, k: usize| if bit >> k & 1 == 0 { -0.5 } else { 0.5 };
            (0..8).map(|bit| std::array::from_fn(|k| sign(bit, k) * edges[k])).collect()
        }
        Shape::Cylinder { radius, length } => {
            circle(*radius, -0.5 * length).chain(circle(*radius, 0.5 * length)).collect()
        }
        Shape::Sphere { radius } => ball(*radius, 0.0),
        Shape::Capsule { radius, length } => {
            [ball(*radius, -0.5 * length), ball(*radius, 0.5 * length)].concat()
        }
        Shape::Mesh { vertices, .. } => vertices.clone(),
    }
}

/// The convex hull, closed (Andrew 1979).
fn hull(mut spots: Vec<Spot>) -> Vec<Spot> {
    spots.retain(|spot| spot.0.is_finite() && spot.1.is_finite());
    spots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let half = |spots: &mut dyn Iterator<Item = Spot>| {
        let mut kept: Vec<Spot> = Vec::new();
        for p in spots {
            while let [.., a, b] = kept[..]
                && (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) <= 0.0
            {
                kept.pop();
            }
            kept.push(p);
        }
        kept.pop();
        kept
    };
    let mut around = half(&mut spots.iter().copied());
    around.extend(half(&mut spots.iter().rev().copied()));
    around.extend(around.first().copied());
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_turn_and_carry_places() {
        let half_turn = [0.0, 0.0, 0.0, 1.0].map(Number::Fixed);
        let quarter = std::f64::consts::FRAC_1_SQRT_2;
        assert!((turned([quarter, 0.0, 0.0, quarter], [1.0, 0.0, 0.0])[1] - 1.0).abs() < 1e-15);
        let scene = Scene {
            dimension: Dimension::Plane,
            channels: vec![vec![0.0, 2.0]],
            items: vec![
                Item::Body {
                    name: String::new(),
                    solids: vec![Shape::Box([2.0, 1.0, 1.0]).into()],
                    colour: None,
                    position: [Number::Channel(0), Number::Fixed(0.0), Number::Fixed(0.0)],
                    rotation: half_turn,
                },
                Item::Point {
                    name: String::new(),
                    at: Place::On { body: 0, at: [1.0, 0.5, 0.0] },
                    reaction: None,
                },
            ],
        };
        let motion = Track::rows(vec![0.0, 1.0], Vec::new());
        let strokes = scene.sketch(&motion, 0.5);
        assert_eq!(strokes[1], Stroke::Dot((0.0, -0.5)));
        let Stroke::Line(outline) = &strokes[0] else { panic!("a body has an outline") };
        assert_eq!((outline.len(), outline[0]), (5, (0.0, -0.5)));
    }

    #[test]
    fn points_leave_paths() {
        let at = Place::World([Number::Channel(0), Number::Fixed(1.0), Number::Fixed(0.0)]);
        let scene = Scene {
            dimension: Dimension::Plane,
            channels: vec![vec![0.0, 1.0, 2.0, 3.0]],
            items: vec![Item::Point { name: "p".to_owned(), at, reaction: None }],
        };
        let motion = Track::rows(vec![0.0, 1.0, 2.0, 3.0], Vec::new());
        let paths = scene.paths(&motion, &[0.0, 1.5, 3.0]);
        assert_eq!(paths[0].0, "p");
        assert!(paths[0].1.iter().zip([0.0, 1.5, 3.0]).all(|(spot, x)| (spot.0 - x).abs() < 1e-14));
    }
}
