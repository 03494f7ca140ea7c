//! Files that mean no good, and files that are merely large.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use taut::system::MechanicalSystem;
use taut_text::{Errors, Model, Source, builtin};

const SMALL: &str = "[coordinates]\nx = { start = 0 }\n[energy]\nkinetic = \"x'^2/2\"\n";

fn read(text: &str) -> Result<Model, Errors> {
    Model::read(&Source::new("hostile.toml", text), &[])
}

/// A model, or errors that can be rendered and that point into the file.
fn is_answered(text: &str) {
    let Err(errors) = read(text) else { return };
    assert!(!errors.mistakes().is_empty());
    assert!(!errors.to_string().is_empty() && !errors.coloured().is_empty());
    let lines = text.split('\n').count();
    for mistake in errors.mistakes() {
        assert!(mistake.line.is_none_or(|line| (1..=lines).contains(&line)), "{mistake:?}");
        assert!(!mistake.message.is_empty());
    }
}

fn first_message(text: &str) -> String {
    match read(text) {
        Ok(_) => "accepted".into(),
        Err(errors) => errors.mistakes()[0].message.clone(),
    }
}

/// A change of a model: where, how much is taken out, what is put in.
fn mutations() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, String)>> {
    let pieces = prop_oneof![
        "[-+*/^(){}',.=\\[\\]\"\\\\#\n 0-9a-z]{0,6}",
        Just("sum(i, 1, N, ".to_string()),
        Just("{i}".to_string()),
        Just("1e308*".to_string()),
        Just("\"\"\"".to_string()),
        Just("'".to_string()),
        Just("[[for]]\ni = \"1..9\"\n".to_string()),
        Just("é∂".to_string()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, pieces), 1..4)
}

