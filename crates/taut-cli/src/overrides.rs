//! `--set NAME=VALUE`: numbers, and expressions of numbers and of the parameters of the model.

use crate::arguments::Robot;
use crate::model::Subject;
use crate::outcome::Failure;
use crate::settings::parse_number;

/// An override as it was typed.
#[derive(Clone, Debug)]
pub struct Override {
    name: String,
    value: Typed,
}

#[derive(Clone, Debug)]
enum Typed {
    Number(f64),
    /// with names of parameters in it
    Expression(String),
}

/// `NAME=VALUE`
pub fn parse_override(text: &str) -> Result<Override, String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, for example g=1.62 or x'=0.3")?;
    let value = parse_value(value.trim())?;
    match name.trim() {
        "" => Err("there is no name before '='".to_owned()),
        name => Ok(Override { name: name.to_owned(), value }),
    }
}

/// A number, or an expression such as pi/6 or 2*l.
fn parse_value(text: &str) -> Result<Typed, String> {
    match parse_number(text) {
        Ok(number) => Ok(Typed::Number(number)),
        Err(_) if text.contains(|c: char| c.is_alphabetic() || "+-*/^(".contains(c)) => {
            Ok(taut_text::value_of(text).map_or_else(|_| Typed::Expression(text.to_owned()), Typed::Number))
        }
        Err(error) => Err(error),
    }
}

/// The values of overrides. An expression may use the parameters of the model as they are with what stands before it, and with
/// the numbers behind it.
pub fn resolved(given: &[Override], model: &str, robot: &Robot) -> Result<Vec<(String, f64)>, Failure> {
    let mut known: Vec<Option<f64>> = given
        .iter()
        .map(|given| match given.value {
            Typed::Number(number) => Some(number),
            Typed::Expression(_) => None,
        })
        .collect();
    for (k, Override { name, value }) in given.iter().enumerate() {
        let Typed::Expression(text) = value else { continue };
        let values: Vec<(String, f64)> = values(given, &known);
        let parameters = Subject::load_robot(model, &values, robot)?.model.parameters;
        let parameters = parameters.into_iter().map(|(name, value)| (name.to_string(), value));
        let number = taut_text::value_with(text, &parameters.collect::<Vec<_>>());
        let wrong = |reason| Failure::wrong(format!("--set {name}={text}: {reason}"));
        known[k] = Some(number.map_err(wrong)?);
    }
    Ok(values(given, &known))
}

fn values(given: &[Override], known: &[Option<f64>]) -> Vec<(String, f64)> {
    let pairs = given.iter().zip(known);
    pairs.filter_map(|(given, value)| value.map(|value| (given.name.clone(), value))).collect()
}
