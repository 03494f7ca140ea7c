//! What an experiment finds: numbers against what was expected, and the curves they come from.

use std::fmt;

use crate::error::LabError;
use crate::order::Orders;
use crate::slope::{Fit, fit};

/// How far a measured order may be from the claimed one.
pub const CLOSE: f64 = 0.2;

/// What a claim says of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// this order, up to 0.2
    Order(usize),
    /// at least this order, up to 0.2
    OrderAtLeast(usize),
    /// this number, up to a deviation
    Near(f64, f64),
    /// a bound from above
    AtMost(f64),
    /// a bound from below
    AtLeast(f64),
}

impl Expected {
    /// Whether a number is as expected. What could not be measured is not.
    pub fn admits(self, measured: f64) -> bool {
        match self {
            Expected::Order(order) => (measured - order as f64).abs() <= CLOSE,
            Expected::OrderAtLeast(order) => measured >= order as f64 - CLOSE,
            Expected::Near(value, deviation) => (measured - value).abs() <= deviation,
            Expected::AtMost(bound) => measured <= bound,
            Expected::AtLeast(bound) => measured >= bound,
        }
    }

    /// The number that is compared with, how (`=`, `<=`, `>=`), and up to which deviation.
    pub fn relation(self) -> (f64, &'static str, f64) {
        match self {
            Expected::Order(order) => (order as f64, "=", CLOSE),
            Expected::OrderAtLeast(order) => (order as f64, ">=", CLOSE),
            Expected::Near(value, deviation) => (value, "=", deviation),
            Expected::AtMost(bound) => (bound, "<=", 0.0),
            Expected::AtLeast(bound) => (bound, ">=", 0.0),
        }
    }

    /// The measured number, written as it should be compared.
    pub fn written(self, measured: f64) -> String {
        match self {
            Expected::Order(_) | Expected::OrderAtLeast(_) => format!("{measured:.2}"),
            _ => short(measured),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Expected::Order(order) => write!(f, "{order}"),
            Expected::OrderAtLeast(order) => write!(f, ">= {order}"),
            Expected::Near(value, deviation) => write!(f, "{} +- {}", short(value), short(deviation)),
            Expected::AtMost(bound) => write!(f, "<= {}", short(bound)),
            Expected::AtLeast(bound) => write!(f, ">= {}", short(bound)),
        }
    }
}

/// A number with two or three digits; whole numbers as they are.
fn short(x: f64) -> String {
    let size = x.abs();
    if x.fract() == 0.0 && size < 1e7 {
        format!("{x}")
    } else if (1e-2..1e4).contains(&size) {
        let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.1e}")
    }
}

/// One number of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// the method, problem or parameter
    pub case: String,
    /// what is measured
    pub quantity: String,
    /// what the claim says of it
    pub expected: Expected,
    /// what came out
    pub measured: f64,
    /// the points that it was taken from, where it is a slope: step or another small parameter, and error
    pub points: Vec<(f64, f64)>,
}

impl Check {
    /// Whether the number is as expected.
    pub fn holds(&self) -> bool {
        self.expected.admits(self.measured)
    }
}

/// A curve, with its slope where it was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// the method, problem or parameter
    pub name: String,
    /// the points
    pub points: Vec<(f64, f64)>,
    /// the line through the logarithms, the points it was taken from, and how far they are from it
    pub fit: Option<Fit>,
}

impl Series {
    /// A curve without a slope.
    pub fn plain(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), points, fit: None }
    }

    /// Errors over steps (or another small parameter), from the largest to the smallest, with the slope above a plateau.
    pub fn fitted(name: impl Into<String>, points: Vec<(f64, f64)>, plateau: f64) -> Self {
        let (h, errors): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        Series { name: name.into(), points, fit: fit(&h, &errors, |_| plateau) }
    }

    /// What `measure` gives for each parameter, from the largest to the smallest, with the slope above a plateau.
    pub fn measured(
        name: impl Into<String>,
        parameters: &[f64],
        plateau: f64,
        mut measure: impl FnMut(f64) -> Result<f64, LabError>,
    ) -> Result<Self, LabError> {
        let points = parameters.iter().map(|&x| measure(x).map(|y| (x, y))).collect::<Result<_, _>>()?;
        Ok(Self::fitted(name, points, plateau))
    }

    /// The slope; NaN when there is none.
    pub fn slope(&self) -> f64 {
        self.fit.as_ref().map_or(f64::NAN, |fit| fit.slope)
    }
}

