//! Convergence orders with constant steps, quantity by quantity, against the theorems.

use taut::method::Method;
use taut::options::{Multipliers, Projection};
use taut::system::{Linearised, Scalar, SemiExplicit, SemiExplicitSystem};
use taut_lab::{Setting, measure_orders};
use taut_problems::{Problem, Reference, Start, State, System, find};

/// How far a measured order may be from the claimed one.
const CLOSE: f64 = 0.2;

fn method(name: &str, stages: usize) -> Method {
    Method::named(name).unwrap().with_stages(stages).unwrap()
}

fn classical(name: &str, stages: usize) -> Setting {
    Setting::classical(name, stages).unwrap()
}

fn check(problem: &Problem, t: f64, setting: &Setting, steps: &[usize], claims: &[(&str, usize)]) {
    let orders = measure_orders(problem, t, setting, steps).unwrap_or_else(|error| panic!("{error}"));
    for &(group, order) in claims {
        let label = format!(
            "{:24} {:13} s = {} {:9} {:18} {group:8}",
            problem.name,
            setting.method.name(),
            setting.method.stages()[0],
            setting.projection.map_or("usual", Projection::name),
            format!("{:?}", setting.multipliers),
        );
        let fit = orders.fit(group).unwrap_or_else(|| panic!("{label}: no fit, {orders:?}"));
        println!("{label} claimed {order} measured {:.2} from {} points", fit.slope, fit.points());
        let close = (fit.slope - order as f64).abs() <= CLOSE;
        assert!(close, "{label}: claimed {order}, measured {fit:?} in {orders:?}");
    }
}

/// The pendulum, thrown.
fn pendulum() -> Problem {
    find("pendulum/cash_g1").unwrap()
}

/// Where the errors of a pendulum are well above rounding and in the asymptotic range: problem, end and steps for
/// what has order 2s − 1, and the same for what has order s or less.
fn pendulum_for(stages: usize) -> [(Problem, f64, Vec<usize>); 2] {
    let released = || find("pendulum/horizontal_rest_g1").unwrap();
    match stages {
        2 => [64, 64].map(|n| (pendulum(), 1.0, ladder(n, 8))),
        3 => [4, 4].map(|n| (pendulum(), 1.0, ladder(n, 9))),
        4 => [(pendulum(), 1.0, ladder(3, 5)), (released(), 1.0, ladder(8, 7))],
        _ => [(pendulum(), 10.0, vec![24, 28, 32, 36, 44, 52, 60]), (released(), 1.0, ladder(4, 7))],
    }
}

/// `count` numbers of steps from `first` on, by factors of about √2.
fn ladder(first: usize, count: usize) -> Vec<usize> {
    (0..count).map(|k| (first as f64 * f64::sqrt(2.0).powi(k as i32)).round() as usize).collect()
}

/// Hairer, Lubich and Roche 1989: q of order 2s − 1, v of order s, λ of order s − 1.
#[test]
fn radau_iia_on_index_3_without_projection() {
    for s in 2..=5 {
        let [(problem, t, steps), low] = pendulum_for(s);
        check(&problem, t, &classical("radau", s), &steps, &[("q", 2 * s - 1)]);
        let (problem, t, steps) = low;
        check(&problem, t, &classical("radau", s), &steps, &[("v", s), ("lambda", s - 1)]);
    }
}

/// Projection lifts v to the order of q, and with it the multipliers of the acceleration constraint.
#[test]
fn radau_iia_on_index_3_with_projection() {
    for s in 2..=5 {
        let [(problem, t, steps), low] = pendulum_for(s);
        let order = 2 * s - 1;
        let projected = Setting::of(method("radau", s)).projection(Projection::Velocity);
        check(&problem, t, &projected, &steps, &[("q", order), ("v", order), ("lambda", order)]);
        let from_stages = projected.multipliers(Multipliers::FromStages);
        check(&problem, t, &from_stages, &steps, &[("q", order), ("v", order)]);
        let (problem, t, steps) = low;
        check(&problem, t, &from_stages, &steps, &[("lambda", s - 1)]);
    }
}

