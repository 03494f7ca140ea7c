//! Linear multistep methods with constant steps, given by their polynomials rho and sigma (Nipp 1999).

use std::fmt;

use taut_tableau::Multistep as Coefficients;

use crate::error::Error;
use crate::geometry::pencil::pencil;
use crate::linear::{Choice, Saddle, SaddlePattern, Scales};
use crate::method::Method;
use crate::options::AlgebraicRows;
use crate::run::Output;
use crate::solver::Solver;
use crate::step::StepFailure;
use crate::system::FirstOrderSystem;

/// Radau IIA with so many stages computes starting values: variables of index 2 have the order of the stages, beyond that of
/// every stable backward differentiation formula.
const STARTING_STAGES: usize = 7;
/// Newton's iteration gives up after so many rounds.
const MOST_ITERATIONS: usize = 30;
/// It ends when updates are below this share of the state.
const CLOSE_ENOUGH: f64 = 4.0 * f64::EPSILON;
/// Updates that no longer fall are rounding errors below this share of the state.
const ROUNDING: f64 = 1e-10;

/// A multistep method cannot be applied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MultistepError {
    /// rho has a zero on the unit circle, or outside, besides a simple one at 1
    NotStrictlyStable {
        /// the method
        name: String,
        /// the zeros of rho as (real part, imaginary part)
        roots: Vec<(f64, f64)>,
    },
    /// sigma has a zero on the unit circle or outside, or the method is explicit
    NotStiffly {
        /// the method
        name: String,
        /// the zeros of sigma as (real part, imaginary part)
        roots: Vec<(f64, f64)>,
    },
    /// the number of starting values is not the number of steps
    Starts {
        /// how many there are
        found: usize,
        /// how many are needed
        expected: usize,
    },
    /// the step is not a finite number, or zero
    Length(f64),
    /// starting values could not be computed
    Start(Box<Error>),
    /// a step could not be computed
    Step(StepFailure),
}

impl fmt::Display for MultistepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MultistepError::NotStrictlyStable { name, roots } => {
                write!(f, "{name} is not strictly stable: the zeros of rho are {}", Roots(roots))
            }
            MultistepError::NotStiffly { name, roots } if roots.is_empty() => {
                write!(
                    f,
                    "{name} is not stiffly stable: it is explicit, or sigma has no zeros that could be found"
                )
            }
            MultistepError::NotStiffly { name, roots } => {
                write!(f, "{name} is not stiffly stable: the zeros of sigma are {}", Roots(roots))
            }
            MultistepError::Starts { found, expected } => {
                write!(f, "there are {found} starting values, {expected} are needed")
            }
            MultistepError::Length(h) => write!(f, "a step cannot have the length {h}"),
            MultistepError::Start(error) => write!(f, "starting values cannot be computed: {error}"),
            MultistepError::Step(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for MultistepError {}

impl From<StepFailure> for MultistepError {
    fn from(failure: StepFailure) -> Self {
        MultistepError::Step(failure)
    }
}

/// Zeros as a person reads them, with their moduli.
struct Roots<'r>(&'r [(f64, f64)]);

impl fmt::Display for Roots<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (re, im)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{re:.6}{im:+.6}i (modulus {:.6})", re.hypot(*im))?;
        }
        Ok(())
    }
}

/// Σ αᵢ E xᵢ = h Σ βᵢ f(tᵢ, xᵢ) with a constant step h, for E x' = f(t, x).
///
/// For measurements on discrete invariant manifolds: singularly perturbed systems, index 1, index 2. It solves to rounding
/// with a Jacobian for every iteration; to integrate, take [`Method::bdf`].
pub struct LinearMultistep<'a> {
    system: &'a dyn FirstOrderSystem,
    coefficients: Coefficients,
    rows: AlgebraicRows,
    algebraic: Vec<bool>,
    h: f64,
    t: f64,
    /// the newest k states and f there, the oldest first
    states: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    saddle: Saddle,
    jacobian: Vec<f64>,
    /// what the past contributes
    past: Vec<f64>,
    next: Vec<f64>,
    rate: Vec<f64>,
    residual: Vec<f64>,
}

impl<'a> LinearMultistep<'a> {
    /// Begins at a state that is made [consistent](crate::start::consistent_variables), or refused with its residual;
    /// starting values come from Radau IIA of higher order.
    pub fn start(
        system: &'a dyn FirstOrderSystem,
        coefficients: Coefficients,
        rows: AlgebraicRows,
        h: f64,
        t: f64,
        x: &[f64],
    ) -> Result<Self, MultistepError> {
        check(&coefficients, h)?;
        let started = |error: Error| MultistepError::Start(Box::new(error));
        let radau = Method::radau().with_stages(STARTING_STAGES).map_err(|error| started(error.into()))?;
        let solver = Solver::first_order(system).method(radau).tolerance(1e-14).step(h).output(Output::Steps);
        let until = t + h * (coefficients.steps() - 1) as f64;
        let motion = solver.run(t, until, x).map_err(started)?;
        let starts = motion.trajectory.iter().map(|(_, x)| x.to_vec()).collect();
        Self::from_states(system, coefficients, rows, h, t, starts)
    }

