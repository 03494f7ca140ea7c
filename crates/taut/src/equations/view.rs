//! A mechanical system seen as a first-order one.

use std::cell::RefCell;
use std::marker::PhantomData;

use super::blocks::{Blocks, Numerical};
use super::constraint_rows::{ConstraintRows, RowScratch};
use super::difference::Differences;
use super::form::Form;
use super::formulation::Level;
use super::view_layout::{Parts, ViewLayout};
use super::view_structure::{indices, names, reaction_rate_pattern, row_pattern};
use crate::linear::Pattern;
use crate::system::{
    Arrangement, Composition, Evaluation, FirstOrderSystem, MechanicalSystem, Structure, Terms,
};

/// A mechanical system M(q) v' = f − Gᵀλ, g = C λ as a first-order one, E x' = F(t, x) with x = (q, v, a, λ, μ) and
/// E = diag(I, I, 0, 0, 0): accelerations are variables of their own, so that E is constant whatever M(q) is.
///
/// The type `F` is the form of the constraints and says what is solved. Choose the view to see what a method for
/// general differential-algebraic equations makes of a mechanism; [`Solver::mechanical`](crate::Solver::mechanical)
/// solves for n + m unknowns in each stage where the view has 3n + m.
///
/// The Jacobian is exact where the mechanism offers derivatives. The others are found by central differences: those of
/// G v + g_t in q, of G a + curvature in q and v, and of the rows of damped springs. A condition h(t, q, v) = 0 on velocities may depend on every
/// position, so that it has whole rows of them; differences also find ∂(Gᵀλ)/∂v, which only such conditions have.
///
/// The variables have the index that the levels of the constraints give: accelerations and multipliers 3, 2 or 1 for
/// constraints on positions, velocities or accelerations, velocities one less, positions two less (but 1 with a second
/// multiplier, which has 2). A spring counts as a constraint on positions, however soft: a stiff one is nearly a rod, and
/// its multiplier g/c is known only as well as g is.
///
/// ```
/// use taut::Solver;
/// use taut::equations::{FirstOrderView, Index1};
/// use taut::linear::Choice;
/// use taut::method::Method;
/// use taut::start::consistent_start;
/// use taut::system::{Differentiated, Scalar, Sketch};
///
/// let pendulum = Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81).rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0);
/// let pendulum = Differentiated::new(pendulum);
/// let view = FirstOrderView::<Index1>::new(&pendulum);
/// let start = consistent_start(&pendulum, 0.0, &[1.0, 0.0], &[0.0, 0.0], Choice::Auto)?;
/// let x = view.layout().state(&start.q, &start.v, &start.a, &start.lambda);
/// let motion = Solver::first_order(&view).method(Method::radau()).tolerance(1e-9).run(0.0, 1.0, &x)?;
/// let end = view.layout().split(&motion.y);
/// assert!((end.q[0].hypot(end.q[1]) - 1.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FirstOrderView<'a, F> {
    system: &'a dyn MechanicalSystem,
    rows: ConstraintRows<'a>,
    /// the constraints that are imposed a second time
    second: Vec<usize>,
    layout: ViewLayout,
    composition: Composition,
    blocks: Blocks,
    workspace: RefCell<Workspace>,
    form: PhantomData<F>,
}

struct Workspace {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    constraint: Vec<f64>,
    /// accelerations 0
    at_rest: Vec<f64>,
    /// μ in the places of λ
    second_multipliers: Vec<f64>,
    rows: RowScratch,
    rows_by_q: Differences,
    rows_by_v: Differences,
    reaction_rates: Differences,
}

