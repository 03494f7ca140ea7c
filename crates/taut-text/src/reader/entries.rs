//! The entries of a table, repeated and with their indices put in.

use std::rc::Rc;

use toml::de::{DeTable, DeValue};

use super::document::{Part, Value, article};
use super::lookup::push_number;
use super::{Indices, Reader};
use crate::expression::{self, Expression, is_name_character, is_name_start};
use crate::limits;
use crate::quoted::Quoted;
use crate::source::Span;

/// One entry of a table.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) value: &'a Value<'a>,
    pub(super) indices: Indices,
}

impl<'a> Reader<'a> {
    /// The entries of a table, once for every value of the indices of its `for` table.
    pub(super) fn entries(&mut self, part: &Part<'a>) -> Vec<Entry<'a>> {
        let mut entries = Vec::new();
        let Some(repetitions) = self.repetitions_of(part) else {
            self.names_are_missing = true;
            return entries;
        };
        for mut indices in repetitions {
            for (key, value) in part.table {
                let span = Span::new(key.span());
                match self.label(key.get_ref(), span, &mut indices) {
                    Some(name) => entries.push(Entry { name, span, value, indices: indices.clone() }),
                    None => self.names_are_missing = true,
                }
            }
        }
        entries
    }

    /// All values of the indices of a table; one empty set when it is not inside a `for` table.
    fn repetitions_of(&mut self, part: &Part<'a>) -> Option<Vec<Indices>> {
        let mut sets = vec![Indices::new()];
        let Some(number) = part.repetition else { return Some(sets) };
        let indices = self.document.repetitions[number].indices.clone();
        if indices.len() > limits::INDICES {
            self.mistakes.add(indices[0].1, "too many indices").label(format!("at most {}", limits::INDICES));
            return None;
        }
        for (name, span, range) in indices {
            if !is_identifier(name) {
                self.mistakes.add(span, format!("'{name}' cannot be the name of an index"));
                return None;
            }
            let index: Rc<str> = name.into();
            let mut longer = Vec::new();
            for set in sets {
                if !self.is_free_index(name, span, &set) {
                    return None;
                }
                let (first, last) = self.range(range, &mut set.clone())?;
                self.count_repetitions(span, first, last)?;
                for i in first..=last {
                    let mut next = set.clone();
                    next.push((index.clone(), i as f64));
                    longer.push(next);
                }
            }
            sets = longer;
        }
        Some(sets)
    }

    /// `"first..last"`, both included.
    fn range(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Option<(i64, i64)> {
        let span = Span::new(value.span());
        let DeValue::String(text) = value.get_ref() else { return None };
        let Some(dots) = text.find("..") else {
            self.mistakes.add(span, "an index runs over a range").help("\"1..N\", both ends included");
            return None;
        };
        let quoted = Quoted::new(text, span, self.text);
        let mut bound = |range| {
            let expression = expression::parse(&quoted.part(range), &mut self.mistakes)?;
            self.whole_number(&expression, indices)
        };
        let (first, last) = (bound(0..dots), bound(dots + 2..text.len()));
        Some((first?, last?))
    }

    /// The name in a key, with the values of the indices that it has in braces.
    pub(super) fn label(&mut self, key: &'a str, span: Span, indices: &mut Indices) -> Option<String> {
        if !key.contains('{') {
            return Some(key.to_string());
        }
        let quoted = Quoted::new(key, span, self.text);
        let mut label = String::new();
        let mut at = 0;
        while let Some(open) = key[at..].find('{').map(|k| at + k) {
            let Some(close) = key[open..].find('}').map(|k| open + k) else {
                self.mistakes
                    .add(quoted.span(open..open + 1), "this is never closed")
                    .label("'}' is missing");
                return None;
            };
            label.push_str(&key[at..open]);
            let index = self.index(&quoted.part(open + 1..close))?;
            push_number(&mut label, self.whole_number(&index, indices)?);
            at = close + 1;
        }
        label.push_str(&key[at..]);
        Some(label)
    }

    /// An expression between braces, parsed once.
    fn index(&mut self, quoted: &Quoted<'_>) -> Option<Rc<Expression>> {
        let place = quoted.whole().start;
        if let Some(known) = self.parsed.get(&place) {
            return known.clone();
        }
        let parsed = expression::parse(quoted, &mut self.mistakes).map(Rc::new);
        self.parsed.insert(place, parsed.clone());
        parsed
    }

    /// Whether an entry has a name that expressions can use.
    pub(super) fn is_good_name(&mut self, entry: &Entry<'_>) -> bool {
        // Names of included models have dots.
        let is_included = entry.span.start >= self.written;
        let last = entry.name.rsplit('.').next().filter(|_| is_included).unwrap_or(&entry.name);
        let good = is_identifier(last) && entry.name.len() <= limits::NAME_BYTES;
        if !good {
            self.mistakes
                .add(entry.span, format!("'{}' cannot be a name", entry.name))
                .help("a name begins with a letter and goes on with letters, digits and _");
        }
        good
    }

    /// A name that only labels output may have any characters that do not disturb a table of columns.
    pub(super) fn check_label(&mut self, entry: &Entry<'_>) {
        let disturbs = |c: char| c.is_control() || c == ',' || c == '"';
        if entry.name.is_empty() || entry.name.len() > limits::NAME_BYTES || entry.name.contains(disturbs) {
            self.mistakes.add(entry.span, format!("{:?} cannot be a name", entry.name));
        }
    }

    /// The table of an entry whose fields are known; other fields are mistakes.
    pub(super) fn fields(
        &mut self,
        entry: &Entry<'a>,
        known: &[&str],
        example: &str,
    ) -> Option<&'a DeTable<'a>> {
        let DeValue::Table(table) = entry.value.get_ref() else {
            self.mistakes
                .add(Span::new(entry.value.span()), format!("'{}' is written as a table", entry.name))
                .label(format!("found {}", article(entry.value.get_ref())))
                .help(format!("{} = {example}", entry.name));
            return None;
        };
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let mistake = self
                .mistakes
                .add(Span::new(key.span()), format!("'{}' has no '{}'", entry.name, key.get_ref()))
                .label("not known");
            if key.get_ref() == "stiffness" && known.contains(&"compliance") {
                mistake.help("say how soft it is: compliance = 1/stiffness");
            } else {
                mistake.suggest(key.get_ref(), known.iter().copied());
            }
        }
        Some(table)
    }
}

pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(is_name_character)
}
