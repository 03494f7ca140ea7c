//! `taut fmt`: one way to place spaces and empty lines; comments, order and words stay.

use toml::de::{DeTable, DeValue};

use super::formulas::is_formula;
use super::spacing::spaced;
use crate::expression;
use crate::mistake::{Errors, Mistakes};
use crate::quoted::Quoted;
use crate::reader::parse_toml;
use crate::source::{Source, Span};

/// The text of a model file, formatted: it says the same, with its comments.
///
/// ```
/// use taut_text::{Source, format};
///
/// let source = Source::new("mass.toml", "[coordinates]\nx={start=1.0}  # a mass\n\n\n[energy]\nkinetic  = \"x'^2 / 2+0\"");
/// let text = format(&source)?;
/// assert_eq!(text, "[coordinates]\nx = { start = 1.0 }  # a mass\n\n[energy]\nkinetic = \"x'^2/2 + 0\"\n");
/// # Ok::<(), taut_text::Errors>(())
/// ```
///
/// # Errors
/// What is wrong with the file as TOML.
pub fn format(source: &Source) -> Result<String, Errors> {
    let mut mistakes = Mistakes::default();
    let root = parse_toml(source, &mut mistakes);
    if mistakes.any() {
        return Err(mistakes.into_errors(source));
    }
    let text = Formatter::new(source.text()).text();
    // What does not say the same in the end stays as it is.
    let formatted = Source::new(source.name(), text);
    let again = parse_toml(&formatted, &mut mistakes);
    let same = !mistakes.any() && is_same_table(&root, &again, &[]);
    Ok(if same { formatted.text().to_string() } else { source.text().to_string() })
}

fn is_same_table(one: &DeTable<'_>, other: &DeTable<'_>, path: &[&str]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other.iter()).all(|((key, value), (other_key, other))| {
            let path = [path, &[key.get_ref().as_ref()]].concat();
            key.get_ref() == other_key.get_ref() && is_same(value.get_ref(), other.get_ref(), &path)
        })
}

fn is_same(one: &DeValue<'_>, other: &DeValue<'_>, path: &[&str]) -> bool {
    match (one, other) {
        (DeValue::Table(one), DeValue::Table(other)) => is_same_table(one, other, path),
        (DeValue::Array(one), DeValue::Array(other)) => {
            let mut pairs = one.iter().zip(other.iter());
            one.len() == other.len()
                && pairs.all(|(one, other)| is_same(one.get_ref(), other.get_ref(), path))
        }
        (DeValue::String(one), DeValue::String(other)) if one != other => {
            let parse = |text: &str| {
                expression::parse(&Quoted::new(text, Span::default(), ""), &mut Mistakes::default())
            };
            is_formula(path) && parse(one).is_some_and(|tree| Some(tree) == parse(other))
        }
        (DeValue::String(_), DeValue::String(_)) => true,
        (DeValue::Integer(one), DeValue::Integer(other)) => one.as_str() == other.as_str(),
        (DeValue::Float(one), DeValue::Float(other)) => one.as_str() == other.as_str(),
        (DeValue::Boolean(one), DeValue::Boolean(other)) => one == other,
        (DeValue::Datetime(one), DeValue::Datetime(other)) => one == other,
        _ => false,
    }
}

