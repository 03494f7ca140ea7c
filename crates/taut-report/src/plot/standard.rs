//! The plots of a motion, by what its columns are.

use super::{Group, Line, Marks, Plot, Scale};
use crate::track::{Column, Kind, Track};

/// A plot has at most so many curves,
const MOST_CURVES: usize = 7;
/// and a kind of columns at most so many plots.
const MOST_PLOTS: usize = 6;
/// More columns than these are not looked at.
const MOST_COLUMNS: usize = 200;
/// There are at most so many phase portraits,
const MOST_PORTRAITS: usize = 2;
/// with at most so many curves.
const MOST_CURVES_OF_PORTRAITS: usize = 4;
/// Changes that are smaller than this share of the largest value of all are rounding.
const ROUNDING: f64 = 1e-12;
/// A curve has at least this share of the height of its plot.
const LEAST_SHARE: f64 = 0.2;

/// Names of columns that are known to [`standard`].
pub mod column {
    /// of the motion
    pub const KINETIC: &str = "kinetic energy";
    /// of the motion
    pub const POTENTIAL: &str = "potential energy";
    /// of the motion
    pub const TOTAL: &str = "total energy";
    /// of the motion: the energy without the work that was done on the system since the start
    pub const WITHOUT_WORK: &str = "energy without work";
    /// of the steps
    pub const STEP: &str = "h";
    /// of the steps
    pub const ENERGY_ERROR: &str = "energy error";
    /// of the steps
    pub const BALANCE: &str = "energy balance";
    /// of the steps
    pub const POSITIONS: &str = "positions";
    /// of the steps
    pub const VELOCITIES: &str = "velocities";
    /// of the steps, for equations without derivatives
    pub const ALGEBRAIC: &str = "equations";
    /// of the steps: stages or order
    pub const ORDER: &str = "stages or order";
}

/// Where curves are taken from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// the motion
    pub motion: &'a Track,
    /// the same columns with all extremes, and the number of that table, when the motion leaves some out
    pub extremes: Option<usize>,
    /// what was noted at the steps, and the number of that table
    pub steps: Option<(usize, &'a Track)>,
    /// the name of the time
    pub time: &'a str,
}

/// The usual plots.
pub fn standard(sources: &Sources<'_>) -> Vec<Group> {
    let group = |title: &str, plots: Vec<Plot>| Group { title: title.to_owned(), text: Vec::new(), plots };
    let moving = [
        sources.of_kind(Kind::Position),
        sources.of_kind(Kind::Observed),
        sources.of_kind(Kind::Velocity),
        sources.portraits(),
    ];
    let held = [
        sources.of_kind(Kind::Multiplier),
        sources.energy().into_iter().collect(),
        sources.at_steps("energy-error", "Energy error", "|E − E₀|", &[column::ENERGY_ERROR]),
        sources.at_steps("energy-balance", "Energy balance", "|E − E₀ − work|", &[column::BALANCE]),
        sources.at_steps(
            "residuals",
            "Residuals of the constraints",
            "",
            &[column::POSITIONS, column::VELOCITIES],
        ),
        sources.at_steps("residuals", "Residuals of equations without derivatives", "", &[column::ALGEBRAIC]),
    ];
    let steps = [
        sources.at_steps("steps", "Step sizes", "", &[column::STEP]),
        sources.at_steps("order", "Stages, or order", "", &[column::ORDER]),
    ];
    let groups = [
        group("Motion", moving.concat()),
        group("What holds it together, and what is kept", held.concat()),
        group("Steps", steps.concat()),
    ];
    groups.into_iter().filter(|group| !group.plots.is_empty()).collect()
}

/// Plots of chosen columns of the motion, those of about the same size together.
pub fn chosen(sources: &Sources<'_>, columns: &[usize]) -> Vec<Group> {
    let panels = by_size(&sources.motion.columns, columns);
    let plot = |(k, panel): (usize, Vec<usize>)| {
        let names: Vec<&str> = panel.iter().map(|&c| sources.motion.columns[c].name.as_str()).collect();
        let unit = common_unit(panel.iter().map(|&c| sources.motion.columns[c].unit.as_str()));
        Plot {
            lines: panel.iter().map(|&c| sources.line(c, None)).collect(),
            ..empty(&format!("chosen-{}", k + 1), &names.join(", "), sources.time, unit)
        }
    };
    let plots = panels.into_iter().enumerate().map(plot).collect();
    vec![Group { title: "Chosen columns".to_owned(), text: Vec::new(), plots }]
}

