//! A mechanical system put together from closures, for scripts and experiments.

use std::cell::RefCell;
use std::fmt;

use super::mechanical::{Mass, Mechanical};
use super::number::{Number, Scalar, through_lanes};
use crate::seen::{Constraint, Evaluation, Fault, ForceClass};

type Energy = Box<dyn Fn(&[Number], &[Number]) -> Number>;
type Potential = Box<dyn Fn(&[Number]) -> Number>;
type Holonomic = Box<dyn Fn(Number, &[Number]) -> Number>;
type Rate = Box<dyn Fn(Number, &[Number], &[Number]) -> Number>;

/// A mechanical system made of closures.
///
/// Closures are written for one number type, [`Number`]. They are recorded once, and evaluated by what was recorded; closures that
/// branch on values cannot be recorded, cost more to evaluate than a type that implements [`Mechanical`], and have full blocks.
///
/// ```
/// use taut::system::{Differentiated, MechanicalSystem, Scalar, Sketch};
///
/// let pendulum = Sketch::new(["x", "y"])
///     .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
///     .potential(|q| q[1] * 9.81)
///     .rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0);
/// let pendulum = Differentiated::new(pendulum);
/// assert_eq!(pendulum.structure().m(), 1);
/// ```
pub struct Sketch {
    coordinates: Vec<String>,
    kinetic: Option<Energy>,
    potential: Option<Potential>,
    strong: Option<(f64, Potential)>,
    forces: Vec<(ForceClass, usize, Rate)>,
    constraints: Vec<(Constraint, Holonomic)>,
    nonholonomic: Vec<(Constraint, Rate)>,
    inputs: RefCell<Vec<Number>>,
}

impl Sketch {
    /// A system with these coordinates, unit masses and no forces.
    pub fn new<T: Into<String>>(coordinates: impl IntoIterator<Item = T>) -> Self {
        let coordinates: Vec<String> = coordinates.into_iter().map(Into::into).collect();
        let inputs = vec![Number::constant(0.0); 2 * coordinates.len() + 1];
        Sketch {
            coordinates,
            kinetic: None,
            potential: None,
            strong: None,
            forces: Vec::new(),
            constraints: Vec::new(),
            nonholonomic: Vec::new(),
            inputs: RefCell::new(inputs),
        }
    }

    /// The kinetic energy T(q, v), quadratic in v.
    pub fn kinetic(mut self, energy: impl Fn(&[Number], &[Number]) -> Number + 'static) -> Self {
        self.kinetic = Some(Box::new(energy));
        self
    }

    /// The potential V(q).
    pub fn potential(mut self, potential: impl Fn(&[Number]) -> Number + 'static) -> Self {
        self.potential = Some(Box::new(potential));
        self
    }

    /// A strong potential U(q)/ε².
    pub fn strong_potential(mut self, epsilon: f64, u: impl Fn(&[Number]) -> Number + 'static) -> Self {
        self.strong = Some((epsilon, Box::new(u)));
        self
    }

    /// A force (t, q, v) ↦ f on coordinate number `coordinate`.
    pub fn force(
        mut self,
        class: ForceClass,
        coordinate: usize,
        force: impl Fn(Number, &[Number], &[Number]) -> Number + 'static,
    ) -> Self {
        self.forces.push((class, coordinate, Box::new(force)));
        self
    }

    /// A rigid constraint g(t, q) = 0.
    pub fn rod(self, name: &str, g: impl Fn(Number, &[Number]) -> Number + 'static) -> Self {
        self.spring(name, 0.0, g)
    }

    /// A spring with the energy g(t, q)²/(2c), c its compliance.
    pub fn spring(
        self,
        name: &str,
        compliance: f64,
        g: impl Fn(Number, &[Number]) -> Number + 'static,
    ) -> Self {
        self.damped_spring(name, compliance, 0.0, g)
    }

    /// A spring with a damper beside it, see [`Constraint::damped_spring`].
    pub fn damped_spring(
        mut self,
        name: &str,
        compliance: f64,
        relaxation: f64,
        g: impl Fn(Number, &[Number]) -> Number + 'static,
    ) -> Self {
        self.constraints.push((Constraint::damped_spring(name, compliance, relaxation), Box::new(g)));
        self
    }

    /// A nonholonomic constraint h(t, q, v) = 0.
    pub fn nonholonomic_rod(
        mut self,
        name: &str,
        h: impl Fn(Number, &[Number], &[Number]) -> Number + 'static,
    ) -> Self {
        self.nonholonomic.push((Constraint::nonholonomic(name), Box::new(h)));
        self
    }

    fn of_positions<S: Scalar>(&self, q: &[S], f: impl Fn(&[Number]) -> Number) -> S {
        through_lanes(q.iter().copied(), &mut self.inputs.borrow_mut()[..q.len()], f)
    }

    fn of_state<S: Scalar>(
        &self,
        t: S,
        q: &[S],
        v: &[S],
        f: impl Fn(Number, &[Number], &[Number]) -> Number,
    ) -> S {
        let all = std::iter::once(t).chain(q.iter().copied()).chain(v.iter().copied());
        let inputs = &mut self.inputs.borrow_mut()[..1 + q.len() + v.len()];
        through_lanes(all, inputs, |x| f(x[0], &x[1..1 + q.len()], &x[1 + q.len()..]))
    }
}

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sketch").field("coordinates", &self.coordinates).finish_non_exhaustive()
    }
}

impl Mechanical for Sketch {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.clone()
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        match &self.kinetic {
            None => mass.diagonal(S::constant(1.0)),
            Some(energy) => {
                let of = |_: Number, q: &[Number], v: &[Number]| energy(q, v);
                if !mass.record_energy(|v| self.of_state(S::zero(), q, v, of)) {
                    mass.kinetic(q, |q, v| self.of_state(super::Dual::constant(0.0), q, v, of));
                }
            }
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.potential.as_ref().map_or(S::zero(), |potential| self.of_positions(q, potential))
    }

    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        for (of_class, coordinate, f) in &self.forces {
            if let Some(force) = force.get_mut(*coordinate).filter(|_| *of_class == class) {
                *force += self.of_state(t, q, v, f);
            }
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        let holonomic = self.constraints.iter().map(|(constraint, _)| constraint);
        holonomic.chain(self.nonholonomic.iter().map(|(constraint, _)| constraint)).cloned().collect()
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        for (g, (_, formula)) in g.iter_mut().zip(&self.constraints) {
            *g = self.of_state(t, q, &[], |t, q, _| formula(t, q));
        }
    }

    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        for (h, (_, formula)) in h.iter_mut().zip(&self.nonholonomic) {
            *h = self.of_state(t, q, v, formula);
        }
    }

    fn epsilon(&self) -> Option<f64> {
        self.strong.as_ref().map(|(epsilon, _)| *epsilon)
    }

    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        self.strong.as_ref().map_or(S::zero(), |(_, potential)| self.of_positions(q, potential))
    }

    fn domain(&self, t: f64, q: &[f64], _v: &[f64]) -> Evaluation {
        match self.forces.iter().find(|(_, coordinate, _)| *coordinate >= q.len()) {
            None => Ok(()),
            Some((_, coordinate, _)) => {
                let reason =
                    format!("a force acts on coordinate {coordinate}, but they are 0 to {}", q.len() - 1);
                Err(Fault::OutsideDomain { t, reason })
            }
        }
    }

    fn evaluates_itself(&self) -> bool {
        false
    }
}
