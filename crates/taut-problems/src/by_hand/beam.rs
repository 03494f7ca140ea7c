//! The beam with derivatives written by hand.

use taut::system::{Dynamics, Energy, Evaluation, Fault, Mechanical, MechanicalSystem, Structure, Terms};

use crate::mechanics;
use crate::mechanics::beam::share;

const N: usize = mechanics::Beam::SEGMENTS;

/// [`mechanics::Beam`], all derivatives written out. With C_lk = g_lk cos(θ_l − θ_k) and S_lk = g_lk sin(θ_l − θ_k) the
/// mass matrix is C, the forces of Coriolis are −Σ S_lk θ_k'² and the derivatives of T are −θ_l' Σ S_lk θ_k'.
#[derive(Clone, Debug)]
pub struct Beam {
    structure: Structure,
}

/// Sines and cosines of the angles of the segments.
struct Directions([(f64, f64); N]);

impl Directions {
    fn of(theta: &[f64]) -> Self {
        Directions(std::array::from_fn(|l| theta[l].sin_cos()))
    }

    /// (C_lk, S_lk)
    fn pair(&self, l: usize, k: usize) -> (f64, f64) {
        let ((sin_l, cos_l), (sin_k, cos_k)) = (self.0[l], self.0[k]);
        let share = share(l, k);
        ((cos_l * cos_k + sin_l * sin_k) * share, (sin_l * cos_k - cos_l * sin_k) * share)
    }

    /// M by columns.
    fn write_mass(&self, mass: &mut [f64]) {
        for l in 0..N {
            mass[l * N + l] = share(l, l);
            for k in 0..l {
                let (c, _) = self.pair(l, k);
                mass[k * N + l] = c;
                mass[l * N + k] = c;
            }
        }
    }

    fn write_force(&self, terms: Terms, t: f64, theta: &[f64], v: &[f64], force: &mut [f64]) {
        force.fill(0.0);
        if terms.contain(Terms::POTENTIAL) {
            for l in 0..N {
                let before = if l > 0 { theta[l - 1] } else { -theta[0] };
                let after = if l + 1 < N { theta[l + 1] } else { theta[l] };
                force[l] = (before - theta[l] * 2.0 + after) * mechanics::Beam::BENDING;
            }
        }
        if terms.contain(Terms::DRIVING) {
            let load = mechanics::Beam::load(t);
            for (force, (sin, cos)) in force.iter_mut().zip(self.0) {
                *force += load * (cos + sin);
            }
        }
        let (coriolis, kinetic) = (terms.contain(Terms::CORIOLIS), terms.contain(Terms::KINETIC));
        if !coriolis && !kinetic {
            return;
        }
        for l in 0..N {
            for k in 0..l {
                let (_, s) = self.pair(l, k);
                if coriolis {
                    force[l] -= s * v[k] * v[k];
                    force[k] += s * v[l] * v[l];
                }
                if kinetic {
                    force[l] -= s * v[l] * v[k];
                    force[k] += s * v[l] * v[k];
                }
            }
        }
    }

    /// K and D by columns: the derivatives of each pair of segments, then those of bending and load.
    fn write_blocks(
        &self,
        terms: Terms,
        t: f64,
        v: &[f64],
        a: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) {
        let share_of = |term: Terms| if terms.contain(term) { 1.0 } else { 0.0 };
        let (coriolis, kinetic) = (share_of(Terms::CORIOLIS), share_of(Terms::KINETIC));
        stiffness.fill(0.0);
        damping.fill(0.0);
        for l in 0..N {
            for k in 0..l {
                let (c, s) = self.pair(l, k);
                let both = kinetic * v[l] * v[k];
                let by_k = c * (coriolis * v[k] * v[k] + both) - s * a[k];
                let by_l = c * (coriolis * v[l] * v[l] + both) + s * a[l];
                stiffness[k * N + l] = by_k;
                stiffness[l * N + k] = by_l;
                stiffness[l * N + l] -= by_k;
                stiffness[k * N + k] -= by_l;
                damping[k * N + l] = -s * (2.0 * coriolis * v[k] + kinetic * v[l]);
                damping[l * N + k] = s * (2.0 * coriolis * v[l] + kinetic * v[k]);
                damping[l * N + l] -= s * kinetic * v[k];
                damping[k * N + k] += s * kinetic * v[l];
            }
        }
        let (bending, load) =
            (share_of(Terms::POTENTIAL) * mechanics::Beam::BENDING, share_of(Terms::DRIVING));
        let load = load * mechanics::Beam::load(t);
        for (l, (sin, cos)) in self.0.into_iter().enumerate() {
            // The beam is clamped at its beginning and free at its end.
            let neighbours = match l {
                0 => 3.0,
                l if l + 1 == N => 1.0,
                _ => 2.0,
            };
            stiffness[l * N + l] += load * (cos - sin) - bending * neighbours;
            if l > 0 {
                stiffness[l * N + l - 1] += bending;
                stiffness[(l - 1) * N + l] += bending;
            }
        }
    }
}

impl Beam {
    /// The beam of [`mechanics::Beam`].
    pub fn new() -> Self {
        let formulas = mechanics::Beam;
        let full = Structure::dense(formulas.coordinates(), formulas.constraints());
        Beam { structure: Structure { linear_constraints: true, ..full } }
    }
}

impl Default for Beam {
    fn default() -> Self {
        Beam::new()
    }
}

impl MechanicalSystem for Beam {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        Directions::of(q).write_mass(mass);
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        Directions::of(q).write_force(terms, t, q, v, force);
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, _t: f64, _q: &[f64], _g: &mut [f64]) -> Evaluation {
        Ok(())
    }

    fn jacobian(&self, _t: f64, _q: &[f64], _v: &[f64], _jacobian: &mut [f64]) -> Evaluation {
        Ok(())
    }

    fn constraint_rate(&self, _t: f64, _q: &[f64], _v: &[f64], _rate: &mut [f64]) -> Evaluation {
        Ok(())
    }

    fn curvature(&self, _t: f64, _q: &[f64], _v: &[f64], _curvature: &mut [f64]) -> Evaluation {
        Ok(())
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        Directions::of(q).write_blocks(terms, t, v, a, stiffness, damping);
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let directions = Directions::of(q);
        let mut kinetic = 0.0;
        for l in 0..N {
            let others: f64 = (0..l).map(|k| directions.pair(l, k).0 * v[k]).sum();
            kinetic += v[l] * (others + 0.5 * share(l, l) * v[l]);
        }
        Ok(Energy { kinetic, potential: mechanics::Beam.potential(q) })
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        let directions = Directions::of(q);
        directions.write_mass(out.mass);
        directions.write_force(Terms::ACCELERATING, t, q, v, out.force);
        // the sines of the load are in the mass matrix
        self.structure.finite_coordinates(out.force, "the force", t)
    }
}