/// Curves over the same axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// what it shows
    pub title: String,
    /// what is to the right
    pub x: &'static str,
    /// what is upwards
    pub y: &'static str,
    /// whether the axes are logarithmic
    pub logarithmic: (bool, bool),
    /// the curves
    pub series: Vec<Series>,
}

/// Numbers over two parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// what it shows
    pub title: String,
    /// what goes down and what goes to the right
    pub corner: &'static str,
    /// the values of the second parameter
    pub columns: Vec<String>,
    /// each value of the first parameter with its numbers; what could not be measured is NaN
    pub rows: Vec<(String, Vec<f64>)>,
}

/// What an experiment found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// the numbers that decide
    pub checks: Vec<Check>,
    /// the curves behind them
    pub panels: Vec<Panel>,
    /// maps of numbers over two parameters
    pub tables: Vec<Table>,
    /// what else should be known, in sentences
    pub remarks: Vec<String>,
}

impl Finding {
    /// Adds a number.
    pub fn check(
        &mut self,
        case: impl Into<String>,
        quantity: impl Into<String>,
        expected: Expected,
        measured: f64,
    ) {
        let (case, quantity) = (case.into(), quantity.into());
        self.checks.push(Check { case, quantity, expected, measured, points: Vec::new() });
    }

    /// Adds the slope of a curve.
    pub fn check_slope(
        &mut self,
        case: impl Into<String>,
        quantity: &str,
        expected: Expected,
        series: &Series,
    ) {
        self.check(case, quantity, expected, series.slope());
        if let Some(check) = self.checks.last_mut() {
            check.points.clone_from(&series.points);
        }
    }

    /// Adds a curve to the panel with this title and doubly logarithmic axes.
    pub fn draw(&mut self, title: &str, x: &'static str, y: &'static str, series: Series) {
        self.draw_on(title, (x, y), (true, true), series);
    }

    /// Adds a curve to the panel with this title.
    pub fn draw_on(
        &mut self,
        title: &str,
        (x, y): (&'static str, &'static str),
        logarithmic: (bool, bool),
        series: Series,
    ) {
        match self.panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.series.push(series),
            None => {
                self.panels.push(Panel { title: title.into(), x, y, logarithmic, series: vec![series] });
            }
        }
    }

    /// Adds a curve of errors over steps and checks its slope.
    pub fn slope(
        &mut self,
        quantity: &str,
        expected: Expected,
        x: &'static str,
        y: &'static str,
        series: Series,
    ) {
        self.check_slope(series.name.clone(), quantity, expected, &series);
        self.draw(quantity, x, y, series);
    }

    /// Adds the errors of a convergence experiment and checks the orders of some groups.
    pub fn orders(&mut self, case: &str, orders: &Orders, expected: &[(&str, Expected)]) {
        for &(group, expected) in expected {
            let Some(place) = orders.groups.iter().position(|name| name == group) else {
                self.check(case, group, expected, f64::NAN);
                continue;
            };
            let points = orders.h.iter().copied().zip(orders.errors[place].iter().copied()).collect();
            let series = Series { name: case.into(), points, fit: orders.fits[place].clone() };
            self.slope(group, expected, "h", "error", series);
        }
    }

    /// The measured numbers in one line, quantity by quantity.
    pub fn measured(&self) -> String {
        let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
        for check in &self.checks {
            let written = check.expected.written(check.measured);
            match parts.iter_mut().find(|(quantity, _)| *quantity == check.quantity) {
                Some((_, numbers)) => numbers.push(written),
                None => parts.push((&check.quantity, vec![written])),
            }
        }
        let part = |(quantity, numbers): &(&str, Vec<String>)| format!("{quantity} {}", numbers.join(", "));
        parts.iter().map(part).collect::<Vec<_>>().join("; ")
    }

    /// The measured numbers with their bounds in brackets, quantity by quantity; equal bounds are given once.
    pub fn figures(&self) -> String {
        let mut quantities: Vec<&str> = Vec::new();
        for check in &self.checks {
            if !quantities.contains(&check.quantity.as_str()) {
                quantities.push(&check.quantity);
            }
        }
        let of_quantity = |quantity: &&str| {
            let checks: Vec<&Check> =
                self.checks.iter().filter(|check| check.quantity == *quantity).collect();
            let groups = checks.chunk_by(|one, other| one.expected == other.expected);
            let written = groups.map(|group| {
                let numbers: Vec<String> =
                    group.iter().map(|check| check.expected.written(check.measured)).collect();
                format!("{} ({})", numbers.join(", "), group[0].expected)
            });
            format!("{quantity} {}", written.collect::<Vec<_>>().join(", "))
        };
        quantities.iter().map(of_quantity).collect::<Vec<_>>().join("; ")
    }
}
