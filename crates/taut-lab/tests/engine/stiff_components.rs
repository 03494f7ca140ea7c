//! Tolerances in stiff components that are forced: there the order of a method is not what it is elsewhere.

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::system::{FirstOrder, Linearised, Scalar, SemiExplicit, SemiExplicitSystem};
use taut_lab::experiment::largest_error;

const COLUMNS: usize = 8;
const ROWS: usize = 5;
/// Errors in tolerances.
const MOST: f64 = 30.0;

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

/// CVODE at 3e-14: deflection in the middle, and the velocity that was wrong by most.
const MIDDLE: (usize, f64) = (2 * COLUMNS + 3, 0.003_831_644_928_825_037);
const NEAR_THE_EDGE: (usize, f64) = (ROWS * COLUMNS + COLUMNS + 7, -0.007_253_301_886_026_066);

#[test]
fn a_plate_that_wheels_roll_over_is_within_its_tolerance() {
    for rtol in [1e-8, 1e-10] {
        let plate = Linearised::new(Plate);
        let options = Options { rtol, atol: 1e-3 * rtol, ..Options::default() };
        let solver = Solver::first_order(&plate).method(Method::radau()).options(options);
        let motion = solver.run(0.0, 7.0, &[0.0; 2 * ROWS * COLUMNS]).unwrap();
        for (place, exact) in [MIDDLE, NEAR_THE_EDGE] {
            let error = (motion.y[place] - exact).abs() / (1e-3 + exact.abs()) / rtol;
            assert!(error < MOST, "{error} tolerances of {rtol:e} at {place}");
        }
    }
}

/// y1' = t y2' − y1 + (1 + t) y2, 0 = y2 − sin t with rates as variables (Brenan, Campbell and Petzold, section 2.4): at t = 0 the
/// rate of y1 does not depend on that of y2, which is of index 2.
struct Brenan;

impl SemiExplicit for Brenan {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (vec!["y1".into(), "y2".into()], vec!["p1".into(), "p2".into()])
    }

    fn f<S: Scalar>(&self, _t: S, _y: &[S], p: &[S], f: &mut [S]) {
        f.copy_from_slice(p);
    }

    fn g<S: Scalar>(&self, t: S, y: &[S], p: &[S], g: &mut [S]) {
        g[0] = p[0] - t * p[1] + y[0] - (t + 1.0) * y[1];
        g[1] = y[1] - t.sin();
    }
}

#[test]
fn an_index_that_is_lower_at_the_start_only_is_found() {
    let end = 10.0_f64;
    let exact = [(-end).exp() + end * end.sin(), end.sin()];
    let brenan = Linearised::new(SemiExplicitSystem::new(Brenan));
    for rtol in [1e-6, 1e-8, 1e-10] {
        let options = Options { rtol, atol: rtol, most_steps: 2000, ..Options::default() };
        let solver = Solver::first_order(&brenan).method(Method::bdf()).options(options);
        let motion = solver.run(0.0, end, &[1.0, 0.0, -1.0, 1.0]).unwrap();
        let error = largest_error(&motion.y[..2], &exact) / rtol;
        assert!(error < MOST, "{error} tolerances of {rtol:e}");
    }
}
