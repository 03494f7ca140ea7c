//! A mechanical system as RADAU5 sees it: (q, v, lambda) where the mass is constant and diagonal, else (q, v, a, lambda);
//! its option for second-order equations, and velocities declared of index 2, accelerations and multipliers of index 3.
//! A spring stays the compliant constraint g = c lambda.

use super::{Code, Field, Mass, Setting};
use crate::blocks::Blocks;
use crate::subject::Subject;

struct Motion<'a> {
    blocks: Blocks<'a>,
    n: usize,
    m: usize,
    /// accelerations are no variables: M v' stands to the left
    constant_mass: bool,
    zero: Vec<f64>,
}

/// Positions at the end.
pub fn run(code: &Code, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let structure = subject.mechanism()?.structure();
    let (n, m) = (structure.n(), structure.m());
    let constant_mass = structure.constant_mass && structure.mass.entries().all(|(i, j)| i == j);
    let blocks = Blocks::new(subject.mechanism()?);
    let mut field = Motion { blocks, n, m, constant_mass, zero: vec![0.0; n] };
    let mut y = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    if !constant_mass {
        y.extend(&subject.motion.a);
    }
    y.extend(&subject.motion.lambda);
    let setting = Setting {
        second_order: (if constant_mass { n } else { 2 * n }, n),
        index: [n, n, y.len() - 2 * n],
        mass: Mass::Diagonal,
        analytic: true,
        rtol: tolerance,
        atol: subject.floor * tolerance,
    };
    code.integrate(&mut field, &setting, &subject.legs(), &mut y)?;
    y.truncate(n);
    Some(y)
}

impl Motion<'_> {
    /// a and lambda, where they are variables.
    fn split<'a>(&'a self, y: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        let n = self.n;
        if self.constant_mass { (&self.zero, &y[2 * n..]) } else { y[2 * n..].split_at(n) }
    }
}

impl Field for Motion<'_> {
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> bool {
        let n = self.n;
        if !self.blocks.dynamics(t, &y[..n], &y[n..2 * n]) {
            return false;
        }
        let (first, rest) = rate.split_at_mut(if self.constant_mass { n } else { 2 * n });
        first.copy_from_slice(&y[n..n + first.len()]);
        let (balance, constraint) = rest.split_at_mut(n);
        let (a, lambda) = self.split(y);
        self.blocks.balance(a, lambda, balance);
        balance.iter_mut().for_each(|x| *x = -*x);
        for (k, out) in constraint.iter_mut().enumerate() {
            *out = self.blocks.constraint[k] - self.blocks.compliance[k] * lambda[k];
        }
        true
    }

    fn jacobian(&mut self, t: f64, y: &[f64], ld: usize, out: &mut [f64]) {
        let (n, m) = (self.n, self.m);
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (a, lambda) = self.split(y);
        let (a, lambda) = (a.to_vec(), lambda.to_vec());
        self.blocks.dynamics(t, q, v);
        self.blocks.newton_blocks(t, q, v, &a, &lambda);
        let (blocks, s) = (&self.blocks, self.blocks.structure());
        let multipliers = y.len() - m;
        out.fill(0.0);
        for ((i, j), x) in s.stiffness.entries().zip(&blocks.stiffness) {
            out[i + j * ld] = *x;
        }
        for ((i, j), x) in s.damping.entries().zip(&blocks.damping) {
            out[i + (n + j) * ld] = *x;
        }
        if !self.constant_mass {
            for ((i, j), x) in s.mass.entries().zip(&blocks.mass) {
                out[i + (2 * n + j) * ld] = -x;
            }
        }
        for ((k, j), x) in s.jacobian.entries().zip(&blocks.jacobian) {
            out[n + k + j * ld] = *x;
            out[j + (multipliers + k) * ld] = -x;
        }
        for (k, c) in blocks.compliance.iter().enumerate() {
            out[n + k + (multipliers + k) * ld] = -c;
        }
    }

    fn mass(&mut self, _ld: usize, mass: &mut [f64]) {
        mass.fill(0.0);
        if self.constant_mass && self.blocks.system.mass(&self.zero, &mut self.blocks.mass).is_ok() {
            mass[..self.n].copy_from_slice(&self.blocks.mass);
        }
    }
}
