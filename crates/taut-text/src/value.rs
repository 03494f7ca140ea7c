//! The value of an expression outside of a model.

use taut_formula::graph::{Graph, Node};

use crate::expression::{self, Expression, Factor, Part, Sign, Term};
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
    let mut mistakes = Mistakes::default();
    let whole = Span { start: 0, end: text.len() };
    let Some(expression) = expression::parse(&Quoted::new(text, whole, text), &mut mistakes) else {
        let errors = mistakes.into_errors(&Source::new("", text));
        let reason =
            errors.mistakes().first().map(|mistake| format!("{}; {}", mistake.message, mistake.label));
        return Err(format!("'{text}': {}", reason.unwrap_or_default()));
    };
    let mut graph = Graph::new();
    let node = fold(&mut graph, &expression)?;
    match graph.value(node).filter(|value| value.is_finite()) {
        Some(value) => Ok(value),
        None => Err(format!("'{text}' is not a finite number")),
    }
}

fn fold(graph: &mut Graph, expression: &Expression) -> Result<Node, String> {
    Ok(match &expression.term {
        Term::Number(value) => graph.constant(*value),
        Term::Name(name) => match name.parts.as_slice() {
            [Part::Text(text)] if text == "pi" && name.primes == 0 => graph.constant(std::f64::consts::PI),
            _ => return Err(format!("'{name}' is not a number; what is known here is pi")),
        },
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
