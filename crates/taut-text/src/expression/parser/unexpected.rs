//! What the parser says where it finds something else than it expected.

use super::Parser;
use crate::expression::lexer::Token;
use crate::function::{IF, SUM};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn wrong_count<T>(
        &mut self,
        span: Span,
        word: &str,
        wanted: usize,
        found: usize,
    ) -> Option<T> {
        let plural = if wanted == 1 { "argument" } else { "arguments" };
        let mistake = self.mistakes.add(span, format!("{word} takes {wanted} {plural}"));
        mistake.label(format!("found {found}"));
        match word {
            SUM => {
                mistake.help("sum(i, 1, N, expression of i)");
            }
            IF => {
                mistake.help("if(x < 0, value where it holds, value where it does not)");
            }
            _ => {}
        }
        None
    }

    pub(super) fn unclosed<T>(&mut self, open: Span, wanted: &str) -> Option<T> {
        if self.peek() != Token::End {
            return self.unexpected(&format!("an operator or '{wanted}'"));
        }
        self.mistakes.add(open, "this is never closed").label(format!("'{wanted}' is missing"));
        None
    }

    /// Notes that something else was expected here.
    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Option<T> {
        let span = self.span(self.at);
        let found = &self.text[self.tokens[self.at].1.clone()];
        let after_value = wanted.starts_with("an operator");
        let mistake = match self.peek() {
            Token::End => self.mistakes.add(span, "the expression ends too early"),
            Token::BadNumber => self.mistakes.add(span, format!("the number {found} is too large")),
            _ => self.mistakes.add(span, format!("unexpected '{found}'")),
        };
        mistake.label(format!("expected {wanted}"));
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        match self.tokens[self.at].0 {
            Token::Symbol(',') if matches!(before, Some((Token::Number(_), _))) => {
                mistake.help("a number is written with a point, as in 0.5");
            }
            Token::Symbol('*') if self.at > 0 && self.tokens[self.at - 1].0 == Token::Symbol('*') => {
                mistake.help("a power is written with '^'");
            }
            Token::Compare(_) if after_value => {
                mistake.help("two comparisons are joined by 'and': 0 < x and x < 1");
            }
            Token::Unknown('=') => {
                mistake.help("an expression has no '='; write a = b as a - (b)");
            }
            Token::Word | Token::Number(_) | Token::Symbol('(') if after_value => {
                mistake.help("a product is written with '*'");
            }
            _ => {}
        }
        None
    }
}
