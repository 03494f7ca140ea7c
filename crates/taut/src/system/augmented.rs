//! Systems with a singular mass matrix, augmented so that it becomes regular (Jay 1998, eq. 13).

use std::cell::RefCell;

use super::number::Series;
use crate::linear::Pattern;
use crate::seen::{
    Constraint, Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, Structure,
    Terms, Wrapper,
};

/// A mechanical system with coordinates (q, r), r = 0, and the mass matrix [M Gᵀ; G 0], which is regular where M need not be.
///
/// SPARK methods ask for M⁻¹; where only [M Gᵀ; G 0] is invertible (10), they are applied to this system (13). Its motion has
/// the q, v and λ of the given one; r, their velocities and their multipliers vanish at the ends of steps. The
/// constraints of the given system must be rods that do not depend on time.
///
/// The derivatives of G v that [`MechanicalSystem`] does not offer are left out of the Newton blocks: they only slow the iteration.
pub struct Augmented<'a> {
    system: &'a dyn MechanicalSystem,
    structure: Structure,
    /// for each entry of M, of G and of Gᵀ its place in the mass matrix
    mass: [Vec<usize>; 3],
    /// for each entry of K its place in the stiffness block, and of K and D in the damping block
    stiffness: Vec<usize>,
    damping: [Vec<usize>; 2],
    /// for each entry of G and for each r its place in the constraint Jacobian
    jacobian: [Vec<usize>; 2],
    workspace: RefCell<Workspace>,
}

struct Workspace {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    zeros: Vec<f64>,
    lambda: Vec<f64>,
}

impl<'a> Augmented<'a> {
    /// The augmented system of a system with rods.
    pub fn new(system: &'a dyn MechanicalSystem) -> Self {
        let inner = system.structure();
        let (n, m) = (inner.n(), inner.m());
        let size = n + m;
        let g = || inner.jacobian.entries();
        let (mass, mass_places) = Pattern::with_places(size, size, |place| {
            let own = inner.mass.entries().map(|(i, j)| place(i, j)).collect();
            let below = g().map(|(k, j)| place(n + k, j)).collect();
            [own, below, g().map(|(k, j)| place(j, n + k)).collect()]
        });
        let (stiffness, stiffness_places) = Pattern::with_places(size, size, |place| {
            inner.stiffness.entries().map(|(i, j)| place(i, j)).collect()
        });
        let (damping, damping_places) = Pattern::with_places(size, size, |place| {
            let mut places = |block: &Pattern| block.entries().map(|(i, j)| place(i, j)).collect();
            [places(&inner.stiffness), places(&inner.damping)]
        });
        let (jacobian, jacobian_places) = Pattern::with_places(2 * m, size, |place| {
            let own = g().map(|(k, j)| place(k, j)).collect();
            [own, (0..m).map(|k| place(m + k, n + k)).collect()]
        });
        let names = inner.constraints.iter().map(|constraint| format!("augmentation by {}", constraint.name));
        let names: Vec<String> = names.collect();
        Augmented {
            system,
            mass: mass_places,
            stiffness: stiffness_places,
            damping: damping_places,
            jacobian: jacobian_places,
            workspace: RefCell::new(Workspace {
                mass: vec![0.0; inner.mass.nnz()],
                jacobian: vec![0.0; inner.jacobian.nnz()],
                stiffness: vec![0.0; inner.stiffness.nnz()],
                damping: vec![0.0; inner.damping.nnz()],
                zeros: vec![0.0; n],
                lambda: vec![0.0; m],
            }),
            structure: Structure {
                coordinates: inner.coordinates.iter().chain(&names).cloned().collect(),
                constraints: inner
                    .constraints
                    .iter()
                    .cloned()
                    .chain(names.iter().map(Constraint::rod))
                    .collect(),
                constant_mass: inner.constant_mass && inner.linear_constraints,
                linear_constraints: inner.linear_constraints,
                mass,
                stiffness,
                damping,
                jacobian,
            },
        }
    }

    /// The state (q, 0, v, 0) of this system that belongs to (q, v).
    pub fn state(&self, start: &[f64]) -> Vec<f64> {
        let (n, m) = (self.n(), self.m());
        let (q, v) = start.split_at(n.min(start.len()));
        [q, &vec![0.0; m], v, &vec![0.0; m]].concat()
    }

    fn n(&self) -> usize {
        self.system.structure().n()
    }