impl<'a, F: Form> FirstOrderView<'a, F> {
    /// The system in the form `F`.
    pub fn new(system: &'a dyn MechanicalSystem) -> Self {
        let structure = system.structure();
        let constraints = &structure.constraints;
        let levels: Vec<Level> = constraints.iter().map(F::level).collect();
        let second: Vec<usize> =
            (0..structure.m()).filter(|&k| F::has_second_multiplier(&constraints[k])).collect();
        let layout = ViewLayout::new(structure.n(), structure.m(), second.len());
        let rows = ConstraintRows::new(system, levels);
        let workspace = Workspace::new(structure, &rows);
        let numerical = Numerical {
            reaction_rates: workspace.reaction_rates.pattern(),
            rows_by_q: workspace.rows_by_q.pattern(),
            rows_by_v: workspace.rows_by_v.pattern(),
        };
        let (blocks, jacobian) = Blocks::new(structure, layout, rows.levels(), &second, &numerical);
        let differential = layout.q().start..layout.v().end;
        let composition = Composition {
            variables: names(structure, &second),
            mass: Pattern::from_entries(layout.len(), layout.len(), differential.clone().map(|i| (i, i))),
            mass_values: vec![1.0; differential.len()],
            jacobian,
            index: Some(indices(layout, rows.levels())),
            arrangement: Arrangement::General,
        };
        let workspace = RefCell::new(workspace);
        FirstOrderView { system, rows, second, layout, composition, blocks, workspace, form: PhantomData }
    }

    /// Where everything lies in a state.
    pub fn layout(&self) -> ViewLayout {
        self.layout
    }

    /// The rows of q', v' and the equations of motion.
    fn motion(
        &self,
        t: f64,
        at: Parts<&[f64]>,
        out: &mut Parts<&mut [f64]>,
        work: &mut Workspace,
    ) -> Evaluation {
        let structure = self.system.structure();
        self.system.mass(at.q, &mut work.mass)?;
        self.system.jacobian(t, at.q, at.v, &mut work.jacobian)?;
        out.q.copy_from_slice(at.v);
        if !self.second.is_empty() {
            work.spread(&self.second, at.mu);
            structure.jacobian.transpose_multiply_add(&work.jacobian, &work.second_multipliers, out.q, -1.0);
        }
        out.v.copy_from_slice(at.a);
        self.system.force(Terms::ACCELERATING, t, at.q, at.v, out.a)?;
        structure.mass.multiply_add(&work.mass, at.a, out.a, -1.0);
        structure.jacobian.transpose_multiply_add(&work.jacobian, at.lambda, out.a, -1.0);
        Ok(())
    }

    /// Derivatives of the equations of motion.
    fn add_motion(&self, t: f64, at: Parts<&[f64]>, out: &mut [f64], work: &mut Workspace) -> Evaluation {
        let Parts { q, v, a, lambda, .. } = at;
        let Workspace { mass, jacobian, stiffness, damping, reaction_rates, .. } = work;
        let pattern = &self.system.structure().jacobian;
        self.system.mass(q, mass)?;
        self.system.newton_blocks(Terms::ACCELERATING, t, q, v, a, lambda, stiffness, damping)?;
        let rates = reaction_rates.derivative(v, |v, reactions| {
            self.system.jacobian(t, q, v, jacobian)?;
            reactions.fill(0.0);
            pattern.transpose_multiply_add(jacobian, lambda, reactions, 1.0);
            Ok(())
        })?;
        self.blocks.reaction_rates.add(rates, -1.0, out);
        self.blocks.stiffness.add(stiffness, 1.0, out);
        self.blocks.damping.add(damping, 1.0, out);
        self.blocks.mass.add(mass, -1.0, out);
        self.system.jacobian(t, q, v, jacobian)?;
        self.blocks.reactions.add(jacobian, -1.0, out);
        Ok(())
    }

