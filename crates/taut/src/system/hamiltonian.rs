//! What a person writes: the energy H(t, q, p) and constraints on the positions.

use taut_formula::graph::{Graph, Input};
use taut_formula::number::{Traced, record};

use super::differentiated_partition::{DifferentiatedPartition, PartitionTerms};
use super::number::{Dual, Scalar, Unrecorded};
use super::terms::{LANES, gradient, seed, subtract_pull};
use super::traced::{inputs, nodes, zeros};
use crate::compiled::{PartitionFormulas, canonical_parts};
use crate::seen::{Energy, Evaluation, ForceClass, PartitionState, RatePart};

/// A Hamiltonian system q' = H_p, p' = −H_q + f − Gᵀλ, 0 = g(t, q), as formulas for any number type (Jay 1998, eq. 6).
///
/// H may be any function: choose this where the kinetic energy is not quadratic, or where momenta are what is given.
/// G H_pp Gᵀ must be regular. All derivatives are found by [`HamiltonianSystem`].
///
/// ```
/// use taut::Solver;
/// use taut::method::Method;
/// use taut::system::{Hamiltonian, HamiltonianSystem, Scalar};
///
/// /// A relativistic particle of unit mass on the unit sphere.
/// struct Relativistic;
///
/// impl Hamiltonian for Relativistic {
///     fn coordinates(&self) -> Vec<String> {
///         ["x", "y", "z"].map(String::from).to_vec()
///     }
///     fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
///         (p[0].square() + p[1].square() + p[2].square() + 1.0).sqrt() + q[2]
///     }
///     fn constraints(&self) -> Vec<String> {
///         vec!["sphere".into()]
///     }
///     fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
///         g[0] = (q[0].square() + q[1].square() + q[2].square() - 1.0) * 0.5;
///     }
/// }
///
/// let system = HamiltonianSystem::new(Relativistic);
/// let solver = Solver::partitioned(&system).method(Method::named("spark")?).step(0.05).watch(true);
/// let motion = solver.run(0.0, 10.0, &[1.0, 0.0, 0.0, 0.0, 0.6, 0.2])?;
/// assert!(motion.invariants.energy_error < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
pub trait Hamiltonian {
    /// The names of the coordinates; their number is n, and there are as many momenta.
    fn coordinates(&self) -> Vec<String>;

    /// H(t, q, p)
    fn energy<S: Scalar>(&self, t: S, q: &[S], p: &[S]) -> S;

    /// Adds forces of one class that do not come from H.
    fn force<S: Scalar>(&self, _class: ForceClass, _t: S, _q: &[S], _p: &[S], _force: &mut [S]) {}

    /// The names of the constraints, in the order of their multipliers.
    fn constraints(&self) -> Vec<String> {
        Vec::new()
    }

    /// g(t, q)
    fn constraint<S: Scalar>(&self, _t: S, _q: &[S], _g: &mut [S]) {}

    /// Whether a state can be evaluated; a refusal shortens the step.
    fn domain(&self, _t: f64, _q: &[f64], _p: &[f64]) -> Evaluation {
        Ok(())
    }
}

/// A [`Hamiltonian`] system with its derivatives.
pub type HamiltonianSystem<H> = DifferentiatedPartition<Canonical<H>>;

impl<H: Hamiltonian> HamiltonianSystem<H> {
    /// Records the formulas and differentiates them.
    pub fn new(system: H) -> Self {
        Self::of(Canonical(system))
    }

    /// The system it was made of.
    pub fn system(&self) -> &H {
        &self.formulas().0
    }
}

/// The canonical equations of a Hamiltonian.
#[derive(Debug)]
pub struct Canonical<H>(H);

