//! Names, starts and texts.

use std::collections::HashSet;

use taut_problems::mechanics::{planar_chain, space_chain};
use taut_problems::{Error, State, System, all, find};

use crate::support::{every_problem, label};

#[test]
fn names_and_starts_are_unique_and_found() {
    let mut seen = HashSet::new();
    for entry in all() {
        assert!(!entry.starts.is_empty(), "{}", entry.name);
        assert_eq!(find(entry.name).unwrap().start_name, entry.starts[0]);
        for start in entry.starts {
            let name = format!("{}/{start}", entry.name);
            let problem = find(&name).unwrap();
            assert_eq!(label(&problem), name);
            assert!(seen.insert(name));
        }
    }
    assert_eq!(all().count(), 51);
}

#[test]
fn every_start_of_a_file_is_offered() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/reference");
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let name = table["name"].as_str().unwrap();
        let entry = all().find(|entry| entry.name == name).unwrap();
        let starts = table["start"].as_array().unwrap().iter().map(|start| start["id"].as_str().unwrap());
        for start in starts {
            assert!(entry.starts.contains(&start), "{name}/{start}");
        }
        let references = table["reference"].as_array().unwrap().len();
        let found: usize =
            entry.starts.iter().map(|start| entry.with_start(start).unwrap().references.len()).sum();
        assert_eq!(found, references, "{name}");
    }
}

#[test]
fn unknown_names_are_refused_by_name() {
    assert_eq!(find("perpetuum").unwrap_err(), Error::UnknownProblem { name: "perpetuum".into() });
    let unknown = Error::UnknownStart { problem: "pendulum".into(), start: "upside_down".into() };
    assert_eq!(find("pendulum/upside_down").unwrap_err(), unknown);
    assert_eq!(unknown.to_string(), "problem 'pendulum' has no start 'upside_down'");
}

#[test]
fn texts_are_complete_and_states_fit_their_systems() {
    for problem in every_problem() {
        let name = label(&problem);
        for text in [&problem.title, &problem.source, &problem.purpose] {
            assert!(text.len() >= 5, "{name}: '{text}'");
        }
        assert!(problem.index <= 3);
        assert!(problem.t_end > problem.start.t, "{name}");
        assert!(problem.kinks.is_sorted() && problem.kinks.iter().all(|t| *t < problem.t_end), "{name}");
        assert!(problem.references.is_sorted_by_key(|reference| reference.t), "{name}");
        let n = problem.system.n();
        for state in problem.references.iter().map(|reference| &reference.state).chain([&problem.start.state])
        {
            match (&problem.system, state) {
                (System::Mechanical(mechanism), State::Motion(motion)) => {
                    assert_eq!((motion.q.len(), motion.v.len()), (n, n), "{name}");
                    assert!(motion.a.as_ref().is_none_or(|a| a.len() == n), "{name}");
                    let m = mechanism.structure().m();
                    assert!(motion.lambda.as_ref().is_none_or(|lambda| lambda.len() == m), "{name}");
                }
                (System::FirstOrder(_), State::Variables(x)) => assert_eq!(x.len(), n, "{name}"),
                (System::FirstOrder(_), State::Some(known)) => {
                    assert!(!known.is_empty() && known.iter().all(|(i, _)| *i < n), "{name}");
                    assert_ne!(state, &problem.start.state, "{name}: a start must be complete");
                }
                _ => panic!("{name}: a state of the wrong kind"),
            }
        }
        assert!(problem.references.iter().all(|reference| reference.digits >= 7), "{name}");
    }
}

#[test]
fn chains_of_any_length_stay_sparse() {
    for (problem, entries) in [(planar_chain(50), 4), (space_chain(50), 6)] {
        let structure = problem.system.mechanism().unwrap().structure();
        let axes = structure.n() / 50;
        assert_eq!(structure.m(), 50);
        assert_eq!(structure.jacobian.nnz(), entries * 50 - axes);
        assert_eq!(structure.stiffness.nnz(), axes * (3 * 50 - 2));
        assert_eq!(structure.damping.nnz(), 0);
    }
}
