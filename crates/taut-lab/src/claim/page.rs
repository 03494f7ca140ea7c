//! The claims as a page of the documentation.

use std::fmt::Write;

use super::Verified;

const HEAD: &str = "\
# Claims

What the literature says of the methods in Taut, as experiments. `taut verify` runs them all, `taut verify ID` prints
all numbers of one, `taut verify --plot DIR` draws them. *holds*: as printed. *corrected*: the printed statement is
contradicted by measurements; the corrected one, given below the table, holds. Bounds stand in brackets behind the
figures they are for; orders may miss them by 0.2. `taut verify --mutants` runs each experiment on methods that must
not satisfy its claim, and it has to fail there.

This page is written by `taut verify --write docs/claims.md`.
";

/// The page: a table for each paper, with links to the experiments, and notes.
pub fn page(answers: &[Verified]) -> String {
    let mut text = HEAD.to_owned();
    let mut paper = None;
    let mut notes = String::new();
    for verified in answers {
        let claim = verified.claim;
        if paper != Some(claim.paper) {
            text.push_str(&std::mem::take(&mut notes));
            paper = Some(claim.paper);
            let _ = write!(text, "\n## {}\n\n", claim.paper);
            text.push_str(
                "| claim | statement | claimed | measured (bound) | where the bound comes from | verdict |\n\
                 | --- | --- | --- | --- | --- | --- |\n",
            );
        }
        let row = [claim.statement, claim.claimed, &verified.finding.figures(), claim.bounds].map(escaped);
        let _ = writeln!(
            text,
            "| [{}](../{}) | {} | {} |",
            claim.id,
            claim.source.replace('\\', "/"),
            row.join(" | "),
            verified.verdict
        );
        if !verified.note.is_empty() {
            let _ = write!(notes, "\n**{}**: {}\n", claim.id, verified.note);
        }
    }
    text.push_str(&notes);
    text
}

/// A cell of a table cannot hold a bar.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|")
}
