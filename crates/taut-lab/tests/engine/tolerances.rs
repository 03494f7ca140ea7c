//! What a tolerance is worth: true errors at the end of adaptive runs with the default controller.

use taut::method::Method;
use taut::options::{Options, Vibrations};
use taut::run::Output;
use taut_lab::{Summary, run_to, solver_of, start_of};
use taut_problems::find;

const TOLERANCES: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

/// A constrained problem, where it ends, and how many tolerances its q, v and λ may be wrong by.
struct Case {
    name: &'static str,
    t: f64,
    bounds: [f64; 3],
}

const USUAL: [f64; 3] = [100.0; 3];

/// Constrained problems that are not stiff, and not chaotic up to the time they are looked at.
const SMOOTH: [Case; 7] = [
    Case { name: "pendulum/horizontal_rest_g1", t: 20.0, bounds: USUAL },
    Case { name: "pendulum/horizontal_rest_g9.81", t: 1.0, bounds: USUAL },
    Case { name: "pendulum/cash_g1", t: 20.0, bounds: USUAL },
    // The mechanism turns ever faster: an error of phase, which every method has, shows most in the velocities.
    Case { name: "andrews", t: 0.03, bounds: [100.0, 300.0, 100.0] },
    Case { name: "andrews", t: 0.05, bounds: [100.0, 300.0, 100.0] },
    Case { name: "car_axis", t: 3.0, bounds: USUAL },
    Case { name: "pendulum_chain_2", t: 5.0, bounds: USUAL },
];

const FEKETE: Case = Case { name: "fekete", t: 1000.0, bounds: USUAL };

fn radau() -> [Method; 2] {
    [Method::radau(), Method::radau().with_stages(3).unwrap()]
}

/// Runs a case and checks errors, and constraints after every accepted step.
fn check(case: &Case, method: &Method, tolerance: f64) -> Summary {
    let problem = find(case.name).unwrap();
    let solver = solver_of(&problem).method(method.clone()).tolerance(tolerance).watch(true);
    let summary = run_to(&problem, case.t, &solver, tolerance, 1.0).unwrap_or_else(|error| panic!("{error}"));
    let errors = ["q", "v", "lambda"].map(|group| summary.error(group));
    let [position, velocity, _] = summary.motion.invariants.residuals;
    let label = format!(
        "{:31} t = {:4} {:6} {:?} tol {tolerance:.0e}",
        case.name,
        case.t,
        method.name(),
        method.stages()
    );
    println!(
        "{label}: errors/tol q {:.2} v {:.2} lambda {:.2}, |g| {position:.0e} |Gv| {velocity:.0e}, steps {}+{} rhs {} jacobians {}",
        errors[0],
        errors[1],
        errors[2],
        summary.statistics.accepted,
        summary.statistics.rejected(),
        summary.statistics.rhs,
        summary.statistics.jacobians,
    );
    for ((error, bound), group) in errors.iter().zip(case.bounds).zip(["q", "v", "lambda"]) {
        assert!(*error <= bound, "{label}: {group} is wrong by {error:.1} tol, {bound} are allowed");
    }
    let largest = |x: &[f64]| x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    assert!(position <= 1e-14 * largest(summary.motion.q()), "{label}: |g| = {position:.1e}");
    assert!(velocity <= 1e-14 * largest(summary.motion.v()), "{label}: |Gv| = {velocity:.1e}");
    summary
}

#[test]
fn radau_on_constrained_problems() {
    for case in &SMOOTH {
        for method in radau() {
            for tolerance in TOLERANCES {
                check(case, &method, tolerance);
            }
        }
    }
}

#[test]
fn radau_on_fekete_points() {
    for method in radau() {
        for tolerance in TOLERANCES {
            check(&FEKETE, &method, tolerance);
        }
    }
}

/// The explicit pair with projection, and `auto`, which takes it here.
#[test]
fn explicit_and_automatic_on_constrained_problems() {
    for case in &SMOOTH {
        for tolerance in TOLERANCES {
            let explicit = check(case, &Method::explicit(), tolerance);
            let automatic = check(case, &Method::default(), tolerance);
            assert_eq!(explicit.motion.y, automatic.motion.y);
            assert_eq!(automatic.motion.method, "dopri8");
            let choice = automatic.motion.choice.unwrap();
            assert!(choice.starts_with("dopri8, since"), "{choice}");
        }
    }
}

/// Particles that come to rest are stiff: `auto` sees it and changes.
#[test]
fn automatic_on_fekete_points() {
    for tolerance in TOLERANCES {
        let summary = check(&FEKETE, &Method::default(), tolerance);
        assert_eq!(summary.motion.method, "radau");
        let choice = summary.motion.choice.unwrap();
        assert!(choice.starts_with("radau from t = ") && choice.ends_with("taylor before"), "{choice}");
    }
}

