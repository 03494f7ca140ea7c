//! Taylor's series of equations without derivatives, of Hamiltonians, and of constraints of index 3.

use crate::spark_common::{distance, run, spark};
use taut::Solver;
use taut::method::Method;
use taut::options::{Controller, Options};
use taut::run::Output;
use taut::system::{
    FirstOrder, ForceClass, Hamiltonian, HamiltonianSystem, Linearised, PartitionedAdditive,
    PartitionedAdditiveSystem, Scalar, SemiExplicit, SemiExplicitSystem,
};
use taut_lab::start_of;
use taut_problems::State;

fn taylor() -> Method {
    Method::named("taylor").unwrap()
}

/// The largest error of variables at all reference times, in tolerances; `kept` are those that are looked at.
fn error(name: &str, tolerance: f64, until: f64, kept: usize) -> f64 {
    let problem = taut_problems::find(name).unwrap();
    let solver = Solver::first_order(problem.system.evolution().unwrap()).method(taylor());
    let solver = solver.tolerance(tolerance);
    let references = problem.references.iter().filter(|reference| reference.t <= until);
    let errors = references.map(|reference| {
        let State::Variables(known) = &reference.state else { panic!("{name} has no variables") };
        let motion = run(&solver, problem.start.t, reference.t, &start_of(&problem));
        let errors =
            motion.y.iter().zip(known).take(kept).map(|(x, known)| (x - known).abs() / (1.0 + known.abs()));
        errors.fold(0.0, f64::max)
    });
    let errors: Vec<f64> = errors.collect();
    assert!(!errors.is_empty(), "{name} has no reference");
    errors.into_iter().fold(0.0, f64::max) / tolerance
}

/// An equilibrium among six concentrations, and eight nodes between which there are capacities: a matrix E that is singular, and
/// not diagonal.
#[test]
fn networks_of_index_1_keep_to_the_tolerance() {
    for (name, variables) in [("chemical_akzo_nobel", 6), ("transistor_amplifier", 8)] {
        for tolerance in [1e-5, 1e-7, 1e-9] {
            let error = error(name, tolerance, f64::INFINITY, variables);
            assert!(error <= 30.0, "{name} at {tolerance:e}: {error} tolerances");
        }
    }
}

/// u' = f(u, v), v' = k(u, v, λ), 0 = g(u), with the multiplier as accurate as the others.
#[test]
fn a_pendulum_of_index_3_keeps_to_the_tolerance() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let error = error("schropp_pendulum", tolerance, 10.0, 5);
        assert!(error <= 30.0, "at {tolerance:e}: {error} tolerances");
    }
}

/// y' = y z, 0 = e^z − 1 − y cos t: z = ln(1 + y cos t).
struct Logarithm;

impl SemiExplicit for Logarithm {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (vec!["y".into()], vec!["z".into()])
    }

    fn f<S: Scalar>(&self, _t: S, x: &[S], y: &[S], f: &mut [S]) {
        f[0] = x[0] * y[0];
    }

    fn g<S: Scalar>(&self, t: S, x: &[S], y: &[S], g: &mut [S]) {
        g[0] = y[0].exp() - 1.0 - x[0] * t.cos();
    }
}

/// A series of order p makes an error h^p at the end, in variables with derivatives and in those without.
#[test]
fn equations_of_index_1_have_the_order_of_the_series() {
    let system = Linearised::new(SemiExplicitSystem::new(Logarithm));
    let start = [0.5, 1.5_f64.ln()];
    let exact = Solver::first_order(&system).method(taylor()).tolerance(1e-13).run(0.0, 2.0, &start).unwrap();
    let radau = Solver::first_order(&system).method(Method::radau()).tolerance(1e-12);
    assert!(distance(&exact.y, &radau.run(0.0, 2.0, &start).unwrap().y) < 1e-10);
    assert!((exact.y[1] - (1.0 + exact.y[0] * 2.0_f64.cos()).ln()).abs() < 1e-15);
    for order in [8, 10] {
        let errors = [0.25, 0.125].map(|h| {
            let method = taylor().with_stages(order).unwrap();
            let motion = Solver::first_order(&system).method(method).step(h).run(0.0, 2.0, &start).unwrap();
            [0, 1].map(|k| (motion.y[k] - exact.y[k]).abs())
        });
        for (name, (coarse, fine)) in ["y", "z"].iter().zip(errors[0].iter().zip(&errors[1])) {
            let found = (coarse / fine).log2();
            assert!(
                (found - order as f64).abs() < 1.0,
                "order {order}, {name}: {found:.2} from {coarse:.1e}"
            );
        }
    }
}

