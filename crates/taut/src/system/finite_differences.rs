//! Systems of which only values are known.

use std::cell::RefCell;

use crate::linear::{Coloring, Pattern};
use crate::seen::{Composition, Evaluation, FirstOrderSystem};

/// Numbers smaller than this are moved as if they were of this size (Hairer and Wanner's RADAU5 takes the same).
const SMALL: f64 = 1e-5;

/// E x' = f(t, x) of which only a function for f is known: its Jacobian is found by finite differences.
///
/// A fallback: half of the digits of the Jacobian are right, which costs iterations and, at tolerances below 1e-8, steps.
/// Formulas written for any number type ([`FirstOrder`](super::FirstOrder)) have exact derivatives. Columns that share no
/// row are moved together, so that a pattern makes differences of large systems cheap.
///
/// ```
/// use taut::Solver;
/// use taut::system::FiniteDifferences;
///
/// let decay = FiniteDifferences::new(["x"], |_t, x: &[f64], rate: &mut [f64]| {
///     rate[0] = -50.0 * (x[0] - 1.0);
///     Ok(())
/// });
/// let motion = Solver::first_order(&decay).tolerance(1e-6).run(0.0, 2.0, &[3.0])?;
/// assert!((motion.y[0] - 1.0).abs() < 1e-5);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Debug)]
pub struct FiniteDifferences<F> {
    composition: Composition,
    coloring: Coloring,
    rate: F,
    scratch: RefCell<Scratch>,
}

#[derive(Debug)]
struct Scratch {
    moved: Vec<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
}

impl<F: Fn(f64, &[f64], &mut [f64]) -> Evaluation> FiniteDifferences<F> {
    /// x' = f(t, x), where every rate may depend on every variable.
    pub fn new<N: Into<String>>(variables: impl IntoIterator<Item = N>, rate: F) -> Self {
        let variables: Vec<String> = variables.into_iter().map(Into::into).collect();
        let n = variables.len();
        let ones: Vec<_> = (0..n).map(|i| (i, i, 1.0)).collect();
        Self::with_composition(Composition::new(variables, &ones, Pattern::dense(n, n)), rate)
    }

    /// E x' = f(t, x) with a matrix E and the places of the Jacobian.
    pub fn with_composition(composition: Composition, rate: F) -> Self {
        let n = composition.n();
        let scratch = Scratch { moved: vec![0.0; n], here: vec![0.0; n], there: vec![0.0; n] };
        FiniteDifferences {
            coloring: Coloring::of(&composition.jacobian),
            composition,
            rate,
            scratch: RefCell::new(scratch),
        }
    }
}

impl<F: Fn(f64, &[f64], &mut [f64]) -> Evaluation> FirstOrderSystem for FiniteDifferences<F> {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        (self.rate)(t, x, rate)?;
        self.composition.finite_variables(rate, "the rate", t)
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let Scratch { moved, here, there } = &mut *self.scratch.borrow_mut();
        let pattern = &self.composition.jacobian;
        self.rate(t, x, here)?;
        for color in 0..self.coloring.colors() {
            let is_moved = |j: usize| self.coloring.has(j, color);
            for (j, (moved, x)) in moved.iter_mut().zip(x).enumerate() {
                *moved = if is_moved(j) { x + (f64::EPSILON * x.abs().max(SMALL)).sqrt() } else { *x };
            }
            self.rate(t, moved, there)?;
            for j in (0..x.len()).filter(|&j| is_moved(j)) {
                let start = pattern.column_starts()[j];
                for (entry, &i) in jacobian[start..].iter_mut().zip(pattern.column(j)) {
                    *entry = (there[i] - here[i]) / (moved[j] - x[j]);
                }
            }
        }
        self.composition.finite_jacobian(jacobian, t)
    }
}
