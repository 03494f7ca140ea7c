//! A mechanical system with a strong potential as a solver sees it.

use std::cell::RefCell;

use taut_formula::graph::{Depends, Input};

use super::constraints::StrongConstraints;
use super::directions::{Directions, FootPointError};
use super::potential::{Potential, Split};
use crate::linear::Pattern;
use crate::seen::{
    Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, MovingFrame, Structure,
    Terms, Wrapper,
};
use crate::system::differentiated::Differentiated;
use crate::system::mechanical::Mechanical;
use crate::system::number::{Scalar, Series, record};
use crate::system::traced::inputs;

/// A system M(q) v' = f − ∇U(q)/ε² − Gᵀλ whose strong potential has become compliant constraints: steps need not know ε.
///
/// Every strong potential is U = |ψ(q)|²/2 with as many functions ψ as its Hessian has rank (Lubich 1992, Lemma 2.1),
/// and then −∇U/ε² is the force −ψ_qᵀλ of ψ(q) = ε²λ (eq. 8.4). ψ is found from the foot point u = q − N φ of a
/// position on the manifold where U is least. Nothing is divided by ε, ε = 0 is the rigid system, and everything that
/// springs have (smooth motion, smooth starts, projection) is there. The constraints are called `strong[1]`, `strong[2]`,
/// ... and come before those of the system itself.
///
/// Choose it when ε is small. A strong potential in a [`Differentiated`] system is a force like any other. Closures
/// ([`Sketch`](crate::system::Sketch)) have too few derivatives for it.
///
/// ```
/// use taut::Solver;
/// use taut::system::{FootPoints, Mass, Mechanical, Scalar};
///
/// /// A pendulum on a spring of length 1 and stiffness 1/ε².
/// struct Pendulum;
///
/// impl Mechanical for Pendulum {
///     fn coordinates(&self) -> Vec<String> {
///         vec!["x".into(), "y".into()]
///     }
///     fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
///         mass.diagonal(S::constant(1.0));
///     }
///     fn potential<S: Scalar>(&self, q: &[S]) -> S {
///         q[1]
///     }
///     fn epsilon(&self) -> Option<f64> {
///         Some(1e-6)
///     }
///     fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
///         (q[0].hypot(q[1]) - 1.0).square() * 0.5
///     }
/// }
///
/// let pendulum = FootPoints::of(Pendulum, &[1.0, 0.0])?;
/// assert_eq!(pendulum.rank(), 1);
/// let motion = Solver::mechanical(&pendulum).run(0.0, 10.0, &[1.0, 0.0, 0.0, 0.0])?;
/// assert!(motion.statistics.steps < 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FootPoints<I, P> {
    system: I,
    strong: Differentiated<StrongConstraints<P>>,
    structure: Structure,
    jacobian: Places,
    stiffness: Places,
    workspace: RefCell<Workspace>,
}

/// Where the entries of the parts of a block are in the joined one.
#[derive(Clone, Debug)]
struct Places {
    /// for each entry of the system's block
    system: Vec<usize>,
    /// for each entry of the block of the strong constraints, which is full; nothing where it is always 0
    strong: Vec<Option<usize>>,
}

#[derive(Clone, Debug)]
struct Workspace {
    jacobian: (Vec<f64>, Vec<f64>),
    stiffness: (Vec<f64>, Vec<f64>),
    damping: Vec<f64>,
    no_acceleration: Vec<f64>,
    psi: Vec<f64>,
}

impl<M: Mechanical> FootPoints<Differentiated<Split<M>>, Split<M>> {
    /// The system with its [`Mechanical::strong_potential`] as compliant constraints; q is a position near the manifold
    /// where it is least, such as the start.
    pub fn of(system: M, q: &[f64]) -> Result<Self, FootPointError> {
        let epsilon = system.epsilon().ok_or(FootPointError::NoPotential)?;
        let split = Split::new(system);
        Self::new(Differentiated::new(split.clone()), split, epsilon, q)
    }
}

