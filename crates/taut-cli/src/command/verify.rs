//! `taut verify`

mod mutants;

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use taut_lab::claim::{
    Check, Claim, Panel, Series, Table, Verdict, Verified, claims, coverage, page, verify,
};

use crate::arguments::Verify;
use crate::files::Disk;
use crate::outcome::{Failure, Outcome, Status, print, print_json};
use crate::picture::{Picture, of_claim, page_of_claims, write_page};
use crate::report::{Columns, significant};

/// Curves with more points are not printed.
const MOST_POINTS: usize = 40;
/// Digits of printed numbers.
const DIGITS: usize = 4;

/// Runs claims and says what came out.
pub fn execute(arguments: &Verify) -> Outcome {
    if let Some(path) = &arguments.coverage {
        std::fs::write(path, coverage()).map_err(|error| Failure::file(path, error))?;
        return Ok(Status::Done);
    }
    let chosen = choose(arguments.claim.as_deref(), arguments.fast)?;
    if arguments.mutants {
        return mutants::execute(&chosen, arguments.json, arguments.quiet);
    }
    let answers = run(&chosen, arguments.quiet);
    if let Some(folder) = &arguments.plot {
        draw(folder, &answers)?;
    }
    if let Some(path) = &arguments.report {
        write_page(path, &Disk::default(), &page_of_claims(&answers))?;
    }
    if let Some(path) = &arguments.write {
        std::fs::write(path, page(&answers)).map_err(|error| Failure::file(path, error))?;
    }
    if arguments.json {
        print_json(&Value::Array(answers.iter().map(to_json).collect()))?;
    } else {
        let all_numbers = arguments.claim.as_deref() == chosen.first().map(|claim| claim.id);
        print(&if all_numbers { answers.iter().map(numbers).collect() } else { table(&answers) })?;
    }
    let failed = answers.iter().any(|verified| verified.verdict == Verdict::Fails);
    Ok(if failed { Status::Failed } else { Status::Done })
}

/// The claims with this name, or those that begin with it.
pub fn choose(name: Option<&str>, fast: bool) -> Result<Vec<&'static Claim>, Failure> {
    let name = name.unwrap_or_default();
    let mut chosen = claims();
    if let Some(claim) = chosen.iter().copied().find(|claim| claim.id == name) {
        return Ok(vec![claim]);
    }
    chosen.retain(|claim| claim.id.starts_with(name) && (claim.fast || !fast));
    if chosen.is_empty() {
        let names: Vec<&str> = claims().iter().map(|claim| claim.id).collect();
        return Err(Failure::wrong(format!("there is no claim '{name}'; there are {}", names.join(", "))));
    }
    Ok(chosen)
}

