//! A system of springs without rods as an ordinary differential equation q'' = M^-1 (f - G'g/c), M constant and diagonal:
//! what a user of RADAU5 writes first. Its second-order option.

use super::{Code, Field, Mass, Setting};
use crate::blocks::Blocks;
use crate::subject::Subject;

struct Springs<'a> {
    blocks: Blocks<'a>,
    lambda: Vec<f64>,
    zero: Vec<f64>,
}

/// Positions at the end.
pub fn run(code: &Code, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let blocks = Blocks::new(subject.mechanism()?);
    let n = subject.motion.q.len();
    let mut field = Springs { lambda: vec![0.0; blocks.compliance.len()], zero: vec![0.0; n], blocks };
    let mut y = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    let setting = Setting {
        second_order: (n, n),
        index: [2 * n, 0, 0],
        mass: Mass::Diagonal,
        analytic: true,
        rtol: tolerance,
        atol: subject.floor * tolerance,
    };
    code.integrate(&mut field, &setting, &subject.legs(), &mut y)?;
    y.truncate(n);
    Some(y)
}

impl Springs<'_> {
    fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let fine = self.blocks.dynamics(t, q, v);
        for (k, lambda) in self.lambda.iter_mut().enumerate() {
            *lambda = self.blocks.constraint[k] / self.blocks.compliance[k];
        }
        fine
    }
}

impl Field for Springs<'_> {
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> bool {
        let (q, v) = y.split_at(self.zero.len());
        let fine = self.evaluate(t, q, v);
        let (first, rest) = rate.split_at_mut(v.len());
        first.copy_from_slice(v);
        self.blocks.balance(&self.zero, &self.lambda, rest);
        rest.iter_mut().for_each(|x| *x = -*x);
        fine
    }

    /// K and D with lambda = g/c, and - G'G/c.
    fn jacobian(&mut self, t: f64, y: &[f64], ld: usize, out: &mut [f64]) {
        let n = self.zero.len();
        let (q, v) = y.split_at(n);
        self.evaluate(t, q, v);
        self.blocks.newton_blocks(t, q, v, &self.zero, &self.lambda);
        let (blocks, s) = (&self.blocks, self.blocks.structure());
        out.fill(0.0);
        for ((i, j), x) in s.stiffness.entries().zip(&blocks.stiffness) {
            out[i + j * ld] = *x;
        }
        for ((i, j), x) in s.damping.entries().zip(&blocks.damping) {
            out[i + (n + j) * ld] = *x;
        }
        for ((k, j), x) in s.jacobian.entries().zip(&blocks.jacobian) {
            for ((l, i), y) in s.jacobian.entries().zip(&blocks.jacobian).filter(|((l, _), _)| *l == k) {
                out[i + j * ld] -= x * y / blocks.compliance[l];
            }
        }
    }

    fn mass(&mut self, _ld: usize, mass: &mut [f64]) {
        if self.blocks.system.mass(&self.zero, &mut self.blocks.mass).is_ok() {
            mass.copy_from_slice(&self.blocks.mass);
        }
    }
}
