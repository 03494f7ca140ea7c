//! Motion to thirty digits: Taylor's series in double-double numbers.
//!
//! For references, and to see how many digits of a result are right. Steps are those of the method `taylor`
//! (`step/taylor`): one elimination of [M Gᵀ; G 0], one solution for each order, projection, and the comparison of
//! accelerations at the end of a step. States and times are [`DoubleDouble`] numbers throughout; so are the constants of
//! the formulas, which whoever has them exactly hands over.

mod algebraic;
mod error;
mod first_order;
mod mechanism;
mod series;

use algebraic::Algebraic;
pub use error::DigitsError;
use first_order::Ordinary;
use mechanism::Mechanism;
use series::{Row, evaluate, reach, slope};
use taut_formula::expansion::HIGHEST_ORDER;
use taut_formula::number::{DoubleDouble, Scalar};

use crate::system::{FirstOrderExpansion, MechanicalExpansion, Structure};

/// The most digits there are.
pub const MOST_DIGITS: usize = 30;

/// A dense elimination in double-double numbers has at most so many unknowns.
const MOST_UNKNOWNS: usize = 400;

/// Equations to be integrated in double-double numbers.
#[derive(Clone, Debug)]
pub enum DigitsSystem {
    /// a mechanism with its structure; the state is (q, v, λ)
    Mechanical(MechanicalExpansion, Box<Structure>),
    /// E x' = f(t, x) of so many variables, with E = 1, of index 1, or u' = f(u, v), v' = k(u, v, λ), 0 = g(u); the state is x
    FirstOrder(FirstOrderExpansion, usize),
}

/// A run in double-double numbers.
///
/// The last terms of a series are 10⁻ᵈ times `share` in the scale 1 + |y|, with d digits.
#[derive(Clone, Debug)]
pub struct Digits {
    /// what is integrated
    pub system: DigitsSystem,
    /// the values of formulas of parameters
    pub constants: Vec<DoubleDouble>,
    /// how many digits are wanted
    pub digits: usize,
    /// the order of the series, at most [`HIGHEST_ORDER`]: 6 + 1.5 digits costs about least
    pub order: usize,
    /// how small the last terms are
    pub share: f64,
    /// the run gives up after so many steps
    pub most_steps: usize,
}

/// What comes out.
#[derive(Clone, Debug)]
pub struct DigitsMotion {
    /// the states at the times that were asked for: (q, v, λ), or x
    pub states: Vec<Vec<DoubleDouble>>,
    /// how many steps were taken
    pub steps: usize,
}

