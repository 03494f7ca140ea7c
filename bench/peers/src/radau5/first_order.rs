//! A first-order system E x' = f(t, x) as RADAU5 sees it: full matrices, analytic Jacobian, E as its mass matrix unless it
//! is the identity.

use taut::system::FirstOrderSystem;

use super::{Code, Field, Mass, Setting};
use crate::first_order::is_ordinary;
use crate::subject::Subject;

struct Flow<'a> {
    system: &'a dyn FirstOrderSystem,
    jacobian: Vec<f64>,
}

/// Variables at the end.
pub fn run(code: &Code, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let system = subject.evolution()?;
    let composition = system.composition();
    let diagonal = composition.mass.entries().all(|(i, j)| i == j);
    let mut field = Flow { system, jacobian: vec![0.0; composition.jacobian.nnz()] };
    let setting = Setting {
        second_order: (0, 0),
        index: [composition.n(), 0, 0],
        mass: match (is_ordinary(composition), diagonal) {
            (true, _) => Mass::Identity,
            (_, true) => Mass::Diagonal,
            _ => Mass::Full,
        },
        analytic: true,
        rtol: tolerance,
        atol: subject.floor * tolerance,
    };
    let mut x = subject.variables();
    code.integrate(&mut field, &setting, &subject.legs(), &mut x)?;
    Some(x)
}

impl Field for Flow<'_> {
    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> bool {
        self.system.rate(t, x, rate).is_ok()
    }

    fn jacobian(&mut self, t: f64, x: &[f64], ld: usize, out: &mut [f64]) {
        let fine = self.system.jacobian(t, x, &mut self.jacobian).is_ok();
        out.fill(if fine { 0.0 } else { f64::NAN });
        for ((i, j), value) in self.system.composition().jacobian.entries().zip(&self.jacobian) {
            out[i + j * ld] = *value;
        }
    }

    fn mass(&mut self, ld: usize, mass: &mut [f64]) {
        let composition = self.system.composition();
        mass.fill(0.0);
        for ((i, j), value) in composition.mass.entries().zip(&composition.mass_values) {
            // One row holds a diagonal matrix.
            mass[if ld == 1 { j } else { i + j * ld }] = *value;
        }
    }
}
