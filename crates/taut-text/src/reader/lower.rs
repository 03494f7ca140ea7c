//! Expressions to graph nodes: names are looked up, repetitions unrolled, constants folded.

use super::calls::negated;
use super::names::reserved;
use super::quantity::{Condition, Quantity, Senseless};
use super::{Indices, Reader};
use crate::expression::{Expression, Factor, Name, Part, Repeated, Sign, Term};
use crate::function::{Binary, Function};
use crate::limits;
use crate::source::Span;
use taut_formula::graph::{Depends, Graph, Node};

/// What an expression is for, and so what it may contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    /// "a constraint"
    pub(super) what: &'static str,
    pub(super) allowed: Depends,
    /// what to do instead
    pub(super) help: &'static str,
}

impl Role {
    /// Everything is allowed.
    pub(super) const fn any(what: &'static str) -> Self {
        Role { what, allowed: Depends::TIME.or(Depends::POSITION).or(Depends::VELOCITY), help: "" }
    }

    /// Everything that is known along a motion: accelerations and multipliers too.
    pub(super) const fn along_motion(what: &'static str) -> Self {
        let further = Depends::ACCELERATION.or(Depends::MULTIPLIER);
        Role { allowed: Self::any(what).allowed.or(further), ..Self::any(what) }
    }

    pub(super) const fn constant(what: &'static str) -> Self {
        Role { what, allowed: Depends::NOTHING, help: "it may use numbers and parameters" }
    }
}

