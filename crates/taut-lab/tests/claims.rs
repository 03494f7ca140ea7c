//! The claims: the fast ones are run, and the page about all of them is current.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::collections::HashSet;

use taut_lab::claim::{Claim, Verdict, Verified, claims, page, verify};

const THREADS: usize = 2;

/// What went otherwise than expected.
fn failures(verified: &Verified) -> String {
    let broken = verified.finding.checks.iter().filter(|check| !check.holds());
    let lines = broken.map(|check| {
        format!("  {} {}: {} expected, {}", check.case, check.quantity, check.expected, check.measured)
    });
    format!("{}: {}\n{}", verified.claim.id, verified.note, lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn fast_claims_hold() {
    let fast: Vec<&'static Claim> = claims().into_iter().filter(|claim| claim.fast).collect();
    let answers = verify(&fast, THREADS, &|verified| {
        println!("{:24} {:9} {:.1} s", verified.claim.id, verified.verdict.to_string(), verified.seconds);
    });
    let order: Vec<&str> = answers.iter().map(|verified| verified.claim.id).collect();
    assert_eq!(order, fast.iter().map(|claim| claim.id).collect::<Vec<_>>());
    let failed: Vec<String> =
        answers.iter().filter(|verified| verified.verdict == Verdict::Fails).map(failures).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn claims_have_names_of_their_own_and_sentences() {
    let mut names = HashSet::new();
    for claim in claims() {
        assert!(names.insert(claim.id), "{} twice", claim.id);
        assert!(claim.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)));
        assert!(claim.statement.ends_with('.'), "{}", claim.id);
        assert!(!claim.claimed.is_empty() && claim.source.ends_with(".rs"), "{}", claim.id);
    }
}

/// What was measured differs in the last digits from machine to machine; all else on the page must be as it is here.
#[test]
fn the_page_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/claims.md");
    let written = std::fs::read_to_string(path).unwrap();
    let expected = page(&claims().into_iter().map(Verified::expected).collect::<Vec<_>>());
    let without_measured = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with('|') || line.starts_with('#'));
        rows.map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            match cells.as_slice() {
                [id, statement, claimed, _, bounds, verdict] => {
                    [*id, statement, claimed, bounds, verdict].join(" | ")
                }
                _ => row.to_owned(),
            }
        })
        .collect()
    };
    let (written, expected) = (without_measured(&written), without_measured(&expected));
    assert_eq!(written, expected, "write the page again: taut verify --write docs/claims.md");
}
