//! Tolerances in stiff components that are forced: there the order of a method is not what it is elsewhere.

#![allow(clippy::unwrap_used)]

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::system::{FirstOrder, Linearised, Scalar};

const COLUMNS: usize = 8;
const ROWS: usize = 5;

/// A plate that two wheels roll over (Hairer and Wanner, section IV.10): u'' = −1000 u' − 100 ΔΔu + force, supported at its edges.
struct Plate;

impl FirstOrder for Plate {
    fn variables(&self) -> Vec<String> {
        let of = |name: &'static str| {
            (0..ROWS * COLUMNS).map(move |k| format!("{name}{}_{}", k % COLUMNS + 1, k / COLUMNS + 1))
        };
        of("u").chain(of("w")).collect()
    }

    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        let (u, w) = x.split_at(ROWS * COLUMNS);
        let width = 2.0 / (COLUMNS + 1) as f64;
        let at = |i: usize, j: usize, x: i32, y: i32| -> S {
            // Beyond a supported edge the plate is bent the other way.
            let inside = |k: usize, by: i32, most: usize| match k as i32 + by {
                -2 => Some((0, -1.0)),
                k if k == most as i32 + 1 => Some((most - 1, -1.0)),
                k => usize::try_from(k).ok().filter(|k| *k < most).map(|k| (k, 1.0)),
            };
            match (inside(i, x, COLUMNS), inside(j, y, ROWS)) {
                (Some((i, across)), Some((j, along))) => u[j * COLUMNS + i] * (across * along),
                _ => S::zero(),
            }
        };
        for j in 0..ROWS {
            for i in 0..COLUMNS {
                let k = j * COLUMNS + i;
                let close = at(i, j, -1, 0) + at(i, j, 1, 0) + at(i, j, 0, -1) + at(i, j, 0, 1);
                let across = at(i, j, -1, -1) + at(i, j, 1, -1) + at(i, j, -1, 1) + at(i, j, 1, 1);
                let far = at(i, j, -2, 0) + at(i, j, 2, 0) + at(i, j, 0, -2) + at(i, j, 0, 2);
                let bent = u[k] * 20.0 - close * 8.0 + across * 2.0 + far;
                let mut force = S::zero();
                if j == 1 || j == 3 {
                    for wheel in [2.0, 5.0] {
                        let far = t - (wheel + (i + 1) as f64 * width);
                        force += (far.square() * -5.0).exp() * 200.0;
                    }
                }
                rate[k] = w[k];
                rate[ROWS * COLUMNS + k] = force - w[k] * 1000.0 - bent * (100.0 / width.powi(4));
            }
        }
    }
}

fn end(method: Method, rtol: f64) -> Vec<f64> {
    let plate = Linearised::new(Plate);
    let options = Options { rtol, atol: 1e-3 * rtol, ..Options::default() };
    let solver = Solver::first_order(&plate).method(method).options(options);
    solver.run(0.0, 7.0, &[0.0; 2 * ROWS * COLUMNS]).unwrap().y
}

#[test]
fn a_plate_that_wheels_roll_over_is_within_its_tolerance() {
    let exact = end(Method::radau().with_stages(3).unwrap(), 1e-11);
    // CVODE at 3e-14: the place in the middle.
    assert!((exact[2 * COLUMNS + 3] / 0.003831644928825037 - 1.0).abs() < 1e-8, "{}", exact[2 * COLUMNS + 3]);
    for rtol in [1e-8, 1e-10] {
        let found = end(Method::radau(), rtol);
        let errors = found.iter().zip(&exact).map(|(x, exact)| (x - exact).abs() / (1e-3 + exact.abs()));
        let error = errors.fold(0.0, f64::max) / rtol;
        assert!(error < 30.0, "{error} tolerances of {rtol:e}");
    }
}
