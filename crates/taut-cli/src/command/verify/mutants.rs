//! `taut verify --mutants`

use std::fmt::Write;

use serde_json::{Value, json};
use taut_lab::claim::{Claim, Mutants, Spoilt, try_mutants};

use super::{progress, threads};
use crate::outcome::{Outcome, Status, print, print_json};

/// Runs claims on their mutants and prints which of them are caught.
pub(super) fn execute(chosen: &[&'static Claim], as_json: bool, quiet: bool) -> Outcome {
    let count = chosen.iter().map(|claim| claim.mutants.list().len()).sum();
    let bar = progress(count, quiet);
    let tried = try_mutants(chosen, threads(), &|spoilt| {
        if let Some(bar) = &bar {
            bar.set_message(format!("{} {}", spoilt.claim.id, spoilt.mutant));
            bar.inc(1);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if as_json {
        print_json(&Value::Array(tried.iter().map(to_json).collect()))?;
    } else {
        print(&matrix(chosen, &tried))?;
    }
    Ok(if tried.iter().all(Spoilt::is_caught) { Status::Done } else { Status::Failed })
}

fn to_json(spoilt: &Spoilt) -> Value {
    json!({
        "id": spoilt.claim.id,
        "mutant": spoilt.mutant.to_string(),
        "caught": spoilt.is_caught(),
        "failed": spoilt.failed.len(),
        "checks": spoilt.checks,
        "by": caught_by(spoilt),
    })
}

/// The first check that failed, or why the experiment stopped.
fn caught_by(spoilt: &Spoilt) -> String {
    match (&spoilt.stopped, spoilt.failed.first()) {
        (Some(cause), _) => format!("stopped: {cause}"),
        (None, Some(check)) => {
            let measured = check.expected.written(check.measured);
            format!("{} {}: {measured}, not {}", check.case, check.quantity, check.expected)
        }
        (None, None) => String::new(),
    }
}

/// A row for each claim and mutant; claims without one with the reason.
fn matrix(chosen: &[&'static Claim], tried: &[Spoilt]) -> String {
    let width = |of: fn(&Spoilt) -> usize| tried.iter().map(of).max().unwrap_or(0);
    let (claims, mutants) =
        (width(|spoilt| spoilt.claim.id.len()), width(|spoilt| spoilt.mutant.to_string().len()));
    let mut text = String::new();
    for spoilt in tried {
        let verdict = if spoilt.is_caught() { "caught" } else { "MISSED" };
        let failed = format!("{}/{}", spoilt.failed.len(), spoilt.checks);
        let (id, mutant, by) = (spoilt.claim.id, spoilt.mutant.to_string(), caught_by(spoilt));
        let line = format!("{id:<claims$}  {mutant:<mutants$}  {verdict}  {failed:>6}  {by}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for claim in chosen {
        if let Mutants::None(because) = claim.mutants {
            let _ = write!(text, "\n{} has no mutant: {because}.\n", claim.id);
        }
    }
    let caught = tried.iter().filter(|spoilt| spoilt.is_caught()).count();
    let _ = write!(text, "\n{caught} of {} mutants are caught.\n", tried.len());
    text
}
