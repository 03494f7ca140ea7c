//! Hostile inputs: the committed corpus, and what fixed seeds make of it.

#![allow(clippy::unwrap_used, clippy::panic)]

use taut_fuzz::campaign::{corpus, feed};
use taut_fuzz::target::{Checkpoints, CommandLines, Models, Tables, Target, all};

/// Feeds a target with fixed seeds.
fn holds(target: &dyn Target, seeds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let findings = feed(target, 0..seeds, folder.path());
    let told: Vec<String> = findings
        .iter()
        .map(|found| format!("seed {}: {}\n{}", found.seed, found.words, found.input))
        .collect();
    assert!(told.is_empty(), "{} findings\n{}", told.len(), told.join("\n\n"));
}

#[test]
fn what_was_found_once_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    for target in all() {
        for (path, input) in corpus(target.name()) {
            if let Err(words) = target.feed(&input, folder.path()) {
                panic!("{}: {words}", path.display());
            }
        }
        assert!(target.seeds().len() >= 4, "{} has nothing to begin with", target.name());
        for input in target.seeds() {
            assert_eq!(target.feed(&input, folder.path()), Ok(()), "{}", target.name());
        }
    }
}

#[test]
fn hostile_models_are_answered() {
    holds(&Models, 1500);
}

#[test]
fn hostile_checkpoints_are_answered() {
    holds(&Checkpoints::default(), 250);
}

#[test]
fn hostile_tables_are_answered() {
    holds(&Tables, 300);
}

#[test]
fn hostile_command_lines_are_answered() {
    holds(&CommandLines, 500);
}
