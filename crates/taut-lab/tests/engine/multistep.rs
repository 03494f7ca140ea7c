//! Multistep methods with constant steps on equations with known manifolds: orders, forms, what is refused.

use taut::Error;
use taut::options::AlgebraicRows;
use taut::start::StartError;
use taut::system::{FirstOrderSystem, Linearised, Scalar, SemiExplicit, SemiExplicitSystem};
use taut::{LinearMultistep, MultistepError};
use taut_problems::theory::{AttractiveManifold, CurvedIndex2, Form, PlaneIndex2};
use taut_tableau::Multistep;

/// A stiffly stable method of order 2 that is no backward differentiation formula: ρ = (z − 1)(z − 1/5).
fn general() -> Multistep {
    Multistep::new("general", &[0.2, -1.2, 1.0], &[0.05, 0.1, 0.65]).unwrap()
}

fn integrate(
    system: &dyn FirstOrderSystem,
    coefficients: &Multistep,
    rows: AlgebraicRows,
    steps: usize,
    until: f64,
    start: &[f64],
) -> Vec<f64> {
    let h = until / steps as f64;
    let mut method = LinearMultistep::start(system, coefficients.clone(), rows, h, 0.0, start).unwrap();
    for _ in coefficients.steps() - 1..steps {
        method.step().unwrap();
    }
    assert!((method.time() - until).abs() < 1e-12);
    method.state().to_vec()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |d: f64, (x, y)| d.max((x - y).abs()))
}

/// The errors of 2ⁿ⁻¹ and 2ⁿ steps of the unit interval fall with the order of the method.
fn has_its_order(
    name: &str,
    system: &dyn FirstOrderSystem,
    coefficients: &Multistep,
    rows: AlgebraicRows,
    solution: &dyn Fn(f64) -> Vec<f64>,
) {
    let p = coefficients.order() as f64;
    // Halving on: the higher the order, the earlier rounding comes.
    let steps = if p <= 3.0 { 256 } else { 32 };
    let error =
        |steps| distance(&integrate(system, coefficients, rows, steps, 1.0, &solution(0.0)), &solution(1.0));
    let (coarse, fine) = (error(steps), error(2 * steps));
    let order = (coarse / fine).log2();
    println!(
        "{name:34} {:8} {rows:?}: errors {coarse:.1e} {fine:.1e}, order {order:.2}",
        coefficients.name()
    );
    // The bound is O(h^p); where its constant happens to be small the next term shows.
    assert!(order > p - 0.35, "{name} with order {p}: {order:.2}");
}

#[test]
fn orders_are_those_of_the_formulas() {
    let mut methods: Vec<Multistep> = (1..=6).map(|k| Multistep::bdf(k).unwrap()).collect();
    methods.push(general());
    let (curved, plane) = (
        Linearised::new(CurvedIndex2 { form: Form::Index2 }),
        Linearised::new(PlaneIndex2 { form: Form::Index2 }),
    );
    let reduced = Linearised::new(CurvedIndex2 { form: Form::Index1 });
    for method in &methods {
        for rows in [AlgebraicRows::Direct, AlgebraicRows::Indirect] {
            for epsilon in [0.0, 1e-6] {
                let equations = AttractiveManifold { epsilon };
                let system = Linearised::new(equations);
                let name = if epsilon == 0.0 { "index 1" } else { "singularly perturbed" };
                has_its_order(name, &system, method, rows, &|t| equations.solution(t).to_vec());
            }
            has_its_order("index 2, curved", &curved, method, rows, &|t| CurvedIndex2::solution(t).to_vec());
            has_its_order("index 2, plane", &plane, method, rows, &|t| PlaneIndex2::solution(t).to_vec());
            has_its_order("index 1 form", &reduced, method, rows, &|t| CurvedIndex2::solution(t).to_vec());
        }
    }
}

/// Backward differentiation formulas take algebraic equations at the new state in both forms.
#[test]
fn both_forms_of_bdf_agree() {
    let system = Linearised::new(AttractiveManifold { epsilon: 0.0 });
    let start = AttractiveManifold { epsilon: 0.0 }.solution(0.0);
    for k in 1..=6 {
        let bdf = Multistep::bdf(k).unwrap();
        let run = |rows| integrate(&system, &bdf, rows, 40, 1.0, &start);
        assert!(distance(&run(AlgebraicRows::Direct), &run(AlgebraicRows::Indirect)) < 1e-14, "bdf {k}");
    }
}

