//! The models that come with Taut are consistent and are what they say.
#![allow(clippy::unwrap_used, clippy::panic)]

use taut::system::{Evolution, Mechanism};
use taut_text::{MechanicalModel, Model, Source, System, builtin};

fn load(name: &str, overrides: &[(String, f64)]) -> Model {
    let (_, _, text) = builtin().iter().find(|model| model.0 == name).unwrap();
    Model::read(&Source::new(name, *text), overrides).unwrap_or_else(|errors| panic!("{errors}"))
}

fn mechanical(model: &Model) -> &MechanicalModel {
    match &model.system {
        System::Mechanical(system) => system,
        System::FirstOrder(_) => panic!("{} is not mechanical", model.name),
    }
}

#[test]
fn all_mechanical_models_start_on_their_constraints() {
    for (name, ..) in builtin() {
        let model = load(name, &[]);
        let System::Mechanical(system) = &model.system else { continue };
        let (start, m) = (&model.start, system.structure().m());
        let mut residual = vec![0.0; m];
        system.constraint(start.t, &start.q, &mut residual).unwrap();
        assert!(residual.iter().all(|g| g.abs() < 1e-14), "{name}: g = {residual:?}");
        system.constraint_rate(start.t, &start.q, &start.v, &mut residual).unwrap();
        assert!(residual.iter().all(|g| g.abs() < 1e-14), "{name}: g' = {residual:?}");
    }
}

#[test]
fn all_models_can_be_evaluated_observed_and_drawn() {
    for (name, description, text) in builtin() {
        let model = load(name, &[]);
        assert!(text.starts_with("# "), "{name} has no header");
        assert!(!description.is_empty() && model.end.is_some() && !model.name.is_empty(), "{name}");
        let start = &model.start;
        let mut values = vec![f64::NAN; model.observers.names().len()];
        model.observers.evaluate(start.t, &start.q, &start.v, &mut values);
        assert!(values.iter().all(|x| x.is_finite()), "{name}: {values:?}");
        let mut drawn = vec![f64::NAN; model.drawing.len()];
        model.drawing.evaluate(start.t, &start.q, &start.v, &mut drawn);
        assert!(drawn.iter().all(|x| x.is_finite()), "{name}: {drawn:?}");
        match &model.system {
            System::Mechanical(system) => {
                assert!(!model.drawing.is_empty(), "{name} draws nothing");
                assert!(system.energy(start.t, &start.q, &start.v).unwrap().total().is_finite(), "{name}");
            }
            System::FirstOrder(system) => {
                let mut rate = vec![0.0; start.q.len()];
                system.rate(start.t, &start.q, &mut rate).unwrap();
            }
        }
    }
}

/// M w − f + Gᵀλ, with the accelerations and multipliers known for the squeezer at its start.
#[test]
fn the_squeezer_has_the_known_accelerations_and_multipliers() {
    let model = load("squeezer", &[]);
    let (system, q, v) = (mechanical(&model), &model.start.q, &model.start.v);
    let structure = system.structure();
    let w = [14222.443919954114, -10666.832939965585, 0.0, 0.0, 0.0, 0.0, 0.0];
    let lambda = [98.56687039624109, -6.122688344255662, 0.0, 0.0, 0.0, 0.0];
    let mut mass = vec![0.0; structure.mass.nnz()];
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    let mut residual = vec![0.0; 7];
    let mut force = vec![0.0; 7];
    system.mass(q, &mut mass).unwrap();
    system.jacobian(0.0, q, v, &mut jacobian).unwrap();
    system.force(taut::system::Terms::ACCELERATING, 0.0, q, v, &mut force).unwrap();
    structure.mass.multiply_add(&mass, &w, &mut residual, 1.0);
    structure.jacobian.transpose_multiply_add(&jacobian, &lambda, &mut residual, 1.0);
    for (r, f) in residual.iter().zip(&force) {
        assert!((r - f).abs() < 1e-13, "{residual:?} {force:?}");
    }
    assert_eq!(structure.mass.nnz(), 13);
    assert_eq!(structure.damping.nnz(), 6 * 2, "only the Coriolis forces depend on velocities");
}

#[test]
fn the_transistor_amplifier_starts_on_its_algebraic_equations() {
    let model = load("transistor-amplifier", &[]);
    let System::FirstOrder(system) = &model.system else { panic!() };
    let mut rate = vec![0.0; 8];
    system.rate(0.0, &model.start.q, &mut rate).unwrap();
    for pair in [[0, 1], [3, 4], [6, 7]] {
        let sum: f64 = pair.iter().map(|&i| rate[i]).sum();
        assert!(sum.abs() < 1e-18, "nodes {pair:?}: {sum}");
    }
    assert_eq!(system.composition().mass.nnz(), 14);
}

#[test]
fn overrides_change_parameters_starts_and_repetitions() {
    let set = |pairs: &[(&str, f64)]| pairs.iter().map(|(k, x)| (k.to_string(), *x)).collect::<Vec<_>>();
    let chain = load("chain", &set(&[("N", 3.0), ("x2", 1.5), ("y3'", -0.5)]));
    assert_eq!(chain.coordinates(), ["x1", "y1", "x2", "y2", "x3", "y3"]);
    assert_eq!(chain.start.q, [1.0, 0.0, 1.5, 0.0, 3.0, 0.0]);
    assert_eq!(chain.start.v, [0.0, 0.0, 0.0, 0.0, 0.0, -0.5]);
    assert_eq!(chain.drawing.points(), 3);
    let spring = load("stiff-spring-pendulum", &set(&[("eps", 0.5)]));
    assert_eq!(mechanical(&spring).structure().constraints[0].compliance(), 0.25);
}
