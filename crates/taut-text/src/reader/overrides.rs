//! Values given at load time instead of those in the file.

use std::collections::{HashMap, HashSet};

/// Overrides by name: of a parameter, of a start value `x`, of a start velocity `x'`.
#[derive(Debug)]
pub(super) struct Overrides<'a> {
    values: HashMap<&'a str, f64>,
    used: HashSet<&'a str>,
    in_order: Vec<&'a str>,
    all: &'a [(String, f64)],
}

impl<'a> Overrides<'a> {
    /// The last one counts when a name is given more than once.
    pub(super) fn new(given: &'a [(String, f64)]) -> Self {
        let in_order: Vec<&str> = given.iter().map(|(name, _)| name.trim()).collect();
        let values = in_order.iter().zip(given).map(|(name, (_, value))| (*name, *value)).collect();
        Overrides { values, used: HashSet::new(), in_order, all: given }
    }

    /// As they were given.
    pub(super) fn all(&self) -> &'a [(String, f64)] {
        self.all
    }

    /// The value for a name, when there is one.
    pub(super) fn take(&mut self, name: &str) -> Option<f64> {
        let (name, value) = self.values.get_key_value(name)?;
        self.used.insert(name);
        Some(*value)
    }

    /// Takes a start value and a start velocity; most have none.
    pub(super) fn take_start(&mut self, name: &str) {
        if self.used.len() < self.values.len() {
            self.take(name);
            self.take(&format!("{name}'"));
        }
    }

    /// The names that nothing asked for.
    pub(super) fn unused(&self) -> Vec<&'a str> {
        self.in_order.iter().copied().filter(|name| !self.used.contains(name)).collect()
    }

    /// The names whose value is not a finite number.
    pub(super) fn not_finite(&self) -> Vec<&'a str> {
        self.in_order.iter().copied().filter(|name| !self.values[name].is_finite()).collect()
    }
}
