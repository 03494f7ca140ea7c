//! Trees to text, with no more parentheses than needed to read the same tree again.

use std::fmt;

use super::{Expression, Factor, Name, Part, Sign, Term};

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Sum,
    Product,
    Signed,
    Atom,
}

impl Expression {
    fn tightness(&self) -> Tightness {
        match &self.term {
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
            Term::Number(value) => write!(f, "{value:?}"),
            Term::Name(name) => write!(f, "{name}"),
            Term::Negative(operand) => {
                f.write_str("-")?;
                operand.print(f, Tightness::Signed)
            }
            Term::Sum(terms) => {
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
            Term::Product(factors) => {
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
            Term::Power(base, exponent) => {
                base.print(f, Tightness::Atom)?;
                f.write_str("^")?;
                exponent.print(f, Tightness::Signed)
            }
            Term::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                for (k, argument) in arguments.iter().enumerate() {
                    write!(f, "{}{argument}", if k == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Term::Repeated(sum) => {
                write!(f, "sum({}, {}, {}, {})", sum.index, sum.first, sum.last, sum.body)
            }
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Index(index) => write!(f, "{{{index}}}")?,
            }
        }
        if self.velocity { f.write_str("'") } else { Ok(()) }
    }
}
