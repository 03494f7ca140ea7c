//! The hashes on record.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

use crate::cases;

/// Hashes by what was run, with what they depend on.
pub struct Record {
    /// C library with its sines, vector unit
    pub surroundings: String,
    hashes: BTreeMap<String, Vec<String>>,
}

const HEAD: &str = "# Hashes of runs; `taut-bits record` writes this file.";

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "bits.txt"].iter().collect()
}

impl Record {
    /// Runs everything.
    pub fn now() -> Result<Self, Box<dyn Error>> {
        let mut hashes = BTreeMap::new();
        cases::all(&mut |name, runs| {
            let words = runs.iter().map(|hash| hash.map_or("refused".into(), |hash| format!("{hash:016x}")));
            hashes.insert(name, words.collect());
        })?;
        Ok(Record { surroundings: surroundings()?, hashes })
    }

    /// The one in the repository.
    pub fn read() -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path())?;
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let surroundings = lines.next().ok_or("the record is empty")?.to_owned();
        let entry = |line: &str| {
            let (name, words) = line.split_once(": ")?;
            Some((name.to_owned(), words.split(' ').map(str::to_owned).collect()))
        };
        let hashes = lines.map(|line| entry(line).ok_or_else(|| format!("not a line of a record: {line}")));
        Ok(Record { surroundings, hashes: hashes.collect::<Result<_, _>>()? })
    }

    /// Writes it to the repository.
    pub fn write(&self) -> Result<(), Box<dyn Error>> {
        let mut text = format!("{HEAD}\n{}\n", self.surroundings);
        for (name, words) in &self.hashes {
            writeln!(text, "{name}: {}", words.join(" "))?;
        }
        Ok(std::fs::write(path(), text)?)
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.hashes.values().map(Vec::len).sum()
    }

    /// What is other in another record, line by line.
    pub fn differences(&self, other: &Record) -> Vec<String> {
        let none = Vec::new();
        let names =
            self.hashes.keys().chain(other.hashes.keys().filter(|name| !self.hashes.contains_key(*name)));
        let hashes = |record: &Record, name| record.hashes.get(name).unwrap_or(&none).join(" ");
        let differ = names.map(|name| (name, hashes(self, name), hashes(other, name)));
        differ
            .filter(|(_, one, two)| one != two)
            .map(|(name, one, two)| format!("{name}: {one} -> {two}"))
            .collect()
    }
}

/// What bits depend on beside the code.
fn surroundings() -> Result<String, Box<dyn Error>> {
    let library = std::process::Command::new("ldd").arg("--version").output()?;
    let library = String::from_utf8_lossy(&library.stdout).lines().next().unwrap_or_default().to_owned();
    Ok(format!("{library}; {}", vectors()))
}

#[cfg(target_arch = "x86_64")]
fn vectors() -> &'static str {
    if std::arch::is_x86_feature_detected!("avx2") { "avx2" } else { "no avx2" }
}

#[cfg(not(target_arch = "x86_64"))]
fn vectors() -> &'static str {
    std::env::consts::ARCH
}
