//! What became of every item of the papers that can be run or measured.

use std::fmt::Write;

use super::{Paper, claims};

/// The items of a paper, in its order: what it is, a bar, and what it became.
const ITEMS: [(Paper, &str); 5] = [
    (Paper::Lubich, include_str!("coverage/lubich.txt")),
    (Paper::Schropp, include_str!("coverage/schropp.txt")),
    (Paper::Jay, include_str!("coverage/jay.txt")),
    (Paper::Nipp, include_str!("coverage/nipp.txt")),
    (Paper::Auzinger, include_str!("coverage/auzinger.txt")),
];

/// How an entry begins that says why an item cannot be measured.
const NOT_MEASURED: &str = "not measured";

/// An item of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// the paper
    pub paper: Paper,
    /// what it says, in short
    pub item: &'static str,
    /// the claims and features it became, or why it cannot be measured
    pub became: &'static str,
}

impl Item {
    /// Whether it became a claim or a feature.
    pub fn is_covered(&self) -> bool {
        !self.became.starts_with(NOT_MEASURED)
    }

    /// The words of its entry that name claims.
    pub fn claims(&self) -> impl Iterator<Item = &'static str> {
        let words = self.became.split(|c: char| c.is_whitespace() || ",;:".contains(c));
        words.filter(|word| claims().iter().any(|claim| claim.id == *word))
    }
}

/// All items, paper by paper.
pub fn items() -> Vec<Item> {
    let of_paper = |&(paper, lines): &(Paper, &'static str)| {
        let item = move |line: &'static str| {
            let (item, became) = line.split_once(" | ").unwrap_or((line, ""));
            Item { paper, item, became }
        };
        lines.lines().map(item).collect::<Vec<_>>()
    };
    ITEMS.iter().flat_map(of_paper).collect()
}

/// The table of all items, as a page of the documentation.
pub fn coverage() -> String {
    let items = items();
    let covered = items.iter().filter(|item| item.is_covered()).count();
    let mut text = format!(
        "# Coverage\n\nEvery item of the five papers that can be run or measured, and the [claim](claims.md) or feature it \
         became: {covered} of {}. The others say why they cannot be measured.\n\nThis page is written by \
         `taut verify --coverage docs/coverage.md`.\n",
        items.len()
    );
    let mut paper = None;
    let mut number = 0;
    for item in &items {
        if paper != Some(item.paper) {
            (paper, number) = (Some(item.paper), 0);
            let _ =
                write!(text, "\n## {}\n\n| # | item | what it became |\n| --- | --- | --- |\n", item.paper);
        }
        number += 1;
        let cells = [item.item, item.became].map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(text, "| {number} | {} | {} |", cells[0], cells[1]);
    }
    text
}
