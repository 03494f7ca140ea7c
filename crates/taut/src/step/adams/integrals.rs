//! Integrals of the products that interpolation at uneven times is made of.

use crate::step::history::{MOST_COLUMNS, Weights};

/// ∫ πⱼ and ∬ πⱼ over a step, divided by its length and by its square, for each j.
#[derive(Clone, Debug)]
pub(super) struct Integrals {
    pub(super) once: Weights,
    pub(super) twice: Weights,
}

impl Integrals {
    pub(super) fn new() -> Self {
        Integrals { once: [0.0; MOST_COLUMNS], twice: [0.0; MOST_COLUMNS] }
    }

    /// The integrals of πⱼ(t) = Π (t − rootᵢ)/spanᵢ, i = 0 … j − 1, over a step of length h that ends at x, for j up to
    /// `highest`.
    ///
    /// With Iⱼ,q = ∫ (x − t)^(q−1) πⱼ dt / h^q, of which the first two are wanted, t − root = (x − root) − (x − t) says that
    /// Iⱼ₊₁,q = ((x − rootⱼ) Iⱼ,q − h Iⱼ,q₊₁)/spanⱼ, and I₀,q = 1/q (Shampine and Gordon 1975, chapter 5).
    #[inline(always)]
    pub(super) fn set(&mut self, (roots, spans): (&[f64], &[f64]), (x, h): (f64, f64), highest: usize) {
        let mut row = RECIPROCALS;
        for j in 0..=highest {
            (self.once[j], self.twice[j]) = (row[0], row[1]);
            let (Some(root), Some(span)) = (roots.get(j), spans.get(j)) else { break };
            let (offset, slope) = ((x - root) / span, h / span);
            match highest + 1 - j {
                ..=4 => advance::<4>(&mut row, offset, slope),
                5..=8 => advance::<8>(&mut row, offset, slope),
                9..=12 => advance::<12>(&mut row, offset, slope),
                _ => advance::<{ MOST_COLUMNS + 2 }>(&mut row, offset, slope),
            }
        }
    }
}

/// Iⱼ₊₁,q from Iⱼ,q for the first so many q.
#[inline(always)]
fn advance<const FIRST: usize>(row: &mut Row, offset: f64, slope: f64) {
    let next: [f64; FIRST] = std::array::from_fn(|q| row[q + 1]);
    for q in 0..FIRST {
        row[q] = offset * row[q] - slope * next[q];
    }
}

/// Iⱼ,q for each q
type Row = [f64; MOST_COLUMNS + 3];

/// 1/q
const RECIPROCALS: Row = {
    let mut reciprocals = [0.0; MOST_COLUMNS + 3];
    let mut q = 0;
    while q < reciprocals.len() {
        reciprocals[q] = 1.0 / (q + 1) as f64;
        q += 1;
    }
    reciprocals
};

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((expected - found).abs() < 4e-15, "{found}, expected {expected}");
    }

    /// With equal steps the integrals are the coefficients of Adams and Bashforth, 1, 1/2, 5/12, …, and of Störmer, 1/2, 1/6,
    /// 1/8, …
    #[test]
    fn equal_steps_give_the_classical_coefficients() {
        let times: Vec<f64> = (0..13).map(|i| -0.5 * f64::from(i)).collect();
        let spans: Vec<f64> = times.iter().map(|t| 0.5 - t).collect();
        let mut integrals = Integrals::new();
        integrals.set((&times, &spans), (0.5, 0.5), 13);
        let bashforth = [1.0, 1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0, 95.0 / 288.0];
        let stoermer = [1.0 / 2.0, 1.0 / 6.0, 1.0 / 8.0, 19.0 / 180.0, 3.0 / 32.0, 863.0 / 10080.0];
        for (expected, found) in
            bashforth.iter().zip(&integrals.once).chain(stoermer.iter().zip(&integrals.twice))
        {
            close(*found, *expected);
        }
        close(integrals.once[13], 106_364_763_817.0 / 402_361_344_000.0);
        close(integrals.twice[13], 132_282_840_127.0 / 2_241_727_488_000.0);
    }

    /// ∫ (t − 2)(t − 0)/(−2 · 3) and its double integral over [0, 1.5], by hand.
    #[test]
    fn parts_of_a_step_with_uneven_times() {
        let mut integrals = Integrals::new();
        integrals.set((&[2.0, 0.0], &[-2.0, 3.0]), (1.5, 1.5), 2);
        let (cubic, square) = (1.5_f64.powi(3) / 3.0, 1.5 * 1.5);
        close(1.5 * integrals.once[2], -(cubic - square) / 6.0);
        let (quartic, cube) = (1.5_f64.powi(4) / 12.0, 1.5_f64.powi(3) / 3.0);
        close(square * integrals.twice[2], -(quartic - cube) / 6.0);
    }
}
