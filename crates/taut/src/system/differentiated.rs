//! A person's system with its derivatives: the bridge from [`Mechanical`] to [`MechanicalSystem`].

use std::cell::{OnceCell, RefCell};

use super::coloring::Coloring;
use super::expansion::MechanicalExpansion;
use super::fault::{Evaluation, Fault, finite};
use super::force::Terms;
use super::mechanical::{Mass, Mechanical};
use super::mechanical_system::{Energy, MechanicalSystem, MotionSeries, Structure};
use super::number::{Dual, Scalar, Series};
use super::structure::{constraints_move, find_structure};
use super::terms::{Formulas, LANES, Motion, Scratch};
use super::traced;

/// A [`Mechanical`] system with all derivatives found by forward differentiation.
///
/// Small systems cost a few evaluations for each block; large sparse ones too, since columns that share no row are
/// differentiated together.
#[derive(Clone, Debug)]
pub struct Differentiated<M> {
    system: M,
    structure: Structure,
    constraints_move: bool,
    /// the terms that there are, once they were asked for
    terms: OnceCell<Terms>,
    jacobian_coloring: Coloring,
    stiffness_coloring: Coloring,
    damping_coloring: Coloring,
    workspace: RefCell<Workspace>,
    /// recorded when somebody asks for them first; nothing where they branch on values
    expansion: OnceCell<Option<MechanicalExpansion>>,
}

type Slopes = Dual<LANES>;
/// Two directions of time: their mixed coefficient is a second derivative.
type Instant = Dual<1, Dual<1>>;

#[derive(Clone, Debug)]
struct Workspace {
    values: Scratch<f64>,
    slopes: Scratch<Slopes>,
    q: Vec<Slopes>,
    v: Vec<Slopes>,
    rows: Vec<Slopes>,
    moving_q: Vec<Instant>,
    moving_v: Vec<Instant>,
    moving_g: Vec<Instant>,
    mass: Vec<f64>,
    motion: Vec<Dual<1>>,
    constraint: Vec<f64>,
}

impl<M: Mechanical> Differentiated<M> {
    /// Traces the formulas once to find which entries of the derivative blocks can be nonzero.
    pub fn new(system: M) -> Self {
        let structure = find_structure(&system);
        let (n, m) = (structure.n(), structure.m());
        let entries = structure.mass.nnz();
        let workspace = Workspace {
            values: Scratch::new(n, m, entries),
            slopes: Scratch::new(n, m, entries),
            q: vec![Dual::constant(0.0); n],
            v: vec![Dual::constant(0.0); n],
            rows: vec![Dual::constant(0.0); n],
            moving_q: vec![Dual::constant(0.0); n],
            moving_v: vec![Dual::constant(0.0); n],
            moving_g: vec![Dual::constant(0.0); m],
            mass: vec![0.0; entries],
            motion: vec![Dual::constant(0.0); 2 * n],
            constraint: vec![0.0; m],
        };
        Differentiated {
            jacobian_coloring: Coloring::of(&structure.jacobian),
            stiffness_coloring: Coloring::of(&structure.stiffness),
            damping_coloring: Coloring::of(&structure.damping),
            workspace: RefCell::new(workspace),
            expansion: OnceCell::new(),
            constraints_move: constraints_move(&system, &structure),
            terms: OnceCell::new(),
            structure,
            system,
        }
    }

    /// The system it was made of.
    pub fn system(&self) -> &M {
        &self.system
    }

    fn formulas(&self) -> Formulas<'_, M> {
        Formulas {
            system: &self.system,
            structure: &self.structure,
            jacobian_coloring: &self.jacobian_coloring,
        }
    }

    /// The constraints along the motion q + τ v, t + τ: value, first and second derivative in τ.
    fn along_motion(&self, t: f64, q: &[f64], v: &[f64], workspace: &mut Workspace) {
        let holonomic = self.structure.holonomic();
        let moving = |x: f64, rate: f64| Dual {
            value: Dual { value: x, slope: [rate] },
            slope: [Dual { value: rate, slope: [0.0] }],
        };
        for i in 0..q.len() {
            workspace.moving_q[i] = moving(q[i], v[i]);
            workspace.moving_v[i] = moving(v[i], 0.0);
        }
        let (g, h) = workspace.moving_g.split_at_mut(holonomic);
        self.system.constraint(moving(t, 1.0), &workspace.moving_q, g);
        self.system.nonholonomic(moving(t, 1.0), &workspace.moving_q, &workspace.moving_v, h);
    }
}

