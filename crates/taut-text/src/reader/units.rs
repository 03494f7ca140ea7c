//! Units, where they are given: checked through every formula, never required.
//!
//! No false alarm is the first rule. What has no unit fits everything. Numbers fit what they are added to; a number that
//! multiplies may have a unit of its own, so that the unit of the product is not known, unless it is one that formulas of
//! energies have: a divisor, or 1/2.

use std::collections::HashMap;

use toml::de::{DeTable, DeValue};

use super::document::{Value, article};
use super::names::{PI, TIME};
use super::{Indices, Reader};
use crate::expression::{self, Expression, Factor, Name, Part, Repeated, Term};
use crate::function::Function;
use crate::quoted::Quoted;
use crate::source::Span;
use crate::unit::{Unit, exponent_of};

/// No more expressions are looked at, repetitions and functions unrolled: a hostile file is not to exhaust time.
const BUDGET: usize = 2_000_000;

/// What is known of the unit of an expression; nothing when it may be any.
type Known = Option<Unit>;

/// The units of a model.
#[derive(Debug)]
pub(super) struct Units {
    of: HashMap<String, Unit>,
    /// whether one was given
    any: bool,
    time: Unit,
    /// so many more expressions are looked at
    budget: usize,
    /// the unit of a name as it was written
    written: HashMap<String, String>,
    /// arguments of the functions that are looked into, innermost last
    frames: Vec<HashMap<String, Known>>,
}

impl Default for Units {
    fn default() -> Self {
        Units {
            of: HashMap::new(),
            any: false,
            time: Unit::SECOND,
            budget: BUDGET,
            written: HashMap::new(),
            frames: Vec::new(),
        }
    }
}

impl Units {
    /// The unit of a name, where it is known.
    pub(super) fn get(&self, name: &str) -> Known {
        self.of.get(name).copied()
    }

    /// The unit of rates of change.
    pub(super) fn rate(&self, unit: Unit) -> Unit {
        unit.over(self.time)
    }

    /// Of kilograms, metres and the unit of time of the model to these powers.
    pub(super) fn mechanical(&self, [mass, length, time]: [i8; 3]) -> Unit {
        let parts = [(Unit::KILOGRAM, mass), (Unit::METRE, length), (self.time, time)];
        parts.iter().fold(Unit::ONE, |unit, (base, power)| unit.times(base.power(f64::from(*power))))
    }

    /// The momentum of a coordinate that is a length, in the one unit of mass that the model has; kg where it has none.
    pub(super) fn momentum(&self, coordinate: Unit) -> Known {
        let mut masses = self.of.values().filter(|unit| unit.measures(Unit::KILOGRAM));
        let mass = masses.next().copied().unwrap_or(Unit::KILOGRAM);
        let one_mass = masses.all(|other| other.is(mass));
        (one_mass && coordinate.measures(Unit::METRE)).then(|| mass.times(self.rate(coordinate)))
    }

    /// Gives a name its unit, where that is known.
    pub(super) fn set(&mut self, name: &str, unit: Known) {
        if let Some(unit) = unit {
            self.of.insert(name.to_string(), unit);
        }
    }
}

impl<'a> Reader<'a> {
    /// `unit = "m"` in the table of a name.
    pub(super) fn read_unit(&mut self, name: &str, table: &'a DeTable<'a>) {
        let Some(value) = table.get("unit") else { return };
        let unit = self.unit(value);
        self.units.any |= unit.is_some();
        self.units.set(name, unit);
        if let (Some(_), DeValue::String(text)) = (unit, value.get_ref()) {
            self.units.written.insert(name.to_string(), text.to_string());
        }
    }

    /// The unit of a value of the file, where it is known.
    pub(super) fn unit_of_value(&mut self, value: &'a Value<'a>, indices: &mut Indices) -> Known {
        match value.get_ref() {
            DeValue::String(_) => {
                let expression = self.expression(value)?;
                self.check_units(&expression, indices)
            }
            DeValue::Array(elements) => {
                let units: Vec<Known> =
                    elements.iter().map(|element| self.unit_of_value(element, indices)).collect();
                let first = (*units.first()?)?;
                units.iter().all(|unit| unit.is_some_and(|unit| unit.is(first))).then_some(first)
            }
            _ => None,
        }
    }

    /// How the unit of a name is written.
    pub(super) fn unit_label(&self, name: &str) -> Option<String> {
        let unit = self.units.get(name)?;
        Some(self.units.written.get(name).cloned().unwrap_or_else(|| unit.to_string()))
    }

    /// `unit` of `[time]`.
    pub(super) fn read_time_unit(&mut self) {
        let Some(part) = self.document.first(super::document::Section::Time) else { return };
        let Some(value) = part.table.get("unit") else { return };
        match self.unit(value) {
            Some(unit) if unit.measures_time() => self.units.time = unit,
            Some(unit) => {
                self.mistakes
                    .add(Span::new(value.span()), "this is no unit of time")
                    .label(format!("= {unit}"))
                    .help("\"s\", \"min\", \"h\", \"day\"");
            }
            None => {}
        }
    }

