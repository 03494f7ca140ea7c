//! First-order models whose equations contain rates: 0 = F(t, x, x'), and matrices E(t, x).

use taut::Solver;
use taut::method::Method;
use taut::options::{Options, Projection};
use taut::run::Output;
use taut::system::FirstOrderSystem;
use taut_text::{Model, Source};

fn read(text: &str) -> Model {
    Model::read(&Source::new("model.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn end(text: &str, until: f64, method: &str) -> Vec<f64> {
    let model = read(text);
    let solver =
        Solver::first_order(model.system.evolution().unwrap()).method(Method::named(method).unwrap());
    solver.tolerance(1e-10).run(0.0, until, &model.start.q).unwrap_or_else(|error| panic!("{error}")).y
}

/// x'³ + x' = x(1 + x²) has x = eᵗ, since x' = x is the only root.
#[test]
fn an_equation_that_is_not_linear_in_rates_is_solved_for_them() {
    let text = "[variables]\nx = { start = 1, equation = \"x'^3 + x' - x*(1 + x^2)\", slope = 0.8 }";
    let model = read(text);
    assert_eq!(model.coordinates(), ["x", "x'"]);
    assert_eq!(model.start.q, [1.0, 0.8]);
    for method in ["radau", "bdf", "auto"] {
        let y = end(text, 1.0, method);
        let e = std::f64::consts::E;
        assert!((y[0] - e).abs() < 1e-7 && (y[1] - e).abs() < 1e-6, "{method}: {y:?}");
    }
}

/// Constant coefficients go into E and add no variables.
#[test]
fn constant_coefficients_of_rates_are_entries_of_the_matrix() {
    let text = "[parameters]\nc = 2\n[variables]\nx = { start = 1, equation = \"c*x' + y' + x\" }\n\
                y = { start = 0, equation = \"x' - y' + 3*y\" }";
    let model = read(text);
    let system = model.system.evolution().unwrap();
    assert_eq!(system.composition().variables, ["x", "y"]);
    assert_eq!(system.composition().mass_values, [-2.0, -1.0, -1.0, 1.0]);
    let explicit = "[variables]\nx = { start = 1, rate = \"-(x + 3*y)/3\" }\ny = { start = 0, rate = \"-(x + 3*y)/3 + 3*y\" }";
    let (implicit, explicit) = (end(text, 1.0, "radau"), end(explicit, 1.0, "radau"));
    assert!(implicit.iter().zip(&explicit).all(|(a, b)| (a - b).abs() < 1e-9), "{implicit:?} {explicit:?}");
}

/// E(t, x) x' = f from [mass] and from equations is the same; x = cos t, y = sin t.
#[test]
fn matrices_may_depend_on_time_and_state() {
    let entries = "[variables]\nx = { start = 1, rate = \"-y*(2 + y) + x*t\" }\ny = { start = 0, rate = \"x*(1 + t)\" }\n\
                   [mass]\n\"x,x\" = \"2 + y\"\n\"x,y\" = \"t\"\n\"y,y\" = \"1 + t\"";
    let equations = "[variables]\nx = { start = 1, equation = \"(2 + y)*x' + t*y' + y*(2 + y) - x*t\" }\n\
                     y = { start = 0, equation = \"(1 + t)*y' - x*(1 + t)\" }";
    for text in [entries, equations] {
        let y = end(text, 2.0, "radau");
        assert!((y[0] - 2_f64.cos()).abs() < 1e-8 && (y[1] - 2_f64.sin()).abs() < 1e-8, "{y:?}");
        assert_eq!(read(text).coordinates(), ["x", "y", "x'", "y'"]);
    }
}

/// A pendulum in x, y, u, v and a multiplier, with rates on both sides: the index is found, or declared.
#[test]
fn the_index_is_found_or_declared() {
    let text = "[variables]\nx = { start = 1, rate = \"u\" }\ny = { start = 0, rate = \"v\" }\n\
                u = { start = 0, equation = \"u' + x*z\" }\nv = { start = 0, equation = \"v' + y*z + 1\" }\n\
                z = { start = 0, equation = \"x*u + y*v\" }";
    let found = end(text, 1.0, "radau");
    let declared = end(&text.replace("\"x*u + y*v\"", "\"x*u + y*v\", index = 2"), 1.0, "radau");
    assert_eq!(found, declared);
    assert!((found[0].hypot(found[1]) - 1.0).abs() < 1e-8, "{found:?}");
    let model = read(&text.replace("\"x*u + y*v\"", "\"x*u + y*v\", index = 2"));
    let composition = model.system.evolution().unwrap().composition();
    assert_eq!(composition.index.as_deref(), Some(&[0, 0, 0, 0, 2][..]));
}

/// Rates are seen by observations where they are known.
#[test]
fn observations_know_rates() {
    let text = "[variables]\nx = { start = 1, rate = \"-2*x*t\" }\nw = { start = 1, equation = \"w'^3 - x\", slope = 1 }\n\
                [define]\nsquare = \"x^2 + t^2\"\n[observe]\na = \"x'\"\nb = \"square'\"\nc = \"w'\"";
    let model = read(text);
    let mut values = [0.0; 3];
    model.observe(0.5, &[3.0, 1.0, 0.25], &mut values);
    assert_eq!(values, [-3.0, 2.0 * 3.0 * -3.0 + 1.0, 0.25]);
}

/// Schropp 2003, (4.1) with the start (4.2): a file is seen as u' = f(u, v), v' = k(u, v, lambda), 0 = g(u), and projected.
#[test]
fn a_system_of_index_3_is_projected() {
    let text = "[variables]\nu1 = { start = 1, rate = \"v1\" }\nu2 = { start = 0, rate = \"v2\" }\n\
                v1 = { start = 0, rate = \"-2*u1*lambda\" }\nv2 = { start = 0, rate = \"-1 - 2*u2*lambda\" }\n\
                lambda = { start = 0, equation = \"u1^2 + u2^2 - 1\" }";
    let model = read(text);
    let deviations = |projection: Projection| {
        let options = Options { projection: Some(projection), ..Options::default() };
        let solver = Solver::first_order(model.system.evolution().unwrap()).options(options);
        let motion =
            solver.method(Method::radau()).output(Output::Steps).run(0.0, 10.0, &model.start.q).unwrap();
        let mut largest = [0.0_f64; 3];
        for (_, y) in motion.trajectory.iter().skip(1) {
            let square = y[0] * y[0] + y[1] * y[1];
            let accelerated = -4.0 * y[4] * square - 2.0 * y[1] + 2.0 * (y[2] * y[2] + y[3] * y[3]);
            let found = [square - 1.0, 2.0 * (y[0] * y[2] + y[1] * y[3]), accelerated];
            largest.iter_mut().zip(found).for_each(|(largest, found)| *largest = largest.max(found.abs()));
        }
        largest
    };
    let [position, velocity, acceleration] = deviations(Projection::Full);
    assert!(
        position < 1e-14 && velocity < 1e-14 && acceleration < 1e-10,
        "{position} {velocity} {acceleration}"
    );
    let unprojected = deviations(Projection::None);
    assert!(unprojected[1] > 1e-8 && unprojected[2] > 1e-5, "{unprojected:?}");
}