/// What a step needs of its equations.
trait Exact {
    /// Moves a state onto its constraints.
    fn project(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError>;
    /// Places the expansion at a state, and writes multipliers.
    fn place(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError>;
    /// The highest derivative that the equations give where the expansion was placed: v', or x'.
    fn highest_rate(&self) -> &[DoubleDouble];
    /// Finds the coefficients of all positions.
    fn expand(&mut self, rows: &mut [Row]);
    /// How many derivatives of a position the state has.
    fn derivatives(&self) -> usize;
}

impl Digits {
    /// A run with the usual order.
    pub fn new(system: DigitsSystem, constants: Vec<DoubleDouble>, digits: usize) -> Self {
        let digits = digits.clamp(1, MOST_DIGITS);
        let order = 6 + (3 * digits).div_ceil(2);
        Digits { system, constants, digits, order, share: 0.1, most_steps: 100_000 }
    }

    /// Integrates from a start (q, v), or x, through times in the order of the motion.
    pub fn run(
        &self,
        t: DoubleDouble,
        start: &[DoubleDouble],
        times: &[DoubleDouble],
    ) -> Result<DigitsMotion, DigitsError> {
        match &self.system {
            DigitsSystem::Mechanical(formulas, structure) => {
                let expansion = formulas.expansion_with(self.order, &self.constants);
                let mut system = Mechanism::new(formulas.clone(), expansion, structure)?;
                let mut y = start.to_vec();
                y.resize(2 * structure.n() + structure.m(), DoubleDouble::default());
                self.go(&mut system, structure.n(), (t, y), times)
            }
            DigitsSystem::FirstOrder(formulas, n) => {
                let mut y = start.to_vec();
                y.resize(*n, DoubleDouble::default());
                if let Some(mut system) = Algebraic::new(formulas, &self.constants, self.order, *n)? {
                    return self.go(&mut system, *n, (t, y), times);
                }
                let mut system = Ordinary::new(formulas.expansion_with(self.order, &self.constants), *n);
                self.go(&mut system, *n, (t, y), times)
            }
        }
    }

    fn go(
        &self,
        system: &mut dyn Exact,
        n: usize,
        (mut t, mut y): (DoubleDouble, Vec<DoubleDouble>),
        times: &[DoubleDouble],
    ) -> Result<DigitsMotion, DigitsError> {
        let mut rows = vec![vec![DoubleDouble::default(); self.order.min(HIGHEST_ORDER) + 1]; n];
        system.project(t, &mut y)?;
        system.place(t, &mut y)?;
        let (mut states, mut steps) = (Vec::with_capacity(times.len()), 0);
        let mut waiting = times.iter().peekable();
        while let Some(time) = waiting.next_if(|time| (**time - t).value() == 0.0) {
            debug_assert!(time.is_finite());
            states.push(y.clone());
        }
        let Some(&end) = times.last() else { return Ok(DigitsMotion { states, steps }) };
        while waiting.peek().is_some() {
            system.expand(&mut rows);
            let wanted = self.share * 10.0_f64.powi(-(self.digits as i32));
            let mut h = reach(&rows, system.derivatives(), wanted).copysign((end - t).value());
            let next = loop {
                steps += 1;
                if steps > self.most_steps {
                    return Err(DigitsError::TooManySteps { t: t.value(), steps: self.most_steps });
                }
                let to = if h.abs() >= (end - t).value().abs() { end } else { t + h };
                match self.attempt(system, &rows, (t, to), &mut y)? {
                    error if error <= 1.0 => break to,
                    _ => h *= SHORTER,
                }
                if (t + h - t).value() == 0.0 {
                    return Err(DigitsError::StepTooSmall { t: t.value() });
                }
            };
            // A polynomial has steps without end: its sign alone.
            let is_within = |time: &DoubleDouble| (next - *time).value() * h.signum() >= 0.0;
            while let Some(time) = waiting.next_if(|time| is_within(time)) {
                let mut inside = y.clone();
                predict(&rows, *time - t, system.derivatives(), &mut inside);
                system.project(*time, &mut inside)?;
                system.place(*time, &mut inside)?;
                states.push(inside);
            }
            t = next;
            system.place(t, &mut y)?;
        }
        Ok(DigitsMotion { states, steps })
    }

    /// The state at the end of a step, and its error: what the highest derivatives of series and equations differ by, of which
    /// a share h/p is in the state.
    fn attempt(
        &self,
        system: &mut dyn Exact,
        rows: &[Row],
        (t, to): (DoubleDouble, DoubleDouble),
        y: &mut [DoubleDouble],
    ) -> Result<f64, DigitsError> {
        let (h, derivatives) = (to - t, system.derivatives());
        predict(rows, h, derivatives, y);
        system.project(to, y)?;
        system.place(to, y)?;
        let share = h.value().abs() / self.order as f64;
        let defects = rows.iter().zip(system.highest_rate()).map(|(row, rate)| {
            let defect = (slope(row, h, derivatives) - *rate).value().abs() * share;
            defect / (1.0 + rate.value().abs())
        });
        let tolerance = 10.0_f64.powi(-(self.digits as i32));
        let error = defects.fold(0.0, crate::control::error_norm::larger) / tolerance;
        Ok(if error.is_nan() { f64::INFINITY } else { error })
    }
}

/// A step that was rejected is tried again with this share of its length.
const SHORTER: f64 = 0.7;

/// Positions and velocities, or variables, after a time.
fn predict(rows: &[Row], h: DoubleDouble, derivatives: usize, y: &mut [DoubleDouble]) {
    for (k, row) in rows.iter().enumerate() {
        y[k] = evaluate(row, h);
        if derivatives > 1 {
            y[rows.len() + k] = slope(row, h, 1);
        }
    }
}
