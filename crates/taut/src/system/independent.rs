//! A mechanical system without its redundant constraints, the others scaled by their gradients.

use std::cell::RefCell;

use super::number::{Scalar, Series};
use crate::linear::Pattern;
use crate::seen::{
    Dynamics, Evaluation, MechanicalExpansion, MechanicalSystem, MotionSeries, Partitioned, Structure, Terms,
    Wrapper,
};

/// Which constraints of a system are kept, and how they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// constraints that are left out, by their numbers
    pub left_out: Vec<usize>,
    /// by what each constraint is divided; empty where they are taken as they are
    pub divisors: Vec<f64>,
    /// what each constraint is allowed to be instead of 0; empty where it is nothing
    pub gaps: Vec<f64>,
}

impl Selection {
    /// Whether all constraints are kept as they are.
    pub fn is_everything(&self) -> bool {
        self.left_out.is_empty() && self.divisors.is_empty() && self.gaps.is_empty()
    }
}

/// A system with some of its constraints left out, since they follow from the others. Their multipliers are zero. Those that
/// are kept may be divided by a number, so that all gradients are of one size.
pub struct Independent<'a> {
    system: &'a dyn MechanicalSystem,
    structure: Structure,
    kept: Vec<usize>,
    /// of each kept constraint: by what it is multiplied, and what it is instead of 0
    factors: Vec<f64>,
    gaps: Vec<f64>,
    /// for each kept entry of the Jacobian its place in the full one
    entries: Vec<usize>,
    workspace: RefCell<Workspace>,
}

struct Workspace {
    rows: Vec<f64>,
    curvature: Vec<f64>,
    jacobian: Vec<f64>,
    lambda: Vec<f64>,
    /// constraints and Jacobians of several states
    several: (Vec<f64>, Vec<f64>),
}

impl<'a> Independent<'a> {
    /// The system without the constraints of these numbers.
    pub fn without(system: &'a dyn MechanicalSystem, redundant: &[usize]) -> Self {
        Self::of(system, &Selection { left_out: redundant.to_vec(), ..Selection::default() })
    }

    /// The system with the constraints of a selection.
    pub fn of(system: &'a dyn MechanicalSystem, selection: &Selection) -> Self {
        let full = system.structure();
        let kept: Vec<usize> = (0..full.m()).filter(|k| !selection.left_out.contains(k)).collect();
        let factors = kept.iter().map(|&k| 1.0 / selection.divisors.get(k).unwrap_or(&1.0)).collect();
        let gaps = kept.iter().map(|&k| *selection.gaps.get(k).unwrap_or(&0.0)).collect();
        let place = |k: usize| kept.binary_search(&k).ok();
        let kept_entries =
            || full.jacobian.entries().enumerate().filter_map(|(e, (i, j))| Some((e, place(i)?, j)));
        let entries = kept_entries().map(|(e, _, _)| e).collect();
        let jacobian = Pattern::from_entries(kept.len(), full.n(), kept_entries().map(|(_, i, j)| (i, j)));
        let structure = Structure {
            constraints: kept.iter().map(|&k| full.constraints[k].clone()).collect(),
            jacobian,
            ..full.clone()
        };
        let workspace = Workspace {
            rows: vec![0.0; full.m()],
            curvature: vec![0.0; full.m()],
            jacobian: vec![0.0; full.jacobian.nnz()],
            lambda: vec![0.0; full.m()],
            several: (Vec::new(), Vec::new()),
        };
        Independent { system, structure, kept, factors, gaps, entries, workspace: RefCell::new(workspace) }
    }

    /// The multipliers of all constraints, from those of the kept ones.
    pub fn all_multipliers(&self, kept: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.system.structure().m()];
        self.spread(kept, &mut all);
        all
    }

    /// The multipliers of the kept constraints, from those of all.
    pub fn kept_multipliers(&self, all: &[f64]) -> Vec<f64> {
        self.kept.iter().zip(&self.factors).map(|(&k, factor)| all[k] / factor).collect()
    }

    /// The system with all constraints.
    pub(crate) fn whole(&self) -> &'a dyn MechanicalSystem {
        self.system
    }

    fn spread(&self, kept: &[f64], all: &mut [f64]) {
        for ((&k, factor), lambda) in self.kept.iter().zip(&self.factors).zip(kept) {
            all[k] = factor * lambda;
        }
    }

    fn select(&self, rows: &[f64], out: &mut [f64]) {
        for (out, (&k, factor)) in out.iter_mut().zip(self.kept.iter().zip(&self.factors)) {
            *out = factor * rows[k];
        }
    }

    /// Of the constraints themselves.
    fn select_beyond_gaps(&self, rows: &[f64], out: &mut [f64]) {
        let kept = self.kept.iter().zip(&self.gaps).zip(&self.factors);
        for (out, ((&k, gap), factor)) in out.iter_mut().zip(kept) {
            *out = factor * (rows[k] - gap);
        }
    }

    /// Of the Jacobian.
    fn select_entries(&self, full: &[f64], out: &mut [f64]) {
        let rows = self.structure.jacobian.row_indices();
        for (out, (&entry, &row)) in out.iter_mut().zip(self.entries.iter().zip(rows)) {
            *out = self.factors[row] * full[entry];
        }
    }
}

