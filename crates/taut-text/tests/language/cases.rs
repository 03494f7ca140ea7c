//! Problems of public test sets as model files: steps and errors that a user sees.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut_text::{Model, Source, System};

fn read(text: &str) -> Model {
    Model::read(&Source::new("case.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn run(text: &str, method: Method, rtol: f64, atol: f64) -> Motion {
    let model = read(text);
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = match &model.system {
        System::FirstOrder(system) => Solver::first_order(system),
        system => Solver::mechanical(system.mechanism().unwrap()),
    };
    let options = Options { rtol, atol, most_steps: 50_000, ..Options::default() };
    solver.method(method).options(options).run(model.start.t, model.end.unwrap(), &start).unwrap()
}

const OREGONATOR: &str = include_str!("../cases/oregonator.toml");
const BRUSSELATOR: &str = include_str!("../cases/ark-brusselator.toml");
const RING_MODULATOR: &str = include_str!("../cases/ring-modulator.toml");
const E5: &str = include_str!("../cases/e5.toml");
const GOVERNOR_OF_BODIES: &str = include_str!("../cases/flyball-governor-bodies.toml");
const GOVERNOR: &str = include_str!("../cases/flyball-governor-forces.toml");

/// The largest error of some values at the end, in tolerances.
fn error(motion: &Motion, expected: &[(usize, f64)], tolerance: f64) -> f64 {
    let error = |&(k, exact): &(usize, f64)| (motion.y[k] - exact).abs() / (tolerance * (1.0 + exact.abs()));
    expected.iter().map(error).fold(0.0, f64::max)
}

#[test]
fn variable_order_takes_hardly_more_steps_than_the_best_number_of_stages() {
    for (name, text, rtol) in [
        ("oregonator", OREGONATOR, 1e-10),
        ("brusselator", BRUSSELATOR, 1e-10),
        ("brusselator", BRUSSELATOR, 1e-8),
        ("ring modulator", RING_MODULATOR, 1e-10),
    ] {
        let steps = |method: Method| run(text, method, rtol, rtol).statistics.steps;
        let best = steps(Method::radau().with_stages(7).unwrap());
        let variable = steps(Method::radau());
        assert!(10 * variable <= 13 * best, "{name} at {rtol}: {variable} steps, 7 stages take {best}");
    }
}

#[test]
fn auto_leaves_explicit_steps_where_implicit_ones_take_less_work() {
    for (name, text, rtol) in [("governor", GOVERNOR, 1e-10), ("oregonator", OREGONATOR, 1e-8)] {
        let auto = run(text, Method::default(), rtol, rtol);
        let radau = run(text, Method::radau(), rtol, rtol);
        assert_eq!(auto.method, "radau", "{name}");
        let (auto, radau) = (auto.statistics.rhs, radau.statistics.rhs);
        assert!(2 * auto <= 3 * radau, "{name} at {rtol}: {auto} evaluations, radau {radau}");
    }
    let oregonator = run(OREGONATOR, Method::default(), 1e-8, 1e-8);
    let expected = [(0, 1.0008148703185227), (1, 1228.1785215498874), (2, 132.05549428465048)];
    assert!(error(&oregonator, &expected, 1e-8) < 30.0);
}

/// Steps that rounding errors of stiff forces shorten, and not stability, are none that a method for stiff motion is looked for.
#[test]
fn many_explicit_steps_are_looked_at_without_suspicion() {
    let motion = run(GOVERNOR_OF_BODIES, Method::named("auto").unwrap(), 1e-10, 1e-10);
    let steps = motion.statistics.steps;
    assert!(steps < 5000, "{steps} steps, {:?}", motion.choice);
}

#[test]
fn stiffness_from_the_first_step_on_is_handed_over() {
    let text = "[variables]\ny = { start = 0.0, rate = \"-1e20*(y - cos(t))\" }\n[time]\nend = 2.0\n";
    let motion = run(text, Method::default(), 1e-6, 1e-6);
    assert_eq!(motion.method, "radau");
    assert!(motion.statistics.steps < 100, "{} steps", motion.statistics.steps);
    assert!((motion.y[0] - 2.0_f64.cos()).abs() < 1e-6);
}

/// The first step is 10¹⁸ times as short as the interval.
#[test]
fn long_intervals_may_begin_with_short_steps() {
    let atol = 1.11e-24;
    let motion = run(E5, Method::radau(), 1e-10, atol);
    for (k, exact) in [(1, 8.86765551764212e-23), (2, 8.854814626268838e-23)] {
        assert!((motion.y[k] - exact).abs() < 30.0 * atol, "{}", motion.y[k]);
    }
}

/// A force on a body of mass 1 with the velocity 1, for a hundredth of ten seconds.
fn pulse(force: &str) -> String {
    format!(
        "[coordinates]\nx = {{ start = 0.0, velocity = 1.0 }}\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\n\
         x = {{ driving = \"{force}\" }}\n[time]\nend = 10.0\n"
    )
}

#[test]
fn short_pulses_are_not_stepped_over() {
    // A constant force, and triangles as high: half of the impulse.
    for (force, impulse) in [
        ("100*(sign(t - 5) - sign(t - 5.01))/2", 1.0),
        ("if(t > 5 and t < 5.01, 100, 0)", 1.0),
        ("10000*(abs(t - 5) - 2*abs(t - 5.005) + abs(t - 5.01))", 0.5),
        ("20000*max(0, min(t - 5, 5.01 - t))", 0.5),
        ("-20000*min(0, max(5 - t, t - 5.01))", 0.5),
    ] {
        let text = pulse(force);
        for name in ["auto", "radau", "bdf", "adams", "dopri8", "taylor"] {
            let motion = run(&text, Method::named(name).unwrap(), 1e-6, 1e-6);
            let expected = [(0, 10.0 + 4.995 * impulse), (1, 1.0 + impulse)];
            assert!(error(&motion, &expected, 1e-6) < 1.0, "{force}, {name}: {:?}", motion.y);
        }
    }
}

#[test]
fn a_body_that_dry_friction_holds_does_not_stop_the_run() {
    let text = "[coordinates]\nx = { start = 0.0, velocity = 1.0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
                [forces]\nx = { dissipative = \"-0.5*tanh(x'/1e-6)\" }\n[time]\nend = 10.0\n";
    for (name, rtol) in [("auto", 1e-6), ("radau", 1e-6), ("radau", 1e-8), ("bdf", 1e-6)] {
        let motion = run(text, Method::named(name).unwrap(), rtol, rtol);
        let steps = motion.statistics.steps;
        assert!(steps < 1000, "{name} at {rtol}: {steps} steps");
        assert!((motion.y[0] - 0.38196).abs() < 1e-5, "{name} at {rtol}: {:?}", motion.y);
    }
}

/// A block that friction stops, a block that a force shakes loose and a block on a belt, with where they are at the end: radau at 1e-11
/// and bdf at 1e-9 agree in nine digits.
const BLOCKS: [(&str, &str, f64); 3] = [
    (
        "stopped",
        "[coordinates]\nx = { start = 0.0, velocity = 1.0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
         [forces]\nx = { dissipative = \"-0.5*tanh(x'/1e-6)\" }\n[time]\nend = 10.0\n",
        0.381960228,
    ),
    (
        "shaken",
        "[coordinates]\nx = { start = 0.0 }\n[energy]\nkinetic = \"x'^2/2\"\n\
         [forces]\nx = { driving = \"1.5*sin(2*t)\", dissipative = \"-tanh(x'/1e-6)\" }\n[time]\nend = 10.0\n",
        0.003115218,
    ),
    (
        "on a belt",
        "[coordinates]\nx = { start = 0.0, velocity = 0.1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
         [forces]\nx = { driving = \"-0.5*tanh((x' - 0.1)/1e-6)/(1 + abs(x' - 0.1))\" }\n[time]\nend = 20.0\n",
        0.471787532,
    ),
];

#[test]
fn blocks_that_stick_and_slip_are_right_at_every_tolerance() {
    for (name, text, end) in BLOCKS {
        for (method, rtol) in ["radau", "bdf"]
            .into_iter()
            .flat_map(|method| [1e-3, 1e-4, 1e-5, 1e-6, 1e-7].map(|rtol| (method, rtol)))
        {
            let motion = run(text, Method::named(method).unwrap(), rtol, rtol);
            let (off, steps) = (error(&motion, &[(0, end)], rtol), motion.statistics.steps);
            assert!(
                off < 30.0 && steps < 5000,
                "{name}, {method} at {rtol}: {off} tolerances, {steps} steps"
            );
        }
    }
}

/// y1 = e^-t + t sin t, whose derivative is found with that of y2, of index 2.
const BRENAN: &str = "[variables]\ny1 = { start = 1.0, rate = \"p1\" }\ny2 = { start = 0.0, rate = \"p2\" }\n\
                      p1 = { start = -1.0, equation = \"p1 - t*p2 + y1 - (1 + t)*y2\" }\n\
                      p2 = { start = 1.0, equation = \"y2 - sin(t)\" }\n[time]\nend = 10.0\n";

#[test]
fn many_stages_keep_their_tolerance_on_brenans_problem() {
    let end = [(0, (-10.0_f64).exp() + 10.0 * 10.0_f64.sin()), (1, 10.0_f64.sin())];
    for stages in [3, 5, 7] {
        for rtol in [1e-6, 1e-8, 1e-10] {
            let motion = run(BRENAN, Method::radau().with_stages(stages).unwrap(), rtol, rtol);
            let off = error(&motion, &end, rtol);
            assert!(off < 30.0, "{stages} stages at {rtol}: {off} tolerances");
        }
    }
}

#[test]
fn a_tolerance_that_bdf_cannot_meet_is_told() {
    let warning = |rtol: f64| run(BRUSSELATOR, Method::bdf(), rtol, rtol).warning;
    assert!(warning(1e-11).unwrap().contains("1.9e-10"));
    assert_eq!(warning(1e-6), None);
}
