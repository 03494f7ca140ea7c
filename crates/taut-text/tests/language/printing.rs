//! Models in canonical form and formatted are the same models.

use taut::system::{FirstOrderSystem, Terms};
use taut_text::{Model, Source, builtin, canonical, format};

fn read(text: &str) -> Model {
    Model::read(&Source::new("models/model.toml", text), &[])
        .unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// What a model computes beside its start, as bits.
fn numbers(model: &Model) -> Vec<u64> {
    let mut all: Vec<f64> = model.parameters.iter().map(|(_, value)| *value).collect();
    let (t, q, v) = (model.start.t, &model.start.q, &model.start.v);
    all.extend(q.iter().chain(v).chain(&model.end));
    let q: Vec<f64> = q.iter().enumerate().map(|(i, x)| x + 1e-3 * (i as f64).sin()).collect();
    if let Some(system) = model.system.mechanism() {
        let mut force = vec![0.0; q.len()];
        let mut constraint = vec![0.0; system.structure().m()];
        let known = system.force(Terms::ACCELERATING, t, &q, v, &mut force).is_ok();
        all.extend(force.iter().filter(|_| known));
        system.constraint(t, &q, &mut constraint).unwrap();
        all.extend(constraint);
    }
    if let Some(system) = model.system.evolution() {
        let mut rate = vec![0.0; q.len()];
        system.rate(t, &q, &mut rate).unwrap();
        all.extend(rate);
    }
    let mut observed = vec![0.0; model.observers.names().len()];
    model.observers.evaluate(t, &q, v, &mut observed);
    let mut drawn = vec![0.0; model.drawing.len()];
    model.drawing.evaluate(t, &q, v, &mut drawn);
    all.iter().chain(&observed).chain(&drawn).map(|x| x.to_bits()).collect()
}

#[test]
fn canonical_forms_of_all_models_are_the_same_models() {
    for (name, _, text) in builtin() {
        let printed = canonical(&Source::new(*name, *text)).unwrap();
        assert!(!printed.contains('#'), "{printed}");
        let (one, other) = (read(text), read(&printed));
        assert_eq!(one.coordinates(), other.coordinates(), "{name}");
        assert_eq!(one.observers.names(), other.observers.names(), "{name}");
        assert_eq!(numbers(&one), numbers(&other), "{name}\n{printed}");
        assert_eq!(canonical(&Source::new(*name, printed.as_str())).unwrap(), printed, "{name}");
    }
}

#[test]
fn formatted_models_are_the_same_models_with_their_comments() {
    for (name, _, text) in builtin() {
        let formatted = format(&Source::new(*name, *text)).unwrap();
        assert_eq!(numbers(&read(text)), numbers(&read(&formatted)), "{name}");
        assert_eq!(text.matches('#').count(), formatted.matches('#').count(), "{name}\n{formatted}");
        assert_eq!(format(&Source::new(*name, formatted.as_str())).unwrap(), formatted, "{name}");
    }
}

#[test]
fn files_are_formatted_in_one_way() {
    let text = "\n\n# a mass\nname='a-b'   # its name\n[parameters]\nk=4.0\n[coordinates]\nx={start=1.0,velocity = \"-k +1\"}   \n\n\n\
                [energy]\nkinetic   = \"( x' )^2 /2\"\npotential=\"\"\"k*\n x^2\"\"\"\n[observe]\n\"p{1+1}\" = [\"x\",\n    \"x+k*(  x -1)\" ]\n\
                c = \"if(not x<0 and x>-1,-x , x{i - 1}[2])\"\n";
    let expected = "# a mass\nname = 'a-b'   # its name\n\n[parameters]\nk = 4.0\n\n[coordinates]\nx = { start = 1.0, velocity = \"-k + 1\" }\n\n\
                    [energy]\nkinetic = \"(x')^2/2\"\npotential = \"\"\"k*\n x^2\"\"\"\n\n[observe]\n\"p{1+1}\" = [\"x\",\n    \"x + k*(x - 1)\"]\n\
                    c = \"if(not x < 0 and x > -1, -x, x{i-1}[2])\"\n";
    assert_eq!(format(&Source::new("m.toml", text)).unwrap(), expected);
}

#[test]
fn what_is_no_toml_is_not_formatted() {
    let wrong = Source::new("m.toml", "[energy\nkinetic = \"x\"");
    assert!(format(&wrong).is_err() && canonical(&wrong).is_err());
    // Words are no formulas, and what cannot be read stays as it is.
    let text = "name = \"stick-slip\"\n\n[observe]\na = \"x+ =\"\n";
    assert_eq!(format(&Source::new("m.toml", text)).unwrap(), text);
}
