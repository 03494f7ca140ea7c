//! Mistakes are answered with a sentence, never with a panic; what was computed before is kept.

use taut::equations::Formulation;
use taut::method::{Method, MethodError};
use taut::options::Options;
use taut::run::{Output, RunError};
use taut::start::{ConsistentStart, StartError};
use taut::step::StepFailure;
use taut::system::{Differentiated, Fault, ForceClass, Scalar, Sketch};
use taut::{Error, Solver};
use taut_problems::find;

fn rod(sketch: Sketch, name: &str) -> Sketch {
    sketch.rod(name, |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5)
}

fn pendulum() -> Differentiated<Sketch> {
    Differentiated::new(rod(Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81), "rod"))
}

fn named(name: &str) -> Method {
    Method::named(name).unwrap()
}

/// A force on y that is not a number from t = 0.5 on.
fn breaks_down() -> Differentiated<Sketch> {
    let sketch = rod(Sketch::new(["x", "y"]), "rod");
    Differentiated::new(sketch.force(ForceClass::Driving, 1, |t, _q, _v| (-t + 0.5).sqrt() - 1.0))
}

#[test]
fn a_formula_that_breaks_down_in_mid_run_is_named_and_the_motion_so_far_is_kept() {
    let system = breaks_down();
    for method in ["radau", "lobatto-iiic", "dopri8", "dopri5", "adams", "auto"] {
        let solver = Solver::mechanical(&system).method(named(method)).output(Output::Steps);
        let error = solver.run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]).unwrap_err();
        let message = error.to_string();
        println!("{method}: {message}");
        let Error::Stopped { reason, motion } = error else { panic!("{method}: {message}") };
        let RunError::StepTooSmall { t, cause: Some(StepFailure::Fault(fault)), .. } = reason else {
            panic!("{method}: {message}")
        };
        let Fault::NotFinite { name, t: at, .. } = fault else { panic!("{method}: {message}") };
        assert_eq!(name, "y", "{method}");
        assert!((0.45..=0.5).contains(&t) && at >= t, "{method}: stopped at {t}, fault at {at}");
        assert_eq!(motion.t, t, "{method}");
        assert_eq!(motion.trajectory.times().last(), Some(&t), "{method}");
        assert!(motion.q()[0].hypot(motion.q()[1]) - 1.0 < 1e-15, "{method}");
        assert!(message.contains("'y'") && message.contains("not finite"), "{method}: {message}");
    }
}

#[test]
fn a_constant_step_into_a_broken_formula_is_refused() {
    let system = breaks_down();
    let solver = Solver::mechanical(&system).method(Method::radau()).step(0.2);
    let error = solver.run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]).unwrap_err();
    let Error::Stopped { reason: RunError::ConstantStepFailed { t, h, .. }, motion } = error else {
        panic!("{error}")
    };
    assert!((t - 0.4).abs() < 1e-15 && (h - 0.2).abs() < 1e-15, "t = {t}, h = {h}");
    assert_eq!(motion.t, t);
}

#[test]
fn a_start_that_cannot_be_evaluated_is_named() {
    let sketch = Sketch::new(["x"]).potential(|q| q[0].ln());
    let system = Differentiated::new(sketch);
    let error = Solver::mechanical(&system).run(0.0, 1.0, &[0.0, 0.0]).unwrap_err();
    assert!(matches!(&error, Error::Start(StartError::Fault(_))), "{error}");
    assert!(error.to_string().contains("'x'"), "{error}");
}

#[test]
fn a_mass_matrix_that_determines_nothing_is_named() {
    let sketch = Sketch::new(["x", "y"]).kinetic(|_q, v| v[0].square() * 0.5).potential(|q| q[0] * q[1]);
    let system = Differentiated::new(sketch);
    for method in ["radau", "dopri8", "adams"] {
        let error = Solver::mechanical(&system).method(named(method)).run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]);
        let error = error.unwrap_err();
        let expected = matches!(&error, Error::Start(StartError::Undetermined { name }) if name == "y");
        assert!(expected, "{method}: {error}");
    }
}

