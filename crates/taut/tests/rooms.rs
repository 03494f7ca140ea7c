//! The rooms of the house: who may use whom. Dependencies point one way, so that a room can be read without those above it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; each may use itself and those before it, and the files at the root.
const ROOMS: [&str; 17] = [
    "linear",
    "seen",
    "compiled",
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
    "digits",
];
/// Files at the root that every room may use: names and values that have no room above or below.
const ROOT: [&str; 4] = ["options", "failure", "snapshot", "error"];
/// What lies in a room above and stands on nothing: everybody counts, and tells what becomes of springs.
const ON_THE_GROUND: [&str; 2] = ["motion::Statistics", "motion::SpringSpan"];

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

/// What a file uses of rooms, as `room::Name`; comments and tests do not count.
fn uses(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for after in lines.join(" ").split("crate::").skip(1) {
        let room: String = after.chars().take_while(|c| is_name(*c)).collect();
        let rest = after[room.len()..].trim_start_matches(':');
        // Names in braces count one by one.
        let names = rest.strip_prefix('{').and_then(|list| list.split('}').next()).unwrap_or(rest);
        let names = names.split(',').take(if rest.starts_with('{') { usize::MAX } else { 1 });
        found.extend(names.map(|name| {
            let name: String = name.trim().chars().take_while(|c| is_name(*c)).collect();
            format!("{room}::{name}")
        }));
    }
    found
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
                let grounded = ON_THE_GROUND.contains(&used.as_str());
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
            ROOMS.contains(&folder.as_str())
                || ["solver", "ensemble", "error", "options"].contains(&folder.as_str()),
            "{folder}"
        );
    }
}

/// The walks of the map go through files and functions that there are.
#[test]
fn the_map_is_true() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = fs::read_to_string(home.join("../../ARCHITECTURE.md")).unwrap();
    let is_step = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(".rs`:");
    let mut walked = 0;
    for line in map.lines().filter(is_step) {
        let mut quoted = line.split('`').skip(1).step_by(2);
        let file = quoted.next().unwrap();
        let text = fs::read_to_string(home.join("src").join(file)).unwrap_or_default();
        for function in quoted {
            let there =
                [format!("fn {function}("), format!("fn {function}<")].iter().any(|head| text.contains(head));
            assert!(there, "{line}");
        }
        walked += 1;
    }
    assert!(walked > 30, "{walked} steps");
}

/// A library that is not compiled for tests has none inside.
#[test]
fn every_test_is_run() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for home in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(manifest) = fs::read_to_string(home.join("Cargo.toml")) else { continue };
        let library = manifest.split("\n[").find(|section| section.starts_with("lib]"));
        if !library.is_some_and(|library| library.contains("test = false")) {
            continue;
        }
        let mut files = Vec::new();
        sources(&home.join("src"), &mut files);
        for file in files {
            assert!(!fs::read_to_string(&file).unwrap().contains("#[test]"), "{}", file.display());
        }
    }
}
