//! A mechanical system without its redundant constraints.

use std::cell::RefCell;

use super::fault::{Evaluation, Fault};
use super::force::Terms;
use super::mechanical_system::{Energy, MechanicalSystem, MotionSeries, MovingFrame, Structure};
use super::number::{Scalar, Series};
use crate::linear::Pattern;

/// A system with some of its constraints left out, since they follow from the others. Their multipliers are zero.
pub struct Independent<'a> {
    system: &'a dyn MechanicalSystem,
    structure: Structure,
    kept: Vec<usize>,
    /// for each kept entry of the Jacobian its place in the full one
    entries: Vec<usize>,
    workspace: RefCell<Workspace>,
}

struct Workspace {
    rows: Vec<f64>,
    jacobian: Vec<f64>,
    lambda: Vec<f64>,
}

impl<'a> Independent<'a> {
    /// The system without the constraints of these numbers.
    pub fn without(system: &'a dyn MechanicalSystem, redundant: &[usize]) -> Self {
        let full = system.structure();
        let kept: Vec<usize> = (0..full.m()).filter(|k| !redundant.contains(k)).collect();
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
            jacobian: vec![0.0; full.jacobian.nnz()],
            lambda: vec![0.0; full.m()],
        };
        Independent { system, structure, kept, entries, workspace: RefCell::new(workspace) }
    }

    /// The multipliers of all constraints, from those of the kept ones.
    pub fn all_multipliers(&self, kept: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.system.structure().m()];
        for (&k, lambda) in self.kept.iter().zip(kept) {
            all[k] = *lambda;
        }
        all
    }

    /// The multipliers of the kept constraints, from those of all.
    pub fn kept_multipliers(&self, all: &[f64]) -> Vec<f64> {
        self.kept.iter().map(|&k| all[k]).collect()
    }

    fn select(&self, rows: &[f64], out: &mut [f64]) {
        for (out, &k) in out.iter_mut().zip(&self.kept) {
            *out = rows[k];
        }
    }
}

impl MechanicalSystem for Independent<'_> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        self.system.mass(q, mass)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.force(terms, t, q, v, force)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let rows = &mut self.workspace.borrow_mut().rows;
        self.system.constraint(t, q, rows)?;
        self.select(rows, g);
        Ok(())
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let full = &mut self.workspace.borrow_mut().jacobian;
        self.system.jacobian(t, q, v, full)?;
        for (out, &entry) in jacobian.iter_mut().zip(&self.entries) {
            *out = full[entry];
        }
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
        for (&k, lambda) in self.kept.iter().zip(lambda) {
            all[k] = *lambda;
        }
        self.system.newton_blocks(terms, t, q, v, a, all, stiffness, damping)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.system.energy(t, q, v)
    }

    fn frame(&self) -> Option<&dyn MovingFrame> {
        self.system.frame()
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let mut rows = vec![Series::zero(); self.system.structure().m()];
        let mut lambda = rows.clone();
        for (&k, series) in self.kept.iter().zip(along.lambda) {
            lambda[k] = *series;
        }
        let known = self.system.series(&MotionSeries { lambda: &lambda, ..*along }, balance, &mut rows);
        for (out, &k) in constraint.iter_mut().zip(&self.kept) {
            *out = rows[k];
        }
        known
    }
}
