//! Thirty digits: motion in double-double numbers, with the numbers of model files as they are written.

use taut_formula::number::{DoubleDouble, Scalar};
use taut_text::{ExactModel, Source, builtin};

fn number(text: &str) -> DoubleDouble {
    DoubleDouble::parse(text).unwrap()
}

fn model(name: &str) -> Source {
    let (name, _, text) = builtin().iter().find(|(known, ..)| *known == name).unwrap();
    Source::new(*name, *text)
}

fn state(source: &Source, digits: usize, until: &str) -> Vec<DoubleDouble> {
    let model = ExactModel::read(source, &[]).unwrap();
    let motion = model.digits(digits).run(model.start_time, &model.start, &[number(until)]).unwrap();
    motion.states[0].clone()
}

/// The pendulum of index 3 against its closed form: with k = sin(π/4) and ω² = 9.81 the angle is 2 asin(k cd(ω t, k)), where
/// cd is Jacobi's elliptic function (mpmath with 50 digits). The multiplier is the tension, θ'² + 9.81 cos θ.
#[test]
fn the_pendulum_has_28_digits() {
    let known = [
        "-0.99690717399099181535236407840894",
        "-0.078588080809333751026794119456285",
        "-0.097585327976690087100591992604436",
        "1.2378914529322876062916207186408",
        "2.3128472182186922927185509355985",
    ];
    let found = state(&model("pendulum"), 30, "20");
    for (found, known) in found.iter().zip(known) {
        let error = (*found - number(known)).value().abs();
        assert!(error < 5e-29, "{} {known}: {error:e}", found.to_text(32));
    }
}

/// x' = −0.1 x: with a tenth that is not exact the seventeenth digit would be wrong.
#[test]
fn numbers_are_what_is_written() {
    let source = Source::new(
        "decay.toml",
        "[variables]\nx = { start = 1.0, rate = \"-0.1*x\" }\n[time]\nend = 10.0\n",
    );
    let found = state(&source, 30, "10");
    let error = (found[0] - number("0.36787944117144232159552377016146087")).value().abs();
    assert!(error < 1e-30, "{}: {error:e}", found[0].to_text(32));
}

#[test]
fn what_is_not_known_to_thirty_digits_is_refused_with_the_reason() {
    for (name, reason) in [("water-molecule", "strong potentials"), ("stewart", "bodies")] {
        let error = ExactModel::read(&model(name), &[]).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    let kink = "[coordinates]\nx = { start = 1.0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"abs(x)\"\n";
    let error = ExactModel::read(&Source::new("kink.toml", kink), &[]).unwrap_err().to_string();
    assert!(error.contains("branches"), "{error}");
}

fn source(text: &str) -> Source {
    Source::new("model.toml", text)
}

/// The largest difference of some numbers.
fn distance(a: &[DoubleDouble], b: &[DoubleDouble]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).value().abs()).fold(0.0, f64::max)
}

/// With z = ln(1 + y cos t) put in, the equations are ordinary; with twice an equation that has a derivative added to one that has
/// none, E is singular and not diagonal.
#[test]
fn variables_without_derivatives_have_25_digits() {
    let start = "z = { start = 0.4054651081081643819780131154643";
    let algebraic = format!(
        "[variables]\ny = {{ start = 0.5, rate = \"y*z\" }}\n{start}, equation = \"exp(z) - 1 - y*cos(t)\" }}\n[time]\nend = 2\n"
    );
    let mixed = format!(
        "[variables]\ny = {{ start = 0.5, rate = \"y*z\" }}\n{start}, rate = \"exp(z) - 1 - y*cos(t) + 2*y*z\" }}\n\
         [mass]\n\"y,y\" = \"1\"\n\"z,y\" = \"2\"\n[time]\nend = 2\n"
    );
    let ordinary = "[variables]\ny = { start = 0.5, rate = \"y*log(1 + y*cos(t))\" }\n[time]\nend = 2\n";
    let known = state(&source(ordinary), 28, "2");
    let found = [algebraic, mixed].map(|text| state(&source(&text), 28, "2"));
    for found in &found {
        assert!(distance(&found[..1], &known) < 1e-27, "{} {}", found[0].to_text(30), known[0].to_text(30));
    }
    assert!(distance(&found[0], &found[1]) < 1e-27);
}

/// E = [2 1; 1 3] in front of the derivatives of cos t and sin t.
#[test]
fn derivatives_may_have_factors() {
    let text = "[variables]\nx = { start = 1, rate = \"-2*y + x\" }\ny = { start = 0, rate = \"-y + 3*x\" }\n\
                [mass]\n\"x,x\" = \"2\"\n\"x,y\" = \"1\"\n\"y,x\" = \"1\"\n\"y,y\" = \"3\"\n[time]\nend = 1\n";
    let found = state(&source(text), 30, "1");
    let known = ["0.54030230586813971740093660744298", "0.84147098480789650665250232163030"].map(number);
    assert!(distance(&found, &known) < 1e-29, "{} {}", found[0].to_text(32), found[1].to_text(32));
}

/// The pendulum of `models/pendulum.toml` as H(q, p), and as u' = v, v' = k(u, λ), 0 = g(u): two more ways to its digits.
#[test]
fn the_pendulum_has_28_digits_as_a_hamiltonian() {
    let hamiltonian = "[parameters]\ng = 9.81\n[coordinates]\nx = { start = 1 }\ny = { start = 0 }\n\
        [hamiltonian]\nenergy = \"(p_x^2 + p_y^2)/2 + g*y\"\n[constraints]\nrod = \"(x^2 + y^2 - 1)/2\"\n[time]\nend = 20\n";
    let hessenberg = "[variables]\nx = { start = 1, rate = \"u\" }\ny = { start = 0, rate = \"v\" }\n\
        u = { start = 0, rate = \"-x*z\" }\nv = { start = 0, rate = \"-y*z - 9.81\" }\n\
        z = { start = 0, equation = \"x^2 + y^2 - 1\" }\n[time]\nend = 20\n";
    let known = state(&model("pendulum"), 30, "20");
    for text in [hamiltonian, hessenberg] {
        let found = state(&source(text), 30, "20");
        assert_eq!(found.len(), known.len());
        assert!(distance(&found, &known) < 5e-28, "{:e}", distance(&found, &known));
    }
}

/// Of index 2: said, and not integrated.
#[test]
fn a_higher_index_has_no_digits() {
    let text = "[variables]\nx = { start = 1, rate = \"-y + z\" }\ny = { start = 0, rate = \"x\" }\n\
                z = { start = 0, equation = \"x - cos(t)\" }\n[time]\nend = 1\n";
    let model = ExactModel::read(&source(text), &[]).unwrap();
    let error = model.digits(20).run(model.start_time, &model.start, &[number("1")]).unwrap_err().to_string();
    assert!(error.contains("the index is higher"), "{error}");
}
