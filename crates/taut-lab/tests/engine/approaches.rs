//! Runge-Kutta methods on equations without derivatives, by both approaches of Nipp 1999, section 2.1.

use taut::Error;
use taut::method::Method;
use taut::options::{AlgebraicRows, Multipliers, Options};
use taut::run::Output;
use taut_lab::{Comparison, fit, solver_of, start_of};
use taut_problems::{Problem, find};

fn method(name: &str, stages: usize) -> Method {
    Method::named(name).unwrap().with_stages(stages).unwrap()
}

/// All states of a run with so many constant steps to t = 1.
fn states(problem: &Problem, method: &Method, rows: AlgebraicRows, steps: usize) -> Vec<Vec<f64>> {
    let options = Options {
        rtol: 1e-13,
        atol: 1e-13,
        constant_step: Some(1.0 / steps as f64),
        algebraic_rows: rows,
        multipliers: Multipliers::FromStages,
        ..Options::default()
    };
    let solver = solver_of(problem).method(method.clone()).options(options).output(Output::Steps);
    let motion = solver.run(0.0, 1.0, &start_of(problem)).unwrap();
    motion.trajectory.iter().map(|(_, x)| x.to_vec()).collect()
}

/// The largest |g| of all states after the start.
fn residual(problem: &Problem, states: &[Vec<f64>]) -> f64 {
    let system = problem.system.evolution().unwrap();
    let (mut rate, last) = (vec![0.0; system.composition().n()], system.composition().n() - 1);
    states[1..].iter().fold(0.0, |largest, x| {
        system.rate(0.0, x, &mut rate).unwrap();
        rate[last].abs().max(largest)
    })
}

/// The measured orders of the groups of variables at t = 1.
fn orders(problem: &Problem, method: &Method, rows: AlgebraicRows, steps: &[usize]) -> Vec<f64> {
    let comparison = Comparison::at(problem, 1.0).unwrap();
    let h: Vec<f64> = steps.iter().map(|&n| 1.0 / n as f64).collect();
    let errors: Vec<Vec<f64>> = steps
        .iter()
        .map(|&n| comparison.largest_errors(states(problem, method, rows, n).last().unwrap()))
        .collect();
    let slope = |k: usize| {
        let errors: Vec<f64> = errors.iter().map(|errors| errors[k]).collect();
        fit(&h, &errors, |_| 1e-13).map_or(f64::NAN, |fit| fit.slope)
    };
    (0..comparison.groups().len()).map(slope).collect()
}

/// A method that is not stiffly accurate, and the orders of x and of y by both approaches.
struct Claim {
    name: &'static str,
    stages: usize,
    x: f64,
    y_direct: f64,
}

/// y has order q + 1 (Theorem 1 v) where |R(∞)| < 1. Gauss methods are outside of the theorem: R(∞) = (−1)^s, and y has
/// order s + 1 for odd s, s for even s (Hairer, Lubich and Roche 1989, Theorem 3.1).
const CLAIMS: [Claim; 5] = [
    Claim { name: "radau-ia", stages: 2, x: 3.0, y_direct: 2.0 },
    Claim { name: "radau-ia", stages: 3, x: 5.0, y_direct: 3.0 },
    Claim { name: "gauss", stages: 1, x: 2.0, y_direct: 2.0 },
    Claim { name: "gauss", stages: 2, x: 4.0, y_direct: 2.0 },
    Claim { name: "gauss", stages: 3, x: 6.0, y_direct: 4.0 },
];

/// The indirect approach keeps 0 = g to rounding, and y has the order of x.
#[test]
fn indirect_steps_end_on_the_manifold() {
    for name in ["attractive_manifold/index1", "index2_curved/index1", "index2_plane/index1"] {
        let problem = find(name).unwrap();
        for claim in &CLAIMS {
            let method = method(claim.name, claim.stages);
            let steps = match (claim.name, claim.stages) {
                ("gauss", 3) => [4, 6, 8, 12, 16],
                (_, 3) => [12, 16, 24, 32, 48],
                _ => [24, 32, 48, 64, 96],
            };
            let direct = residual(&problem, &states(&problem, &method, AlgebraicRows::Direct, steps[0]));
            let indirect = residual(&problem, &states(&problem, &method, AlgebraicRows::Indirect, steps[0]));
            let by_formula = orders(&problem, &method, AlgebraicRows::Direct, &steps);
            let by_equation = orders(&problem, &method, AlgebraicRows::Indirect, &steps);
            println!(
                "{name:27} {:8} {}: |g| {direct:.0e} {indirect:.0e}, orders of x and y {by_formula:.2?} {by_equation:.2?}",
                claim.name, claim.stages
            );
            assert!(indirect < 1e-15 && direct > 1e-9, "{direct:e} {indirect:e}");
            let near = |measured: f64, claimed: f64| (measured - claimed).abs() < 0.3;
            assert!(near(by_equation[0], claim.x) && near(by_equation[1], claim.x), "{by_equation:?}");
            assert!(near(by_formula[0], claim.x) && near(by_formula[1], claim.y_direct), "{by_formula:?}");
        }
    }
}

/// For stiffly accurate methods both are the same.
#[test]
fn stiffly_accurate_methods_know_one_approach() {
    let problem = find("attractive_manifold/index1").unwrap();
    for (name, stages) in [("radau", 3), ("lobatto-iiic", 3), ("bdf", 3)] {
        let run = |rows| states(&problem, &method(name, stages), rows, 40).pop().unwrap();
        let (direct, indirect) = (run(AlgebraicRows::Direct), run(AlgebraicRows::Indirect));
        for (x, y) in direct.iter().zip(&indirect) {
            assert!((x - y).abs() < 1e-13, "{name}: {direct:?} {indirect:?}");
        }
    }
}

/// Variables of index 2 do not follow from the others by 0 = G(x).
#[test]
fn the_indirect_approach_is_refused_in_index_2() {
    let problem = find("index2_curved/index2").unwrap();
    let options = Options { algebraic_rows: AlgebraicRows::Indirect, ..Options::default() };
    let solver = solver_of(&problem).method(method("radau-ia", 3)).options(options.clone());
    let error = solver.run(0.0, 1.0, &start_of(&problem)).unwrap_err();
    assert!(matches!(error, Error::Mismatch(_)) && error.to_string().contains("index 2"), "{error}");
    let solver = solver_of(&problem).method(Method::radau()).options(options);
    assert!(solver.run(0.0, 1.0, &start_of(&problem)).is_ok());
}

/// For linear G the form of index 1 and the form of index 2 of one problem have the same Runge-Kutta orbit (section
/// 3.2 a i), whether the method is stiffly accurate or not; for the curved G only the form of index 2 keeps G at the
/// stages.
#[test]
fn both_forms_of_a_linear_constraint_have_one_orbit() {
    for (name, stages) in [("radau-ia", 2), ("radau-ia", 3), ("radau", 2)] {
        let run = |form: &str| {
            let problem = find(&format!("index2_plane/{form}")).unwrap();
            states(&problem, &method(name, stages), AlgebraicRows::Direct, 20)
        };
        for (one, two) in run("index1").iter().zip(run("index2")) {
            for (x, y) in one.iter().zip(&two) {
                assert!((x - y).abs() < 2e-12, "{name} {stages}: {one:?} {two:?}");
            }
        }
    }
}
