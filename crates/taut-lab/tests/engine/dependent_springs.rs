//! Stiff springs that say what rods or other springs say.

use taut::Solver;
use taut::equations::Formulation;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Differentiated, Scalar, Sketch};

const TOLERANCE: f64 = 1e-7;
/// Errors of positions in tolerances.
const MOST: f64 = 30.0;
const HORIZONTAL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn run<M: taut::system::Mechanical>(system: M, method: Method, start: &[f64], rtol: f64) -> Motion {
    let system = Differentiated::new(system);
    let options = Options { rtol, atol: rtol, ..Options::default() };
    let solver = Solver::mechanical(&system).method(method).options(options).output(Output::Steps);
    solver.run(0.0, 2.0, start).unwrap()
}

fn named(name: &str) -> Method {
    Method::named(name).unwrap()
}

fn error(motion: &Motion, exact: &Motion) -> f64 {
    let errors = motion.q().iter().zip(exact.q()).map(|(q, exact)| (q - exact).abs() / (1.0 + exact.abs()));
    errors.fold(0.0, f64::max) / TOLERANCE
}

/// A mass in the plane, with gravity.
fn mass() -> Sketch {
    Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81)
}

#[test]
fn springs_beside_rods_pull_with_nothing() {
    let rod = mass().rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0);
    let exact = run(rod, named("dopri8"), &HORIZONTAL, 1e-11);
    for method in [Method::radau(), Method::bdf(), named("lobatto-iiic"), named("dopri8")] {
        for (compliance, relaxation) in [(1e-10, 0.0), (1e-10, 1e-3), (1e-4, 1e-3)] {
            let both = mass()
                .damped_spring("spring", compliance, relaxation, |_t, q| q[0].hypot(q[1]) - 1.0)
                .rod("rod", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5);
            let motion = run(both, method.clone(), &HORIZONTAL, TOLERANCE);
            let what = format!("{}, compliance {compliance}, relaxation {relaxation}", method.name());
            let error = error(&motion, &exact);
            let most = if method.name() == "bdf" { 10.0 * MOST } else { MOST };
            assert!(error < most, "{what}: {error} tolerances");
            let [spring, rod] = motion.lambda() else { panic!("{:?}", motion.lambda()) };
            assert!(spring.abs() < 1e-5, "{what}: the spring pulls with {spring}");
            assert!((rod - exact.lambda()[0]).abs() < 1e-3, "{what}: the rod pulls with {rod}");
            if method.name() == "radau" {
                assert_eq!(motion.spring_spans[0].motion, "held", "{what}");
                assert!(motion.statistics.steps < 60, "{what}: {} steps", motion.statistics.steps);
            }
            assert!(motion.warning.as_deref().is_none_or(|words| !words.contains("vibrations")), "{what}");
        }
    }
}

