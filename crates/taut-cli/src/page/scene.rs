//! What `[draw]` of a model says, with what can be told of it: which rods are constraints, which are springs.

use std::path::Path;

use taut_report::scene::{Dimension, Item, Number, Place, Scene};
use taut_report::track::Track;
use taut_text::Drawing;

use super::bodies;
use crate::model::Subject;

/// Finding out what a drawing depends on takes n times its size; larger ones are drawn as they are.
const MOST_TRIALS: usize = 4_000_000;

/// The scene of a model: its drawing, its bodies; nothing when there is nothing to see.
pub(super) fn of_model(
    subject: &Subject,
    motion: &Track,
    drawn: Vec<Vec<f64>>,
    [reactions, poses]: [Vec<Vec<f64>>; 2],
) -> Option<Scene> {
    if motion.is_empty() {
        return None;
    }
    let first_pose = drawn.len() + reactions.len();
    let mut scene = of_drawing(subject, motion, drawn, reactions);
    if let Some(model) = subject.model.system.bodies() {
        let world = model.world();
        scene.dimension = if world.dimension == taut_bodies::Dimension::Space {
            Dimension::Space
        } else {
            Dimension::Plane
        };
        scene.channels.extend(poses);
        let folder = Path::new(&subject.typed).parent().unwrap_or(Path::new(""));
        bodies::add(world, folder, first_pose, &mut scene);
    }
    scene.settle();
    (!scene.is_empty()).then_some(scene)
}

/// The scene of a drawing.
fn of_drawing(subject: &Subject, motion: &Track, drawn: Vec<Vec<f64>>, reactions: Vec<Vec<f64>>) -> Scene {
    let drawing = &subject.model.drawing;
    let tied = Ties::find(subject, motion);
    let first_reaction = drawn.len();
    let mut scene = Scene {
        dimension: if drawing.dimension() == 3 { Dimension::Space } else { Dimension::Plane },
        channels: drawn.into_iter().chain(reactions).collect(),
        items: Vec::new(),
    };
    let dimension = drawing.dimension();
    let mut corner = drawing.points();
    for &corners in drawing.lines() {
        lines(&tied, dimension, corner..corner + corners, &mut scene.items);
        corner += corners;
    }
    for point in 0..drawing.points() {
        let reaction = tied.coordinates_of(point, dimension).map(|coordinates| {
            let number = |k: usize| match coordinates.get(k) {
                Some(coordinate) => Number::Channel(first_reaction + coordinate),
                None => Number::Fixed(0.0),
            };
            std::array::from_fn(number)
        });
        scene.items.push(Item::Point { name: String::new(), at: place(point, dimension), reaction });
    }
    scene
}

/// Where a point or corner is.
fn place(corner: usize, dimension: usize) -> Place {
    let number =
        |k: usize| if k < dimension { Number::Channel(corner * dimension + k) } else { Number::Fixed(0.0) };
    Place::World(std::array::from_fn(number))
}

/// A line as one item, unless some of its segments are constraints.
fn lines(tied: &Ties, dimension: usize, corners: std::ops::Range<usize>, items: &mut Vec<Item>) {
    let segments: Vec<Option<&Tie>> = corners.clone().skip(1).map(|to| tied.segment(to - 1)).collect();
    if segments.iter().all(Option::is_none) {
        let corners = corners.map(|corner| place(corner, dimension)).collect();
        items.push(Item::Line { name: String::new(), corners, stress: None });
        return;
    }
    for (from, tie) in corners.zip(segments) {
        let ends = [place(from, dimension), place(from + 1, dimension)];
        let (name, stress) = tie.map_or((String::new(), None), |tie| (tie.name.clone(), Some(tie.column())));
        items.push(match tie {
            Some(tie) if tie.is_spring => Item::Spring { name, from: ends[0], to: ends[1], stress },
            _ => Item::Line { name, corners: ends.to_vec(), stress },
        });
    }
}

/// A constraint that a segment of a line stands for.
struct Tie {
    name: String,
    is_spring: bool,
}

impl Tie {
    /// The column of its multiplier.
    fn column(&self) -> String {
        format!("lambda.{}", self.name)
    }
}