    fn unit(&mut self, value: &'a Value<'a>) -> Known {
        let span = Span::new(value.span());
        let DeValue::String(text) = value.get_ref() else {
            self.mistakes
                .add(span, "a unit is a string")
                .label(format!("found {}", article(value.get_ref())))
                .help("unit = \"kg*m^2/s^2\"");
            return None;
        };
        let quoted = Quoted::new(text, span, self.text);
        let expression = expression::parse(&quoted, &mut self.mistakes)?;
        match Unit::of(&expression) {
            Ok(unit) => Some(unit),
            Err(part) => {
                let name = part.to_string();
                let mistake = self.mistakes.add(part.span, format!("there is no unit '{name}'"));
                if matches!(name.as_str(), "deg" | "degree" | "grad") {
                    mistake.help("angles are in rad: angle = \"30*pi/180\"");
                } else {
                    mistake.label("not known").suggest(&name, Unit::names());
                }
                None
            }
        }
    }

    /// Checks an expression, and gives its unit where it is known.
    pub(super) fn check_units(&mut self, expression: &Expression, indices: &mut Indices) -> Known {
        if self.units.any { self.unit_of(expression, indices) } else { None }
    }

    /// Checks that an expression has a unit; `of` is what it is given for.
    pub(super) fn expect_unit(
        &mut self,
        value: &'a Value<'a>,
        wanted: Known,
        of: &str,
        indices: &mut Indices,
    ) {
        let (Some(wanted), true) = (wanted, matches!(value.get_ref(), DeValue::String(_))) else { return };
        let Some(expression) = self.expression(value) else { return };
        let Some(found) = self.check_units(&expression, indices) else { return };
        if !found.is(wanted) && !self.mistakes.has(expression.span) {
            self.mistakes
                .add(expression.span, format!("{of} is in {wanted}, and this is in {found}"))
                .label(format!("in {found}"));
        }
    }

    fn unit_of(&mut self, expression: &Expression, indices: &mut Indices) -> Known {
        self.units.budget = self.units.budget.checked_sub(1)?;
        match &expression.term {
            Term::Number(_) => None,
            Term::Name(name) => self.unit_of_name(name, indices),
            Term::Negative(operand) => self.unit_of(operand, indices),
            Term::Sum(terms) => {
                let terms: Vec<&Expression> = terms.iter().map(|(_, term)| term).collect();
                self.same_unit(&terms, "added to", indices)
            }
            Term::Product(factors) => self.unit_of_product(factors, indices),
            Term::Power(base, exponent) => {
                self.unit_of(exponent, indices);
                let (base, exponent) = (self.unit_of(base, indices)?, exponent_of(exponent));
                if base.is_one() { Some(base) } else { Some(base.power(exponent?)) }
            }
            Term::Call(function, arguments) => {
                self.unit_of_call(function.name(), Some(*function), arguments, indices)
            }
            Term::Apply(name, arguments) => match self.user_function(name) {
                Some((names, body)) if names.len() == arguments.len() => {
                    let given =
                        arguments.iter().map(|argument| self.unit_of(argument, indices)).collect::<Vec<_>>();
                    self.unit_inside(names.into_iter().zip(given).collect(), &body)
                }
                _ => self.unit_of_call(name, None, arguments, indices),
            },
            Term::Repeated(sum) => self.unit_of_repeated(sum, indices),
            Term::List(elements) => {
                let units: Vec<Known> =
                    elements.iter().map(|element| self.unit_of(element, indices)).collect();
                let first = *units.first()?;
                units.iter().all(|unit| unit.zip(first).is_some_and(|(a, b)| a.is(b))).then_some(first?)
            }
            Term::Element(whole, _) => self.unit_of(whole, indices),
            Term::If(parts) => {
                let [condition, first, second] = &**parts;
                self.unit_of(condition, indices);
                self.same_unit(&[first, second], "chosen instead of", indices)
            }
            Term::Compare(_, left, right) => {
                self.same_unit(&[left, right], "compared with", indices);
                None
            }
            Term::Not(condition) => {
                self.unit_of(condition, indices);
                None
            }
            Term::All(conditions) | Term::Any(conditions) => {
                conditions.iter().for_each(|condition| {
                    self.unit_of(condition, indices);
                });
                None
            }
        }
    }

    fn unit_of_name(&mut self, name: &Name, indices: &mut Indices) -> Known {
        let mut full = String::new();
        for part in &name.parts {
            match part {
                Part::Text(text) => full.push_str(text),
                Part::Index(index) => full.push_str(&self.whole_number(index, indices)?.to_string()),
            }
        }
        let local = self.units.frames.last().and_then(|frame| frame.get(&full).copied());
        let known = match (local, full.as_str()) {
            (Some(local), _) => local,
            (None, TIME) => Some(self.units.time),
            (None, PI) => None,
            (None, full) => self.units.get(full).or_else(|| self.unit_of_body(full)),
        };
        known.map(|unit| unit.over(self.units.time.power(f64::from(name.primes))))
    }

