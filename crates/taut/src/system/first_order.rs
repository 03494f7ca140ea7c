//! What a person writes: a first-order system as formulas for any number type.

use std::cell::RefCell;
use std::sync::Arc;

use taut_formula::graph::{Graph, Input, Node};
use taut_formula::number::{Traced, record};
use taut_formula::settings::Setting;
use taut_formula::tape::{Evaluator, Pending, State};

use super::dual_numbers::MOST_UNRECORDED;
use super::mechanical::Sparsity;
use super::number::{Dual, Scalar, Unrecorded};
use super::terms::{LANES, differentiate};
use super::traced::{inputs, nodes, zeros};
use crate::compiled;
use crate::linear::Pattern;
use crate::seen::{
    Arrangement, Composition, Evaluation, Fault, FirstOrderExpansion, FirstOrderFormulas,
    FirstOrderRecursion, FirstOrderSystem,
};

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

    /// Whether the formula may be recorded, see [`Sparsity`].
    fn sparsity(&self) -> Sparsity {
        Sparsity::Traced
    }
}

/// A [`FirstOrder`] system with its Jacobian.
///
/// The formula is recorded once, and differentiated symbolically; the Jacobian is as sparse as the formula. A formula that asks for
/// the value of a number, such as to branch on it, cannot be recorded ([`unrecorded`](Self::unrecorded) says so): it is
/// differentiated by dual numbers, in all directions, and its Jacobian is full.
#[derive(Debug)]
pub struct Linearised<F> {
    system: F,
    composition: Composition,
    slopes: Slopes,
}

/// How the Jacobian is found.
#[derive(Debug)]
enum Slopes {
    Recorded(Box<Recorded>),
    /// why it was not recorded, where it was meant to be; the variables and their rates
    Unrecorded(Option<Unrecorded>, RefCell<[Vec<Dual<LANES>>; 2]>),
}

#[derive(Debug)]
struct Recorded {
    jacobian: Evaluator,
    /// values that change their sign where rates jump or have kinks, and how many
    branches: (Evaluator, usize),
    graph: Arc<Graph>,
    recursion: FirstOrderRecursion,
}

impl<F: FirstOrder> Linearised<F> {
    /// Records the formula and differentiates it.
    pub fn new(system: F) -> Self {
        let variables = system.variables();
        let n = variables.len();
        let mut composition = Composition {
            index: system.index(),
            arrangement: system.arrangement(),
            ..Composition::new(variables, &system.mass(), Pattern::empty(n, n))
        };
        let recorded = match system.sparsity() {
            Sparsity::Traced => recorded(&system, &composition).map_err(Some),
            Sparsity::Dense => Err(None),
        };
        let slopes = match recorded {
            Ok((pattern, recorded)) => {
                composition.jacobian = pattern;
                Slopes::Recorded(Box::new(recorded))
            }
            Err(reason) => {
                let is_hopeless = reason.is_some() && n > MOST_UNRECORDED;
                let size = if is_hopeless { 0 } else { n };
                if !is_hopeless {
                    composition.jacobian = Pattern::dense(n, n);
                }
                let workspace = [0, 1].map(|_| vec![Dual::constant(0.0); size]);
                Slopes::Unrecorded(reason, RefCell::new(workspace))
            }
        };
        Linearised { system, composition, slopes }
    }

    /// The system it was made of.
    pub fn system(&self) -> &F {
        &self.system
    }

    /// Why the formula was not recorded; nothing where it was, or where the system declares its Jacobian to be full.
    pub fn unrecorded(&self) -> Option<Unrecorded> {
        match self.slopes {
            Slopes::Recorded(_) => None,
            Slopes::Unrecorded(reason, _) => reason,
        }
    }
}

/// The places of the Jacobian, and what computes its entries and the coefficients of series.
fn recorded<F: FirstOrder>(system: &F, composition: &Composition) -> Result<(Pattern, Recorded), Unrecorded> {
    let n = composition.n();
    let (mut graph, rates) = record(|| {
        let mut rates = zeros(n);
        system.rate(Traced::input(Input::Time), &inputs(n, Input::Position), &mut rates);
        nodes(rates)
    })?;
    let (pattern, entries) = compiled::jacobian(&mut graph, &rates);
    let branches = graph.switches(&rates);
    if graph.is_exhausted() {
        return Err(Unrecorded::TooLarge);
    }
    let mass = composition.mass.entries().zip(&composition.mass_values);
    let recursion = FirstOrderRecursion::of(FirstOrderFormulas {
        rates,
        mass: mass.map(|((i, j), &entry)| (i, j, Setting::Constant(entry))).collect(),
        held: match composition.arrangement {
            Arrangement::Hessenberg3 { u, v } => Some([u, v]),
            _ => None,
        },
    });
    let graph = Arc::new(graph.closed());
    let evaluator =
        |nodes: &[Node]| Evaluator::new(&Arc::new(Pending::new(nodes, n, 0)), &graph, &Arc::default());
    let (jacobian, branches) = (evaluator(&entries), (evaluator(&branches), branches.len()));
    Ok((pattern, Recorded { jacobian, branches, graph, recursion }))
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
        match &self.slopes {
            Slopes::Recorded(recorded) => {
                if recorded.jacobian.evaluate(State { t, q: x, ..State::default() }, &mut [jacobian]) {
                    return Ok(());
                }
            }
            Slopes::Unrecorded(reason, workspace) => {
                let [seeded, rows] = &mut *workspace.borrow_mut();
                if let Some(reason) = reason.filter(|_| rows.len() < x.len()) {
                    return Err(Fault::raised(t, reason));
                }
                differentiate(x.iter(), [seeded, rows], jacobian, |x, rows| {
                    self.system.rate(Dual::constant(t), x, rows);
                });
            }
        }
        self.composition.finite_jacobian(jacobian, t)
    }

    fn expansion(&self) -> Option<FirstOrderExpansion> {
        match &self.slopes {
            Slopes::Recorded(recorded) => Some(recorded.recursion.with(&recorded.graph, &Arc::default())),
            Slopes::Unrecorded(..) => None,
        }
    }

    fn branches(&self, t: f64, x: &[f64], values: &mut Vec<f64>) {
        values.clear();
        if let Slopes::Recorded(recorded) = &self.slopes {
            let (branches, count) = &recorded.branches;
            values.resize(*count, 0.0);
            if *count > 0 {
                branches.evaluate(State { t, q: x, ..State::default() }, &mut [values.as_mut_slice()]);
            }
        }
    }
}
