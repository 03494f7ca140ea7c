//! The derivatives of a partitioned system, found from a person's formulas.

use std::cell::RefCell;

use super::coloring::Coloring;
use super::fault::{Evaluation, Fault, finite};
use super::first_order_expansion::FirstOrderExpansion;
use super::mechanical_system::Energy;
use super::number::{Dependence, Dual, Scalar, WATCHED};
use super::partitioned_system::{
    PartitionState, PartitionStructure, PartitionedSystem, PresentPart, RatePart,
};
use super::structure::{generic_point, watch};
use super::terms::LANES;
use super::traced;
use crate::linear::Pattern;

/// The terms of a partitioned system for any number type.
pub trait PartitionFormulas {
    /// The names of y and z.
    fn variables(&self) -> (Vec<String>, Vec<String>);

    /// The names of the constraints.
    fn constraints(&self) -> Vec<String>;

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

/// A partitioned system with its derivatives, found by forward differentiation; made as a
/// [`HamiltonianSystem`](super::HamiltonianSystem) or a [`PartitionedAdditiveSystem`](super::PartitionedAdditiveSystem).
#[derive(Debug)]
pub struct DifferentiatedPartition<F> {
    formulas: F,
    structure: PartitionStructure,
    rate_coloring: Coloring,
    momentum_coloring: Coloring,
    jacobian_coloring: Coloring,
    workspace: RefCell<Workspace>,
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

impl<F: PartitionFormulas> DifferentiatedPartition<F> {
    /// Traces the formulas once to find which derivatives can be nonzero.
    pub(crate) fn of(formulas: F) -> Self {
        let structure = Trace::new(&formulas).structure();
        let all = structure.n() + structure.p() + structure.m();
        let zero = Dual::constant(0.0);
        let workspace = Workspace {
            scratch: vec![zero; all],
            slope_scratch: vec![Dual::constant(0.0); all],
            state: vec![zero; all],
            rows: vec![zero; all],
            moving: vec![Dual::constant(0.0); structure.n()],
            moving_rows: vec![Dual::constant(0.0); structure.m()],
        };
        DifferentiatedPartition {
            rate_coloring: Coloring::of(&structure.rates),
            momentum_coloring: Coloring::of(&structure.momentum),
            jacobian_coloring: Coloring::of(&structure.jacobian),
            workspace: RefCell::new(workspace),
            formulas,
            structure,
        }
    }

    /// The formulas it was made of.
    pub(crate) fn formulas(&self) -> &F {
        &self.formulas
    }

    fn finite(&self, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        finite(values, quantity, t, |i| self.structure.name(i))
    }

    /// Fails when an entry of a block is not finite; the row, counted from `first`, names it.
    fn finite_block(
        &self,
        pattern: &Pattern,
        values: &[f64],
        first: usize,
        what: &'static str,
        t: f64,
    ) -> Evaluation {
        finite(values, what, t, |e| self.structure.name(first + pattern.row_indices()[e]))
    }
}

impl<F: PartitionFormulas> PartitionedSystem for DifferentiatedPartition<F> {
    fn structure(&self) -> &PartitionStructure {
        &self.structure
    }

    fn rates(&self, part: RatePart, at: PartitionState<'_>, rates: &mut [f64]) -> Evaluation {
        self.formulas.domain(at.t, at.y, at.z)?;
        rates.fill(0.0);
        self.formulas.add_rates(part, at, rates, &mut self.workspace.borrow_mut().scratch);
        self.finite(rates, "the rate", at.t)
    }

