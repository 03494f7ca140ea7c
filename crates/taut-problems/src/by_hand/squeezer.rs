//! Andrews' squeezer with derivatives written by hand.

mod blocks;

use taut::linear::Pattern;
use taut::system::{Dynamics, Energy, Evaluation, Fault, MechanicalSystem, Partitioned, Structure, Terms};

use crate::mechanics;
use crate::mechanics::squeezer::Inertia;

/// [`mechanics::Squeezer`], all derivatives written out.
///
/// Only (β, Θ), (Φ, δ) and (Ω, ε) are coupled by inertia, forces and curvature: M, K and D share one pattern of three
/// 2 × 2 blocks and the entry of γ. Seven sines and cosines serve everything; those of sums follow from them.
#[derive(Clone, Debug)]
pub struct Squeezer {
    p: mechanics::Squeezer,
    inertia: Inertia,
    structure: Structure,
}

/// Sines and cosines of the angles that inertia and forces depend on.
struct Inner {
    sin_theta: f64,
    cos_theta: f64,
    sin_phi: f64,
    cos_phi: f64,
    sin_omega: f64,
    cos_omega: f64,
    /// (cos γ, sin γ)
    gamma: [f64; 2],
}

impl Inner {
    fn of(q: &[f64]) -> Inner {
        let ((sin_theta, cos_theta), (sin_gamma, cos_gamma)) = (q[1].sin_cos(), q[2].sin_cos());
        let ((sin_phi, cos_phi), (sin_omega, cos_omega)) = (q[3].sin_cos(), q[5].sin_cos());
        let gamma = [cos_gamma, sin_gamma];
        Inner { sin_theta, cos_theta, sin_phi, cos_phi, sin_omega, cos_omega, gamma }
    }
}

/// Those of the loops: angles and the sums β + Θ, Φ + δ, Ω + ε, times the lengths that go with them.
struct Loops {
    /// rr (cos β, sin β)
    crank: [f64; 2],
    /// d (cos, sin) of β + Θ
    rod: [f64; 2],
    /// ss (cos γ, sin γ)
    gamma: [f64; 2],
    /// e (cos, sin) of Φ + δ
    left: [f64; 2],
    /// zt (cos δ, sin δ)
    delta: [f64; 2],
    /// zf (cos, sin) of Ω + ε
    right: [f64; 2],
    /// u (cos ε, sin ε)
    epsilon: [f64; 2],
}

/// length (cos, sin) of the sum of two angles
fn of_sum(length: f64, (sin_a, cos_a): (f64, f64), (sin_b, cos_b): (f64, f64)) -> [f64; 2] {
    [length * (cos_a * cos_b - sin_a * sin_b), length * (sin_a * cos_b + cos_a * sin_b)]
}

fn times(length: f64, (sin, cos): (f64, f64)) -> [f64; 2] {
    [length * cos, length * sin]
}

/// The spring: its force f on γ, ∂f/∂γ, and its energy.
struct Spring {
    force: f64,
    slope: f64,
    energy: f64,
}

impl Squeezer {
    /// The mechanism with these parameters.
    pub fn new(p: mechanics::Squeezer) -> Self {
        let inertia = p.inertia_coefficients();
        let blocks = [(0, 1), (3, 4), (5, 6)].into_iter();
        let pairs = blocks.flat_map(|(i, j)| [(i, i), (i, j), (j, i), (j, j)]).chain([(2, 2)]);
        let coupled = Pattern::from_entries(7, 7, pairs);
        let loops =
            [(0, 2), (1, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 5), (4, 6), (5, 5), (5, 6)].into_iter();
        let jacobian = Pattern::from_entries(6, 7, loops.chain((0..6).flat_map(|k| [(k, 0), (k, 1)])));
        let structure = Structure {
            coordinates: mechanics::Squeezer::names(),
            constraints: mechanics::Squeezer::loops(),
            mass: coupled.clone(),
            stiffness: coupled.clone(),
            damping: coupled,
            jacobian,
            constant_mass: false,
            linear_constraints: false,
        };
        Squeezer { p, inertia, structure }
    }

    fn loops(&self, q: &[f64], inner: &Inner) -> Loops {
        let (beta, delta, epsilon) = (q[0].sin_cos(), q[4].sin_cos(), q[6].sin_cos());
        let p = &self.p;
        Loops {
            crank: times(p.rr, beta),
            rod: of_sum(p.d, beta, (inner.sin_theta, inner.cos_theta)),
            gamma: [p.ss * inner.gamma[0], p.ss * inner.gamma[1]],
            left: of_sum(p.e, (inner.sin_phi, inner.cos_phi), delta),
            delta: times(p.zt, delta),
            right: of_sum(p.zf, (inner.sin_omega, inner.cos_omega), epsilon),
            epsilon: times(p.u, epsilon),
        }
    }

