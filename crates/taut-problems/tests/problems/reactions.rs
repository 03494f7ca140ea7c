//! First-order problems, integrated by Radau IIA with three stages and step doubling, against the references.
//!
//! An independent check that the equations are those whose solutions are tabulated. All matrices are dense.

use taut::system::FirstOrderSystem;
use taut_problems::{Problem, State, find};

use crate::support::*;

const ROOT6: f64 = 2.449_489_742_783_178;
const NODES: [f64; 3] = [(4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0, 1.0];
const WEIGHTS: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * ROOT6) / 360.0, (296.0 - 169.0 * ROOT6) / 1800.0, (-2.0 + 3.0 * ROOT6) / 225.0],
    [(296.0 + 169.0 * ROOT6) / 1800.0, (88.0 + 7.0 * ROOT6) / 360.0, (-2.0 - 3.0 * ROOT6) / 225.0],
    [(16.0 - ROOT6) / 36.0, (16.0 + ROOT6) / 36.0, 1.0 / 9.0],
];

struct Radau<'a> {
    system: &'a dyn FirstOrderSystem,
    e: Vec<Vec<f64>>,
    /// the sizes below which errors of the variables do not count
    sizes: Vec<f64>,
}

impl<'a> Radau<'a> {
    fn new(problem: &'a Problem) -> Self {
        let system = problem.system.evolution().unwrap();
        let composition = system.composition();
        let mut sizes: Vec<f64> = (0..composition.n()).map(|i| least_size(&problem.name, i)).collect();
        let states =
            problem.references.iter().map(|reference| &reference.state).chain([&problem.start.state]);
        for (i, x) in states.flat_map(State::variables) {
            sizes[i] = f64::max(sizes[i], 1e-3 * x.abs());
        }
        Radau { system, e: full(&composition.mass, &composition.mass_values), sizes }
    }

    /// Whether the rate of variable i appears; the others follow from these and are determined less well.
    fn is_differential(&self, i: usize) -> bool {
        self.e.iter().any(|row| row[i] != 0.0)
    }

    fn rate(&self, t: f64, x: &[f64]) -> Option<Vec<f64>> {
        let mut rate = vec![0.0; x.len()];
        self.system.rate(t, x, &mut rate).ok()?;
        Some(rate)
    }

    fn jacobian(&self, t: f64, x: &[f64]) -> Option<Vec<Vec<f64>>> {
        let pattern = &self.system.composition().jacobian;
        let mut values = vec![0.0; pattern.nnz()];
        self.system.jacobian(t, x, &mut values).ok()?;
        Some(full(pattern, &values))
    }

    /// The matrix E − h A ⊗ J of Newton's method, J at the beginning of the step.
    fn newton_matrix(&self, t: f64, h: f64, x: &[f64]) -> Option<Factored> {
        let (n, jacobian) = (x.len(), self.jacobian(t, x)?);
        let entry = |k: usize, l: usize| {
            let (i, row, j, column) = (k / n, k % n, l / n, l % n);
            let e = if i == j { self.e[row][column] } else { 0.0 };
            e - h * WEIGHTS[i][j] * jacobian[row][column]
        };
        Some(Factored::of((0..3 * n).map(|k| (0..3 * n).map(|l| entry(k, l)).collect()).collect()))
    }

