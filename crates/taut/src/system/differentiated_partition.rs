//! The derivatives of a partitioned system, found from a person's formulas.

use std::cell::RefCell;
use std::sync::Arc;

use taut_formula::graph::Graph;

use super::dual_numbers::MOST_UNRECORDED;
use super::number::{Dual, Scalar, Unrecorded};
use super::terms::{LANES, along, differentiate};
use crate::compiled::{PartitionEquations, PartitionFormulas, PartitionedModel};
use crate::linear::Pattern;
use crate::seen::{
    Energy, Evaluation, Fault, FirstOrderExpansion, PartitionState, PartitionStructure, PartitionedSystem,
    PresentPart, RatePart, finite,
};

/// The terms of a partitioned system for any number type.
pub trait PartitionTerms {
    /// The names of y and z.
    fn variables(&self) -> (Vec<String>, Vec<String>);

    /// The names of the constraints.
    fn constraints(&self) -> Vec<String>;

    /// The formulas as a graph; nothing, and a reason where there is one, when they cannot be recorded.
    fn record(&self) -> Result<(Graph, PartitionFormulas), Option<Unrecorded>>;

    /// Whether [`add_rates`](Self::add_rates) does not differentiate.
    fn writes_rates(&self) -> bool;

    /// Adds f⁽ᵐ⁾, then k⁽ᵐ⁾ of one part; `scratch` has a number for each of (y, z, u).
    fn add_rates<S: Scalar>(
        &self,
        part: RatePart,
        at: PartitionState<'_, S>,
        rates: &mut [S],
        scratch: &mut [Dual<LANES, S>],
    );

    /// M(y) z
    fn momentum<S: Scalar>(&self, y: &[S], z: &[S], momentum: &mut [S]);

    /// g(t, y)
    fn constraint<S: Scalar>(&self, t: S, y: &[S], g: &mut [S]);

    /// The energy, when there is one.
    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Option<Energy>;

    /// Whether a state can be evaluated.
    fn domain(&self, t: f64, y: &[f64], z: &[f64]) -> Evaluation;
}

/// A partitioned system with its derivatives, made as a [`HamiltonianSystem`](super::HamiltonianSystem) or a
/// [`PartitionedAdditiveSystem`](super::PartitionedAdditiveSystem).
///
/// The formulas are recorded once, and differentiated symbolically. Formulas that ask for the value of a number, such as to branch
/// on it, are differentiated by dual numbers, in all directions.
#[derive(Debug)]
pub struct DifferentiatedPartition<F> {
    formulas: F,
    structure: PartitionStructure,
    found: Found,
}

/// How derivatives are found.
#[derive(Debug)]
enum Found {
    Recorded(Box<PartitionedModel>),
    Unrecorded(Option<Unrecorded>, RefCell<Workspace>),
}

/// Space for numbers with slopes.
#[derive(Debug)]
struct Workspace {
    scratch: Vec<Dual<LANES>>,
    slope_scratch: Vec<Dual<LANES, Dual<LANES>>>,
    /// (y, z, u)
    state: Vec<Dual<LANES>>,
    rows: Vec<Dual<LANES>>,
    moving: Vec<Dual<1, Dual<1>>>,
    moving_rows: Vec<Dual<1, Dual<1>>>,
}

impl Workspace {
    fn new(n: usize, p: usize, m: usize) -> Self {
        let (zero, all) = (Dual::constant(0.0), n + p + m);
        Workspace {
            scratch: vec![zero; all],
            slope_scratch: vec![Dual::constant(0.0); all],
            state: vec![zero; all],
            rows: vec![zero; all],
            moving: vec![Dual::constant(0.0); n],
            moving_rows: vec![Dual::constant(0.0); m],
        }
    }
}

impl<F: PartitionTerms> DifferentiatedPartition<F> {
    /// Records the formulas and differentiates them.
    pub(crate) fn of(formulas: F) -> Self {
        let recorded = formulas.record().and_then(|(mut graph, nodes)| {
            let equations = PartitionEquations::new(&mut graph, &nodes);
            let is_exhausted = graph.is_exhausted();
            let model = equations.with(&Arc::new(graph.closed()), &Arc::default());
            if is_exhausted { Err(Some(Unrecorded::TooLarge)) } else { Ok(model) }
        });
        match recorded {
            Ok(model) => {
                let structure = model.structure().clone();
                DifferentiatedPartition { formulas, structure, found: Found::Recorded(Box::new(model)) }
            }
            Err(reason) => Self::unrecorded_of(formulas, reason),
        }
    }

