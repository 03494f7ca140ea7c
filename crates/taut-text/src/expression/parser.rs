//! Tokens to trees, by recursive descent.
//!
//! ```text
//! whole      = both { "or" both }
//! both       = negation { "and" negation }
//! negation   = "not" negation | comparison
//! comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum        = product { ("+" | "-") product }
//! product    = signed { ("*" | "/") signed }
//! signed     = ("-" | "+") signed | power
//! power      = element [ "^" signed ]
//! element    = atom { "[" sum "]" }
//! atom       = number | name | function "(" whole { "," whole } ")" | "(" whole ")" | "[" whole { "," whole } "]"
//! name       = word { "{" sum "}" [ word ] } [ "'" [ "'" ] ]
//! ```

mod unexpected;

use std::ops::Range;

use super::lexer::{Token, tokens};
use super::{Expression, Factor, Name, Part, Repeated, Sign, Term};
use crate::function::{Function, IF, SUM};
use crate::limits;
use crate::mistake::Mistakes;
use crate::quoted::Quoted;
use crate::source::Span;

/// Parses a whole string; a mistake is noted at its place in the file.
pub(crate) fn parse(quoted: &Quoted<'_>, mistakes: &mut Mistakes) -> Option<Expression> {
    let text = quoted.text();
    if text.len() > limits::EXPRESSION_BYTES {
        mistakes
            .add(quoted.whole(), "this expression is too long")
            .label(format!("{} bytes", text.len()))
            .help(format!("at most {} bytes; name its parts under [define]", limits::EXPRESSION_BYTES));
        return None;
    }
    let mut parser = Parser { quoted, text, tokens: tokens(text), at: 0, depth: 0, mistakes };
    let expression = parser.whole()?;
    match parser.peek() {
        Token::End => Some(expression),
        _ => parser.unexpected("an operator or the end of the expression"),
    }
}

struct Parser<'a> {
    quoted: &'a Quoted<'a>,
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
    mistakes: &'a mut Mistakes,
}

