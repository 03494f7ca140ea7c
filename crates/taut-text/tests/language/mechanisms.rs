//! Built-in mechanisms of bodies move as they should.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::{Options, Vibrations};
use taut_text::{Model, Source, builtin};

fn load(name: &str, overrides: &[(&str, f64)]) -> Model {
    let (_, _, text) = builtin().iter().find(|model| model.0 == name).unwrap();
    let overrides: Vec<(String, f64)> =
        overrides.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Model::read(&Source::new(name, *text), &overrides).unwrap_or_else(|errors| panic!("{errors}"))
}

fn run(model: &Model, method: &str, tolerance: f64, until: f64) -> Motion {
    let system = model.system.mechanism().unwrap();
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = Solver::mechanical(system).method(Method::named(method).unwrap()).tolerance(tolerance);
    solver.run(0.0, until, &start).unwrap_or_else(|error| panic!("{} with {method}: {error}", model.name))
}

fn coordinate(model: &Model, motion: &Motion, name: &str) -> f64 {
    motion.q()[model.coordinates().iter().position(|known| known == name).unwrap()]
}

/// The variable of a hinge has no mass, and its place in Newton's matrix may hold a rounding error.
#[test]
fn a_redundant_loop_with_an_observed_hinge_runs_with_every_method() {
    let model = load("spatial-four-bar", &[]);
    let angles: Vec<f64> = ["dopri8", "radau", "bdf"]
        .iter()
        .map(|method| coordinate(&model, &run(&model, method, 1e-8, 1.0), "pin"))
        .collect();
    assert!(angles.iter().all(|angle| (angle - angles[0]).abs() < 1e-5), "{angles:?}");
    assert!(angles[0].abs() > 0.1);
}

#[test]
fn a_delta_robot_does_not_turn_its_plate() {
    let model = load("delta-robot", &[]);
    let motion = run(&model, "auto", 1e-8, 2.0);
    for part in ["p1", "p2", "p3"] {
        assert!(coordinate(&model, &motion, &format!("plate.{part}")).abs() < 1e-12);
    }
    let away = ["x", "y"].map(|axis| coordinate(&model, &motion, &format!("plate.{axis}")).abs());
    assert!(away[0].max(away[1]) > 0.01, "{away:?}");
}

#[test]
fn an_excavator_follows_its_cylinders() {
    let model = load("excavator", &[]);
    let motion = run(&model, "auto", 1e-8, 2.5);
    let mut length = vec![0.0; model.system.mechanism().unwrap().structure().m()];
    model.system.mechanism().unwrap().constraint(2.5, motion.q(), &mut length).unwrap();
    // what remains is the oil, pressed by 1 mm at most
    assert!(length.iter().all(|g| g.abs() < 2e-3), "{length:?}");
    assert!(coordinate(&model, &motion, "boom.angle") < 0.5);
}

/// Its dampers are too slow for smooth motion at these tolerances, and too fast for oil that creeps.
#[test]
fn an_excavator_begins_with_vibrations_damped() {
    let model = load("excavator", &[]);
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    // At 1e-7 two of three cylinders are taken along in smooth motion, and stay so, as asked.
    for (rtol, most) in [(1e-7, 1e-4), (1e-8, 1e-6)] {
        let options = Options { rtol, atol: rtol, vibrations: Vibrations::Damp, ..Options::default() };
        let solver = Solver::mechanical(model.system.mechanism().unwrap()).method(Method::radau());
        let damped = solver.options(options).run(0.0, 1.0, &start).unwrap();
        let [damped, chosen] =
            [damped, run(&model, "radau", rtol, 1.0)].map(|motion| coordinate(&model, &motion, "boom.angle"));
        assert!((damped - chosen).abs() < most, "{rtol:e}: {damped} and {chosen}");
    }
}

#[test]
fn oil_that_has_come_to_rest_does_not_shorten_the_steps_of_an_excavator() {
    let model = load("excavator", &[]);
    for rtol in [1e-4, 1e-6] {
        let steps = run(&model, "auto", rtol, 10.0).statistics.steps;
        assert!(steps < 300, "{steps} steps at {rtol:e}");
    }
}

#[test]
fn a_car_stands_on_its_double_wishbone() {
    // before the bump the wheel carries the load of the car but for what still settles
    let model = load("double-wishbone", &[]);
    let motion = run(&model, "auto", 1e-6, 0.7);
    let mut seen = vec![0.0; model.observers.names().len()];
    model.observers.evaluate(motion.t, motion.q(), motion.v(), &mut seen);
    let force = seen[model.observers.names().iter().position(|name| name == "tyre_force").unwrap()];
    assert!((force / (408.0 * 9.81) - 1.0).abs() < 0.2, "{force}");
    assert!((coordinate(&model, &motion, "car.z") - 0.5).abs() < 0.1);
}

#[test]
fn four_bars_pass_the_line_together() {
    // all bars are on one line when the posts lie down; the linkage stays one of parallelograms
    let model = load("n-four-bar", &[("N", 3.0)]);
    let motion = run(&model, "auto", 1e-8, 1.5);
    let posts = (0..4).map(|k| coordinate(&model, &motion, &format!("post{k}.angle")));
    let posts: Vec<f64> = posts.collect();
    assert!(posts.iter().all(|angle| (angle - posts[0]).abs() < 1e-6), "{posts:?}");
    assert!(posts[0] < -2.0, "{posts:?}");
    assert!(motion.invariants.residuals[0] < 1e-12);
}

/// Steps of explicit methods become shorter one after the other in front of the line, or end close to it by chance.
#[test]
fn explicit_methods_pass_the_line_from_close_by() {
    let model = load("n-four-bar", &[]);
    let motion = run(&model, "dopri8", 1e-9, 1.0);
    let ends = ["post0.angle", "post20.angle"].map(|name| coordinate(&model, &motion, name));
    assert!((ends[0] - ends[1]).abs() < 1e-7, "{ends:?}");
    assert!(motion.statistics.steps < 100, "{} steps", motion.statistics.steps);
    assert!(
        motion.redundant.iter().any(|passed| (passed.from - 0.72115).abs() < 1e-5),
        "{:?}",
        motion.redundant
    );
}

/// Against the motion of the same governor with four coordinates, which is known to twelve digits.
#[test]
fn the_stiff_flyball_governor_from_bodies_is_that_from_formulas() {
    let text = include_str!("../cases/flyball-governor-bodies.toml");
    let model =
        Model::read(&Source::new("governor.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let motion = run(&model, "radau", 1e-6, 10.0);
    let height = coordinate(&model, &motion, "slider.z");
    assert!((height - 0.619_622_917_061_365_7).abs() < 2e-6, "{height}");
}