impl<H: Hamiltonian> PartitionTerms for Canonical<H> {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        let coordinates = self.0.coordinates();
        let momenta = coordinates.iter().map(|name| format!("p_{name}")).collect();
        (coordinates, momenta)
    }

    fn constraints(&self) -> Vec<String> {
        self.0.constraints()
    }

    fn record(&self) -> Result<(Graph, PartitionFormulas), Option<Unrecorded>> {
        let ((first, second), constraints) = (self.variables(), self.0.constraints());
        let (n, m) = (first.len(), constraints.len());
        let (mut graph, (energy, forces, equations)) = record(|| {
            let (t, x) = (Traced::input(Input::Time), inputs(2 * n, Input::Position));
            let (q, p) = x.split_at(n);
            let forces = ForceClass::ALL.map(|class| {
                let mut force = zeros(n);
                self.0.force(class, t, q, p, &mut force);
                nodes(force)
            });
            let mut g = zeros(m);
            self.0.constraint(t, q, &mut g);
            (self.0.energy(t, q, p).node(), forces, nodes(g))
        })?;
        let formulas = PartitionFormulas {
            is_closed: forces.iter().flatten().all(|&force| force == Graph::ZERO),
            parts: canonical_parts(&mut graph, n, energy, &equations, forces),
            first,
            second,
            constraints,
            mass: Vec::new(),
            damping: Vec::new(),
            equations,
            energy: Some(energy),
        };
        Ok((graph, formulas))
    }

    fn writes_rates(&self) -> bool {
        false
    }

    fn add_rates<S: Scalar>(
        &self,
        part: RatePart,
        at: PartitionState<'_, S>,
        rates: &mut [S],
        scratch: &mut [Dual<LANES, S>],
    ) {
        let n = at.y.len();
        match part {
            RatePart::Class(class) => {
                self.0.force(class, at.t, at.y, at.z, &mut rates[n..]);
                if class == ForceClass::Conservative {
                    self.add_gradients(at, rates, scratch);
                }
            }
            RatePart::Reaction => self.subtract_reaction(at, &mut rates[n..], scratch),
        }
    }

    fn momentum<S: Scalar>(&self, _y: &[S], z: &[S], momentum: &mut [S]) {
        momentum.copy_from_slice(z);
    }

    fn constraint<S: Scalar>(&self, t: S, y: &[S], g: &mut [S]) {
        self.0.constraint(t, y, g);
    }

    /// H, and of it as potential energy what is left without momenta.
    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Option<Energy> {
        let (total, at_rest) = (self.0.energy(t, y, z), self.0.energy(t, y, &vec![0.0; z.len()]));
        let potential = if at_rest.is_finite() { at_rest } else { total };
        Some(Energy { kinetic: total - potential, potential })
    }

    fn domain(&self, t: f64, y: &[f64], z: &[f64]) -> Evaluation {
        self.0.domain(t, y, z)
    }
}

impl<H: Hamiltonian> Canonical<H> {
    /// H_p to the rates of positions, −H_q to those of momenta.
    fn add_gradients<S: Scalar>(
        &self,
        at: PartitionState<'_, S>,
        rates: &mut [S],
        scratch: &mut [Dual<LANES, S>],
    ) {
        let n = at.y.len();
        let energy = |x: &[Dual<LANES, S>]| self.0.energy(Dual::lift(at.t), &x[..n], &x[n..]);
        gradient(at.y.iter().chain(at.z), &mut scratch[..2 * n], energy, |i, slope| {
            if i < n {
                rates[n + i] -= slope;
            } else {
                rates[i - n] += slope;
            }
        });
    }

    /// − Gᵀλ
    fn subtract_reaction<S: Scalar>(
        &self,
        at: PartitionState<'_, S>,
        force: &mut [S],
        scratch: &mut [Dual<LANES, S>],
    ) {
        let n = at.y.len();
        let (q, g) = scratch.split_at_mut(2 * n);
        for start in (0..n).step_by(LANES) {
            seed(at.y, start, q);
            self.0.constraint(Dual::lift(at.t), &q[..n], g);
            subtract_pull(start, g, at.u, force);
        }
    }
}