    /// Derivatives of the rows of the constraints; G is in the workspace.
    fn add_rows(&self, t: f64, at: Parts<&[f64]>, out: &mut [f64], work: &mut Workspace) -> Evaluation {
        let Workspace { jacobian, rows, rows_by_q, rows_by_v, .. } = work;
        self.blocks.jacobian.add(jacobian, 1.0, out);
        self.blocks.compliance.add(self.rows.compliance(), -1.0, out);
        let by_q =
            rows_by_q.derivative(at.q, |q, out| self.rows.evaluate(t, Parts { q, ..at }, out, rows))?;
        self.blocks.rows_by_q.add(by_q, 1.0, out);
        let by_v =
            rows_by_v.derivative(at.v, |v, out| self.rows.evaluate(t, Parts { v, ..at }, out, rows))?;
        self.blocks.rows_by_v.add(by_v, 1.0, out);
        Ok(())
    }

    /// Derivatives of what second multipliers add; G is in the workspace.
    fn add_second(&self, t: f64, at: Parts<&[f64]>, out: &mut [f64], work: &mut Workspace) -> Evaluation {
        if self.second.is_empty() {
            return Ok(());
        }
        work.spread(&self.second, at.mu);
        let Workspace { jacobian, stiffness, damping, at_rest, second_multipliers, .. } = work;
        // Without forces and accelerations the stiffness is −∂(Gᵀμ)/∂q.
        self.system.newton_blocks(
            Terms::NONE,
            t,
            at.q,
            at.v,
            at_rest,
            second_multipliers,
            stiffness,
            damping,
        )?;
        self.blocks.second_stiffness.add(stiffness, 1.0, out);
        self.blocks.second_reactions.add(jacobian, -1.0, out);
        self.blocks.second_jacobian.add(jacobian, 1.0, out);
        Ok(())
    }
}

impl<F: Form> FirstOrderSystem for FirstOrderView<'_, F> {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        let work = &mut *self.workspace.borrow_mut();
        let at = self.layout.split(x);
        let mut out = self.layout.split_mut(rate);
        self.motion(t, at, &mut out, work)?;
        self.rows.evaluate(t, at, out.lambda, &mut work.rows)?;
        if !self.second.is_empty() {
            self.system.constraint(t, at.q, &mut work.constraint)?;
            for (row, &k) in out.mu.iter_mut().zip(&self.second) {
                *row = work.constraint[k];
            }
        }
        Ok(())
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let work = &mut *self.workspace.borrow_mut();
        let at = self.layout.split(x);
        jacobian.fill(0.0);
        self.blocks.ones.add(&[1.0], 1.0, jacobian);
        self.add_motion(t, at, jacobian, work)?;
        self.add_rows(t, at, jacobian, work)?;
        self.add_second(t, at, jacobian, work)?;
        self.composition.finite_jacobian(jacobian, t)
    }
}

impl Workspace {
    fn new(structure: &Structure, rows: &ConstraintRows<'_>) -> Self {
        let (n, m) = (structure.n(), structure.m());
        let on_acceleration = |k: usize| rows.levels()[k] == Level::Acceleration;
        let is_damped = |k: usize| structure.constraints[k].relaxation() > 0.0;
        let on_velocity = |k: usize| rows.levels()[k] == Level::Velocity;
        let by_q = row_pattern(structure, |k| on_acceleration(k) || on_velocity(k) || is_damped(k));
        let by_v = row_pattern(structure, |k| on_acceleration(k) || is_damped(k));
        Workspace {
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            stiffness: vec![0.0; structure.stiffness.nnz()],
            damping: vec![0.0; structure.damping.nnz()],
            constraint: vec![0.0; m],
            at_rest: vec![0.0; n],
            second_multipliers: vec![0.0; m],
            rows: rows.scratch(),
            rows_by_q: Differences::new(by_q),
            rows_by_v: Differences::new(by_v),
            reaction_rates: Differences::new(reaction_rate_pattern(structure)),
        }
    }

    fn spread(&mut self, second: &[usize], mu: &[f64]) {
        for (&k, mu) in second.iter().zip(mu) {
            self.second_multipliers[k] = *mu;
        }
    }
}
