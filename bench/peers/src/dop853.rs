//! DOP853 on the index-reduced equations: accelerations from one saddle-point system for each evaluation (by Taut's own
//! elimination), nothing projected. Coefficients, error estimate and step control as in Hairer, Nørsett and Wanner
//! (II.10); the code is ours.

use taut::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales};
use taut::system::{Dynamics, Mechanism};
use taut_tableau::Family;

use crate::subject::Subject;

struct Rate<'a> {
    system: &'a dyn Mechanism,
    mass: Vec<f64>,
    force: Vec<f64>,
    constraint: Vec<f64>,
    jacobian: Vec<f64>,
    curvature: Vec<f64>,
    saddle: Saddle,
    right: Vec<f64>,
}

impl<'a> Rate<'a> {
    fn new(system: &'a dyn Mechanism) -> Self {
        let s = system.structure();
        let (n, m) = (s.n(), s.m());
        let pattern = SaddlePattern {
            n,
            m,
            mass: s.mass.clone(),
            damping: Pattern::empty(n, n),
            stiffness: Pattern::empty(n, n),
            jacobian: s.jacobian.clone(),
        };
        Rate {
            system,
            mass: vec![0.0; s.mass.nnz()],
            force: vec![0.0; n],
            constraint: vec![0.0; m],
            jacobian: vec![0.0; s.jacobian.nnz()],
            curvature: vec![0.0; m],
            saddle: Saddle::new(&pattern, Choice::Auto),
            right: vec![0.0; n + m],
        }
    }

    fn evaluate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Option<()> {
        let n = self.force.len();
        let (q, v) = y.split_at(n);
        let out = &mut Dynamics {
            mass: &mut self.mass,
            force: &mut self.force,
            constraint: &mut self.constraint,
            jacobian: &mut self.jacobian,
        };
        self.system.dynamics_and_curvature(t, q, v, out, &mut self.curvature).ok()?;
        let blocks = Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &[],
            jacobian: &self.jacobian,
            compliance: &[],
        };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        self.saddle.assemble_and_factor(&blocks, scales).ok()?;
        self.right[..n].copy_from_slice(&self.force);
        for (right, curvature) in self.right[n..].iter_mut().zip(&self.curvature) {
            *right = -curvature;
        }
        self.saddle.solve(&mut self.right);
        rate[..n].copy_from_slice(v);
        rate[n..].copy_from_slice(&self.right[..n]);
        Some(())
    }
}

/// Positions at the end.
pub fn run(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let tableau = Family::DormandPrince8.shared_tableau(12).ok()?;
    let (stages, d) = (tableau.stages(), 2 * subject.n());
    let mut field = Rate::new(subject.mechanism());
    let mut y = [subject.q.as_slice(), &subject.v].concat();
    let (mut new, mut stage) = (y.clone(), y.clone());
    let mut rates = vec![vec![0.0; d]; stages + 1];
    let difference = |k: usize| -> Vec<f64> {
        tableau.b().iter().zip(tableau.embedded()[k].weights()).map(|(b, e)| b - e).collect()
    };
    let (fifth, third) = (difference(0), difference(1));
    let (mut t, end) = (subject.problem.start.t, subject.until);
    field.evaluate(t, &y, &mut rates[0])?;
    let norm = |x: &[f64], y: &[f64]| {
        let square = |(x, y): (&f64, &f64)| (x / (tolerance * (1.0 + y.abs()))).powi(2);
        (x.iter().zip(y).map(square).sum::<f64>() / d as f64).sqrt()
    };
    let mut h = (0.01 * norm(&y, &y) / norm(&rates[0], &y)).min(end - t);
    let (mut steps, mut rejected) = (0, false);
    while t < end {
        steps += 1;
        if steps > 100_000 || h < 1e-14 * (end - subject.problem.start.t) {
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
    y.truncate(subject.n());
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
