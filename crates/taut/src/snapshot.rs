//! A run as a value: everything that decides how it goes on.

use std::fmt;
use std::ops::RangeInclusive;

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

    /// All entries.
    pub fn entries(&self) -> &[(String, Vec<f64>)] {
        &self.entries
    }

    /// A snapshot of these entries.
    pub fn from_entries(entries: Vec<(String, Vec<f64>)>) -> Self {
        Snapshot { entries }
    }
}

/// What is kept of a run as one number of an entry.
pub(crate) trait Field {
    fn number(&self) -> f64;

    /// Takes such a number over; false where it means nothing.
    fn set(&mut self, number: f64) -> bool;
}

impl Field for f64 {
    fn number(&self) -> f64 {
        *self
    }
    fn set(&mut self, number: f64) -> bool {
        *self = number;
        true
    }
}

impl Field for usize {
    fn number(&self) -> f64 {
        *self as f64
    }
    fn set(&mut self, number: f64) -> bool {
        *self = number as usize;
        *self as f64 == number
    }
}

impl Field for bool {
    fn number(&self) -> f64 {
        f64::from(u8::from(*self))
    }
    fn set(&mut self, number: f64) -> bool {
        *self = number != 0.0;
        self.number() == number
    }
}

/// Nothing is no number.
impl Field for Option<f64> {
    fn number(&self) -> f64 {
        self.unwrap_or(f64::NAN)
    }
    fn set(&mut self, number: f64) -> bool {
        *self = (!number.is_nan()).then_some(number);
        true
    }
}

/// Numbers that belong together on their way into one list, or out of it: their owners name them once, for both ways.
#[derive(Debug)]
pub(crate) enum Memory<'m> {
    Kept(&'m mut Vec<f64>),
    Recalled {
        /// the time of what is recalled
        at: f64,
        /// what is left of the list
        rest: &'m [f64],
    },
    /// the list is of something else
    Unfit,
}

impl Memory<'_> {
    /// The time of what is recalled; nothing while it is kept.
    pub(crate) fn recalled_at(&self) -> Option<f64> {
        match self {
            Memory::Recalled { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// Numbers that are always as many.
    pub(crate) fn list(&mut self, numbers: &mut [f64]) {
        match self {
            Memory::Kept(list) => list.extend_from_slice(numbers),
            Memory::Recalled { rest, .. } => match rest.split_at_checked(numbers.len()) {
                Some((first, others)) => {
                    numbers.copy_from_slice(first);
                    *rest = others;
                }
                None => *self = Memory::Unfit,
            },
            Memory::Unfit => {}
        }
    }

    /// A single one.
    pub(crate) fn field(&mut self, field: &mut impl Field) {
        let mut number = [field.number()];
        self.list(&mut number);
        if self.recalled_at().is_some() && !field.set(number[0]) {
            *self = Memory::Unfit;
        }
    }
}

/// The fields of a run on their way into a snapshot, or out of it: their owners list them once, for both ways. A way into a
/// snapshot changes nothing and never fails.
pub(crate) enum Fields<'s> {
    Saved(&'s mut Snapshot),
    Restored(&'s Snapshot),
}

impl Fields<'_> {
    /// The snapshot that the run goes on from; nothing while it is saved.
    pub(crate) fn restored(&self) -> Option<&Snapshot> {
        match self {
            Fields::Saved(_) => None,
            Fields::Restored(snapshot) => Some(snapshot),
        }
    }

    /// An entry of single numbers.
    pub(crate) fn entry(&mut self, name: &str, fields: &mut [&mut dyn Field]) -> Result<(), SnapshotError> {
        let mut numbers: Vec<f64> = fields.iter().map(|field| field.number()).collect();
        self.list(name, &mut numbers)?;
        if self.restored().is_some() {
            for (field, value) in fields.iter_mut().zip(numbers) {
                if !field.set(value) {
                    return Err(SnapshotError::Value { name: name.to_owned(), value });
                }
            }
        }
        Ok(())
    }

    /// An entry whose length is the same in every run of the system.
    pub(crate) fn list(&mut self, name: &str, numbers: &mut [f64]) -> Result<(), SnapshotError> {
        match self {
            Fields::Saved(snapshot) => snapshot.put(name, numbers),
            Fields::Restored(snapshot) => snapshot.copy_to(name, numbers)?,
        }
        Ok(())
    }

    /// An entry of one number, or of none.
    pub(crate) fn option(&mut self, name: &str, number: &mut Option<f64>) -> Result<(), SnapshotError> {
        match self {
            Fields::Saved(snapshot) => snapshot.put(name, number.as_slice()),
            Fields::Restored(snapshot) => *number = snapshot.get(name)?.first().copied(),
        }
        Ok(())
    }

    /// Refuses a number of an entry that was restored and names nothing here.
    pub(crate) fn within(
        &self,
        name: &str,
        number: usize,
        range: RangeInclusive<usize>,
    ) -> Result<(), SnapshotError> {
        match self {
            Fields::Restored(_) if !range.contains(&number) => {
                Err(SnapshotError::Value { name: name.to_owned(), value: number as f64 })
            }
            _ => Ok(()),
        }
    }

    /// The pivots that eliminations keep.
    pub(crate) fn pivots(&mut self, exchange: impl FnOnce(&mut Pivots<'_>)) -> Result<(), SnapshotError> {
        let mut pivots = match self {
            Fields::Saved(_) => Pivots::Saved(Vec::new()),
            Fields::Restored(snapshot) => Pivots::Restored(snapshot.get(PIVOTS)?),
        };
        exchange(&mut pivots);
        match (self, pivots) {
            (Fields::Saved(snapshot), Pivots::Saved(numbers)) => snapshot.put(PIVOTS, &numbers),
            (_, Pivots::Restored([])) => {}
            _ => return Err(SnapshotError::Unusable("its pivots do not fit".to_owned())),
        }
        Ok(())
    }
}
