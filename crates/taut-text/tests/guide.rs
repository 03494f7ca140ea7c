//! Every model of the guide to the language runs to its end.
#![allow(clippy::unwrap_used, clippy::panic)]

use taut::Solver;
use taut_text::{Model, Source, canonical, format};

const GUIDE: &str = include_str!("../../../docs/language.md");

fn examples() -> Vec<&'static str> {
    GUIDE.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn examples_of_the_guide_run() {
    assert!(examples().len() >= 11);
    for text in examples() {
        let model = Model::read(&Source::new("guide.toml", text), &[]);
        let model = model.unwrap_or_else(|errors| panic!("{text}\n{errors}"));
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let solver = match (model.system.mechanism(), model.system.evolution()) {
            (Some(system), _) => Solver::mechanical(system),
            (None, Some(system)) => Solver::first_order(system),
            (None, None) => panic!("{text}"),
        };
        let motion = solver.run(model.start.t, model.end.unwrap(), &start);
        let motion = motion.unwrap_or_else(|error| panic!("{text}\n{error}"));
        let mut observed = vec![0.0; model.observers.names().len()];
        model.observe(motion.t, &motion.y, &mut observed);
        assert!(observed.iter().chain(&motion.y).all(|x| x.is_finite()), "{text}\n{observed:?}");
    }
}

#[test]
fn examples_of_the_guide_are_formatted() {
    for text in examples() {
        let source = Source::new("guide.toml", text);
        assert_eq!(format(&source).unwrap(), text);
        assert!(Model::read(&Source::new("guide.toml", canonical(&source).unwrap()), &[]).is_ok(), "{text}");
    }
}
