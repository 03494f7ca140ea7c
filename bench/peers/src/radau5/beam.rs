//! The beam as its authors give it to RADAU5 (Hairer and Wanner, section IV.1): theta'' explicitly, with the inverse of
//! the mass matrix as a product of tridiagonal ones, so that an evaluation takes O(n) operations; the option for
//! second-order equations, and a Jacobian by differences, which is cheap here.

use std::f64::consts::PI;

use super::{Code, Field, Mass, Setting};
use crate::subject::Subject;

const N: usize = 40;

/// theta'' = C v + D u with C u = D v + theta'^2, where v are the bending and the load, C + iD = L exp(i(theta_l -
/// theta_k)) and L = (-1, 2, -1) with 1 in the first place and 3 in the last.
pub struct Beam;

/// Positions at the end.
pub fn run(code: &Code, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let setting = Setting {
        second_order: (N, N),
        index: [2 * N, 0, 0],
        mass: Mass::Identity,
        analytic: false,
        rtol: tolerance,
        atol: subject.floor * tolerance,
    };
    let mut y = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    code.integrate(&mut Beam, &setting, &subject.legs(), &mut y)?;
    y.truncate(N);
    Some(y)
}

impl Field for Beam {
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> bool {
        let (theta, speed) = y.split_at(N);
        rate[..N].copy_from_slice(speed);
        let n2 = (N * N) as f64;
        let load = if t < PI { 1.5 * t.sin().powi(2) * n2 } else { 0.0 };
        let directions: [(f64, f64); N] = std::array::from_fn(|l| theta[l].sin_cos());
        let v: [f64; N] = std::array::from_fn(|l| {
            let before = if l > 0 { theta[l - 1] } else { -theta[0] };
            let after = if l + 1 < N { theta[l + 1] } else { theta[l] };
            let (sin, cos) = directions[l];
            n2 * n2 * (before - 2.0 * theta[l] + after) + load * (cos + sin)
        });
        // cosine and sine of theta_(l+1) - theta_l
        let bends: [(f64, f64); N - 1] = std::array::from_fn(|l| {
            let ((s0, c0), (s1, c1)) = (directions[l], directions[l + 1]);
            (c1 * c0 + s1 * s0, s1 * c0 - c1 * s0)
        });
        let diagonal = |l: usize| match l {
            0 => 1.0,
            l if l == N - 1 => 3.0,
            _ => 2.0,
        };
        // The rows of D: -sin(theta_l - theta_(l-1)) before, sin(theta_(l+1) - theta_l) after.
        let d_times = |x: &[f64; N], l: usize| {
            let before = if l > 0 { -bends[l - 1].1 * x[l - 1] } else { 0.0 };
            let after = if l + 1 < N { bends[l].1 * x[l + 1] } else { 0.0 };
            before + after
        };
        let mut u: [f64; N] = std::array::from_fn(|l| d_times(&v, l) + speed[l] * speed[l]);
        let mut pivots = [0.0; N];
        for l in 0..N {
            pivots[l] = diagonal(l);
            if l > 0 {
                let factor = -bends[l - 1].0 / pivots[l - 1];
                pivots[l] += factor * bends[l - 1].0;
                u[l] -= factor * u[l - 1];
            }
        }
        for l in (0..N).rev() {
            let after = if l + 1 < N { bends[l].0 * u[l + 1] } else { 0.0 };
            u[l] = (u[l] + after) / pivots[l];
        }
        for l in 0..N {
            let before = if l > 0 { bends[l - 1].0 * v[l - 1] } else { 0.0 };
            let after = if l + 1 < N { bends[l].0 * v[l + 1] } else { 0.0 };
            rate[N + l] = diagonal(l) * v[l] - before - after + d_times(&u, l);
        }
        true
    }

    fn jacobian(&mut self, _t: f64, _y: &[f64], _ld: usize, _out: &mut [f64]) {}

    fn mass(&mut self, _ld: usize, _mass: &mut [f64]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Blocks;

    /// M(q) times these accelerations is the force.
    #[test]
    fn the_equations_are_those_of_the_mechanism() {
        let problem = taut_problems::find("beam").expect("in the catalogue");
        let mut blocks = Blocks::new(problem.system.mechanism().expect("mechanical"));
        let y: Vec<f64> = (0..2 * N).map(|k| 0.3 * (1.7 * k as f64).sin()).collect();
        let mut rate = vec![0.0; 2 * N];
        for t in [1.0, 4.0] {
            assert!(Beam.rate(t, &y, &mut rate) && blocks.dynamics(t, &y[..N], &y[N..]));
            let mut balance = vec![0.0; N];
            blocks.balance(&rate[N..], &[], &mut balance);
            let largest = blocks.force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
            for (l, rest) in balance.iter().enumerate() {
                assert!(rest.abs() < 1e-10 * largest, "row {l}: {rest} of {largest}");
            }
        }
    }
}