impl<I: MechanicalSystem, P: Potential> FootPoints<I, P> {
    /// A system that does not contain the strong potential, and the strong potential U(q)/ε²; q is a position near the
    /// manifold where it is least, such as the start.
    pub fn new(system: I, potential: P, epsilon: f64, q: &[f64]) -> Result<Self, FootPointError> {
        let own = system.structure();
        let n = own.n();
        if q.len() != n {
            return Err(FootPointError::Length { found: q.len(), expected: n });
        }
        if epsilon.is_nan() || epsilon < 0.0 {
            return Err(FootPointError::Epsilon(epsilon));
        }
        let directions = Directions::find(&potential, &weights(&system, q)?, q)?;
        let moved = coordinates_of(&potential, n);
        let strong = StrongConstraints::new(potential, own.coordinates.clone(), epsilon, directions);
        let r = strong.rank();
        let strong = Differentiated::new(strong);

        let rows = own.jacobian.entries().map(|(k, j)| (r + k, j));
        let strong_rows = moved.iter().flat_map(|&j| (0..r).map(move |k| (k, j)));
        let jacobian = Pattern::from_entries(r + own.m(), n, rows.chain(strong_rows));
        let pairs = moved.iter().flat_map(|&j| moved.iter().map(move |&i| (i, j)));
        let stiffness = own.stiffness.union(&Pattern::from_entries(n, n, pairs));
        let full = strong.structure();
        let workspace = Workspace {
            jacobian: (vec![0.0; own.jacobian.nnz()], vec![0.0; full.jacobian.nnz()]),
            stiffness: (vec![0.0; own.stiffness.nnz()], vec![0.0; full.stiffness.nnz()]),
            damping: vec![0.0; full.damping.nnz()],
            no_acceleration: vec![0.0; n],
            psi: vec![0.0; r],
        };
        Ok(FootPoints {
            jacobian: Places::new(&jacobian, (&own.jacobian, r), &full.jacobian),
            stiffness: Places::new(&stiffness, (&own.stiffness, 0), &full.stiffness),
            structure: Structure {
                constraints: full.constraints.iter().chain(&own.constraints).cloned().collect(),
                stiffness,
                jacobian,
                linear_constraints: false,
                ..own.clone()
            },
            workspace: RefCell::new(workspace),
            strong,
            system,
        })
    }

    /// The number of strong directions, which is the number of constraints that U has become.
    pub fn rank(&self) -> usize {
        self.strong.system().rank()
    }

    /// The system without its strong potential.
    pub fn system(&self) -> &I {
        &self.system
    }

    /// The strong potential.
    pub fn potential(&self) -> &P {
        &self.strong.system().potential
    }

    fn explained(&self, t: f64, q: &[f64], outcome: Evaluation) -> Evaluation {
        outcome.map_err(|fault| self.strong.system().explain(t, q, fault))
    }
}

impl Places {
    /// `own` is a part of `joined` that begins in a row of its own.
    fn new(joined: &Pattern, (own, row): (&Pattern, usize), full: &Pattern) -> Self {
        Places {
            system: own.entries().filter_map(|(i, j)| joined.position(row + i, j)).collect(),
            strong: full.entries().map(|(i, j)| joined.position(i, j)).collect(),
        }
    }

    fn join(&self, system: &[f64], strong: &[f64], joined: &mut [f64]) {
        joined.fill(0.0);
        for (&place, value) in self.system.iter().zip(system) {
            joined[place] = *value;
        }
        for (place, value) in self.strong.iter().zip(strong) {
            if let Some(place) = place {
                joined[*place] += value;
            }
        }
    }
}

impl<I: MechanicalSystem, P: Potential> Wrapper for FootPoints<I, P> {
    fn inner(&self) -> &dyn MechanicalSystem {
        &self.system
    }

    fn terms(&self) -> Terms {
        self.system.terms()
    }