    /// With full blocks, for as many variables as there is room for.
    fn unrecorded_of(formulas: F, reason: Option<Unrecorded>) -> Self {
        let ((first, second), constraints) = (formulas.variables(), formulas.constraints());
        let (n, p, m) = (first.len(), second.len(), constraints.len());
        let is_hopeless = reason.is_some() && n + p + m > MOST_UNRECORDED;
        let (block, workspace): (fn(usize, usize) -> Pattern, _) = match is_hopeless {
            true => (Pattern::empty, Workspace::new(0, 0, 0)),
            false => (Pattern::dense, Workspace::new(n, p, m)),
        };
        let structure = PartitionStructure {
            first,
            second,
            constraints,
            parts: Vec::new(),
            rates: block(n + p, n + p + m),
            momentum: block(p, n + p),
            jacobian: block(m, n),
        };
        let found = Found::Unrecorded(reason, RefCell::new(workspace));
        let mut system = DifferentiatedPartition { formulas, structure, found };
        if !is_hopeless {
            system.structure.parts =
                RatePart::ALL.into_iter().filter_map(|part| system.probe(part)).collect();
        }
        system
    }

    /// What a part does at a state that is like no other; nothing when it vanishes there with its derivatives.
    fn probe(&self, part: RatePart) -> Option<PresentPart> {
        let (n, p, m) = (self.structure.n(), self.structure.p(), self.structure.m());
        let point = |from: usize| 0.3 + 0.618_033_988_749_894_9 * (from as f64 + 1.0) % 1.0;
        let state: Vec<f64> = (0..n + p + m).map(point).collect();
        let at = PartitionState { t: 0.1, y: &state[..n], z: &state[n..n + p], u: &state[n + p..] };
        let (mut rates, mut slopes) = (vec![0.0; n + p], vec![0.0; self.structure.rates.nnz()]);
        let acts = |values: &[f64]| values.iter().any(|value| *value != 0.0);
        let known = self.rates(part, at, &mut rates).and_then(|()| self.slopes(part, at, &mut slopes));
        // Where formulas have no value there, they may do everything.
        let row_acts = |i: usize| rates[i] != 0.0 || slopes.iter().skip(i).step_by(n + p).any(|x| *x != 0.0);
        let moves_first = known.is_err() || (0..n).any(row_acts);
        let reacts = known.is_err() || acts(&slopes[(n + p) * (n + p)..]);
        let present = known.is_err() || acts(&rates) || acts(&slopes);
        present.then_some(PresentPart { part, moves_first, reacts })
    }

    /// The formulas it was made of.
    pub(crate) fn formulas(&self) -> &F {
        &self.formulas
    }

    /// Why the formulas were not recorded; nothing where they were.
    pub fn unrecorded(&self) -> Option<Unrecorded> {
        match self.found {
            Found::Recorded(_) => None,
            Found::Unrecorded(reason, _) => reason,
        }
    }

    /// What was recorded, or space for dual numbers; an error where there are too many variables.
    fn recorded(&self, t: f64) -> Result<Result<&PartitionedModel, &RefCell<Workspace>>, Fault> {
        match &self.found {
            Found::Recorded(model) => Ok(Ok(model)),
            Found::Unrecorded(Some(reason), workspace) if workspace.borrow().state.is_empty() => {
                Err(Fault::raised(t, *reason))
            }
            Found::Unrecorded(_, workspace) => Ok(Err(workspace)),
        }
    }

    /// The derivatives of the rates by dual numbers.
    fn slopes(&self, part: RatePart, at: PartitionState<'_>, values: &mut [f64]) -> Evaluation {
        let Err(workspace) = self.recorded(at.t)? else { return Ok(()) };
        let Workspace { slope_scratch, state, rows, .. } = &mut *workspace.borrow_mut();
        let (n, p) = (at.y.len(), at.z.len());
        let all = at.y.iter().chain(at.z).chain(at.u);
        differentiate(all, [state, &mut rows[..n + p]], values, |state, rows| {
            let (y, rest) = state.split_at(n);
            let (z, u) = rest.split_at(p);
            let seeded = PartitionState { t: Dual::lift(at.t), y, z, u };
            self.formulas.add_rates(part, seeded, rows, slope_scratch);
        });
        self.structure.finite_block(0, &self.structure.rates, values, "the derivative of the rate", at.t)
    }
}

impl<F: PartitionTerms> PartitionedSystem for DifferentiatedPartition<F> {
    fn structure(&self) -> &PartitionStructure {
        &self.structure
    }

    fn rates(&self, part: RatePart, at: PartitionState<'_>, rates: &mut [f64]) -> Evaluation {
        self.formulas.domain(at.t, at.y, at.z)?;
        match self.recorded(at.t)? {
            Ok(model) if !self.formulas.writes_rates() => return model.rates(part, at, rates),
            Ok(_) => {
                rates.fill(0.0);
                self.formulas.add_rates(part, at, rates, &mut []);
            }
            Err(workspace) => {
                rates.fill(0.0);
                self.formulas.add_rates(part, at, rates, &mut workspace.borrow_mut().scratch);
            }
        }
        self.structure.finite(0, rates, "the rate", at.t)
    }