/// A piece of TOML as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    Space(&'t str),
    Line,
    Comment(&'t str),
    /// with its quotation marks
    Text(&'t str),
    Mark(char),
    Word(&'t str),
}

struct Formatter<'t> {
    pieces: Vec<Piece<'t>>,
    written: String,
    /// the keys of the section, and of the values around
    section: Vec<String>,
    keys: Vec<String>,
    /// brackets that are open inside of values
    open: Vec<char>,
    /// whether the value of a key is being written
    in_value: bool,
}

impl<'t> Formatter<'t> {
    fn new(text: &'t str) -> Self {
        let (pieces, written) = (pieces(text), String::new());
        Formatter {
            pieces,
            written,
            section: Vec::new(),
            keys: Vec::new(),
            open: Vec::new(),
            in_value: false,
        }
    }

    fn text(mut self) -> String {
        let pieces = std::mem::take(&mut self.pieces);
        let mut lines = 0;
        for (k, piece) in pieces.iter().enumerate() {
            match *piece {
                Piece::Line => {
                    lines += 1;
                    self.end_line(lines);
                    continue;
                }
                Piece::Space(space) => self.space(space, lines > 0 || k == 0, pieces.get(k + 1).copied()),
                Piece::Comment(comment) => self.comment(comment),
                Piece::Text(text) => self.string(text),
                Piece::Mark(mark) => self.mark(mark, &pieces[k + 1..], lines > 0 || k == 0),
                Piece::Word(word) => self.word(word),
            }
            lines = if matches!(piece, Piece::Space(_)) { lines } else { 0 };
        }
        while self.written.ends_with('\n') {
            self.written.pop();
        }
        self.written.push('\n');
        self.written
    }

    /// At most one empty line, none at the beginning.
    fn end_line(&mut self, lines: usize) {
        while self.written.ends_with(' ') {
            self.written.pop();
        }
        if lines <= 2 && !self.written.is_empty() {
            self.written.push('\n');
        }
        if self.open.is_empty() {
            (self.in_value, self.keys) = (false, Vec::new());
        }
    }

    /// Lines of values are indented as they are; the space before a comment stays.
    fn space(&mut self, space: &str, begins_line: bool, next: Option<Piece<'_>>) {
        let kept = matches!(next, Some(Piece::Comment(_))) || (begins_line && !self.open.is_empty());
        if kept && next != Some(Piece::Line) {
            self.written.push_str(space);
        }
    }

    fn comment(&mut self, comment: &str) {
        if !self.written.is_empty() && !self.written.ends_with([' ', '\n']) {
            self.written.push_str("  ");
        }
        self.written.push_str(comment.trim_end());
    }

    fn mark(&mut self, mark: char, rest: &[Piece<'_>], begins_line: bool) {
        match mark {
            '[' if !self.in_value && begins_line => {
                let empty = self.written.is_empty() || self.written.ends_with("\n\n") || self.after_comment();
                if !empty {
                    self.written.push('\n');
                }
                self.section = header(rest);
                self.written.push('[');
            }
            '=' => {
                self.written.push_str(" = ");
                self.in_value = true;
            }
            ',' => {
                self.written.push(',');
                let next = rest.iter().find(|piece| !matches!(piece, Piece::Space(_)));
                if !matches!(next, Some(Piece::Line | Piece::Comment(_))) {
                    self.written.push(' ');
                }
                if self.open.last() == Some(&'{') {
                    self.keys.pop();
                }
            }
            '{' | '[' if self.in_value => {
                self.open.push(mark);
                self.written.push_str(if mark == '{' { "{ " } else { "[" });
            }
            '}' | ']' if self.in_value => {
                self.open.pop();
                if mark == '}' {
                    self.keys.pop();
                    let written = self.written.trim_end_matches(' ').len();
                    self.written.truncate(written);
                    self.written.push_str(if self.written.ends_with('{') { "}" } else { " }" });
                } else {
                    self.written.push(']');
                }
            }
            mark => self.written.push(mark),
        }
    }

    /// A section that has a comment right above it stays with that.
    fn after_comment(&self) -> bool {
        let last = self.written.trim_end_matches('\n').lines().last().unwrap_or_default();
        last.starts_with('#')
    }

    fn word(&mut self, word: &str) {
        let is_key =
            !self.in_value || self.open.last() == Some(&'{') && self.written.ends_with(['{', ' ', ',']);
        let is_key = is_key && !self.written.ends_with("= ");
        if is_key {
            self.keys.push(word.to_string());
        }
        self.written.push_str(word);
    }

    fn string(&mut self, text: &str) {
        let is_key = !self.in_value || (self.open.last() == Some(&'{') && !self.written.ends_with("= "));
        if is_key {
            self.keys.push(text.trim_matches(['"', '\'']).to_string());
            self.written.push_str(text);
            return;
        }
        let path: Vec<&str> = self.section.iter().chain(&self.keys).map(String::as_str).collect();
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let plain = inner.filter(|inner| !inner.contains(['"', '\\', '\n']));
        match plain.filter(|_| is_formula(&path)).and_then(spaced) {
            Some(formula) => {
                self.written.push('"');
                self.written.push_str(&formula);
                self.written.push('"');
            }
            None => self.written.push_str(text),
        }
    }
}

/// The keys of a header, whose first bracket has been read.
fn header(rest: &[Piece<'_>]) -> Vec<String> {
    let line = rest.iter().take_while(|piece| !matches!(piece, Piece::Line | Piece::Comment(_)));
    let words = line.filter_map(|piece| match piece {
        Piece::Word(word) | Piece::Text(word) => Some(word.trim_matches(['"', '\''])),
        _ => None,
    });
    words.flat_map(|word| word.split('.')).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (piece, length) = match c {
            '\n' => (Piece::Line, 1),
            ' ' | '\t' | '\r' => {
                let length = rest.find(|c| !matches!(c, ' ' | '\t' | '\r')).unwrap_or(rest.len());
                (Piece::Space(&rest[..length]), length)
            }
            '#' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                (Piece::Comment(&rest[..length]), length)
            }
            '"' | '\'' => {
                let length = string_length(rest, c);
                (Piece::Text(&rest[..length]), length)
            }
            '[' | ']' | '{' | '}' | ',' | '=' => (Piece::Mark(c), 1),
            _ => {
                let ends = |c: char| " \t\r\n#\"'[]{},=".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                (Piece::Word(&rest[..length]), length)
            }
        };
        pieces.push(piece);
        at += length;
    }
    pieces
}

/// The length of a string with its quotation marks, which may be three.
fn string_length(rest: &str, mark: char) -> usize {
    let long: String = [mark; 3].iter().collect();
    let (open, close) = if rest.starts_with(&long) { (3, long.as_str()) } else { (1, &long[..1]) };
    let mut at = open;
    while at < rest.len() {
        if rest[at..].starts_with(close) {
            // Up to two more marks may belong to a long string.
            let more =
                rest[at + close.len()..].chars().take_while(|c| open == 3 && *c == mark).take(2).count();
            return at + close.len() + more;
        }
        let c = rest[at..].chars().next().map_or(1, char::len_utf8);
        let escaped = mark == '"' && rest[at..].starts_with('\\');
        at += c + if escaped { rest[at + c..].chars().next().map_or(0, char::len_utf8) } else { 0 };
    }
    rest.len()
}
