//! Where a step has come to.

/// A state (q, v, λ) with its accelerations and momenta.
///
/// Steps add to q and to M v; what the sums lose to rounding is kept and added to the next step (compensated summation), so
/// that rounding errors of long runs do not add up.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) y: Vec<f64>,
    pub(crate) a: Vec<f64>,
    /// M(q) v
    pub(crate) p: Vec<f64>,
    /// what is missing in q and in M(q) v
    pub(crate) lost: [Vec<f64>; 2],
}

impl Arrived {
    pub(crate) fn at(y: &[f64], n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Arrived { y: y.to_vec(), a: zeros(), p: zeros(), lost: [zeros(), zeros()] }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.y.copy_from_slice(&other.y);
        self.a.copy_from_slice(&other.a);
        self.p.copy_from_slice(&other.p);
        for (lost, other) in self.lost.iter_mut().zip(&other.lost) {
            lost.copy_from_slice(other);
        }
    }
}
