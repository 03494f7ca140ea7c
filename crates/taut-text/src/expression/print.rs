//! Trees to text, with no more parentheses than needed to read the same tree again.

use std::fmt;

use super::{Expression, Factor, Name, Part, Sign, Term};

/// Whole numbers below this are written without a point.
const WHOLE: f64 = 1e15;

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Condition,
    Sum,
    Product,
    Signed,
    Atom,
}

impl Expression {
    fn tightness(&self) -> Tightness {
        match &self.term {
            Term::Any(_) | Term::All(_) | Term::Not(_) | Term::Compare(..) => Tightness::Condition,
            Term::Sum(_) => Tightness::Sum,
            Term::Product(_) => Tightness::Product,
            Term::Negative(_) | Term::Power(..) => Tightness::Signed,
            _ => Tightness::Atom,
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, at_least: Tightness) -> fmt::Result {
        if self.tightness() < at_least { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.term {
            Term::Number(value) if value.fract() == 0.0 && *value < WHOLE => write!(f, "{value}"),
            Term::Number(value) => write!(f, "{value:?}"),
            Term::Name(name) => write!(f, "{name}"),
            Term::Negative(operand) => {
                f.write_str("-")?;
                operand.print(f, Tightness::Signed)
            }
            Term::Sum(terms) => sum(f, terms),
            Term::Product(factors) => product(f, factors),
            Term::Power(base, exponent) => {
                base.print(f, Tightness::Atom)?;
                f.write_str("^")?;
                exponent.print(f, Tightness::Signed)
            }
            Term::Call(function, arguments) => {
                write!(f, "{}", function.name())?;
                list(f, ['(', ')'], arguments)
            }
            Term::Apply(function, arguments) => {
                f.write_str(function)?;
                list(f, ['(', ')'], arguments)
            }
            Term::List(elements) => list(f, ['[', ']'], elements),
            Term::Element(whole, index) => {
                whole.print(f, Tightness::Atom)?;
                write!(f, "[{index}]")
            }
            Term::If(parts) => {
                f.write_str("if")?;
                list(f, ['(', ')'], &parts[..])
            }
            Term::Compare(comparison, left, right) => {
                left.print(f, Tightness::Sum)?;
                write!(f, " {} ", comparison.sign())?;
                right.print(f, Tightness::Sum)
            }
            Term::Not(condition) => {
                f.write_str("not ")?;
                condition.print(f, Tightness::Sum)
            }
            Term::All(conditions) => joined(f, " and ", conditions),
            Term::Any(conditions) => joined(f, " or ", conditions),
            Term::Repeated(sum) => {
                write!(f, "sum({}, {}, {}, {})", sum.index, sum.first, sum.last, sum.body)
            }
        }
    }
}

fn sum(f: &mut fmt::Formatter<'_>, terms: &[(Sign, Expression)]) -> fmt::Result {
    for (k, (sign, term)) in terms.iter().enumerate() {
        f.write_str(match (k, sign) {
            (0, _) => "",
            (_, Sign::Plus) => " + ",
            (_, Sign::Minus) => " - ",
        })?;
        term.print(f, Tightness::Product)?;
    }
    Ok(())
}

fn product(f: &mut fmt::Formatter<'_>, factors: &[(Factor, Expression)]) -> fmt::Result {
    for (k, (factor, operand)) in factors.iter().enumerate() {
        f.write_str(match (k, factor) {
            (0, _) => "",
            (_, Factor::Times) => "*",
            (_, Factor::Over) => "/",
        })?;
        operand.print(f, Tightness::Signed)?;
    }
    Ok(())
}

fn list(f: &mut fmt::Formatter<'_>, [open, close]: [char; 2], elements: &[Expression]) -> fmt::Result {
    write!(f, "{open}")?;
    for (k, element) in elements.iter().enumerate() {
        write!(f, "{}{element}", if k == 0 { "" } else { ", " })?;
    }
    write!(f, "{close}")
}

/// Conditions between which a word stands, each in parentheses unless it is a number.
fn joined(f: &mut fmt::Formatter<'_>, word: &str, conditions: &[Expression]) -> fmt::Result {
    for (k, condition) in conditions.iter().enumerate() {
        f.write_str(if k == 0 { "" } else { word })?;
        match condition.term {
            Term::Compare(..) => write!(f, "{condition}")?,
            _ => condition.print(f, Tightness::Sum)?,
        }
    }
    Ok(())
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Index(index) => write!(f, "{{{index}}}")?,
            }
        }
        f.write_str(&"''"[..usize::from(self.primes.min(2))])
    }
}