/// A relativistic spherical pendulum: H = √(1 + |p|²) + z on a unit sphere, whose middle moves.
struct Relativistic {
    moving: f64,
}

impl Hamiltonian for Relativistic {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z"].map(String::from).to_vec()
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        (p[0].square() + p[1].square() + p[2].square() + 1.0).sqrt() + q[2]
    }

    fn constraints(&self) -> Vec<String> {
        vec!["sphere".into()]
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        let x = q[0] - (-t.cos() + 1.0) * self.moving;
        g[0] = (x.square() + q[1].square() + q[2].square() - 1.0) * 0.5;
    }
}

const START: [f64; 6] = [0.6, 0.0, -0.8, 0.4, 1.1, 0.3];

/// The motion of SPARK with six stages, multipliers included, also where the constraint moves.
#[test]
fn a_hamiltonian_with_a_constraint_is_that_of_spark() {
    for moving in [0.0, 0.1] {
        let system = HamiltonianSystem::new(Relativistic { moving });
        let known = run(&Solver::partitioned(&system).method(spark(6)).step(0.05), 0.0, 10.0, &START);
        for tolerance in [1e-5, 1e-8, 1e-11] {
            let solver = Solver::partitioned(&system).method(taylor()).tolerance(tolerance).watch(true);
            let motion = run(&solver, 0.0, 10.0, &START);
            let error = distance(&motion.y, &known.y) / tolerance;
            assert!(error <= 30.0, "moving {moving}, at {tolerance:e}: {error} tolerances");
            assert!(motion.invariants.residuals.iter().all(|gap| *gap < 1e-14), "{:?}", motion.invariants);
            let kept = moving > 0.0 || motion.invariants.energy_error <= 30.0 * tolerance;
            assert!(kept, "{:e} at {tolerance:e}", motion.invariants.energy_error);
        }
    }
}

/// Hénon and Heiles: no constraint, and an energy that is kept.
struct HenonHeiles;

impl Hamiltonian for HenonHeiles {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y"].map(String::from).to_vec()
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        let quadratic = (p[0].square() + p[1].square() + q[0].square() + q[1].square()) * 0.5;
        quadratic + q[0].square() * q[1] - q[1].square() * q[1] / 3.0
    }
}

#[test]
fn a_hamiltonian_keeps_its_energy() {
    let system = HamiltonianSystem::new(HenonHeiles);
    let start = [0.0, 0.1, 0.49, 0.1];
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let solver = Solver::partitioned(&system).method(taylor()).tolerance(tolerance).watch(true);
        let motion = run(&solver, 0.0, 50.0, &start);
        let error = motion.invariants.energy_error / tolerance;
        assert!(error <= 30.0, "at {tolerance:e}: {error} tolerances");
        let back = run(&solver, 50.0, 0.0, &motion.y);
        assert!(distance(&back.y, &start) <= 1e4 * tolerance, "{:?}", back.y);
    }
}