    /// In the order of the pattern: the blocks column by column.
    fn write_mass(&self, inner: &Inner, mass: &mut [f64]) {
        let c = &self.inertia;
        let crank = c.crank * inner.cos_theta;
        let left = c.left * inner.sin_phi;
        let right = c.right * inner.sin_omega;
        mass.copy_from_slice(&[
            c.m11 - 2.0 * crank,
            c.m21 - crank,
            c.m21 - crank,
            c.m22,
            c.m33,
            c.m44,
            c.m44 + left,
            c.m44 + left,
            c.m55 + 2.0 * left,
            c.m66,
            c.m66 - right,
            c.m66 - right,
            c.m77 - 2.0 * right,
        ]);
    }

    fn write_force(&self, terms: Terms, t: f64, inner: &Inner, v: &[f64], force: &mut [f64]) {
        let c = &self.inertia;
        let (crank, left, right) =
            (c.crank * inner.sin_theta, c.left * inner.cos_phi, c.right * inner.cos_omega);
        force.fill(0.0);
        if terms.contain(Terms::CORIOLIS) {
            force[0] = -crank * v[1] * (v[1] + 2.0 * v[0]);
            force[1] = crank * v[0] * v[0];
            force[3] = left * v[4] * v[4];
            force[4] = -left * v[3] * (v[3] + 2.0 * v[4]);
            force[5] = -right * v[6] * v[6];
            force[6] = right * v[5] * (v[5] + 2.0 * v[6]);
        }
        if terms.contain(Terms::KINETIC) {
            force[1] += crank * v[0] * (v[0] + v[1]);
            force[3] += left * v[4] * (v[4] + v[3]);
            force[5] -= right * v[6] * (v[6] + v[5]);
        }
        if terms.contain(Terms::POTENTIAL) {
            force[2] = self.spring(inner).force;
        }
        if terms.contain(Terms::DRIVING) {
            force[0] += self.p.torque * self.p.drive.share(t);
        }
    }

    fn spring(&self, inner: &Inner) -> Spring {
        let p = &self.p;
        let [cos, sin] = inner.gamma;
        // the joint D turns about B: D − B, and its derivative by γ
        let arm = [p.sd * cos + p.sc * sin, p.sd * sin - p.sc * cos];
        let [x, y] = [arm[0] + (p.xb - p.xc), arm[1] + (p.yb - p.yc)];
        let length2 = x * x + y * y;
        let length = length2.sqrt();
        let along = y * arm[0] - x * arm[1];
        let along_slope = p.sc * p.sc + p.sd * p.sd - (x * arm[0] + y * arm[1]);
        let tension = p.c0 * (1.0 - p.l0 / length);
        Spring {
            force: -tension * along,
            slope: -tension * along_slope - p.c0 * p.l0 * along * along / (length2 * length),
            energy: 0.5 * p.c0 * (length - p.l0).powi(2),
        }
    }

    fn write_constraint(&self, loops: &Loops, g: &mut [f64]) {
        let p = &self.p;
        let Loops { crank, rod, gamma, left, delta, right, epsilon } = loops;
        let [x, y] = [crank[0] - rod[0], crank[1] - rod[1]];
        g[0] = x - gamma[1] - p.xb;
        g[1] = y + gamma[0] - p.yb;
        g[2] = x - left[1] - delta[0] - p.xa;
        g[3] = y + left[0] - delta[1] - p.ya;
        g[4] = x - right[0] - epsilon[1] - p.xa;
        g[5] = y - right[1] + epsilon[0] - p.ya;
    }

    /// Column by column: six entries each for β and Θ, two for every other angle.
    fn write_jacobian(loops: &Loops, jacobian: &mut [f64]) {
        let Loops { crank, rod, gamma, left, delta, right, epsilon } = loops;
        let [x, y] = [crank[0] - rod[0], crank[1] - rod[1]];
        let [cos, sin] = *rod;
        jacobian.copy_from_slice(&[
            -y,
            x,
            -y,
            x,
            -y,
            x,
            sin,
            -cos,
            sin,
            -cos,
            sin,
            -cos,
            -gamma[0],
            -gamma[1],
            -left[0],
            -left[1],
            delta[1] - left[0],
            -delta[0] - left[1],
            right[1],
            -right[0],
            right[1] - epsilon[0],
            -right[0] - epsilon[1],
        ]);
    }