/// The same matrix is no obstacle where a constraint determines the coordinate without mass.
#[test]
fn a_singular_mass_matrix_is_fine_where_constraints_help() {
    let sketch = Sketch::new(["x", "y"])
        .kinetic(|_q, v| v[0].square() * 0.5)
        .potential(|q| q[0].square() * 0.5)
        .rod("slot", |_t, q| q[1] - q[0] * 2.0);
    let system = Differentiated::new(sketch);
    let solver = Solver::mechanical(&system).method(Method::radau()).tolerance(1e-10);
    let motion = solver.run(0.0, 1.0, &[1.0, 2.0, 0.0, 0.0]).unwrap();
    assert!((motion.q()[0] - 1.0_f64.cos()).abs() < 1e-8);
    assert!((motion.q()[1] - 2.0 * 1.0_f64.cos()).abs() < 2e-8);
}

#[test]
fn contradictory_constraints_are_named() {
    let sketch = Sketch::new(["x", "y"]).rod("wall", |_t, q| q[0]).rod("other wall", |_t, q| q[0] - 1.0);
    let system = Differentiated::new(sketch);
    let error = Solver::mechanical(&system).run(0.0, 1.0, &[0.0, 0.0, 0.0, 0.0]).unwrap_err();
    let Error::Start(StartError::Contradiction { constraint, residual }) = &error else { panic!("{error}") };
    assert!(["wall", "other wall"].contains(&constraint.as_str()), "{error}");
    assert!((residual.abs() - 1.0).abs() < 1e-12, "{error}");
    assert!(error.to_string().contains(constraint), "{error}");
}

#[test]
fn redundant_constraints_are_left_out_and_named() {
    let twice = rod(rod(Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81), "rod"), "copy");
    let (twice, once) = (Differentiated::new(twice), pendulum());
    for method in ["radau", "lobatto-iiic", "dopri8", "adams"] {
        let run = |system| {
            let solver = Solver::mechanical(system).method(named(method)).watch(true).output(Output::Steps);
            solver.run(0.0, 2.0, &[1.0, 0.0, 0.0, 0.0]).unwrap()
        };
        let (redundant, plain) = (run(&twice), run(&once));
        let start = redundant.start.as_ref().unwrap();
        assert_eq!(start.redundant, ["copy"], "{method}");
        assert_eq!(redundant.lambda(), [plain.lambda()[0], 0.0], "{method}");
        assert_eq!((redundant.q(), redundant.v()), (plain.q(), plain.v()), "{method}");
        assert_eq!(redundant.trajectory.state(3).len(), 6, "{method}");
        assert!(plain.start.as_ref().unwrap().redundant.is_empty(), "{method}");
    }
}

#[test]
fn wrong_lengths_are_counted() {
    let system = pendulum();
    for start in [&[][..], &[1.0], &[1.0, 0.0], &[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0, 0.0]] {
        let error = Solver::mechanical(&system).run(0.0, 1.0, start).unwrap_err();
        assert!(
            matches!(&error, Error::Start(StartError::Length { .. })),
            "{} entries: {error}",
            start.len()
        );
    }
    first_order_lengths_are_counted("rigid_body");
}

#[test]
fn wrong_lengths_of_algebraic_systems_are_counted() {
    for name in ["index2_linear", "chemical_akzo_nobel", "schropp_pendulum"] {
        first_order_lengths_are_counted(name);
    }
}

fn first_order_lengths_are_counted(name: &str) {
    let problem = find(name).unwrap();
    let solver = Solver::first_order(problem.system.evolution().unwrap());
    for length in [0, problem.system.n() - 1, problem.system.n() + 1] {
        let error = solver.run(0.0, 1.0, &vec![0.5; length]).unwrap_err();
        let expected = matches!(&error, Error::Start(StartError::Length { found, .. }) if *found == length);
        assert!(expected, "{name} with {length} entries: {error}");
    }
}

