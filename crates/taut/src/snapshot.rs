//! A run as a value: everything that decides how it goes on.

use std::fmt;

use crate::linear::Pivots;

/// The entry with the pivots that eliminations keep.
const PIVOTS: &str = "pivots";

/// Named lists of numbers, in the order they were put in. Written to a file it is a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    entries: Vec<(String, Vec<f64>)>,
}

/// A snapshot does not fit the run that should go on from it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// an entry is missing
    Missing {
        /// its name
        name: String,
    },
    /// an entry has the wrong length
    Length {
        /// its name
        name: String,
        /// the length it has
        found: usize,
        /// the length it should have
        expected: usize,
    },
    /// a number does not name anything that exists here
    Value {
        /// the entry
        name: String,
        /// the number
        value: f64,
    },
    /// the system cannot be evaluated at the saved state
    Unusable(String),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Missing { name } => write!(f, "the checkpoint has no entry '{name}'"),
            SnapshotError::Length { name, found, expected } => {
                write!(
                    f,
                    "the checkpoint's entry '{name}' has {found} numbers, {expected} are needed: is it of another model or method?"
                )
            }
            SnapshotError::Value { name, value } => {
                write!(f, "the checkpoint's entry '{name}' has the value {value}, which means nothing here")
            }
            SnapshotError::Unusable(reason) => {
                write!(f, "the run cannot go on from the checkpoint: {reason}")
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

impl Snapshot {
    /// Adds an entry.
    pub fn put(&mut self, name: &str, numbers: &[f64]) {
        self.entries.push((name.to_owned(), numbers.to_vec()));
    }

    /// The numbers of an entry.
    pub fn get(&self, name: &str) -> Result<&[f64], SnapshotError> {
        let entry = self.entries.iter().find(|(entry, _)| entry == name);
        entry
            .map(|(_, numbers)| numbers.as_slice())
            .ok_or_else(|| SnapshotError::Missing { name: name.to_owned() })
    }

    /// The numbers of an entry whose length is known.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<[f64; N], SnapshotError> {
        let numbers = self.get(name)?;
        let wrong = || SnapshotError::Length { name: name.to_owned(), found: numbers.len(), expected: N };
        numbers.try_into().map_err(|_| wrong())
    }

    /// Copies an entry to a place of the same length.
    pub fn copy_to(&self, name: &str, place: &mut [f64]) -> Result<(), SnapshotError> {
        let numbers = self.get(name)?;
        if numbers.len() != place.len() {
            let (found, expected) = (numbers.len(), place.len());
            return Err(SnapshotError::Length { name: name.to_owned(), found, expected });
        }
        place.copy_from_slice(numbers);
        Ok(())
    }

    /// A number that must be a whole number below `limit`.
    pub fn index(&self, name: &str, value: f64, limit: usize) -> Result<usize, SnapshotError> {
        let index = value as usize;
        if index < limit && index as f64 == value {
            return Ok(index);
        }
        Err(SnapshotError::Value { name: name.to_owned(), value })
    }

    /// Adds the pivots that eliminations keep.
    pub(crate) fn put_pivots(&mut self, hand_over: impl FnOnce(&mut Pivots<'_>)) {
        let mut pivots = Pivots::Saved(Vec::new());
        hand_over(&mut pivots);
        if let Pivots::Saved(numbers) = pivots {
            self.put(PIVOTS, &numbers);
        }
    }

    /// Gives eliminations their pivots back.
    pub(crate) fn restore_pivots(&self, take: impl FnOnce(&mut Pivots<'_>)) -> Result<(), SnapshotError> {
        let mut pivots = Pivots::Restored(self.get(PIVOTS)?);
        take(&mut pivots);
        match pivots {
            Pivots::Restored([]) => Ok(()),
            _ => Err(SnapshotError::Unusable("its pivots do not fit".to_owned())),
        }
    }

    /// All entries.
    pub fn entries(&self) -> &[(String, Vec<f64>)] {
        &self.entries
    }

    /// A snapshot of these entries.
    pub fn from_entries(entries: Vec<(String, Vec<f64>)>) -> Self {
        Snapshot { entries }
    }
}