/// A spring that the rods hold only where they are in line is none of these.
#[test]
fn springs_across_rods_in_line_are_not_held() {
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let across = || {
        Sketch::new(["x1", "y1", "x2", "y2"])
            .potential(|q| (q[1] + q[3]) * 9.81)
            .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
            .rod("second", |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
            .spring("spring", 1e-5, |_t, q| q[2].hypot(q[3]) - 2.0)
    };
    let motion = run(across(), Method::radau(), &start, TOLERANCE);
    let error = error(&motion, &run(across(), named("dopri8"), &start, 1e-11));
    assert!(error < MOST, "{error} tolerances");
    assert!(motion.spring_spans.iter().all(|span| span.motion != "held"), "{:?}", motion.spring_spans);
}

/// Positions are wrong by 63 tolerances there.
#[test]
fn what_a_first_order_view_does_to_springs_is_told() {
    let start = [1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let across = Sketch::new(["x1", "y1", "x2", "y2"])
        .potential(|q| (q[1] + q[3]) * 9.81)
        .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
        .rod("second", |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
        .spring("diagonal", 1e-5, |_t, q| q[2].hypot(q[3]) - 2.0);
    let system = Differentiated::new(across);
    for (formulation, told) in [(Formulation::Ggl, true), (Formulation::Index2, false)] {
        let options = Options { rtol: TOLERANCE, atol: TOLERANCE, formulation, ..Options::default() };
        let solver = Solver::mechanical(&system).method(Method::radau()).options(options);
        let warning = solver.run(0.0, 0.1, &start).unwrap().warning;
        assert_eq!(warning.is_some_and(|warning| warning.contains("'diagonal'")), told, "{formulation:?}");
    }
}

#[test]
fn springs_beside_each_other_share_what_they_pull_with() {
    for compliance in [1e-10, 1e-7, 1e-4] {
        let both = mass().spring("stiff", compliance, |_t, q| q[0].hypot(q[1]) - 1.0).spring(
            "soft",
            3.0 * compliance,
            |_t, q| (q[0].square() + q[1].square()).sqrt() - 1.0,
        );
        let one = mass().spring("one", 0.75 * compliance, |_t, q| q[0].hypot(q[1]) - 1.0);
        let motion = run(both, Method::radau(), &HORIZONTAL, TOLERANCE);
        let exact = run(one, Method::radau(), &HORIZONTAL, 1e-10);
        let error = error(&motion, &exact);
        assert!(error < MOST, "compliance {compliance}: {error} tolerances");
        let [stiff, soft] = motion.lambda() else { panic!("{:?}", motion.lambda()) };
        assert!((stiff / soft - 3.0).abs() < 1e-3, "compliance {compliance}: {stiff} and {soft}");
    }
}

/// A square on six damped springs, one of them more than hold it.
#[test]
fn a_square_with_both_diagonals_is_held_by_springs() {
    let square = |compliance: f64| {
        let names = ["x1", "y1", "x2", "y2", "x3", "y3"];
        let mut square = Sketch::new(names).potential(|q| (q[1] + q[3] + q[5]) * 9.81);
        square = square
            .damped_spring("top", compliance, 1e-3, |_t, q| q[0].hypot(q[1]) - 1.0)
            .damped_spring("right", compliance, 1e-3, |_t, q| (q[2] - q[0]).hypot(q[3] - q[1]) - 1.0)
            .damped_spring("bottom", compliance, 1e-3, |_t, q| (q[4] - q[2]).hypot(q[5] - q[3]) - 1.0)
            .damped_spring("left", compliance, 1e-3, |_t, q| q[4].hypot(q[5]) - 1.0)
            .damped_spring("down", compliance, 1e-3, |_t, q| q[2].hypot(q[3]) - 2.0_f64.sqrt());
        square
            .damped_spring("up", compliance, 1e-3, |_t, q| (q[4] - q[0]).hypot(q[5] - q[1]) - 2.0_f64.sqrt())
    };
    let mut start = vec![1.0, 0.0, 1.0, -1.0, 0.0, -1.0];
    start.extend([0.0; 6]);
    for compliance in [1e-10, 1e-7] {
        let motion = run(square(compliance), Method::radau(), &start, TOLERANCE);
        let exact = run(square(compliance), Method::radau(), &start, 1e-10);
        let error = error(&motion, &exact);
        assert!(error < MOST, "compliance {compliance}: {error} tolerances");
        let pulls = motion.lambda().iter().zip(exact.lambda());
        assert!(pulls.clone().all(|(pull, exact)| (pull - exact).abs() < 1e-3), "{pulls:?}");
    }
}

/// Pendulums in a row, with springs from one to the next.
fn row_of_pendulums(number: usize) -> Motion {
    let names = (0..number).flat_map(|k| [format!("x{k}"), format!("y{k}")]);
    let mut row = Sketch::new(names).potential(|q| {
        let heights = q.iter().skip(1).step_by(2).copied();
        heights.reduce(|sum, y| sum + y).map_or(q[0] * 0.0, |sum| sum * 9.81)
    });
    let mut start = vec![0.0; 4 * number];
    for k in 0..number {
        let (x, y) = (2 * k, 2 * k + 1);
        (start[x], start[y], start[2 * number + x]) = (k as f64, -1.0, 0.5);
        row = row.rod(&format!("rod{k}"), move |_t, q| (q[x] - k as f64).hypot(q[y]) - 1.0);
        if k > 0 {
            row = row.spring(&format!("spring{k}"), 1e-8, move |_t, q| {
                (q[x] - q[x - 2]).hypot(q[y] - q[y - 2]) - 1.0
            });
        }
    }
    run(row, Method::radau(), &start, 1e-5)
}

/// That rods hold none of many springs is seen for all of them together.
#[test]
fn many_springs_beside_rods_are_not_looked_at_one_by_one() {
    let [few, many] = [20, 120].map(row_of_pendulums);
    assert!(many.spring_spans.iter().all(|span| span.motion != "held"), "{:?}", many.spring_spans);
    let (few, many) = (few.statistics, many.statistics);
    assert_eq!(few.steps, many.steps);
    assert!(many.solves < few.solves + 50, "{} and {} solutions", few.solves, many.solves);
}