#[test]
fn options_without_sense_are_named() {
    let system = pendulum();
    let run =
        |options: Options| Solver::mechanical(&system).options(options).run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]);
    for bad in [0.0, -1e-6, f64::NAN, f64::INFINITY] {
        let wrong = [
            ("rtol", Options { rtol: bad, ..Options::default() }),
            ("atol", Options { atol: bad, ..Options::default() }),
        ];
        for (name, options) in wrong {
            let error = run(options).unwrap_err();
            assert!(matches!(&error, Error::Option { name: found, .. } if *found == name), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
    for bad in [0.0, f64::NAN, f64::INFINITY] {
        let wrong = [
            ("step", Options { constant_step: Some(bad), ..Options::default() }),
            ("first step", Options { first_step: Some(bad), ..Options::default() }),
            ("largest step", Options { largest_step: Some(bad), ..Options::default() }),
        ];
        for (name, options) in wrong {
            let error = run(options).unwrap_err();
            assert!(matches!(&error, Error::Option { name: found, .. } if *found == name), "{error}");
        }
    }
    for (from, to) in [(f64::NAN, 1.0), (0.0, f64::NAN), (0.0, f64::INFINITY)] {
        let error = Solver::mechanical(&system).run(from, to, &[1.0, 0.0, 0.0, 0.0]).unwrap_err();
        assert!(matches!(&error, Error::Option { .. }), "{error}");
    }
    let error = Solver::mechanical(&system).run(0.0, 1.0, &[f64::NAN, 0.0, 0.0, 0.0]).unwrap_err();
    assert!(matches!(&error, Error::Start(_)), "{error}");
}

#[test]
fn unknown_methods_and_stages_are_answered_with_those_that_exist() {
    let error = Method::named("radua").unwrap_err();
    assert_eq!(error, MethodError::Unknown { name: "radua".into() });
    let message = error.to_string();
    assert!(
        message.contains("'radua'") && message.contains("radau") && message.contains("dopri8"),
        "{message}"
    );
    for (name, stages) in
        [("radau", 0), ("radau", 99), ("lobatto-iiic", 1), ("dopri8", 3), ("adams", 1), ("adams", 14)]
    {
        let error = named(name).with_stages(stages).unwrap_err();
        assert!(matches!(error, MethodError::Stages(_)), "{name} with {stages} stages: {error}");
    }
}

#[test]
fn methods_that_do_not_suit_the_equations_say_why_and_what_to_take() {
    let system = pendulum();
    let refused = |method: Method| {
        let error =
            Solver::mechanical(&system).method(method).run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]).unwrap_err();
        let Error::Mismatch(mismatch) = &error else { panic!("{error}") };
        println!("{error}");
        assert!(mismatch.instead.contains("radau"), "{error}");
        mismatch.why.clone()
    };
    assert!(refused(named("lobatto-iiia")).contains("singular"));
    assert!(refused(named("lobatto-iiib")).contains("singular"));
    assert!(refused(named("gauss")).contains("|R(inf)| = 1.000"));
    assert!(refused(named("esdirk")).contains("singular"));
    assert!(refused(named("sdirk")).contains("stage order 1"));
    assert!(refused(named("lobatto-iiic").with_stages(2).unwrap()).contains("stage order 1"));
    let problem = find("chemical_akzo_nobel").unwrap();
    let start = taut_lab::start_of(&problem);
    for method in ["dopri8", "dopri5", "adams"] {
        let solver = Solver::first_order(problem.system.evolution().unwrap()).method(named(method));
        let error = solver.run(0.0, 1.0, &start).unwrap_err();
        assert!(matches!(&error, Error::Mismatch(mismatch) if mismatch.instead == "radau"), "{error}");
    }
}

/// The same methods are permitted where the constraints are differentiated.
#[test]
fn refused_methods_may_solve_the_formulation_of_index_1() {
    for method in ["gauss", "lobatto-iiid", "sdirk", "esdirk"] {
        solves_index_1(method);
    }
}

