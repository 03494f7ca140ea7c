//! DOP853 on the index-reduced equations, nothing projected: what users of an explicit method have. Coefficients, error estimate
//! and step control as in Hairer, Nørsett and Wanner (II.10); the code is ours.

use taut_tableau::Family;

use super::reduced::Reduced;

const MOST_STEPS: usize = 100_000;
/// A run has come to a stop where steps are as short as this share of it.
const SHORTEST_STEP: f64 = 1e-14;

/// Positions at the end of the motion from (q, v) at a time; errors are measured in the scale 1 + |y|. Nothing where it does not get
/// there.
pub fn dop853(
    mut field: Reduced<'_>,
    (mut t, end): (f64, f64),
    start: &[f64],
    tolerance: f64,
) -> Option<Vec<f64>> {
    let tableau = Family::DormandPrince8.shared_tableau(12).ok()?;
    let (mut y, length) = (start.to_vec(), end - t);
    let (stages, d) = (tableau.stages(), y.len());
    let (mut new, mut stage) = (y.clone(), y.clone());
    let mut rates = vec![vec![0.0; d]; stages + 1];
    let difference = |k: usize| -> Vec<f64> {
        tableau.b().iter().zip(tableau.embedded()[k].weights()).map(|(b, e)| b - e).collect()
    };
    let (fifth, third) = (difference(0), difference(1));
    field.evaluate(t, &y, &mut rates[0])?;
    let norm = |x: &[f64], y: &[f64]| {
        let square = |(x, y): (&f64, &f64)| (x / (tolerance * (1.0 + y.abs()))).powi(2);
        (x.iter().zip(y).map(square).sum::<f64>() / d as f64).sqrt()
    };
    let mut h = (0.01 * norm(&y, &y) / norm(&rates[0], &y)).min(end - t);
    let (mut steps, mut rejected) = (0, false);
    while t < end {
        steps += 1;
        if steps > MOST_STEPS || h < SHORTEST_STEP * length {
            return None;
        }
        h = h.min(end - t);
        for i in 1..stages {
            combine(&mut stage, &y, h, &tableau.a().row(i)[..i], &rates);
            let (_, later) = rates.split_at_mut(i);
            field.evaluate(t + tableau.c()[i] * h, &stage, &mut later[0])?;
        }
        combine(&mut new, &y, h, tableau.b(), &rates);
        let (mut e5, mut e3) = (0.0, 0.0);
        for k in 0..d {
            let scale = tolerance * (1.0 + y[k].abs().max(new[k].abs()));
            let sum = |w: &[f64]| w.iter().zip(&rates).map(|(w, r)| w * r[k]).sum::<f64>() / scale;
            e5 += sum(&fifth).powi(2);
            e3 += sum(&third).powi(2);
        }
        let weight = e5 + 0.01 * e3;
        let error = if weight > 0.0 { h * e5 / (weight * d as f64).sqrt() } else { 0.0 };
        let factor = (0.9 * error.max(1e-10).powf(-1.0 / 8.0)).clamp(0.333, 6.0);
        if error <= 1.0 {
            t += h;
            std::mem::swap(&mut y, &mut new);
            field.evaluate(t, &y, &mut rates[0])?;
            h *= if rejected { factor.min(1.0) } else { factor };
            rejected = false;
        } else {
            h *= factor.min(1.0);
            rejected = true;
        }
    }
    y.truncate(d / 2);
    Some(y)
}

fn combine(y: &mut [f64], start: &[f64], h: f64, weights: &[f64], rates: &[Vec<f64>]) {
    y.copy_from_slice(start);
    for (weight, rates) in weights.iter().zip(rates).filter(|(weight, _)| **weight != 0.0) {
        for (y, rate) in y.iter_mut().zip(rates) {
            *y += h * weight * rate;
        }
    }
}