    /// Begins with given states at t, t + h, …, as they are, consistent or not.
    pub fn from_states(
        system: &'a dyn FirstOrderSystem,
        coefficients: Coefficients,
        rows: AlgebraicRows,
        h: f64,
        t: f64,
        states: Vec<Vec<f64>>,
    ) -> Result<Self, MultistepError> {
        check(&coefficients, h)?;
        let (found, expected) = (states.len(), coefficients.steps());
        let composition = system.composition();
        let n = composition.n();
        if found != expected || states.iter().any(|x| x.len() != n) {
            return Err(MultistepError::Starts { found, expected });
        }
        let mut rates = vec![vec![0.0; n]; expected];
        for (i, (x, rate)) in states.iter().zip(&mut rates).enumerate() {
            system.rate(t + i as f64 * h, x, rate).map_err(StepFailure::from)?;
        }
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        Ok(LinearMultistep {
            system,
            rows,
            algebraic: composition.algebraic_rows(),
            h,
            t: t + (expected - 1) as f64 * h,
            next: states[expected - 1].clone(),
            states,
            rates,
            saddle: Saddle::new(&pattern, Choice::Auto),
            jacobian: vec![0.0; composition.jacobian.nnz()],
            past: vec![0.0; n],
            rate: vec![0.0; n],
            residual: vec![0.0; n],
            coefficients,
        })
    }

    /// The time that has been reached.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// The state that has been reached.
    pub fn state(&self) -> &[f64] {
        &self.states[self.states.len() - 1]
    }

    /// The newest k states, the oldest first.
    pub fn states(&self) -> &[Vec<f64>] {
        &self.states
    }

    /// Takes a step.
    pub fn step(&mut self) -> Result<(), MultistepError> {
        let to = self.t + self.h;
        self.collect_past();
        self.extrapolate();
        self.solve(to)?;
        self.system.rate(to, &self.next, &mut self.rate).map_err(StepFailure::from)?;
        self.states.rotate_left(1);
        self.rates.rotate_left(1);
        let newest = self.states.len() - 1;
        self.states[newest].copy_from_slice(&self.next);
        self.rates[newest].copy_from_slice(&self.rate);
        self.t = to;
        Ok(())
    }

    /// Σ αᵢ E xᵢ − h Σ βᵢ fᵢ over the past; without it in algebraic equations that are taken at the new state only.
    fn collect_past(&mut self) {
        let composition = self.system.composition();
        self.past.fill(0.0);
        let known = self.coefficients.alpha().iter().zip(self.coefficients.beta());
        for ((alpha, beta), (x, rate)) in known.zip(self.states.iter().zip(&self.rates)) {
            composition.mass.multiply_add(&composition.mass_values, x, &mut self.past, *alpha);
            for (past, rate) in self.past.iter_mut().zip(rate) {
                *past -= self.h * beta * rate;
            }
        }
        if self.rows == AlgebraicRows::Indirect {
            for (past, algebraic) in self.past.iter_mut().zip(&self.algebraic) {
                if *algebraic {
                    *past = 0.0;
                }
            }
        }
    }

    /// The polynomial through the newest states, at the next time.
    fn extrapolate(&mut self) {
        self.next.fill(0.0);
        let k = self.states.len();
        let mut binomial = 1.0;
        for j in 1..=k {
            binomial *= -((k + 1 - j) as f64) / j as f64;
            for (next, x) in self.next.iter_mut().zip(&self.states[k - j]) {
                *next -= binomial * x;
            }
        }
    }

    /// Newton's iteration for E x − h β_k f(x) + past = 0, until rounding stops it.
    fn solve(&mut self, to: f64) -> Result<(), StepFailure> {
        let composition = self.system.composition();
        let step = self.h * self.coefficients.beta()[self.coefficients.steps()];
        let mut before = f64::INFINITY;
        for iteration in 1..=MOST_ITERATIONS {
            self.system.rate(to, &self.next, &mut self.rate)?;
            self.system.jacobian(to, &self.next, &mut self.jacobian)?;
            for (residual, (past, rate)) in self.residual.iter_mut().zip(self.past.iter().zip(&self.rate)) {
                *residual = past - step * rate;
            }
            composition.mass.multiply_add(&composition.mass_values, &self.next, &mut self.residual, 1.0);
            let scales = Scales { alpha: 1.0, beta: 0.0, gamma: -step, delta: 0.0 };
            self.saddle
                .assemble_and_factor(&pencil(composition, &self.jacobian), scales)
                .map_err(|s| StepFailure::singular(s, |row| composition.variables[row].clone()))?;
            self.saddle.solve(&mut self.residual);
            let mut size = (0.0_f64, 1.0_f64);
            for (x, update) in self.next.iter_mut().zip(&self.residual) {
                *x -= update;
                size = (size.0.max(update.abs()), size.1.max(x.abs()));
            }
            let share = size.0 / size.1;
            if share <= CLOSE_ENOUGH || (share >= before && share <= ROUNDING) {
                return Ok(());
            }
            if !share.is_finite() || (share >= before && iteration > 5) {
                return Err(StepFailure::Newton { contraction: share / before, iterations: iteration });
            }
            before = share;
        }
        Err(StepFailure::Newton { contraction: 1.0, iterations: MOST_ITERATIONS })
    }
}

/// Hypothesis H_LMM of Nipp 1999: strictly stable, and stable at infinity.
fn check(coefficients: &Coefficients, h: f64) -> Result<(), MultistepError> {
    let name = || coefficients.name().to_owned();
    if !coefficients.is_strictly_stable() {
        return Err(MultistepError::NotStrictlyStable { name: name(), roots: coefficients.rho_roots() });
    }
    if !coefficients.is_stable_at_infinity() {
        return Err(MultistepError::NotStiffly { name: name(), roots: coefficients.sigma_roots() });
    }
    if !h.is_finite() || h == 0.0 {
        return Err(MultistepError::Length(h));
    }
    Ok(())
}
