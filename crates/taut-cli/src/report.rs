//! What a run gives, for people.

mod advice;
mod columns;

pub use columns::Columns;
pub use taut_report::significant;

use std::fmt::Write;

use taut::equations::Formulation;
use taut::method::Method;
use taut::motion::Motion;
use taut::system::{Constraint, PartitionedSystem};

use crate::model::Subject;
use crate::summary::Summary;

/// So many coordinates or multipliers are listed.
const LISTED: usize = 14;
/// Width of the words on the left.
const LABEL: usize = 12;

/// The report of a run.
pub fn report(summary: &Summary<'_>, files: &[String]) -> String {
    let mut text =
        format!("{} ({}): {}\n\n", summary.subject.model.name, summary.subject.name, sizes(summary.subject));
    let mut line = |label: &str, content: String| {
        let _ = writeln!(text, "  {label:LABEL$}{content}");
    };
    let motion = summary.motion();
    line("integrated", format!("t = {} to {}", summary.from, significant(motion.t, 9)));
    line("method", method(summary));
    line("steps", steps(summary));
    if let Some(moved) = moved(summary) {
        line("start", moved);
    }
    text.push('\n');
    text.push_str(&state(summary));
    text.push('\n');
    let mut line = |label: &str, content: String| {
        let _ = writeln!(text, "  {label:LABEL$}{content}");
    };
    if let Some(springs) = &summary.motion().springs {
        line("springs", springs.clone());
    }
    if let Some(warning) = &summary.motion().warning {
        line("warning", warning.clone());
    }
    for (k, happened) in events(motion).into_iter().enumerate() {
        line(if k == 0 { "events" } else { "" }, happened);
    }
    for (label, content) in accuracy(summary) {
        line(label, content);
    }
    line("cost", cost(summary));
    for (k, file) in files.iter().enumerate() {
        line(if k == 0 { "written" } else { "" }, file.clone());
    }
    if summary.stopped.is_none() {
        text.push('\n');
        let commands = advice::next(summary);
        let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
        for (k, (command, purpose)) in commands.iter().enumerate() {
            let label = if k == 0 { "try next" } else { "" };
            let _ = writeln!(text, "  {label:LABEL$}{command:<width$}  {purpose}");
        }
    }
    text
}

/// How large a model is, in words.
pub fn sizes(subject: &Subject) -> String {
    let n = subject.model.coordinates().len();
    let Some(system) = subject.mechanism() else {
        return counted(n, "variable");
    };
    let constraints = &system.structure().constraints;
    let count =
        |kind: &dyn Fn(&Constraint) -> bool| constraints.iter().filter(|constraint| kind(constraint)).count();
    let mut parts = vec![counted(n, "coordinate")];
    let kinds: [(usize, &str); 3] = [
        (count(&Constraint::is_rod), "constraint"),
        (count(&|c| c.compliance() > 0.0), "stiff spring"),
        (count(&|c| !c.is_holonomic()), "constraint on velocities"),
    ];
    for (number, name) in kinds {
        match (number, name) {
            (0, _) => {}
            (2.., "constraint on velocities") => parts.push(format!("{number} constraints on velocities")),
            _ => parts.push(counted(number, name)),
        }
    }
    parts.join(", ")
}

