//! First-order systems: Jacobians, patterns, and systems written block by block.

use proptest::prelude::*;

use crate::linear::Pattern;
use crate::system::testing::*;
use crate::system::{
    Arrangement, Composition, Fault, FiniteDifferences, FirstOrder, FirstOrderSystem, Hessenberg3,
    Hessenberg3System, Linearised, Scalar, SemiExplicit, SemiExplicitSystem, Sparsity, Unrecorded,
};

fn rate(system: &dyn FirstOrderSystem, t: f64, x: &[f64]) -> Vec<f64> {
    let mut rate = vec![f64::NAN; x.len()];
    system.rate(t, x, &mut rate).unwrap();
    rate
}

fn assert_jacobian(system: &dyn FirstOrderSystem, t: f64, x: &[f64]) {
    let pattern = &system.composition().jacobian;
    let mut jacobian = vec![f64::NAN; pattern.nnz()];
    system.jacobian(t, x, &mut jacobian).unwrap();
    let expected = columns(x, |x| rate(system, t, x));
    assert_close(&full(pattern, &jacobian).concat(), &expected.concat(), 1e-9, "∂f/∂x");
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// Something nonlinear with a mass matrix that has a repeated and an off-diagonal entry.
struct Nonlinear {
    sparsity: Sparsity,
}

impl FirstOrder for Nonlinear {
    fn variables(&self) -> Vec<String> {
        names(&["x", "y", "z"])
    }
    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        rate[0] = x[1] * x[2].sin() + t;
        rate[1] = -x[1].powi(3) + (t - 5.0).max(S::zero()) * x[0];
        rate[2] = x[2].exp();
    }
    fn mass(&self) -> Vec<(usize, usize, f64)> {
        vec![(0, 0, 1.0), (0, 1, 0.5), (1, 1, 2.0), (0, 0, 3.0)]
    }
    fn sparsity(&self) -> Sparsity {
        self.sparsity
    }
}

#[test]
fn a_first_order_system_is_as_sparse_as_its_formula() {
    let system = Linearised::new(Nonlinear { sparsity: Sparsity::Traced });
    let composition = system.composition();
    assert_eq!(composition.variables, names(&["x", "y", "z"]));
    // The force on y is switched on long after the time of the trace.
    let places = [(0, 1), (0, 2), (1, 0), (1, 1), (2, 2)];
    assert_eq!(composition.jacobian, Pattern::from_entries(3, 3, places));
    assert_eq!(
        full(&composition.mass, &composition.mass_values),
        [[4.0, 0.0, 0.0], [0.5, 2.0, 0.0], [0.0; 3]]
    );
    assert_eq!((composition.arrangement, &composition.index), (Arrangement::General, &None));
    assert_eq!(rate(&system, 6.0, &[2.0, 0.0, 0.0]), [6.0, 2.0, 1.0]);
}

/// Diffusion on a line.
struct Diffusion(usize);

impl FirstOrder for Diffusion {
    fn variables(&self) -> Vec<String> {
        (0..self.0).map(|i| format!("u{i}")).collect()
    }
    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        for i in 0..x.len() {
            let left = if i == 0 { S::zero() } else { x[i - 1] };
            let right = x.get(i + 1).copied().unwrap_or(S::zero());
            rate[i] = (left + right - x[i] * 2.0) * x[i];
        }
    }
}

#[test]
fn long_systems_are_as_sparse_as_their_formulas() {
    let n = 540;
    let system = Linearised::new(Diffusion(n));
    let near = |i: usize| [i.checked_sub(1), Some(i), Some(i + 1)].into_iter().flatten();
    let expected = Pattern::from_entries(n, n, (0..n).flat_map(|i| near(i).map(move |j| (i, j))));
    assert_eq!(system.composition().jacobian, expected);
    assert_eq!(system.composition().mass, Pattern::diagonal(n));
    let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let mut jacobian = vec![f64::NAN; expected.nnz()];
    system.jacobian(0.0, &x, &mut jacobian).unwrap();
    let at = |i: usize, j: usize| jacobian[expected.position(i, j).unwrap()];
    for i in 1..n - 1 {
        assert_eq!((at(i, i - 1), at(i, i + 1)), (x[i], x[i]));
        assert_close(&[at(i, i)], &[x[i - 1] + x[i + 1] - 4.0 * x[i]], 1e-14, "∂f/∂u");
    }
}

