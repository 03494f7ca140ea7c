//! What the page of a run says in words.

use taut_report::page::{Gravity, ModelText, Note, Table};
use taut_report::significant;

use crate::report::{accuracy, cost, method, moved, sizes, stages, steps};
use crate::summary::Summary;

/// So many coordinates, multipliers or parameters are listed.
const LISTED: usize = 40;
/// Digits of listed numbers.
const DIGITS: usize = 10;

/// Sizes, method, tolerance, steps.
pub(super) fn subtitle(summary: &Summary<'_>) -> String {
    let motion = summary.motion();
    let settings = summary.settings;
    let steps = match settings.step {
        Some(h) => format!("constant steps {h}"),
        None => format!("rtol {:e}, atol {:e}", settings.rtol, settings.atol),
    };
    let accepted = summary.statistics().accepted;
    format!(
        "{}; {}, {}, {steps}; {accepted} steps from t = {} to {}",
        sizes(summary.subject),
        motion.method,
        stages(motion),
        summary.from,
        significant(motion.t, 6)
    )
}

/// A few figures for the head of the page.
pub(super) fn facts(summary: &Summary<'_>) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let statistics = summary.statistics();
    let mut facts = vec![
        fact("method", format!("{}, {}", summary.motion().method, stages(summary.motion()))),
        fact("steps", statistics.accepted.to_string()),
    ];
    if let Some(system) = summary.subject.mechanism() {
        if system.structure().constraints.iter().any(|constraint| constraint.compliance() == 0.0) {
            let [position, velocity, _] = summary.residuals();
            let [position, velocity] = summary.accounts.distances.unwrap_or([position, velocity]);
            facts.push(fact("constraints hold to", format!("{:.1e}", position.max(velocity))));
        }
        let kept = summary.conserved.is_none_or(|conserved| conserved.energy());
        if let Some((_, _, error)) = summary.energy().filter(|_| kept) {
            facts.push(fact("energy error", format!("{error:.1e}")));
        }
    }
    let seconds = summary.seconds();
    let time = if seconds < 1.0 { format!("{:.2} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") };
    facts.push(fact("time", time));
    facts
}

/// What a reader should know before anything else.
pub(super) fn notes(summary: &Summary<'_>) -> Vec<Note> {
    let note = |gravity: Gravity, text: &String| Note { gravity, text: text.clone() };
    let motion = summary.motion();
    let stopped = summary.stopped.iter().map(|text| note(Gravity::Trouble, text));
    let warned = motion.warning.iter().map(|text| note(Gravity::Warning, text));
    let moved =
        moved(summary).map(|text| Note { gravity: Gravity::Remark, text: format!("the start was {text}") });
    stopped.chain(warned).chain(moved).collect()
}

/// The summary: how it went, and where it ended.
pub(super) fn tables(summary: &Summary<'_>) -> Vec<Table> {
    let mut rows = vec![
        row("integrated", &format!("t = {} to {}", summary.from, significant(summary.motion().t, 9))),
        row("method", &method(summary)),
        row("steps", &steps(summary)),
    ];
    rows.extend(summary.motion().springs.iter().map(|springs| row("springs", springs)));
    rows.extend(accuracy(summary).iter().map(|(label, content)| row(label, content)));
    rows.push(row("cost", &cost(summary)));
    let mut tables = vec![Table { title: "How it went".to_owned(), heads: Vec::new(), rows }];
    tables.push(state(summary));
    let multipliers = summary.multipliers();
    let numbers = multipliers.iter().map(|(name, value)| (*name, *value));
    tables.extend(list("Multipliers at the end", numbers));
    let parameters = summary.subject.model.parameters.iter();
    tables.extend(list("Parameters", parameters.map(|(name, value)| (&**name, *value))));
    tables
}

fn row(label: &str, content: &str) -> Vec<String> {
    vec![label.to_owned(), content.to_owned()]
}

/// Names with numbers; nothing when there are none.
fn list<'a>(title: &str, numbers: impl ExactSizeIterator<Item = (&'a str, f64)>) -> Option<Table> {
    let count = numbers.len();
    let mut rows: Vec<Vec<String>> =
        numbers.take(LISTED).map(|(name, value)| row(name, &significant(value, DIGITS))).collect();
    if count > LISTED {
        rows.push(row("", &format!("and {} more", count - LISTED)));
    }
    (count > 0).then(|| Table { title: title.to_owned(), heads: Vec::new(), rows })
}

fn state(summary: &Summary<'_>) -> Table {
    let (positions, velocities) = summary.motion_at_the_end();
    let names = summary.subject.model.coordinates();
    let heads: &[&str] =
        if velocities.is_empty() { &["variable", "value"] } else { &["coordinate", "position", "velocity"] };
    let cells = |(i, name): (usize, &String)| {
        let mut row = vec![name.clone(), significant(positions[i], DIGITS)];
        row.extend(velocities.get(i).map(|v| significant(*v, DIGITS)));
        row
    };
    let mut rows: Vec<Vec<String>> = names.iter().enumerate().take(LISTED).map(cells).collect();
    if names.len() > LISTED {
        rows.push(row("", &format!("and {} more", names.len() - LISTED)));
    }
    let title = format!("State at t = {}", significant(summary.motion().t, 9));
    Table { title, heads: heads.iter().map(|&head| head.to_owned()).collect(), rows }
}

/// The text of the model.
pub(super) fn model(summary: &Summary<'_>) -> ModelText {
    ModelText {
        name: format!("{}.toml", summary.subject.name),
        text: summary.subject.source.text().to_owned(),
    }
}

/// Command, version, hash, options.
pub(super) fn reproduce(summary: &Summary<'_>, command: Option<&str>) -> Vec<(String, String)> {
    let line = |name: &str, text: String| (name.to_owned(), text);
    let mut lines: Vec<(String, String)> =
        command.map(|command| line("command", command.to_owned())).into_iter().collect();
    lines.push(line("version", format!("taut {}", env!("CARGO_PKG_VERSION"))));
    lines.push(line("hash of the model", summary.subject.hash()));
    if let Ok(serde_json::Value::Object(options)) = serde_json::to_value(summary.settings) {
        let given = options
            .iter()
            .filter(|(_, value)| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        let option = |(name, value): (&String, &serde_json::Value)| match value {
            serde_json::Value::String(text) => format!("{name} = {text}"),
            value => format!("{name} = {value}"),
        };
        lines.push(line("options", given.map(option).collect::<Vec<_>>().join("\n")));
    }
    lines
}