fn counted(number: usize, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn method(summary: &Summary<'_>) -> String {
    let motion = summary.motion();
    let choice = summary.ending.motion.choice.as_deref();
    let choice = choice.map(|choice| format!("  (auto: {choice})")).unwrap_or_default();
    format!("{}, {}{choice}", motion.method, stages(motion))
}

/// The number of stages that was used last, or the order of a multistep method.
pub(crate) fn stages(motion: &Motion) -> String {
    match Method::named(motion.method).is_ok_and(|method| method.scheme().has_orders()) {
        true => format!("order {}", motion.stages),
        false => counted(motion.stages, "stage"),
    }
}

pub(crate) fn steps(summary: &Summary<'_>) -> String {
    let settings = summary.settings;
    let mut text = match settings.step {
        Some(h) => format!("constant, {h}"),
        None => format!("adaptive, rtol = {:e}, atol = {:e}", settings.rtol, settings.atol),
    };
    if settings.formulation != Formulation::default() {
        let method = summary.motion().method;
        let explicit = Method::named(method).is_ok_and(|method| method.scheme().is_explicit());
        let unused = if explicit { format!(" (which {method} has no use for)") } else { String::new() };
        let _ = write!(text, ", formulation {}{unused}", settings.formulation.name());
    }
    if let Some(projection) = settings.project {
        let _ = write!(text, ", projection {}", projection.name());
    }
    text
}

pub(crate) fn moved(summary: &Summary<'_>) -> Option<String> {
    const NOTICEABLE: f64 = 1e-12;
    let start = summary.motion().start.as_ref()?;
    let mut parts = Vec::new();
    let changes = summary.moved();
    if start.moved.0.max(start.moved.1) > NOTICEABLE || !changes.is_empty() {
        let (q, v) = start.moved;
        let show =
            |(name, given, used): &(String, f64, f64)| format!("{name} {given} -> {}", significant(*used, 6));
        let listed: Vec<String> = changes.iter().take(LISTED).map(show).collect();
        let more = if changes.len() > LISTED { ", ..." } else { "" };
        let listed = if listed.is_empty() { String::new() } else { format!(": {}{more}", listed.join(", ")) };
        parts.push(format!(
            "moved onto the constraints, by {q:.1e} in positions and {v:.1e} in velocities, weighed with the masses{listed}"
        ));
    }
    if !start.redundant.is_empty() {
        parts.push(format!("redundant constraints left out: {}", start.redundant.join(", ")));
    }
    if !start.passing.is_empty() {
        parts.push(format!("a singular configuration, where {} depends on others", start.passing.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn state(summary: &Summary<'_>) -> String {
    let names = summary.subject.model.coordinates();
    let (positions, velocities) = summary.motion_at_the_end();
    let heads: &[&str] = if velocities.is_empty() { &["", "value"] } else { &["", "position", "velocity"] };
    let mut columns = Columns::new(heads);
    for (i, name) in names.iter().take(LISTED).enumerate() {
        let mut row = vec![name.clone(), significant(positions[i], 10)];
        row.extend(velocities.get(i).map(|v| significant(*v, 10)));
        columns.row(row);
    }
    let mut text = columns.render(4);
    text.push_str(&more(names.len()));
    let multipliers = summary.multipliers();
    if !multipliers.is_empty() {
        let mut columns = Columns::new(&["", "multiplier"]);
        for (name, value) in multipliers.iter().take(LISTED) {
            columns.row(vec![(*name).to_owned(), significant(*value, 10)]);
        }
        text.push_str(&columns.render(4));
        text.push_str(&more(multipliers.len()));
    }
    text
}

fn more(number: usize) -> String {
    if number > LISTED {
        format!("    and {} more; --json lists all\n", number - LISTED)
    } else {
        String::new()
    }
}

pub(crate) fn accuracy(summary: &Summary<'_>) -> Vec<(&'static str, String)> {
    let mut lines = kept(summary);
    if let Some(apart) = &summary.ending.second {
        let off = format!("{} tolerances in {}", significant(apart.tolerances, 2), apart.variable);
        lines.push((
            "error",
            format!("at the end about {off}, by a second run with a tenth of the tolerance"),
        ));
    }
    lines
}

/// What the mechanics keeps, and how well it was kept.
fn kept(summary: &Summary<'_>) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let Some(system) = summary.subject.mechanism() else {
        let composition = summary.subject.evolution().map(|system| system.composition());
        let algebraic = composition.is_some_and(|composition| composition.algebraic_rows().contains(&true));
        if algebraic {
            lines.push((
                "equations",
                format!("without derivatives hold to {:.1e}", summary.accounts.algebraic),
            ));
        }
        if let Some(system) = summary.subject.partition().filter(|system| system.structure().m() > 0) {
            let [position, velocity, _] = summary.residuals();
            let names = system.structure().constraints.len();
            lines.push((
                "constraints",
                format!("{names} hold to {position:.1e}, their derivatives to {velocity:.1e}"),
            ));
        }
        lines.extend(energy_of_partition(summary));
        return lines;
    };
    if system.structure().constraints.iter().any(|constraint| constraint.compliance() == 0.0) {
        let [position, velocity, acceleration] = summary.residuals();
        let mut words =
            format!("hold to {position:.1e}, their derivatives to {velocity:.1e} and {acceleration:.1e}");
        if let Some([position, velocity]) = summary.accounts.distances {
            let _ = write!(words, "; in units of their gradients to {position:.1e} and {velocity:.1e}");
        }
        lines.push(("constraints", words));
    }
    if let Some((start, end, error)) = summary.energy() {
        let mut from_to =
            format!("{} at the start, {} at the end", significant(start, 8), significant(end, 8));
        let by_events = summary.motion().invariants.by_events;
        if by_events != 0.0 {
            let _ = write!(from_to, ", {} by events", significant(by_events, 4));
        }
        let comment = match summary.conserved {
            Some(conserved) if !conserved.energy() => {
                format!("changed by {}", conserved.energy_changes_by.join(", "))
            }
            _ => format!("largest error {error:.1e}"),
        };
        lines.push(("energy", format!("{from_to}; {comment}")));
    }
    lines
}

/// The energy of a Hamiltonian or partitioned model.
fn energy_of_partition(summary: &Summary<'_>) -> Option<(&'static str, String)> {
    let system = summary.subject.partition()?;
    let (start, end, error) = summary.energy()?;
    // What events take and give is accounted for by methods that know the energy.
    let events =
        summary.subject.model.events.change_something() && summary.motion().invariants.by_events == 0.0;
    let word = if system.keeps_energy() && !events { "largest error" } else { "largest change" };
    let from_to = format!("{} at the start, {} at the end", significant(start, 8), significant(end, 8));
    Some(("energy", format!("{from_to}; {word} {error:.1e}")))
}

pub(crate) fn cost(summary: &Summary<'_>) -> String {
    let count = summary.statistics();
    let mut text = counted(count.steps, "step");
    if count.rejected() > 0 {
        let _ = write!(text, " ({} rejected)", count.rejected());
    }
    let _ = write!(text, ", {} right-hand sides", count.rhs);
    for (number, name) in [(count.jacobians, "Jacobian"), (count.factorizations, "factorization")] {
        if number > 0 {
            let _ = write!(text, ", {}", counted(number, name));
        }
    }
    let seconds = summary.seconds();
    let time = if seconds < 1.0 { format!("{:.2} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") };
    let _ = write!(text, "; {time}");
    text
}

/// How often events have happened, and when last.
fn events(motion: &Motion) -> Vec<String> {
    let times =
        |count: usize| if count == 1 { "once, at".to_owned() } else { format!("{count} times, last at") };
    let words = motion.events.iter().map(|event| {
        format!("{} happened {} t = {}", event.name, times(event.count), significant(event.last, 9))
    });
    words.collect()
}
