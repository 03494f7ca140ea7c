//! The chain of any length with derivatives written by hand.

use taut::linear::Pattern;
use taut::system::{Dynamics, Energy, Evaluation, Fault, MechanicalSystem, Partitioned, Structure, Terms};

use crate::mechanics;

/// [`mechanics::Chain`], all derivatives written out on sparse patterns: M diagonal, K tridiagonal for each axis,
/// D empty, two links in each column of G.
#[derive(Clone, Debug)]
pub struct Chain<const D: usize> {
    parameters: mechanics::Chain<D>,
    structure: Structure,
}

impl<const D: usize> Chain<D> {
    /// The chain with these parameters.
    pub fn new(parameters: mechanics::Chain<D>) -> Self {
        let links = parameters.links;
        let n = D * links;
        let neighbours = |i: usize| [Some(i), i.checked_sub(D), Some(i + D)].into_iter().flatten();
        let structure = Structure {
            coordinates: parameters.coordinate_names(),
            constraints: parameters.rods(),
            mass: Pattern::diagonal(n),
            stiffness: Pattern::from_entries(n, n, (0..n).flat_map(|j| neighbours(j).map(move |i| (i, j)))),
            damping: Pattern::empty(n, n),
            jacobian: Pattern::from_entries(links, n, (0..n).flat_map(|j| [(j / D, j), (j / D + 1, j)])),
            constant_mass: true,
            linear_constraints: false,
        };
        Chain { parameters, structure }
    }

    /// g and G from one walk along the chain.
    fn write_links(&self, t: f64, q: &[f64], constraint: &mut [f64], jacobian: &mut [f64]) -> Evaluation {
        let length2 = self.parameters.length * self.parameters.length;
        for_links::<D>(q, |i, r| {
            constraint[i] = 0.5 * (square(r) - length2);
            self.write_link(i, r, jacobian);
        });
        self.structure.finite_constraints(constraint, "the constraint", t)
    }

    /// Row i of G. Column (i, d) holds the link below body i, and minus the link above it.
    fn write_link(&self, i: usize, r: [f64; D], jacobian: &mut [f64]) {
        let stride = if i + 1 < self.parameters.links { 2 } else { 1 };
        let own = &mut jacobian[2 * D * i..];
        for d in 0..D {
            own[stride * d] = r[d];
        }
        if i > 0 {
            let below = &mut jacobian[2 * D * (i - 1)..2 * D * i];
            for d in 0..D {
                below[2 * d + 1] = -r[d];
            }
        }
    }
}

/// Calls `visit` with every link as the vector from its lower end to its upper end.
fn for_links<const D: usize>(q: &[f64], mut visit: impl FnMut(usize, [f64; D])) {
    let mut before = [0.0; D];
    for (i, r) in q.chunks_exact(D).enumerate() {
        visit(i, std::array::from_fn(|d| r[d] - before[d]));
        before.copy_from_slice(r);
    }
}

fn square<const D: usize>(r: [f64; D]) -> f64 {
    r.iter().map(|r| r * r).sum()
}

impl<const D: usize> MechanicalSystem for Chain<D> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        mass.fill(self.parameters.mass);
        Ok(())
    }

    fn force(&self, terms: Terms, _t: f64, _q: &[f64], _v: &[f64], force: &mut [f64]) -> Evaluation {
        force.fill(0.0);
        if terms.contain(Terms::POTENTIAL) {
            let weight = self.parameters.mass * self.parameters.gravity;
            for force in force.chunks_exact_mut(D) {
                force[D - 1] = -weight;
            }
        }
        Ok(())
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let length2 = self.parameters.length * self.parameters.length;
        for_links::<D>(q, |i, r| g[i] = 0.5 * (square(r) - length2));
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, _t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        for_links::<D>(q, |i, r| self.write_link(i, r, jacobian));
        Ok(())
    }

    fn constraint_rate(&self, _t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let mut before = ([0.0; D], [0.0; D]);
        for ((rate, r), v) in rate.iter_mut().zip(q.chunks_exact(D)).zip(v.chunks_exact(D)) {
            *rate = (0..D).map(|d| (r[d] - before.0[d]) * (v[d] - before.1[d])).sum();
            before.0.copy_from_slice(r);
            before.1.copy_from_slice(v);
        }
        Ok(())
    }

    fn curvature(&self, _t: f64, _q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        for_links::<D>(v, |i, rate| curvature[i] = square(rate));
        Ok(())
    }

    /// K = −∂(Gᵀλ)/∂q: every link couples its two ends, axis by axis.
    fn newton_blocks(
        &self,
        _terms: Terms,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        _damping: &mut [f64],
    ) -> Evaluation {
        let mut k = 0;
        for i in 0..lambda.len() {
            let (below, above) = (lambda[i], lambda.get(i + 1).copied());
            for _ in 0..D {
                if i > 0 {
                    stiffness[k] = below;
                    k += 1;
                }
                stiffness[k] = -below - above.unwrap_or(0.0);
                k += 1;
                if let Some(above) = above {
                    stiffness[k] = above;
                    k += 1;
                }
            }
        }
        Ok(())
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mechanics::Chain { mass, gravity, .. } = self.parameters;
        let height: f64 = q.chunks_exact(D).map(|r| r[D - 1]).sum();
        let kinetic = 0.5 * mass * v.iter().map(|v| v * v).sum::<f64>();
        Ok(Energy { kinetic, potential: mass * gravity * height })
    }

    fn terms(&self) -> Terms {
        Terms::POTENTIAL
    }

    fn constraints_move(&self) -> bool {
        false
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        if let Some(mass) = &mut out.mass {
            self.mass(q, mass)?;
        }
        for (terms, force) in parts.iter().zip(out.forces.chunks_exact_mut(q.len())) {
            self.force(*terms, t, q, v, force)?;
        }
        self.write_links(t, q, out.constraint, out.jacobian)
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.mass(q, out.mass)?;
        self.force(Terms::ACCELERATING, t, q, v, out.force)?;
        self.write_links(t, q, out.constraint, out.jacobian)
    }
}
