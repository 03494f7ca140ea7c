//! Formulas of the graph as a person writes them, for messages.

use taut_formula::graph::{Graph, Input, Node, Operation};

use super::Reader;
use super::document::Kind;

/// What is nested deeper than this is left out.
const DEEPEST: usize = 8;

/// How tightly operators bind.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const POWER: u8 = 3;

impl Reader<'_> {
    /// A formula in words.
    pub(super) fn words(&self, node: Node, coordinates: &[String]) -> String {
        let rates = if self.kind == Kind::Mechanical { "'" } else { "" };
        let name = |list: &[String], k: u32| list.get(k as usize).cloned().unwrap_or_else(|| "...".into());
        let input = |input: Input| match input {
            Input::Time => "t".to_string(),
            Input::Position(k) => name(coordinates, k),
            Input::Velocity(k) => format!("{}{rates}", name(coordinates, k)),
            Input::Parameter(k) => name(self.known.names(), k),
            _ => "...".to_string(),
        };
        write(&self.graph, node, 0, DEEPEST, &input)
    }
}

/// A formula inside of an operator that binds so tightly.
fn write(graph: &Graph, node: Node, around: u8, depth: usize, input: &dyn Fn(Input) -> String) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "...".into() };
    if let Some(value) = graph.value(node) {
        return if value < 0.0 && around > 0 { format!("({value})") } else { value.to_string() };
    }
    let of = |node: Node, around: u8| write(graph, node, around, depth, input);
    let (text, binds) = match graph.operation(node) {
        Operation::Constant(bits) => (f64::from_bits(bits).to_string(), u8::MAX),
        Operation::Input(found) => (input(found), u8::MAX),
        Operation::Add(a, b) => (format!("{} + {}", of(a, SUM), of(b, SUM)), SUM),
        Operation::Subtract(a, b) => (format!("{} - {}", of(a, SUM), of(b, PRODUCT)), SUM),
        Operation::Multiply(a, b) => (format!("{}*{}", of(a, PRODUCT), of(b, PRODUCT)), PRODUCT),
        Operation::Divide(a, b) => (format!("{}/{}", of(a, PRODUCT), of(b, POWER)), PRODUCT),
        Operation::Negative(a) => (format!("-{}", of(a, PRODUCT)), SUM),
        Operation::Power(a, k) => (format!("{}^{k}", of(a, u8::MAX)), POWER),
        Operation::Unary(function, a) => (format!("{}({})", function.name(), of(a, 0)), u8::MAX),
        Operation::Binary(function, a, b) => {
            (format!("{}({}, {})", function.name(), of(a, 0), of(b, 0)), u8::MAX)
        }
        Operation::Where(a, b) => (format!("if({} > 0, {}, 0)", of(a, 0), of(b, 0)), u8::MAX),
        Operation::Unless(a, b) => (format!("if({} > 0, 0, {})", of(a, 0), of(b, 0)), u8::MAX),
    };
    if binds < around { format!("({text})") } else { text }
}
