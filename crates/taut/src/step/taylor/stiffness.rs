//! Whether steps of Taylor's series are short for stability only.
//!
//! Terms of a motion that is not stiff fall from one order to the next, from what the motion changes by in the step to a share of
//! the tolerance. Of a stiff system y' = −Λ(y − s(t)) the terms of the smooth motion have vanished long before: what is left
//! are those of a distance δ from it that is below the tolerance, δ (Λh)ᵏ/k!, and the step is as short as they ask for. These do
//! not fall before the order Λh, which is about a third of that of the series.

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
/// Below so many they are, unless they are larger than that, too, and fall from the first orders to the next by this factor: at loose
/// tolerances the terms of any motion are so few tolerances.
const STIFF: f64 = 100.0;
const FALLING: f64 = 0.5;

/// Notes a step of length h along a polynomial.
pub(super) fn note(
    watch: &mut StiffnessWatch,
    (polynomial, h): (&Polynomial, f64),
    layout: &Layout,
    scales: &Scales,
) {
    let [first, next, others] = largest_terms(polynomial, h.abs(), layout, scales);
    let largest = larger(first, larger(next, others));
    let tolerances = largest / scales.rtol();
    let small = largest < SUSPICIOUS.1;
    watch.note(tolerances < STIFF && (small || next > FALLING * first));
    watch.note_suspicious(tolerances < SUSPICIOUS.0 && small);
}

/// How many orders are looked at together: terms of every other order may vanish.
const TOGETHER: usize = 2;

/// The largest terms of positions or velocities, in their scales: of the first orders, of the next ones, of the others; up to one
/// that is above suspicion, where there is one.
fn largest_terms(polynomial: &Polynomial, h: f64, layout: &Layout, scales: &Scales) -> [f64; 3] {
    let (inverse, rtol) = (scales.inverse(), scales.rtol());
    let mut power = h.powi(FIRST_TERM as i32);
    let above_suspicion = (STIFF * rtol).max(SUSPICIOUS.1.min(SUSPICIOUS.0 * rtol));
    let mut found = [0.0; 3];
    for k in FIRST_TERM..=polynomial.usable() {
        let largest = &mut found[((k - FIRST_TERM) / TOGETHER).min(2)];
        *largest = larger(*largest, power * size(polynomial, &inverse[layout.q()], k));
        if layout.is_mechanical() && k < polynomial.usable() {
            let derivative = (k + 1) as f64 * size(polynomial, &inverse[layout.v()], k + 1);
            *largest = larger(*largest, power * derivative);
        }
        if *largest >= above_suspicion {
            break;
        }
        power *= h;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    /// Whether fifteen steps of length 1 along a polynomial with these coefficients count as stiffness.
    fn is_stiff(rtol: f64, coefficient: impl Fn(usize) -> f64) -> bool {
        let layout = Layout::first_order(1);
        let mut polynomial = Polynomial::new(&layout, 20);
        for k in 0..=20 {
            polynomial.positions_mut(k)[0] = coefficient(k);
        }
        let options = Options { rtol, atol: rtol, ..Options::default() };
        let mut scales = Scales::of(&options, &layout);
        scales.set(&[0.0]);
        let mut watch = StiffnessWatch::default();
        for _ in 0..15 {
            note(&mut watch, (&polynomial, 1.0), &layout, &scales);
        }
        watch.finds_stiffness()
    }

    #[test]
    fn terms_that_fall_at_once_are_those_of_accuracy_at_loose_tolerances() {
        let exponential = |k: usize| (1..=k).fold(1.0, |term, j| term * 6.0 / j as f64);
        for rtol in [1e-3, 1e-4, 1e-5, 1e-8] {
            // As far as accuracy of the tolerance goes, and along a small distance from a smooth motion.
            let ratio = f64::powf(0.005 * rtol, 0.05);
            assert!(!is_stiff(rtol, |k| ratio.powi(k as i32)), "{rtol:e}");
            assert!(!is_stiff(rtol, |k| if k % 2 == 0 { ratio.powi(k as i32) } else { 0.0 }), "{rtol:e}");
            assert!(is_stiff(rtol, |k| 0.1 * rtol * exponential(k)), "{rtol:e}");
        }
    }
}
