//! What a page shows of a sweep: how things that came out are distributed, and over what they were varied.

use taut_report::figure::{Curve, Marks, Panel, Scale};
use taut_report::page::{Gravity, Note, Table};
use taut_report::{Report, significant};

use super::row::RowStatus;
use super::store::Record;

/// About so many runs are shown; of more, equally many are left out between each two.
const MOST_RUNS: usize = 20_000;
/// So many runs that did not come to their end are listed.
const MOST_LISTED: usize = 20;
/// So many things that came out are shown, and over so many that were varied.
const MOST_OUTCOMES: usize = 9;
const MOST_VARIED: usize = 4;
/// A histogram has so many bars at most.
const MOST_BARS: f64 = 40.0;
/// A heat map has so many colours.
const LEVELS: usize = 7;
/// A heat map of samples has so many tiles along each side at most.
const MOST_TILES: usize = 24;

/// What is kept of the runs of a sweep, however many there are.
pub struct Gathered {
    columns: Vec<String>,
    /// the columns with their units
    labels: Vec<String>,
    varied: usize,
    /// whether there will be a page
    wanted: bool,
    counts: [u64; 3],
    /// every so many-th run is kept
    stride: u64,
    kept: Vec<Vec<f64>>,
    listed: Vec<Record>,
}

impl Gathered {
    /// Nothing yet, of records with these columns; the first ones, behind the number of the run, were varied. Without a page
    /// runs are only counted.
    pub fn new(columns: &[String], varied: usize, wanted: bool) -> Self {
        let columns = columns[1..columns.len().saturating_sub(2).max(1)].to_vec();
        Gathered {
            labels: columns.clone(),
            columns,
            varied,
            wanted,
            counts: [0; 3],
            stride: 1,
            kept: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Takes a record.
    pub fn take(&mut self, record: &Record) {
        self.counts[record.status as usize] += 1;
        if !self.wanted {
            return;
        }
        if record.status != RowStatus::Done && self.listed.len() < MOST_LISTED {
            self.listed.push(record.clone());
        }
        if record.status != RowStatus::Done || !record.run.is_multiple_of(self.stride) {
            return;
        }
        self.kept.push(record.numbers.iter().copied().chain([record.run as f64]).collect());
        if self.kept.len() > MOST_RUNS {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|row| row.last().is_some_and(|run| (*run as u64).is_multiple_of(stride)));
        }
    }

    /// Columns are shown with the units that the model gives.
    pub fn add_units(&mut self, model: &taut_text::Model) {
        for (label, column) in self.labels.iter_mut().zip(&self.columns) {
            let prefix = ["start ", "min ", "max "].iter().find_map(|prefix| column.strip_prefix(prefix));
            if let Some(unit) = model.unit(prefix.unwrap_or(column)) {
                *label = format!("{column} ({unit})");
            }
        }
    }

    /// How many runs ended so.
    pub fn count(&self, status: RowStatus) -> u64 {
        self.counts[status as usize]
    }

    /// The page.
    pub fn page(&self, title: &str, command: String) -> Report {
        let total: u64 = self.counts.iter().sum();
        let fact = |name: &str, count: u64| (name.to_owned(), count.to_string());
        let varied = self.columns[..self.varied].join(", ");
        let mut report = Report {
            title: title.to_owned(),
            subtitle: format!("{total} runs over {varied}"),
            facts: vec![
                fact("runs", total),
                fact("done", self.count(RowStatus::Done)),
                fact("stopped early", self.count(RowStatus::Stopped)),
                fact("failed", self.count(RowStatus::Failed)),
            ],
            notes: self.notes(total),
            summary: self.listing(),
            reproduce: vec![
                ("command".to_owned(), command),
                ("version".to_owned(), format!("taut {}", env!("CARGO_PKG_VERSION"))),
            ],
            ..Report::default()
        };
        let outcomes = self.outcomes();
        let histograms: Vec<Panel> = outcomes.iter().filter_map(|&k| self.histogram(k)).collect();
        report.add_panels("Distributions", Vec::new(), &histograms);
        for place in 0..self.varied.min(MOST_VARIED) {
            let scatter: Vec<Panel> = outcomes.iter().map(|&k| self.scatter(place, k)).collect();
            report.add_panels(&format!("Over {}", self.columns[place]), Vec::new(), &scatter);
        }
        if self.varied > 1 {
            let maps: Vec<Panel> = outcomes.iter().filter_map(|&k| self.heat_map(k)).collect();
            let title = format!("Over {} and {}", self.columns[0], self.columns[1]);
            report.add_panels(&title, self.words_of_maps(), &maps);
        }
        report
    }

    fn notes(&self, total: u64) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.counts[1] + self.counts[2] > 0 {
            let text = format!(
                "{} of {total} runs did not come to their end; plots show the others.",
                self.counts[1] + self.counts[2]
            );
            notes.push(Note { gravity: Gravity::Warning, text });
        }
        if self.stride > 1 {
            let text = format!("Plots show every {}-th run.", self.stride);
            notes.push(Note { gravity: Gravity::Remark, text });
        }
        notes
    }