    fn rate_derivatives(&self, part: RatePart, at: PartitionState<'_>, values: &mut [f64]) -> Evaluation {
        self.formulas.domain(at.t, at.y, at.z)?;
        match self.recorded(at.t)? {
            Ok(model) => model.rate_derivatives(part, at, values),
            Err(_) => self.slopes(part, at, values),
        }
    }

    fn drift(&self, at: PartitionState<'_>, rate: &[f64], drift: &mut [f64]) -> Evaluation {
        let workspace = match self.recorded(at.t)? {
            Ok(model) => return model.drift(at, rate, drift),
            Err(workspace) => workspace,
        };
        let Workspace { slope_scratch, state, rows, .. } = &mut *workspace.borrow_mut();
        let (n, p) = (at.y.len(), at.z.len());
        for (moving, x) in state.iter_mut().zip(at.y.iter().chain(at.z).chain(at.u)) {
            *moving = Dual::lift(*x);
        }
        for (moving, rate) in state.iter_mut().zip(&rate[..n]) {
            moving.slope[0] = *rate;
        }
        let (y, rest) = state.split_at(n);
        let (z, u) = rest.split_at(p);
        let along = PartitionState { t: Dual::variable(at.t, 0), y, z, u };
        let rows = &mut rows[..n + p];
        rows.fill(Dual::constant(0.0));
        for present in &self.structure.parts {
            self.formulas.add_rates(present.part, along, rows, slope_scratch);
        }
        for (drift, row) in drift.iter_mut().zip(rows) {
            *drift = row.slope[0];
        }
        self.structure.finite(0, drift, "the second derivative", at.t)
    }

    fn momentum(&self, y: &[f64], z: &[f64], momentum: &mut [f64]) -> Evaluation {
        self.formulas.momentum(y, z, momentum);
        self.structure.finite(y.len(), momentum, "the momentum", f64::NAN)
    }

    fn momentum_derivatives(&self, y: &[f64], z: &[f64], values: &mut [f64]) -> Evaluation {
        let workspace = match self.recorded(f64::NAN)? {
            Ok(model) => return model.momentum_derivatives(y, z, values),
            Err(workspace) => workspace,
        };
        let Workspace { state, rows, .. } = &mut *workspace.borrow_mut();
        let (n, p) = (y.len(), z.len());
        let both = y.iter().chain(z);
        differentiate(both, [&mut state[..n + p], &mut rows[..p]], values, |state, rows| {
            self.formulas.momentum(&state[..n], &state[n..], rows);
        });
        let pattern = &self.structure.momentum;
        self.structure.finite_block(n, pattern, values, "the derivative of the momentum", f64::NAN)
    }

    fn constraint(&self, t: f64, y: &[f64], g: &mut [f64]) -> Evaluation {
        self.formulas.constraint(t, y, g);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let workspace = match self.recorded(t)? {
            Ok(model) => return model.jacobian(t, y, jacobian),
            Err(workspace) => workspace,
        };
        let Workspace { state, rows, .. } = &mut *workspace.borrow_mut();
        let structure = &self.structure;
        let seeded = [&mut state[..y.len()], &mut rows[..structure.m()]];
        differentiate(y.iter(), seeded, jacobian, |y, rows| {
            self.formulas.constraint(Dual::lift(t), y, rows);
        });
        let first = structure.n() + structure.p();
        structure.finite_block(first, &structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn along(&self, t: f64, y: &[f64], rate: &[f64], first: &mut [f64], curvature: &mut [f64]) -> Evaluation {
        let workspace = match self.recorded(t)? {
            Ok(model) => return model.along(t, y, rate, first, curvature),
            Err(workspace) => workspace,
        };
        let Workspace { moving, moving_rows, .. } = &mut *workspace.borrow_mut();
        for (moving, (y, rate)) in moving.iter_mut().zip(y.iter().zip(rate)) {
            *moving = along(*y, *rate);
        }
        self.formulas.constraint(along(t, 1.0), moving, moving_rows);
        for ((first, curvature), g) in first.iter_mut().zip(&mut *curvature).zip(&*moving_rows) {
            (*first, *curvature) = (g.slope[0].value, g.slope[0].slope[0]);
        }
        self.structure.finite_constraints(first, "the rate of the constraint", t)?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Result<Option<Energy>, Fault> {
        self.formulas.domain(t, y, z)?;
        let energy = self.formulas.energy(t, y, z);
        if let Some(energy) = energy {
            finite(&[energy.kinetic, energy.potential], "the energy", t, |k| ["kinetic", "potential"][k])?;
        }
        Ok(energy)
    }

    fn expansion(&self) -> Option<FirstOrderExpansion> {
        match &self.found {
            Found::Recorded(model) => model.expansion(),
            Found::Unrecorded(..) => None,
        }
    }
}
