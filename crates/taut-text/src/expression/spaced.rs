//! The tokens of an expression, told apart by the spaces that belong around them.

use super::lexer::{Token, tokens};

/// What a token is for spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spaced {
    /// a number, a name, or the end of one
    Operand,
    /// `(`, `[`, `{`
    Open,
    /// `)`, `]`, `}`
    Close,
    Comma,
    /// `+` or `-`, between operands or as a sign
    Sum,
    /// `+` or `-` before an operand
    Sign,
    /// `*`, `/`, `^`
    Product,
    Compare,
    /// `and`, `or`, `not`
    Word,
}

/// The tokens with their texts; nothing when one of them belongs to no expression.
pub(crate) fn spaced_tokens(text: &str) -> Option<Vec<(Spaced, &str)>> {
    let mut found = Vec::new();
    for (token, range) in tokens(text) {
        let part = &text[range];
        let kind = match token {
            Token::End => break,
            Token::Word if matches!(part, "and" | "or" | "not") => Spaced::Word,
            Token::Number(_) | Token::Word => Spaced::Operand,
            Token::Symbol('(' | '[' | '{') => Spaced::Open,
            Token::Symbol(')' | ']' | '}' | '\'') => Spaced::Close,
            Token::Symbol(',') => Spaced::Comma,
            Token::Symbol('+' | '-') => Spaced::Sum,
            Token::Symbol(_) => Spaced::Product,
            Token::Compare(_) => Spaced::Compare,
            Token::Unknown(_) | Token::BadNumber => return None,
        };
        found.push((kind, part));
    }
    Some(found)
}