/// The longitudinal vibration of the flexible rod is not damped and has 10⁴ radians per second: a small part of the
/// velocities, which has to be followed for a thousand radians. Multipliers magnify its error up to twenty times; with
/// thousands of steps of three stages only, where errors add up, that shows.
#[test]
fn flexible_slider_crank() {
    let case = |bounds| Case { name: "slider_crank_flexible", t: 0.1, bounds };
    for tolerance in TOLERANCES {
        for method in [Method::radau(), Method::explicit(), Method::default()] {
            check(&case(USUAL), &method, tolerance);
        }
        let [_, fixed] = radau();
        check(&case([1.0, 100.0, 2000.0]), &fixed, tolerance);
    }
}

/// Steps are as long as the motion of the crank allows when the vibration of its rod is not asked for.
#[test]
fn vibrations_of_the_slider_crank_are_damped_when_wanted() {
    let problem = find("slider_crank_flexible").unwrap();
    let steps = [Vibrations::Auto, Vibrations::Damp].map(|vibrations| {
        let options = Options { vibrations, ..Options::default() };
        let solver = solver_of(&problem).options(options).method(Method::radau()).tolerance(1e-6);
        let summary = run_to(&problem, 0.1, &solver, 1e-6, 1.0).unwrap();
        assert!(summary.error("q") <= 1.0, "q is wrong by {:.1} tol", summary.error("q"));
        summary.statistics.accepted
    });
    assert!(2 * steps[1] < steps[0], "{steps:?} steps");
}

/// After 20 seconds the pendulum is nearly horizontal, where λ = 2.3 grows by 36 a second: an error of time weighs there
/// eighteen times more in the multiplier than in the positions.
const MANY_SWINGS: [Case; 2] = [
    Case { name: "pendulum/horizontal_rest_g9.81", t: 10.0, bounds: USUAL },
    Case { name: "pendulum/horizontal_rest_g9.81", t: 20.0, bounds: [100.0, 100.0, 300.0] },
];

#[test]
fn many_swings() {
    for case in &MANY_SWINGS {
        for tolerance in TOLERANCES {
            for method in radau() {
                check(case, &method, tolerance);
            }
            check(case, &Method::explicit(), tolerance);
        }
    }
}

/// Inside of steps and at their ends, against a run with a much smaller tolerance: whatever is asked for is as good as the end.
#[test]
fn multipliers_at_every_output() {
    for case in [&SMOOTH[1], &SMOOTH[3], &SMOOTH[5]] {
        let problem = find(case.name).unwrap();
        let times: Vec<f64> = (1..=40).map(|k| case.t * f64::from(k) / 40.0).collect();
        let trajectory = |method: Method, tolerance: f64| {
            let output = Output::Times(times.clone());
            let solver = solver_of(&problem).method(method).tolerance(tolerance).output(output);
            solver.run(problem.start.t, case.t, &start_of(&problem)).unwrap()
        };
        let exact = trajectory(Method::explicit(), 1e-13);
        for method in [Method::radau(), Method::explicit()] {
            for tolerance in TOLERANCES {
                let motion = trajectory(method.clone(), tolerance);
                assert_eq!(motion.trajectory.len(), times.len());
                let mut worst = [0.0_f64; 3];
                for ((_, y), (_, exact)) in motion.trajectory.iter().zip(exact.trajectory.iter()) {
                    let (q, v, lambda) = motion.layout.split(y);
                    let (exact_q, exact_v, exact_lambda) = motion.layout.split(exact);
                    for (worst, (x, exact)) in
                        worst.iter_mut().zip([(q, exact_q), (v, exact_v), (lambda, exact_lambda)])
                    {
                        let square = |(x, e): (&f64, &f64)| ((x - e) / (1.0 + e.abs())).powi(2);
                        let mean = x.iter().zip(exact).map(square).sum::<f64>() / x.len() as f64;
                        *worst = worst.max(mean.sqrt() / tolerance);
                    }
                }
                let label = format!("{} with {} at {tolerance:.0e}", case.name, method.name());
                println!("{label}: at most {worst:.1?} tol at 40 times");
                for (worst, bound) in worst.iter().zip(case.bounds) {
                    assert!(*worst <= bound, "{label}: wrong by {worst:.1} tol, {bound} are allowed");
                }
            }
        }
    }
}

/// One tolerance for each decade.
const DECADES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

#[test]
fn adams_on_constrained_problems() {
    for case in SMOOTH.iter().chain(&MANY_SWINGS) {
        for tolerance in DECADES {
            check(case, &Method::adams(), tolerance);
        }
    }
}

#[test]
fn bdf_on_constrained_problems() {
    for case in SMOOTH.iter().chain([&FEKETE, &MANY_SWINGS[0]]) {
        for tolerance in DECADES {
            check(case, &Method::bdf(), tolerance);
        }
    }
}
