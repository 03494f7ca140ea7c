//! Steps of many stages do not miss what happens between them.

use taut::Solver;
use taut::method::Method;
use taut_text::{Model, Source, builtin};

/// What the worst step of `radau` is wrong by, in tolerances, with velocities that are so many times as large: each accepted step is
/// compared with series from where it began.
fn worst_step(model: &Model, tolerance: f64, faster: f64) -> f64 {
    let (system, n) = (model.system.mechanism().unwrap(), model.start.q.len());
    let mut start = [model.start.q.as_slice(), &model.start.v].concat();
    start[n..].iter_mut().for_each(|v| *v *= faster);
    let exact = Solver::mechanical(system).method(Method::named("taylor").unwrap()).tolerance(1e-12);
    let radau = Solver::mechanical(system).method(Method::named("radau").unwrap()).tolerance(tolerance);
    let driven = radau.steps(0.0, model.end.unwrap(), &start, |steps| {
        let (mut begun, mut here) = (0.0, start.clone());
        let mut error = |step: taut::run::Step| {
            let right = exact.run(begun, step.t, &here).unwrap().y;
            (begun, here) = (step.t, step.y[..2 * n].to_vec());
            let off = right.iter().zip(&here).map(|(right, y)| ((y - right) / (1.0 + right.abs())).powi(2));
            let squares: Vec<f64> = off.collect();
            let (q, v): (f64, f64) = (squares[..n].iter().sum(), squares[n..].iter().sum());
            (q.max(v) / n as f64).sqrt() / tolerance
        };
        steps.map(|step| error(step.unwrap())).fold(0.0, f64::max)
    });
    driven.unwrap()
}

/// The light bodies whip round within steps that look smooth at their beginning: steps were wrong by up to 311 tolerances at 1e-7 and
/// 1290 at 1e-9. Roundings decide where steps end and which is the worst, so that the middle one of several starts counts.
#[test]
fn what_whips_round_within_a_step_is_seen() {
    let model = Model::read(&Source::new("whip.toml", include_str!("whip.toml")), &[]).unwrap();
    for (tolerance, most) in [(1e-7, 60.0), (1e-9, 150.0)] {
        let mut worst: Vec<f64> =
            (0..3).map(|k| worst_step(&model, tolerance, 1.0 + 1e-6 * f64::from(k))).collect();
        worst.sort_by(f64::total_cmp);
        assert!(worst[1] < most, "{worst:.1?} tolerances in one step at {tolerance:e}");
    }
}

/// What is left of such errors is magnified: the run says so, and those of smooth motion do not.
#[test]
fn whips_are_told() {
    let run = |text: &str| {
        let model = Model::read(&Source::new("model.toml", text), &[]).unwrap();
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let radau = Method::named("radau").unwrap();
        let solver = Solver::mechanical(model.system.mechanism().unwrap()).method(radau).tolerance(1e-7);
        solver.run(0.0, model.end.unwrap(), &start).unwrap().warning
    };
    let told = run(include_str!("whip.toml"));
    assert!(told.is_some_and(|words| words.contains("whips round within steps")));
    for smooth in ["squeezer", "car-axis", "four-bar", "double-pendulum"] {
        let (_, _, text) = builtin().iter().find(|model| model.0 == smooth).unwrap();
        assert_eq!(run(text), None, "{smooth}");
    }
}
