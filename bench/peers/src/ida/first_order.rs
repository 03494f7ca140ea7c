//! A first-order system E x' = f(t, x) as IDA sees it: dense matrices, analytic Jacobian, variables without derivatives out
//! of the error test.

use taut::system::FirstOrderSystem;

use super::{Equations, Setting, integrate};
use crate::first_order::is_ordinary;
use crate::subject::Subject;

struct Flow<'a> {
    system: &'a dyn FirstOrderSystem,
    rate: Vec<f64>,
    jacobian: Vec<f64>,
}

/// Variables at the end.
pub fn run(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let system = subject.evolution()?;
    let composition = system.composition();
    let n = composition.n();
    let mut flow = Flow { system, rate: vec![0.0; n], jacobian: vec![0.0; composition.jacobian.nnz()] };
    let y = subject.variables();
    let rate = start_rate(system, subject.problem.start.t, &y)?;
    let mut tested = vec![false; n];
    composition.mass.entries().for_each(|(_, j)| tested[j] = true);
    let atol = vec![subject.floor * tolerance; n];
    let setting = Setting { y, rate, tested, rtol: tolerance, atol, pattern: None };
    integrate(&mut flow, &setting, &subject.legs())
}

/// x' at the start: f where E is the identity, else 0, which IDA takes as a guess.
fn start_rate(system: &dyn FirstOrderSystem, t: f64, x: &[f64]) -> Option<Vec<f64>> {
    let composition = system.composition();
    let mut rate = vec![0.0; x.len()];
    if is_ordinary(composition) {
        system.rate(t, x, &mut rate).ok()?;
    }
    Some(rate)
}

impl Equations for Flow<'_> {
    fn residual(&mut self, t: f64, y: &[f64], rate: &[f64], out: &mut [f64]) -> bool {
        let composition = self.system.composition();
        if self.system.rate(t, y, &mut self.rate).is_err() {
            return false;
        }
        for (out, f) in out.iter_mut().zip(&self.rate) {
            *out = -f;
        }
        composition.mass.multiply_add(&composition.mass_values, rate, out, 1.0);
        true
    }

    fn jacobian(&mut self, t: f64, cj: f64, y: &[f64], _rate: &[f64], values: &mut [f64]) -> bool {
        let composition = self.system.composition();
        if self.system.jacobian(t, y, &mut self.jacobian).is_err() {
            return false;
        }
        let n = y.len();
        values.fill(0.0);
        for ((i, j), x) in composition.jacobian.entries().zip(&self.jacobian) {
            values[i + j * n] = -x;
        }
        for ((i, j), x) in composition.mass.entries().zip(&composition.mass_values) {
            values[i + j * n] += cj * x;
        }
        true
    }
}
