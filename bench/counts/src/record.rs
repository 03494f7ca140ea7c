//! The counts on record.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// A rise by more than this share fails.
pub const LARGEST_RISE: f64 = 0.03;

/// Counts with what they depend on.
pub struct Record {
    /// compiler, C library, vector unit
    pub surroundings: String,
    /// workloads and their instructions
    pub counts: Vec<(String, u64)>,
}

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "counts.toml"].iter().collect()
}

impl Record {
    /// The one in the repository.
    pub fn read() -> Result<Self, Box<dyn Error>> {
        let table: toml::Table = std::fs::read_to_string(path())?.parse()?;
        let surroundings = table.get("surroundings").and_then(|s| s.as_str()).ok_or("no `surroundings`")?;
        let counts = table.get("instructions").and_then(|c| c.as_table()).ok_or("no `[instructions]`")?;
        let count = |(name, count): (&String, &toml::Value)| {
            let count = count.as_integer().and_then(|count| u64::try_from(count).ok());
            count.map(|count| (name.clone(), count)).ok_or(format!("`{name}` is no count"))
        };
        Ok(Record {
            surroundings: surroundings.to_owned(),
            counts: counts.iter().map(count).collect::<Result<_, _>>()?,
        })
    }

    /// Writes it to the repository.
    pub fn write(&self) -> Result<(), Box<dyn Error>> {
        let mut text = String::from(
            "# Instructions of fixed workloads; `cargo run --profile counts -p taut-counts update` writes this file.\n",
        );
        writeln!(text, "surroundings = {:?}\n\n[instructions]", self.surroundings)?;
        for (name, count) in &self.counts {
            writeln!(text, "{name} = {count}")?;
        }
        Ok(std::fs::write(path(), text)?)
    }

    /// The count of a workload.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|(known, _)| known == name).map(|(_, count)| *count)
    }
}

/// (count - recorded) / recorded
pub fn rise(recorded: u64, count: u64) -> f64 {
    count as f64 / recorded as f64 - 1.0
}
