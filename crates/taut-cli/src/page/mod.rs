//! The page of a run: what `--report` writes, and what `--plot` draws.

mod bodies;
mod scene;
mod stl;
mod words;

use taut_report::Report;
use taut_report::page::{Event, Time};
use taut_report::plot::{Sources, chosen, column, standard};
use taut_report::track::{Column, Digits, Track};

use crate::integration::Collected;
use crate::summary::Summary;

/// Times that differ by more than this factor are spread by powers of ten,
const LONG: f64 = 1e6;
/// if half of them are shorter than the last one by this factor.
const MOSTLY_SHORT: f64 = 1e2;

/// What a reader wants to see.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// these columns only; all of them when there are none
    pub columns: Vec<String>,
    /// how the run was asked for
    pub command: Option<String>,
}

/// Everything that can be seen of a run.
pub fn of_run(summary: &Summary<'_>, collected: Collected, history: &[Vec<f64>], wanted: &Wanted) -> Report {
    let Collected { mut motion, mut extremes, drawn, reactions, poses } = collected;
    if summary.conserved.is_none_or(|conserved| conserved.energy()) {
        // It is the energy.
        for track in std::iter::once(&mut motion).chain(&mut extremes) {
            track.columns.retain(|column| column.name != column::WITHOUT_WORK);
        }
    }
    let scene = scene::of_model(summary.subject, &motion, drawn, [reactions, poses]);
    let steps = steps(summary, history, &motion, extremes.is_some());
    let sources = Sources {
        motion: &motion,
        extremes: extremes.as_ref().map(|_| 2),
        steps: Some((1, &steps)),
        time: "t",
    };
    let groups = if wanted.columns.is_empty() {
        standard(&sources)
    } else {
        let places = wanted.columns.iter().filter_map(|name| motion.place(name));
        chosen(&sources, &places.collect::<Vec<usize>>())
    };
    let crossings = &summary.motion().crossings;
    Report {
        title: summary.subject.model.name.clone(),
        subtitle: words::subtitle(summary),
        facts: words::facts(summary),
        notes: words::notes(summary),
        time: Time { logarithmic: is_long(history), ..Time::default() },
        scene,
        groups,
        events: crossings
            .iter()
            .map(|crossing| Event { name: crossing.event.clone(), t: crossing.t })
            .collect(),
        summary: words::tables(summary),
        model: Some(words::model(summary)),
        reproduce: words::reproduce(summary, wanted.command.as_deref()),
        tables: std::iter::once(steps).chain(extremes).collect(),
        motion,
    }
}

/// What was noted at the steps.
fn steps(summary: &Summary<'_>, history: &[Vec<f64>], motion: &Track, coarse: bool) -> Track {
    let noted = |k: usize| history.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let column = |name: &str, k: usize| Column::named(name).digits(Digits::OfLogarithm).values(noted(k));
    let mut columns = vec![column(column::STEP, 1)];
    if let Some(system) = summary.subject.mechanism() {
        if summary.conserved.is_none_or(|conserved| conserved.energy()) {
            columns.push(column(column::ENERGY_ERROR, 2));
        } else if !coarse {
            let balance = balance(motion, &noted(0));
            columns.extend(balance.map(|values| column(column::BALANCE, 2).values(values)));
        }
        if system.structure().constraints.iter().any(|constraint| constraint.compliance() == 0.0) {
            columns.push(column(column::POSITIONS, 3));
            columns.push(column(column::VELOCITIES, 4));
        }
    } else if history.iter().any(|row| row[3] > 0.0) {
        columns.push(column(column::ALGEBRAIC, 3));
    }
    if summary.subject.partition().is_some_and(taut_text::PartitionedModel::keeps_energy) {
        columns.push(column(column::ENERGY_ERROR, 2));
    }
    columns.push(Column::named(column::ORDER).values(noted(5)));
    Track::rows(noted(0), columns)
}

/// What energy less work has changed by, at times.
fn balance(motion: &Track, times: &[f64]) -> Option<Vec<f64>> {
    let k = motion.place(column::WITHOUT_WORK)?;
    let start = *motion.columns[k].values.first()?;
    Some(motion.sampled(k, times).iter().map(|energy| (energy - start).abs()).collect())
}

/// Whether a run went over many powers of ten, beginning at zero. A short first step alone does not make it long.
fn is_long(history: &[Vec<f64>]) -> bool {
    let [first, .., last] = history else { return false };
    let middle = &history[history.len() / 2];
    first[0] > 0.0 && last[0] > LONG * first[0] && last[0] > MOSTLY_SHORT * middle[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_need_more_than_a_short_first_step() {
        let history = |times: &[f64]| times.iter().map(|t| vec![*t]).collect::<Vec<_>>();
        let decades: Vec<f64> = (-3..8).map(|k| 10_f64.powi(k)).collect();
        assert!(is_long(&history(&decades)));
        let after_a_short_step: Vec<f64> = [1e-7].into_iter().chain((1..20).map(f64::from)).collect();
        assert!(!is_long(&history(&after_a_short_step)));
        assert!(!is_long(&history(&[0.0, 1e9])) && !is_long(&[]));
    }
}
