//! Functions that are not of one or two numbers: of vectors, of conditions, and those of `[functions]`.

use std::rc::Rc;

use toml::de::DeValue;

use super::document::{Section, Value};
use super::entries::is_identifier;
use super::lower::Role;
use super::names::{Meaning, reserved};
use super::quantity::{self, Condition, Quantity};
use super::{Indices, Reader};
use crate::expression::{Comparison, Expression};
use crate::function::{Binary, Function, Unary};
use crate::limits;
use crate::source::Span;
use taut_formula::graph::{Depends, Graph, Input, Node};

/// A function of the model: the names of its arguments and its value.
#[derive(Debug)]
pub(super) struct UserFunction {
    arguments: Vec<String>,
    body: Rc<Expression>,
    place: Span,
}

/// The functions that are written with others, each with an example.
const COMPOSED: [(&str, &str); 11] = [
    ("dot", "dot(p, q)"),
    ("cross", "cross(p, q)"),
    ("norm", "norm(p)"),
    ("transpose", "transpose(R)"),
    ("rotation", "rotation(axis, angle), or rotation(angle) in the plane"),
    ("step", "step(x)"),
    ("ceil", "ceil(x)"),
    ("round", "round(x)"),
    ("mod", "mod(x, y)"),
    ("log10", "log10(x)"),
    ("cbrt", "cbrt(x)"),
];

impl<'a> Reader<'a> {
    /// `[functions]`: `"name(x, y)" = "expression"`.
    pub(super) fn read_functions(&mut self) {
        for part in self.document.parts(Section::Functions) {
            for (key, value) in part.table {
                let span = Span::new(key.span());
                let Some((name, arguments)) = self.function_head(key.get_ref(), span) else { continue };
                if let Some(first) = self.functions.get(&name).map(|function| function.place) {
                    self.mistakes
                        .add(span, format!("there is a function '{name}' already"))
                        .label("again here")
                        .also(first, "first here");
                    continue;
                }
                let body = self.function_body(value);
                match body {
                    Some(body) => {
                        self.functions.insert(name, UserFunction { arguments, body, place: span });
                    }
                    None => {
                        self.failed.insert(name);
                    }
                }
            }
        }
    }

    fn function_body(&mut self, value: &'a Value<'a>) -> Option<Rc<Expression>> {
        if !matches!(value.get_ref(), DeValue::String(_)) {
            self.mistakes
                .add(Span::new(value.span()), "a function is an expression in quotation marks")
                .help("\"half(x)\" = \"x/2\"");
            return None;
        }
        self.expression(value)
    }

    /// `name(x, y)` taken apart.
    fn function_head(&mut self, key: &str, span: Span) -> Option<(String, Vec<String>)> {
        let taken_apart = key.trim().strip_suffix(')').and_then(|key| key.split_once('('));
        let names = taken_apart.map(|(name, arguments)| {
            let arguments: Vec<String> = arguments.split(',').map(|x| x.trim().to_string()).collect();
            (name.trim().to_string(), arguments)
        });
        let is_included = span.start >= self.written;
        let own = |name: &str| name.rsplit('.').next().filter(|_| is_included).unwrap_or(name).to_string();
        let Some((name, arguments)) = names.filter(|(name, arguments)| {
            is_identifier(&own(name)) && arguments.iter().all(|x| is_identifier(x))
        }) else {
            self.mistakes
                .add(span, "a function is given with its arguments")
                .label("not name(argument, ...)")
                .help("\"saturate(x, limit)\" = \"limit*tanh(x/limit)\"");
            return None;
        };
        let taken = reserved(&name).or_else(|| is_composed(&name).then(|| format!("'{name}' is a function")));
        if let Some(reason) = taken {
            self.mistakes.add(span, format!("{reason} and cannot be given another meaning"));
            return None;
        }
        let twice = (1..arguments.len()).find(|&k| arguments[..k].contains(&arguments[k]));
        if let Some(argument) = twice.map(|k| &arguments[k]) {
            self.mistakes.add(span, format!("the argument '{argument}' is there twice"));
            return None;
        }
        if let Some(reason) = arguments.iter().find_map(|argument| reserved(argument)) {
            self.mistakes.add(span, format!("an argument needs another name: {reason}"));
            return None;
        }
        Some((name, arguments))
    }

    /// The value of `name(arguments)` for a function that is not one of numbers alone.
    pub(super) fn apply(
        &mut self,
        name: &str,
        arguments: &[Expression],
        span: Span,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        if self.tables.contains_key(name) {
            return self.look_up(name, arguments, span, indices, role);
        }
        let known = self.functions.contains_key(name) || is_composed(name);
        if !known {
            self.unknown_function(name, span);
            return None;
        }
        let values: Vec<Option<Quantity>> =
            arguments.iter().map(|argument| self.lower_quantity(argument, indices, role)).collect();
        let values: Vec<Quantity> = values.into_iter().collect::<Option<_>>()?;
        if self.functions.contains_key(name) {
            return self.apply_user_function(name, values, span, role);
        }
        let value = composed(&mut self.graph, name, &values);
        if value.is_none() {
            let found: Vec<String> = values.iter().map(Quantity::kind).collect();
            let example =
                COMPOSED.iter().find(|(known, _)| *known == name).map_or("", |(_, example)| example);
            self.mistakes
                .add(span, format!("{name} cannot be taken of this"))
                .label(format!(
                    "found {}",
                    if found.is_empty() { "nothing".into() } else { found.join(", ") }
                ))
                .help(example);
        }
        value
    }