    /// E Z_i = h Σ a_ij f(t_j, x + Z_j) by simplified Newton iterations; `None` when they do not converge.
    fn step(&self, t: f64, h: f64, x: &[f64]) -> Option<Vec<f64>> {
        let n = x.len();
        let matrix = self.newton_matrix(t, h, x)?;
        let mut z = vec![vec![0.0; n]; 3];
        for _ in 0..15 {
            let mut rates = Vec::new();
            for j in 0..3 {
                let stage: Vec<f64> = x.iter().zip(&z[j]).map(|(x, z)| x + z).collect();
                rates.push(self.rate(t + NODES[j] * h, &stage)?);
            }
            let mut residual = Vec::with_capacity(3 * n);
            for i in 0..3 {
                let inertia = multiply(&self.e, &z[i]);
                let push = |row: usize| (0..3).map(|j| WEIGHTS[i][j] * rates[j][row]).sum::<f64>();
                residual.extend((0..n).map(|row| h * push(row) - inertia[row]));
            }
            let mut largest_change: f64 = 0.0;
            for (k, change) in matrix.solve(&residual).iter().enumerate() {
                let i = k % n;
                z[k / n][i] += change;
                if self.is_differential(i) {
                    largest_change = largest_change.max(change.abs() / (self.sizes[i] + x[i].abs()));
                }
            }
            if largest_change < 1e-10 {
                return Some(x.iter().zip(&z[2]).map(|(x, z)| x + z).collect());
            }
        }
        None
    }

    /// One step of length h against two of length h/2: the better value, and the error in units of the tolerance.
    fn doubled(&self, t: f64, h: f64, x: &[f64], tolerance: f64) -> Option<(Vec<f64>, f64)> {
        let whole = self.step(t, h, x)?;
        let half = self.step(t, 0.5 * h, x)?;
        let twice = self.step(t + 0.5 * h, 0.5 * h, &half)?;
        let error = (0..x.len()).filter(|i| self.is_differential(*i)).fold(0.0, |error: f64, i| {
            error.max((whole[i] - twice[i]).abs() / (self.sizes[i] + twice[i].abs()))
        });
        Some((twice, error / tolerance))
    }

    fn integrate(&self, t0: f64, t1: f64, x: &[f64], tolerance: f64) -> Vec<f64> {
        let (mut t, mut x) = (t0, x.to_vec());
        let mut h = 1e-4 * (t1 - t0);
        for _ in 0..20_000 {
            let rest = t1 - t;
            let last = h > 0.999 * rest;
            let length = if last { rest } else { h.min(0.5 * rest) };
            match self.doubled(t, length, &x, tolerance) {
                Some((next, error)) => {
                    h = length * (0.8 * error.powf(-0.25)).clamp(0.2, 4.0);
                    if error <= 1.0 {
                        (t, x) = (t + length, next);
                        if last {
                            return x;
                        }
                    }
                }
                None => h = 0.25 * length,
            }
        }
        panic!("too many steps, t = {t}");
    }
}

/// The size below which a variable does not count although it is 0 wherever it is tabulated.
fn least_size(name: &str, variable: usize) -> f64 {
    match (name, variable) {
        ("charge_pump", 0..5) => 1e-14,
        ("charge_pump", 5..8) => 1e-3,
        ("charge_pump", _) => 1e-7,
        // charges at gates of some volts and 6e-5 farad
        ("nand_gate", 14..) => 1e-7,
        _ => 1e-14,
    }
}

/// Integrates to reference number `which`, from kink to kink, and compares all variables in units of their size.
fn reaches(name: &str, which: usize, tolerance: f64, bound: f64) {
    reaches_by(name, which, &[], tolerance, bound);
}

/// The same, with kinks that only the solution has.
fn reaches_by(name: &str, which: usize, late_kinks: &[f64], tolerance: f64, bound: f64) {
    let problem = find(name).unwrap();
    let reference = &problem.references[which];
    let radau = Radau::new(&problem);
    let State::Variables(start) = &problem.start.state else { panic!("an incomplete start") };
    let (mut x, mut t) = (start.clone(), problem.start.t);
    let kinks = problem.kinks.iter().copied().filter(|kink| *kink < reference.t);
    for next in kinks.chain(late_kinks.iter().copied()).chain([reference.t]) {
        x = radau.integrate(t, next, &x, tolerance);
        t = next;
    }
    let error = reference.state.variables().iter().fold(0.0, |error: f64, &(i, expected)| {
        error.max((x[i] - expected).abs() / (radau.sizes[i] + expected.abs()))
    });
    assert!(error < bound, "{name} at t = {t}: {error:e}");
}

