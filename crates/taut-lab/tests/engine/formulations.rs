//! The forms of the constraints: they agree on the motion and differ in what they keep.

use taut::equations::Formulation;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::{Options, Projection};
use taut_lab::solver_of;
use taut_problems::{Problem, find};

fn run(problem: &Problem, formulation: Formulation, projection: Option<Projection>, t: f64) -> Motion {
    let options = Options { rtol: 1e-8, atol: 1e-8, formulation, projection, ..Options::default() };
    let start = problem.start.state.motion().unwrap();
    let y = [start.q.as_slice(), &start.v].concat();
    let solver =
        solver_of(problem).method(Method::radau().with_stages(3).unwrap()).options(options).watch(true);
    solver.run(problem.start.t, t, &y).unwrap()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

#[test]
fn all_formulations_agree_on_the_motion() {
    for (name, t) in [("pendulum", 10.0), ("car_axis", 1.0)] {
        let problem = find(name).unwrap();
        let usual = run(&problem, Formulation::Index3, None, t);
        for formulation in Formulation::ALL {
            let motion = run(&problem, formulation, None, t);
            let (q, v) = (distance(motion.q(), usual.q()), distance(motion.v(), usual.v()));
            let residuals = motion.invariants.residuals;
            println!("{name} {}: q {q:.1e} v {v:.1e} residuals {residuals:?}", formulation.name());
            assert!(q < 2e-6 && v < 2e-6, "{name} {}: q {q:.1e} v {v:.1e}", formulation.name());
            assert_eq!(motion.y.len(), usual.y.len());
        }
    }
}

#[test]
fn what_is_not_imposed_drifts_unless_projected() {
    let problem = find("pendulum").unwrap();
    let drift = |formulation, projection| run(&problem, formulation, projection, 20.0).invariants.residuals;
    let unprojected = Some(Projection::None);
    // Newton's tolerance is 0.03 times 1e-8; what is imposed holds to it, what is not drifts beyond.
    let [position, velocity, _] = drift(Formulation::Index3, unprojected);
    assert!(position < 1e-9 && velocity > 1e-7, "index3: {position:.1e} {velocity:.1e}");
    let [position, velocity, _] = drift(Formulation::Index2, unprojected);
    assert!(position > 1e-9 && velocity < 1e-8, "index2: {position:.1e} {velocity:.1e}");
    let [position, velocity, _] = drift(Formulation::Index1, unprojected);
    assert!(position > 1e-9 && velocity > 1e-9, "index1: {position:.1e} {velocity:.1e}");
    let [position, velocity, _] = drift(Formulation::Ggl, unprojected);
    assert!(position < 1e-8 && velocity < 1e-8, "ggl: {position:.1e} {velocity:.1e}");
    for formulation in [Formulation::Index3, Formulation::Index2, Formulation::Index1] {
        let [position, velocity, _] = drift(formulation, None);
        assert!(
            position < 1e-15 && velocity < 1e-15,
            "{}: {position:.1e} {velocity:.1e}",
            formulation.name()
        );
    }
}
