use taut_problems::theory::{Form, StarCurve};
use taut_tableau::{Family, Multistep};

use super::*;

#[test]
fn newton_finds_roots_to_rounding() {
    let root = newton(vec![1.0, 1.0], |u, residual, matrix| {
        residual[0] = u[0] * u[0] - 0.5;
        residual[1] = u[0] * u[1] - 0.25;
        matrix.copy_from_slice(&[2.0 * u[0], u[1], 0.0, u[0]]);
        Ok(())
    })
    .unwrap();
    assert!((root[0] - 0.5_f64.sqrt()).abs() < 1e-15);
    assert!((root[1] - 0.25 / 0.5_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn orbits_follow_the_known_motions() {
    let schemes = [
        Scheme::runge_kutta(&Family::RadauIia.tableau(3).unwrap()).unwrap(),
        Scheme::runge_kutta(&Family::RadauIa.tableau(4).unwrap()).unwrap(),
        Scheme::multistep(Multistep::bdf(4).unwrap()),
    ];
    let forms = [Form::Index1, Form::Index2];
    let graphs =
        [Graph::attractive(0.0), Graph::attractive(1e-4), Graph::curved(forms[0]), Graph::plane(forms[1])];
    for scheme in &schemes {
        for graph in &graphs {
            let orbit = graph.orbit(scheme, 0.02, 1.0, 0.0).unwrap();
            let [x, y] = graph.errors(&orbit, 0.0);
            assert!(x < 1e-5 && y < 1e-4, "{x:e} {y:e}");
        }
    }
}

#[test]
fn decay_is_a_factor() {
    let numbers: Vec<f64> = (0..20).map(|j| 3.0 * (-0.5_f64).powi(j)).collect();
    assert!((decay(&numbers, 1e-4) - 0.5).abs() < 1e-14);
    assert!(decay(&numbers[..3], 1e-4).is_nan());
}

#[test]
fn splits_add_up() {
    let scene = StiffScene::new(StarCurve { epsilon: 1e-3 });
    let split = scene.split(0.0, &scene.start(1e-3));
    assert!((split.stiff - 1e-3).abs() < 1e-15 && split.smooth < 1e-15);
    assert!((split.total - split.stiff).abs() < 1e-15);
}

#[test]
fn stages_of_the_implicit_euler_method() {
    let euler = Family::RadauIia.tableau(1).unwrap();
    let growth = StageGrowth::of(&euler, &[(-3.0, 0.0)]).unwrap();
    assert!((growth.result - 0.25).abs() < 1e-15);
    assert!((growth.stages - 0.25).abs() < 1e-15);
    assert!((growth.last - 0.25).abs() < 1e-15);
}