    fn listing(&self) -> Vec<Table> {
        if self.listed.is_empty() {
            return Vec::new();
        }
        let heads = ["run".to_owned()].into_iter().chain(self.columns[..self.varied].iter().cloned());
        let row = |record: &Record| {
            let varied = record.numbers[..self.varied].iter().map(|value| significant(*value, 6));
            let words = [record.status.name().to_owned(), record.reason.clone()];
            [record.run.to_string()].into_iter().chain(varied).chain(words).collect()
        };
        vec![Table {
            title: "Runs that did not come to their end".to_owned(),
            heads: heads.chain(["status".to_owned(), "reason".to_owned()]).collect(),
            rows: self.listed.iter().map(row).collect(),
        }]
    }

    /// What is shown: observables with their extremes where there are such, else the final state; steps in any case. What is
    /// the same in all runs is not.
    fn outcomes(&self) -> Vec<usize> {
        let names = &self.columns;
        let is_bookkeeping = |name: &str| {
            name == "t"
                || name.starts_with("residual ")
                || name.starts_with("energy ")
                || name.starts_with("lambda.")
        };
        let behind: Vec<usize> = (self.varied..names.len()).filter(|&k| self.changes(k)).collect();
        let extreme = |name: &str| name.starts_with("min ") || name.starts_with("max ");
        let observed = |k: usize| {
            let name = &names[k];
            extreme(name) || names.iter().any(|other| *other == format!("max {name}"))
        };
        let counts = ["steps", "rejected", "rhs", "jacobians", "factorizations"];
        let mut chosen: Vec<usize> = behind.iter().copied().filter(|&k| observed(k)).collect();
        let states = behind
            .iter()
            .copied()
            .filter(|&k| !observed(k) && !is_bookkeeping(&names[k]) && !counts.contains(&names[k].as_str()));
        chosen.extend(states);
        chosen.truncate(MOST_OUTCOMES - 1);
        chosen.extend(behind.into_iter().filter(|&k| names[k] == "steps"));
        chosen
    }

    fn changes(&self, column: usize) -> bool {
        let mut values = self.values(column);
        values.next().is_some_and(|first| values.any(|value| value != first))
    }

    fn values(&self, column: usize) -> impl Iterator<Item = f64> {
        self.kept.iter().map(move |row| row[column]).filter(|value| value.is_finite())
    }

    fn range(&self, column: usize) -> Option<(f64, f64)> {
        let range = self.values(column).fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        (range.0 < range.1).then_some(range)
    }

    fn histogram(&self, column: usize) -> Option<Panel> {
        let (least, most) = self.range(column)?;
        let bars = (self.kept.len() as f64).sqrt().ceil().clamp(5.0, MOST_BARS);
        let width = (most - least) / bars;
        let mut counts = vec![0.0; bars as usize];
        for value in self.values(column) {
            let place = (((value - least) / width) as usize).min(bars as usize - 1);
            counts[place] += 1.0;
        }
        let points = counts.iter().enumerate().map(|(k, count)| (least + (k as f64 + 0.5) * width, *count));
        let name = self.columns[column].clone();
        let curve = Curve { name: String::new(), points: points.collect(), marks: Marks::Bars };
        Some(panel(name, (self.labels[column].clone(), "runs".to_owned()), vec![curve]))
    }

