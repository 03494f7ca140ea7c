//! What model files can say beyond numbers: conditions, functions, vectors, rates of definitions, dissipation.

use taut::system::Terms;
use taut_text::{Model, Source, System};

fn read(text: &str) -> Model {
    match Model::read(&Source::new("model.toml", text), &[]) {
        Ok(model) => model,
        Err(errors) => panic!("{errors}"),
    }
}

/// The observations of a free particle in space at a state.
fn observed(sections: &str, t: f64, q: [f64; 3], v: [f64; 3]) -> Vec<(String, f64)> {
    let text = format!(
        "{sections}\n[coordinates]\nx = {{ start = 0 }}\ny = {{ start = 0 }}\nz = {{ start = 0 }}\n\
         [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
    );
    let model = read(&text);
    let mut values = vec![0.0; model.observers.names().len()];
    model.observers.evaluate(t, &q, &v, &mut values);
    model.observers.names().iter().cloned().zip(values).collect()
}

fn value(expression: &str, t: f64) -> f64 {
    observed(&format!("[observe]\na = \"{expression}\""), t, [0.3, -0.4, 1.2], [1.0, 2.0, 3.0])[0].1
}

#[test]
fn conditions_choose() {
    for (expression, at) in [
        ("if(t < 1, 2, 3)", [2.0, 3.0, 3.0]),
        ("if(t <= 1, 2, 3)", [2.0, 2.0, 3.0]),
        ("if(t > 1, 2, 3)", [3.0, 3.0, 2.0]),
        ("if(t >= 1, 2, 3)", [3.0, 2.0, 2.0]),
        ("if(t == 1, 2, 3)", [3.0, 2.0, 3.0]),
        ("if(t != 1, 2, 3)", [2.0, 3.0, 2.0]),
        ("if(not t < 1, 2, 3)", [3.0, 2.0, 2.0]),
        ("if(t > 0.5 and t < 1.5, 2, 3)", [3.0, 2.0, 3.0]),
        ("if(t < 0.5 or t > 1.5, 2, 3)", [2.0, 3.0, 2.0]),
        ("if(t < 0.5 or t > 0.5 and not (t > 1.5), 2, 3)", [2.0, 2.0, 3.0]),
        ("if(t < 1, 1/(t - 1), 7)", [-1.0, 7.0, 7.0]),
        ("step(t - 1)", [0.0, 1.0, 1.0]),
    ] {
        assert_eq!([0.0, 1.0, 2.0].map(|t| value(expression, t)), at, "{expression}");
    }
}

#[test]
fn functions_of_numbers_are_right() {
    for (expression, expected) in [
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("round(2.5)", 3.0),
        ("mod(-1, 3)", 2.0),
        ("mod(t, 2)", 1.0),
        ("log10(1000)", 3.0),
        ("cbrt(-27)", -3.0),
        ("erf(0)", 0.0),
        ("erf(0.5)", 0.520_499_877_813_046_5),
        ("erf(-2)", -0.995_322_265_018_952_7),
        ("erf(3.5)", 0.999_999_256_901_627_7),
        ("erf(40)", 1.0),
    ] {
        let found = value(expression, 7.0);
        assert!((found - expected).abs() <= 4e-16 * expected.abs().max(0.1), "{expression}: {found}");
    }
}

#[test]
fn functions_of_the_model_are_put_in() {
    let sections = r#"
        [functions]
        "square(x)" = "x*x"
        "saturate(x, limit)" = "limit*tanh(x/limit)"
        "length(p)" = "sqrt(dot(p, p))"
        "far(p, r)" = "if(length(p) > r, saturate(square(length(p)), 5), 0)"
        [parameters]
        limit = 3
        [observe]
        a = "saturate(x, limit)"
        b = "square(square(2)) + square(z)"
        c = "far([x, y, z], 1)"
    "#;
    let values = observed(sections, 0.0, [0.3, -0.4, 1.2], [0.0; 3]);
    assert_eq!(values[0].1, 3.0 * (0.3_f64 / 3.0).tanh());
    assert_eq!(values[1].1, 16.0 + 1.2 * 1.2);
    assert!((values[2].1 - 5.0 * (1.69_f64 / 5.0).tanh()).abs() < 1e-15);
}

