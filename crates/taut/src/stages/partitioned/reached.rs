//! A state that was reached.

use crate::equations::Layout;
use crate::snapshot::{Fields, SnapshotError};

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

    /// Everything, under these names.
    pub(crate) fn fields(
        &mut self,
        fields: &mut Fields<'_>,
        names: [&'static str; 8],
    ) -> Result<(), SnapshotError> {
        fields.entry(names[7], &mut [&mut self.t])?;
        for (name, part) in names.iter().zip(self.parts_mut()) {
            fields.list(name, part)?;
        }
        Ok(())
    }
}
