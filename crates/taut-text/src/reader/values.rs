//! The values of a file: numbers, expressions, lists of these.

use std::rc::Rc;

use taut_formula::graph::Node;
use toml::de::DeValue;

use super::document::{Value, article};
use super::lower::Role;
use super::quantity::Quantity;
use super::{Indices, Reader};
use crate::expression::{self, Expression};
use crate::quoted::Quoted;
use crate::source::Span;

impl<'a> Reader<'a> {
    /// A number, or an expression of parameters: its node.
    pub(super) fn number(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        self.formula(value, indices, role).filter(|&node| self.graph.setting(node).is_some())
    }

    /// A number or an expression of one.
    pub(super) fn formula(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        if let DeValue::String(_) = value.get_ref() {
            let expression = self.expression(value)?;
            let node = self.lower(&expression, indices, role)?;
            self.check_units(&expression, indices);
            return Some(node);
        }
        let number = match value.get_ref() {
            DeValue::Integer(x) => {
                (i64::from_str_radix(x.as_str(), x.radix()).ok().map(|x| x as f64), x.as_str())
            }
            DeValue::Float(x) => (x.as_str().parse().ok(), x.as_str()),
            other => {
                self.mistakes
                    .add(
                        Span::new(value.span()),
                        format!("{} is a number or an expression in quotation marks", role.what),
                    )
                    .label(format!("found {}", article(other)));
                return None;
            }
        };
        let (number, text) = number;
        let Some(number) = number.filter(|x: &f64| x.is_finite()) else {
            self.mistakes.add(Span::new(value.span()), "this is not a finite number");
            return None;
        };
        Some(self.written(number, text))
    }

    /// A number, an expression, or a list of these: a vector or the rows of a matrix.
    pub(super) fn quantity(
        &mut self,
        value: &'a Value<'a>,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        match value.get_ref() {
            DeValue::String(_) => {
                let expression = self.expression(value)?;
                let quantity = self.lower_quantity(&expression, indices, role)?;
                self.check_units(&expression, indices);
                Some(quantity)
            }
            DeValue::Array(elements) => {
                let elements: Vec<_> =
                    elements.iter().map(|element| self.quantity(element, indices, role)).collect();
                let elements = elements.into_iter().collect::<Option<_>>()?;
                let list = Quantity::list(elements);
                self.sensible(list, Span::new(value.span()))
            }
            _ => self.formula(value, indices, role).map(Quantity::Number),
        }
    }

    /// The number that a value of the file is; anything else is a mistake.
    pub(super) fn expect_number(&mut self, quantity: Quantity, value: &'a Value<'a>) -> Option<Node> {
        self.as_number(quantity, Span::new(value.span()))
    }

    /// The expression in a string, parsed once.
    pub(super) fn expression(&mut self, value: &'a Value<'a>) -> Option<Rc<Expression>> {
        let span = Span::new(value.span());
        if let Some(known) = self.parsed.get(&span.start) {
            return known.clone();
        }
        let DeValue::String(text) = value.get_ref() else { return None };
        let quoted = Quoted::new(text, span, self.text);
        let parsed = expression::parse(&quoted, &mut self.mistakes).map(Rc::new);
        self.parsed.insert(span.start, parsed.clone());
        parsed
    }
}