/// What the numbers of a drawing depend on, found by trying.
#[derive(Default)]
struct Ties {
    /// for each corner that begins a segment
    segments: Vec<Option<Tie>>,
    /// for each number of the drawing the coordinate that it is
    same: Vec<Option<usize>>,
}

impl Ties {
    fn find(subject: &Subject, motion: &Track) -> Self {
        let drawing = &subject.model.drawing;
        let Some(system) = subject.mechanism() else { return Ties::default() };
        let n = system.structure().n();
        if n * drawing.len() > MOST_TRIALS {
            return Ties::default();
        }
        let state =
            |k: usize| motion.columns.get(k).and_then(|column| column.values.first()).copied().unwrap_or(0.0);
        let q: Vec<f64> = (0..n).map(state).collect();
        let v: Vec<f64> = (n..2 * n).map(state).collect();
        let (depends, same) = dependence(drawing, motion.times.first().copied().unwrap_or(0.0), &q, &v);
        let structure = system.structure();
        let mut held: Vec<Vec<usize>> = vec![Vec::new(); structure.m()];
        for (row, column) in structure.jacobian.entries() {
            held[row].push(column);
        }
        let segments = segments(drawing, &depends);
        let matching = |segment: &Vec<usize>| {
            let mut rows = (0..held.len()).filter(|&row| held[row] == *segment && !segment.is_empty());
            let (row, alone) = (rows.next()?, rows.next().is_none());
            let drawn_once = segments.iter().filter(|other| *other == segment).count() == 1;
            let constraint = &structure.constraints[row];
            (alone && drawn_once && constraint.is_holonomic())
                .then(|| Tie { name: constraint.name.clone(), is_spring: constraint.compliance() > 0.0 })
        };
        Ties { segments: segments.iter().map(matching).collect(), same }
    }

    fn segment(&self, corner: usize) -> Option<&Tie> {
        self.segments.get(corner)?.as_ref()
    }

    /// The coordinates that a point is, if its numbers are coordinates.
    fn coordinates_of(&self, point: usize, dimension: usize) -> Option<Vec<usize>> {
        (0..dimension).map(|k| *self.same.get(point * dimension + k)?).collect()
    }
}

/// For each number of a drawing the coordinates that it depends on, and the one that it is.
fn dependence(drawing: &Drawing, t: f64, q: &[f64], v: &[f64]) -> (Vec<Vec<usize>>, Vec<Option<usize>>) {
    let mut depends = vec![Vec::new(); drawing.len()];
    let mut same = vec![None; drawing.len()];
    let (mut here, mut there) = (vec![0.0; drawing.len()], vec![0.0; drawing.len()]);
    // A state without coincidences.
    let generic = |(k, x): (usize, &f64)| {
        x + 0.01 * (1.0 + x.abs()) * (0.3 + (0.618_033_988_749_894_9 * k as f64).fract())
    };
    let mut q: Vec<f64> = q.iter().enumerate().map(generic).collect();
    drawing.evaluate(t, &q, v, &mut here);
    for j in 0..q.len() {
        let (before, shift) = (q[j], 0.0078125 * (1.0 + q[j].abs()));
        q[j] = before + shift;
        drawing.evaluate(t, &q, v, &mut there);
        for k in 0..here.len() {
            if there[k] != here[k] {
                depends[k].push(j);
                let exactly = here[k] == before && there[k] == q[j];
                same[k] = exactly.then_some(j);
            }
        }
        q[j] = before;
    }
    for (same, depends) in same.iter_mut().zip(&depends) {
        *same = same.filter(|_| depends.len() == 1);
    }
    (depends, same)
}

/// The coordinates that each segment depends on, by the corner where it begins; nothing for points and last corners.
fn segments(drawing: &Drawing, depends: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let dimension = drawing.dimension();
    let mut segments = vec![Vec::new(); drawing.points()];
    let mut corner = drawing.points();
    for &corners in drawing.lines() {
        for from in corner..corner + corners - 1 {
            let mut all: Vec<usize> = depends[from * dimension..(from + 2) * dimension].concat();
            all.sort_unstable();
            all.dedup();
            segments.push(all);
        }
        segments.push(Vec::new());
        corner += corners;
    }
    segments
}
