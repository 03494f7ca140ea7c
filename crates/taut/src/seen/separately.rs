//! What a solver asks for together, from functions that are called one after the other.

use super::fault::Evaluation;
use super::force::Terms;
use super::mechanical_system::{Dynamics, MechanicalSystem, Partitioned};

/// [`MechanicalSystem::dynamics`]
pub(crate) fn dynamics<S: MechanicalSystem + ?Sized>(
    system: &S,
    t: f64,
    q: &[f64],
    v: &[f64],
    out: &mut Dynamics<'_>,
) -> Evaluation {
    system.mass(q, out.mass)?;
    system.force(Terms::ACCELERATING, t, q, v, out.force)?;
    system.constraint(t, q, out.constraint)?;
    system.jacobian(t, q, v, out.jacobian)
}

/// [`MechanicalSystem::dynamics_and_curvature`]
pub(crate) fn dynamics_and_curvature<S: MechanicalSystem + ?Sized>(
    system: &S,
    t: f64,
    q: &[f64],
    v: &[f64],
    out: &mut Dynamics<'_>,
    curvature: &mut [f64],
) -> Evaluation {
    system.dynamics(t, q, v, out)?;
    system.curvature(t, q, v, curvature)
}

/// [`MechanicalSystem::dynamics_of_several`]
pub(crate) fn dynamics_of_several<S: MechanicalSystem + ?Sized>(
    system: &S,
    t: &[f64],
    q: &[f64],
    v: &[f64],
    out: &mut Dynamics<'_>,
) -> Evaluation {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let (of_mass, of_jacobian) = (structure.mass.nnz(), structure.jacobian.nnz());
    for (k, t) in t.iter().enumerate() {
        let mut one = Dynamics {
            mass: &mut out.mass[k * of_mass..][..of_mass],
            force: &mut out.force[k * n..][..n],
            constraint: &mut out.constraint[k * m..][..m],
            jacobian: &mut out.jacobian[k * of_jacobian..][..of_jacobian],
        };
        system.dynamics(*t, &q[k * n..][..n], &v[k * n..][..n], &mut one)?;
    }
    Ok(())
}

/// [`MechanicalSystem::partitioned`]
pub(crate) fn partitioned<S: MechanicalSystem + ?Sized>(
    system: &S,
    parts: &[Terms],
    t: f64,
    q: &[f64],
    v: &[f64],
    out: &mut Partitioned<'_>,
) -> Evaluation {
    if let Some(mass) = &mut out.mass {
        system.mass(q, mass)?;
    }
    for (terms, force) in parts.iter().zip(out.forces.chunks_exact_mut(q.len().max(1))) {
        system.force(*terms, t, q, v, force)?;
    }
    if !out.constraint.is_empty() {
        system.constraint(t, q, out.constraint)?;
        system.jacobian(t, q, v, out.jacobian)?;
    }
    Ok(())
}