    /// None: a foot point is found by iteration.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let (psi, g) = g.split_at_mut(self.rank());
        self.explained(t, q, self.strong.constraint(t, q, psi))?;
        self.system.constraint(t, q, g)
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let (system, strong) = &mut self.workspace.borrow_mut().jacobian;
        self.system.jacobian(t, q, v, system)?;
        self.explained(t, q, self.strong.jacobian(t, q, v, strong))?;
        self.jacobian.join(system, strong, jacobian);
        Ok(())
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let (psi, g) = rate.split_at_mut(self.rank());
        self.explained(t, q, self.strong.constraint_rate(t, q, v, psi))?;
        self.system.constraint_rate(t, q, v, g)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let (psi, g) = curvature.split_at_mut(self.rank());
        self.explained(t, q, self.strong.curvature(t, q, v, psi))?;
        self.system.curvature(t, q, v, g)
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
        let (of_strong, of_system) = lambda.split_at(self.rank());
        let Workspace { stiffness: (system, strong), damping: none, no_acceleration, .. } =
            &mut *self.workspace.borrow_mut();
        self.system.newton_blocks(terms, t, q, v, a, of_system, system, damping)?;
        let found = self.strong.newton_blocks(Terms::NONE, t, q, v, no_acceleration, of_strong, strong, none);
        self.explained(t, q, found)?;
        self.stiffness.join(system, strong, stiffness);
        Ok(())
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mut energy = self.system.energy(t, q, v)?;
        let compliance = self.strong.system().compliance();
        if compliance > 0.0 {
            let psi = &mut self.workspace.borrow_mut().psi;
            self.explained(t, q, self.strong.constraint(t, q, psi))?;
            energy.potential += psi.iter().map(|psi| 0.5 * psi * psi / compliance).sum::<f64>();
        }
        Ok(energy)
    }

    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        let (psi, g) = constraint.split_at_mut(self.rank());
        let (of_strong, of_system) = along.lambda.split_at(self.rank());
        let mut load = vec![Series::zero(); along.q.len()];
        let at_rest = load.clone();
        let of_strong = MotionSeries { lambda: of_strong, a: &at_rest, ..*along };
        let known = self.system.series(&MotionSeries { lambda: of_system, ..*along }, balance, g)
            && self.strong.series(&of_strong, &mut load, psi);
        for (balance, load) in balance.iter_mut().zip(load) {
            *balance += load;
        }
        known
    }

    fn frame(&self) -> Option<&dyn MovingFrame> {
        Some(self)
    }
}

impl<I: MechanicalSystem, P: Potential> MovingFrame for FootPoints<I, P> {
    fn begin(&self, t: f64, q: &[f64]) -> Evaluation {
        let strong = self.strong.system();
        let weights = weights(&self.system, q)?;
        let directions = Directions::begin(&strong.potential, &weights, strong.rank(), q);
        let directions = directions.map_err(|unfit| {
            let reason = format!("the start is too far from the manifold of least strong potential: {unfit}");
            Fault::OutsideDomain { t, reason }
        })?;
        strong.set_directions(directions);
        Ok(())
    }

    fn follow(&self, t: f64, state: &[f64]) -> Evaluation {
        state.get(..self.structure.n()).map_or(Ok(()), |q| self.strong.system().follow(t, q))
    }

    fn save(&self) -> Vec<f64> {
        self.strong.system().directions().to_numbers()
    }

    fn restore(&self, numbers: &[f64]) -> bool {
        let strong = self.strong.system();
        let directions = strong.directions().with_numbers(numbers);
        directions.map(|directions| strong.set_directions(directions)).is_some()
    }
}

/// 1/√mᵢ of each coordinate; of those without mass as if they had the largest one.
fn weights(system: &impl MechanicalSystem, q: &[f64]) -> Result<Vec<f64>, Fault> {
    let pattern = &system.structure().mass;
    let mut mass = vec![0.0; pattern.nnz()];
    system.mass(q, &mut mass)?;
    let own = |i: usize| pattern.position(i, i).map_or(0.0, |k| mass[k]);
    let largest = (0..q.len()).map(own).fold(0.0, f64::max);
    let usual = if largest > 0.0 { largest } else { 1.0 };
    Ok((0..q.len()).map(|i| if own(i) > 0.0 { own(i) } else { usual }.sqrt().recip()).collect())
}

/// The coordinates that a potential depends on; all of them where it cannot be recorded.
fn coordinates_of(potential: &impl Potential, n: usize) -> Vec<usize> {
    match record(|| potential.potential(&inputs(n, Input::Position)).node()) {
        Ok((mut graph, node)) => {
            graph.gradient(node, Depends::POSITION).into_iter().map(|(i, _)| i).collect()
        }
        Err(_) => (0..n).collect(),
    }
}
