//! One thing that is varied: NAME=FROM..TO:COUNT, NAME=FROM..TO:COUNT:log, NAME=A,B,C.

use crate::settings::parse_number;

/// How to write what is varied.
const FORM: &str = "write NAME=FROM..TO:COUNT, for example g=1..10:19, l=1..1e6:7:log or m=1,2,5";

/// How the values between two ends are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// equal differences
    Linear,
    /// equal ratios
    Logarithmic,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// from one number to another; without a count only samples can be drawn from it
    Range {
        /// the first one
        from: f64,
        /// the last one
        to: f64,
        /// how many
        count: Option<u64>,
        /// how they are spaced
        spacing: Spacing,
    },
    /// one by one
    List(Vec<f64>),
}

/// A parameter or start value and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// `g`, `x` or `x'`
    pub name: String,
    /// its values
    pub values: Values,
}

impl Axis {
    /// How many values there are on a grid; nothing where no number was given.
    pub fn count(&self) -> Option<u64> {
        match &self.values {
            Values::Range { count, .. } => *count,
            Values::List(list) => Some(list.len() as u64),
        }
    }

    /// The k-th value on a grid. The ends are the numbers that were given.
    pub fn value(&self, k: u64) -> f64 {
        match &self.values {
            Values::List(list) => list[k as usize],
            Values::Range { from, .. } if k == 0 => *from,
            Values::Range { to, count, .. } if count.is_some_and(|count| k + 1 == count) => *to,
            Values::Range { count, .. } => self.at(k as f64 / (count.unwrap_or(2) - 1) as f64),
        }
    }

    /// The value at a share of the way from one end to the other; of a list the value in whose part of the way it lies.
    pub fn at(&self, share: f64) -> f64 {
        match &self.values {
            Values::Range { from, to, spacing: Spacing::Linear, .. } => from + (to - from) * share,
            Values::Range { from, to, spacing: Spacing::Logarithmic, .. } => from * (to / from).powf(share),
            Values::List(list) => list[((share * list.len() as f64) as usize).min(list.len() - 1)],
        }
    }
}

/// Reads what is varied.
pub fn parse_axis(text: &str) -> Result<Axis, String> {
    let (name, values) = text.split_once('=').ok_or(FORM)?;
    let name = match name.trim() {
        "" => return Err("there is no name before '='".to_owned()),
        name => name.to_owned(),
    };
    let values = match values.split_once("..") {
        Some((from, rest)) => parse_range(from, rest)?,
        None => parse_list(values)?,
    };
    Ok(Axis { name, values })
}

fn parse_list(text: &str) -> Result<Values, String> {
    if text.trim().is_empty() {
        return Err(format!("there are no values; {FORM}"));
    }
    let list = text.split(',').map(|value| parse_number(value.trim())).collect::<Result<Vec<_>, _>>()?;
    Ok(Values::List(list))
}

fn parse_range(from: &str, rest: &str) -> Result<Values, String> {
    let mut parts = rest.split(':');
    let from = parse_number(from.trim())?;
    let to = parse_number(parts.next().unwrap_or_default().trim())?;
    let (mut count, mut spacing) = (None, Spacing::Linear);
    for (place, part) in parts.map(str::trim).enumerate() {
        match (place, part) {
            (0 | 1, "lin") => spacing = Spacing::Linear,
            (0 | 1, "log") => spacing = Spacing::Logarithmic,
            (0, number) => count = Some(parse_count(number)?),
            (_, other) => {
                return Err(format!("'{other}' is not a spacing; there are lin and log, and {FORM}"));
            }
        }
    }
    if count.is_some_and(|count| count > 1) && from == to {
        return Err(format!("all values from {from} to {to} are the same; a count of 1 is enough"));
    }
    if !(to - from).is_finite() {
        return Err(format!("from {from:e} to {to:e} is farther than numbers reach"));
    }
    if spacing == Spacing::Logarithmic && !(from * to.signum() > 0.0 && to != 0.0) {
        return Err(format!("log needs two numbers of the same sign that are not 0, not {from} and {to}"));
    }
    Ok(Values::Range { from, to, count, spacing })
}

fn parse_count(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("a count of 0 is no run at all; write 1 or more".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("'{text}' is not a count; {FORM}")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn grid(text: &str) -> Vec<f64> {
        let axis = parse_axis(text).unwrap();
        (0..axis.count().unwrap()).map(|k| axis.value(k)).collect()
    }

    #[test]
    fn grids_are_what_was_typed() {
        assert_eq!(grid("g=1..3:3"), [1.0, 2.0, 3.0]);
        assert_eq!(grid("g=3..1:3:lin"), [3.0, 2.0, 1.0]);
        assert_eq!(grid("g=7..9:1"), [7.0]);
        assert_eq!(grid("x'=-0.5,0,2.5"), [-0.5, 0.0, 2.5]);
        let decades = grid("k=1..1e6:7:log");
        assert!(decades.iter().enumerate().all(|(k, x)| (x / 10_f64.powi(k as i32) - 1.0).abs() < 1e-14));
        assert_eq!((decades[0], decades[6]), (1.0, 1e6));
        assert_eq!(grid("k=-1e-3..-1e3:2:log"), [-1e-3, -1e3]);
        assert_eq!(grid("k=0.1..0.7:4").last(), Some(&0.7));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("g", "NAME=FROM..TO:COUNT"),
            ("=1..2:3", "no name"),
            ("g=1..2:0", "count of 0"),
            ("g=1..2:x", "not a count"),
            ("g=1..2:3:cubic", "not a spacing"),
            ("g=1..2:3:log:4", "not a spacing"),
            ("g=0..2:3:log", "same sign"),
            ("g=-1..2:3:log", "same sign"),
            ("g=1..1:2", "the same"),
            ("g=a..2:3", "'a' is not a number"),
            ("g=1..inf:3", "not a finite number"),
            ("g=", "no values"),
            ("g=1,,2", "is not a number"),
            ("g=-1.7e308..1.7e308:3", "farther"),
        ] {
            let message = parse_axis(text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