impl Sources<'_> {
    fn columns(&self, kind: Kind) -> Vec<usize> {
        let columns = self.motion.columns.iter().enumerate();
        columns.filter(|(_, column)| column.kind == kind).map(|(k, _)| k).collect()
    }

    /// The columns of a kind, those of about the same size together.
    fn of_kind(&self, kind: Kind) -> Vec<Plot> {
        let columns = self.columns(kind);
        let (name, title) = match kind {
            Kind::Position if self.columns(Kind::Velocity).is_empty() => ("variables", "Variables"),
            Kind::Position => ("coordinates", "Coordinates"),
            Kind::Velocity => ("velocities", "Velocities"),
            Kind::Multiplier => ("multipliers", "Multipliers"),
            Kind::Observed | Kind::Other => ("observables", "Observables"),
        };
        let panels = by_size(&self.motion.columns, &columns[..columns.len().min(MOST_COLUMNS)]);
        let shown: usize = panels.iter().take(MOST_PLOTS).map(Vec::len).sum();
        let count = panels.len().min(MOST_PLOTS);
        let plot = |(k, panel): (usize, Vec<usize>)| {
            let part = if count > 1 { format!(", {} of {count}", k + 1) } else { String::new() };
            let rest = if shown < columns.len() {
                format!(" (the first {shown} of {})", columns.len())
            } else {
                String::new()
            };
            let unit = common_unit(panel.iter().map(|&c| self.motion.columns[c].unit.as_str()));
            let name = if k == 0 { name.to_owned() } else { format!("{name}-{}", k + 1) };
            Plot {
                lines: panel.iter().map(|&c| self.line(c, None)).collect(),
                ..empty(&name, &format!("{title}{part}{rest}"), self.time, unit)
            }
        };
        panels.into_iter().take(MOST_PLOTS).enumerate().map(plot).collect()
    }

    fn line(&self, column: usize, x: Option<usize>) -> Line {
        let name = &self.motion.columns[column].name;
        let name = name.strip_prefix("lambda.").unwrap_or(name).to_owned();
        let table = self.extremes.filter(|_| x.is_none()).unwrap_or(0);
        Line { name, table, y: column, x, marks: Marks::Line }
    }

    /// Velocities over positions, those of about the same size together.
    fn portraits(&self) -> Vec<Plot> {
        let velocity = |&c: &usize| self.motion.place(&format!("{}'", self.motion.columns[c].name));
        let line = |(position, velocity): (usize, usize)| Line {
            name: self.motion.columns[position].name.clone(),
            ..self.line(velocity, Some(position))
        };
        let mut columns = self.columns(Kind::Position);
        columns.truncate(MOST_COLUMNS);
        let panels = by_size(&self.motion.columns, &columns);
        let portraits = panels.iter().map(|panel| {
            let pairs = panel.iter().filter_map(|c| Some((*c, velocity(c)?)));
            pairs.take(MOST_CURVES_OF_PORTRAITS).map(line).collect::<Vec<Line>>()
        });
        let portraits = portraits.filter(|lines| !lines.is_empty()).take(MOST_PORTRAITS).enumerate();
        let name = |k: usize| if k == 0 { "phase".to_owned() } else { format!("phase-{}", k + 1) };
        portraits
            .map(|(k, lines)| Plot { lines, ..empty(&name(k), "Phase portrait", "position", "velocity") })
            .collect()
    }

    fn energy(&self) -> Option<Plot> {
        let names = [column::KINETIC, column::POTENTIAL, column::TOTAL, column::WITHOUT_WORK];
        let columns: Vec<usize> = names.iter().filter_map(|name| self.motion.place(name)).collect();
        let short = |c: usize| self.motion.columns[c].name.replace(" energy", "").replace("energy ", "");
        let lines: Vec<Line> =
            columns.iter().map(|&c| Line { name: short(c), ..self.line(c, None) }).collect();
        (!lines.is_empty()).then(|| Plot { lines, ..empty("energy", "Energy", self.time, "") })
    }

    /// What was noted at the steps, by powers of ten.
    fn at_steps(&self, name: &str, title: &str, label: &str, columns: &[&str]) -> Vec<Plot> {
        let Some((table, steps)) = self.steps else { return Vec::new() };
        let found = columns.iter().filter_map(|column| steps.place(column));
        let alone = columns.len() == 1;
        let lines: Vec<Line> = found
            .map(|y| Line {
                name: if alone { label.to_owned() } else { steps.columns[y].name.clone() },
                table,
                y,
                x: None,
                marks: if alone && label.is_empty() { Marks::Both } else { Marks::Line },
            })
            .collect();
        if lines.is_empty() {
            return Vec::new();
        }
        let y_scale = if name == "order" { Scale::Linear } else { Scale::Logarithmic };
        vec![Plot { lines, y_scale, ..empty(name, title, self.time, "") }]
    }
}

