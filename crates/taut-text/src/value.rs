//! The value of an expression outside of a model.

use taut_formula::graph::{Graph, Node};

use crate::expression::{self, Expression, Factor, Name, Sign, Term};
use crate::function::{Binary, Function};
use crate::mistake::Mistakes;
use crate::quoted::Quoted;
use crate::source::{Source, Span};

/// The value of an expression of numbers, `pi` and functions, as model files have them.
///
/// ```
/// assert_eq!(taut_text::value_of("2*pi/6"), Ok(std::f64::consts::PI / 3.0));
/// assert_eq!(taut_text::value_of("sqrt(2 + m)"), Err("'m' is not a number; what is known here is pi".to_string()));
/// ```
pub fn value_of(text: &str) -> Result<f64, String> {
    value_with(text, &[])
}

/// The same of an expression that may use these names, such as the parameters of a model.
///
/// ```
/// let known = [("r".to_string(), 1.5)];
/// assert_eq!(taut_text::value_with("2*r", &known), Ok(3.0));
/// assert_eq!(taut_text::value_with("2*l", &known), Err("'l' is not a number; what is known here is pi, r".to_string()));
/// ```
pub fn value_with(text: &str, known: &[(String, f64)]) -> Result<f64, String> {
    let mut mistakes = Mistakes::default();
    let whole = Span { start: 0, end: text.len() };
    let Some(expression) = expression::parse(&Quoted::new(text, whole, text), &mut mistakes) else {
        let errors = mistakes.into_errors(&Source::new("", text));
        let reason =
            errors.mistakes().first().map(|mistake| format!("{}; {}", mistake.message, mistake.label));
        return Err(format!("'{text}': {}", reason.unwrap_or_default()));
    };
    let mut graph = Graph::new();
    let node = fold(&mut graph, &expression, known)?;
    match graph.value(node).filter(|value| value.is_finite()) {
        Some(value) => Ok(value),
        None => Err(format!("'{text}' is not a finite number")),
    }
}

/// So many names are listed.
const LISTED: usize = 12;

fn number_named(name: &Name, known: &[(String, f64)]) -> Result<f64, String> {
    let text = name.to_string();
    if text == "pi" {
        return Ok(std::f64::consts::PI);
    }
    if let Some((_, value)) = known.iter().find(|(known, _)| *known == text) {
        return Ok(*value);
    }
    let mut names: Vec<&str> =
        std::iter::once("pi").chain(known.iter().map(|(name, _)| name.as_str())).collect();
    if names.len() > LISTED {
        names.truncate(LISTED);
        names.push("...");
    }
    Err(format!("'{name}' is not a number; what is known here is {}", names.join(", ")))
}

fn fold(graph: &mut Graph, expression: &Expression, known: &[(String, f64)]) -> Result<Node, String> {
    let fold = |graph: &mut Graph, expression: &Expression| fold(graph, expression, known);
    Ok(match &expression.term {
        Term::Number(value) => graph.constant(*value),
        Term::Name(name) => graph.constant(number_named(name, known)?),
        Term::Negative(operand) => {
            let operand = fold(graph, operand)?;
            graph.negative(operand)
        }
        Term::Sum(terms) => {
            let mut sum = Graph::ZERO;
            for (sign, term) in terms {
                let term = fold(graph, term)?;
                sum = if *sign == Sign::Plus { graph.add(sum, term) } else { graph.subtract(sum, term) };
            }
            sum
        }
        Term::Product(factors) => {
            let mut product = Graph::ONE;
            for (factor, operand) in factors {
                let operand = fold(graph, operand)?;
                product = match factor {
                    Factor::Times => graph.multiply(product, operand),
                    Factor::Over => graph.divide(product, operand),
                };
            }
            product
        }
        Term::Power(base, exponent) => {
            let (base, exponent) = (fold(graph, base)?, fold(graph, exponent)?);
            graph.binary(Binary::Pow, base, exponent)
        }
        Term::Call(function, arguments) => {
            let arguments: Vec<Node> =
                arguments.iter().map(|argument| fold(graph, argument)).collect::<Result<_, _>>()?;
            match (function, arguments.as_slice()) {
                (Function::Unary(f), [x]) => graph.unary(*f, *x),
                (Function::Binary(f), [x, y]) => graph.binary(*f, *x, *y),
                _ => return Err(format!("'{expression}' is not a number")),
            }
        }
        _ => return Err(format!("'{expression}' is not a number")),
    })
}
