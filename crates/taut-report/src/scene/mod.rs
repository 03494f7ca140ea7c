//! What moves: points, lines, springs, joints and bodies in the plane or in space.

mod sketch;

pub use sketch::{Spot, Stroke};

/// A number of a scene: it stays, or it is a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// it stays
    Fixed(f64),
    /// the channel of this number
    Channel(usize),
}

/// A place in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// in the world
    World([Number; 3]),
    /// on a body (by its number among the items), in body axes from where its position is
    On {
        /// the number of the body among the items
        body: usize,
        /// in body axes
        at: [f64; 3],
    },
}

/// The plane x, y, or space with z upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimension {
    /// x to the right, y upwards
    #[default]
    Plane,
    /// z upwards
    Space,
}

/// The shape of a solid, in its own axes around its middle.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// the lengths of its edges
    Box([f64; 3]),
    /// along z
    Cylinder {
        /// of its circle
        radius: f64,
        /// from end to end
        length: f64,
    },
    /// a ball
    Sphere {
        /// of the ball
        radius: f64,
    },
    /// along z: a cylinder of this length with half balls at its ends
    Capsule {
        /// of the cylinder and of the balls
        radius: f64,
        /// of the cylinder alone
        length: f64,
    },
    /// triangles
    Mesh {
        /// the corners
        vertices: Vec<[f64; 3]>,
        /// three corners each, counterclockwise from outside
        triangles: Vec<[u32; 3]>,
    },
}

/// A shape at a place of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// its shape
    pub shape: Shape,
    /// its middle in body axes
    pub position: [f64; 3],
    /// its axes against those of the body: w, x, y, z
    pub rotation: [f64; 4],
}

impl From<Shape> for Solid {
    fn from(shape: Shape) -> Self {
        Solid { shape, position: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] }
    }
}

/// What a joint lets free, as far as it is drawn differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// turns about an axis
    Revolute,
    /// slides along an axis
    Prismatic,
    /// both along one axis
    Cylindrical,
    /// turns about everything
    Spherical,
    /// holds everything
    Fixed,
    /// any other
    Other,
}

impl Joint {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Joint::Revolute => "revolute",
            Joint::Prismatic => "prismatic",
            Joint::Cylindrical => "cylindrical",
            Joint::Spherical => "spherical",
            Joint::Fixed => "fixed",
            Joint::Other => "other",
        }
    }
}

/// One thing that is drawn. `stress` names a column of the motion, a multiplier, that colours it.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// a point
    Point {
        /// shown as its label; may be empty
        name: String,
        /// where it is
        at: Place,
        /// the reaction force on it, drawn as an arrow
        reaction: Option<[Number; 3]>,
    },
    /// a line through corners
    Line {
        /// shown as its label; may be empty
        name: String,
        /// from end to end
        corners: Vec<Place>,
        /// the column that colours it
        stress: Option<String>,
    },
    /// a spring
    Spring {
        /// shown as its label; may be empty
        name: String,
        /// from
        from: Place,
        /// to
        to: Place,
        /// the column that colours it
        stress: Option<String>,
    },
    /// the mark of a joint
    Joint {
        /// shown as its label; may be empty
        name: String,
        /// what it lets free
        kind: Joint,
        /// where it is
        at: Place,
        /// its axis, in the axes of the body that `at` is on, or of the world
        axis: [f64; 3],
        /// its force on the second body, drawn as an arrow
        reaction: Option<[Number; 3]>,
        /// the column that colours it
        stress: Option<String>,
    },
    /// a rigid body
    Body {
        /// shown as its label; may be empty
        name: String,
        /// what it looks like
        solids: Vec<Solid>,
        /// red, green, blue; one is chosen when it is not given
        colour: Option<[u8; 3]>,
        /// where the origin of its axes is
        position: [Number; 3],
        /// its axes: w, x, y, z
        rotation: [Number; 4],
    },
}

/// What moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// the plane or space
    pub dimension: Dimension,
    /// numbers over time, with the rows of the motion's track
    pub channels: Vec<Vec<f64>>,
    /// from back to front
    pub items: Vec<Item>,
}

impl Scene {
    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Takes channels that stay the same for numbers that stay, and forgets those that nobody needs.
    pub fn settle(&mut self) {
        let still: Vec<Option<f64>> = self.channels.iter().map(|channel| constant(channel)).collect();
        let mut kept: Vec<Option<usize>> = vec![None; self.channels.len()];
        let mut channels: Vec<Vec<f64>> = Vec::new();
        let mut settle = |number: &mut Number| {
            let Number::Channel(k) = *number else { return };
            *number = match still[k] {
                Some(value) => Number::Fixed(value),
                None => Number::Channel(*kept[k].get_or_insert_with(|| {
                    channels.push(std::mem::take(&mut self.channels[k]));
                    channels.len() - 1
                })),
            };
        };
        for item in &mut self.items {
            item.numbers().into_iter().for_each(&mut settle);
        }
        self.channels = channels;
    }
}

impl Place {
    fn numbers(&mut self) -> Vec<&mut Number> {
        match self {
            Place::World(numbers) => numbers.iter_mut().collect(),
            Place::On { .. } => Vec::new(),
        }
    }
}

impl Item {
    /// Its label; may be empty.
    pub fn name(&self) -> &str {
        match self {
            Item::Point { name, .. }
            | Item::Line { name, .. }
            | Item::Spring { name, .. }
            | Item::Joint { name, .. }
            | Item::Body { name, .. } => name,
        }
    }

    /// All its numbers that may be channels.
    fn numbers(&mut self) -> Vec<&mut Number> {
        match self {
            Item::Point { at, reaction, .. } | Item::Joint { at, reaction, .. } => {
                let mut numbers = at.numbers();
                numbers.extend(reaction.iter_mut().flatten());
                numbers
            }
            Item::Line { corners, .. } => corners.iter_mut().flat_map(Place::numbers).collect(),
            Item::Spring { from, to, .. } => [from, to].into_iter().flat_map(Place::numbers).collect(),
            Item::Body { position, rotation, .. } => position.iter_mut().chain(rotation).collect(),
        }
    }
}

/// The value of a channel that stays the same.
fn constant(channel: &[f64]) -> Option<f64> {
    let first = *channel.first()?;
    channel.iter().all(|value| *value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_that_stay_are_numbers() {
        let channel = Number::Channel;
        let at = Place::World([channel(0), channel(1), Number::Fixed(0.0)]);
        let point = |at| Item::Point { name: String::new(), at, reaction: None };
        let mut scene = Scene {
            dimension: Dimension::Plane,
            channels: vec![vec![2.0; 3], vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]],
            items: vec![point(at), point(at)],
        };
        scene.settle();
        let settled = Place::World([Number::Fixed(2.0), Number::Channel(0), Number::Fixed(0.0)]);
        assert_eq!(scene.items, [point(settled), point(settled)]);
        assert_eq!(scene.channels, [vec![1.0, 2.0, 3.0]]);
    }
}