impl<M: Mechanical> MechanicalSystem for Differentiated<M> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn expansion(&self) -> Option<MechanicalExpansion> {
        self.expansion.get_or_init(|| traced::mechanical(&self.formulas())).clone()
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let motion = &mut self.workspace.borrow_mut().motion;
        self.system.mass(q, &mut Mass::values(&self.structure.mass, mass, motion));
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.domain(t, q, v)?;
        force.fill(0.0);
        let scratch = &mut self.workspace.borrow_mut().values;
        self.formulas().add_force(terms, Motion { t, q, v }, force, scratch);
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (g_holonomic, rest) = g.split_at_mut(self.structure.holonomic());
        self.system.constraint(t, q, g_holonomic);
        rest.fill(0.0);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let scratch = &mut self.workspace.borrow_mut().values;
        let pattern = &self.structure.jacobian;
        self.formulas().jacobian_sweeps(Motion { t, q, v }, scratch, |sweep, g| {
            self.jacobian_coloring.collect(sweep, pattern, g, jacobian);
        });
        self.structure.finite_block(pattern, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let workspace = &mut *self.workspace.borrow_mut();
        self.along_motion(t, q, v, workspace);
        for ((rate, g), constraint) in
            rate.iter_mut().zip(&workspace.moving_g).zip(&self.structure.constraints)
        {
            *rate = if constraint.is_holonomic() { g.slope[0].value } else { g.value.value };
        }
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let workspace = &mut *self.workspace.borrow_mut();
        self.along_motion(t, q, v, workspace);
        for ((curvature, g), constraint) in
            curvature.iter_mut().zip(&workspace.moving_g).zip(&self.structure.constraints)
        {
            *curvature = if constraint.is_holonomic() { g.slope[0].slope[0] } else { g.slope[0].value };
        }
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        self.system.domain(t, q, v)?;
        let formulas = self.formulas();
        let Workspace { slopes, q: q_slopes, v: v_slopes, rows, .. } = &mut *self.workspace.borrow_mut();
        let t_slopes = Dual::constant(t);
        lift(v, v_slopes);
        for sweep in 0..self.stiffness_coloring.sweeps(LANES) {
            self.stiffness_coloring.seed(sweep, q, q_slopes);
            let at = Motion { t: t_slopes, q: q_slopes.as_slice(), v: v_slopes.as_slice() };
            rows.fill(Dual::constant(0.0));
            formulas.add_force(terms, at, rows, slopes);
            formulas.subtract_constraint_force(at, lambda, rows, slopes);
            if !self.structure.constant_mass {
                formulas.subtract_inertia(at.q, a, rows, slopes);
            }
            self.stiffness_coloring.collect(sweep, &self.structure.stiffness, rows, stiffness);
        }
        lift(q, q_slopes);
        for sweep in 0..self.damping_coloring.sweeps(LANES) {
            self.damping_coloring.seed(sweep, v, v_slopes);
            let at = Motion { t: t_slopes, q: q_slopes.as_slice(), v: v_slopes.as_slice() };
            rows.fill(Dual::constant(0.0));
            formulas.add_force(terms, at, rows, slopes);
            self.damping_coloring.collect(sweep, &self.structure.damping, rows, damping);
        }
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", t)
    }

    fn constraints_move(&self) -> bool {
        self.constraints_move
    }

    fn terms(&self) -> Terms {
        *self.terms.get_or_init(|| traced::terms(&self.formulas()))
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.system.domain(t, q, v)?;
        let workspace = &mut *self.workspace.borrow_mut();
        let pattern = &self.structure.mass;
        self.system.mass(q, &mut Mass::values(pattern, &mut workspace.mass, &mut workspace.motion));
        let mut energy = Energy { kinetic: 0.0, potential: self.system.potential(q) };
        for (k, (i, j)) in pattern.entries().enumerate() {
            energy.kinetic += 0.5 * workspace.mass[k] * v[i] * v[j];
        }
        if let Some(epsilon) = self.system.epsilon() {
            energy.potential += self.system.strong_potential(q) / (epsilon * epsilon);
        }
        let g = &mut workspace.constraint[..self.structure.holonomic()];
        self.system.constraint(t, q, g);
        for (g, constraint) in g.iter().zip(&self.structure.constraints) {
            if constraint.compliance() > 0.0 {
                energy.potential += 0.5 * g * g / constraint.compliance();
            }
        }
        let parts = ["kinetic", "potential"];
        finite(&[energy.kinetic, energy.potential], "the energy", t, |k| parts[k])?;
        Ok(energy)
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let (n, m) = (self.structure.n(), self.structure.m());
        let mut scratch = Scratch::new(n, m, self.structure.mass.nnz());
        let formulas = self.formulas();
        let at = Motion { t: along.t, q: along.q, v: along.v };
        balance.fill(Series::zero());
        formulas.add_force(Terms::ACCELERATING, at, balance, &mut scratch);
        formulas.subtract_inertia(at.q, along.a, balance, &mut scratch);
        formulas.subtract_constraint_force(at, along.lambda, balance, &mut scratch);
        balance.iter_mut().for_each(|row| *row = -*row);
        let (holonomic, rest) = constraint.split_at_mut(self.structure.holonomic());
        self.system.constraint(at.t, at.q, holonomic);
        rest.fill(Series::zero());
        balance.iter().chain(constraint.iter()).all(|row| row.value().is_finite())
    }
}

fn lift(x: &[f64], lifted: &mut [Slopes]) {
    for (lifted, x) in lifted.iter_mut().zip(x) {
        *lifted = Dual::lift(*x);
    }
}
