//! One compiled model for many parameters: the same, to the last bit, as the file read with them.

use taut::system::{Dynamics, FirstOrderSystem, MechanicalSystem, Terms};
use taut_text::{Compiled, MechanicalEnsemble, Model, Source, System, builtin};

fn source(name: &str) -> Source {
    let (_, _, text) = builtin().iter().find(|model| model.0 == name).unwrap();
    Source::new(name, *text)
}

/// The bits of what a solver sees at the start.
fn evaluated(model: &Model) -> Vec<u64> {
    let mut all = [model.start.q.clone(), model.start.v.clone()].concat();
    all.extend(model.end);
    all.extend(model.parameters.iter().map(|parameter| parameter.1));
    match &model.system {
        System::FirstOrder(system) => all.extend(first_order(system, model)),
        mechanical => {
            all.extend(mechanical.mechanism().into_iter().flat_map(|system| second_order(system, model)))
        }
    }
    let mut observed = vec![0.0; model.observers.names().len()];
    model.observers.evaluate(0.25, &model.start.q, &model.start.v, &mut observed);
    all.extend(observed);
    all.into_iter().map(f64::to_bits).collect()
}

fn first_order(system: &dyn FirstOrderSystem, model: &Model) -> Vec<f64> {
    let composition = system.composition();
    let mut values = vec![0.0; composition.n() + composition.jacobian.nnz()];
    let (rate, jacobian) = values.split_at_mut(composition.n());
    system.rate(0.25, &model.start.q, rate).unwrap();
    system.jacobian(0.25, &model.start.q, jacobian).unwrap();
    values.extend(&composition.mass_values);
    values
}

fn second_order(system: &dyn MechanicalSystem, model: &Model) -> Vec<f64> {
    let (structure, q, v) = (system.structure(), &model.start.q, &model.start.v);
    let (n, m) = (structure.n(), structure.m());
    let mut mass = vec![0.0; structure.mass.nnz()];
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    let (mut force, mut constraint) = (vec![0.0; n], vec![0.0; m]);
    let mut out =
        Dynamics { mass: &mut mass, force: &mut force, constraint: &mut constraint, jacobian: &mut jacobian };
    system.dynamics(0.25, q, v, &mut out).unwrap();
    let mut stiffness = vec![0.0; structure.stiffness.nnz()];
    let mut damping = vec![0.0; structure.damping.nnz()];
    let (a, lambda) = (vec![0.5; n], vec![0.25; m]);
    let terms = Terms::ACCELERATING;
    system.newton_blocks(terms, 0.25, q, v, &a, &lambda, &mut stiffness, &mut damping).unwrap();
    let springs = structure.constraints.iter().map(|c| c.compliance());
    let energy = system.energy(0.25, q, v).unwrap();
    [mass, force, constraint, jacobian, stiffness, damping]
        .into_iter()
        .flatten()
        .chain(springs)
        .chain([energy.kinetic, energy.potential])
        .collect()
}

#[test]
fn every_built_in_model_is_the_same_read_again_or_set_anew() {
    for (name, ..) in builtin() {
        let source = source(name);
        let compiled = Compiled::read(&source).unwrap();
        let parameters = compiled.with(&[]).unwrap().parameters;
        for (parameter, value) in parameters {
            let changed =
                [(parameter.to_string(), if value.fract() == 0.0 { value + 1.0 } else { value * 1.01 })];
            let (read, set) = (Model::read(&source, &changed), compiled.with(&changed));
            match (read, set) {
                (Ok(read), Ok(set)) => assert_eq!(evaluated(&read), evaluated(&set), "{name}: {parameter}"),
                (Err(read), Err(set)) => assert_eq!(read.to_string(), set.to_string(), "{name}: {parameter}"),
                (read, set) => panic!("{name}, {parameter}: {} {}", read.is_ok(), set.is_ok()),
            }
        }
    }
}

#[test]
fn the_structure_follows_a_parameter_that_decides_on_it() {
    let chain = Compiled::read(&source("chain")).unwrap();
    let long = chain.with(&[("N".into(), 12.0), ("g".into(), 1.62)]).unwrap();
    assert_eq!(long.coordinates().len(), 24);
    let longer = long.compiled().with(&[("N".into(), 12.0), ("x3'".into(), 0.5)]).unwrap();
    assert_eq!((longer.coordinates().len(), longer.start.v[4]), (24, 0.5));
    let text = "[parameters]\nk = 0.0\np = 2\n[coordinates]\nx = { start = 1.0 }\ny = { start = 1.0 }\n\
                [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"k*x*y + x^p\"\n";
    let free = Compiled::read(&Source::new("free", text)).unwrap();
    let places = |model: &Model| model.system.mechanism().unwrap().structure().stiffness.nnz();
    assert_eq!(places(&free.with(&[]).unwrap()), 1, "no spring, no place for it");
    assert_eq!(places(&free.with(&[("k".into(), 2.0)]).unwrap()), 3);
    assert_eq!(places(&free.with(&[("k".into(), 2.0), ("p".into(), 1.0)]).unwrap()), 2);
}

