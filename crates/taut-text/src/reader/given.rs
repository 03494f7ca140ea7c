//! `[parameters]` and `[define]`: names for numbers and formulas.

use std::rc::Rc;

use toml::de::DeValue;

use super::Reader;
use super::document::{Section, Value};
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::quantity::Quantity;
use crate::source::Span;

impl<'a> Reader<'a> {
    pub(super) fn read_parameters(&mut self) {
        for part in self.document.parts(Section::Parameters) {
            self.note_names_below(part.table);
            for mut entry in self.entries(&part) {
                self.below.remove(&entry.name);
                let given = self.parameter_value(&entry);
                let role = Role::constant("a parameter");
                let value = given.and_then(|given| self.quantity(given, &mut entry.indices, &role));
                let meaning = match value {
                    Some(several @ (Quantity::Vector(_) | Quantity::Matrix(_))) => {
                        Some(Meaning::Several(Rc::new(several)))
                    }
                    value => {
                        let default =
                            value.and_then(|value| self.as_number(value, Span::new(entry.value.span())));
                        self.parameter(&entry.name, default).map(Meaning::Parameter)
                    }
                };
                self.give(&entry, meaning);
            }
        }
        self.below.clear();
    }

    /// The value of a parameter: as it is, or in a table with its unit.
    fn parameter_value(&mut self, entry: &Entry<'a>) -> Option<&'a Value<'a>> {
        let DeValue::Table(table) = entry.value.get_ref() else {
            let unit = self.unit_of_value(entry.value, &mut entry.indices.clone());
            self.units.set(&entry.name, unit);
            return Some(entry.value);
        };
        if !table.contains_key("value") && !table.contains_key("unit") {
            return Some(entry.value);
        }
        self.fields(entry, &["value", "unit"], "{ value = 1.0, unit = \"kg\" }");
        self.read_unit(&entry.name, table);
        let value = table.get("value");
        match value {
            Some(value) => {
                let unit = self.units.get(&entry.name);
                self.expect_unit(value, unit, &entry.name, &mut entry.indices.clone());
            }
            None => {
                self.mistakes
                    .add(Span::new(entry.value.span()), format!("'{}' has no value", entry.name))
                    .label("'value' is missing");
            }
        }
        value
    }

    pub(super) fn read_definitions(&mut self) {
        for part in self.document.parts(Section::Define) {
            self.note_names_below(part.table);
            for mut entry in self.entries(&part) {
                self.below.remove(&entry.name);
                let meaning = match self.quantity(entry.value, &mut entry.indices, &Role::any("a definition"))
                {
                    Some(several @ (Quantity::Vector(_) | Quantity::Matrix(_))) => {
                        Some(Meaning::Several(Rc::new(several)))
                    }
                    value => value
                        .and_then(|value| self.expect_number(value, entry.value))
                        .map(Meaning::Definition),
                };
                let unit = self.unit_of_value(entry.value, &mut entry.indices);
                self.units.set(&entry.name, unit);
                self.give(&entry, meaning);
            }
        }
        self.below.clear();
    }

    fn note_names_below(&mut self, table: &toml::de::DeTable<'_>) {
        self.below = table.keys().map(|key| key.get_ref().to_string()).collect();
    }
}
