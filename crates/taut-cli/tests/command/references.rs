//! References of the problem library, found again with thirty digits from model files.

use std::path::Path;

use taut::system::number::{DoubleDouble, Scalar};
use taut_text::{ExactModel, Source, builtin};

/// A reference: its start, its time, its digits, and the state.
struct Known {
    start: String,
    t: String,
    digits: i32,
    y: Vec<String>,
}

/// The references of a problem, with all their digits.
fn references(problem: &str) -> Vec<Known> {
    let path = format!("{}/../taut-problems/reference/{problem}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("\n[[reference]]\n").skip(1).map(|block| block.split("\n[").next().unwrap());
    let quoted = |text: &str| text.split('"').nth(1).unwrap_or_default().to_owned();
    let blocks = blocks.map(|block| {
        let line = |key: &str| block.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        let list = block.split("y = [").nth(1).unwrap().split(']').next().unwrap();
        Known {
            start: quoted(line("start = ")),
            t: quoted(line("t = ")),
            digits: line("digits = ").trim_start_matches("digits = ").parse().unwrap(),
            y: list.split('"').skip(1).step_by(2).map(str::to_owned).collect(),
        }
    });
    blocks.collect()
}

/// A built-in model, or one of `tests/references`.
fn model(name: &str, overrides: &[(&str, f64)]) -> ExactModel {
    let own = format!("{}/tests/references/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let source = match builtin().iter().find(|(known, ..)| *known == name) {
        _ if Path::new(&own).exists() => Source::new(name, std::fs::read_to_string(own).unwrap()),
        Some((name, _, text)) => Source::new(*name, *text),
        None => panic!("no model {name}"),
    };
    let overrides: Vec<_> = overrides.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    ExactModel::read(&source, &overrides).unwrap()
}

/// How states of a model are those of a reference.
#[derive(Clone, Copy)]
enum Order {
    /// the first ones, in the same order
    Same,
    /// x1 y1 x2 y2 … of so many bodies, and x1 x2 … y1 y2 … in the reference
    ByAxis(usize),
    /// momenta of bodies in space instead of velocities
    Momenta([&'static str; 6]),
}

impl Order {
    fn arranged(self, state: &[DoubleDouble]) -> Vec<DoubleDouble> {
        match self {
            Order::Same => state.to_vec(),
            Order::ByAxis(bodies) => {
                let part = |first: usize| (0..bodies).map(move |body| first + 2 * body);
                let places = [0, 1, 2 * bodies, 2 * bodies + 1].into_iter().flat_map(part);
                places.map(|place| state[place]).collect()
            }
            Order::Momenta(masses) => {
                let mut state = state.to_vec();
                for (k, momentum) in state[18..].iter_mut().enumerate() {
                    *momentum = *momentum / DoubleDouble::parse(masses[k / 3]).unwrap();
                }
                state
            }
        }
    }
}

/// Compares with all references of a start up to a time; `parts` is how many numbers of a state are compared.
fn compare(problem: &str, start: &str, model: &ExactModel, (latest, parts): (f64, usize), order: Order) {
    let known = references(problem).into_iter().filter(|known| known.start == start);
    let known: Vec<Known> = known.filter(|known| known.t.parse::<f64>().unwrap() <= latest).collect();
    assert!(!known.is_empty(), "{problem}/{start} has references");
    let times: Vec<DoubleDouble> = known.iter().map(|known| DoubleDouble::parse(&known.t).unwrap()).collect();
    let motion = model.digits(30).run(model.start_time, &model.start, &times).unwrap();
    for (known, state) in known.iter().zip(&motion.states) {
        assert!(known.digits >= 20, "{problem} at t = {}: {} digits", known.t, known.digits);
        let found = order.arranged(state);
        // Long runs lose some of thirty digits.
        let most = 10.0_f64.powi(1 - known.digits).max(1e-24);
        for (k, (found, known_value)) in found.iter().zip(&known.y).take(parts).enumerate() {
            let value = DoubleDouble::parse(known_value).unwrap();
            let error = (*found - value).value().abs() / value.value().abs().max(1.0);
            assert!(error <= most, "{problem} at t = {}, {k}: {} {known_value}", known.t, found.to_text(30));
        }
    }
}

#[test]
fn closed_forms_are_found_again() {
    for (start, set) in [
        ("horizontal_rest_g9.81", &[][..]),
        ("horizontal_rest_g1", &[("g", 1.0)]),
        ("cash_g1", &[("g", 1.0), ("y'", 1.0)]),
    ] {
        compare("pendulum", start, &model("pendulum", set), (100.0, 5), Order::Same);
    }
    for (start, e) in [("e0.6", 0.6), ("e0.9", 0.9)] {
        compare("kepler", start, &model("kepler", &[("e", e)]), (100.0, 4), Order::Same);
    }
    compare("rigid_body", "default", &model("euler", &[]), (100.0, 3), Order::Same);
}

#[test]
fn mechanisms_have_their_references_to_20_digits() {
    compare("andrews", "default", &model("squeezer", &[]), (1.0, 14), Order::Same);
    compare("car_axis", "default", &model("car-axis", &[]), (3.0, 8), Order::Same);
    let chain = model("chain", &[("N", 2.0)]);
    compare("pendulum_chain_2", "horizontal_rest", &chain, (10.0, 10), Order::Same);
}

#[test]
fn stars_planets_and_springs_have_their_references_to_20_digits() {
    compare("pleiades", "default", &model("pleiades", &[]), (3.0, 28), Order::ByAxis(7));
    compare("fermi_pasta_ulam", "default", &model("fermi-pasta-ulam", &[]), (10.0, 12), Order::Same);
    let masses = [
        "1.00000597682",
        "0.000954786104043",
        "0.000285583733151",
        "0.0000437273164546",
        "0.0000517759138449",
        "7.692307692307692307692307692307692e-9",
    ];
    compare(
        "outer_solar_system",
        "default",
        &model("outer-solar-system", &[]),
        (1e5, 36),
        Order::Momenta(masses),
    );
}

#[test]
fn networks_have_their_references_to_20_digits() {
    compare("chemical_akzo_nobel", "default", &model("chemical-akzo-nobel", &[]), (180.0, 6), Order::Same);
    compare("transistor_amplifier", "default", &model("transistor-amplifier", &[]), (0.05, 8), Order::Same);
}

/// Minutes: `cargo test --test command long_references -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn long_references_have_20_digits() {
    compare("fermi_pasta_ulam", "default", &model("fermi-pasta-ulam", &[]), (200.0, 12), Order::Same);
    compare("fekete", "default", &model("fekete", &[]), (1000.0, 60), Order::Same);
    compare("outer_solar_system", "default", &model("outer-planets", &[]), (1e6, 36), Order::Same);
}
