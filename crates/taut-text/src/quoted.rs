//! Strings of a TOML file, with the way back from their characters to the file.

use std::ops::Range;

use crate::source::Span;

/// The value of a TOML string, and where each of its bytes stands in the file.
///
/// `"a\u0020+ b"` and `"""` strings with line-ending backslashes are shorter than what is written, so a column inside
/// the value is not simply an offset from the quotation mark.
#[derive(Clone, Debug)]
pub(crate) struct Quoted<'a> {
    text: &'a str,
    whole: Span,
    /// The place of every byte and of the end, when they are not simply one after the other.
    places: Option<Vec<usize>>,
    first: usize,
}

impl<'a> Quoted<'a> {
    /// `text` is the value of what is written at `whole` in `source`, quotation marks included.
    pub(crate) fn new(text: &'a str, whole: Span, source: &str) -> Self {
        let written = &source[whole.within(source)];
        let marks = if written.starts_with("\"\"\"") || written.starts_with("'''") {
            // A line break right after the opening marks does not count.
            let rest = &written[3..];
            3 + if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) }
        } else {
            usize::from(written.starts_with(['"', '\'']))
        };
        let direct = written[marks..].starts_with(text);
        let places = (!direct).then(|| places(text, written, marks, whole.start));
        Quoted { text, whole, places, first: whole.start + marks }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// A part of the value as a value of its own.
    pub(crate) fn part(&self, range: Range<usize>) -> Quoted<'a> {
        let whole = self.span(range.clone());
        let places = self.places.as_ref().map(|places| places[range.start..=range.end].to_vec());
        Quoted { text: &self.text[range.clone()], whole, places, first: self.first + range.start }
    }

    /// The whole string as it is written, with its quotation marks.
    pub(crate) fn whole(&self) -> Span {
        self.whole
    }

    /// Where a range of the value stands in the file. An empty range covers one character.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let place = |k: usize| match &self.places {
            None => self.first + k,
            Some(places) => places.get(k).copied().unwrap_or(self.whole.end),
        };
        let start = place(range.start);
        Span { start, end: place(range.end).max(start + 1) }
    }
}

/// Walks through the written text and notes the place of every byte of the value.
fn places(text: &str, written: &str, marks: usize, offset: usize) -> Vec<usize> {
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = marks;
    for c in text.chars() {
        at = skip_continuation(written, at);
        places.extend(std::iter::repeat_n(offset + at, c.len_utf8()));
        at += written_length(written.get(at..).unwrap_or_default(), c);
    }
    places.push(offset + skip_continuation(written, at));
    places
}

/// A backslash at the end of a line swallows the white space up to the next character.
fn skip_continuation(written: &str, at: usize) -> usize {
    let rest = written.get(at..).unwrap_or_default();
    let Some(after) = rest.strip_prefix('\\') else { return at };
    let blank = after.len() - after.trim_start().len();
    if after[..blank].contains('\n') { at + 1 + blank } else { at }
}

/// How many bytes of the file stand for the character `c`.
fn written_length(rest: &str, c: char) -> usize {
    match rest.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        [b'\\', b'x', ..] => 4,
        [b'\\', _, ..] => 2,
        [b'\r', b'\n', ..] if c == '\n' => 2,
        _ => rest.chars().next().map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use super::Quoted;
    use crate::source::Span;

    fn place(source: &str, value: &str, needle: &str) -> usize {
        let quoted = Quoted::new(value, Span { start: 0, end: source.len() }, source);
        let at = value.find(needle).unwrap();
        quoted.span(at..at + needle.len()).start
    }

    #[test]
    fn plain_strings_are_offset_by_their_quotation_mark() {
        assert_eq!(place("\"a + b\"", "a + b", "b"), 5);
        assert_eq!(place("'a + b'", "a + b", "b"), 5);
    }

    #[test]
    fn escapes_and_continued_lines_are_followed() {
        assert_eq!(place(r#""a\u0020+\tb""#, "a +\tb", "b"), 11);
        let source = "\"\"\"\na + \\\n    b\"\"\"";
        assert_eq!(place(source, "a + b", "b"), source.find('b').unwrap());
    }
}
