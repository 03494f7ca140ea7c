//! The numbers of a row and their names.

use super::cases::Cases;
use super::extremes::Extremes;
use crate::integration::{Accounts, Ending};
use crate::model::{SharedModel, Subject};
use crate::settings::Settings;
use crate::summary::Summary;
use crate::table::Table;

/// What runs are counted by; no times, which would not be the same twice.
const STATISTICS: [&str; 5] = ["steps", "rejected", "rhs", "jacobians", "factorizations"];

/// The columns that all rows of a sweep have.
#[derive(Clone, Debug)]
pub struct Columns {
    names: Vec<String>,
    /// whether the names of all runs are these as long as there are so many
    uniform: bool,
}

impl Columns {
    /// The columns of a model.
    pub fn of(subject: &Subject) -> Self {
        Columns { names: names(subject), uniform: !subject.model.compiled().is_for_one_set() }
    }

    /// These columns, whatever the model has.
    pub fn named(names: Vec<String>) -> Self {
        Columns { names, uniform: false }
    }

    /// The columns of all runs of a sweep.
    pub fn of_sweep(subject: &Subject, model: &SharedModel, settings: &Settings, cases: &Cases) -> Self {
        let first = [settings.set.as_slice(), &cases.set(0)].concat();
        Self::of_structures(subject, model, (cases.names(), &first), &|name| cases.values_of(name))
    }

    /// The columns of some runs, with overrides that hold for all.
    pub fn of_runs(
        subject: &Subject,
        model: &SharedModel,
        set: &[(String, f64)],
        runs: &[Vec<(String, f64)>],
    ) -> Self {
        let Some(first) = runs.first() else { return Self::of(subject) };
        let mut names: Vec<String> = runs.iter().flatten().map(|(name, _)| name.clone()).collect();
        names.sort();
        names.dedup();
        Self::of_structures(subject, model, (&names, &[set, first].concat()), &|name| {
            let values = runs.iter().flatten().filter(|(known, _)| known == name).map(|(_, value)| *value);
            let mut values: Vec<f64> = values.collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        })
    }

    /// Where the structure of the model depends on what is varied, all structures have their columns.
    fn of_structures(
        subject: &Subject,
        model: &SharedModel,
        (varied, first): (&[String], &[(String, f64)]),
        values_of: &dyn Fn(&str) -> Vec<f64>,
    ) -> Self {
        let compiled = subject.model.compiled();
        let structural: Vec<&String> = varied.iter().filter(|name| compiled.is_structural(name)).collect();
        if structural.is_empty() {
            return Self::of(subject);
        }
        let mut variants = Vec::new();
        for name in structural {
            for value in values_of(name) {
                // A structure that cannot be has no columns; its run will be a row that says why.
                let set = [first, &[(name.clone(), value)]].concat();
                variants.extend(model.subject(&set).ok().map(|subject| names(&subject)));
            }
        }
        variants.sort_by_key(|names| std::cmp::Reverse(names.len()));
        let mut columns = Columns { names: Vec::new(), uniform: false };
        for name in variants.into_iter().flatten() {
            if !columns.names.contains(&name) {
                columns.names.push(name);
            }
        }
        if columns.names.is_empty() { Self::of(subject) } else { columns }
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Numbers of a run in these columns; where its model has none of a column, it is no number. The name of a column that is
    /// not among these is an error.
    pub fn place(&self, subject: &Subject, numbers: Vec<f64>) -> Result<Vec<f64>, String> {
        if self.uniform && numbers.len() == self.names.len() {
            return Ok(numbers);
        }
        let names = names(subject);
        if names == self.names {
            return Ok(numbers);
        }
        let mut placed = vec![f64::NAN; self.names.len()];
        for (name, number) in names.into_iter().zip(numbers) {
            match self.names.iter().position(|known| *known == name) {
                Some(place) => placed[place] = number,
                None => return Err(name),
            }
        }
        Ok(placed)
    }
}

/// What a column of something varied is called: a start value is not the final one of the same name.
pub fn label(name: &str, columns: &[String]) -> String {
    if columns.iter().any(|column| column == name) { format!("start {name}") } else { name.to_owned() }
}

/// The names of the numbers of a row.
fn names(subject: &Subject) -> Vec<String> {
    let mut names = Table::new(subject).names().to_vec();
    for observable in subject.model.observers.names() {
        names.extend([format!("min {observable}"), format!("max {observable}")]);
    }
    match subject.mechanism() {
        Some(_) => {
            names.extend(["position", "velocity", "acceleration"].map(|level| format!("residual {level}")))
        }
        None => names.push("residual algebraic".to_owned()),
    }
    if has_energy(subject) {
        names.extend(["energy start", "energy end", "energy max_error"].map(str::to_owned));
    }
    names.extend(STATISTICS.map(str::to_owned));
    names.extend(subject.model.events.names().map(|event| format!("events {event}")));
    names
}

/// Whether the model has an energy at all.
fn has_energy(subject: &Subject) -> bool {
    subject.mechanism().is_some() || subject.energy(subject.model.start.t, &subject.start()).is_some()
}

/// The numbers of a row.
pub fn numbers(
    subject: &Subject,
    summary: &Summary<'_>,
    ending: &Ending,
    accounts: &Accounts,
    extremes: &Extremes<'_>,
) -> Vec<f64> {
    let motion = &ending.motion;
    let mut numbers = Table::new(subject).row(motion.t, &motion.y).to_vec();
    for (least, most) in extremes.each() {
        numbers.extend([least, most]);
    }
    match subject.mechanism() {
        Some(_) => numbers.extend(summary.residuals()),
        None => numbers.push(accounts.algebraic),
    }
    if has_energy(subject) {
        let (start, end, error) = summary.energy().unwrap_or((f64::NAN, f64::NAN, f64::NAN));
        numbers.extend([start, end, error]);
    }
    let count = summary.statistics();
    let counts = [count.steps, count.rejected(), count.rhs, count.jacobians, count.factorizations];
    numbers.extend(counts.map(|count| count as f64));
    let times =
        |name: &str| motion.events.iter().find(|event| event.name == name).map_or(0, |event| event.count);
    numbers.extend(subject.model.events.names().map(|name| times(name) as f64));
    numbers
}
