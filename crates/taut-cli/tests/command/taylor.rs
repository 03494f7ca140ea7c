//! The method `taylor` on model files, and thirty digits.

use taut::Solver;
use taut::method::Method;
use taut::system::{Differentiated, Number, Scalar, Sketch};
use taut_problems::State;
use taut_text::{Model, Source, builtin};

use crate::support::{Folder, taut};

/// The largest error of positions, in tolerances.
fn error(name: &str, known: &[f64], tolerance: f64) -> f64 {
    let (name, _, text) = builtin().iter().find(|(builtin, ..)| *builtin == name).unwrap();
    let model = Model::read(&Source::new(*name, *text), &[]).unwrap();
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    let solver = Solver::mechanical(model.system.mechanism().unwrap()).tolerance(tolerance);
    let solver = solver.method(Method::named("taylor").unwrap());
    let motion = solver.run(model.start.t, model.end.unwrap(), &start).unwrap();
    let errors = motion.q().iter().zip(known).map(|(q, known)| (q - known).abs() / (1.0 + known.abs()));
    errors.fold(0.0, f64::max) / tolerance
}

fn reference(problem: &str) -> Vec<f64> {
    let problem = taut_problems::find(problem).unwrap();
    let reference = problem.references.iter().find(|reference| reference.t == problem.t_end).unwrap();
    match &reference.state {
        State::Motion(motion) => motion.q.clone(),
        _ => panic!("no motion"),
    }
}

#[test]
fn errors_are_few_tolerances() {
    let pendulum = [-0.9969071739909918, -0.07858808080933375];
    let known = [
        ("pendulum", pendulum.to_vec()),
        ("squeezer", reference("andrews")),
        ("car-axis", reference("car_axis")),
    ];
    for (name, known) in known {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let error = error(name, &known, tolerance);
            assert!(error <= 30.0, "{name} at {tolerance:e}: {error} tolerances");
        }
    }
}

/// y = sin t with λ = −y, where the constraint is a coordinate and nothing else.
#[test]
fn a_coordinate_may_be_a_constraint() {
    let folder = Folder::new();
    let model = "[coordinates]\nx = { start = 0.0 }\ny = { start = 0.0, velocity = 1.0 }\n\
        [mass]\n\"x,x\" = \"1\"\n\"y,y\" = \"1\"\n[energy]\npotential = \"x*y + y^2/2\"\n\
        [constraints]\nwall = \"x\"\n[time]\nend = 1.0\n";
    folder.write("wall.toml", model);
    let answer = folder.taut("run wall.toml --method taylor --rtol 1e-12 --json");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let summary = answer.json();
    let [y, lambda] = [&summary["q"][1], &summary["multipliers"]["wall"]].map(|x| x.as_f64().unwrap());
    assert!((y - 1.0_f64.sin()).abs() < 1e-12 && (lambda + y).abs() < 1e-11, "{y} {lambda}");
}

#[test]
fn functions_are_refused_with_what_to_take_instead() {
    // A closure that branches on a value is no formula.
    let kink = |x: Number| if x.value() > 0.0 { x.square() } else { x.square() * 0.5 };
    let closure = Differentiated::new(Sketch::new(["x"]).potential(move |q| kink(q[0])));
    let solver = Solver::mechanical(&closure).method(Method::named("taylor").unwrap());
    let refused = solver.run(0.0, 1.0, &[0.0, 1.0]).unwrap_err().to_string();
    assert!(refused.contains("it needs formulas") && refused.contains("dopri8 or adams"), "{refused}");
}

#[test]
fn digits_are_printed_and_written() {
    let folder = Folder::new();
    let answer = folder.taut("run pendulum --digits 25 --until 1 --samples 3 --json --out pendulum.csv");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let summary = answer.json();
    let x = summary["state"]["x"].as_str().unwrap();
    let rows = folder.text("pendulum.csv");
    let last: Vec<&str> = rows.lines().last().unwrap().split(',').collect();
    assert_eq!((rows.lines().count(), last[1]), (4, x));
    assert_eq!(x.chars().filter(char::is_ascii_digit).count(), 26, "25 digits and an exponent: {x}");
    assert!(rows.starts_with("t,x,y,x',y',lambda.rod\n"), "{rows}");
}

#[test]
fn what_has_no_meaning_beside_digits_is_refused() {
    for options in ["--rtol 1e-6", "--plot a.svg", "--method radau", "--out a.npz --samples 2", "--out a.csv"]
    {
        let answer = taut(&format!("run pendulum --digits 20 {options}"));
        assert_eq!(answer.code, 2, "{options}: {}", answer.out);
    }
    assert_eq!(taut("run stewart --digits 20").code, 2);
}

#[test]
fn references_say_how_many_digits_agree() {
    let answer = taut("reference pendulum --digits 22 --until 2");
    assert_eq!((answer.code, &answer.json()["digits"]), (0, &22.into()), "{}", answer.err);
}
