//! Units of measurement: exponents of the base units, and a factor.

use std::fmt;

use crate::expression::{Expression, Factor, Part, Term};

/// The base units, in the order in which they are written.
const BASE: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// Exponents and factors are the same when they differ by rounding.
const ROUNDING: f64 = 1e-9;

/// A unit: a factor times powers of base units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    exponents: [f64; 7],
    factor: f64,
}

/// Units with names: exponents of kg, m, s, A, K, mol, cd, and the factor.
#[rustfmt::skip]
const NAMED: [(&str, [i8; 7], f64); 30] = [
    ("kg",  [1, 0, 0, 0, 0, 0, 0], 1.0),
    ("g",   [1, 0, 0, 0, 0, 0, 0], 1e-3),
    ("t",   [1, 0, 0, 0, 0, 0, 0], 1e3),
    ("m",   [0, 1, 0, 0, 0, 0, 0], 1.0),
    ("au",  [0, 1, 0, 0, 0, 0, 0], 149_597_870_700.0),
    ("s",   [0, 0, 1, 0, 0, 0, 0], 1.0),
    ("min", [0, 0, 1, 0, 0, 0, 0], 60.0),
    ("h",   [0, 0, 1, 0, 0, 0, 0], 3600.0),
    ("day", [0, 0, 1, 0, 0, 0, 0], 86_400.0),
    ("A",   [0, 0, 0, 1, 0, 0, 0], 1.0),
    ("K",   [0, 0, 0, 0, 1, 0, 0], 1.0),
    ("mol", [0, 0, 0, 0, 0, 1, 0], 1.0),
    ("cd",  [0, 0, 0, 0, 0, 0, 1], 1.0),
    ("rad", [0, 0, 0, 0, 0, 0, 0], 1.0),
    ("sr",  [0, 0, 0, 0, 0, 0, 0], 1.0),
    ("Hz",  [0, 0, -1, 0, 0, 0, 0], 1.0),
    ("N",   [1, 1, -2, 0, 0, 0, 0], 1.0),
    ("Pa",  [1, -1, -2, 0, 0, 0, 0], 1.0),
    ("bar", [1, -1, -2, 0, 0, 0, 0], 1e5),
    ("J",   [1, 2, -2, 0, 0, 0, 0], 1.0),
    ("W",   [1, 2, -3, 0, 0, 0, 0], 1.0),
    ("C",   [0, 0, 1, 1, 0, 0, 0], 1.0),
    ("V",   [1, 2, -3, -1, 0, 0, 0], 1.0),
    ("F",   [-1, -2, 4, 2, 0, 0, 0], 1.0),
    ("ohm", [1, 2, -3, -2, 0, 0, 0], 1.0),
    ("S",   [-1, -2, 3, 2, 0, 0, 0], 1.0),
    ("Wb",  [1, 2, -2, -1, 0, 0, 0], 1.0),
    ("T",   [1, 0, -2, -1, 0, 0, 0], 1.0),
    ("H",   [1, 2, -2, -2, 0, 0, 0], 1.0),
    ("l",   [0, 3, 0, 0, 0, 0, 0], 1e-3),
];

/// Before a unit: k for a thousand of it, and so on.
const PREFIXES: [(&str, f64); 9] = [
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
];
/// What may have a prefix.
const WITH_PREFIX: [&str; 19] =
    ["g", "m", "s", "A", "K", "mol", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "ohm", "S", "Wb", "T", "H"];

impl Unit {
    /// No unit.
    pub(crate) const ONE: Unit = Unit { exponents: [0.0; 7], factor: 1.0 };
    /// The second.
    pub(crate) const SECOND: Unit = Unit { exponents: [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], factor: 1.0 };

