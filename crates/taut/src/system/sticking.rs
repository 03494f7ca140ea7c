//! A mechanical system with further conditions on its velocities, for as long as they hold.

use std::cell::RefCell;

use super::number::Series;
use crate::linear::Pattern;
use crate::seen::{
    Constraint, Dynamics, Evaluation, MechanicalExpansion, MechanicalSystem, MotionSeries, Structure, Terms,
    Wrapper,
};

/// One more condition h(t, q, v) = 0 with force −(∂h/∂v)ᵀμ, such as friction that sticks: μ is what it takes.
pub trait VelocityCondition {
    /// In words.
    fn name(&self) -> &str;

    /// The coordinates whose velocities are in h.
    fn places(&self) -> &[usize];

    /// Whether ∂h/∂v is the same everywhere.
    fn is_linear(&self) -> bool;

    /// h(t, q, v)
    fn value(&self, t: f64, q: &[f64], v: &[f64]) -> f64;

    /// ∂h/∂v at its places.
    fn gradient(&self, t: f64, q: &[f64], v: &[f64], gradient: &mut [f64]) -> Evaluation;

    /// The part of the time derivative of h that is free of v': h_t + h_q v.
    fn curvature(&self, t: f64, q: &[f64], v: &[f64]) -> f64;

    /// Rows and columns of ∂(−(∂h/∂v)ᵀμ)/∂q.
    fn stiffness_places(&self) -> &[(usize, usize)];

    /// The values there.
    fn stiffness(&self, t: f64, q: &[f64], v: &[f64], mu: f64, stiffness: &mut [f64]) -> Evaluation;
}

/// A system with such conditions behind its own constraints.
pub struct Sticking<'a> {
    system: &'a dyn MechanicalSystem,
    conditions: Vec<&'a dyn VelocityCondition>,
    structure: Structure,
    /// where the entries of the system's own Jacobian and stiffness are
    own: [Vec<usize>; 2],
    /// and those of each condition
    further: Vec<[Vec<usize>; 2]>,
    workspace: RefCell<Workspace>,
}

#[derive(Default)]
struct Workspace {
    values: Vec<f64>,
    entries: Vec<f64>,
}

impl<'a> Sticking<'a> {
    /// The system while these conditions hold.
    pub fn new(system: &'a dyn MechanicalSystem, conditions: &[&'a dyn VelocityCondition]) -> Self {
        let full = system.structure();
        let (n, m) = (full.n(), full.m());
        let (jacobian, jacobian_places) = Pattern::with_places(m + conditions.len(), n, |place| {
            let own: Vec<usize> = full.jacobian.entries().map(|(k, j)| place(k, j)).collect();
            let further = conditions.iter().enumerate();
            let further = further.map(|(k, row)| row.places().iter().map(|&j| place(m + k, j)).collect());
            (own, further.collect::<Vec<Vec<usize>>>())
        });
        let (stiffness, stiffness_places) = Pattern::with_places(n, n, |place| {
            let own: Vec<usize> = full.stiffness.entries().map(|(i, j)| place(i, j)).collect();
            let further = conditions.iter().map(|row| row.stiffness_places());
            let further = further.map(|places| places.iter().map(|&(i, j)| place(i, j)).collect());
            (own, further.collect::<Vec<Vec<usize>>>())
        });
        let own = [jacobian_places.0, stiffness_places.0];
        let further = jacobian_places.1.into_iter().zip(stiffness_places.1).map(|(g, k)| [g, k]).collect();
        let further_rows = conditions.iter().map(|condition| Constraint::nonholonomic(condition.name()));
        let structure = Structure {
            constraints: full.constraints.iter().cloned().chain(further_rows).collect(),
            linear_constraints: full.linear_constraints
                && conditions.iter().all(|condition| condition.is_linear()),
            jacobian,
            stiffness,
            ..full.clone()
        };
        let (conditions, workspace) = (conditions.to_vec(), RefCell::default());
        Sticking { system, conditions, structure, own, further, workspace }
    }

    /// G from that of the system and the gradients of the conditions.
    fn join_jacobian(
        &self,
        (t, q, v): (f64, &[f64], &[f64]),
        own: &[f64],
        gradient: &mut Vec<f64>,
        jacobian: &mut [f64],
    ) -> Evaluation {
        jacobian.fill(0.0);
        Pattern::scatter(own, &self.own[0], jacobian, 1.0);
        for (condition, [slots, _]) in self.conditions.iter().zip(&self.further) {
            gradient.clear();
            gradient.resize(slots.len(), 0.0);
            condition.gradient(t, q, v, gradient)?;
            Pattern::scatter(gradient, slots, jacobian, 1.0);
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    /// Rows of the system's own constraints, and those of the conditions behind them.
    fn split<'r>(&self, rows: &'r mut [f64]) -> (&'r mut [f64], &'r mut [f64]) {
        let m = self.system.structure().m();
        rows.split_at_mut(m.min(rows.len()))
    }
}

impl Wrapper for Sticking<'_> {
    fn inner(&self) -> &dyn MechanicalSystem {
        self.system
    }

    /// None: conditions are given by their values.
    fn series(&self, _along: &MotionSeries<'_>, _balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        false
    }

    /// None: conditions are given by their values.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (own, further) = self.split(g);
        further.fill(0.0);
        self.system.constraint(t, q, own)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let Workspace { values, entries } = &mut *self.workspace.borrow_mut();
        values.resize(self.own[0].len(), 0.0);
        self.system.jacobian(t, q, v, values)?;
        self.join_jacobian((t, q, v), values, entries, jacobian)
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let Workspace { values, entries } = &mut *self.workspace.borrow_mut();
        values.resize(self.own[0].len(), 0.0);
        let Dynamics { mass, force, constraint, jacobian } = out;
        let (own, further) = self.split(constraint);
        further.fill(0.0);
        self.system.dynamics(t, q, v, &mut Dynamics { mass, force, constraint: own, jacobian: values })?;
        self.join_jacobian((t, q, v), values, entries, jacobian)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let (own, further) = self.split(rate);
        for (rate, condition) in further.iter_mut().zip(&self.conditions) {
            *rate = condition.value(t, q, v);
        }
        self.system.constraint_rate(t, q, v, own)?;
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let (own, further) = self.split(curvature);
        for (curvature, condition) in further.iter_mut().zip(&self.conditions) {
            *curvature = condition.curvature(t, q, v);
        }
        self.system.curvature(t, q, v, own)?;
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
        let Workspace { values, entries } = &mut *self.workspace.borrow_mut();
        let (own, further) = lambda.split_at(self.system.structure().m());
        stiffness.fill(0.0);
        values.clear();
        values.resize(self.own[1].len(), 0.0);
        self.system.newton_blocks(terms, t, q, v, a, own, values, damping)?;
        Pattern::scatter(values, &self.own[1], stiffness, 1.0);
        for ((condition, [_, slots]), mu) in self.conditions.iter().zip(&self.further).zip(further) {
            entries.clear();
            entries.resize(slots.len(), 0.0);
            condition.stiffness(t, q, v, *mu, entries)?;
            Pattern::scatter(entries, slots, stiffness, 1.0);
        }
        Ok(())
    }

    fn terms(&self) -> Terms {
        self.system.terms()
    }
}
