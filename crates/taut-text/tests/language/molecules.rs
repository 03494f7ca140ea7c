//! Many bodies that act on each other: forces without second derivatives.

use taut::method::Method;
use taut::system::Partitioned;
use taut::{Error, Solver};
use taut_text::{Model, Source};

fn read(text: &str) -> Model {
    Model::read(&Source::new("waters.toml", text), &[]).unwrap()
}

/// N rigid waters whose charges act on each other.
fn waters(molecules: usize) -> String {
    let mut text = format!(
        "[parameters]\nN = {molecules}\n\n[functions]\n\
         \"coulomb(x, y, z, c)\" = \"c/sqrt(x^2 + y^2 + z^2)\"\n\n[[for]]\ni = \"1..N\"\n[for.coordinates]\n"
    );
    for (atom, x, y) in [("o", 0.0, 0.0), ("a", 0.577, 0.8165), ("b", 0.577, -0.8165)] {
        text += &format!(
            "\"{atom}x{{i}}\" = {{ start = \"4*mod(i - 1, 4) + {x}\" }}\n\
             \"{atom}y{{i}}\" = {{ start = \"4*mod(floor((i - 1)/4), 4) + {y}\" }}\n\
             \"{atom}z{{i}}\" = {{ start = \"4*floor((i - 1)/16)\" }}\n"
        );
    }
    text += "[for.constraints]\n";
    for (a, b, square) in [("o", "a", "1"), ("o", "b", "1"), ("a", "b", "8/3")] {
        text += &format!(
            "\"{a}{b}{{i}}\" = \"({a}x{{i}} - {b}x{{i}})^2 + ({a}y{{i}} - {b}y{{i}})^2 + ({a}z{{i}} - {b}z{{i}})^2 - {square}\"\n"
        );
    }
    let square = |atom: &str| format!("{atom}x{{i}}'^2 + {atom}y{{i}}'^2 + {atom}z{{i}}'^2");
    let (o, a, b) = (square("o"), square("a"), square("b"));
    text += &format!("\n[energy]\nkinetic = \"sum(i, 1, N, 16*({o}) + {a} + {b})/2\"\npotential = \"\"\"");
    text +=
        "sum(i, 1, N - 1, sum(j, i + 1, N, 1e6/((ox{i} - ox{j})^2 + (oy{i} - oy{j})^2 + (oz{i} - oz{j})^2)^6";
    for (one, charge) in [("o", -15.0), ("a", 7.5), ("b", 7.5)] {
        for (other, of_other) in [("o", -15.0), ("a", 7.5), ("b", 7.5)] {
            let difference = |axis: &str| format!("{one}{axis}{{i}} - {other}{axis}{{j}}");
            let (x, y, z) = (difference("x"), difference("y"), difference("z"));
            text += &format!("\n + coulomb({x}, {y}, {z}, {})", charge * of_other);
        }
    }
    text + "))\"\"\"\n\n[time]\nend = 0.1\n"
}

/// The derivatives of their forces have more than three million operations.
#[test]
fn sixty_four_waters_run_without_derivatives_of_their_forces() {
    let model = read(&waters(64));
    let system = model.system.mechanism().unwrap();
    assert!(!system.has_newton_blocks());
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = Solver::mechanical(system).method(Method::named("rattle").unwrap()).step(0.01).watch(true);
    let motion = solver.run(0.0, 0.1, &start).unwrap();
    assert!(motion.statistics.rhs <= 13, "{:?}", motion.statistics);
    assert!(motion.invariants.residuals[0] < 1e-12, "{:?}", motion.invariants);
    let refused = Solver::mechanical(system).method(Method::radau()).run(0.0, 0.1, &start);
    let Err(Error::Mismatch(mismatch)) = refused else { panic!("{refused:?}") };
    assert!(mismatch.to_string().contains("derivatives of the forces"), "{mismatch}");
}

/// Few have them, with the same motion.
#[test]
fn few_waters_have_derivatives_of_their_forces() {
    let model = read(&waters(2));
    assert!(model.system.mechanism().unwrap().has_newton_blocks());
}

/// The potential energy comes along with forces where these are asked for in parts: it is that of the state all the same.
#[test]
fn energy_is_that_of_the_state_whatever_was_evaluated_before() {
    let (model, fresh) = (read(&waters(3)), read(&waters(3)));
    let (system, fresh) = (model.system.mechanism().unwrap(), fresh.system.mechanism().unwrap());
    let (structure, v) = (system.structure(), &model.start.v);
    let mut forces = vec![0.0; structure.n()];
    let (mut constraint, mut jacobian) = (vec![0.0; structure.m()], vec![0.0; structure.jacobian.nnz()]);
    let elsewhere: Vec<f64> = model.start.q.iter().map(|q| 1.01 * q).collect();
    for asked in [&model.start.q, &elsewhere] {
        let mut out = Partitioned {
            mass: None,
            forces: &mut forces,
            constraint: &mut constraint,
            jacobian: &mut jacobian,
        };
        system.partitioned(&[system.terms()], 0.0, asked, v, &mut out).unwrap();
        for q in [&model.start.q, &elsewhere] {
            assert_eq!(system.energy(1.0, q, v).unwrap(), fresh.energy(1.0, q, v).unwrap());
        }
    }
}
