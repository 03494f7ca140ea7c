//! Derivatives of formulas that cannot be recorded: by dual numbers, in all directions, into full blocks.

use std::cell::{RefCell, RefMut};

use super::mechanical::{Mass, Mechanical};
use super::number::{Dual, Scalar, Series, Unrecorded};
use super::terms::{Formulas, LANES, Motion, Scratch, along, collect, differentiate, seed};
use crate::linear::Pattern;
use crate::seen::{
    Constraint, Energy, Evaluation, Fault, MechanicalSystem, MotionSeries, Structure, Terms, finite,
};

/// Formulas that were not recorded are differentiated for at most so many coordinates or variables: blocks are full.
pub(super) const MOST_UNRECORDED: usize = 2000;

/// What is known of formulas that were not recorded.
#[derive(Clone, Debug)]
pub(super) struct DualNumbers {
    pub(super) structure: Structure,
    /// why they were not, where they were meant to be
    pub(super) reason: Option<Unrecorded>,
    workspace: RefCell<Workspace>,
}

type Slopes = Dual<LANES>;

#[derive(Clone, Debug)]
struct Workspace {
    values: Scratch<f64>,
    slopes: Scratch<Slopes>,
    q: Vec<Slopes>,
    v: Vec<Slopes>,
    rows: Vec<Slopes>,
    moving: [Vec<Dual<1, Dual<1>>>; 3],
    mass: Vec<f64>,
    motion: Vec<Dual<1>>,
    constraint: Vec<f64>,
}

impl Workspace {
    fn new(n: usize, m: usize) -> Self {
        let (zero, instant) = (Slopes::constant(0.0), Dual::constant(0.0));
        Workspace {
            values: Scratch::new(n, m, n * n),
            slopes: Scratch::new(n, m, n * n),
            q: vec![zero; n],
            v: vec![zero; n],
            rows: vec![zero; n],
            moving: [n, n, m].map(|size| vec![instant; size]),
            mass: vec![0.0; n * n],
            motion: vec![Dual::constant(0.0); 2 * n],
            constraint: vec![0.0; m],
        }
    }
}

impl DualNumbers {
    pub(super) fn new(
        coordinates: Vec<String>,
        constraints: Vec<Constraint>,
        reason: Option<Unrecorded>,
    ) -> Self {
        let (n, m) = (coordinates.len(), constraints.len());
        let is_hopeless = reason.is_some() && n > MOST_UNRECORDED;
        let (structure, workspace) = if is_hopeless {
            let (square, rows) = (Pattern::empty(n, n), Pattern::empty(m, n));
            let nothing = Structure::dense(Vec::new(), Vec::new());
            let [mass, stiffness, damping] = [square.clone(), square.clone(), square];
            let empty =
                Structure { coordinates, constraints, mass, stiffness, damping, jacobian: rows, ..nothing };
            (empty, Workspace::new(0, 0))
        } else {
            (Structure::dense(coordinates, constraints), Workspace::new(n, m))
        };
        DualNumbers { structure, reason, workspace: RefCell::new(workspace) }
    }
}

/// A system whose formulas were not recorded, as a solver sees it.
pub(super) struct Unrecordable<'a, M> {
    pub(super) system: &'a M,
    pub(super) numbers: &'a DualNumbers,
}

impl<'a, M: Mechanical> Unrecordable<'a, M> {
    /// The formulas with what is known of them, and room for numbers; an error where there are too many coordinates.
    fn formulas(&self, t: f64) -> Result<(Formulas<'a, M>, RefMut<'a, Workspace>), Fault> {
        let DualNumbers { structure, reason, workspace } = self.numbers;
        let workspace = workspace.borrow_mut();
        match reason {
            Some(reason) if workspace.rows.len() < structure.n() => Err(Fault::raised(t, *reason)),
            _ => Ok((Formulas { system: self.system, structure }, workspace)),
        }
    }

    /// Calls `take` for each constraint along the motion q + τ v, t + τ: value, first and second derivative in τ.
    fn along_motion(
        &self,
        at: Motion<'_, f64>,
        mut take: impl FnMut(usize, bool, Dual<1, Dual<1>>),
    ) -> Evaluation {
        let (formulas, mut workspace) = self.formulas(at.t)?;
        let holonomic = formulas.structure.holonomic();
        let [q, v, g] = &mut workspace.moving;
        for i in 0..at.q.len() {
            (q[i], v[i]) = (along(at.q[i], at.v[i]), along(at.v[i], 0.0));
        }
        let (rows, h) = g.split_at_mut(holonomic);
        self.system.constraint(along(at.t, 1.0), q, rows);
        self.system.nonholonomic(along(at.t, 1.0), q, v, h);
        g.iter().enumerate().for_each(|(k, g)| take(k, k < holonomic, *g));
        Ok(())
    }
}

