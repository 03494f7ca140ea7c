//! Dense matrices, numerical derivatives and blocks of systems, for tests only.

use taut::linear::Pattern;
use taut::system::{MechanicalSystem, Terms};
use taut_problems::{Problem, all};

/// Every problem with every start.
pub fn every_problem() -> Vec<Problem> {
    all().flat_map(|entry| entry.starts.iter().map(move |start| entry.with_start(start).unwrap())).collect()
}

pub fn label(problem: &Problem) -> String {
    format!("{}/{}", problem.name, problem.start_name)
}

/// A factorisation with partial pivoting; the rows of A are lists.
pub struct Factored {
    lu: Vec<Vec<f64>>,
    rows: Vec<usize>,
}

impl Factored {
    pub fn of(mut a: Vec<Vec<f64>>) -> Factored {
        let n = a.len();
        let mut rows: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
            a.swap(k, pivot);
            rows.swap(k, pivot);
            assert!(a[k][k] != 0.0, "singular matrix");
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                a[i][k] = factor;
                if factor != 0.0 {
                    let (upper, lower) = a.split_at_mut(i);
                    for (x, y) in lower[0][k + 1..].iter_mut().zip(&upper[k][k + 1..]) {
                        *x -= factor * y;
                    }
                }
            }
        }
        Factored { lu: a, rows }
    }

    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = self.rows.iter().map(|&i| b[i]).collect();
        for k in 0..x.len() {
            x[k] -= (0..k).map(|j| self.lu[k][j] * x[j]).sum::<f64>();
        }
        for k in (0..x.len()).rev() {
            let known: f64 = (k + 1..x.len()).map(|j| self.lu[k][j] * x[j]).sum();
            x[k] = (x[k] - known) / self.lu[k][k];
        }
        x
    }
}

/// Solves A x = b.
pub fn solve(a: Vec<Vec<f64>>, b: Vec<f64>) -> Vec<f64> {
    Factored::of(a).solve(&b)
}

/// The block as a full matrix of rows.
pub fn full(pattern: &Pattern, values: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; pattern.cols()]; pattern.rows()];
    for ((i, j), value) in pattern.entries().zip(values) {
        matrix[i][j] = *value;
    }
    matrix
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
}

/// Numbers in (−1, 1), always the same.
pub fn scattered(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// The derivative of a vector function at 0, by central differences with shrinking steps and Richardson extrapolation
/// (Ridders): for each component the value with the smallest change.
pub fn slope(first_step: f64, f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let (levels, ratio) = (10, 2.0_f64);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let n = f(0.0).len();
    let (mut best, mut change) = (vec![0.0; n], vec![f64::INFINITY; n]);
    for level in 0..levels {
        let step = first_step / ratio.powi(level);
        let (plus, minus) = (f(step), f(-step));
        let mut row =
            vec![plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * step)).collect::<Vec<f64>>()];
        for k in 0..rows.len() {
            let factor = ratio.powi(2 * (k as i32 + 1));
            let above = &rows[k];
            let last = &row[k];
            let next: Vec<f64> = (0..n).map(|i| (factor * last[i] - above[i]) / (factor - 1.0)).collect();
            for i in 0..n {
                let moved = (next[i] - last[i]).abs().max((next[i] - above[i]).abs());
                if moved < change[i] {
                    (best[i], change[i]) = (next[i], moved);
                }
            }
            row.push(next);
        }
        rows = row;
    }
    best
}

/// The Jacobian of a vector function, one column for each variable; `steps` are the first steps of its variables.
pub fn jacobian(x: &[f64], steps: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (0..x.len())
        .map(|j| {
            slope(steps[j], |shift| {
                let mut moved = x.to_vec();
                moved[j] += shift;
                f(&moved)
            })
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

pub fn mass(system: &dyn MechanicalSystem, q: &[f64]) -> Vec<Vec<f64>> {
    let pattern = &system.structure().mass;
    let mut values = vec![0.0; pattern.nnz()];
    system.mass(q, &mut values).unwrap();
    full(pattern, &values)
}

pub fn constraint_jacobian(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) -> Vec<Vec<f64>> {
    let pattern = &system.structure().jacobian;
    let mut values = vec![0.0; pattern.nnz()];
    system.jacobian(t, q, v, &mut values).unwrap();
    full(pattern, &values)
}

pub fn force(system: &dyn MechanicalSystem, terms: Terms, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut force = vec![0.0; q.len()];
    system.force(terms, t, q, v, &mut force).unwrap();
    force
}

pub fn constraint(system: &dyn MechanicalSystem, t: f64, q: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; system.structure().m()];
    system.constraint(t, q, &mut g).unwrap();
    g
}

pub fn constraint_rate(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut rate = vec![0.0; system.structure().m()];
    system.constraint_rate(t, q, v, &mut rate).unwrap();
    rate
}

pub fn curvature(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut curvature = vec![0.0; system.structure().m()];
    system.curvature(t, q, v, &mut curvature).unwrap();
    curvature
}

pub fn multiply(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

pub fn transposed_multiply(matrix: &[Vec<f64>], x: &[f64], n: usize) -> Vec<f64> {
    (0..n).map(|j| matrix.iter().zip(x).map(|(row, x)| row[j] * x).sum()).collect()
}

/// Accelerations and multipliers: rods from the twice differentiated constraint, springs from λ = g/c.
pub fn accelerations(system: &dyn MechanicalSystem, t: f64, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let (mass, g) = (mass(system, q), constraint_jacobian(system, t, q, v));
    let mut matrix = vec![vec![0.0; n + m]; n + m];
    let mut right = force(system, Terms::ACCELERATING, t, q, v);
    right.resize(n + m, 0.0);
    for i in 0..n {
        matrix[i][..n].copy_from_slice(&mass[i]);
        for k in 0..m {
            matrix[i][n + k] = g[k][i];
        }
    }
    let (value, curvature) = (constraint(system, t, q), curvature(system, t, q, v));
    for (k, of) in structure.constraints.iter().enumerate() {
        if of.compliance() > 0.0 {
            matrix[n + k][n + k] = 1.0;
            right[n + k] = value[k] / of.compliance();
        } else {
            matrix[n + k][..n].copy_from_slice(&g[k]);
            right[n + k] = -curvature[k];
        }
    }
    let mut solution = solve(matrix, right);
    let lambda = solution.split_off(n);
    (solution, lambda)
}
