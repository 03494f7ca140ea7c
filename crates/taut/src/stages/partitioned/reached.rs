//! A state that was reached, and the way between two of them.

use crate::equations::Layout;
use crate::inside::hermite::quintic;
use crate::run::{Snapshot, SnapshotError};

/// A state (y, z, u) with its rates and momenta. What sums of y and M z lose to rounding is kept and added to the next step.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    pub(crate) t: f64,
    pub(crate) state: Vec<f64>,
    /// M(y) z
    pub(crate) momentum: Vec<f64>,
    /// what is missing in y and in M(y) z
    pub(crate) lost: [Vec<f64>; 2],
    /// y'
    pub(crate) first_rate: Vec<f64>,
    /// y''
    pub(crate) bend: Vec<f64>,
    /// z'
    pub(crate) second_rate: Vec<f64>,
}

impl Reached {
    pub(crate) fn at(t: f64, state: &[f64], layout: Layout) -> Self {
        let (firsts, seconds) = (vec![0.0; layout.n()], vec![0.0; layout.v().len()]);
        Reached {
            t,
            state: state.to_vec(),
            momentum: seconds.clone(),
            lost: [firsts.clone(), seconds.clone()],
            first_rate: firsts.clone(),
            bend: firsts,
            second_rate: seconds,
        }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        for (own, other) in self.parts_mut().into_iter().zip(other.parts()) {
            own.copy_from_slice(other);
        }
    }

    fn parts(&self) -> [&[f64]; 7] {
        let [lost_y, lost_p] = &self.lost;
        [&self.state, &self.momentum, lost_y, lost_p, &self.first_rate, &self.bend, &self.second_rate]
    }

    fn parts_mut(&mut self) -> [&mut [f64]; 7] {
        let Reached { state, momentum, lost: [lost_y, lost_p], first_rate, bend, second_rate, .. } = self;
        [state, momentum, lost_y, lost_p, first_rate, bend, second_rate]
    }

    /// Puts everything into a snapshot, under these names.
    pub(crate) fn save(&self, snapshot: &mut Snapshot, names: [&'static str; 8]) {
        snapshot.put(names[7], &[self.t]);
        for (name, part) in names.iter().zip(self.parts()) {
            snapshot.put(name, part);
        }
    }

    pub(crate) fn restore(
        &mut self,
        snapshot: &Snapshot,
        names: [&'static str; 8],
    ) -> Result<(), SnapshotError> {
        [self.t] = snapshot.numbers(names[7])?;
        for (name, part) in names.iter().zip(self.parts_mut()) {
            snapshot.copy_to(name, part)?;
        }
        Ok(())
    }
}

/// The state at θ of the way between two states, or beyond: y of degree 5, z of degree 3, u linear.
pub(crate) fn interpolate(start: &Reached, end: &Reached, layout: Layout, theta: f64, state: &mut [f64]) {
    let h = end.t - start.t;
    let (y, z, u) = layout.split_mut(state);
    let (from, to) = (layout.split(&start.state), layout.split(&end.state));
    let (weights, _) = quintic(theta);
    for (k, y) in y.iter_mut().enumerate() {
        let ends = [0.0, to.0[k] - from.0[k], h * start.first_rate[k], h * end.first_rate[k]];
        let bends = [h * h * start.bend[k], h * h * end.bend[k]];
        *y = from.0[k] + weights.iter().zip(ends.iter().chain(&bends)).map(|(w, x)| w * x).sum::<f64>();
    }
    let rest = 1.0 - theta;
    let weights = [theta * theta * (3.0 - 2.0 * theta), theta * rest * rest, -theta * theta * rest];
    for (k, z) in z.iter_mut().enumerate() {
        let ends = [to.1[k] - from.1[k], h * start.second_rate[k], h * end.second_rate[k]];
        *z = from.1[k] + weights.iter().zip(ends).map(|(w, x)| w * x).sum::<f64>();
    }
    for (k, u) in u.iter_mut().enumerate() {
        *u = rest * from.2[k] + theta * to.2[k];
    }
}