impl<M: Mechanical> MechanicalSystem for Unrecordable<'_, M> {
    fn structure(&self) -> &Structure {
        &self.numbers.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let (formulas, mut workspace) = self.formulas(f64::NAN)?;
        formulas.mass(q, mass, &mut workspace.motion)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let (formulas, mut workspace) = self.formulas(t)?;
        formulas.force(terms, Motion { t, q, v }, force, &mut workspace.values)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        Formulas { system: self.system, structure: self.structure() }.constraint(t, q, g)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let (formulas, mut workspace) = self.formulas(t)?;
        let take = |start: usize, g: &[Slopes]| collect(g, start, jacobian);
        formulas.jacobian_sweeps(Motion { t, q, v }, &mut workspace.values, take);
        let structure = self.structure();
        structure.finite_block(&structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.along_motion(Motion { t, q, v }, |k, holonomic, g| {
            rate[k] = if holonomic { g.slope[0].value } else { g.value.value };
        })?;
        self.structure().finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.along_motion(Motion { t, q, v }, |k, holonomic, g| {
            curvature[k] = if holonomic { g.slope[0].slope[0] } else { g.slope[0].value };
        })?;
        self.structure().finite_constraints(curvature, "the curvature of the constraint", t)
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
        let (formulas, mut workspace) = self.formulas(t)?;
        let Workspace { slopes, q: q_slopes, v: v_slopes, rows, .. } = &mut *workspace;
        let time = Dual::constant(t);
        let none = q.len();
        seed(v, none, v_slopes);
        differentiate(q.iter(), [q_slopes, rows], stiffness, |q, rows| {
            let at = Motion { t: time, q, v: v_slopes };
            formulas.add_force(terms, at, rows, slopes);
            formulas.subtract_constraint_force(at, lambda, rows, slopes);
            formulas.subtract_inertia(q, a, rows, slopes);
        });
        seed(q, none, q_slopes);
        differentiate(v.iter(), [v_slopes, rows], damping, |v, rows| {
            formulas.add_force(terms, Motion { t: time, q: q_slopes, v }, rows, slopes);
        });
        let structure = self.structure();
        structure.finite_block(&structure.stiffness, stiffness, "the stiffness", t)?;
        structure.finite_block(&structure.damping, damping, "the damping", t)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let (formulas, mut workspace) = self.formulas(t)?;
        let Workspace { mass, motion, constraint, .. } = &mut *workspace;
        let Formulas { system, structure } = formulas;
        system.mass(q, &mut Mass::values(&structure.mass, mass, motion));
        let mut energy = Energy { kinetic: 0.0, potential: system.potential(q) };
        for (k, (i, j)) in structure.mass.entries().enumerate() {
            energy.kinetic += 0.5 * mass[k] * v[i] * v[j];
        }
        if let Some(epsilon) = system.epsilon() {
            energy.potential += system.strong_potential(q) / (epsilon * epsilon);
        }
        let g = &mut constraint[..structure.holonomic()];
        system.constraint(t, q, g);
        for (g, constraint) in g.iter().zip(&structure.constraints) {
            if constraint.compliance() > 0.0 {
                energy.potential += 0.5 * g * g / constraint.compliance();
            }
        }
        let parts = ["kinetic", "potential"];
        finite(&[energy.kinetic, energy.potential], "the energy", t, |k| parts[k])?;
        Ok(energy)
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let Ok((formulas, _)) = self.formulas(f64::NAN) else { return false };
        let (n, m) = (formulas.structure.n(), formulas.structure.m());
        let mut scratch = Scratch::new(n, m, n * n);
        let at = Motion { t: along.t, q: along.q, v: along.v };
        balance.fill(Series::zero());
        formulas.add_force(Terms::ACCELERATING, at, balance, &mut scratch);
        formulas.subtract_inertia(at.q, along.a, balance, &mut scratch);
        formulas.subtract_constraint_force(at, along.lambda, balance, &mut scratch);
        balance.iter_mut().for_each(|row| *row = -*row);
        let (holonomic, rest) = constraint.split_at_mut(formulas.structure.holonomic());
        self.system.constraint(at.t, at.q, holonomic);
        rest.fill(Series::zero());
        balance.iter().chain(constraint.iter()).all(|row| row.value().is_finite())
    }
}
