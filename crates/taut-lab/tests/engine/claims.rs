//! The claims: quick ones are run, and the page about all of them is current.

use std::collections::HashSet;

use taut_lab::claim::{
    Claim, Mutants, Verdict, Verified, claims, coverage, items, page, try_mutants, verify,
};

const THREADS: usize = 2;

/// Claims with quick experiments, of every paper, which are run here with their mutants; `taut verify` runs all claims, `taut
/// verify --mutants` tries all mutants.
const TRIED: [&str; 11] = [
    "lubich-5.1",
    "schropp-fig-2",
    "jay-thm-5.4",
    "jay-thm-6.3",
    "jay-section-6.1",
    "nipp-thm-4",
    "nipp-3.2a",
    "nipp-remark-1",
    "auzinger-lemma-4.5",
    "auzinger-5",
    "beyond-adiabatic-trigonometric",
];

fn tried() -> Vec<&'static Claim> {
    let tried: Vec<&'static Claim> = claims().into_iter().filter(|claim| TRIED.contains(&claim.id)).collect();
    assert_eq!(tried.len(), TRIED.len());
    tried
}

/// What went otherwise than expected.
fn failures(verified: &Verified) -> String {
    let broken = verified.finding.checks.iter().filter(|check| !check.holds());
    let lines = broken.map(|check| {
        format!("  {} {}: {} expected, {}", check.case, check.quantity, check.expected, check.measured)
    });
    format!("{}: {}\n{}", verified.claim.id, verified.note, lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn quick_claims_hold_and_are_answered_in_order() {
    let tried = tried();
    let answers = verify(&tried, THREADS, &|_| {});
    let order: Vec<&str> = answers.iter().map(|verified| verified.claim.id).collect();
    assert_eq!(order, tried.iter().map(|claim| claim.id).collect::<Vec<_>>());
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

#[test]
fn mutants_are_caught() {
    for spoilt in try_mutants(&tried(), THREADS, &|_| {}) {
        let caught = spoilt.is_caught() && !spoilt.failed.is_empty();
        assert!(caught, "{}: {} is not caught", spoilt.claim.id, spoilt.mutant);
    }
}

#[test]
fn every_claim_has_a_mutant_or_says_why_not_and_where_its_bounds_come_from() {
    for claim in claims() {
        assert!(!claim.bounds.is_empty(), "{}", claim.id);
        match claim.mutants {
            Mutants::Caught(mutants) => assert!(!mutants.is_empty(), "{}", claim.id),
            Mutants::None(because) => assert!(because.len() > 20, "{}", claim.id),
        }
    }
}

#[test]
fn every_item_of_the_papers_is_covered_or_explained() {
    let items = items();
    assert_eq!(items.len(), 186);
    assert!(items.iter().filter(|item| item.is_covered()).count() >= 170);
    let mut named = HashSet::new();
    for item in &items {
        let explained = item.became.strip_prefix("not measured: ").is_some_and(|why| why.len() > 20);
        let feature = item.became.contains("feature: ");
        assert!(explained || feature || item.claims().next().is_some(), "{}: {}", item.item, item.became);
        named.extend(item.claims());
        let words = item.became.split(|c: char| c.is_whitespace() || ",;:".contains(c));
        let papers = ["lubich-", "schropp-", "jay-", "nipp-", "auzinger-", "ours-"];
        for word in words.filter(|word| papers.iter().any(|paper| word.starts_with(paper))) {
            assert!(claims().iter().any(|claim| claim.id == word), "there is no claim {word}");
        }
    }
    let of_papers = |claim: &&&Claim| !["ours-", "beyond-"].iter().any(|other| claim.id.starts_with(other));
    for claim in claims().iter().filter(of_papers) {
        assert!(named.contains(claim.id), "{} is of no item", claim.id);
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coverage.md");
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, coverage(), "write the page again: taut verify --coverage docs/coverage.md");
}
