//! RATTLE on chains against a hand-written bound.

use serde_json::{Value, json};
use taut::method::Method;
use taut_lab::{solver_of, start_of};
use taut_problems::mechanics::planar_chain;

use super::shortest;
use crate::measure::processor_seconds;

const STEP: f64 = 1e-3;

/// Times per step of Taut and of the bound.
pub fn rattle() -> Vec<Value> {
    println!("\nchain of N pendulums: RATTLE (s = 2), microseconds per step");
    let row = |links: usize| {
        // the same part of the same motion
        let bound = (0..20).map(|_| tridiagonal_rattle(links, STEP, 60)).fold(f64::INFINITY, f64::min);
        let ours = taut(links);
        println!(
            "  N = {links:<5} taut {:>10.1}  hand-written {:>8.2}  ratio {:.1}",
            1e6 * ours,
            1e6 * bound,
            ours / bound
        );
        json!({"links": links, "rattle_seconds_per_step": ours, "bound_seconds_per_step": bound})
    };
    [100, 1000].map(row).into()
}

fn taut(links: usize) -> f64 {
    let problem = planar_chain(links);
    let Ok(method) = Method::named("rattle") else { return f64::NAN };
    let solver = solver_of(&problem).method(method).step(STEP);
    let time = |steps: f64| shortest(3, || solver.run(0.0, STEP * steps, &start_of(&problem)).is_ok());
    (time(60.0) - time(10.0)) / 50.0
}

/// That of [`planar_chain`].
const GRAVITY: f64 = 9.81;

/// RATTLE for the planar chain of unit masses and lengths alone: the matrix G G' is tridiagonal. The bound that a general
/// code is compared with; time per step.
fn tridiagonal_rattle(links: usize, h: f64, steps: usize) -> f64 {
    let mut r: Vec<[f64; 2]> = (0..links).map(|i| [(i + 1) as f64, 0.0]).collect();
    let mut v = vec![[0.0; 2]; links];
    let mut system = Tridiagonal::new(links);
    let begun = processor_seconds();
    for _ in 0..steps {
        let rods = differences(&r);
        for i in 0..links {
            v[i][1] -= 0.5 * h * GRAVITY;
            for d in 0..2 {
                r[i][d] += h * v[i][d];
            }
        }
        for _ in 0..20 {
            let new = differences(&r);
            let mut largest = 0.0_f64;
            for k in 0..links {
                let residual = 0.5 * (dot(new[k], new[k]) - 1.0);
                largest = largest.max(residual.abs());
                system.right[k] = residual;
            }
            // Positions are as large as the number of links, and so are their rounding errors.
            if largest < 1e-15 * links as f64 {
                break;
            }
            system.solve(&new, &rods);
            for k in 0..links {
                let below = if k + 1 < links { system.right[k + 1] } else { 0.0 };
                for d in 0..2 {
                    let next = if k + 1 < links { rods[k + 1][d] } else { 0.0 };
                    let move_by = -system.right[k] * rods[k][d] + below * next;
                    r[k][d] += move_by;
                    v[k][d] += move_by / h;
                }
            }
        }
        for v in &mut v {
            v[1] -= 0.5 * h * GRAVITY;
        }
        let rods = differences(&r);
        for k in 0..links {
            let before = if k > 0 { v[k - 1] } else { [0.0; 2] };
            system.right[k] = dot(rods[k], [v[k][0] - before[0], v[k][1] - before[1]]);
        }
        system.solve(&rods, &rods);
        for k in 0..links {
            let below = if k + 1 < links { system.right[k + 1] } else { 0.0 };
            for d in 0..2 {
                let next = if k + 1 < links { rods[k + 1][d] } else { 0.0 };
                v[k][d] += -system.right[k] * rods[k][d] + below * next;
            }
        }
    }
    (processor_seconds() - begun) / steps as f64
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn differences(r: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let before = std::iter::once([0.0; 2]).chain(r.iter().copied());
    r.iter().zip(before).map(|(r, b)| [r[0] - b[0], r[1] - b[1]]).collect()
}

struct Tridiagonal {
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    right: Vec<f64>,
}

impl Tridiagonal {
    fn new(n: usize) -> Self {
        Tridiagonal { diagonal: vec![0.0; n], upper: vec![0.0; n], right: vec![0.0; n] }
    }

    /// Solves with the rows G(a) G(b)': 2 a_k b_k (1 for the first rod), -a_k b_(k-1), -a_k b_(k+1).
    fn solve(&mut self, a: &[[f64; 2]], b: &[[f64; 2]]) {
        let n = a.len();
        for k in 0..n {
            let mut pivot = dot(a[k], b[k]) * if k == 0 { 1.0 } else { 2.0 };
            self.upper[k] = if k + 1 < n { -dot(a[k], b[k + 1]) } else { 0.0 };
            if k > 0 {
                let factor = -dot(a[k], b[k - 1]) / self.diagonal[k - 1];
                pivot -= factor * self.upper[k - 1];
                self.right[k] -= factor * self.right[k - 1];
            }
            self.diagonal[k] = pivot;
        }
        for k in (0..n).rev() {
            let next = if k + 1 < n { self.upper[k] * self.right[k + 1] } else { 0.0 };
            self.right[k] = (self.right[k] - next) / self.diagonal[k];
        }
    }
}
