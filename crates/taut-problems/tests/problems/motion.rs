//! Mechanical motions, integrated by the classical Runge-Kutta method on acceleration level, against the references.
//!
//! An independent check that the equations are those whose solutions are tabulated.

use taut::system::MechanicalSystem;
use taut_problems::{Motion, find};

use crate::support::*;

/// One step of the classical Runge-Kutta method for q'' = a(t, q, q').
fn step(system: &dyn MechanicalSystem, t: f64, h: f64, q: &mut [f64], v: &mut [f64]) {
    let n = q.len();
    let (mut q_slopes, mut v_slopes) = (Vec::new(), Vec::new());
    for (c, weight) in [(0.0, 0.0), (0.5, 0.5), (0.5, 0.5), (1.0, 1.0)] {
        let at = |x: &[f64], slopes: &[Vec<f64>]| -> Vec<f64> {
            let last = slopes.last();
            (0..n).map(|i| x[i] + last.map_or(0.0, |slope| weight * h * slope[i])).collect()
        };
        let (q_stage, v_stage) = (at(q, &q_slopes), at(v, &v_slopes));
        v_slopes.push(accelerations(system, t + c * h, &q_stage, &v_stage).0);
        q_slopes.push(v_stage);
    }
    let update = |x: &mut [f64], k: &[Vec<f64>]| {
        for i in 0..n {
            x[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        }
    };
    update(q, &q_slopes);
    update(v, &v_slopes);
}

fn integrate(system: &dyn MechanicalSystem, start: &Motion, t0: f64, t1: f64, steps: usize) -> Motion {
    let (mut q, mut v) = (start.q.clone(), start.v.clone());
    let h = (t1 - t0) / steps as f64;
    for k in 0..steps {
        step(system, t0 + k as f64 * h, h, &mut q, &mut v);
    }
    Motion { q, v, ..Motion::default() }
}

fn error(found: &[f64], expected: &[f64]) -> f64 {
    let difference: Vec<f64> = found.iter().zip(expected).map(|(x, y)| x - y).collect();
    largest(&difference) / largest(expected).max(1e-3)
}

/// Integrates to reference number `which` and compares positions and velocities.
fn reaches(name: &str, which: usize, steps: usize, tolerance: f64) {
    let problem = find(name).unwrap();
    let system = problem.system.mechanism().unwrap();
    let reference = &problem.references[which];
    let expected = reference.state.motion().unwrap();
    let start = problem.start.state.motion().unwrap();
    let mut motion = start.clone();
    let mut t = problem.start.t;
    let kinks = problem.kinks.iter().copied().filter(|kink| *kink < reference.t);
    for next in kinks.chain([reference.t]) {
        let share = (next - t) / (reference.t - problem.start.t);
        motion = integrate(system, &motion, t, next, (steps as f64 * share).ceil() as usize);
        t = next;
    }
    let errors = (error(&motion.q, &expected.q), error(&motion.v, &expected.v));
    assert!(errors.0 < tolerance && errors.1 < tolerance, "{name} at t = {t}: {errors:?}");
}

#[test]
fn pendulums_and_chains() {
    reaches("pendulum", 1, 10000, 1e-9);
    reaches("pendulum/horizontal_rest_g9.81", 0, 1000, 1e-9);
    reaches("pendulum/cash_g1", 0, 500, 1e-9);
    reaches("pendulum_chain_2", 1, 20000, 1e-9);
    reaches("stiff_spring_pendulum/generic_eps1e-2", 0, 20000, 1e-8);
    reaches("stiff_spring_pendulum/manifold_bottom_eps1e-3", 0, 20000, 1e-8);
}

#[test]
fn double_pendulum_counts_its_turns() {
    for which in 0..4 {
        reaches("double_pendulum", which, 40000, 1e-6);
    }
}

#[test]
fn squeezer() {
    reaches("andrews", 0, 4000, 1e-8);
    reaches("andrews", 2, 12000, 1e-7);
}

#[test]
fn car_axis() {
    reaches("car_axis", 0, 5000, 1e-7);
    reaches("car_axis", 2, 15000, 1e-7);
}

#[test]
fn slider_crank() {
    reaches("slider_crank_flexible", 0, 40000, 1e-6);
}

#[test]
fn beam() {
    reaches("beam", 0, 12000, 1e-5);
}

#[test]
fn stars_and_planets() {
    reaches("kepler", 0, 2000, 1e-9);
    reaches("kepler/e0.9", 0, 20000, 1e-9);
    reaches("pleiades", 0, 40000, 1e-6);
    reaches("outer_solar_system", 1, 2000, 1e-8);
    reaches("fermi_pasta_ulam", 1, 40000, 1e-6);
}

#[test]
fn fekete_points_rest_at_the_reference() {
    let problem = find("fekete").unwrap();
    let system = problem.system.mechanism().unwrap();
    let motion = problem.references[0].state.motion().unwrap();
    let (a, lambda) = accelerations(system, 1000.0, &motion.q, &motion.v);
    assert!(largest(&a) < 1e-8, "{:e}", largest(&a));
    assert!(lambda.iter().all(|lambda| (lambda - 4.75).abs() < 1e-8));
    // the motion rests from t = 200 on
    let start = problem.start.state.motion().unwrap();
    let end = integrate(system, start, 0.0, 200.0, 6000);
    assert!(error(&end.q, &motion.q) < 1e-5 && largest(&end.v) < 1e-6);
}

/// The mechanical form of the beam against the Test Set's: θ'' = C v + D u, C u = D v + θ'², tridiagonal C and D.
#[test]
fn beam_in_the_form_of_the_test_set() {
    let problem = find("beam").unwrap();
    let system = problem.system.mechanism().unwrap();
    let n = system.structure().n();
    let (theta, rate, t) = (scattered(n, 21), scattered(n, 22), 0.7_f64);
    let load = 1.5 * t.sin().powi(2);
    let n2 = (n * n) as f64;
    let before = |l: usize| if l > 0 { theta[l - 1] } else { -theta[0] };
    let after = |l: usize| if l + 1 < n { theta[l + 1] } else { theta[l] };
    let v: Vec<f64> = (0..n)
        .map(|l| {
            n2 * n2 * (before(l) - 2.0 * theta[l] + after(l)) + n2 * load * (theta[l].cos() + theta[l].sin())
        })
        .collect();
    let (mut c, mut d) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
    for l in 0..n {
        c[l][l] = if l == 0 {
            1.0
        } else if l + 1 == n {
            3.0
        } else {
            2.0
        };
        if l > 0 {
            let (sin, cos) = (theta[l] - theta[l - 1]).sin_cos();
            (c[l][l - 1], c[l - 1][l]) = (-cos, -cos);
            (d[l][l - 1], d[l - 1][l]) = (-sin, sin);
        }
    }
    let right = multiply(&d, &v).iter().zip(&rate).map(|(w, rate)| w + rate * rate).collect();
    let u = solve(c.clone(), right);
    let expected: Vec<f64> = multiply(&c, &v).iter().zip(multiply(&d, &u)).map(|(a, b)| a + b).collect();
    let (found, _) = accelerations(system, t, &theta, &rate);
    assert!(error(&found, &expected) < 1e-11, "{:e}", error(&found, &expected));
}