    fn m(&self) -> usize {
        self.system.structure().m()
    }
}

impl Wrapper for Augmented<'_> {
    fn inner(&self) -> &dyn MechanicalSystem {
        self.system
    }

    fn terms(&self) -> Terms {
        self.system.terms() | Terms::CORIOLIS | Terms::KINETIC
    }

    /// None: those of the system have neither r nor its velocities.
    fn series(&self, _along: &MotionSeries<'_>, _balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        false
    }

    /// None: those of the system have neither r nor its velocities.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let Workspace { mass: inner, jacobian, zeros, .. } = &mut *self.workspace.borrow_mut();
        self.system.mass(&q[..self.n()], inner)?;
        self.system.jacobian(0.0, &q[..self.n()], zeros, jacobian)?;
        mass.fill(0.0);
        Pattern::scatter(inner, &self.mass[0], mass, 1.0);
        Pattern::scatter(jacobian, &self.mass[1], mass, 1.0);
        Pattern::scatter(jacobian, &self.mass[2], mass, 1.0);
        Ok(())
    }

    /// ∂T/∂q has wᵀ ∂(G v)/∂q besides that of the given system, and M v' has −G_q(v, v) in the rows of r (13b).
    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let n = self.n();
        let ((q, v), w) = ((&q[..n], &v[..n]), &v[n..]);
        let (inner, rows) = force.split_at_mut(n);
        self.system.force(terms, t, q, v, inner)?;
        rows.fill(0.0);
        if terms.contain(Terms::CORIOLIS) {
            self.system.curvature(t, q, v, rows)?;
            rows.iter_mut().for_each(|row| *row = -*row);
        }
        if terms.contain(Terms::KINETIC) && w.iter().any(|w| *w != 0.0) {
            let Workspace { stiffness, damping, zeros, .. } = &mut *self.workspace.borrow_mut();
            self.system.newton_blocks(Terms::NONE, t, q, v, zeros, w, stiffness, damping)?;
            self.system.structure().stiffness.multiply_add(stiffness, v, inner, -1.0);
        }
        Ok(())
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (inner, r) = g.split_at_mut(self.m());
        r.copy_from_slice(&q[self.n()..]);
        self.system.constraint(t, &q[..self.n()], inner)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let n = self.n();
        let Workspace { jacobian: inner, .. } = &mut *self.workspace.borrow_mut();
        self.system.jacobian(t, &q[..n], &v[..n], inner)?;
        jacobian.fill(0.0);
        Pattern::scatter(inner, &self.jacobian[0], jacobian, 1.0);
        self.jacobian[1].iter().for_each(|&place| jacobian[place] = 1.0);
        Ok(())
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let n = self.n();
        let (inner, w) = rate.split_at_mut(self.m());
        w.copy_from_slice(&v[n..]);
        self.system.constraint_rate(t, &q[..n], &v[..n], inner)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let n = self.n();
        let (inner, rows) = curvature.split_at_mut(self.m());
        rows.fill(0.0);
        self.system.curvature(t, &q[..n], &v[..n], inner)
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
        let n = self.n();
        let work = &mut *self.workspace.borrow_mut();
        stiffness.fill(0.0);
        damping.fill(0.0);
        let (q, w, v) = (&q[..n], &v[n..], &v[..n]);
        if terms.contain(Terms::KINETIC) {
            self.system.newton_blocks(
                Terms::NONE,
                t,
                q,
                v,
                &work.zeros,
                w,
                &mut work.stiffness,
                &mut work.damping,
            )?;
            Pattern::scatter(&work.stiffness, &self.damping[0], damping, -1.0);
        }
        // Gᵀ a_w of M a is a force like that of multipliers.
        for (k, sum) in work.lambda.iter_mut().enumerate() {
            *sum = lambda[k] + a[n + k];
        }
        self.system.newton_blocks(
            terms,
            t,
            q,
            v,
            &a[..n],
            &work.lambda,
            &mut work.stiffness,
            &mut work.damping,
        )?;
        Pattern::scatter(&work.stiffness, &self.stiffness, stiffness, 1.0);
        Pattern::scatter(&work.damping, &self.damping[1], damping, 1.0);
        Ok(())
    }

    fn has_positive_mass(&self) -> bool {
        false
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.system.energy(t, &q[..self.n()], &v[..self.n()])
    }
}