/// More operations than are recorded.
struct Endless;

impl FirstOrder for Endless {
    fn variables(&self) -> Vec<String> {
        names(&["x"])
    }
    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        rate[0] = (0..3_100_000).fold(x[0], |sum, _| sum * 0.5 + 1.0);
    }
}

#[test]
fn formulas_beyond_the_limit_are_differentiated_by_dual_numbers() {
    let system = Linearised::new(Endless);
    assert_eq!(system.unrecorded(), Some(Unrecorded::TooLarge));
    assert!(Unrecorded::TooLarge.to_string().contains("3000000"));
    let mut jacobian = [f64::NAN];
    assert_eq!(system.jacobian(0.0, &[0.7], &mut jacobian), Ok(()));
    assert_eq!((jacobian, rate(&system, 0.0, &[0.7])), ([0.0], vec![2.0]));
}

/// x' = f(t, x, y), 0 = g(t, x, y) with two variables x and one y.
struct Split;

impl SemiExplicit for Split {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (names(&["x1", "x2"]), names(&["y"]))
    }
    fn f<S: Scalar>(&self, t: S, x: &[S], y: &[S], f: &mut [S]) {
        f[0] = x[1] * y[0];
        f[1] = x[0] + t;
    }
    fn g<S: Scalar>(&self, t: S, x: &[S], y: &[S], g: &mut [S]) {
        g[0] = x[0] * x[1] - y[0].exp() * t;
    }
}

/// u' = f(u, v), v' = k(u, v, λ), 0 = g(u): a pendulum.
struct Hanging;

impl Hessenberg3 for Hanging {
    fn variables(&self) -> [Vec<String>; 3] {
        [names(&["x", "y"]), names(&["vx", "vy"]), names(&["tension"])]
    }
    fn f<S: Scalar>(&self, u: &[S], v: &[S], f: &mut [S]) {
        f[0] = v[0] + u[0] * 0.0;
        f[1] = v[1];
    }
    fn k<S: Scalar>(&self, u: &[S], _v: &[S], lambda: &[S], k: &mut [S]) {
        k[0] = -(u[0] * lambda[0]);
        k[1] = -(u[1] * lambda[0]) - 9.81;
    }
    fn g<S: Scalar>(&self, u: &[S], g: &mut [S]) {
        g[0] = u[0].square() + u[1].square() - 1.0;
    }
}

