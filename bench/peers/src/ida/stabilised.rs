//! IDA on the stabilised index-2 form (Gear, Gupta and Leimkuhler):
//! q' = v - G'mu, M v' = f - G'lambda, g = 0, G v + g_t = 0.
//!
//! Settings: analytic Jacobian (the second derivatives that mu, zero but for errors, is multiplied with are left out),
//! multipliers out of the error test and with a large absolute tolerance out of Newton's too (with rtol = atol for them
//! it gives up on the squeezer in its first step), rtol = atol for positions and velocities.

use taut::linear::Pattern;

use super::{Equations, Setting, integrate};
use crate::blocks::Blocks;
use crate::subject::Subject;

/// Absolute tolerance of multipliers: so large that they have no say.
const MULTIPLIER_TOLERANCE: f64 = 1e10;

/// How the linear systems are solved.
#[derive(Clone, Copy, PartialEq)]
pub enum Elimination {
    /// dense; derivatives of G v by differences
    Dense,
    /// KLU; constraints are squares, so that the derivative of G(q) v is G(v)
    Sparse,
}

struct Motion<'a> {
    blocks: Blocks<'a>,
    elimination: Elimination,
    /// the places of the derivative of G v, and its values
    turning: Pattern,
    turn: Vec<f64>,
    /// where in the matrix the entries go, in the order in which they are visited
    places: Vec<usize>,
}

/// Positions at the end.
pub fn run(subject: &Subject, tolerance: f64, elimination: Elimination) -> Option<Vec<f64>> {
    let blocks = Blocks::new(subject.mechanism()?);
    let s = blocks.structure();
    let (n, m) = (s.n(), s.m());
    let size = 2 * (n + m);
    let turning = if elimination == Elimination::Sparse { s.jacobian.clone() } else { Pattern::dense(m, n) };
    let turn = vec![0.0; turning.nnz()];
    let mut motion = Motion { blocks, elimination, turning, turn, places: Vec::new() };
    let mut entries = Vec::new();
    motion.visit(0.0, |i, j, _| entries.push((i, j)));
    let pattern = (elimination == Elimination::Sparse)
        .then(|| Pattern::from_entries(size, size, entries.iter().copied()));
    motion.places = match &pattern {
        Some(pattern) => entries.iter().map(|&(i, j)| pattern.position(i, j)).collect::<Option<_>>()?,
        None => entries.iter().map(|(i, j)| i + j * size).collect(),
    };
    let start = &subject.motion;
    let zero = vec![0.0; m];
    let setting = Setting {
        y: [start.q.as_slice(), &start.v, &start.lambda, &zero].concat(),
        rate: [start.v.as_slice(), &start.a, &zero, &zero].concat(),
        tested: (0..size).map(|i| i < 2 * n).collect(),
        rtol: tolerance,
        atol: (0..size)
            .map(|i| if i < 2 * n { subject.floor * tolerance } else { MULTIPLIER_TOLERANCE })
            .collect(),
        pattern: pattern.as_ref(),
    };
    let mut y = integrate(&mut motion, &setting, &subject.legs())?;
    y.truncate(n);
    Some(y)
}

impl Motion<'_> {
    /// All entries of the matrix, always in the same order.
    fn visit(&self, cj: f64, mut put: impl FnMut(usize, usize, f64)) {
        let (blocks, s) = (&self.blocks, self.blocks.structure());
        let (n, m) = (s.n(), s.m());
        for j in 0..n {
            put(j, j, cj);
            put(j, n + j, -1.0);
        }
        for ((i, j), x) in s.stiffness.entries().zip(&blocks.stiffness) {
            put(n + i, j, -x);
        }
        for ((i, j), x) in s.mass.entries().zip(&blocks.mass) {
            put(n + i, n + j, cj * x);
        }
        for ((i, j), x) in s.damping.entries().zip(&blocks.damping) {
            put(n + i, n + j, -x);
        }
        for ((k, j), &x) in s.jacobian.entries().zip(&blocks.jacobian) {
            put(j, 2 * n + m + k, x);
            put(n + j, 2 * n + k, x);
            put(2 * n + k, j, x);
            put(2 * n + m + k, n + j, x);
        }
        for ((k, j), &x) in self.turning.entries().zip(&self.turn) {
            put(2 * n + m + k, j, x);
        }
    }

    /// The derivative of G v + g_t with respect to q.
    fn find_turn(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let system = self.blocks.system;
        if self.elimination == Elimination::Sparse {
            return system.jacobian(t, v, v, &mut self.turn).is_ok();
        }
        let m = self.blocks.constraint.len();
        let (mut rate, mut moved, mut shifted) = (vec![0.0; m], vec![0.0; m], q.to_vec());
        let mut fine = system.constraint_rate(t, q, v, &mut rate).is_ok();
        for j in 0..q.len() {
            let step = 1e-7 * (1.0 + q[j].abs());
            shifted[j] += step;
            fine &= system.constraint_rate(t, &shifted, v, &mut moved).is_ok();
            shifted[j] = q[j];
            for k in 0..m {
                self.turn[j * m + k] = (moved[k] - rate[k]) / step;
            }
        }
        fine
    }
}

impl Equations for Motion<'_> {
    fn residual(&mut self, t: f64, y: &[f64], rate: &[f64], out: &mut [f64]) -> bool {
        let (n, m) = (self.blocks.force.len(), self.blocks.constraint.len());
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (lambda, mu) = y[2 * n..].split_at(m);
        if !self.blocks.dynamics(t, q, v) {
            return false;
        }
        for i in 0..n {
            out[i] = rate[i] - v[i];
        }
        self.blocks.add_transposed(mu, &mut out[..n]);
        self.blocks.balance(&rate[n..2 * n], lambda, &mut out[n..2 * n]);
        out[2 * n..2 * n + m].copy_from_slice(&self.blocks.constraint);
        self.blocks.system.constraint_rate(t, q, v, &mut out[2 * n + m..]).is_ok()
    }

    fn jacobian(&mut self, t: f64, cj: f64, y: &[f64], rate: &[f64], values: &mut [f64]) -> bool {
        let (n, m) = (self.blocks.force.len(), self.blocks.constraint.len());
        let (q, v, lambda) = (&y[..n], &y[n..2 * n], &y[2 * n..2 * n + m]);
        let fine = self.blocks.dynamics(t, q, v)
            && self.blocks.newton_blocks(t, q, v, &rate[n..2 * n], lambda)
            && self.find_turn(t, q, v);
        values.fill(0.0);
        let mut places = self.places.iter();
        self.visit(cj, |_, _, x| {
            if let Some(&place) = places.next() {
                values[place] += x;
            }
        });
        fine
    }
}