    fn rate_derivatives(&self, part: RatePart, at: PartitionState<'_>, values: &mut [f64]) -> Evaluation {
        self.formulas.domain(at.t, at.y, at.z)?;
        let Workspace { slope_scratch, state, rows, .. } = &mut *self.workspace.borrow_mut();
        let (n, p) = (at.y.len(), at.z.len());
        for sweep in 0..self.rate_coloring.sweeps(LANES) {
            let variables = at.y.iter().chain(at.z).chain(at.u).enumerate();
            for (seeded, (j, x)) in state.iter_mut().zip(variables) {
                *seeded = match self.rate_coloring.lane(sweep, LANES, j) {
                    Some(lane) => Dual::variable(*x, lane),
                    None => Dual::lift(*x),
                };
            }
            let (y, rest) = state.split_at(n);
            let (z, u) = rest.split_at(p);
            let seeded = PartitionState { t: Dual::lift(at.t), y, z, u };
            let rows = &mut rows[..n + p];
            rows.fill(Dual::constant(0.0));
            self.formulas.add_rates(part, seeded, rows, slope_scratch);
            self.rate_coloring.collect(sweep, &self.structure.rates, rows, values);
        }
        self.finite_block(&self.structure.rates, values, 0, "the derivative of the rate", at.t)
    }

    fn drift(&self, at: PartitionState<'_>, rate: &[f64], drift: &mut [f64]) -> Evaluation {
        let Workspace { slope_scratch, state, rows, .. } = &mut *self.workspace.borrow_mut();
        let (n, p) = (at.y.len(), at.z.len());
        for (moving, x) in state.iter_mut().zip(at.y.iter().chain(at.z).chain(at.u)) {
            *moving = Dual::lift(*x);
        }
        for (moving, rate) in state.iter_mut().zip(rate) {
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
        self.finite(drift, "the second derivative", at.t)
    }

    fn momentum(&self, y: &[f64], z: &[f64], momentum: &mut [f64]) -> Evaluation {
        self.formulas.momentum(y, z, momentum);
        finite(momentum, "the momentum", f64::NAN, |i| self.structure.second[i].as_str())
    }

    fn momentum_derivatives(&self, y: &[f64], z: &[f64], values: &mut [f64]) -> Evaluation {
        let Workspace { state, rows, .. } = &mut *self.workspace.borrow_mut();
        let pattern = &self.structure.momentum;
        for sweep in 0..self.momentum_coloring.sweeps(LANES) {
            for (seeded, (j, x)) in state.iter_mut().zip(y.iter().chain(z).enumerate()) {
                *seeded = match self.momentum_coloring.lane(sweep, LANES, j) {
                    Some(lane) => Dual::variable(*x, lane),
                    None => Dual::lift(*x),
                };
            }
            let (y, z) = state[..y.len() + z.len()].split_at(y.len());
            let rows = &mut rows[..z.len()];
            self.formulas.momentum(y, z, rows);
            self.momentum_coloring.collect(sweep, pattern, rows, values);
        }
        self.finite_block(pattern, values, y.len(), "the derivative of the momentum", f64::NAN)
    }

    fn constraint(&self, t: f64, y: &[f64], g: &mut [f64]) -> Evaluation {
        self.formulas.constraint(t, y, g);
        finite(g, "the constraint", t, |k| self.structure.constraints[k].as_str())
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let Workspace { state, rows, .. } = &mut *self.workspace.borrow_mut();
        let (pattern, rows) = (&self.structure.jacobian, &mut rows[..self.structure.m()]);
        for sweep in 0..self.jacobian_coloring.sweeps(LANES) {
            self.jacobian_coloring.seed(sweep, y, &mut state[..y.len()]);
            self.formulas.constraint(Dual::lift(t), &state[..y.len()], rows);
            self.jacobian_coloring.collect(sweep, pattern, rows, jacobian);
        }
        let first = self.structure.n() + self.structure.p();
        self.finite_block(pattern, jacobian, first, "the constraint Jacobian", t)
    }

    fn along(&self, t: f64, y: &[f64], rate: &[f64], first: &mut [f64], curvature: &mut [f64]) -> Evaluation {
        let Workspace { moving, moving_rows, .. } = &mut *self.workspace.borrow_mut();
        for (moving, (y, rate)) in moving.iter_mut().zip(y.iter().zip(rate)) {
            *moving = twice(*y, *rate);
        }
        self.formulas.constraint(twice(t, 1.0), moving, moving_rows);
        for ((first, curvature), g) in first.iter_mut().zip(&mut *curvature).zip(&*moving_rows) {
            (*first, *curvature) = (g.slope[0].value, g.slope[0].slope[0]);
        }
        let name = |k: usize| self.structure.constraints[k].as_str();
        finite(first, "the rate of the constraint", t, name)?;
        finite(curvature, "the curvature of the constraint", t, name)
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
        traced::partition(&self.formulas, &self.structure)
    }
}

/// x + τ rate with first and second derivatives in τ.
fn twice(x: f64, rate: f64) -> Dual<1, Dual<1>> {
    let slope = [Dual { value: rate, slope: [0.0] }];
    Dual { value: Dual { value: x, slope: [rate] }, slope }
}

/// A walk through the formulas with [`Dependence`] numbers, at a generic point.
struct Trace<'a, F> {
    formulas: &'a F,
    sizes: [usize; 3],
    /// (y, z, u)
    point: Vec<f64>,
}

impl<'a, F: PartitionFormulas> Trace<'a, F> {
    fn new(formulas: &'a F) -> Self {
        let (first, second) = formulas.variables();
        let sizes = [first.len(), second.len(), formulas.constraints().len()];
        Trace { formulas, sizes, point: generic_point(sizes.iter().sum(), 0.3) }
    }

