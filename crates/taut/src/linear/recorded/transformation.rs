//! From stages to eigenvectors of a Runge-Kutta matrix and back, in the lanes of its eigenvalues.

use super::{LANES, Lanes};
use crate::linear::Complex;
use taut_tableau::Spectrum;

/// T⁻¹ and T of A = T Λ T⁻¹, with one lane for each real eigenvalue and for each pair of complex ones.
#[derive(Clone, Debug)]
pub(crate) struct Transformation {
    /// For each stage its column of T⁻¹.
    pub(super) into: Vec<Lanes>,
    /// For each stage its row of T.
    pub(super) back: Vec<Lanes>,
}

impl Transformation {
    /// Nothing where there are more eigenvalues than lanes.
    pub(crate) fn new(spectrum: &Spectrum) -> Option<Self> {
        let (reals, pairs) = (spectrum.real.len(), spectrum.complex.len());
        if reals + pairs > LANES {
            return None;
        }
        let lanes = |weight: &dyn Fn(usize) -> f64| {
            let mut lanes = Lanes::ZERO;
            (0..reals).for_each(|k| lanes.set(k, Complex::from(weight(k))));
            for pair in 0..pairs {
                let k = reals + 2 * pair;
                lanes.set(reals + pair, Complex::new(weight(k), weight(k + 1)));
            }
            lanes
        };
        let stages = 0..spectrum.t.rows();
        Some(Transformation {
            into: stages.clone().map(|j| lanes(&|k| spectrum.t_inverse[(k, j)])).collect(),
            back: stages.map(|i| lanes(&|k| spectrum.t[(i, k)])).collect(),
        })
    }
}