#[test]
fn mistakes_are_those_of_reading_the_file() {
    let compiled = Compiled::read(&source("car-axis")).unwrap();
    for wrong in [("gravity", 1.0), ("M", f64::NAN), ("y'", 0.0), ("eps", -1.0), ("L'", 2.0)] {
        let overrides = [(wrong.0.to_string(), wrong.1)];
        let read = Model::read(&source("car-axis"), &overrides).map(|_| ()).map_err(|e| e.to_string());
        let set = compiled.with(&overrides).map(|_| ()).map_err(|e| e.to_string());
        assert_eq!(read, set, "{wrong:?}");
    }
    assert!(compiled.with(&[("gravity".into(), 1.0)]).is_err());
}

#[test]
fn threads_share_a_compiled_model() {
    let compiled = Compiled::read(&source("squeezer")).unwrap();
    let alone: Vec<_> = [0.9, 1.1].map(|x| evaluated(&compiled.with(&[("c0".into(), x)]).unwrap())).into();
    let together: Vec<_> = std::thread::scope(|scope| {
        let run = |x: f64| {
            let compiled = &compiled;
            scope.spawn(move || evaluated(&compiled.with(&[("c0".into(), x)]).unwrap()))
        };
        [0.9, 1.1].map(run).into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

#[test]
fn copies_are_evaluated_together() {
    let compiled = Compiled::read(&source("squeezer")).unwrap();
    let models: Vec<Model> =
        (0..11).map(|k| compiled.with(&[("c0".into(), 4000.0 + 50.0 * f64::from(k))]).unwrap()).collect();
    let mechanism = |model: &Model| match &model.system {
        System::Mechanical(system) => system.clone(),
        _ => panic!("the squeezer is a mechanical system"),
    };
    let copies: Vec<_> = models.iter().map(mechanism).collect();
    let mut ensemble = MechanicalEnsemble::new(&copies.iter().collect::<Vec<_>>()).unwrap();
    let (structure, count) = (copies[0].structure().clone(), copies.len());
    let sizes = [structure.mass.nnz(), structure.n(), structure.m(), structure.jacobian.nnz()];
    let evaluated = |count: usize, evaluate: &mut dyn FnMut(&mut Dynamics<'_>)| {
        let [mut mass, mut force, mut constraint, mut jacobian] = sizes.map(|size| vec![0.0; count * size]);
        evaluate(&mut Dynamics {
            mass: &mut mass,
            force: &mut force,
            constraint: &mut constraint,
            jacobian: &mut jacobian,
        });
        [mass, force, constraint, jacobian]
    };
    let (q, v) = (&models[0].start.q, &models[0].start.v);
    let together = evaluated(count, &mut |out| {
        assert!(ensemble.dynamics(&vec![0.25; count], &q.repeat(count), &v.repeat(count), out));
    });
    for (k, copy) in copies.iter().enumerate() {
        let alone = evaluated(1, &mut |out| copy.dynamics(0.25, q, v, out).unwrap());
        for ((all, one), size) in together.iter().zip(&alone).zip(sizes) {
            assert_eq!(all[k * size..][..size], one[..], "copy {k}");
        }
    }
    let other = mechanism(&Compiled::read(&source("squeezer")).unwrap().with(&[]).unwrap());
    assert!(MechanicalEnsemble::new(&[&copies[0], &other]).is_none());
}

/// A thread keeps storage from one run to the next; what was in it must not be seen.
#[test]
fn runs_do_not_see_what_a_thread_has_run_before() {
    for (name, parameter, values) in [
        ("squeezer", "mom", [0.02, 0.05]),
        ("pendulum", "g", [1.0, 9.81]),
        ("van-der-pol", "eps", [0.5, 1.0]),
    ] {
        let compiled = Model::read(&source(name), &[]).unwrap().compiled().clone();
        let bits = |value: f64| {
            let model = compiled.with(&[(parameter.into(), value)]).unwrap();
            let end = 0.2 * model.end.unwrap();
            let motion = crate::phases::run(&model, "taylor", 1e-8, end).unwrap();
            motion.y.into_iter().map(f64::to_bits).collect::<Vec<u64>>()
        };
        let alone = std::thread::scope(|scope| scope.spawn(|| bits(values[0])).join().unwrap());
        let [first, other, again] = [values[0], values[1], values[0]].map(bits);
        assert_ne!(other, first, "{name}");
        assert_eq!(first, alone, "{name}");
        assert_eq!(again, alone, "{name}");
    }
}
