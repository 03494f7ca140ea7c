//! `models`, `methods`, `tableau`, `completions`, help.

use crate::support::{keys, numbers, taut};
use taut_tableau::Family;

#[test]
fn help_shows_commands_and_examples() {
    let help = taut("--help");
    assert_eq!(help.code, 0);
    for word in ["run", "check", "models", "methods", "tableau", "verify", "plot", "Examples", "Exit status"]
    {
        assert!(help.out.contains(word), "{word}");
    }
    let nothing = taut("");
    assert_eq!((nothing.code, nothing.out.as_str()), (2, ""));
    assert!(nothing.err.contains("Usage"));
}

#[test]
fn what_does_not_exist_yet_is_refused() {
    for arguments in ["sweep pendulum", "run pendulum --smooth-start 4", "run pendulum --nonsense", "run"] {
        let answer = taut(arguments);
        assert_eq!(answer.code, 2, "{arguments}");
        assert!(answer.out.is_empty() && !answer.err.is_empty(), "{arguments}");
    }
}

#[test]
fn models_are_listed_one_line_each() {
    let answer = taut("models");
    assert_eq!(answer.code, 0);
    assert_eq!(answer.out.lines().count(), taut_text::builtin().len());
    assert!(answer.out.contains("squeezer"));
    let list = taut("models --json").json();
    assert_eq!(list.as_array().unwrap().len(), taut_text::builtin().len());
    assert_eq!(keys(&list[0]), ["name", "about", "text"]);
}

#[test]
fn a_model_is_printed_to_be_copied() {
    for (name, _, text) in taut_text::builtin() {
        let answer = taut(&format!("models {name}"));
        assert_eq!((answer.code, answer.out.as_str()), (0, *text), "{name}");
    }
    assert_eq!(taut("models pendulum --json").json()["name"], "pendulum");
    let answer = taut("models pendulm");
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("did you mean 'pendulum'?"), "{}", answer.err);
}

#[test]
fn methods_have_their_properties() {
    let answer = taut("methods");
    assert_eq!(answer.code, 0);
    assert!(answer.out.lines().next().unwrap().contains("stage order"));
    let list = taut("methods --json").json();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), taut::method::catalog().len());
    for (method, entry) in list.iter().zip(taut::method::catalog()) {
        assert_eq!(method["name"], entry.name);
        assert!(answer.out.contains(entry.name) && answer.out.contains(entry.suits), "{}", entry.name);
        let expected = [
            "name",
            "stages",
            "order",
            "stage_order",
            "a_stable",
            "l_stable",
            "stiffly_accurate",
            "symplectic",
            "symmetric",
            "suits",
        ];
        assert_eq!(keys(method), expected);
    }
    let radau = list.iter().find(|method| method["name"] == "radau").unwrap();
    let (stages, order) = (numbers(&radau["stages"]), numbers(&radau["order"]));
    assert!(stages.iter().zip(&order).all(|(s, p)| *p == 2.0 * s - 1.0));
    assert_eq!((&radau["l_stable"], &radau["stiffly_accurate"]), (&true.into(), &true.into()));
}

