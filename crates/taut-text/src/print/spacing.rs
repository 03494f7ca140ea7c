//! Spaces inside formulas: around sums and comparisons, behind commas, nowhere else.

use crate::expression::{Spaced, spaced_tokens};

/// The formula with usual spaces; nothing when it cannot be read. Characters other than spaces stay as they are.
pub(super) fn spaced(text: &str) -> Option<String> {
    let mut written = String::new();
    let mut before = None;
    let mut braces = 0_usize;
    for (kind, token) in spaced_tokens(text)? {
        let space = braces == 0 && is_apart(before, kind);
        if space && !written.is_empty() {
            written.push(' ');
        }
        written.push_str(token);
        braces = match token {
            "{" => braces + 1,
            "}" => braces.saturating_sub(1),
            _ => braces,
        };
        before = Some(if matches!(kind, Spaced::Sum) && !is_operand(before) { Spaced::Sign } else { kind });
    }
    Some(written)
}

/// Whether what comes before ends an operand, so that + and − join two.
fn is_operand(before: Option<Spaced>) -> bool {
    matches!(before, Some(Spaced::Operand | Spaced::Close))
}

/// Whether a space stands between two tokens.
fn is_apart(before: Option<Spaced>, next: Spaced) -> bool {
    match (before, next) {
        (None | Some(Spaced::Open), _) => false,
        (Some(Spaced::Comma | Spaced::Compare | Spaced::Word), _) => true,
        (_, Spaced::Compare | Spaced::Word) => true,
        (Some(Spaced::Sum), _) => true,
        (Some(_), Spaced::Sum) => is_operand(before),
        _ => false,
    }
}