#[test]
fn methods_with_a_singular_matrix_may_solve_the_formulation_of_index_1() {
    for method in ["lobatto-iiia", "lobatto-iiib"] {
        solves_index_1(method);
    }
}

fn solves_index_1(method: &str) {
    let system = pendulum();
    let reference = Solver::mechanical(&system).method(Method::radau()).tolerance(1e-10);
    let reference = reference.run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]).unwrap();
    let options = Options { formulation: Formulation::Index1, ..Options::default() };
    let solver = Solver::mechanical(&system).method(named(method)).options(options);
    let motion =
        solver.run(0.0, 1.0, &[1.0, 0.0, 0.0, 0.0]).unwrap_or_else(|error| panic!("{method}: {error}"));
    let error = (motion.q()[0] - reference.q()[0]).abs();
    println!("{method}: {error:.1e}");
    assert!(error <= 1e-4, "{method}: {error:.1e}");
    assert!((motion.q()[0].hypot(motion.q()[1]) - 1.0).abs() <= 1e-15, "{method}");
}

#[test]
fn too_many_steps_end_the_run_and_keep_the_motion() {
    let system = pendulum();
    for method in ["radau", "dopri8", "adams"] {
        let options = Options { most_steps: 10, ..Options::default() };
        let solver = Solver::mechanical(&system).method(named(method)).options(options).output(Output::Steps);
        let error = solver.run(0.0, 100.0, &[1.0, 0.0, 0.0, 0.0]).unwrap_err();
        let message = error.to_string();
        let Error::Stopped { reason: RunError::TooManySteps { t, steps, expected }, motion } = error else {
            panic!("{method}: {message}")
        };
        assert_eq!((steps, motion.t), (10, t), "{method}");
        assert_eq!(motion.trajectory.len(), motion.statistics.accepted + 1, "{method}");
        let share = t / 100.0;
        assert!(
            (expected * share / 10.0 - 1.0).abs() < 1e-12,
            "{method}: {expected} steps expected at t = {t}"
        );
        assert!(message.contains(&format!("at this pace it takes about {expected:.1e} steps")), "{message}");
        assert!(message.contains("10 steps") && message.contains("allow more steps"), "{method}: {message}");
    }
}

/// A start beside the circle with masses 1 and 4, and what it is moved to.
struct Moved {
    from: [[f64; 2]; 2],
    to: ConsistentStart,
}

impl Moved {
    fn new() -> Self {
        let sketch = Sketch::new(["x", "y"]).kinetic(|_q, v| (v[0].square() + v[1].square() * 4.0) * 0.5);
        let system = Differentiated::new(rod(sketch, "rod"));
        let from = [[0.8, 0.65], [0.3, 0.7]];
        let motion = Solver::mechanical(&system).run(0.0, 0.0, &from.concat()).unwrap();
        Moved { from, to: motion.start.unwrap() }
    }

    /// The norm of a change, and the sine of the angle between M times it and Gᵀ: 0 for the least change in this norm.
    fn change(&self, old: [f64; 2], new: &[f64]) -> (f64, f64) {
        let change = [new[0] - old[0], new[1] - old[1]];
        let momentum = [change[0], 4.0 * change[1]];
        let across = momentum[0] * self.to.q[1] - momentum[1] * self.to.q[0];
        let norm = (momentum[0] * change[0] + momentum[1] * change[1]).sqrt();
        (norm, across / momentum[0].hypot(momentum[1]))
    }
}

#[test]
fn an_inconsistent_start_is_moved_onto_the_constraints() {
    let moved = Moved::new();
    let ConsistentStart { q, v, .. } = &moved.to;
    assert!((q[0].hypot(q[1]) - 1.0).abs() <= 1e-15);
    assert!((q[0] * v[0] + q[1] * v[1]).abs() <= 1e-15);
    let (norm, angle) = moved.change(moved.from[1], v);
    assert!(angle.abs() <= 1e-14, "velocities: {angle:.1e}");
    assert!((moved.to.moved.1 - norm).abs() <= 1e-14);
    let (norm, angle) = moved.change(moved.from[0], q);
    println!("angle between M dq and G: {angle:.1e}");
    assert!((moved.to.moved.0 - norm).abs() <= 1e-14);
}

