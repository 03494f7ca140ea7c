//! A strong potential as compliant constraints.

use std::cell::RefCell;

use super::directions::Directions;
use super::foot::Foot;
use super::potential::Potential;
use crate::seen::{Constraint, Evaluation, Fault};
use crate::system::mechanical::{Mass, Mechanical, Sparsity};
use crate::system::number::Scalar;

/// The constraints ψ(q) = ε²λ of a strong potential U = |ψ|²/2, as a system of nothing else.
#[derive(Clone, Debug)]
pub(super) struct StrongConstraints<P> {
    pub(super) potential: P,
    coordinates: Vec<String>,
    rank: usize,
    compliance: f64,
    frame: RefCell<Frame>,
}

/// What is chosen, and the last foot point: several derivatives are asked for at one position.
#[derive(Clone, Debug)]
struct Frame {
    directions: Directions,
    q: Vec<f64>,
    foot: Option<Foot>,
}

impl<P: Potential> StrongConstraints<P> {
    pub(super) fn new(potential: P, coordinates: Vec<String>, epsilon: f64, directions: Directions) -> Self {
        StrongConstraints {
            potential,
            rank: directions.basis.len() / coordinates.len(),
            coordinates,
            compliance: epsilon * epsilon,
            frame: RefCell::new(Frame { directions, q: Vec::new(), foot: None }),
        }
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    pub(super) fn compliance(&self) -> f64 {
        self.compliance
    }

    pub(super) fn directions(&self) -> Directions {
        self.frame.borrow().directions.clone()
    }

    pub(super) fn set_directions(&self, directions: Directions) {
        *self.frame.borrow_mut() = Frame { directions, q: Vec::new(), foot: None };
    }

    /// Looks at an accepted position.
    pub(super) fn follow(&self, t: f64, q: &[f64]) -> Evaluation {
        let mut directions = self.directions();
        directions.follow(&self.potential, q).map_err(|reason| Fault::OutsideDomain { t, reason })?;
        if directions != self.frame.borrow().directions {
            self.set_directions(directions);
        }
        Ok(())
    }

    /// Why the constraints cannot be evaluated.
    pub(super) fn explain(&self, t: f64, q: &[f64], fault: Fault) -> Fault {
        let directions = &self.frame.borrow().directions;
        match Foot::find(&self.potential, &directions.basis, q) {
            Ok(_) => fault,
            Err(missed) => Fault::OutsideDomain { t, reason: directions.explain(missed) },
        }
    }
}

impl<P: Potential> Mechanical for StrongConstraints<P> {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.clone()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn constraints(&self) -> Vec<Constraint> {
        (1..=self.rank).map(|k| Constraint::spring(format!("strong[{k}]"), self.compliance)).collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let Frame { directions, q: known, foot } = &mut *self.frame.borrow_mut();
        if foot.is_none() || !known.iter().copied().eq(q.iter().map(|q| q.value())) {
            known.clear();
            known.extend(q.iter().map(|q| q.value()));
            *foot = Foot::find(&self.potential, &directions.basis, known).ok();
        }
        match foot {
            Some(foot) => foot.psi(&self.potential, &directions.basis, q, g),
            None => g.fill(S::constant(f64::NAN)),
        }
    }

    fn sparsity(&self) -> Sparsity {
        Sparsity::Dense
    }
}