#[test]
fn semi_explicit_blocks_are_put_together() {
    let system = Linearised::new(SemiExplicitSystem::new(Split));
    let composition = system.composition();
    assert_eq!(composition.variables, names(&["x1", "x2", "y"]));
    assert_eq!(composition.arrangement, Arrangement::SemiExplicit { differential: 2 });
    assert_eq!(composition.mass.entries().collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    assert_eq!(rate(&system, 2.0, &[3.0, 5.0, 0.0]), [0.0, 5.0, 13.0]);
    assert_eq!(
        composition.jacobian,
        Pattern::from_entries(3, 3, [(0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2)])
    );
}

#[test]
fn hessenberg_blocks_are_put_together() {
    let system = Linearised::new(Hessenberg3System::new(Hanging));
    let composition = system.composition();
    assert_eq!(composition.variables, names(&["x", "y", "vx", "vy", "tension"]));
    assert_eq!(composition.arrangement, Arrangement::Hessenberg3 { u: 2, v: 2 });
    assert_eq!(composition.index, Some(vec![1, 1, 2, 2, 3]));
    assert_eq!(composition.mass.entries().collect::<Vec<_>>(), (0..4).map(|i| (i, i)).collect::<Vec<_>>());
    assert_eq!(rate(&system, 0.0, &[1.0, 2.0, 3.0, 4.0, 5.0]), [3.0, 4.0, -5.0, -10.0 - 9.81, 4.0]);
    // A factor of 0 hides its variable: ∂x'/∂x has no place.
    let places = [(0, 2), (1, 3), (2, 0), (2, 4), (3, 1), (3, 4), (4, 0), (4, 1)];
    assert_eq!(composition.jacobian, Pattern::from_entries(5, 5, places));
}

proptest! {
    #![proptest_config(deterministic(32))]

    #[test]
    fn jacobians_agree_with_differences(t in 0.0..9.0_f64, x in prop::collection::vec(-1.0..1.0_f64, 40)) {
        for sparsity in [Sparsity::Traced, Sparsity::Dense] {
            assert_jacobian(&Linearised::new(Nonlinear { sparsity }), t, &x[..3]);
        }
        assert_jacobian(&Linearised::new(Diffusion(40)), t, &x);
        assert_jacobian(&Linearised::new(SemiExplicitSystem::new(Split)), t, &x[..3]);
        assert_jacobian(&Linearised::new(Hessenberg3System::new(Hanging)), t, &x[..5]);
    }
}

/// Reaction and diffusion along a line: a tridiagonal Jacobian.
fn line(x: &[f64], rate: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let (left, right) = (x[i.saturating_sub(1)], x[(i + 1).min(n - 1)]);
        rate[i] = (left - 2.0 * x[i] + right) * 100.0 + x[i].sin();
    }
}

#[test]
fn finite_differences_are_close_to_derivatives_and_move_columns_together() {
    const N: usize = 40;
    let calls = std::cell::Cell::new(0);
    let places = (0..N).flat_map(|i| [i.saturating_sub(1), i, (i + 1).min(N - 1)].map(|j| (i, j)));
    let composition = Composition {
        variables: (0..N).map(|i| format!("x{i}")).collect(),
        mass: Pattern::from_entries(N, N, (0..N).map(|i| (i, i))),
        mass_values: vec![1.0; N],
        jacobian: Pattern::from_entries(N, N, places),
        index: None,
        arrangement: Arrangement::General,
    };
    let system = FiniteDifferences::with_composition(composition, |_t, x: &[f64], rate: &mut [f64]| {
        calls.set(calls.get() + 1);
        line(x, rate);
        Ok(())
    });
    let x: Vec<f64> = (0..N).map(|i| (i as f64 * 0.7).sin()).collect();
    let mut jacobian = vec![0.0; system.composition().jacobian.nnz()];
    assert_eq!(system.jacobian(0.0, &x, &mut jacobian), Ok(()));
    assert_eq!(calls.get(), 4, "three colours and the point itself");
    for ((i, j), entry) in system.composition().jacobian.entries().zip(&jacobian) {
        let wall = f64::from(u8::from(i == 0 || i == N - 1));
        let expected = if i == j { -100.0 * (2.0 - wall) + x[i].cos() } else { 100.0 };
        // Rates of size 200 are rounded, and divided by moves of 5e-11 and more.
        assert!((entry - expected).abs() < 200.0 * f64::EPSILON / 5e-11, "{i} {j}: {entry} {expected}");
    }
}

#[test]
fn what_a_function_raises_comes_out_of_differences() {
    let system = FiniteDifferences::new(["x"], |t, _x: &[f64], _rate: &mut [f64]| {
        Err(Fault::raised(t, "no such thing"))
    });
    let fault = system.jacobian(0.5, &[1.0], &mut [0.0]).unwrap_err();
    assert_eq!(fault.to_string(), "at t = 0.5: no such thing");
}