#[test]
fn vectors_and_matrices_compute() {
    let sections = r#"
        [parameters]
        axis = [0, 0, 2]
        R0 = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
        [define]
        p = ["x", "y", "z"]
        turned = "rotation(axis, pi/2)*p"
        [observe]
        sum = "p + 2*[1, 1, 1] - p/2"
        dot = "dot(p, p)"
        cross = "cross(p, [1, 0, 0])"
        norm = "norm(p)"
        second = "p[2]"
        off = "norm(turned - R0*p)"
        back = "transpose(R0)*(R0*p)"
        plane = "cross([x, y], [y, x])"
        "p'" = "p'"
        twice = "(R0*R0)[1][1]"
    "#;
    let q = [0.3, -0.4, 1.2];
    let values = observed(sections, 0.0, q, [1.0, 2.0, 3.0]);
    let get = |name: &str| values.iter().find(|(column, _)| column == name).unwrap().1;
    assert_eq!(["sum[1]", "sum[2]", "sum[3]"].map(get), [2.15, 1.8, 2.6]);
    assert!((get("dot") - 1.69).abs() < 1e-15);
    assert_eq!(["cross[1]", "cross[2]", "cross[3]"].map(get), [0.0, 1.2, 0.4]);
    assert!((get("norm") - 1.3).abs() < 1e-15);
    assert_eq!(get("second"), -0.4);
    assert!(get("off") < 1e-16);
    assert_eq!(["back[1]", "back[2]", "back[3]"].map(get), q);
    assert!((get("plane") - (0.09 - 0.16)).abs() < 1e-16);
    assert_eq!(["p'[1]", "p'[2]", "p'[3]"].map(get), [1.0, 2.0, 3.0]);
    assert_eq!(get("twice"), -1.0);
}

#[test]
fn an_equation_between_vectors_is_one_constraint_for_each_element() {
    let model = read(
        r#"
        [coordinates]
        x = { start = 1 }
        y = { start = 0 }
        u = { start = 1 }
        v = { start = 0 }
        [define]
        p = ["x", "y"]
        [energy]
        kinetic = "(x'^2 + y'^2 + u'^2 + v'^2)/2"
        [constraints]
        joint = "p - [u, v]"
        rod = "norm(p) - 1"
        "#,
    );
    let System::Mechanical(system) = &model.system else { panic!("a mechanical model") };
    use taut::system::MechanicalSystem;
    let names: Vec<&str> = system.structure().constraints.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["joint[1]", "joint[2]", "rod"]);
    let mut g = [0.0; 3];
    system.constraint(0.0, &[3.0, 4.0, 1.0, 5.0], &mut g).unwrap();
    assert_eq!(g, [2.0, -1.0, 4.0]);
}

#[test]
fn rates_of_definitions_and_dissipation_follow_the_chain_rule() {
    let model = read(
        r#"
        [parameters]
        c = 0.5
        [coordinates]
        a = { start = 0.3, velocity = 2 }
        b = { start = 0.7, velocity = -1 }
        [define]
        x = "sin(a)"
        y = "x*cos(b) + t^2"
        [energy]
        kinetic = "(x'^2 + a'^2 + b'^2)/2"
        dissipation = "c/2*y'^2"
        [observe]
        rate = "y'"
        "#,
    );
    let (t, a, b, u, w) = (0.25_f64, 0.3_f64, 0.7_f64, 2.0_f64, -1.0_f64);
    let mut rate = [0.0];
    model.observers.evaluate(t, &[a, b], &[u, w], &mut rate);
    let slopes = [a.cos() * b.cos(), -a.sin() * b.sin()];
    let expected = slopes[0] * u + slopes[1] * w + 2.0 * t;
    assert!((rate[0] - expected).abs() < 1e-15);
    let mechanism = model.system.mechanism().unwrap();
    let mut force = [0.0; 2];
    mechanism.force(Terms::DISSIPATIVE, t, &[a, b], &[u, w], &mut force).unwrap();
    for (force, slope) in force.iter().zip(slopes) {
        assert!((force + 0.5 * expected * slope).abs() < 1e-15);
    }
    let mut mass = vec![0.0; mechanism.structure().mass.nnz()];
    mechanism.mass(&[a, b], &mut mass).unwrap();
    assert!((mass[0] - (1.0 + a.cos().powi(2))).abs() < 1e-15);
}

#[test]
fn names_that_were_free_stay_free() {
    let values = observed(
        "[parameters]\nfloor = 2\nstep = 3\nnorm = 4\nmod = 5\nnot = 6\nand = 7\nif = 8\n\
         [observe]\na = \"floor + step*norm - mod + not + and*if\"\nb = \"floor(floor + 0.5)\"",
        0.0,
        [0.0; 3],
        [0.0; 3],
    );
    assert_eq!(values[0].1, 2.0 + 12.0 - 5.0 + 6.0 + 56.0);
    assert_eq!(values[1].1, 2.0);
}