proptest! {
    #![proptest_config(crate::common::deterministic(400))]

    #[test]
    fn mutated_models_are_answered(
        model in 0..builtin().len(),
        changes in mutations(),
    ) {
        let mut letters: Vec<char> = builtin()[model].2.chars().collect();
        for (at, removed, added) in changes {
            let start = at.index(letters.len() + 1);
            let end = (start + removed).min(letters.len());
            letters.splice(start..end, added.chars());
        }
        is_answered(&letters.into_iter().collect::<String>());
    }

    #[test]
    fn random_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        is_answered(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_formulas_are_answered(formula in "[-+*/^(){}',. 0-9xyts\\\\n]{0,40}") {
        is_answered(&format!("{SMALL}potential = \"{formula}\"\n[constraints]\nc = '''\n{formula}'''\n"));
    }
}

#[test]
fn limits_are_messages() {
    let potential = |formula: &str| first_message(&format!("{SMALL}potential = \"{formula}\"\n"));
    assert_eq!(potential(&format!("{}x", "-".repeat(5000))), "this expression is nested too deeply");
    assert_eq!(potential(&"x + ".repeat(100_000)), "this expression is too long");
    assert_eq!(potential("sum(i, 1, 1e8, x)"), "too many repetitions");
    assert_eq!(potential("sum(i, 1, 1e4, sum(j, 1, 1e4, i*j*x))"), "too many repetitions");
    assert_eq!(potential(&format!("x{}", "{1000000}".repeat(60))), "this name is too long");
    let many = "[[for]]\ni = \"1..500001\"\n[for.coordinates]\n\"x{i}\" = { start = 0 }\n\"y{i}\" = { start = 0 }\n\
                [energy]\nkinetic = \"x1'^2\"\n";
    assert_eq!(first_message(many), "too many coordinates");
    let names = "[[for]]\ni = \"1..600001\"\n[for.parameters]\n\"p{i}\" = 0\n\"q{i}\" = 0\n";
    assert_eq!(first_message(&format!("{names}{SMALL}")), "too many names");
    assert!(first_message(&" ".repeat(5 << 20)).ends_with("at most 4194304 bytes"));
    let nested = format!("a = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_ne!(first_message(&nested), "accepted");
    let indices: String = ('a'..='k').map(|i| format!("{i} = \"1..1\"\n")).collect();
    let text =
        format!("[[for]]\n{indices}[for.coordinates]\nx = {{ start = 0 }}\n[energy]\nkinetic = \"x'^2\"\n");
    assert_eq!(first_message(&text), "too many indices");
}

/// Every derivative of (((x+1)² + x)² + x)² ... doubles what it contains, unless it is shared.
#[test]
fn formulas_that_explode_when_written_out_stay_small_or_are_refused() {
    let mut definitions = String::from("d0 = \"x\"\n");
    for k in 1..=40 {
        definitions.push_str(&format!("d{k} = \"sin(d{} + x)*d{}\"\n", k - 1, k - 1));
    }
    let text = format!(
        "[coordinates]\nx = {{ start = 0 }}\n[define]\n{definitions}[energy]\nkinetic = \"x'^2/2\"\npotential = \"d40\"\n"
    );
    let started = Instant::now();
    assert!(read(&text).is_ok());
    assert!(started.elapsed() < Duration::from_secs(10));
}

/// Thousands of powers with different exponents are thousands of kinds of instructions.
#[test]
fn a_long_quotient_is_read_in_time_that_grows_with_its_length() {
    let quotient = format!("x{}", "/(x+1)".repeat(33_000));
    let started = Instant::now();
    assert!(read(&format!("{SMALL}potential = \"{quotient}\"\n")).is_ok());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn a_full_mass_matrix_of_many_bodies_is_refused_with_a_message() {
    let text = "[[for]]\ni = \"1..5000\"\n[for.coordinates]\n\"a{i}\" = { start = 0 }\n[for.define]\n\"s{i}\" = \"sin(a{i})*a{i}'\"\n\
                [define]\nall = \"sum(i, 1, 5000, s{i})\"\n[energy]\nkinetic = \"all^2\"\n";
    let started = Instant::now();
    assert_eq!(
        first_message(text),
        "the model is too large: its formulas and their derivatives have more than 3200000 operations"
    );
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_chain_of_a_thousand_links_loads_at_once_and_is_sparse() {
    let text = builtin().iter().find(|model| model.0 == "chain").unwrap().2;
    let started = Instant::now();
    let model = Model::read(&Source::new("chain", text), &[("N".to_string(), 1000.0)]).unwrap();
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let chain = crate::common::mechanical(model);
    let structure = chain.structure();
    assert_eq!((structure.n(), structure.m()), (2000, 1000));
    assert_eq!((structure.mass.nnz(), structure.jacobian.nnz()), (2000, 3998));
    assert_eq!(structure.stiffness.nnz(), 2 * (3 * 1000 - 2));
    assert!(structure.constant_mass && structure.damping.nnz() == 0);
}

/// Time and memory grow with the number of links: what 100 000 need, in 3 seconds and 1 GB, is ten times this.
#[test]
fn a_chain_of_ten_thousand_links_takes_a_hundredth_of_a_gigabyte_for_a_thousand_of_them() {
    let text = builtin().iter().find(|model| model.0 == "chain").unwrap().2;
    let source = Source::new("chain", text);
    let bytes = |links: f64| {
        let mut model = None;
        let counted = allocation_counter::measure(|| {
            model = Some(Model::read(&source, &[("N".to_string(), links)]).unwrap());
        });
        let system = crate::common::mechanical(model.unwrap());
        let structure = system.structure();
        assert_eq!((structure.n(), structure.m()), (2 * links as usize, links as usize));
        let q: Vec<f64> = (0..structure.n()).map(|k| (k as f64 * 0.7).sin()).collect();
        let (mut g, mut jacobian) = (vec![0.0; structure.m()], vec![0.0; structure.jacobian.nnz()]);
        system.constraint(0.0, &q, &mut g).unwrap();
        system.jacobian(0.0, &q, &q, &mut jacobian).unwrap();
        let last = q.len() - 4;
        let [dx, dy] = [0, 1].map(|d| q[last + 2 + d] - q[last + d]);
        assert!((g[g.len() - 1] - (dx * dx + dy * dy - 1.0) / 2.0).abs() < 1e-14);
        assert_eq!(jacobian[jacobian.len() - 1].to_bits(), dy.to_bits());
        counted.bytes_max
    };
    let (small, large) = (bytes(1000.0), bytes(10_000.0));
    assert!(large < 100_000_000, "{large} bytes");
    assert!(large < 14 * small, "{small} bytes, then {large}");
}
