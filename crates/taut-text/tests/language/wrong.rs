//! Wrong models and what is said about them: `tests/wrong/*.toml` with the expected message beside.
//!
//! After a change of a message run with `TAUT_BLESS=1` and read the difference.

use std::fs;
use std::path::Path;

use taut_text::{Errors, Model, Source};

fn errors(name: &str, text: &str, overrides: &[(String, f64)]) -> Errors {
    match Model::read(&Source::new(name, text), overrides) {
        Ok(_) => panic!("{name} was accepted"),
        Err(errors) => errors,
    }
}

#[test]
fn every_wrong_model_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    assert!(paths.len() >= 60, "{} wrong models", paths.len());
    let mut differing = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let found = format!("{}\n", errors(name, &text, &[]));
        let expected = path.with_extension("txt");
        if std::env::var_os("TAUT_BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        if found != expected {
            differing.push(format!("{name}: found\n{found}\nexpected\n{expected}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

const SMALL: &str = "[parameters]\nmass = 1\n[coordinates]\nx = { start = 0 }\n\
                     [define]\nh = \"2*x\"\n[energy]\nkinetic = \"mass/2*x'^2\"\n";

#[test]
fn overrides_of_nothing_are_mistakes_without_a_place() {
    let message = |name: &str, value: f64| {
        let errors = errors("small", SMALL, &[(name.to_string(), value)]);
        assert_eq!(errors.mistakes()[0].line, None);
        errors.to_string()
    };
    assert_eq!(message("mas", 2.0), "error: 'mas' cannot be set\n |\n = help: did you mean 'mass'?");
    assert_eq!(message("h", 2.0), "error: 'h' cannot be set\n |\n = help: 'h' is a definition");
    assert_eq!(message("mass'", 2.0), "error: 'mass'' cannot be set\n |\n = help: 'mass' is a parameter");
    assert_eq!(message("x", f64::NAN), "error: 'x' is set to what is not a finite number");
}

#[test]
fn mistakes_can_be_asked_for_their_parts() {
    let text = SMALL.replace("mass/2", "mas/2").replace("\"2*x\"", "\"2*(x\"");
    let errors = errors("small.toml", &text, &[]);
    let found: Vec<_> = errors.mistakes().iter().map(|m| (m.line, m.column, m.message.as_str())).collect();
    assert_eq!(
        found,
        [(Some(6), Some(8), "this is never closed"), (Some(8), Some(12), "unknown name 'mas'"),]
    );
    assert_eq!(errors.mistakes()[1].help.as_deref(), Some("did you mean 'mass'?"));
    let span = errors.mistakes()[1].span.unwrap();
    assert_eq!(&errors.source().text()[span.start..span.end], "mas");
    assert_eq!(errors.source().name(), "small.toml");
    assert!(errors.coloured().contains('\u{1b}') && !errors.to_string().contains('\u{1b}'));
}