    fn scatter(&self, across: usize, upwards: usize) -> Panel {
        let points = self.kept.iter().map(|row| (row[across], row[upwards])).collect();
        let title = format!("{} over {}", self.columns[upwards], self.columns[across]);
        let labels = (self.labels[across].clone(), self.labels[upwards].clone());
        let curve = Curve { name: String::new(), points, marks: Marks::Dots };
        Panel { x_scale: self.scale(across), ..panel(title, labels, vec![curve]) }
    }

    /// Powers of ten where values reach over more than one of them, and their middle lies nearer to that of powers.
    fn scale(&self, column: usize) -> Scale {
        let mut values: Vec<f64> = self.values(column).collect();
        values.sort_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else { return Scale::Linear };
        let middle = values[values.len() / 2];
        let from = |other: f64| (middle / other).ln().abs();
        let logarithmic = least > 0.0
            && most > 10.0 * least
            && from((least * most).sqrt()) < from(f64::midpoint(least, most));
        if logarithmic { Scale::Logarithmic } else { Scale::Linear }
    }

    /// The mean of a column on tiles over the first two that were varied, in levels of colour.
    fn heat_map(&self, column: usize) -> Option<Panel> {
        let (across, upwards) = (self.tiles(0)?, self.tiles(1)?);
        let mut sums = vec![(0.0, 0.0); across.len() * upwards.len()];
        for row in self.kept.iter().filter(|row| row[column].is_finite()) {
            let place = nearest(&across, row[0]) * upwards.len() + nearest(&upwards, row[1]);
            sums[place] = (sums[place].0 + row[column], sums[place].1 + 1.0);
        }
        let means: Vec<Option<f64>> =
            sums.into_iter().map(|(sum, count)| (count > 0.0).then(|| sum / count)).collect();
        let least = means.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let most = means.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < most) {
            return None;
        }
        let bound = |level: usize| least + (most - least) * level as f64 / LEVELS as f64;
        let level = |mean: f64| (((mean - least) / (most - least) * LEVELS as f64) as usize).min(LEVELS - 1);
        let curve = |wanted: usize| Curve {
            name: format!("{} to {}", significant(bound(wanted), 3), significant(bound(wanted + 1), 3)),
            points: means
                .iter()
                .enumerate()
                .filter(|(_, mean)| mean.is_some_and(|mean| level(mean) == wanted))
                .map(|(k, _)| (across[k / upwards.len()], upwards[k % upwards.len()]))
                .collect(),
            marks: Marks::Tiles,
        };
        let labels = (self.labels[0].clone(), self.labels[1].clone());
        let map = panel(self.labels[column].clone(), labels, (0..LEVELS).map(curve).collect());
        Some(Panel { x_scale: self.scale(0), y_scale: self.scale(1), ..map })
    }

    fn words_of_maps(&self) -> Vec<(String, String)> {
        vec![(
            "colour".to_owned(),
            "the mean of the runs on a tile, in seven equal steps from the least to the largest".to_owned(),
        )]
    }

    /// The middles of tiles along something that was varied: its values where they are few, else equal parts.
    fn tiles(&self, varied: usize) -> Option<Vec<f64>> {
        let (least, most) = self.range(varied)?;
        let mut values: Vec<f64> = self.values(varied).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        if values.len() <= 4 * MOST_TILES {
            return Some(values);
        }
        let count = MOST_TILES as f64;
        let share = |k: usize| (k as f64 + 0.5) / count;
        Some(match self.scale(varied) {
            Scale::Linear => (0..MOST_TILES).map(|k| least + (most - least) * share(k)).collect(),
            Scale::Logarithmic => (0..MOST_TILES).map(|k| least * (most / least).powf(share(k))).collect(),
        })
    }
}

fn panel(title: String, (x_label, y_label): (String, String), curves: Vec<Curve>) -> Panel {
    Panel {
        title,
        x_label,
        y_label,
        x_scale: Scale::Linear,
        y_scale: Scale::Linear,
        x_from: None,
        x_margin: 0.05,
        equal: false,
        curves,
    }
}

/// The place of the number that is nearest, among ascending ones.
fn nearest(sorted: &[f64], value: f64) -> usize {
    let above = sorted.partition_point(|known| *known < value);
    match above.checked_sub(1) {
        Some(below) if above == sorted.len() || value - sorted[below] < sorted[above] - value => below,
        _ => above,
    }
}