/// Off the manifold the direct form comes back at the rate σ₁ (Nipp 1999, section 2.2), the indirect one at once.
#[test]
fn starting_values_off_the_manifold_are_attracted() {
    let equations = AttractiveManifold { epsilon: 0.0 };
    let system = Linearised::new(equations);
    let (method, h) = (general(), 1e-3);
    let starts = || {
        let mut starts: Vec<Vec<f64>> = (0..2).map(|i| equations.solution(i as f64 * h).to_vec()).collect();
        starts.iter_mut().for_each(|x| x[2] += 1e-3);
        starts
    };
    let distances = |rows| {
        let mut run = LinearMultistep::from_states(&system, method.clone(), rows, h, 0.0, starts()).unwrap();
        let mut distances = Vec::new();
        for _ in 0..12 {
            run.step().unwrap();
            distances.push((run.state()[2] - equations.manifold(run.state())).abs());
        }
        distances
    };
    let (direct, indirect) = (distances(AlgebraicRows::Direct), distances(AlgebraicRows::Indirect));
    assert!(indirect.iter().all(|d| *d < 1e-14), "{indirect:?}");
    let rate = (direct[11] / direct[1]).powf(0.1);
    println!("direct form: rate {rate:.4}, sigma_1 {:.4}", method.sigma_1());
    assert!(rate < 1.1 * method.sigma_1(), "{rate} against {}", method.sigma_1());
}

#[test]
fn unstable_methods_are_refused_with_their_roots() {
    let system = Linearised::new(AttractiveManifold { epsilon: 0.0 });
    let start = AttractiveManifold { epsilon: 0.0 }.solution(0.0);
    let refused = |method: Multistep| {
        let rows = AlgebraicRows::Direct;
        LinearMultistep::start(&system, method, rows, 0.1, 0.0, &start).map(|_| ()).unwrap_err()
    };
    let milne = Multistep::new("milne", &[-1.0, 0.0, 1.0], &[1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0]).unwrap();
    let error = refused(milne);
    assert!(matches!(&error, MultistepError::NotStrictlyStable { roots, .. } if roots.len() == 2), "{error}");
    assert!(error.to_string().contains("milne") && error.to_string().contains("-1.000000"), "{error}");
    let trapezoidal = Multistep::new("trapezoidal", &[-1.0, 1.0], &[0.5, 0.5]).unwrap();
    let error = refused(trapezoidal);
    assert!(matches!(&error, MultistepError::NotStiffly { roots, .. } if roots.len() == 1), "{error}");
    assert!(error.to_string().contains("modulus 1.000000"), "{error}");
    let euler = Multistep::new("explicit euler", &[-1.0, 1.0], &[1.0, 0.0]).unwrap();
    assert!(matches!(refused(euler), MultistepError::NotStiffly { .. }));
}

/// x' = y, 0 = x² + 1
struct Nowhere;

impl SemiExplicit for Nowhere {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (vec!["x".into()], vec!["y".into()])
    }

    fn f<S: Scalar>(&self, _t: S, _x: &[S], y: &[S], f: &mut [S]) {
        f[0] = y[0];
    }

    fn g<S: Scalar>(&self, _t: S, x: &[S], _y: &[S], g: &mut [S]) {
        g[0] = x[0].square() + 1.0;
    }
}

#[test]
fn inconsistent_starts_are_repaired_or_refused() {
    // y of index 1 is made consistent,
    let equations = AttractiveManifold { epsilon: 0.0 };
    let system = Linearised::new(equations);
    let [x1, x2, y] = equations.solution(0.0);
    let bdf = || Multistep::bdf(2).unwrap();
    let rows = AlgebraicRows::Indirect;
    let method = LinearMultistep::start(&system, bdf(), rows, 0.01, 0.0, &[x1, x2, y + 0.1]).unwrap();
    assert!((method.states()[0][2] - y).abs() < 1e-12);
    // a start off 0 = G(x) is moved along f_y, and y is taken as it is,
    let curved = Linearised::new(CurvedIndex2 { form: Form::Index2 });
    let [x1, x2, y] = CurvedIndex2::solution(0.0);
    let method = LinearMultistep::start(&curved, bdf(), rows, 0.01, 0.0, &[x1 + 0.1, x2, y]).unwrap();
    let moved = &method.states()[0];
    assert!(CurvedIndex2::constraint(&moved[..2]).abs() < 1e-15, "{moved:?}");
    assert!((moved[0] - x1).abs() < 0.15 && moved[2] == y, "{moved:?}");
    // one that cannot be moved there is refused with what is left.
    let nowhere = Linearised::new(SemiExplicitSystem::new(Nowhere));
    match LinearMultistep::start(&nowhere, bdf(), rows, 0.01, 0.0, &[0.5, 0.0]).map(|_| ()) {
        Err(MultistepError::Start(error)) => match *error {
            Error::Start(StartError::NotReached { constraint, residual }) => {
                assert!(constraint == "y" && residual >= 1.0, "{constraint} {residual}");
            }
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    }
    let short = LinearMultistep::from_states(&curved, bdf(), rows, 0.01, 0.0, vec![vec![1.0, 0.0, 0.0]]);
    assert!(matches!(short.map(|_| ()), Err(MultistepError::Starts { found: 1, expected: 2 })));
    let still = LinearMultistep::start(&curved, bdf(), rows, 0.0, 0.0, &[x1, x2, y]);
    assert!(matches!(still.map(|_| ()), Err(MultistepError::Length(_))));
}