    /// The unit that all of these have; two that differ are a mistake.
    fn same_unit(&mut self, terms: &[&Expression], verb: &str, indices: &mut Indices) -> Known {
        let mut first: Option<(Unit, Span)> = None;
        let mut all_known = true;
        for term in terms {
            let unit = self.unit_of(term, indices);
            let is_number = exponent_of(term).is_some();
            all_known &= unit.is_some() || is_number;
            match (unit, first) {
                (Some(unit), None) => first = Some((unit, term.span)),
                (Some(unit), Some((other, span))) if !unit.is(other) => {
                    if !self.mistakes.has(term.span) {
                        self.mistakes
                            .add(term.span, format!("{unit} cannot be {verb} {other}"))
                            .label(format!("this is in {unit}"))
                            .also(span, format!("and this in {other}"));
                    }
                    return None;
                }
                _ => {}
            }
        }
        first.filter(|_| all_known).map(|(unit, _)| unit)
    }

    fn unit_of_product(&mut self, factors: &[(Factor, Expression)], indices: &mut Indices) -> Known {
        let mut product = Some(Unit::ONE);
        let mut above = 0;
        for (factor, operand) in factors {
            let harmless = match (factor, exponent_of(operand)) {
                (Factor::Over, Some(_)) => true,
                (Factor::Times, Some(value)) => value == 0.5 || value == 1.0,
                (_, None) => {
                    above += usize::from(*factor == Factor::Times);
                    let unit = self.unit_of(operand, indices);
                    product = product.zip(unit).map(|(product, unit)| match factor {
                        Factor::Times => product.times(unit),
                        Factor::Over => product.over(unit),
                    });
                    continue;
                }
            };
            product = product.filter(|_| harmless);
        }
        // 1/r may be a number over r, with a unit of its own.
        product.filter(|_| above > 0)
    }

    fn unit_of_call(
        &mut self,
        name: &str,
        function: Option<Function>,
        arguments: &[Expression],
        indices: &mut Indices,
    ) -> Known {
        let all: Vec<&Expression> = arguments.iter().collect();
        match (name, arguments) {
            ("abs" | "norm" | "transpose" | "floor" | "ceil" | "round", [x]) => self.unit_of(x, indices),
            ("sqrt", [x]) => Some(self.unit_of(x, indices)?.power(0.5)),
            ("cbrt", [x]) => Some(self.unit_of(x, indices)?.power(1.0 / 3.0)),
            ("min" | "max" | "hypot" | "mod", _) => self.same_unit(&all, "taken together with", indices),
            ("atan2", _) => {
                self.same_unit(&all, "taken together with", indices);
                Some(Unit::ONE)
            }
            ("dot" | "cross", [a, b]) => {
                let (a, b) = (self.unit_of(a, indices), self.unit_of(b, indices));
                Some(a?.times(b?))
            }
            ("pow", [base, exponent]) => Some(self.unit_of(base, indices)?.power(exponent_of(exponent)?)),
            (
                "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "erf",
                [x],
            ) => {
                self.expect_number_without_unit(name, x, indices);
                Some(Unit::ONE)
            }
            _ => {
                all.into_iter().for_each(|argument| {
                    self.unit_of(argument, indices);
                });
                function.filter(|_| name == "sign").map(|_| Unit::ONE)
            }
        }
    }

    fn expect_number_without_unit(&mut self, name: &str, argument: &Expression, indices: &mut Indices) {
        let Some(unit) = self.unit_of(argument, indices).filter(|unit| !unit.is_one()) else { return };
        if !self.mistakes.has(argument.span) {
            self.mistakes
                .add(argument.span, format!("{name} is taken of a number without unit"))
                .label(format!("this is in {unit}"));
        }
    }

    fn unit_of_repeated(&mut self, sum: &Repeated, indices: &mut Indices) -> Known {
        let (first, last) = (self.whole_number(&sum.first, indices)?, self.whole_number(&sum.last, indices)?);
        let mut unit = None;
        for i in first..=last {
            indices.push((sum.index.clone(), i as f64));
            unit = self.unit_of(&sum.body, indices);
            indices.pop();
        }
        unit
    }

    fn unit_inside(&mut self, arguments: HashMap<String, Known>, body: &Expression) -> Known {
        if self.units.frames.len() >= crate::limits::EXPRESSION_DEPTH {
            return None;
        }
        self.units.frames.push(arguments);
        let unit = self.unit_of(body, &mut Indices::new());
        self.units.frames.pop();
        unit
    }
}