impl Wrapper for Independent<'_> {
    fn inner(&self) -> &dyn MechanicalSystem {
        self.system
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let rows = &mut self.workspace.borrow_mut().rows;
        self.system.constraint(t, q, rows)?;
        self.select_beyond_gaps(rows, g);
        Ok(())
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let full = &mut self.workspace.borrow_mut().jacobian;
        self.system.jacobian(t, q, v, full)?;
        self.select_entries(full, jacobian);
        Ok(())
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let rows = &mut self.workspace.borrow_mut().rows;
        self.system.constraint_rate(t, q, v, rows)?;
        self.select(rows, rate);
        Ok(())
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let rows = &mut self.workspace.borrow_mut().rows;
        self.system.curvature(t, q, v, rows)?;
        self.select(rows, curvature);
        Ok(())
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
        let all = &mut self.workspace.borrow_mut().lambda;
        all.fill(0.0);
        self.spread(lambda, all);
        self.system.newton_blocks(terms, t, q, v, a, all, stiffness, damping)
    }

    fn terms(&self) -> Terms {
        self.system.terms()
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let Workspace { rows, jacobian, .. } = &mut *self.workspace.borrow_mut();
        let Dynamics { mass, force, .. } = out;
        self.system.dynamics(t, q, v, &mut Dynamics { mass, force, constraint: rows, jacobian })?;
        self.select_beyond_gaps(rows, out.constraint);
        self.select_entries(jacobian, out.jacobian);
        Ok(())
    }

    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        let Workspace { rows, jacobian, curvature: bends, .. } = &mut *self.workspace.borrow_mut();
        let Dynamics { mass, force, .. } = out;
        let mut full = Dynamics { mass, force, constraint: rows, jacobian };
        self.system.dynamics_and_curvature(t, q, v, &mut full, bends)?;
        self.select_beyond_gaps(rows, out.constraint);
        self.select_entries(jacobian, out.jacobian);
        self.select(bends, curvature);
        Ok(())
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        let Workspace { rows, jacobian, .. } = &mut *self.workspace.borrow_mut();
        let mass = out.mass.as_deref_mut();
        let mut full = Partitioned { mass, forces: out.forces, constraint: rows, jacobian };
        self.system.partitioned(parts, t, q, v, &mut full)?;
        self.select_beyond_gaps(rows, out.constraint);
        self.select_entries(jacobian, out.jacobian);
        Ok(())
    }

    fn takes_several(&self) -> bool {
        self.system.takes_several()
    }

    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let full = self.system.structure();
        let (m, entries) = (full.m(), full.jacobian.nnz());
        let Workspace { several: (rows, jacobian), .. } = &mut *self.workspace.borrow_mut();
        rows.resize(t.len() * m, 0.0);
        jacobian.resize(t.len() * entries, 0.0);
        let Dynamics { mass, force, .. } = out;
        self.system.dynamics_of_several(
            t,
            q,
            v,
            &mut Dynamics { mass, force, constraint: rows, jacobian },
        )?;
        let (kept, kept_entries) = (self.kept.len(), self.entries.len());
        for k in 0..t.len() {
            self.select_beyond_gaps(&rows[k * m..], &mut out.constraint[k * kept..][..kept]);
            let out = &mut out.jacobian[k * kept_entries..][..kept_entries];
            self.select_entries(&jacobian[k * entries..], out);
        }
        Ok(())
    }

    fn expansion(&self) -> Option<MechanicalExpansion> {
        let rows = self.structure.jacobian.row_indices();
        let entries = self.entries.iter().zip(rows).map(|(&entry, &row)| (entry, self.factors[row]));
        Some(self.system.expansion()?.select(&self.kept, &self.factors, entries))
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let mut rows = vec![Series::zero(); self.system.structure().m()];
        let mut lambda = rows.clone();
        for ((&k, factor), series) in self.kept.iter().zip(&self.factors).zip(along.lambda) {
            lambda[k] = *series * *factor;
        }
        let known = self.system.series(&MotionSeries { lambda: &lambda, ..*along }, balance, &mut rows);
        for (out, (row, &k)) in constraint.iter_mut().zip(self.kept.iter().enumerate()) {
            *out = (rows[k] - self.gaps[row]) * self.factors[row];
        }
        known
    }
}
