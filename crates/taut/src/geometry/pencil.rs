//! The matrix (g/h) E − J of a first-order system E x' = F(t, x), J = ∂F/∂x.

use crate::linear::{Blocks, Scales};
use crate::system::Composition;

/// The blocks of the matrix (g/h) E − J.
pub(crate) fn pencil<'b>(composition: &'b Composition, jacobian: &'b [f64]) -> Blocks<'b> {
    Blocks {
        mass: &composition.mass_values,
        damping: &[],
        stiffness: jacobian,
        jacobian: &[],
        compliance: &[],
        relaxation: &[],
    }
}

/// The scales of the matrix (g/h) E − J, or of E when g is infinite.
pub(crate) fn pencil_scales(g: f64, h: f64) -> Scales {
    if g.is_finite() {
        Scales { alpha: g / h, beta: 0.0, gamma: -1.0, delta: 0.0 }
    } else {
        Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 }
    }
}