impl Reader<'_> {
    /// The node of an expression that is a number, or nothing when a mistake was noted.
    pub(super) fn lower(
        &mut self,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let quantity = self.lower_quantity(expression, indices, role)?;
        self.as_number(quantity, expression.span)
    }

    /// The value of an expression, or nothing when a mistake was noted.
    pub(super) fn lower_quantity(
        &mut self,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let span = expression.span;
        let quantity = match &expression.term {
            Term::Number(value) => {
                let text = self.text.get(span.start..span.end).unwrap_or_default();
                return Some(Quantity::Number(self.written(*value, text)));
            }
            Term::Name(name) => return self.lower_name(name, expression, indices, role),
            Term::Negative(operand) => {
                let operand = self.lower_quantity(operand, indices, role)?;
                operand.map(|x| self.graph.negative(x))
            }
            Term::Sum(terms) => self.lower_sum(terms, span, indices, role)?,
            Term::Product(factors) => self.lower_product(factors, span, indices, role)?,
            Term::Power(base, exponent) => {
                let (base, exponent) = (self.lower(base, indices, role), self.lower(exponent, indices, role));
                let exponent = self.exponent(exponent?);
                Quantity::Number(self.graph.binary(Binary::Pow, base?, exponent))
            }
            Term::Call(function, arguments) => {
                let nodes: Vec<_> = arguments.iter().map(|x| self.lower(x, indices, role)).collect();
                Quantity::Number(self.call(function, &nodes)?)
            }
            Term::Apply(name, arguments) => self.apply(name, arguments, span, indices, role)?,
            Term::Repeated(sum) => Quantity::Number(self.lower_repeated(sum, expression, indices, role)?),
            Term::List(elements) => self.lower_list(elements, span, indices, role)?,
            Term::Element(whole, index) => {
                let whole = self.lower_quantity(whole, indices, role);
                let index = self.whole_number(index, indices);
                let element = whole?.element(index?);
                self.sensible(element, span)?
            }
            Term::If(parts) => {
                let [condition, first, second] = &**parts;
                let condition = self.lower_condition(condition, indices, role);
                let (first, second) =
                    (self.lower_quantity(first, indices, role), self.lower_quantity(second, indices, role));
                self.choice(&condition?, [first?, second?], span)?
            }
            Term::Compare(comparison, left, right) => {
                let (left, right) = (self.lower(left, indices, role), self.lower(right, indices, role));
                Quantity::Condition(self.comparison(*comparison, left?, right?))
            }
            Term::Not(condition) => {
                Quantity::Condition(negated(self.lower_condition(condition, indices, role)?))
            }
            Term::All(all) => Quantity::Condition(Condition::All(self.lower_conditions(all, indices, role)?)),
            Term::Any(any) => Quantity::Condition(Condition::Any(self.lower_conditions(any, indices, role)?)),
        };
        self.check_finite(&quantity, span)?;
        Some(quantity)
    }

    fn lower_list(
        &mut self,
        elements: &[Expression],
        span: Span,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let elements: Vec<_> = elements.iter().map(|x| self.lower_quantity(x, indices, role)).collect();
        let list = Quantity::list(elements.into_iter().collect::<Option<_>>()?);
        self.sensible(list, span)
    }

    /// The value of a function at its arguments.
    fn call(&mut self, function: &Function, arguments: &[Option<Node>]) -> Option<Node> {
        Some(match (function, arguments) {
            (Function::Unary(f), [x]) => self.graph.unary(*f, (*x)?),
            (Function::Binary(Binary::Pow), [x, y]) => {
                let exponent = self.exponent((*y)?);
                self.graph.binary(Binary::Pow, (*x)?, exponent)
            }
            (Function::Binary(f), [x, y]) => self.graph.binary(*f, (*x)?, (*y)?),
            _ => return None,
        })
    }

    fn check_finite(&mut self, quantity: &Quantity, span: Span) -> Option<()> {
        // Most are one number, and there are many.
        let value = match quantity {
            Quantity::Number(node) => self.value(*node).filter(|value| !value.is_finite()),
            _ => {
                let mut values = quantity.nodes().into_iter().filter_map(|node| self.value(node));
                values.find(|value| !value.is_finite())
            }
        };
        let Some(value) = value else { return Some(()) };
        self.mistakes.add(span, "this is not a finite number").label(format!("= {value}"));
        None
    }

    /// The number that something is; anything else is a mistake.
    pub(super) fn as_number(&mut self, quantity: Quantity, span: Span) -> Option<Node> {
        let number = quantity.number();
        if number.is_none() {
            self.mistakes.add(span, "a number is expected here").label(format!("found {}", quantity.kind()));
        }
        number
    }

    /// What an operation gives; one without meaning is a mistake.
    pub(super) fn sensible(&mut self, result: Result<Quantity, Senseless>, span: Span) -> Option<Quantity> {
        match result {
            Ok(quantity) => Some(quantity),
            Err(reason) => {
                self.mistakes.add(span, reason);
                None
            }
        }
    }

    fn lower_condition(
        &mut self,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Condition> {
        match self.lower_quantity(expression, indices, role)? {
            Quantity::Condition(condition) => Some(condition),
            other => {
                self.mistakes
                    .add(expression.span, "a condition is expected here")
                    .label(format!("found {}", other.kind()))
                    .help("a comparison such as x < 0");
                None
            }
        }
    }

    fn lower_conditions(
        &mut self,
        expressions: &[Expression],
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Vec<Condition>> {
        let conditions: Vec<_> = expressions.iter().map(|x| self.lower_condition(x, indices, role)).collect();
        conditions.into_iter().collect()
    }

    fn lower_sum(
        &mut self,
        terms: &[(Sign, Expression)],
        span: Span,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let mut sum: Option<Quantity> = None;
        let mut is_understood = true;
        for (sign, term) in terms {
            let term = self.lower_quantity(term, indices, role);
            is_understood &= term.is_some();
            let Some(term) = term.filter(|_| is_understood) else { continue };
            let next = match (&sum, sign) {
                (None, Sign::Plus) => Ok(term),
                (None, Sign::Minus) => Ok(term.map(|x| self.graph.negative(x))),
                (Some(sum), sign) => sum.plus(*sign, &term, &mut self.graph),
            };
            sum = Some(self.sensible(next, span)?);
        }
        sum.filter(|_| is_understood)
    }

    fn lower_product(
        &mut self,
        factors: &[(Factor, Expression)],
        span: Span,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let mut product: Option<Quantity> = None;
        let mut is_understood = true;
        for (factor, operand) in factors {
            let operand = self.lower_quantity(operand, indices, role);
            is_understood &= operand.is_some();
            let Some(operand) = operand.filter(|_| is_understood) else { continue };
            product = match product {
                None => Some(operand),
                Some(product) => {
                    let next = product.times(*factor, &operand, &mut self.graph);
                    Some(self.sensible(next, span)?)
                }
            };
        }
        product.filter(|_| is_understood)
    }

    /// `sum(i, first, last, body)`
    fn lower_repeated(
        &mut self,
        sum: &Repeated,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let span = expression.span;
        if !self.is_free_index(&sum.index, span, indices) {
            return None;
        }
        let first = self.whole_number(&sum.first, indices);
        let last = self.whole_number(&sum.last, indices);
        let (first, last) = (first?, last?);
        self.count_repetitions(span, first, last)?;
        let mut total = Graph::ZERO;
        for i in first..=last {
            indices.push((sum.index.clone(), i as f64));
            let term = self.lower(&sum.body, indices, role);
            indices.pop();
            total = self.graph.add(total, term?);
        }
        Some(total)
    }

    /// An exponent that is known is a number: squares are not what other powers are.
    fn exponent(&mut self, exponent: Node) -> Node {
        match self.structural_value(exponent) {
            Some(value) if self.is_number_as_exponent(value) => self.graph.constant(value),
            _ => exponent,
        }
    }

    /// Whether an index may have this name here.
    pub(super) fn is_free_index(&mut self, name: &str, span: Span, indices: &Indices) -> bool {
        let taken = reserved(name)
            .or_else(|| self.names.get(name).map(|meaning| format!("'{name}' is {}", meaning.kind())))
            .or_else(|| {
                indices.iter().any(|(i, _)| **i == *name).then(|| format!("'{name}' is an index already"))
            });
        let Some(reason) = taken else { return true };
        self.mistakes.add(span, format!("the index needs another name: {reason}"));
        false
    }

    /// Counts the repetitions from first to last; nothing when there are too many.
    pub(super) fn count_repetitions(&mut self, span: Span, first: i64, last: i64) -> Option<()> {
        self.repetitions = self.repetitions.saturating_add((last - first + 1).max(0) as usize);
        let most = limits::REPETITIONS + limits::REPETITIONS_PER_NAME * self.names.len();
        if self.repetitions > most || self.graph.is_exhausted() {
            self.mistakes.add(span, "too many repetitions").label(format!("more than {most} in all"));
            return None;
        }
        Some(())
    }

    /// The value of an index or of a bound.
    pub(super) fn whole_number(&mut self, expression: &Expression, indices: &mut Indices) -> Option<i64> {
        let value = match self.plain_number(expression, indices).filter(|value| value.is_finite()) {
            Some(value) => value,
            None => {
                let node = self.lower(expression, indices, &Role::constant("an index"))?;
                self.structural_value(node)?
            }
        };
        if value.fract() != 0.0 || value.abs() > 1e9 {
            self.mistakes.add(expression.span, "an index is a whole number").label(format!("= {value}"));
            return None;
        }
        Some(value as i64)
    }

    /// The value of numbers, indices of repetitions and their sums: what nearly all indices are, and there are many. It needs no graph.
    fn plain_number(&self, expression: &Expression, indices: &Indices) -> Option<f64> {
        match &expression.term {
            Term::Number(value) => Some(*value),
            Term::Name(Name { parts, primes: 0 }) => match parts.as_slice() {
                [Part::Text(name)] if self.local(name).is_none() => {
                    indices.iter().rev().find(|(index, _)| **index == **name).map(|(_, value)| *value)
                }
                _ => None,
            },
            Term::Sum(terms) => terms.iter().try_fold(0.0, |sum, (sign, term)| {
                let value = self.plain_number(term, indices)?;
                Some(if *sign == Sign::Plus { sum + value } else { sum - value })
            }),
            _ => None,
        }
    }
}
