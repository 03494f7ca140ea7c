//! A mechanical system whose dampers beside springs are forces of their own.

use std::cell::RefCell;

use super::number::{Scalar, Series};
use crate::linear::Pattern;
use crate::seen::{
    Constraint, ConstraintKind, Dynamics, Evaluation, MechanicalExpansion, MechanicalSystem, MotionSeries,
    Partitioned, Structure, Terms, Wrapper,
};

/// A system with g = C λ and the dissipative force −Gᵀ R g', R = d/c, in the place of g + d g' = C λ.
///
/// Partitioned methods treat spring and damper with coefficients of their own: the one keeps the energy, the other takes
/// it out (Jay 1998, section 2). The multiplier is that of the spring alone; a run adds the damper's part to what it gives away, so
/// that multipliers are those of every other method.
pub struct DamperForces<'a> {
    system: &'a dyn MechanicalSystem,
    structure: Structure,
    /// R of each constraint, 0 without a damper
    strength: Vec<f64>,
    /// the entries (place in D, place of Gₖᵢ, place of Gₖⱼ, k) of GᵀR G
    products: Vec<(usize, usize, usize, usize)>,
    /// the places of the system's own D
    own: Vec<usize>,
    workspace: RefCell<Workspace>,
}

struct Workspace {
    rate: Vec<f64>,
    jacobian: Vec<f64>,
    damping: Vec<f64>,
}

impl<'a> DamperForces<'a> {
    /// The system with its dampers as forces; nothing when it has none.
    pub fn of(system: &'a dyn MechanicalSystem) -> Option<Self> {
        let full = system.structure();
        let strength: Vec<f64> = full.constraints.iter().map(strength).collect();
        if strength.iter().all(|r| *r == 0.0) {
            return None;
        }
        let (by_row, permutation) = full.jacobian.transpose();
        let row = |k: usize| {
            let places = &permutation[by_row.column_starts()[k]..];
            by_row.column(k).iter().copied().zip(places.iter().copied())
        };
        let of_row = |k: usize| row(k).flat_map(move |(i, x)| row(k).map(move |(j, y)| (i, j, x, y, k)));
        let damped = (0..full.m()).filter(|&k| strength[k] > 0.0);
        let pairs: Vec<_> = damped.flat_map(of_row).collect();
        let (damping, (products, own)) = Pattern::with_places(full.n(), full.n(), |place| {
            let products = pairs.iter().map(|&(i, j, x, y, k)| (place(i, j), x, y, k)).collect();
            (products, full.damping.entries().map(|(i, j)| place(i, j)).collect())
        });
        let undamped = |constraint: &Constraint| match constraint.kind {
            ConstraintKind::Holonomic { compliance, .. } => Constraint::spring(&constraint.name, compliance),
            ConstraintKind::Nonholonomic => constraint.clone(),
        };
        let workspace = Workspace {
            rate: vec![0.0; full.m()],
            jacobian: vec![0.0; full.jacobian.nnz()],
            damping: vec![0.0; full.damping.nnz()],
        };
        let constraints = full.constraints.iter().map(undamped).collect();
        let structure = Structure { constraints, damping, ..full.clone() };
        Some(DamperForces { system, structure, strength, products, own, workspace: RefCell::new(workspace) })
    }

    /// Adds what dampers pull with, R g', to the multipliers of their springs; nothing where that is undefined.
    pub(crate) fn add_reactions(&self, t: f64, q: &[f64], v: &[f64], lambda: &mut [f64]) {
        let work = &mut *self.workspace.borrow_mut();
        if self.system.constraint_rate(t, q, v, &mut work.rate).is_ok() {
            let reactions = work.rate.iter().zip(&self.strength);
            lambda.iter_mut().zip(reactions).for_each(|(lambda, (rate, r))| *lambda += r * rate);
        }
    }

    /// R g' of each damper.
    fn reactions(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.system.constraint_rate(t, q, v, rate)?;
        rate.iter_mut().zip(&self.strength).for_each(|(rate, r)| *rate *= r);
        Ok(())
    }

    /// −Gᵀ R g'
    fn add_force(&self, jacobian: &[f64], reactions: &[f64], force: &mut [f64]) {
        self.structure.jacobian.transpose_multiply_add(jacobian, reactions, force, -1.0);
    }
}

fn strength(constraint: &Constraint) -> f64 {
    match constraint.relaxation() {
        0.0 => 0.0,
        d => d / constraint.compliance(),
    }
}

impl Wrapper for DamperForces<'_> {
    fn inner(&self) -> &dyn MechanicalSystem {
        self.system
    }

    /// None: those of the system have the dampers in their rows.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.force(terms, t, q, v, force)?;
        if terms.contain(Terms::DISSIPATIVE) {
            let work = &mut *self.workspace.borrow_mut();
            self.reactions(t, q, v, &mut work.rate)?;
            self.system.jacobian(t, q, v, &mut work.jacobian)?;
            self.add_force(&work.jacobian, &work.rate, force);
        }
        Ok(())
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.system.dynamics(t, q, v, out)?;
        let rate = &mut self.workspace.borrow_mut().rate;
        self.reactions(t, q, v, rate)?;
        self.add_force(out.jacobian, rate, out.force);
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
        self.system.partitioned(parts, t, q, v, out)?;
        let rate = &mut self.workspace.borrow_mut().rate;
        let damped = |terms: &Terms| terms.contain(Terms::DISSIPATIVE);
        if parts.iter().any(damped) {
            self.reactions(t, q, v, rate)?;
        }
        let forces = parts.iter().zip(out.forces.chunks_exact_mut(q.len().max(1)));
        for (_, force) in forces.filter(|(terms, _)| damped(terms)) {
            self.add_force(out.jacobian, rate, force);
        }
        Ok(())
    }

    /// Without the derivative −Gᵀ R ∂g'/∂q of the damper's force, which changes what Newton's iteration contracts with by
    /// O(h), however strong the damper is.
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
        let work = &mut *self.workspace.borrow_mut();
        let dampers = terms.contain(Terms::DISSIPATIVE);
        if dampers {
            self.reactions(t, q, v, &mut work.rate)?;
            self.system.jacobian(t, q, v, &mut work.jacobian)?;
            // With the forces of dampers beside those of springs the stiffness is −∂(Gᵀ(λ + R g'))/∂q.
            work.rate.iter_mut().zip(lambda).for_each(|(reaction, lambda)| *reaction += lambda);
        } else {
            work.rate.copy_from_slice(lambda);
        }
        self.system.newton_blocks(terms, t, q, v, a, &work.rate, stiffness, &mut work.damping)?;
        damping.fill(0.0);
        Pattern::scatter(&work.damping, &self.own, damping, 1.0);
        if dampers {
            for &(place, x, y, k) in &self.products {
                damping[place] -= self.strength[k] * work.jacobian[x] * work.jacobian[y];
            }
        }
        Ok(())
    }

    /// With g' of the dampers, so that the last coefficient of the balance is not known.
    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        if !self.system.series(along, balance, constraint) {
            return false;
        }
        let reactions = along.lambda.iter().zip(constraint.iter().zip(&self.strength));
        let reactions = reactions.map(|(lambda, (g, r))| *lambda + g.derivative() * Series::constant(*r));
        let lambda: Vec<Series> = reactions.collect();
        self.system.series(&MotionSeries { lambda: &lambda, ..*along }, balance, constraint)
    }

    fn terms(&self) -> Terms {
        self.system.terms() | Terms::DISSIPATIVE
    }
}
