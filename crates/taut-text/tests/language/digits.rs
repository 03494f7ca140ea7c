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
    for (name, reason) in [
        ("water-molecule", "strong potentials"),
        ("stewart", "bodies"),
        ("transistor-amplifier", "algebraic variables"),
    ] {
        let error = ExactModel::read(&model(name), &[]).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    let kink = "[coordinates]\nx = { start = 1.0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"abs(x)\"\n";
    let error = ExactModel::read(&Source::new("kink.toml", kink), &[]).unwrap_err().to_string();
    assert!(error.contains("branches"), "{error}");
}
