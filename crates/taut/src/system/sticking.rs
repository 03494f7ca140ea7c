//! A mechanical system with further conditions on its velocities, for as long as they hold.

use std::cell::RefCell;

use super::expansion::MechanicalExpansion;
use super::fault::Evaluation;
use super::force::Terms;
use super::mechanical_system::{Constraint, MechanicalSystem, MotionSeries, Structure};
use super::number::Series;
use super::wrapper::Wrapper;
use crate::linear::Pattern;

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
        let rows = |(k, condition): (usize, &&'a dyn VelocityCondition)| -> Vec<(usize, usize)> {
            condition.places().iter().map(|&j| (m + k, j)).collect()
        };
        let rows: Vec<Vec<(usize, usize)>> = conditions.iter().enumerate().map(rows).collect();
        let height = m + conditions.len();
        let jacobian =
            Pattern::from_entries(height, n, full.jacobian.entries().chain(rows.iter().flatten().copied()));
        let bends = conditions.iter().flat_map(|condition| condition.stiffness_places().iter().copied());
        let stiffness = Pattern::from_entries(n, n, full.stiffness.entries().chain(bends));
        let within = |pattern: &Pattern, entries: &mut dyn Iterator<Item = (usize, usize)>| {
            entries.map(|(i, j)| pattern.position(i, j).unwrap_or(0)).collect::<Vec<usize>>()
        };
        let own = [
            within(&jacobian, &mut full.jacobian.entries()),
            within(&stiffness, &mut full.stiffness.entries()),
        ];
        let of_condition = |(row, condition): (&Vec<(usize, usize)>, &&'a dyn VelocityCondition)| {
            [
                within(&jacobian, &mut row.iter().copied()),
                within(&stiffness, &mut condition.stiffness_places().iter().copied()),
            ]
        };
        let further = rows.iter().zip(conditions).map(of_condition).collect();
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

    /// Rows of the system's own constraints, and those of the conditions behind them.
    fn split<'r>(&self, rows: &'r mut [f64]) -> (&'r mut [f64], &'r mut [f64]) {
        let m = self.system.structure().m();
        rows.split_at_mut(m.min(rows.len()))
    }
}

/// Puts values where they belong, beside what is there.
fn scatter(values: &[f64], slots: &[usize], into: &mut [f64]) {
    for (value, &slot) in values.iter().zip(slots) {
        into[slot] += value;
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
        let Workspace { values, .. } = &mut *self.workspace.borrow_mut();
        jacobian.fill(0.0);
        values.clear();
        values.resize(self.own[0].len(), 0.0);
        self.system.jacobian(t, q, v, values)?;
        scatter(values, &self.own[0], jacobian);
        for (condition, [slots, _]) in self.conditions.iter().zip(&self.further) {
            values.clear();
            values.resize(slots.len(), 0.0);
            condition.gradient(t, q, v, values)?;
            scatter(values, slots, jacobian);
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
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
        scatter(values, &self.own[1], stiffness);
        for ((condition, [_, slots]), mu) in self.conditions.iter().zip(&self.further).zip(further) {
            entries.clear();
            entries.resize(slots.len(), 0.0);
            condition.stiffness(t, q, v, *mu, entries)?;
            scatter(entries, slots, stiffness);
        }
        Ok(())
    }

    fn terms(&self) -> Terms {
        self.system.terms()
    }
}
