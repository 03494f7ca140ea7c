//! `[tables]`: numbers from files or in place, between which formulas interpolate.

use std::path::Path;
use std::sync::Arc;

use taut_formula::graph::{Graph, Node};
use toml::de::{DeArray, DeTable, DeValue};

use super::calls::is_composed;
use super::document::{Section, Value, article};
use super::entries::Entry;
use super::lower::Role;
use super::names::reserved;
use super::quantity::Quantity;
use super::{Indices, Reader};
use crate::expression::Expression;
use crate::interpolation::{Between, Interpolation};
use crate::limits;
use crate::source::Span;
use crate::table_file::{self, TableFault};

const FIELDS: [&str; 6] = ["file", "x", "y", "points", "between", "beyond"];
const EXAMPLE: &str = "{ points = [[0, 0], [1, 2.5]], between = \"linear\", beyond = \"hold\" }";

/// What a table is outside of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    Hold,
    Extend,
    Error,
}

/// A table of the model.
#[derive(Debug)]
pub(super) struct Table {
    interpolation: Interpolation,
    beyond: Beyond,
    place: Span,
}

/// A table that must not be left: its name, what it is asked for, and from where to where it goes.
#[derive(Clone, Debug)]
pub(super) struct Fence {
    pub(super) table: String,
    pub(super) argument: Node,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl<'a> Reader<'a> {
    pub(super) fn read_tables(&mut self) {
        for part in self.document.parts(Section::Tables) {
            for entry in self.entries(&part) {
                let table = self.table(&entry);
                if !self.is_good_name(&entry) {
                    continue;
                }
                let taken = reserved(&entry.name)
                    .or_else(|| is_composed(&entry.name).then(|| format!("'{}' is a function", entry.name)));
                if let Some(reason) = taken {
                    self.mistakes.add(entry.span, format!("{reason} and cannot be given another meaning"));
                } else if self.functions.contains_key(&entry.name) {
                    self.mistakes.add(entry.span, format!("there is a function '{}' already", entry.name));
                } else if let Some(table) = table {
                    self.tables.insert(entry.name.clone(), table);
                } else {
                    self.failed.insert(entry.name.clone());
                }
            }
        }
    }

    fn table(&mut self, entry: &Entry<'a>) -> Option<Table> {
        let fields = self.fields(entry, &FIELDS, EXAMPLE)?;
        let words = [("linear", Between::Linear), ("cubic", Between::Cubic), ("steps", Between::Steps)];
        let between = self.one_of(fields, "between", &words).unwrap_or(Some(Between::Linear));
        let words = [("hold", Beyond::Hold), ("extend", Beyond::Extend), ("error", Beyond::Error)];
        let beyond = self.one_of(fields, "beyond", &words).unwrap_or(Some(Beyond::Hold));
        let points = match (fields.get("file"), fields.get("points")) {
            (Some(file), None) => self.points_of_file(entry, fields, file),
            (None, Some(points)) => self.points_in_place(points),
            _ => {
                self.mistakes
                    .add(Span::new(entry.value.span()), "a table has points, or a file with them")
                    .help(format!("{} = {EXAMPLE}", entry.name));
                None
            }
        };
        let place = Span::new(
            fields.get("file").or(fields.get("points")).map_or(entry.value.span(), |value| value.span()),
        );
        let points = points?;
        self.check_points(&points, place)?;
        let (x, y) = points.into_iter().unzip();
        let interpolation = Interpolation::new(x, y, between?);
        Some(Table { interpolation, beyond: beyond?, place: entry.span })
    }

    /// One of some words; nothing where the key is not given, nothing inside where it is another word.
    fn one_of<T: Copy>(
        &mut self,
        fields: &'a DeTable<'a>,
        key: &str,
        words: &[(&str, T)],
    ) -> Option<Option<T>> {
        let value = fields.get(key)?;
        if let DeValue::String(text) = value.get_ref()
            && let Some((_, meaning)) = words.iter().find(|(word, _)| text == word)
        {
            return Some(Some(*meaning));
        }
        let names: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        self.mistakes
            .add(Span::new(value.span()), format!("'{key}' is one of {}", names.join(", ")))
            .label("another word");
        Some(None)
    }

    /// `[[0, 1], [2, 3]]`
    fn points_in_place(&mut self, value: &'a Value<'a>) -> Option<Vec<(f64, f64)>> {
        let wrong = "points are a list of pairs of numbers";
        let DeValue::Array(rows) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), wrong)
                .label(format!("found {}", article(value.get_ref())))
                .help("points = [[0, 0], [1, 2.5]]");
            return None;
        };
        let mut points = Some(Vec::new());
        for row in rows.iter() {
            let pair = match row.get_ref() {
                DeValue::Array(pair) if pair.len() == 2 => self.point_of_table(pair),
                _ => {
                    self.mistakes.add(Span::new(row.span()), wrong).label("not a pair");
                    None
                }
            };
            match (&mut points, pair) {
                (Some(points), Some(pair)) => points.push(pair),
                _ => points = None,
            }
        }
        points
    }

    fn point_of_table(&mut self, pair: &'a DeArray<'a>) -> Option<(f64, f64)> {
        let role = Role::constant("a number of a table");
        let mut numbers = pair.iter().map(|value| {
            let node = self.number(value, &mut Indices::new(), &role)?;
            self.structural_value(node)
        });
        let (x, y) = (numbers.next()?, numbers.next()?);
        Some((x?, y?))
    }

    fn points_of_file(
        &mut self,
        entry: &Entry<'a>,
        fields: &'a DeTable<'a>,
        file: &'a Value<'a>,
    ) -> Option<Vec<(f64, f64)>> {
        let DeValue::String(name) = file.get_ref() else {
            self.mistakes
                .add(Span::new(file.span()), "the name of a file is a string")
                .label(format!("found {}", article(file.get_ref())));
            return None;
        };
        let columns = ["x", "y"].map(|key| match fields.get(key).map(|value| (value, value.get_ref())) {
            Some((value, DeValue::String(column))) => Some((column.to_string(), Span::new(value.span()))),
            _ => None,
        });
        let [Some(x), Some(y)] = columns else {
            self.mistakes
                .add(Span::new(entry.value.span()), "a table from a file names two of its columns")
                .help("x = \"s\", y = \"height\"");
            return None;
        };
        let text = match table_file::read(self.source, Path::new(name.as_ref())) {
            Ok(text) => text,
            Err(fault) => {
                self.mistakes.add(Span::new(file.span()), fault.to_string());
                return None;
            }
        };
        let points = table_file::columns(&text, [&x.0, &y.0]);
        self.files.push((name.to_string(), text));
        match points {
            Ok(points) => Some(points),
            Err(TableFault::Column { name, known }) => {
                let span = if name == x.0 { x.1 } else { y.1 };
                self.mistakes
                    .add(span, format!("the file has no column '{name}'"))
                    .suggest(&name, known.iter().map(String::as_str));
                None
            }
            Err(fault) => {
                self.mistakes.add(Span::new(file.span()), fault.to_string());
                None
            }
        }
    }

    fn check_points(&mut self, points: &[(f64, f64)], place: Span) -> Option<()> {
        if points.len() < 2 {
            self.mistakes
                .add(place, "a table has at least two points")
                .label(format!("found {}", points.len()));
            return None;
        }
        if points.len() > limits::POINTS {
            self.mistakes
                .add(place, format!("a table has at most {} points", limits::POINTS))
                .label(format!("found {}", points.len()));
            return None;
        }
        if let Some(pair) = points.windows(2).find(|pair| !(pair[0].0 < pair[1].0)) {
            self.mistakes
                .add(place, "the first numbers of a table increase")
                .label(format!("{} is not above {}", pair[1].0, pair[0].0));
            return None;
        }
        Some(())
    }

    /// `road(expression)`
    pub(super) fn look_up(
        &mut self,
        name: &str,
        arguments: &[Expression],
        span: Span,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let place = self.tables.get(name)?.place;
        let [argument] = arguments else {
            self.mistakes
                .add(span, format!("the table '{name}' takes one argument"))
                .label(format!("found {}", arguments.len()))
                .also(place, "as given here");
            return None;
        };
        let x = self.lower(argument, indices, role)?;
        self.count_repetitions(span, 1, 1)?;
        let table = self.tables.get(name)?;
        let pieces = Pieces::of(table);
        let (beyond, ends) = (table.beyond, table.interpolation.ends());
        let node = pieces.lowered(&mut self.graph, x, &mut self.lookups);
        if beyond == Beyond::Error {
            let fence = Fence { table: name.to_string(), argument: x, from: ends[0], to: ends[1] };
            self.fences.push(fence);
        }
        Some(Quantity::Number(node))
    }
}

