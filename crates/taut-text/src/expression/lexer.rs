//! Text to tokens.

use std::ops::Range;

use super::Comparison;

/// The smallest pieces of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// a name, or the rest of one after a closing brace
    Word,
    Symbol(char),
    /// `<` and its like
    Compare(Comparison),
    /// a character that belongs to no expression
    Unknown(char),
    /// a number that cannot be read, such as 1e999
    BadNumber,
    End,
}

/// Whether a name may begin with this character.
pub(crate) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a name may go on with this character.
pub(crate) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// All tokens with their places, and `End` at the end.
pub(super) fn tokens(text: &str) -> Vec<(Token, Range<usize>)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let after_brace = text[..at].ends_with('}');
        let (token, length) = next_token(&text[at..], c, after_brace);
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    tokens
}

fn next_token(rest: &str, c: char, after_brace: bool) -> (Token, usize) {
    if is_name_start(c) || (after_brace && (is_name_character(c) || begins_part(rest))) {
        return (Token::Word, word_length(rest));
    }
    if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
        return number(rest);
    }
    if let Some((comparison, sign)) = Comparison::ALL.into_iter().find(|(_, sign)| rest.starts_with(sign)) {
        return (Token::Compare(comparison), sign.len());
    }
    let known = "+-*/^(),{}[]'".contains(c);
    (if known { Token::Symbol(c) } else { Token::Unknown(c) }, c.len_utf8())
}

/// Whether a dot and the next part of a name follow, as in `crank.tip.x`.
fn begins_part(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_name_start))
}

/// The length of a name with its parts.
fn word_length(rest: &str) -> usize {
    let mut length = 0;
    loop {
        length += rest[length..].find(|c| !is_name_character(c)).unwrap_or(rest.len() - length);
        if !begins_part(&rest[length..]) {
            return length;
        }
        length += 1;
    }
}

/// digits [. digits] [e [sign] digits]
fn number(rest: &str) -> (Token, usize) {
    let digits = |from: usize| from + rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let signed = end + 1 + usize::from(rest[end + 1..].starts_with(['+', '-']));
        if digits(signed) > signed {
            end = digits(signed);
        }
    }
    match rest[..end].parse::<f64>() {
        Ok(value) if value.is_finite() => (Token::Number(value), end),
        _ => (Token::BadNumber, end),
    }
}

/// The places of all names in an expression; what follows a closing brace belongs to the name before it.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let is_name =
        |(token, range): &(Token, Range<usize>)| *token == Token::Word && !text[..range.start].ends_with('}');
    tokens(text).into_iter().filter(is_name).map(|(_, range)| range).collect()
}