    fn structure(&self) -> PartitionStructure {
        let ([n, p, m], (first, second)) = (self.sizes, self.formulas.variables());
        let mut places = Vec::new();
        let parts = RatePart::ALL.into_iter();
        let parts = parts.filter_map(|part| self.add_rate_places(part, &mut places)).collect();
        let momentum = self.places(n + p, p, |state, rows| {
            self.formulas.momentum(&state[..n], &state[n..n + p], rows);
        });
        let jacobian = self.places(n, m, |state, rows| {
            self.formulas.constraint(Dependence::unwatched(0.1), &state[..n], rows);
        });
        PartitionStructure {
            first,
            second,
            constraints: self.formulas.constraints(),
            parts,
            rates: Pattern::from_entries(n + p, n + p + m, places),
            momentum: Pattern::from_entries(p, n + p, momentum),
            jacobian: Pattern::from_entries(m, n, jacobian),
        }
    }

    /// Adds the places of the derivatives of one part, and says what it does; nothing when it vanishes.
    fn add_rate_places(&self, part: RatePart, places: &mut Vec<(usize, usize)>) -> Option<PresentPart> {
        let [n, p, m] = self.sizes;
        let mut scratch = vec![Dual::lift(Dependence::constant(0.0)); n + p + m];
        let mut present = [false; 2];
        let own = self.places(n + p + m, n + p, |state, rows| {
            let at = PartitionState {
                t: Dependence::unwatched(0.1),
                y: &state[..n],
                z: &state[n..n + p],
                u: &state[n + p..],
            };
            self.formulas.add_rates(part, at, rows, &mut scratch);
            let (f, k) = rows.split_at(n);
            for (present, rows) in present.iter_mut().zip([f, k]) {
                *present |= rows.iter().any(|row| row.value() != 0.0 || !row.is_constant());
            }
        });
        let reacts = own.iter().any(|&(_, j)| j >= n + p);
        places.extend(own);
        let [moves_first, _] = present;
        present.contains(&true).then_some(PresentPart { part, moves_first, reacts })
    }

    /// The places (row, input) at which rows depend on the first `inputs` of (y, z, u).
    fn places(
        &self,
        inputs: usize,
        rows: usize,
        mut evaluate: impl FnMut(&[Dependence], &mut [Dependence]),
    ) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for start in (0..inputs.max(1)).step_by(WATCHED) {
            let mut values = vec![Dependence::constant(0.0); rows];
            evaluate(&watch(&self.point, start), &mut values);
            for (i, row) in values.iter().enumerate() {
                places.extend(row.inputs().map(|j| (i, start + j)).filter(|&(_, j)| j < inputs));
            }
        }
        places
    }
}