#[test]
fn positions_of_an_inconsistent_start_are_moved_as_little_as_possible() {
    let moved = Moved::new();
    let (_, angle) = moved.change(moved.from[0], &moved.to.q);
    assert!(angle.abs() <= 1e-8, "{angle:.1e}");
}

/// A knife edge on a slope: x' sin φ = y' cos φ.
#[test]
fn a_knife_edge_glides_along_itself() {
    let sketch = Sketch::new(["x", "y", "phi"])
        .potential(|q| -q[0])
        .nonholonomic_rod("edge", |_t, q, v| v[0] * q[2].sin() - v[1] * q[2].cos());
    let system = Differentiated::new(sketch);
    // φ = ω t from rest: along the edge s' = sin(ω t)/ω, so that x = (sin ωt)²/(2 ω²) and y = (ωt − sin ωt cos ωt)/(2 ω²).
    let (omega, t): (f64, f64) = (2.0, 3.0);
    let (sin, cos) = (omega * t).sin_cos();
    let exact =
        [sin * sin / (2.0 * omega * omega), (omega * t - sin * cos) / (2.0 * omega * omega), omega * t];
    for method in ["radau", "lobatto-iiic", "dopri8", "adams"] {
        let solver = Solver::mechanical(&system).method(named(method)).tolerance(1e-8).watch(true);
        let motion = solver
            .run(0.0, t, &[0.0, 0.0, 0.0, 0.0, 0.0, omega])
            .unwrap_or_else(|error| panic!("{method}: {error}"));
        let error = motion.q().iter().zip(exact).fold(0.0_f64, |m, (x, e)| m.max((x - e).abs()));
        let [_, residual, _] = motion.invariants.residuals;
        println!("{method}: error {error:.1e}, |h| {residual:.1e}");
        assert!(error <= 1e-6, "{method}: {error:.1e}");
        assert!(residual <= 1e-15, "{method}: {residual:.1e}");
    }
}

/// A disc that rolls upright: x' = θ' cos φ, y' = θ' sin φ; both angles turn uniformly.
fn rolls_without_sliding(method: &str) {
    let sketch = Sketch::new(["x", "y", "theta", "phi"])
        .kinetic(|_q, v| (v[0].square() + v[1].square() + v[2].square() * 0.5 + v[3].square() * 0.25) * 0.5)
        .nonholonomic_rod("forward", |_t, q, v| v[0] - v[2] * q[3].cos())
        .nonholonomic_rod("sideways", |_t, q, v| v[1] - v[2] * q[3].sin());
    let system = Differentiated::new(sketch);
    let (spin, turn, t) = (3.0, 0.7, 5.0);
    let angle: f64 = turn * t;
    let exact = [spin / turn * angle.sin(), spin / turn * (1.0 - angle.cos()), spin * t, angle];
    let solver = Solver::mechanical(&system).method(named(method)).tolerance(1e-8).watch(true);
    let start = [0.0, 0.0, 0.0, 0.0, spin, 0.0, spin, turn];
    let motion = solver.run(0.0, t, &start).unwrap_or_else(|error| panic!("{method}: {error}"));
    let error = motion.q().iter().zip(exact).fold(0.0_f64, |m, (x, e)| m.max((x - e).abs()));
    let [_, residual, _] = motion.invariants.residuals;
    println!("{method}: error {error:.1e}, |h| {residual:.1e}, {} steps", motion.statistics.accepted);
    assert!(error <= 1e-6, "{method}: {error:.1e}");
    assert!(residual <= 4e-15, "{method}: {residual:.1e}");
}

#[test]
fn a_disc_rolls_without_sliding() {
    rolls_without_sliding("radau");
    rolls_without_sliding("dopri8");
    rolls_without_sliding("adams");
}

#[test]
fn a_disc_rolls_without_sliding_with_lobatto_iiic() {
    rolls_without_sliding("lobatto-iiic");
}