impl Parser<'_> {
    fn whole(&mut self) -> Option<Expression> {
        self.conditions("or", Self::both, Term::Any)
    }

    fn both(&mut self) -> Option<Expression> {
        self.conditions("and", Self::negation, Term::All)
    }

    /// Conditions between which a word stands. A word where an operator is expected is no name.
    fn conditions(
        &mut self,
        word: &str,
        condition: fn(&mut Self) -> Option<Expression>,
        make: fn(Vec<Expression>) -> Term,
    ) -> Option<Expression> {
        let first = condition(self)?;
        let mut span = first.span;
        let mut conditions = vec![first];
        while self.peek() == Token::Word && self.word(self.at) == word {
            self.advance();
            let next = condition(self)?;
            span = span.to(next.span);
            conditions.push(next);
        }
        match (conditions.len(), conditions.pop()) {
            (1, only) => only,
            (_, last) => {
                conditions.extend(last);
                Some(Expression { term: make(conditions), span })
            }
        }
    }

    fn negation(&mut self) -> Option<Expression> {
        let start = self.span(self.at);
        let operand_follows = matches!(
            self.tokens.get(self.at + 1),
            Some((Token::Word | Token::Number(_) | Token::Symbol('('), _))
        );
        if self.peek() != Token::Word || self.word(self.at) != "not" || !operand_follows {
            return self.comparison();
        }
        self.enter()?;
        self.advance();
        let condition = self.negation()?;
        self.depth -= 1;
        let span = start.to(condition.span);
        Some(Expression { term: Term::Not(Box::new(condition)), span })
    }

    fn comparison(&mut self) -> Option<Expression> {
        let left = self.sum()?;
        let Token::Compare(comparison) = self.peek() else { return Some(left) };
        self.advance();
        let right = self.sum()?;
        let span = left.span.to(right.span);
        Some(Expression { term: Term::Compare(comparison, Box::new(left), Box::new(right)), span })
    }

    fn sum(&mut self) -> Option<Expression> {
        let first = self.product()?;
        let mut terms = vec![(Sign::Plus, first)];
        loop {
            let sign = match self.peek() {
                Token::Symbol('+') => Sign::Plus,
                Token::Symbol('-') => Sign::Minus,
                _ => break,
            };
            self.advance();
            terms.push((sign, self.product()?));
        }
        Some(joined(terms, Term::Sum))
    }

    fn product(&mut self) -> Option<Expression> {
        let first = self.signed()?;
        let mut factors = vec![(Factor::Times, first)];
        loop {
            let factor = match self.peek() {
                Token::Symbol('*') => Factor::Times,
                Token::Symbol('/') => Factor::Over,
                _ => break,
            };
            self.advance();
            factors.push((factor, self.signed()?));
        }
        Some(joined(factors, Term::Product))
    }

    /// One level deeper, unless that is too deep.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth <= limits::EXPRESSION_DEPTH {
            return Some(());
        }
        let span = self.span(self.at);
        let help =
            format!("at most {} levels; name the inner parts under [define]", limits::EXPRESSION_DEPTH);
        self.mistakes.add(span, "this expression is nested too deeply").help(help);
        None
    }

    fn signed(&mut self) -> Option<Expression> {
        self.enter()?;
        let start = self.span(self.at);
        let expression = match self.peek() {
            Token::Symbol('-') => {
                self.advance();
                let operand = self.signed()?;
                let span = start.to(operand.span);
                Expression { term: Term::Negative(Box::new(operand)), span }
            }
            Token::Symbol('+') => {
                self.advance();
                self.signed()?
            }
            _ => self.power()?,
        };
        self.depth -= 1;
        Some(expression)
    }

    fn power(&mut self) -> Option<Expression> {
        let base = self.element()?;
        if self.peek() != Token::Symbol('^') {
            return Some(base);
        }
        self.advance();
        let exponent = self.signed()?;
        let span = base.span.to(exponent.span);
        Some(Expression { term: Term::Power(Box::new(base), Box::new(exponent)), span })
    }

    fn element(&mut self) -> Option<Expression> {
        let mut whole = self.atom()?;
        while self.peek() == Token::Symbol('[') && self.adjacent() {
            let bracket = self.span(self.at);
            self.advance();
            let index = self.sum()?;
            if self.peek() != Token::Symbol(']') {
                return self.unclosed(bracket, "]");
            }
            let span = whole.span.to(self.span(self.at));
            self.advance();
            whole = Expression { term: Term::Element(Box::new(whole), Box::new(index)), span };
        }
        Some(whole)
    }

    fn atom(&mut self) -> Option<Expression> {
        let span = self.span(self.at);
        match self.peek() {
            Token::Number(value) => {
                self.advance();
                Some(Expression { term: Term::Number(value), span })
            }
            Token::Symbol('(') => {
                self.advance();
                let inner = self.whole()?;
                let end = self.close(span)?;
                Some(Expression { term: inner.term, span: span.to(end) })
            }
            Token::Symbol('[') => {
                self.advance();
                let elements = self.arguments(']')?;
                if self.peek() != Token::Symbol(']') {
                    return self.unclosed(span, "]");
                }
                let end = self.span(self.at);
                self.advance();
                Some(Expression { term: Term::List(elements), span: span.to(end) })
            }
            Token::Word => {
                let word = self.word(self.at).to_string();
                if self.tokens[self.at + 1].0 == Token::Symbol('(') { self.call(&word) } else { self.name() }
            }
            _ => self.unexpected("a number, a name or '('"),
        }
    }

    fn name(&mut self) -> Option<Expression> {
        let start = self.span(self.at);
        let mut parts = vec![Part::Text(self.word(self.at).to_string())];
        self.advance();
        while self.peek() == Token::Symbol('{') && self.adjacent() {
            let brace = self.span(self.at);
            self.advance();
            parts.push(Part::Index(self.sum()?));
            if self.peek() != Token::Symbol('}') {
                return self.unclosed(brace, "}");
            }
            self.advance();
            if self.peek() == Token::Word && self.adjacent() {
                parts.push(Part::Text(self.word(self.at).to_string()));
                self.advance();
            }
        }
        let mut primes = 0;
        while primes < 2 && self.peek() == Token::Symbol('\'') {
            self.advance();
            primes += 1;
        }
        let span = start.to(self.span(self.at - 1));
        Some(Expression { term: Term::Name(Name { parts, primes }), span })
    }

    fn call(&mut self, word: &str) -> Option<Expression> {
        let start = self.span(self.at);
        self.advance();
        let open = self.span(self.at);
        self.advance();
        let arguments = self.arguments(')')?;
        let end = self.close(open)?;
        let span = start.to(end);
        match (word, Function::find(word)) {
            (_, Some(function)) if arguments.len() == function.arguments() => {
                Some(Expression { term: Term::Call(function, arguments), span })
            }
            (_, Some(function)) => self.wrong_count(span, word, function.arguments(), arguments.len()),
            (SUM, None) => self.repeated(span, arguments),
            (IF, None) => self.choice(span, arguments),
            (_, None) => Some(Expression { term: Term::Apply(word.to_string(), arguments), span }),
        }
    }

    fn arguments(&mut self, close: char) -> Option<Vec<Expression>> {
        let mut arguments = Vec::new();
        if self.peek() == Token::Symbol(close) {
            return Some(arguments);
        }
        loop {
            arguments.push(self.whole()?);
            if self.peek() != Token::Symbol(',') {
                return Some(arguments);
            }
            self.advance();
        }
    }

    fn choice(&mut self, span: Span, arguments: Vec<Expression>) -> Option<Expression> {
        let count = arguments.len();
        match <[Expression; 3]>::try_from(arguments) {
            Ok(parts) => Some(Expression { term: Term::If(Box::new(parts)), span }),
            Err(_) => self.wrong_count(span, IF, 3, count),
        }
    }

    fn repeated(&mut self, span: Span, arguments: Vec<Expression>) -> Option<Expression> {
        let count = arguments.len();
        let Ok([index, first, last, body]) = <[Expression; 4]>::try_from(arguments) else {
            return self.wrong_count(span, SUM, 4, count);
        };
        let index = match plain_name(&index) {
            Some(name) => name.to_string(),
            None => {
                self.mistakes
                    .add(index.span, "the first argument of sum is the name of its index")
                    .label("not a name")
                    .help("sum(i, 1, N, expression of i)");
                return None;
            }
        };
        Some(Expression {
            term: Term::Repeated(Box::new(Repeated { index: index.into(), first, last, body })),
            span,
        })
    }

    fn close(&mut self, open: Span) -> Option<Span> {
        if self.peek() != Token::Symbol(')') {
            return self.unclosed(open, ")");
        }
        let span = self.span(self.at);
        self.advance();
        Some(span)
    }

    fn peek(&self) -> Token {
        self.tokens[self.at].0
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Whether there is no space before the current token.
    fn adjacent(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].1.end == self.tokens[self.at].1.start
    }

    fn word(&self, at: usize) -> &str {
        &self.text[self.tokens[at].1.clone()]
    }

    fn span(&self, at: usize) -> Span {
        self.quoted.span(self.tokens[at].1.clone())
    }
}

/// The name, when an expression is one without indices and without `'`.
fn plain_name(expression: &Expression) -> Option<&str> {
    match &expression.term {
        Term::Name(Name { parts, primes: 0 }) => match parts.as_slice() {
            [Part::Text(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// A list of terms or factors; a single one stands for itself.
fn joined<K>(mut list: Vec<(K, Expression)>, make: impl Fn(Vec<(K, Expression)>) -> Term) -> Expression {
    if list.len() == 1
        && let Some((_, only)) = list.pop()
    {
        return only;
    }
    let span = match (list.first(), list.last()) {
        (Some((_, first)), Some((_, last))) => first.span.to(last.span),
        _ => Span::default(),
    };
    Expression { term: make(list), span }
}