fn empty(name: &str, title: &str, x_label: &str, y_label: &str) -> Plot {
    Plot {
        name: name.to_owned(),
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        x_scale: Scale::Linear,
        y_scale: Scale::Linear,
        equal: false,
        lines: Vec::new(),
    }
}

fn common_unit<'a>(mut units: impl Iterator<Item = &'a str>) -> &'a str {
    let first = units.next().unwrap_or_default();
    if units.all(|unit| unit == first) { first } else { "" }
}

/// Least and largest value of a column.
fn range(column: &Column) -> (f64, f64) {
    let finite = column.values.iter().copied().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), x| (l.min(x), m.max(x)))
}

/// Columns in panels in which none of them is a flat band, and whose units are the same.
fn by_size(all: &[Column], columns: &[usize]) -> Vec<Vec<usize>> {
    struct Panel {
        columns: Vec<usize>,
        range: (f64, f64),
        smallest: f64,
    }
    let mut panels: Vec<Panel> = Vec::new();
    let ranges = columns.iter().map(|&c| range(&all[c])).filter(|(low, high)| low <= high);
    let largest = ranges.fold(0.0, |largest: f64, (low, high)| largest.max(low.abs()).max(high.abs()));
    for &c in columns {
        let (low, high) = range(&all[c]);
        let size = if high - low > ROUNDING * largest { high - low } else { 0.0 };
        let fits = |panel: &&mut Panel| {
            let union = panel.range.1.max(high) - panel.range.0.min(low);
            let seen = if size > 0.0 { size.min(panel.smallest) } else { panel.smallest };
            let same_unit = panel.columns.iter().all(|&other| all[other].unit == all[c].unit);
            let grows = seen.is_infinite() && union > 0.0;
            same_unit
                && panel.columns.len() < MOST_CURVES
                && !grows
                && (seen.is_infinite() || seen >= LEAST_SHARE * union)
        };
        match panels.iter_mut().find(fits) {
            Some(panel) => {
                panel.columns.push(c);
                panel.range = (panel.range.0.min(low), panel.range.1.max(high));
                panel.smallest = if size > 0.0 { panel.smallest.min(size) } else { panel.smallest };
            }
            None => panels.push(Panel {
                columns: vec![c],
                range: (low, high),
                smallest: if size > 0.0 { size } else { f64::INFINITY },
            }),
        }
    }
    panels.into_iter().map(|panel| panel.columns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(name: &str, middle: f64, size: f64) -> Column {
        let values = (0..100).map(|k| middle + size * f64::from(k).sin());
        Column::named(name).kind(Kind::Position).values(values.collect())
    }

    #[test]
    fn columns_of_different_size_have_plots_of_their_own() {
        let columns = [
            wave("a", 0.0, 10.0),
            wave("b", 0.0, 0.1),
            wave("c", 1.0, 8.0),
            wave("d", 0.2, 0.2),
            wave("e", 100.0, 9.0),
        ];
        assert_eq!(by_size(&columns, &[0, 1, 2, 3, 4]), [vec![0, 2], vec![1, 3], vec![4]]);
        let many: Vec<Column> = (0..9).map(|k| wave(&k.to_string(), 0.0, 1.0)).collect();
        assert_eq!(
            by_size(&many, &(0..9).collect::<Vec<_>>()).iter().map(Vec::len).collect::<Vec<_>>(),
            [7, 2]
        );
        let still = [wave("a", 2.0, 0.0), wave("b", 2.0, 0.0), wave("c", 0.0, 1.0), wave("d", 100.0, 0.0)];
        assert_eq!(by_size(&still, &[0, 1, 2, 3]), [vec![0, 1, 2], vec![3]], "what stands still goes along");
        let rounded = [wave("a", 0.0, 1.0), wave("b", 0.0, 1e-20)];
        assert_eq!(by_size(&rounded, &[0, 1]), [vec![0, 1]], "rounding is no motion");
    }

    #[test]
    fn plots_follow_from_the_columns() {
        let velocity = wave("a'", 0.0, 1.0).kind(Kind::Velocity);
        let multiplier = wave("lambda.rod", 5.0, 1.0).kind(Kind::Multiplier);
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let motion = Track::rows(times.clone(), vec![wave("a", 0.0, 1.0), velocity, multiplier]);
        let steps = Track::rows(times.clone(), vec![Column::named(column::STEP).values(times)]);
        let sources = Sources { motion: &motion, extremes: None, steps: Some((1, &steps)), time: "t" };
        let groups = standard(&sources);
        let names: Vec<&str> = groups.iter().flat_map(|g| &g.plots).map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["coordinates", "velocities", "phase", "multipliers", "steps"]);
        assert_eq!(groups[1].plots[0].lines[0].name, "rod");
        assert_eq!(groups[0].plots[2].lines[0].x, Some(0));
    }
}
