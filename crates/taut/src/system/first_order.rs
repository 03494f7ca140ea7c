//! What a person writes: a first-order system as formulas for any number type.

use std::cell::{OnceCell, RefCell};

use super::coloring::Coloring;
use super::fault::Evaluation;
use super::first_order_expansion::FirstOrderExpansion;
use super::first_order_system::{Arrangement, Composition, FirstOrderSystem};
use super::mechanical::Sparsity;
use super::number::{Dependence, Dual, Scalar, WATCHED};
use super::structure::{generic_point, watch};
use super::terms::LANES;
use super::traced;
use crate::linear::Pattern;

/// A first-order system E x' = f(t, x) as a formula for any number type; E is constant and may be singular.
///
/// ```
/// use taut::system::{FirstOrder, Scalar};
///
/// struct VanDerPol { epsilon: f64 }
///
/// impl FirstOrder for VanDerPol {
///     fn variables(&self) -> Vec<String> {
///         vec!["y".into(), "z".into()]
///     }
///     fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
///         rate[0] = x[1];
///         rate[1] = ((-x[0].square() + 1.0) * x[1] - x[0]) / self.epsilon;
///     }
/// }
/// ```
pub trait FirstOrder {
    /// The names of the variables.
    fn variables(&self) -> Vec<String>;

    /// f(t, x)
    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]);

    /// The nonzero entries (i, j, E_ij). The identity when it is not written.
    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..self.variables().len()).map(|i| (i, i, 1.0)).collect()
    }

    /// How the variables are arranged, when that is known.
    fn arrangement(&self) -> Arrangement {
        Arrangement::General
    }

    /// The index of each variable, when that is known.
    fn index(&self) -> Option<Vec<u8>> {
        None
    }

    /// Whether a state can be evaluated; a refusal shortens the step.
    fn domain(&self, _t: f64, _x: &[f64]) -> Evaluation {
        Ok(())
    }

    /// Whether the places of the Jacobian may be found by tracing the formula.
    fn sparsity(&self) -> Sparsity {
        Sparsity::Traced
    }
}

/// A [`FirstOrder`] system with its Jacobian, found by forward differentiation.
#[derive(Debug)]
pub struct Linearised<F> {
    system: F,
    composition: Composition,
    coloring: Coloring,
    workspace: RefCell<Workspace>,
    /// recorded when somebody asks for them first; nothing where they branch on values
    expansion: OnceCell<Option<FirstOrderExpansion>>,
}

#[derive(Debug)]
struct Workspace {
    x: Vec<Dual<LANES>>,
    rows: Vec<Dual<LANES>>,
}

impl<F: FirstOrder> Linearised<F> {
    /// Traces the formula once to find which entries of the Jacobian can be nonzero.
    pub fn new(system: F) -> Self {
        let variables = system.variables();
        let n = variables.len();
        let jacobian = match system.sparsity() {
            Sparsity::Dense => Pattern::dense(n, n),
            Sparsity::Traced => traced_jacobian(&system, n),
        };
        let entries = system.mass();
        let mass = Pattern::from_entries(n, n, entries.iter().map(|&(i, j, _)| (i, j)));
        let mut mass_values = vec![0.0; mass.nnz()];
        for &(i, j, entry) in &entries {
            if let Some(k) = mass.position(i, j) {
                mass_values[k] += entry;
            }
        }
        let workspace = Workspace { x: vec![Dual::constant(0.0); n], rows: vec![Dual::constant(0.0); n] };
        Linearised {
            coloring: Coloring::of(&jacobian),
            composition: Composition {
                variables,
                mass,
                mass_values,
                jacobian,
                index: system.index(),
                arrangement: system.arrangement(),
            },
            workspace: RefCell::new(workspace),
            expansion: OnceCell::new(),
            system,
        }
    }

    /// The system it was made of.
    pub fn system(&self) -> &F {
        &self.system
    }
}

fn traced_jacobian<F: FirstOrder>(system: &F, n: usize) -> Pattern {
    let point = generic_point(n, 0.3);
    let mut rows = vec![Dependence::constant(0.0); n];
    let mut places = Vec::new();
    for start in (0..n).step_by(WATCHED) {
        system.rate(Dependence::unwatched(0.1), &watch(&point, start), &mut rows);
        for (i, row) in rows.iter().enumerate() {
            places.extend(row.inputs().map(|j| (i, start + j)));
        }
    }
    Pattern::from_entries(n, n, places)
}

impl<F: FirstOrder> FirstOrderSystem for Linearised<F> {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        self.system.domain(t, x)?;
        self.system.rate(t, x, rate);
        self.composition.finite_variables(rate, "the rate", t)
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.system.domain(t, x)?;
        let Workspace { x: seeded, rows } = &mut *self.workspace.borrow_mut();
        for sweep in 0..self.coloring.sweeps(LANES) {
            self.coloring.seed(sweep, x, seeded);
            self.system.rate(Dual::constant(t), seeded, rows);
            self.coloring.collect(sweep, &self.composition.jacobian, rows, jacobian);
        }
        self.composition.finite_jacobian(jacobian, t)
    }

    fn expansion(&self) -> Option<FirstOrderExpansion> {
        self.expansion.get_or_init(|| traced::first_order(&self.system, &self.composition)).clone()
    }
}
