//! After the first steps a run touches the heap no more: twice as many steps, the same number of allocations.

use allocation_counter::measure;
use taut::Solver;
use taut::method::Method;
use taut::system::{
    Constraint, Differentiated, FirstOrder, Hamiltonian, HamiltonianSystem, Linearised, Mass, Mechanical,
    Scalar,
};

/// The pendulum on a rod.
struct Pendulum;

impl Mechanical for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] * 1.0
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("rod")]
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() - 1.0) * 0.5;
    }
}

/// Van der Pol's oscillator.
struct VanDerPol;

impl FirstOrder for VanDerPol {
    fn variables(&self) -> Vec<String> {
        vec!["y".into(), "z".into()]
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        rate[0] = x[1];
        rate[1] = (-x[0].square() + 1.0) * x[1] - x[0];
    }
}

/// Allocations of a run with so many steps of length 1/64.
fn allocations(solver: &Solver<'_>, start: &[f64], steps: usize) -> u64 {
    let mut reached = 0.0;
    let information =
        measure(|| reached = solver.run(0.0, steps as f64 / 64.0, start).map_or(f64::NAN, |m| m.t));
    assert_eq!(reached, steps as f64 / 64.0);
    information.count_total
}

fn steps_do_not_allocate(label: &str, solver: &Solver<'_>, start: &[f64]) {
    allocations(solver, start, 8);
    let (some, twice) = (allocations(solver, start, 64), allocations(solver, start, 128));
    assert!(some > 0, "{label}: the set-up allocates, and that is counted");
    assert_eq!(some, twice, "{label}: allocations of 64 and of 128 steps");
}

#[test]
fn mechanical_steps_do_not_allocate() {
    let pendulum = Differentiated::new(Pendulum);
    for (name, stages) in [
        ("radau", 2),
        ("radau", 3),
        ("radau", 5),
        ("lobatto-iiic", 3),
        ("dopri8", 12),
        ("adams", 8),
        ("dopri5", 7),
        ("spark", 3),
    ] {
        let Ok(method) = Method::named(name).and_then(|method| method.with_stages(stages)) else {
            panic!("{name} with {stages} stages")
        };
        let solver = Solver::mechanical(&pendulum).method(method).step(1.0 / 64.0);
        steps_do_not_allocate(name, &solver, &[1.0, 0.0, 0.0, 0.0]);
    }
}

impl Hamiltonian for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        Mechanical::coordinates(self)
    }

    fn energy<S: Scalar>(&self, _t: S, q: &[S], p: &[S]) -> S {
        (p[0].square() + p[1].square() + 1.0).sqrt() + self.potential(q)
    }

    fn constraints(&self) -> Vec<String> {
        vec!["rod".to_owned()]
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        Mechanical::constraint(self, t, q, g);
    }
}

#[test]
fn partitioned_steps_do_not_allocate() {
    let pendulum = HamiltonianSystem::new(Pendulum);
    let solver = Solver::partitioned(&pendulum);
    steps_do_not_allocate("variable steps", &solver, &[1.0, 0.0, 0.0, 0.0]);
    let solver = Solver::partitioned(&pendulum).step(1.0 / 64.0);
    steps_do_not_allocate("constant steps", &solver, &[1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn first_order_steps_do_not_allocate() {
    let oscillator = Linearised::new(VanDerPol);
    for (name, stages) in
        [("radau", 3), ("gauss", 3), ("dopri8", 12), ("adams", 8), ("sdirk", 5), ("esdirk", 6)]
    {
        let Ok(method) = Method::named(name).and_then(|method| method.with_stages(stages)) else {
            panic!("{name} with {stages} stages")
        };
        let solver = Solver::first_order(&oscillator).method(method).step(1.0 / 64.0);
        steps_do_not_allocate(name, &solver, &[2.0, 0.0]);
    }
}

/// Steps of any length: the number of steps differs, the number of allocations does not.
#[test]
fn adaptive_steps_do_not_allocate() {
    let pendulum = Differentiated::new(Pendulum);
    for (name, stages) in [("radau", 3), ("dopri8", 12), ("adams", 9)] {
        let Ok(method) = Method::named(name).and_then(|method| method.with_stages(stages)) else {
            panic!("{name} with {stages} stages")
        };
        let solver = Solver::mechanical(&pendulum).method(method).tolerance(1e-8);
        steps_do_not_allocate(name, &solver, &[1.0, 0.0, 0.0, 0.0]);
    }
}