/// Polynomials, each from where it begins to the next.
struct Pieces {
    /// where a piece begins, what its argument is counted from, and its coefficients; the first one has no beginning
    pieces: Vec<(f64, [f64; 4])>,
    /// between one piece and the next, and whether the function is smooth there
    limits: Vec<(f64, bool)>,
}

impl Pieces {
    fn of(table: &Table) -> Self {
        let inside = table.interpolation.pieces();
        let is_smooth = table.interpolation.between() == Between::Cubic;
        let limits = inside.iter().skip(1).map(|piece| (piece.0, is_smooth)).collect();
        let mut pieces = Pieces { pieces: inside, limits };
        if table.beyond != Beyond::Extend {
            let [from, to] = table.interpolation.ends();
            let [first, last] = table.interpolation.end_values();
            pieces.pieces.insert(0, (from, [first, 0.0, 0.0, 0.0]));
            pieces.limits.insert(0, (from, false));
            pieces.pieces.push((to, [last, 0.0, 0.0, 0.0]));
            pieces.limits.push((to, false));
        }
        pieces
    }

    /// The formula, with its breaks noted.
    fn lowered(&self, graph: &mut Graph, x: Node, lookups: &mut super::jumps::Lookups) -> Node {
        let breaks: Vec<f64> = self.limits.iter().filter(|(_, smooth)| !smooth).map(|(at, _)| *at).collect();
        let table = lookups.tables.len();
        let mut knot = 0;
        let conditions: Vec<Node> = self
            .limits
            .iter()
            .map(|&(at, smooth)| {
                let at = graph.constant(at);
                let below = graph.subtract(at, x);
                if smooth {
                    graph.set_smooth_across(below);
                } else {
                    lookups.conditions.insert(below, (table, knot));
                    knot += 1;
                }
                below
            })
            .collect();
        if !breaks.is_empty() {
            lookups.tables.push((x, Arc::from(breaks)));
        }
        let values: Vec<Node> = self.pieces.iter().map(|piece| polynomial(graph, x, *piece)).collect();
        choice(graph, &conditions, &values)
    }
}

/// a + b s + c s² + d s³ with s = x − from.
fn polynomial(graph: &mut Graph, x: Node, (from, coefficients): (f64, [f64; 4])) -> Node {
    let from = graph.constant(from);
    let s = graph.subtract(x, from);
    coefficients.iter().rev().fold(Graph::ZERO, |sum, &coefficient| {
        let (scaled, coefficient) = (graph.multiply(sum, s), graph.constant(coefficient));
        graph.add(scaled, coefficient)
    })
}

/// The value number k where k conditions do not hold, each of which means that the argument is below a limit.
fn choice(graph: &mut Graph, below: &[Node], values: &[Node]) -> Node {
    let [one] = values else {
        let middle = below.len() / 2;
        let left = choice(graph, &below[..middle], &values[..=middle]);
        let right = choice(graph, &below[middle + 1..], &values[middle + 1..]);
        let (left, right) = (graph.when(below[middle], left), graph.unless(below[middle], right));
        return graph.add(left, right);
    };
    *one
}