    /// The metre.
    pub(crate) const METRE: Unit = Unit { exponents: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], factor: 1.0 };
    /// The kilogram.
    pub(crate) const KILOGRAM: Unit = Unit { exponents: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], factor: 1.0 };

    /// The unit of a name, such as `kg` or `mm`.
    fn named(name: &str) -> Option<Unit> {
        let find = |name: &str| NAMED.iter().find(|(known, ..)| *known == name);
        if let Some((_, exponents, factor)) = find(name) {
            return Some(Unit { exponents: exponents.map(f64::from), factor: *factor });
        }
        let (rest, size) = PREFIXES.iter().find_map(|(prefix, size)| {
            let rest = name.strip_prefix(prefix)?;
            WITH_PREFIX.contains(&rest).then_some((rest, size))
        })?;
        let (_, exponents, factor) = find(rest)?;
        Some(Unit { exponents: exponents.map(f64::from), factor: factor * size })
    }

    /// The names of units, for suggestions.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, ..)| *name).chain(["mm", "cm", "km", "ms", "kN", "MPa", "mg"])
    }

    /// The unit that an expression such as `kg*m^2/s^2` says, or the part of it that is no unit.
    pub(crate) fn of(expression: &Expression) -> Result<Unit, &Expression> {
        match &expression.term {
            Term::Number(1.0) => Ok(Unit::ONE),
            Term::Name(name) => match name.parts.as_slice() {
                [Part::Text(text)] if name.primes == 0 => Unit::named(text).ok_or(expression),
                _ => Err(expression),
            },
            Term::Product(factors) => {
                let mut product = Unit::ONE;
                for (factor, operand) in factors {
                    let exponent = if *factor == Factor::Times { 1.0 } else { -1.0 };
                    product = product.times(Unit::of(operand)?.power(exponent));
                }
                Ok(product)
            }
            Term::Power(base, exponent) => match exponent_of(exponent) {
                Some(exponent) => Ok(Unit::of(base)?.power(exponent)),
                None => Err(exponent),
            },
            _ => Err(expression),
        }
    }

    pub(crate) fn times(self, other: Unit) -> Unit {
        let exponents = std::array::from_fn(|k| self.exponents[k] + other.exponents[k]);
        Unit { exponents, factor: self.factor * other.factor }
    }

    pub(crate) fn over(self, other: Unit) -> Unit {
        self.times(other.power(-1.0))
    }

    pub(crate) fn power(self, exponent: f64) -> Unit {
        Unit { exponents: self.exponents.map(|x| x * exponent), factor: self.factor.powf(exponent) }
    }

    /// Whether quantities of both can be added.
    pub(crate) fn is(self, other: Unit) -> bool {
        let exponents = self.exponents.iter().zip(other.exponents);
        (self.factor / other.factor - 1.0).abs() < ROUNDING
            && exponents.into_iter().all(|(a, b)| (a - b).abs() < ROUNDING)
    }

    /// Whether it measures time, in seconds or otherwise.
    pub(crate) fn measures_time(self) -> bool {
        self.measures(Unit::SECOND)
    }

    /// Whether it measures the same as another one, whatever the factor between them.
    pub(crate) fn measures(self, other: Unit) -> bool {
        Unit { factor: other.factor, ..self }.is(other)
    }

    pub(crate) fn is_one(self) -> bool {
        self.is(Unit::ONE)
    }
}

/// A number such as 2, -1, 0.5 or 1/3.
pub(crate) fn exponent_of(expression: &Expression) -> Option<f64> {
    match &expression.term {
        Term::Number(value) => Some(*value),
        Term::Negative(operand) => exponent_of(operand).map(|value| -value),
        Term::Product(factors) => factors.iter().try_fold(1.0, |product, (factor, operand)| {
            let value = exponent_of(operand)?;
            Some(if *factor == Factor::Times { product * value } else { product / value })
        }),
        _ => None,
    }
}

/// In base units, such as `kg*m^2/s^2`; a factor is written before it.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMED.iter().find(|(_, exponents, factor)| {
            self.is(Unit { exponents: exponents.map(f64::from), factor: *factor }) && exponents != &[0; 7]
        });
        if let Some((name, ..)) = named {
            return f.write_str(name);
        }
        let prefixed =
            PREFIXES.iter().flat_map(|(prefix, _)| WITH_PREFIX.map(|name| format!("{prefix}{name}")));
        let mut prefixed = prefixed.filter(|name| Unit::named(name).is_some_and(|unit| unit.is(*self)));
        if let Some(name) = prefixed.next() {
            return f.write_str(&name);
        }
        let part = |(name, exponent): (&str, f64)| {
            let exponent = (exponent * 1e6).round() / 1e6;
            if exponent == 1.0 { name.to_string() } else { format!("{name}^{exponent}") }
        };
        let with = |sign: f64| {
            let parts = BASE.iter().zip(self.exponents).filter(move |(_, x)| x * sign > ROUNDING);
            parts.map(move |(name, x)| part((name, x * sign))).collect::<Vec<_>>()
        };
        let (above, below) = (with(1.0).join("*"), with(-1.0));
        if (self.factor - 1.0).abs() > ROUNDING {
            write!(f, "{} ", self.factor)?;
        }
        f.write_str(if above.is_empty() { "1" } else { &above })?;
        below.iter().try_for_each(|part| write!(f, "/{part}"))
    }
}
