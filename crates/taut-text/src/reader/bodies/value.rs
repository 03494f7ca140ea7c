//! Numbers, vectors and words of tables.

use taut_bodies::Dimension;
use toml::de::{DeTable, DeValue};

use super::super::document::{Value, article};
use super::super::lower::Role;
use super::super::{Indices, Reader};
use crate::source::Span;

impl<'a> Reader<'a> {
    /// A list of numbers or expressions of parameters.
    pub(super) fn numbers(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        what: &'static str,
    ) -> Option<Vec<f64>> {
        let DeValue::Array(items) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), format!("{what} is a list of numbers"))
                .label(format!("found {}", article(value.get_ref())));
            return None;
        };
        items.iter().map(|item| self.value_of_number(item, indices, what)).collect()
    }

    /// The value of a number: bodies are described by values, so that the model depends on them.
    pub(super) fn value_of_number(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        what: &'static str,
    ) -> Option<f64> {
        let node = self.number(value, indices, &Role::constant(what))?;
        self.expect_unit_of(what, value, indices);
        self.structural_value(node)
    }

    /// A number, or a list of them.
    pub(super) fn number_or_list(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        what: &'static str,
    ) -> Option<Vec<f64>> {
        match value.get_ref() {
            DeValue::Array(_) => self.numbers(value, indices, what),
            _ => Some(vec![self.value_of_number(value, indices, what)?]),
        }
    }

    /// A vector: two numbers in the plane, three in space.
    pub(super) fn vector(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        dimension: Dimension,
        what: &'static str,
    ) -> Option<[f64; 3]> {
        let numbers = self.numbers(value, indices, what)?;
        let count = dimension.positions();
        if numbers.len() != count {
            self.mistakes
                .add(Span::new(value.span()), format!("{what} has {count} numbers here"))
                .label(format!("found {}", numbers.len()));
            return None;
        }
        Some(std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0)))
    }

    /// A vector of a field, when the table has it.
    pub(super) fn vector_of(
        &mut self,
        table: &'a DeTable<'a>,
        field: &'static str,
        indices: &mut Indices,
        dimension: Dimension,
    ) -> Option<[f64; 3]> {
        self.vector(table.get(field)?, indices, dimension, field)
    }

    /// A number of a field, when the table has it.
    pub(super) fn number_of(
        &mut self,
        table: &'a DeTable<'a>,
        field: &'static str,
        indices: &mut Indices,
    ) -> Option<f64> {
        self.value_of_number(table.get(field)?, indices, field)
    }

    /// A number of a field that is measured in powers of kg, m and s, when the table has it.
    pub(super) fn measure_of(
        &mut self,
        table: &'a DeTable<'a>,
        field: &'static str,
        powers: [i8; 3],
        indices: &mut Indices,
    ) -> Option<f64> {
        let number = self.number_of(table, field, indices)?;
        self.expect_powers(powers, field, table.get(field)?, indices);
        Some(number)
    }

    /// A word, with the values of the indices that it has in braces.
    pub(super) fn word(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        what: &'static str,
    ) -> Option<String> {
        let span = Span::new(value.span());
        match value.get_ref() {
            DeValue::String(text) => self.label(text, span, indices),
            other => {
                self.mistakes
                    .add(span, format!("{what} is a name"))
                    .label(format!("found {}", article(other)));
                None
            }
        }
    }

    /// Two names, such as those of `between`.
    pub(super) fn two_words(
        &mut self,
        table: &'a DeTable<'a>,
        field: &'static str,
        span: Span,
        indices: &mut Indices,
    ) -> Option<[String; 2]> {
        let items = table.get(field).and_then(|value| match value.get_ref() {
            DeValue::Array(items) if items.len() == 2 => Some(items),
            _ => None,
        });
        let Some(items) = items else {
            let place = table.get(field).map_or(span, |value| Span::new(value.span()));
            self.mistakes
                .add(place, format!("'{field}' is a list of two names"))
                .help(format!("{field} = [\"ground\", \"crank\"]"));
            return None;
        };
        let mut words = items.iter().map(|item| self.word(item, indices, field));
        let (first, second) = (words.next().flatten(), words.next().flatten());
        Some([first?, second?])
    }

    /// A table inside an entry, with the fields that it may have.
    pub(super) fn inner_table(
        &mut self,
        value: &'a Value<'a>,
        known: &[&str],
        what: &'static str,
    ) -> Option<&'a DeTable<'a>> {
        let DeValue::Table(table) = value.get_ref() else {
            self.mistakes
                .add(Span::new(value.span()), format!("{what} is a table"))
                .label(format!("found {}", article(value.get_ref())));
            return None;
        };
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            self.mistakes
                .add(Span::new(key.span()), format!("{what} has no '{}'", key.get_ref()))
                .label("not known")
                .suggest(key.get_ref(), known.iter().copied());
        }
        Some(table)
    }
}
