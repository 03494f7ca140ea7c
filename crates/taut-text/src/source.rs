//! The text of a model file, and places in it.

use std::ops::Range;

/// A model file: its text, and the name that errors call it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// A model file of this name (usually its path) with this text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// The name that errors call it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, both counted from 1; the column counts characters.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..floor_boundary(&self.text, offset)];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// A stretch of a model file, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// the first byte
    pub start: usize,
    /// one past the last byte
    pub end: usize,
}

impl Span {
    pub(crate) fn new(range: Range<usize>) -> Self {
        Span { start: range.start, end: range.end }
    }

    /// The stretch from the start of this one to the end of another.
    pub(crate) fn to(self, end: Span) -> Self {
        Span { start: self.start, end: end.end.max(self.start) }
    }

    /// The same stretch, moved onto character boundaries of `text`.
    pub(crate) fn within(self, text: &str) -> Range<usize> {
        let start = floor_boundary(text, self.start);
        let end = floor_boundary(text, self.end.max(start));
        start..end.max(start)
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
