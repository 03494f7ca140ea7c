//! The rooms of the house: who may use whom. Dependencies point one way, so that a room can be read without those above it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; each may use itself and those before it, and the files at the root.
const ROOMS: [&str; 14] = [
    "linear",
    "system",
    "equations",
    "method",
    "control",
    "geometry",
    "springs",
    "stages",
    "newton",
    "inside",
    "step",
    "start",
    "motion",
    "run",
];
/// Files at the root that every room may use: names and values that have no room above or below.
const ROOT: [&str; 4] = ["options", "failure", "snapshot", "error"];
/// What lies in a room and stands on nothing: everybody counts.
const ON_THE_GROUND: [&str; 1] = ["motion::Statistics"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a file uses, with what of them; comments and tests do not count.
fn uses(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = lines.flat_map(|line| line.split("crate::").skip(1));
    let path = |word: &str| {
        word.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next().map(str::to_owned)
    };
    words.filter_map(path).collect()
}

#[test]
fn no_room_uses_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (level, room) in ROOMS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&source.join(room), &mut files);
        assert!(!files.is_empty(), "there is no room {room}");
        for file in files.iter().filter(|file| !file.to_string_lossy().contains("test")) {
            for used in uses(&fs::read_to_string(file).unwrap()) {
                let other = used.split("::").next().unwrap_or_default();
                let below = ROOMS[..=level].contains(&other) || ROOT.contains(&other);
                let grounded = ON_THE_GROUND.iter().any(|item| used.starts_with(item));
                if !below && !grounded {
                    faults.push(format!("{}: {used}", file.strip_prefix(&source).unwrap().display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} uses point upwards:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_folder_is_a_room() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders =
        fs::read_dir(source).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir());
    for folder in folders.map(|folder| folder.file_name().to_string_lossy().into_owned()) {
        assert!(
            ROOMS.contains(&folder.as_str()) || ["solver", "error"].contains(&folder.as_str()),
            "{folder}"
        );
    }
}