    fn unknown_function(&mut self, name: &str, span: Span) {
        if self.failed.contains(name) {
            return;
        }
        let word = Span { start: span.start, end: span.start + name.len() };
        let mut known: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        known.extend(self.tables.keys().map(String::as_str));
        known.sort_unstable();
        for name in Function::names().chain(COMPOSED.map(|(name, _)| name)) {
            known.push(name);
        }
        self.mistakes
            .add(word, format!("there is no function '{name}'"))
            .label("not a function")
            .suggest(name, known);
    }

    fn apply_user_function(
        &mut self,
        name: &str,
        values: Vec<Quantity>,
        span: Span,
        role: &Role,
    ) -> Option<Quantity> {
        let function = self.functions.get(name)?;
        let (wanted, body) = (function.arguments.len(), function.body.clone());
        if wanted != values.len() {
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            self.mistakes
                .add(span, format!("{name} takes {wanted} {plural}"))
                .label(format!("found {}", values.len()))
                .also(function.place, "as given here");
            return None;
        }
        if self.calls.iter().any(|frame| frame.function == name) {
            self.mistakes
                .add(span, format!("the function '{name}' calls itself"))
                .help("functions are put in where they are called, and this would never end");
            return None;
        }
        let locals = function.arguments.iter().cloned().zip(values).collect();
        self.count_repetitions(span, 1, 1)?;
        if self.calls.len() >= limits::EXPRESSION_DEPTH {
            self.mistakes.add(span, "functions call each other too deeply");
            return None;
        }
        self.calls.push(Frame { function: name.to_string(), locals });
        let value = self.lower_quantity(&body, &mut Indices::new(), role);
        self.calls.pop();
        value
    }

    /// The arguments and the body of a function of the model.
    pub(super) fn user_function(&self, name: &str) -> Option<(Vec<String>, Rc<Expression>)> {
        let function = self.functions.get(name)?;
        Some((function.arguments.clone(), function.body.clone()))
    }

    /// The value of an argument of the function that is being put in.
    pub(super) fn local(&self, name: &str) -> Option<&Quantity> {
        self.calls.last()?.locals.iter().find(|(local, _)| local == name).map(|(_, value)| value)
    }

    /// `left < right` and its like.
    pub(super) fn comparison(&mut self, comparison: Comparison, left: Node, right: Node) -> Condition {
        let mut below = |a: Node, b: Node| Condition::Positive(self.graph.subtract(b, a));
        match comparison {
            Comparison::Less => below(left, right),
            Comparison::Greater => below(right, left),
            Comparison::LessOrEqual => negated(below(right, left)),
            Comparison::GreaterOrEqual => negated(below(left, right)),
            Comparison::Equal => {
                Condition::All(vec![negated(below(left, right)), negated(below(right, left))])
            }
            Comparison::NotEqual => Condition::Any(vec![below(left, right), below(right, left)]),
        }
    }

    /// `if(condition, first, second)`, element by element for vectors.
    pub(super) fn choice(
        &mut self,
        condition: &Condition,
        [first, second]: [Quantity; 2],
        span: Span,
    ) -> Option<Quantity> {
        let graph = &mut self.graph;
        let value = match (&first, &second) {
            (Quantity::Number(a), Quantity::Number(b)) => {
                Some(Quantity::Number(condition.choose(graph, *a, *b)))
            }
            (Quantity::Vector(a), Quantity::Vector(b)) if a.len() == b.len() => {
                let chosen = a.iter().zip(b).map(|(a, b)| condition.choose(graph, *a, *b));
                Some(Quantity::Vector(chosen.collect()))
            }
            _ => None,
        };
        if value.is_none() {
            self.mistakes
                .add(span, "both values of 'if' are numbers, or vectors of the same length")
                .label(format!("found {} and {}", first.kind(), second.kind()));
        }
        value
    }

    /// The rate of change of a definition along the motion.
    pub(super) fn rate_of(&mut self, meaning: &Meaning) -> Option<Quantity> {
        let quantity = match meaning {
            Meaning::Definition(node) => Quantity::Number(*node),
            Meaning::Several(quantity) => (**quantity).clone(),
            _ => return None,
        };
        Some(quantity.map(|node| self.rate_along_motion(node)))
    }