fn run(chosen: &[&'static Claim], quiet: bool) -> Vec<Verified> {
    let bar = progress(chosen.len(), quiet);
    let answers = verify(chosen, threads(), &|verified| {
        if let Some(bar) = &bar {
            bar.set_message(format!("{} {}", verified.claim.id, verified.verdict));
            bar.inc(1);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    answers
}

/// A bar for so many experiments, where somebody looks at it.
fn progress(count: usize, quiet: bool) -> Option<ProgressBar> {
    let visible = !quiet && std::io::stderr().is_terminal();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}");
    let bar = style.ok().filter(|_| visible);
    bar.map(|style| ProgressBar::new(count as u64).with_style(style))
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The object of `verify --json` of one claim.
pub fn to_json(verified: &Verified) -> Value {
    let claim = verified.claim;
    json!({
        "id": claim.id,
        "paper": claim.paper.to_string(),
        "statement": claim.statement,
        "claimed": claim.claimed,
        "measured": verified.finding.measured(),
        "verdict": verified.verdict.to_string(),
        "note": verified.note,
        "bounds": claim.bounds,
        "checks": verified.finding.checks.iter().map(check_to_json).collect::<Vec<_>>(),
        "tables": verified.finding.tables.iter().map(table_to_json).collect::<Vec<_>>(),
    })
}

/// A map of numbers; what could not be measured is null.
fn table_to_json(table: &Table) -> Value {
    let row = |(name, numbers): &(String, Vec<f64>)| json!({ "name": name, "numbers": numbers });
    json!({
        "title": table.title,
        "parameters": table.corner,
        "columns": table.columns,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// One number of a claim; what could not be measured is null.
fn check_to_json(check: &Check) -> Value {
    let (bound, relation, deviation) = check.expected.relation();
    json!({
        "name": format!("{}: {}", check.case, check.quantity),
        "measured": check.measured,
        "bound": bound,
        "relation": relation,
        "deviation": deviation,
        "holds": check.holds(),
        "points": check.points,
    })
}

fn draw(folder: &Path, answers: &[Verified]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    for verified in answers.iter().filter(|verified| !verified.finding.panels.is_empty()) {
        let picture = Picture::of(&folder.join(format!("{}.svg", verified.claim.id)))?;
        picture.write(&of_claim(verified))?;
    }
    Ok(())
}

/// Each claim with its verdict; below it what is claimed and what was measured.
fn table(answers: &[Verified]) -> String {
    let width = answers.iter().map(|verified| verified.claim.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for verified in answers {
        let claim = verified.claim;
        let _ = writeln!(text, "{:<width$}  {}", claim.id, verified.verdict);
        let _ = writeln!(text, "{:<width$}    claimed   {}", "", claim.claimed);
        let _ = writeln!(text, "{:<width$}    measured  {}", "", verified.finding.measured());
        if verified.verdict != Verdict::Holds {
            let _ = writeln!(text, "{:<width$}    note      {}", "", verified.note);
        }
    }
    let count = |verdict: Verdict| answers.iter().filter(|verified| verified.verdict == verdict).count();
    let [holds, corrected, fails] = [Verdict::Holds, Verdict::Corrected, Verdict::Fails].map(count);
    let _ = write!(
        text,
        "\n{} claims: {holds} hold, {corrected} hold in a corrected form, {fails} fail.\n",
        answers.len()
    );
    text.push_str("`taut verify ID` prints all numbers of one.\n");
    text
}

/// All that is known of a claim after its experiment.
fn numbers(verified: &Verified) -> String {
    let claim = verified.claim;
    let mut text = format!("{} ({}): {}\n\n", claim.id, claim.paper, verified.verdict);
    let mut line = |label: &str, content: &str| {
        let _ = writeln!(text, "  {label:<10}{content}");
    };
    line("statement", claim.statement);
    line("claimed", claim.claimed);
    line("bounds", claim.bounds);
    if !verified.note.is_empty() {
        line("note", &verified.note);
    }
    line("code", claim.source);
    line("time", &format!("{:.2} s", verified.seconds));
    let mut checks = Columns::new(&["case", "quantity", "claimed", "measured", ""]);
    for check in &verified.finding.checks {
        checks.row(vec![
            check.case.clone(),
            check.quantity.clone(),
            check.expected.to_string(),
            check.expected.written(check.measured),
            if check.holds() { "holds" } else { "FAILS" }.to_owned(),
        ]);
    }
    let _ = write!(text, "\n{}", checks.render(2));
    for table in &verified.finding.tables {
        let _ = write!(text, "\n{}", map(table));
    }
    for panel in &verified.finding.panels {
        for series in &panel.series {
            let _ = write!(text, "\n{}", curve(panel, series));
        }
    }
    text
}

/// A map of numbers over two parameters.
fn map(table: &Table) -> String {
    let head = std::iter::once(table.corner).chain(table.columns.iter().map(String::as_str));
    let mut columns = Columns::new(&head.collect::<Vec<_>>());
    for (name, numbers) in &table.rows {
        let written = numbers.iter().map(|x| if x.is_nan() { "-".to_owned() } else { format!("{x:.1}") });
        columns.row(std::iter::once(name.clone()).chain(written).collect());
    }
    format!("  {}\n{}", table.title, columns.render(4))
}

/// The points of a curve, and which of them its slope was taken from.
fn curve(panel: &Panel, series: &Series) -> String {
    let mut text = format!("  {}: {}", panel.title, series.name);
    if let Some(fit) = &series.fit {
        let _ = write!(text, ", slope {:.3}, residual {:.3}", fit.slope, fit.residual);
    }
    text.push('\n');
    if series.points.len() > MOST_POINTS {
        let (least, most) = series
            .points
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), (_, y)| (l.min(*y), m.max(*y)));
        let (least, most) = (significant(least, DIGITS), significant(most, DIGITS));
        let _ = writeln!(text, "    {} points between {least} and {most}", series.points.len());
        return text;
    }
    let mut points = Columns::new(&[panel.x, panel.y, ""]);
    for (k, (x, y)) in series.points.iter().enumerate() {
        let used = series.fit.as_ref().is_some_and(|fit| fit.used.get(k) == Some(&true));
        let mark = if used { "used" } else { "" };
        points.row(vec![significant(*x, DIGITS), significant(*y, DIGITS), mark.to_owned()]);
    }
    text.push_str(&points.render(4));
    text
}