/// Lobatto IIIC: q of order 2s − 2, v of order s − 1, λ of order s − 2; projected, all of order 2s − 2.
#[test]
fn lobatto_iiic_on_index_3() {
    let steps = &[32, 48, 64, 96, 128, 192, 256];
    check(&pendulum(), 1.0, &classical("lobatto-iiic", 3), steps, &[("q", 4), ("v", 2), ("lambda", 1)]);
    let steps = &[4, 6, 8, 12, 16, 24, 32];
    check(&pendulum(), 1.0, &classical("lobatto-iiic", 4), steps, &[("q", 6), ("v", 3), ("lambda", 2)]);
    for s in [3, 4] {
        let setting = Setting::of(method("lobatto-iiic", s));
        let order = 2 * s - 2;
        check(&pendulum(), 1.0, &setting, steps, &[("q", order), ("v", order), ("lambda", order)]);
    }
}

/// A mass matrix that depends on q does not change the orders.
#[test]
fn radau_iia_on_the_squeezer() {
    let (squeezer, t) = (find("andrews").unwrap(), 0.02);
    let steps = &[100, 140, 200, 280, 400, 560];
    let projected = Setting::of(method("radau", 3)).accuracy(1e-11, 1e-11);
    check(&squeezer, t, &projected, steps, &[("q", 5), ("v", 5), ("lambda", 5)]);
    let stages = classical("radau", 3).accuracy(1e-11, 1e-11);
    check(&squeezer, t, &stages, steps, &[("q", 5), ("v", 3), ("lambda", 2)]);
}

#[test]
fn gauss_on_ordinary_differential_equations() {
    let (body, kepler) = (find("rigid_body").unwrap(), find("kepler").unwrap());
    for s in 1..=3 {
        let steps = &[24, 32, 48, 64, 96];
        check(
            &body,
            10.0,
            &Setting::of(method("gauss", s)).accuracy(1e-13, 1e-12),
            steps,
            &[("index 0", 2 * s)],
        );
        let claims = [("q", 2 * s), ("v", 2 * s)];
        check(&kepler, 1.0, &Setting::of(method("gauss", s)).accuracy(1e-13, 1e-12), steps, &claims);
    }
}

/// x' = z cos t, 0 = z + z³ − x − x³ with x = z = exp(sin t).
struct NonlinearIndex1;

impl SemiExplicit for NonlinearIndex1 {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (vec!["x".into()], vec!["z".into()])
    }

    fn f<S: Scalar>(&self, t: S, _x: &[S], z: &[S], f: &mut [S]) {
        f[0] = z[0] * t.cos();
    }

    fn g<S: Scalar>(&self, _t: S, x: &[S], z: &[S], g: &mut [S]) {
        g[0] = z[0] + z[0].powi(3) - x[0] - x[0].powi(3);
    }
}

fn index_1() -> Problem {
    let state = |t: f64| State::Variables(vec![t.sin().exp(); 2]);
    Problem {
        name: "index1_nonlinear".into(),
        start_name: "exact".into(),
        title: "Index 1 with a nonlinear equation".into(),
        source: "made for this test".into(),
        purpose: "orders of convergence".into(),
        index: 1,
        system: System::FirstOrder(Box::new(Linearised::new(SemiExplicitSystem::new(NonlinearIndex1)))),
        start: Start { t: 0.0, state: state(0.0) },
        t_end: 2.0,
        kinks: Vec::new(),
        references: vec![Reference { t: 2.0, state: state(2.0), digits: 16 }],
    }
}

/// Both parts have order 2s − 1: a stiffly accurate method solves 0 = g at the end of the step.
#[test]
fn radau_iia_on_index_1() {
    for s in [2, 3] {
        let setting = Setting::of(method("radau", s)).accuracy(1e-13, 1e-12);
        let claims = [("index 0", 2 * s - 1), ("index 1", 2 * s - 1)];
        check(&index_1(), 2.0, &setting, &[8, 12, 16, 24, 32, 48, 64], &claims);
    }
}

/// y of order 2s − 1, z of order s (Hairer, Lubich and Roche 1989, Theorem 5.9); z from the hidden constraint has the order
/// of y.
#[test]
fn radau_iia_on_index_2() {
    let problem = find("index2_nonlinear").unwrap();
    for (s, steps) in [(2, [32, 48, 64, 96, 128, 192]), (3, [24, 28, 32, 40, 48, 56])] {
        let setting = Setting::of(method("radau", s)).projection(Projection::None).accuracy(1e-13, 1e-12);
        let order = 2 * s - 1;
        check(&problem, 1.0, &setting, &steps, &[("index 1", order), ("index 2", order)]);
        let from_stages = setting.multipliers(Multipliers::FromStages);
        check(&problem, 1.0, &from_stages, &steps, &[("index 1", order), ("index 2", s)]);
    }
}