    /// The rate of change of a variable, or of a definition of variables, where all rates that it takes are known.
    pub(super) fn rate_of_variables(&mut self, meaning: &Meaning) -> Option<Quantity> {
        if let Meaning::Variable(i) = meaning {
            return self.rates.get(*i as usize).copied().flatten().map(Quantity::Number);
        }
        let quantity = match meaning {
            Meaning::Definition(node) => Quantity::Number(*node),
            Meaning::Several(quantity) => (**quantity).clone(),
            _ => return None,
        };
        let mut known = true;
        let rates = quantity.map(|node| {
            let along = self.graph.along_motion(node);
            let mut sum = self.graph.with_velocities_zero(along);
            for (i, slope) in self.graph.gradient(node, Depends::POSITION) {
                let rate = self.rates.get(i).copied().flatten();
                known &= rate.is_some();
                let share = self.graph.multiply(slope, rate.unwrap_or(Graph::ZERO));
                sum = self.graph.add(sum, share);
            }
            sum
        });
        known.then_some(rates)
    }

    /// The derivative along the motion; velocities change with the accelerations.
    pub(super) fn rate_along_motion(&mut self, node: Node) -> Node {
        let mut rate = self.graph.along_motion(node);
        for (i, slope) in self.graph.gradient(node, Depends::VELOCITY) {
            let acceleration = self.graph.input(Input::Acceleration(i as u32));
            let share = self.graph.multiply(slope, acceleration);
            rate = self.graph.add(rate, share);
        }
        rate
    }
}

/// A call of a function of the model, while its body is put in.
#[derive(Debug)]
pub(super) struct Frame {
    function: String,
    locals: Vec<(String, Quantity)>,
}

pub(super) fn negated(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

pub(super) fn is_composed(name: &str) -> bool {
    COMPOSED.iter().any(|(known, _)| *known == name)
}

/// A function that is written with others; nothing when it is not of these arguments.
fn composed(graph: &mut Graph, name: &str, values: &[Quantity]) -> Option<Quantity> {
    match (name, values) {
        ("dot", [Quantity::Vector(a), Quantity::Vector(b)]) if a.len() == b.len() => {
            Some(Quantity::Number(quantity::dot(graph, a, b)))
        }
        ("cross", [Quantity::Vector(a), Quantity::Vector(b)]) => cross(graph, a, b),
        ("norm", [Quantity::Vector(x)]) => Some(Quantity::Number(quantity::norm(graph, x))),
        ("transpose", [Quantity::Matrix(rows)]) => Some(Quantity::Matrix(quantity::transposed(rows))),
        ("rotation", [Quantity::Number(angle)]) => {
            Some(Quantity::Matrix(quantity::plane_rotation(graph, *angle)))
        }
        ("rotation", [Quantity::Vector(axis), Quantity::Number(angle)]) => {
            let axis: &[Node; 3] = axis.as_slice().try_into().ok()?;
            Some(Quantity::Matrix(quantity::rotation(graph, axis, *angle)))
        }
        (_, [Quantity::Number(x)]) => of_one(graph, name, *x).map(Quantity::Number),
        ("mod", [Quantity::Number(x), Quantity::Number(y)]) => {
            let quotient = graph.divide(*x, *y);
            let whole = graph.unary(Unary::Floor, quotient);
            let multiple = graph.multiply(*y, whole);
            Some(Quantity::Number(graph.subtract(*x, multiple)))
        }
        _ => None,
    }
}

fn of_one(graph: &mut Graph, name: &str, x: Node) -> Option<Node> {
    match name {
        "step" => {
            let minus = graph.negative(x);
            Some(graph.unless(minus, Graph::ONE))
        }
        "ceil" => {
            let minus = graph.negative(x);
            let below = graph.unary(Unary::Floor, minus);
            Some(graph.negative(below))
        }
        "round" => {
            let half = graph.constant(0.5);
            let above = graph.add(x, half);
            Some(graph.unary(Unary::Floor, above))
        }
        "log10" => {
            let log = graph.unary(Unary::Log, x);
            let ten = graph.constant(std::f64::consts::LN_10);
            Some(graph.divide(log, ten))
        }
        "cbrt" => {
            let (size, third) = (graph.unary(Unary::Abs, x), graph.constant(1.0 / 3.0));
            let root = graph.binary(Binary::Pow, size, third);
            let sign = graph.unary(Unary::Sign, x);
            Some(graph.multiply(sign, root))
        }
        _ => None,
    }
}

/// In the plane the product is a number, in space a vector.
fn cross(graph: &mut Graph, a: &[Node], b: &[Node]) -> Option<Quantity> {
    if let ([a1, a2], [b1, b2]) = (a, b) {
        let (left, right) = (graph.multiply(*a1, *b2), graph.multiply(*a2, *b1));
        return Some(Quantity::Number(graph.subtract(left, right)));
    }
    let (a, b): (&[Node; 3], &[Node; 3]) = (a.try_into().ok()?, b.try_into().ok()?);
    Some(Quantity::Vector(quantity::cross(graph, a, b).to_vec()))
}
