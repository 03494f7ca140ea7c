//! Reading the reference files: one start of one problem.
//!
//! All numbers are decimal strings with more digits than a double holds, so that they are rounded once, here.

use toml::{Table, Value};

use crate::error::Error;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// How a state is written in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// q, v
    Motion,
    /// q, v, λ and perhaps more; `factor` turns the file's λ into that of M v' = f − Gᵀλ
    WithMultipliers { factor: f64 },
    /// q, v, v', λ
    WithAccelerations,
    /// the variables of a first-order system
    Variables,
}

/// One start of one problem, with the parameters that belong to it.
pub(crate) struct Data {
    name: String,
    file: Table,
    start: Table,
}

impl Data {
    /// Reads the file and picks the start called `start`.
    pub(crate) fn read(name: &str, text: &str, start: &str) -> Result<Data, Error> {
        let wrong = |key: &str, reason: String| Error::Data { problem: name.into(), key: key.into(), reason };
        let file: Table = text.parse().map_err(|e| wrong("", format!("{e}")))?;
        let start = tables(&file, "start")
            .find(|table| table.get("id").and_then(Value::as_str) == Some(start))
            .cloned()
            .ok_or_else(|| Error::UnknownStart { problem: name.into(), start: start.into() })?;
        Ok(Data { name: name.into(), file, start })
    }

    /// A parameter of this start, or else of the problem.
    pub(crate) fn parameter(&self, key: &str) -> Result<f64, Error> {
        self.number(self.parameter_value(key)?, key)
    }

    /// A list of parameters.
    pub(crate) fn parameters(&self, key: &str) -> Result<Vec<f64>, Error> {
        self.numbers(self.parameter_value(key)?, key)
    }

    /// A list of exactly `N` parameters.
    pub(crate) fn parameter_array<const N: usize>(&self, key: &str) -> Result<[f64; N], Error> {
        let list = self.parameters(key)?;
        list.try_into().map_err(|list: Vec<f64>| self.wrong(key, format!("{} numbers, not {N}", list.len())))
    }

    /// Whether a parameter is given for this start or for the problem.
    pub(crate) fn has_parameter(&self, key: &str) -> bool {
        self.parameter_value(key).is_ok()
    }

    /// Puts the problem together around its equations.
    pub(crate) fn problem(&self, purpose: &str, layout: Layout, system: System) -> Result<Problem, Error> {
        let start_name = self.text(&self.start, "id")?;
        let start = Start {
            t: self.number(self.value(&self.file, "t0")?, "t0")?,
            state: self.state(&self.start, layout, &system)?,
        };
        let mut references = Vec::new();
        for table in tables(&self.file, "reference") {
            if self.text(table, "start")? == start_name {
                references.push(self.reference(table, layout, &system)?);
            }
        }
        let index = self.value(&self.file, "index")?.as_integer().and_then(|i| u8::try_from(i).ok());
        Ok(Problem {
            name: self.name.clone(),
            start_name,
            title: self.text(&self.file, "title")?,
            source: self.text(&self.file, "source")?,
            purpose: purpose.into(),
            index: index.ok_or_else(|| self.wrong("index", "not a small number".into()))?,
            system,
            start,
            t_end: self.number(self.value(&self.file, "t_end")?, "t_end")?,
            kinks: Vec::new(),
            references,
        })
    }

    fn reference(&self, table: &Table, layout: Layout, system: &System) -> Result<Reference, Error> {
        let digits = self.value(table, "digits")?.as_integer().and_then(|d| u32::try_from(d).ok());
        Ok(Reference {
            t: self.number(self.value(table, "t")?, "t")?,
            state: self.state(table, layout, system)?,
            digits: digits.ok_or_else(|| self.wrong("digits", "not a small number".into()))?,
        })
    }

    fn state(&self, table: &Table, layout: Layout, system: &System) -> Result<State, Error> {
        let n = system.n();
        let y = self.numbers(self.value(table, "y")?, "y")?;
        let Some(mechanism) = system.mechanism() else { return self.variables(table, y, n) };
        let m = mechanism.structure().m();
        motion(&y, layout, n, m)
            .map(State::Motion)
            .ok_or_else(|| self.wrong("y", format!("{} numbers for n = {n}, m = {m}", y.len())))
    }

    fn variables(&self, table: &Table, y: Vec<f64>, n: usize) -> Result<State, Error> {
        if y.len() == n {
            return Ok(State::Variables(y));
        }
        let numbers: Vec<usize> = match table.get("components").and_then(Value::as_array) {
            None => (0..y.len()).collect(),
            Some(list) => list
                .iter()
                .map(|k| k.as_integer().and_then(|k| usize::try_from(k - 1).ok()).filter(|&k| k < n))
                .collect::<Option<_>>()
                .ok_or_else(|| self.wrong("components", "not a list of variables".into()))?,
        };
        Ok(State::Some(numbers.into_iter().zip(y).collect()))
    }

    fn parameter_value(&self, key: &str) -> Result<&Value, Error> {
        let own = self.start.get("parameters").and_then(|table| table.get(key));
        own.or_else(|| self.file.get("parameters").and_then(|table| table.get(key)))
            .ok_or_else(|| self.wrong(key, "missing".into()))
    }

    fn value<'a>(&self, table: &'a Table, key: &str) -> Result<&'a Value, Error> {
        table.get(key).ok_or_else(|| self.wrong(key, "missing".into()))
    }

    fn text(&self, table: &Table, key: &str) -> Result<String, Error> {
        let text = self.value(table, key)?.as_str();
        text.map(str::to_owned).ok_or_else(|| self.wrong(key, "not a text".into()))
    }

    fn number(&self, value: &Value, key: &str) -> Result<f64, Error> {
        let number = value.as_str().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.wrong(key, format!("{value:?} is not a decimal string")))
    }

    fn numbers(&self, value: &Value, key: &str) -> Result<Vec<f64>, Error> {
        let list = value.as_array().ok_or_else(|| self.wrong(key, "not a list".into()))?;
        list.iter().map(|value| self.number(value, key)).collect()
    }

    fn wrong(&self, key: &str, reason: String) -> Error {
        Error::Data { problem: self.name.clone(), key: key.into(), reason }
    }
}

fn tables<'a>(file: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    file.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table)
}

fn motion(y: &[f64], layout: Layout, n: usize, m: usize) -> Option<Motion> {
    let part = |from: usize, length: usize| y.get(from..from + length).map(<[f64]>::to_vec);
    let mut motion = Motion { q: part(0, n)?, v: part(n, n)?, a: None, lambda: None };
    match layout {
        Layout::Motion | Layout::Variables => {}
        Layout::WithMultipliers { factor } => {
            motion.lambda = Some(part(2 * n, m)?.into_iter().map(|lambda| factor * lambda).collect());
        }
        Layout::WithAccelerations => {
            motion.a = Some(part(2 * n, n)?);
            motion.lambda = Some(part(3 * n, m)?);
        }
    }
    Some(motion)
}
