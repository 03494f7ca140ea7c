//! Which panels there are for a table.

use taut_report::figure::{Curve, Figure, Marks, Panel, Scale};

/// A panel has at most so many curves.
const MOST_CURVES: usize = 7;
/// A phase portrait has at most so many.
const MOST_PORTRAITS: usize = 4;
/// What stands before the names of constraints in the columns of their multipliers.
const MULTIPLIER: &str = "lambda.";

/// Names and rows of numbers, the time first.
pub struct Table<'a> {
    /// the names of the columns
    pub names: &'a [String],
    /// the rows
    pub rows: &'a [Vec<f64>],
}

/// The columns of a table, by what they are.
struct Kinds {
    coordinates: Vec<usize>,
    multipliers: Vec<usize>,
    observed: Vec<usize>,
}

impl Table<'_> {
    fn kinds(&self) -> Kinds {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let is_velocity = |name: &str| name.strip_suffix('\'').is_some_and(|base| place(base).is_some());
        let mut kinds = Kinds { coordinates: Vec::new(), multipliers: Vec::new(), observed: Vec::new() };
        for (k, name) in self.names.iter().enumerate().skip(1) {
            if place(&format!("{name}'")).is_some() {
                kinds.coordinates.push(k);
            } else if name.starts_with(MULTIPLIER) {
                kinds.multipliers.push(k);
            } else if !is_velocity(name) {
                kinds.observed.push(k);
            }
        }
        kinds
    }

    fn curve(&self, x: usize, y: usize, marks: Marks) -> Curve {
        let points = self.rows.iter().filter_map(|row| Some((*row.get(x)?, *row.get(y)?)));
        let name = self.names[y].strip_prefix(MULTIPLIER).unwrap_or(&self.names[y]);
        Curve { name: name.to_owned(), points: points.collect(), marks }
    }

    /// Columns over time; nothing when there are none.
    fn over_time(&self, title: &str, columns: &[usize], marks: Marks, time: Scale) -> Option<Panel> {
        let shown = &columns[..columns.len().min(MOST_CURVES)];
        let title = match columns.len() {
            0 => return None,
            n if n > MOST_CURVES => format!("{title} (the first {MOST_CURVES} of {n})"),
            _ => title.to_owned(),
        };
        let curves = shown.iter().map(|&k| self.curve(0, k, marks)).collect();
        Some(Panel { x_scale: time, ..panel(&title, &self.names[0], "", Scale::Linear, curves) })
    }

    fn phase_portrait(&self, coordinates: &[usize], marks: Marks) -> Option<Panel> {
        let velocity = |k: usize| self.names.iter().position(|name| *name == format!("{}'", self.names[k]));
        let portrait =
            |&k: &usize| Some(Curve { name: self.names[k].clone(), ..self.curve(k, velocity(k)?, marks) });
        let curves: Vec<Curve> = coordinates.iter().take(MOST_PORTRAITS).filter_map(portrait).collect();
        let portraits = panel("Phase portrait", "position", "velocity", Scale::Linear, curves);
        (!portraits.curves.is_empty()).then_some(Panel { x_margin: 0.05, ..portraits })
    }
}

fn panel(title: &str, x_label: &str, y_label: &str, y_scale: Scale, curves: Vec<Curve>) -> Panel {
    Panel {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        x_scale: Scale::Linear,
        y_scale,
        x_from: None,
        x_margin: 0.0,
        equal: false,
        curves,
    }
}

/// The figure of a table that was read from a file.
pub fn of_table(title: &str, table: &Table<'_>, chosen: &[usize]) -> Figure {
    let kinds = table.kinds();
    let subtitle = format!("{} states, {} columns", table.rows.len(), table.names.len());
    let line = |title: &str, columns: &[usize]| table.over_time(title, columns, Marks::Line, Scale::Linear);
    let panels = if chosen.is_empty() {
        [
            line("Coordinates", &kinds.coordinates),
            line(if kinds.coordinates.is_empty() { "Variables" } else { "Observed" }, &kinds.observed),
            table.phase_portrait(&kinds.coordinates, Marks::Line),
            line("Multipliers", &kinds.multipliers),
            steps_of_table(table),
        ]
        .into_iter()
        .flatten()
        .collect()
    } else {
        line("Chosen columns", chosen).into_iter().collect()
    };
    Figure { title: title.to_owned(), subtitle, phases: Vec::new(), panels }
}

/// The distances of the times, unless all are the same.
fn steps_of_table(table: &Table<'_>) -> Option<Panel> {
    let times: Vec<f64> = table.rows.iter().filter_map(|row| row.first().copied()).collect();
    let steps: Vec<(f64, f64)> = times.windows(2).map(|pair| (pair[1], (pair[1] - pair[0]).abs())).collect();
    let (least, most) =
        steps.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), step| (l.min(step.1), m.max(step.1)));
    let curve = Curve { name: String::new(), points: steps, marks: Marks::Dots };
    let distances = panel("Distances of times", &table.names[0], "", Scale::Logarithmic, vec![curve]);
    (most > 1.001 * least).then_some(Panel { x_from: times.first().copied(), ..distances })
}
