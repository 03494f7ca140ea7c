//! Whether steps of Taylor's series are short for stability only.
//!
//! Terms of a motion that is not stiff fall from one order to the next, from what the motion changes by in the step to a share of
//! the tolerance. Of a stiff system y' = −Λ(y − s(t)) the terms of the smooth motion have vanished long before: what is left
//! are those of a distance δ from it that is below the tolerance, δ (Λh)ᵏ/k!, and the step is as short as they ask for.

use super::polynomial::Polynomial;
use super::size;
use crate::control::error_norm::{Scales, larger};
use crate::control::stiffness::StiffnessWatch;
use crate::equations::Layout;

/// Terms before this one are those of the smooth motion, however short the step is against it.
const FIRST_TERM: usize = 4;
/// Steps whose largest term is below so many tolerances, and below this, may be short for stability. (δ is a tolerance at most,
/// and so e^(Λh) times as large is the largest of its terms; accuracy asks for steps of a third of what the motion takes to change.
/// Vibrations that are small, but larger than the tolerance, have larger terms: they are to be followed.)
const SUSPICIOUS: (f64, f64) = (1e3, 1e-3);
/// Below so many they are.
const STIFF: f64 = 100.0;

/// Notes a step of length h along a polynomial.
pub(super) fn note(
    watch: &mut StiffnessWatch,
    (polynomial, h): (&Polynomial, f64),
    layout: &Layout,
    scales: &Scales,
) {
    let largest = largest_term(polynomial, h.abs(), layout, scales);
    let tolerances = largest / scales.rtol();
    watch.note(tolerances < STIFF);
    watch.note_suspicious(tolerances < SUSPICIOUS.0 && largest < SUSPICIOUS.1);
}

/// The largest term of positions or velocities, in their scales; one that is above suspicion where there is one.
fn largest_term(polynomial: &Polynomial, h: f64, layout: &Layout, scales: &Scales) -> f64 {
    let inverse = scales.inverse();
    let mut power = h.powi(FIRST_TERM as i32);
    let above_suspicion = SUSPICIOUS.0 * scales.rtol();
    let mut largest = 0.0;
    for k in FIRST_TERM..=polynomial.usable() {
        largest = larger(largest, power * size(polynomial, &inverse[layout.q()], k));
        if layout.is_mechanical() && k < polynomial.usable() {
            let derivative = (k + 1) as f64 * size(polynomial, &inverse[layout.v()], k + 1);
            largest = larger(largest, power * derivative);
        }
        if largest >= above_suspicion {
            break;
        }
        power *= h;
    }
    largest
}
