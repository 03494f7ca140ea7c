//! `[draw]`: what an animation shows.

use std::sync::Arc;

use toml::de::DeValue;

use super::document::{Section, Value, article};
use super::lower::Role;
use super::quantity::Quantity;
use super::{Indices, Reader};
use crate::model::Drawing;
use crate::source::Span;
use taut_formula::graph::Node;
use taut_formula::tape::Pending;

/// A drawing before it is compiled.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// 2 or 3, once a point is known
    dimension: Option<usize>,
    points: Vec<Node>,
    /// the number of corners of each line
    lines: Vec<usize>,
    corners: Vec<Node>,
}

impl Outline {
    /// The drawing of a model of n coordinates.
    pub(super) fn drawing(self, n: usize) -> Drawing<Arc<Pending>> {
        let dimension = self.dimension.unwrap_or(2);
        let points = self.points.len() / dimension;
        let nodes = [self.points, self.corners].concat();
        Drawing::new(dimension, points, self.lines, Pending::new(&nodes, n, 0))
    }
}

impl<'a> Reader<'a> {
    pub(super) fn drawing(&mut self) -> Outline {
        let mut outline = Outline::default();
        for part in self.document.parts(Section::Draw) {
            for mut entry in self.entries(&part) {
                match entry.name.as_str() {
                    "points" => self.draw_points(entry.value, &mut entry.indices, &mut outline),
                    "lines" => self.draw_lines(entry.value, &mut entry.indices, &mut outline),
                    name => {
                        self.mistakes
                            .add(entry.span, format!("[draw] has no '{name}'"))
                            .suggest(name, ["points", "lines"]);
                    }
                }
            }
        }
        outline
    }

    fn draw_points(&mut self, value: &'a Value<'a>, indices: &mut Indices, outline: &mut Outline) {
        for point in self.list(value, "points is a list of points").unwrap_or_default() {
            let point = self.point(point, indices, outline);
            outline.points.extend(point.into_iter().flatten());
        }
    }

    fn draw_lines(&mut self, value: &'a Value<'a>, indices: &mut Indices, outline: &mut Outline) {
        for line in self.list(value, "lines is a list of lines").unwrap_or_default() {
            let Some(corners) = self.list(line, "a line is a list of points") else { continue };
            if corners.len() < 2 {
                self.mistakes.add(Span::new(line.span()), "a line has at least two points");
            }
            for corner in corners.iter() {
                let corner = self.point(corner, indices, outline);
                outline.corners.extend(corner.into_iter().flatten());
            }
            outline.lines.push(corners.len());
        }
    }

    /// The two or three coordinates of a point.
    fn point(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        outline: &mut Outline,
    ) -> Option<Vec<Node>> {
        let role = Role::any("a drawn point");
        let coordinates = match (value.get_ref(), self.quantity(value, indices, &role)?) {
            (_, Quantity::Vector(coordinates)) => coordinates,
            _ => {
                self.list(value, "a point is a list of two or three coordinates")?;
                return None;
            }
        };
        let dimension = *outline.dimension.get_or_insert(coordinates.len());
        if !(2..=3).contains(&coordinates.len()) {
            self.mistakes
                .add(Span::new(value.span()), "a point has two or three coordinates")
                .label(format!("found {}", coordinates.len()));
            return None;
        }
        if coordinates.len() != dimension {
            self.mistakes
                .add(Span::new(value.span()), "all points have the same number of coordinates")
                .label(format!("found {}, but {dimension} above", coordinates.len()));
            return None;
        }
        Some(coordinates)
    }

    fn list(&mut self, value: &'a Value<'a>, message: &str) -> Option<&'a [Value<'a>]> {
        if let DeValue::Array(list) = value.get_ref() {
            return Some(list);
        }
        self.mistakes
            .add(Span::new(value.span()), message)
            .label(format!("found {}", article(value.get_ref())))
            .help("points = [[\"x\", \"y\"]], lines = [[[\"0\", \"0\"], [\"x\", \"y\"]]]");
        None
    }
}
