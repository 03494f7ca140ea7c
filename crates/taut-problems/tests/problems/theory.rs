//! Manifolds, exact solutions and stiff directions are what they are said to be.

use taut::system::{FirstOrder, FirstOrderSystem, Linearised};
use taut_problems::theory::{
    AttractiveManifold, CurvedIndex2, Form, PlaneIndex2, SlantedCircle, StarCurve, StarSurface,
    StiffDirection,
};

use crate::support::{largest, scattered, slope};

fn rate(system: &dyn FirstOrderSystem, x: &[f64]) -> Vec<f64> {
    let mut rate = vec![0.0; x.len()];
    system.rate(0.0, x, &mut rate).unwrap();
    rate
}

fn difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |d: f64, (x, y)| d.max((x - y).abs()))
}

/// E x' = f along a solution.
fn solves(name: &str, system: impl FirstOrder, solution: &dyn Fn(f64) -> Vec<f64>) {
    let system = Linearised::new(system);
    let composition = system.composition();
    for t in [0.0, 0.3, 1.7, 4.0] {
        let derivative = slope(0.1, |shift| solution(t + shift));
        let mut left = vec![0.0; derivative.len()];
        composition.mass.multiply_add(&composition.mass_values, &derivative, &mut left, 1.0);
        let right = rate(&system, &solution(t));
        let error = difference(&left, &right);
        assert!(error < 1e-11, "{name} at t = {t}: {left:?} and {right:?}");
    }
}

#[test]
fn solutions_satisfy_their_equations() {
    for epsilon in [0.0, 1e-6, 0.1] {
        let system = AttractiveManifold { epsilon };
        solves("attractive manifold", system, &|t| system.solution(t).to_vec());
    }
    for form in [Form::Index2, Form::Index1] {
        solves("curved", CurvedIndex2 { form }, &|t| CurvedIndex2::solution(t).to_vec());
        solves("plane", PlaneIndex2 { form }, &|t| PlaneIndex2::solution(t).to_vec());
    }
    // rounding off the manifold is magnified by 1/ε
    let epsilon = 1e-2;
    solves("star curve", StarCurve { epsilon }, &|t| StarCurve { epsilon }.solution(t));
    solves("star surface", StarSurface { epsilon }, &|t| StarSurface { epsilon }.solution(t));
    solves("slanted circle", SlantedCircle { epsilon }, &|t| SlantedCircle { epsilon }.solution(t));
}

/// y' = ∇s · x' on y = s(x), also far from the solution that is known.
#[test]
fn graphs_are_invariant_for_every_epsilon() {
    for epsilon in [1e-3, 0.1, 1.0] {
        let system = AttractiveManifold { epsilon };
        for seed in 1..20 {
            let x = scattered(2, seed);
            let state = [x[0], x[1], system.manifold(&x)];
            let rate = rate(&Linearised::new(system), &state);
            let along =
                slope(0.1, |shift| vec![system.manifold(&[x[0] + shift * rate[0], x[1] + shift * rate[1]])]);
            assert!((rate[2] - epsilon * along[0]).abs() < 1e-12, "{x:?}");
        }
    }
}

/// The form of index 1 is the derivative of the form of index 2, and vanishes on y = s(x) with a negative slope in y.
#[test]
fn forms_belong_together() {
    let check = |name: &str,
                 one: &dyn FirstOrderSystem,
                 constraint: &dyn Fn(&[f64]) -> f64,
                 manifold: &dyn Fn(&[f64]) -> f64| {
        for seed in 1..20 {
            let n = one.composition().n();
            let mut state = scattered(n, seed);
            let rates = rate(one, &state);
            let x = state[..n - 1].to_vec();
            let moved =
                |shift: f64| x.iter().zip(&rates).map(|(x, rate)| x + shift * rate).collect::<Vec<f64>>();
            let along = slope(0.1, |shift| vec![constraint(&moved(shift))]);
            assert!((along[0] - rates[n - 1]).abs() < 1e-11, "{name}: {along:?} and {rates:?}");
            state[n - 1] = manifold(&x);
            assert!(rate(one, &state)[n - 1].abs() < 1e-15, "{name}");
            state[n - 1] += 1e-3;
            assert!(rate(one, &state)[n - 1] < 0.0, "{name}");
        }
    };
    let curved = Linearised::new(CurvedIndex2 { form: Form::Index1 });
    check("curved", &curved, &CurvedIndex2::constraint, &CurvedIndex2::manifold);
    let plane = Linearised::new(PlaneIndex2 { form: Form::Index1 });
    check("plane", &plane, &PlaneIndex2::constraint, &PlaneIndex2::manifold);
}

/// f(η) − f(p) = λ(η)(η − p) with λ = −(1 + |η|²)/ε, and pr(p) = p (Auzinger, Eder & Frank 2001, eq. 2.3-2.6).
fn transversal(name: &str, system: impl FirstOrder + StiffDirection + Copy) {
    let epsilon = 1e-2;
    for seed in 1..40 {
        let direction = scattered(system.variables().len(), seed);
        let size = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let away = 0.95 + 0.15 * scattered(1, seed)[0];
        let foot = system.foot(&direction.iter().map(|x| x / size).collect::<Vec<f64>>());
        let eta: Vec<f64> = foot.iter().map(|x| x * away).collect();
        let p = system.foot(&eta);
        assert!(difference(&system.foot(&p), &p) < 1e-14, "{name}: {p:?} is its own foot");
        let (f_eta, f_p) = (rate(&Linearised::new(system), &eta), rate(&Linearised::new(system), &p));
        let lambda = -(1.0 + eta.iter().map(|x| x * x).sum::<f64>()) / epsilon;
        for i in 0..eta.len() {
            let error = f_eta[i] - f_p[i] - lambda * (eta[i] - p[i]);
            assert!(error.abs() < 1e-14 * largest(&f_eta) / epsilon, "{name}: {error:e}");
        }
    }
}

#[test]
fn stiff_directions_are_exact() {
    let epsilon = 1e-2;
    transversal("star curve", StarCurve { epsilon });
    transversal("star surface", StarSurface { epsilon });
    transversal("slanted circle", SlantedCircle { epsilon });
}