/// Between the ends of steps a state is on its constraints as well.
#[test]
fn output_inside_of_steps_is_on_the_constraints() {
    let system = HamiltonianSystem::new(Relativistic { moving: 0.0 });
    let solver = Solver::partitioned(&system).method(taylor()).tolerance(1e-6);
    let times: Vec<f64> = (0..=60).map(|k| 0.05 * f64::from(k)).collect();
    let motion = solver.output(Output::Times(times)).run(0.0, 3.0, &START).unwrap();
    assert!(
        motion.trajectory.iter().count() > 3 * motion.statistics.accepted,
        "steps are longer than output"
    );
    for (t, y) in motion.trajectory.iter() {
        let gap = y[0].powi(2) + y[1].powi(2) + y[2].powi(2) - 1.0;
        let rate = y[0] * y[3] + y[1] * y[4] + y[2] * y[5];
        assert!(gap.abs() < 1e-14 && rate.abs() < 1e-14, "at {t}: {gap:e} {rate:e}");
    }
}

/// (M(y) z)' = k with a mass matrix.
struct Massive;

impl PartitionedAdditive for Massive {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (vec!["y".into()], vec!["z".into()])
    }

    fn first<S: Scalar>(&self, class: ForceClass, _t: S, _y: &[S], z: &[S], rate: &mut [S]) {
        if class == ForceClass::Conservative {
            rate[0] = z[0];
        }
    }

    fn second<S: Scalar>(&self, class: ForceClass, _t: S, y: &[S], _z: &[S], _u: &[S], rate: &mut [S]) {
        if class == ForceClass::Conservative {
            rate[0] = -y[0];
        }
    }

    fn momentum<S: Scalar>(&self, y: &[S], z: &[S], momentum: &mut [S]) {
        momentum[0] = z[0] * (y[0].square() + 1.0);
    }
}

/// x' = z, 0 = x + z of each pair.
struct Many;

impl Many {
    const PAIRS: usize = 300;
}

impl FirstOrder for Many {
    fn variables(&self) -> Vec<String> {
        (0..2 * Many::PAIRS).map(|i| format!("x{i}")).collect()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        for i in 0..Many::PAIRS {
            rate[i] = x[Many::PAIRS + i];
            rate[Many::PAIRS + i] = x[i] + x[Many::PAIRS + i];
        }
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..Many::PAIRS).map(|i| (i, i, 1.0)).collect()
    }
}

#[test]
fn what_has_no_series_is_refused_with_what_to_take_instead() {
    let index_2 = taut_problems::find("index2_nonlinear").unwrap();
    let solver = Solver::first_order(index_2.system.evolution().unwrap()).method(taylor());
    let refused = solver.run(index_2.start.t, 1.0, &start_of(&index_2)).unwrap_err().to_string();
    assert!(
        refused.contains("of index 2 its series are known for") && refused.contains("take radau"),
        "{refused}"
    );
    let henon = HamiltonianSystem::new(HenonHeiles);
    let options = Options { controller: Controller::Reversible, ..Options::default() };
    let solver = Solver::partitioned(&henon).options(options).method(taylor());
    let refused = solver.run(0.0, 1.0, &[0.0, 0.1, 0.49, 0.1]).unwrap_err().to_string();
    assert!(refused.contains("take spark or rattle"), "{refused}");
    let many = Linearised::new(Many);
    let solver = Solver::first_order(&many).method(taylor());
    let refused = solver.run(0.0, 1.0, &[0.0; 2 * Many::PAIRS]).unwrap_err().to_string();
    assert!(
        refused.contains("at most 400 variables, and these are 600") && refused.contains("take radau"),
        "{refused}"
    );
}

/// (1 + y²)² z² + y² + y⁴/2 does not change.
#[test]
fn a_mass_matrix_of_momenta_is_solved_for() {
    let massive = PartitionedAdditiveSystem::new(Massive);
    let solver = Solver::partitioned(&massive).method(taylor()).tolerance(1e-10);
    let y = solver.run(0.0, 3.0, &[1.0, 0.0]).unwrap().y;
    let square = y[0] * y[0];
    let kept = (1.0 + square).powi(2) * y[1] * y[1] + square + 0.5 * square * square;
    assert!((kept - 1.5).abs() < 1e-9 && y[0] < 0.0, "{y:?}: {kept}");
}