    /// G_q(v, v)
    fn write_curvature(loops: &Loops, v: &[f64], curvature: &mut [f64]) {
        let Loops { crank, rod, gamma, left, delta, right, epsilon } = loops;
        let square = |rate: f64| rate * rate;
        let (rod_rate, left_rate, right_rate) =
            (square(v[0] + v[1]), square(v[3] + v[4]), square(v[5] + v[6]));
        let [crank_rate, gamma_rate, delta_rate, epsilon_rate] = [v[0], v[2], v[4], v[6]].map(square);
        let x = rod[0] * rod_rate - crank[0] * crank_rate;
        let y = rod[1] * rod_rate - crank[1] * crank_rate;
        curvature[0] = x + gamma[1] * gamma_rate;
        curvature[1] = y - gamma[0] * gamma_rate;
        curvature[2] = x + left[1] * left_rate + delta[0] * delta_rate;
        curvature[3] = y - left[0] * left_rate + delta[1] * delta_rate;
        curvature[4] = x + right[0] * right_rate + epsilon[1] * epsilon_rate;
        curvature[5] = y + right[1] * right_rate - epsilon[0] * epsilon_rate;
    }
}

impl Squeezer {
    /// All of them from the same sines and cosines, which are returned.
    fn write_dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Result<Loops, Fault> {
        let inner = Inner::of(q);
        let loops = self.loops(q, &inner);
        self.write_mass(&inner, out.mass);
        self.write_force(Terms::ACCELERATING, t, &inner, v, out.force);
        self.write_constraint(&loops, out.constraint);
        Self::write_jacobian(&loops, out.jacobian);
        // every sine and cosine is in g and f, so that M and G are finite when these are
        self.structure.finite_coordinates(out.force, "the force", t)?;
        self.structure.finite_constraints(out.constraint, "the constraint", t)?;
        Ok(loops)
    }
}

impl MechanicalSystem for Squeezer {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        self.write_mass(&Inner::of(q), mass);
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.write_force(terms, t, &Inner::of(q), v, force);
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        self.write_constraint(&self.loops(q, &Inner::of(q)), g);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        Self::write_jacobian(&self.loops(q, &Inner::of(q)), jacobian);
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let Loops { crank, rod, gamma, left, delta, right, epsilon } = self.loops(q, &Inner::of(q));
        let (rod_rate, left_rate, right_rate) = (v[0] + v[1], v[3] + v[4], v[5] + v[6]);
        let x = rod[1] * rod_rate - crank[1] * v[0];
        let y = crank[0] * v[0] - rod[0] * rod_rate;
        rate[0] = x - gamma[0] * v[2];
        rate[1] = y - gamma[1] * v[2];
        rate[2] = x - left[0] * left_rate + delta[1] * v[4];
        rate[3] = y - left[1] * left_rate - delta[0] * v[4];
        rate[4] = x + right[1] * right_rate - epsilon[0] * v[6];
        rate[5] = y - right[0] * right_rate - epsilon[1] * v[6];
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        Self::write_curvature(&self.loops(q, &Inner::of(q)), v, curvature);
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
        let inner = Inner::of(q);
        self.write_stiffness(terms, &inner, &self.loops(q, &inner), v, a, lambda, stiffness);
        self.write_damping(terms, &inner, v, damping);
        // K holds the squares of what is in D, so that D is finite when K is
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let inner = Inner::of(q);
        let mut mass = [0.0; 13];
        self.write_mass(&inner, &mut mass);
        let mut momentum = [0.0; 7];
        self.structure.mass.multiply_add(&mass, v, &mut momentum, 0.5);
        let kinetic = momentum.iter().zip(v).map(|(momentum, v)| momentum * v).sum();
        Ok(Energy { kinetic, potential: self.spring(&inner).energy })
    }

    fn constraints_move(&self) -> bool {
        false
    }

    fn terms(&self) -> Terms {
        Terms::CORIOLIS | Terms::KINETIC | Terms::POTENTIAL | Terms::DRIVING
    }

    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        let inner = Inner::of(q);
        let loops = self.loops(q, &inner);
        if let Some(mass) = &mut out.mass {
            self.write_mass(&inner, mass);
        }
        for (terms, force) in parts.iter().zip(out.forces.chunks_exact_mut(q.len())) {
            self.write_force(*terms, t, &inner, v, force);
            self.structure.finite_coordinates(force, "the force", t)?;
        }
        self.write_constraint(&loops, out.constraint);
        Self::write_jacobian(&loops, out.jacobian);
        self.structure.finite_constraints(out.constraint, "the constraint", t)
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.write_dynamics(t, q, v, out)?;
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
        let loops = self.write_dynamics(t, q, v, out)?;
        Self::write_curvature(&loops, v, curvature);
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }
}
