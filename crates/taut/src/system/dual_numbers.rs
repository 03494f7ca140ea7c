//! Derivatives of formulas that cannot be recorded: by dual numbers, in all directions, into full blocks.

use std::cell::RefCell;

use super::fault::{Evaluation, Fault, finite};
use super::force::Terms;
use super::mechanical::{Mass, Mechanical};
use super::mechanical_system::{Energy, MotionSeries, Structure};
use super::number::{Dual, Scalar, Series, Unrecorded};
use super::terms::{Formulas, LANES, Motion, Scratch, collect, seed};
use crate::linear::Pattern;

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
/// Two directions of time: their mixed coefficient is a second derivative.
type Instant = Dual<1, Dual<1>>;

#[derive(Clone, Debug)]
struct Workspace {
    values: Scratch<f64>,
    slopes: Scratch<Slopes>,
    q: Vec<Slopes>,
    v: Vec<Slopes>,
    rows: Vec<Slopes>,
    moving: [Vec<Instant>; 3],
    mass: Vec<f64>,
    motion: Vec<Dual<1>>,
    constraint: Vec<f64>,
}

impl Workspace {
    fn new(n: usize, m: usize) -> Self {
        let (zero, instant) = (Slopes::constant(0.0), Instant::constant(0.0));
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
        constraints: Vec<super::Constraint>,
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

    /// The formulas with what is known of them; an error where there are too many coordinates.
    fn formulas<'a, M: Mechanical>(&'a self, system: &'a M, t: f64) -> Result<Formulas<'a, M>, Fault> {
        match self.reason {
            Some(reason) if self.workspace.borrow().rows.len() < self.structure.n() => {
                Err(Fault::raised(t, reason))
            }
            _ => Ok(Formulas { system, structure: &self.structure }),
        }
    }

    pub(super) fn mass<M: Mechanical>(&self, system: &M, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let formulas = self.formulas(system, f64::NAN)?;
        let motion = &mut self.workspace.borrow_mut().motion;
        formulas.system.mass(q, &mut Mass::values(&self.structure.mass, mass, motion));
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    pub(super) fn force<M: Mechanical>(
        &self,
        system: &M,
        terms: Terms,
        at: Motion<'_, f64>,
        force: &mut [f64],
    ) -> Evaluation {
        let formulas = self.formulas(system, at.t)?;
        force.fill(0.0);
        formulas.add_force(terms, at, force, &mut self.workspace.borrow_mut().values);
        self.structure.finite_coordinates(force, "the force", at.t)
    }

    pub(super) fn jacobian<M: Mechanical>(
        &self,
        system: &M,
        at: Motion<'_, f64>,
        jacobian: &mut [f64],
    ) -> Evaluation {
        let formulas = self.formulas(system, at.t)?;
        let scratch = &mut self.workspace.borrow_mut().values;
        formulas.jacobian_sweeps(at, scratch, |start, g| collect(g, start, jacobian));
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", at.t)
    }

    /// Calls `take` for each constraint along the motion q + τ v, t + τ: value, first and second derivative in τ.
    fn along_motion<M: Mechanical>(
        &self,
        system: &M,
        at: Motion<'_, f64>,
        mut take: impl FnMut(usize, bool, Instant),
    ) -> Evaluation {
        let formulas = self.formulas(system, at.t)?;
        let holonomic = self.structure.holonomic();
        let along = |x: f64, rate: f64| Dual {
            value: Dual { value: x, slope: [rate] },
            slope: [Dual { value: rate, slope: [0.0] }],
        };
        let [q, v, g] = &mut self.workspace.borrow_mut().moving;
        for i in 0..at.q.len() {
            (q[i], v[i]) = (along(at.q[i], at.v[i]), along(at.v[i], 0.0));
        }
        let (rows, h) = g.split_at_mut(holonomic);
        formulas.system.constraint(along(at.t, 1.0), q, rows);
        formulas.system.nonholonomic(along(at.t, 1.0), q, v, h);
        g.iter().enumerate().for_each(|(k, g)| take(k, k < holonomic, *g));
        Ok(())
    }

    pub(super) fn rate<M: Mechanical>(
        &self,
        system: &M,
        at: Motion<'_, f64>,
        rate: &mut [f64],
    ) -> Evaluation {
        self.along_motion(system, at, |k, holonomic, g| {
            rate[k] = if holonomic { g.slope[0].value } else { g.value.value };
        })?;
        self.structure.finite_constraints(rate, "the rate of the constraint", at.t)
    }

    pub(super) fn curvature<M: Mechanical>(
        &self,
        system: &M,
        at: Motion<'_, f64>,
        curvature: &mut [f64],
    ) -> Evaluation {
        self.along_motion(system, at, |k, holonomic, g| {
            curvature[k] = if holonomic { g.slope[0].slope[0] } else { g.slope[0].value };
        })?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", at.t)
    }

    /// K and D; a and λ are `load`.
    pub(super) fn newton_blocks<M: Mechanical>(
        &self,
        system: &M,
        terms: Terms,
        at: Motion<'_, f64>,
        load: (&[f64], &[f64]),
        [stiffness, damping]: [&mut [f64]; 2],
    ) -> Evaluation {
        let formulas = self.formulas(system, at.t)?;
        let Workspace { slopes, q, v, rows, .. } = &mut *self.workspace.borrow_mut();
        let n = at.q.len();
        seed(at.v, n, v);
        for start in (0..n).step_by(LANES) {
            seed(at.q, start, q);
            let seeded = Motion { t: Dual::constant(at.t), q: q.as_slice(), v: v.as_slice() };
            rows.fill(Dual::constant(0.0));
            formulas.add_force(terms, seeded, rows, slopes);
            formulas.subtract_constraint_force(seeded, load.1, rows, slopes);
            formulas.subtract_inertia(q, load.0, rows, slopes);
            collect(rows, start, stiffness);
        }
        seed(at.q, n, q);
        for start in (0..n).step_by(LANES) {
            seed(at.v, start, v);
            let seeded = Motion { t: Dual::constant(at.t), q: q.as_slice(), v: v.as_slice() };
            rows.fill(Dual::constant(0.0));
            formulas.add_force(terms, seeded, rows, slopes);
            collect(rows, start, damping);
        }
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", at.t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", at.t)
    }

    pub(super) fn energy<M: Mechanical>(&self, system: &M, at: Motion<'_, f64>) -> Result<Energy, Fault> {
        let system = self.formulas(system, at.t)?.system;
        let Workspace { mass, motion, constraint, .. } = &mut *self.workspace.borrow_mut();
        let pattern = &self.structure.mass;
        system.mass(at.q, &mut Mass::values(pattern, mass, motion));
        let mut energy = Energy { kinetic: 0.0, potential: system.potential(at.q) };
        for (k, (i, j)) in pattern.entries().enumerate() {
            energy.kinetic += 0.5 * mass[k] * at.v[i] * at.v[j];
        }
        if let Some(epsilon) = system.epsilon() {
            energy.potential += system.strong_potential(at.q) / (epsilon * epsilon);
        }
        let g = &mut constraint[..self.structure.holonomic()];
        system.constraint(at.t, at.q, g);
        for (g, constraint) in g.iter().zip(&self.structure.constraints) {
            if constraint.compliance() > 0.0 {
                energy.potential += 0.5 * g * g / constraint.compliance();
            }
        }
        let parts = ["kinetic", "potential"];
        finite(&[energy.kinetic, energy.potential], "the energy", at.t, |k| parts[k])?;
        Ok(energy)
    }

    pub(super) fn series<M: Mechanical>(
        &self,
        system: &M,
        along: &MotionSeries<'_>,
        balance: &mut [Series],
        constraint: &mut [Series],
    ) -> bool {
        let Ok(formulas) = self.formulas(system, f64::NAN) else { return false };
        let (n, m) = (self.structure.n(), self.structure.m());
        let mut scratch = Scratch::new(n, m, n * n);
        let at = Motion { t: along.t, q: along.q, v: along.v };
        balance.fill(Series::zero());
        formulas.add_force(Terms::ACCELERATING, at, balance, &mut scratch);
        formulas.subtract_inertia(at.q, along.a, balance, &mut scratch);
        formulas.subtract_constraint_force(at, along.lambda, balance, &mut scratch);
        balance.iter_mut().for_each(|row| *row = -*row);
        let (holonomic, rest) = constraint.split_at_mut(self.structure.holonomic());
        system.constraint(at.t, at.q, holonomic);
        rest.fill(Series::zero());
        balance.iter().chain(constraint.iter()).all(|row| row.value().is_finite())
    }
}