#[test]
fn the_spark_tableau_has_all_members() {
    let object = taut("tableau spark --stages 4 --json").json();
    let members = object["members"].as_array().unwrap();
    let names: Vec<&str> = members.iter().map(|member| member["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["lobatto-iiia", "lobatto-iiib", "lobatto-iiic", "lobatto-iiic*", "lobatto-iiid"]);
    assert!(members.iter().all(|member| member["stages"] == 4 && member["order"] == 6));
    assert!(members[2]["l_stable"] == true && members[4]["symplectic"] == true);
    let text = taut("tableau spark --stages 2").out;
    assert!(names.iter().all(|name| text.contains(&format!("{name}, 2 stages"))), "{text}");
    assert_eq!(taut("tableau spark --stages 1").code, 2);
}

#[test]
fn tableau_json_has_the_keys_and_the_bits() {
    for family in Family::ALL {
        let stages = family.stages()[1.min(family.stages().len() - 1)];
        let object = taut(&format!("tableau {family} --stages {stages} --json")).json();
        let expected = [
            "name",
            "stages",
            "order",
            "stage_order",
            "A",
            "b",
            "c",
            "r_infinity",
            "a_stable",
            "l_stable",
            "p_stable",
            "algebraically_stable",
            "explosive",
            "symplectic",
            "symmetric",
            "stiffly_accurate",
            "adjoint",
        ];
        assert_eq!(keys(&object), expected, "{family}");
        let tableau = family.tableau(stages).unwrap();
        assert_eq!(object["name"], family.name());
        assert_eq!(numbers(&object["b"]), tableau.b(), "{family}");
        assert_eq!(numbers(&object["c"]), tableau.c(), "{family}");
        for i in 0..stages {
            let row: Vec<f64> = (0..stages).map(|j| tableau.a()[(i, j)]).collect();
            assert_eq!(numbers(&object["A"][i]), row, "{family}");
        }
    }
}

#[test]
fn tableau_knows_adjoints_and_infinity() {
    let radau = taut("tableau radau --stages 3 --json").json();
    assert_eq!((&radau["order"], &radau["stage_order"]), (&5.into(), &3.into()));
    assert_eq!((&radau["adjoint"], &radau["r_infinity"]), (&serde_json::Value::Null, &0.0.into()));
    let star = taut("tableau lobatto-iiic* --stages 3 --json").json();
    assert_eq!((&star["adjoint"], &star["explosive"]), (&"lobatto-iiic".into(), &true.into()));
    assert!(star["r_infinity"].is_null());
    let gauss = taut("tableau gauss --stages 2 --json").json();
    assert_eq!((&gauss["adjoint"], &gauss["symplectic"]), (&"gauss".into(), &true.into()));
}

#[test]
fn bdf_has_its_own_object() {
    for order in 1..=6 {
        let object = taut(&format!("tableau bdf --stages {order} --json")).json();
        assert_eq!(keys(&object), ["name", "order", "alpha", "beta"]);
        assert_eq!(object["order"], order);
        let method = taut_tableau::Multistep::bdf(order).unwrap();
        assert_eq!(numbers(&object["alpha"]), method.alpha());
        assert_eq!(numbers(&object["beta"]), method.beta());
    }
    assert!(taut("tableau bdf --stages 2").out.contains("alpha"));
}

#[test]
fn a_tableau_for_people_has_aligned_columns() {
    let answer = taut("tableau radau --stages 3");
    assert_eq!(answer.code, 0);
    let bars: Vec<usize> = answer.out.lines().filter_map(|line| line.find(['|', '+'])).collect();
    assert_eq!(bars.len(), 5, "{}", answer.out);
    assert!(bars.iter().all(|bar| *bar == bars[0]));
    assert!(answer.out.contains("stiffly accurate"));
}

#[test]
fn wrong_tableaux_are_answered_with_what_exists() {
    for (arguments, listed) in [
        ("tableau nonsense --stages 3", "lobatto-iiic*"),
        ("tableau gauss --stages 0", "1 to 20"),
        ("tableau gauss --stages 21", "1 to 20"),
        ("tableau lobatto-iiia --stages 1", "2 to 20"),
        ("tableau sdirk --stages 4", "2, 3, 5"),
        ("tableau bdf --stages 0", "1 to 6"),
        ("tableau bdf --stages 7", "1 to 6"),
        ("tableau gauss --stages x", "invalid"),
    ] {
        let answer = taut(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}");
        assert!(answer.err.contains(listed), "{arguments}: {}", answer.err);
    }
}

#[test]
fn completions_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let answer = taut(&format!("completions {shell}"));
        assert_eq!(answer.code, 0);
        assert!(answer.out.contains("taut"));
    }
    assert_eq!(taut("completions tcsh").code, 2);
}