#[test]
fn stiff_equations() {
    reaches("hires", 0, 1e-8, 1e-7);
    reaches("robertson", 2, 1e-8, 1e-7);
    reaches("robertson", 12, 1e-8, 1e-6);
    reaches("rigid_body", 1, 1e-9, 1e-7);
    reaches("van_der_pol", 1, 1e-8, 1e-5);
    reaches("van_der_pol/y2_-0.66", 0, 1e-8, 1e-5);
    reaches("van_der_pol/mu1000", 0, 1e-8, 1e-5);
}

#[test]
fn equations_of_index_1() {
    reaches("transistor_amplifier", 0, 1e-8, 1e-6);
    reaches("chemical_akzo_nobel", 0, 1e-9, 1e-7);
}

#[test]
fn nand_gate() {
    reaches("nand_gate", 0, 1e-7, 1e-7);
}

#[test]
fn charge_pump() {
    // 0.1 ns before the end the input of 2 V/ns falls below the threshold of 0.2 V
    reaches_by("charge_pump", 0, &[1.2e-6 - 0.9e-10, 1.2e-6 - 1e-11], 1e-9, 1e-6);
}

#[test]
fn water_tube() {
    reaches("water_tube", 0, 1e-6, 1e-4);
}

#[test]
fn wheelset() {
    reaches("wheelset", 0, 1e-5, 1e-5);
}

/// The twice differentiated constraint −4λ|u|² − 2u2 + 2|v|² vanishes, and the equations give the same from v'.
#[test]
fn schropp_pendulum() {
    let problem = find("schropp_pendulum").unwrap();
    let radau = Radau::new(&problem);
    let states = problem.references.iter().map(|reference| &reference.state).chain([&problem.start.state]);
    for state in states {
        let State::Variables(x) = state else { panic!("an incomplete state") };
        let [u1, u2, v1, v2, lambda] = x[..] else { panic!("{} variables", x.len()) };
        let bend = 2.0 * (v1 * v1 + v2 * v2);
        let d3 = -4.0 * lambda * (u1 * u1 + u2 * u2) - 2.0 * u2 + bend;
        assert!(d3.abs() < 1e-14, "{d3:e}");
        let rate = radau.rate(0.0, x).unwrap();
        assert_eq!(&rate[..2], &[v1, v2]);
        assert!((2.0 * (u1 * rate[2] + u2 * rate[3]) + bend - d3).abs() < 1e-14);
    }
}

#[test]
fn equations_of_index_2() {
    reaches("index2_nonlinear", 1, 1e-10, 1e-6);
    reaches("index2_linear", 1, 1e-10, 1e-6);
}

/// Too large for dense matrices: small steps of the classical Runge-Kutta method.
#[test]
fn medical_akzo_nobel() {
    let problem = find("medical_akzo_nobel").unwrap();
    let system = problem.system.evolution().unwrap();
    let State::Variables(mut x) = problem.start.state.clone() else { panic!("an incomplete start") };
    // the inflow is constant on both sides of its jump: one time before it, one after it
    for (t, length, steps) in [(1.0, 5.0, 25_000), (6.0, 15.0, 75_000)] {
        for _ in 0..steps {
            explicit_step(system, t, length / f64::from(steps), &mut x);
        }
    }
    for (i, expected) in problem.references[0].state.variables() {
        let error = (x[i] - expected).abs();
        assert!(error < 1e-9 * expected.abs() + 1e-15, "variable {i}: {} against {expected}", x[i]);
    }
}

fn explicit_step(system: &dyn FirstOrderSystem, t: f64, h: f64, x: &mut [f64]) {
    let n = x.len();
    let (mut slope, mut sum) = (vec![0.0; n], vec![0.0; n]);
    for (c, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
        let stage: Vec<f64> = (0..n).map(|i| x[i] + c * h * slope[i]).collect();
        system.rate(t, &stage, &mut slope).unwrap();
        sum.iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += weight * slope);
    }
    x.iter_mut().zip(&sum).for_each(|(x, sum)| *x += h / 6.0 * sum);
}
