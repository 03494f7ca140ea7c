//! Expressions to graph nodes: names are looked up, repetitions unrolled, constants folded.

use super::names::{Meaning, PI, TIME, reserved};
use super::{Indices, Reader};
use crate::expression::{Expression, Factor, Name, Part, Repeated, Sign, Term};
use crate::function::{Binary, Function};
use crate::limits;
use crate::source::Span;
use taut_formula::graph::{Depends, Graph, Input, Node};

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

    pub(super) const fn constant(what: &'static str) -> Self {
        Role { what, allowed: Depends::NOTHING, help: "it may use numbers and parameters" }
    }
}

impl Reader<'_> {
    /// The node of an expression, or nothing when a mistake was noted.
    pub(super) fn lower(
        &mut self,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let node = match &expression.term {
            Term::Number(value) => return Some(self.graph.constant(*value)),
            Term::Name(name) => return self.lower_name(name, expression, indices, role),
            Term::Negative(operand) => {
                let operand = self.lower(operand, indices, role)?;
                self.graph.negative(operand)
            }
            Term::Sum(terms) => self.lower_sum(terms, indices, role)?,
            Term::Product(factors) => self.lower_product(factors, indices, role)?,
            Term::Power(base, exponent) => {
                let (base, exponent) = (self.lower(base, indices, role), self.lower(exponent, indices, role));
                self.graph.binary(Binary::Pow, base?, exponent?)
            }
            Term::Call(function, arguments) => {
                let nodes: Vec<_> = arguments.iter().map(|x| self.lower(x, indices, role)).collect();
                match (function, nodes.as_slice()) {
                    (Function::Unary(f), [x]) => self.graph.unary(*f, (*x)?),
                    (Function::Binary(f), [x, y]) => self.graph.binary(*f, (*x)?, (*y)?),
                    _ => return None,
                }
            }
            Term::Repeated(sum) => self.lower_repeated(sum, expression, indices, role)?,
        };
        if let Some(value) = self.graph.value(node)
            && !value.is_finite()
        {
            self.mistakes.add(expression.span, "this is not a finite number").label(format!("= {value}"));
            return None;
        }
        Some(node)
    }

    fn lower_sum(
        &mut self,
        terms: &[(Sign, Expression)],
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let mut sum = Some(Graph::ZERO);
        for (sign, term) in terms {
            let term = self.lower(term, indices, role);
            sum = sum.zip(term).map(|(sum, term)| match sign {
                Sign::Plus => self.graph.add(sum, term),
                Sign::Minus => self.graph.subtract(sum, term),
            });
        }
        sum
    }

    fn lower_product(
        &mut self,
        factors: &[(Factor, Expression)],
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let mut product = Some(Graph::ONE);
        for (factor, operand) in factors {
            let operand = self.lower(operand, indices, role);
            product = product.zip(operand).map(|(product, operand)| match factor {
                Factor::Times => self.graph.multiply(product, operand),
                Factor::Over => self.graph.divide(product, operand),
            });
        }
        product
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

    /// Whether an index may have this name here.
    pub(super) fn is_free_index(&mut self, name: &str, span: Span, indices: &Indices) -> bool {
        let taken = reserved(name)
            .or_else(|| self.names.get(name).map(|meaning| format!("'{name}' is {}", meaning.kind())))
            .or_else(|| {
                indices.iter().any(|(i, _)| i == name).then(|| format!("'{name}' is an index already"))
            });
        let Some(reason) = taken else { return true };
        self.mistakes.add(span, format!("the index needs another name: {reason}"));
        false
    }

    /// Counts the repetitions from first to last; nothing when there are too many.
    pub(super) fn count_repetitions(&mut self, span: Span, first: i64, last: i64) -> Option<()> {
        self.repetitions = self.repetitions.saturating_add((last - first + 1).max(0) as usize);
        if self.repetitions > limits::REPETITIONS || self.graph.is_exhausted() {
            self.mistakes
                .add(span, "too many repetitions")
                .label(format!("more than {} in all", limits::REPETITIONS));
            return None;
        }
        Some(())
    }

    /// The value of an index or of a bound.
    pub(super) fn whole_number(&mut self, expression: &Expression, indices: &mut Indices) -> Option<i64> {
        let node = self.lower(expression, indices, &Role::constant("an index"))?;
        let value = self.graph.value(node)?;
        if value.fract() != 0.0 || value.abs() > 1e9 {
            self.mistakes.add(expression.span, "an index is a whole number").label(format!("= {value}"));
            return None;
        }
        Some(value as i64)
    }

    fn lower_name(
        &mut self,
        name: &Name,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Node> {
        let full = self.full_name(name, expression, indices)?;
        let node = if name.velocity {
            self.velocity(&full, expression)
        } else {
            self.value_of(&full, expression, indices)
        }?;
        let beyond = self.graph.depends(node).beyond(role.allowed);
        if beyond != Depends::NOTHING && !self.mistakes.has(expression.span) {
            let (label, message) =
                describe_excess(role.what, beyond, &full, name.velocity, self.names.get(&full));
            self.mistakes.add(expression.span, message).label(label).help(role.help);
            return None;
        }
        Some(node)
    }

    /// The name with the values of its indices.
    fn full_name(&mut self, name: &Name, expression: &Expression, indices: &mut Indices) -> Option<String> {
        let mut full = String::new();
        for part in &name.parts {
            match part {
                Part::Text(text) => full.push_str(text),
                Part::Index(index) => full.push_str(&self.whole_number(index, indices)?.to_string()),
            }
        }
        if full.len() > limits::NAME_BYTES {
            self.mistakes.add(expression.span, "this name is too long");
            return None;
        }
        Some(full)
    }

    fn velocity(&mut self, name: &str, expression: &Expression) -> Option<Node> {
        if let Some(Meaning::Coordinate(i)) = self.names.get(name) {
            return Some(self.graph.input(Input::Velocity(i)));
        }
        if self.mistakes.has(expression.span) {
            return None;
        }
        match self.names.get(name) {
            Some(Meaning::Variable(_)) => {
                self.mistakes
                    .add(expression.span, format!("'{name}' has no velocity here"))
                    .label("a variable of a first-order model")
                    .help("its rate of change is what [variables] says");
            }
            Some(meaning) => {
                self.mistakes
                    .add(expression.span, "only coordinates have velocities")
                    .label(format!("'{name}' is {}", meaning.kind()));
            }
            None => self.unknown(name, expression, &Indices::new()),
        }
        None
    }

    fn value_of(&mut self, name: &str, expression: &Expression, indices: &Indices) -> Option<Node> {
        if let Some((_, value)) = indices.iter().rev().find(|(index, _)| index == name) {
            return Some(self.graph.constant(*value));
        }
        match (name, self.names.get(name)) {
            (_, Some(Meaning::Parameter(value))) => Some(self.graph.constant(value)),
            (_, Some(Meaning::Coordinate(i) | Meaning::Variable(i))) => {
                Some(self.graph.input(Input::Position(i)))
            }
            (_, Some(Meaning::Definition(node))) => Some(node),
            (TIME, None) => Some(self.graph.input(Input::Time)),
            (PI, None) => Some(self.graph.constant(std::f64::consts::PI)),
            _ => {
                self.unknown(name, expression, indices);
                None
            }
        }
    }

    fn unknown(&mut self, name: &str, expression: &Expression, indices: &Indices) {
        // Names that could not be understood are in the file all the same: say nothing of them twice.
        if self.mistakes.has(expression.span) || self.failed.contains(name) || self.names_are_missing {
            return;
        }
        if Function::names().any(|function| function == name) {
            self.mistakes
                .add(expression.span, format!("'{name}' is a function"))
                .label("without arguments")
                .help(format!("{name}(...)"));
            return;
        }
        let mistake = self.mistakes.add(expression.span, format!("unknown name '{name}'"));
        if self.below.contains(name) {
            mistake
                .label("not yet known")
                .help(format!("'{name}' is given below; a name is used after it is given"));
            return;
        }
        let known = self.names.iter().chain(indices.iter().map(|(i, _)| i.as_str())).chain([TIME, PI]);
        mistake.label("not known").suggest(name, known);
    }
}

/// Label and message for a name that depends on what is not allowed.
fn describe_excess(
    what: &str,
    beyond: Depends,
    name: &str,
    velocity: bool,
    meaning: Option<Meaning>,
) -> (String, String) {
    let kind = if beyond.on(Depends::VELOCITY) {
        "velocities"
    } else if beyond.on(Depends::POSITION) {
        "coordinates"
    } else {
        "the time"
    };
    let label = match meaning {
        _ if velocity => "a velocity".to_string(),
        Some(Meaning::Definition(_)) => format!("'{name}' contains {kind}"),
        Some(meaning) => meaning.kind().to_string(),
        None => "the time".to_string(),
    };
    (label, format!("{what} cannot depend on {kind}"))
}
