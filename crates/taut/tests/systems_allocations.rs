//! After set-up no evaluation of a system touches the heap.

use allocation_counter::measure;
use taut::equations::{FirstOrderView, Form, Ggl, Index1, Index2, Index3};
use taut::system::{
    Constraint, Differentiated, FirstOrder, FirstOrderSystem, ForceClass, Independent, Linearised, Mass,
    Mechanical, MechanicalSystem, Scalar, Sketch, Terms,
};

/// A chain of pendulums in angles with a moving rod, a spring and a skate at its end.
struct Chain {
    links: usize,
}

impl Mechanical for Chain {
    fn coordinates(&self) -> Vec<String> {
        (0..self.links).map(|k| format!("angle{k}")).collect()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        for k in 0..q.len() {
            mass.add(k, k, q[k].sin().square() + 2.0);
            if k > 0 {
                mass.add(k, k - 1, (q[k] - q[k - 1]).cos() * 0.5);
            }
        }
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.iter().fold(S::zero(), |sum, q| sum - q.cos())
    }
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        match class {
            ForceClass::Dissipative => force[0] -= v[0] * v[0].abs(),
            ForceClass::Driving => force[0] += t.sin() * q[0],
            ForceClass::Conservative | ForceClass::Oscillatory => {}
        }
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("rod"), Constraint::spring("spring", 1e-3), Constraint::nonholonomic("skate")]
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0].sin() + q[1].sin() - t.sin();
        g[1] = q[1] * q[2];
    }
    fn nonholonomic<S: Scalar>(&self, _t: S, q: &[S], v: &[S], h: &mut [S]) {
        h[0] = v[2] - v[0].square() * q[1];
    }
}

fn sketch() -> Sketch {
    Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| (v[0].square() + v[1].square() * q[0].exp() + v[2].square()) * 0.5)
        .potential(|q| q[0] * q[1] + q[2].square())
        .strong_potential(0.1, |q| (q[0] - q[2]).square())
        .force(ForceClass::Driving, 1, |t, q, v| t.sin() * q[0] - v[1])
        .rod("rod", |t, q| q[0].hypot(q[1]) - t.cos())
        .spring("spring", 1e-3, |_t, q| q[2] - 1.0)
        .nonholonomic_rod("skate", |_t, q, v| v[0] * q[1] - v[1])
}

/// Allocations of all evaluations of a mechanism, after each was made once.
fn of_mechanism(system: &dyn MechanicalSystem) -> u64 {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let (q, v, a, lambda) = (vec![0.4; n], vec![0.3; n], vec![0.2; n], vec![0.1; m]);
    let (mut coordinates, mut constraints) = (vec![0.0; n], vec![0.0; m]);
    let (mut mass, mut jacobian) = (vec![0.0; structure.mass.nnz()], vec![0.0; structure.jacobian.nnz()]);
    let (mut stiffness, mut damping) =
        (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
    let mut evaluate = || {
        let terms = Terms::ACCELERATING | Terms::KINETIC;
        system.mass(&q, &mut mass)?;
        system.force(terms, 0.5, &q, &v, &mut coordinates)?;
        system.constraint(0.5, &q, &mut constraints)?;
        system.jacobian(0.5, &q, &v, &mut jacobian)?;
        system.constraint_rate(0.5, &q, &v, &mut constraints)?;
        system.curvature(0.5, &q, &v, &mut constraints)?;
        system.newton_blocks(terms, 0.5, &q, &v, &a, &lambda, &mut stiffness, &mut damping)?;
        system.energy(0.5, &q, &v)
    };
    assert!(evaluate().is_ok());
    let mut energy = None;
    let allocations = measure(|| energy = evaluate().ok()).count_total;
    assert!(energy.is_some_and(|energy| energy.total().is_finite()));
    allocations
}

/// Allocations of all evaluations of a first-order system.
fn of_evolution(system: &dyn FirstOrderSystem) -> u64 {
    let n = system.composition().n();
    let x = vec![0.4; n];
    let (mut rate, mut jacobian) = (vec![0.0; n], vec![0.0; system.composition().jacobian.nnz()]);
    let mut evaluate = || {
        system.rate(0.5, &x, &mut rate)?;
        system.jacobian(0.5, &x, &mut jacobian)
    };
    assert!(evaluate().is_ok());
    let mut succeeded = false;
    let allocations = measure(|| succeeded = evaluate().is_ok()).count_total;
    assert!(succeeded);
    allocations
}

fn of_view<F: Form>(system: &dyn MechanicalSystem) -> u64 {
    of_evolution(&FirstOrderView::<F>::new(system))
}

#[test]
fn mechanisms_allocate_nothing() {
    for links in [3, 40] {
        assert_eq!(of_mechanism(&Differentiated::new(Chain { links })), 0, "{links} links");
    }
    assert_eq!(of_mechanism(&Differentiated::new(sketch())), 0, "closures");
}

#[test]
fn systems_without_redundant_constraints_allocate_nothing() {
    let chain = Differentiated::new(Chain { links: 5 });
    assert_eq!(of_mechanism(&Independent::without(&chain, &[0])), 0);
}

#[test]
fn first_order_systems_allocate_nothing() {
    struct VanDerPol;
    impl FirstOrder for VanDerPol {
        fn variables(&self) -> Vec<String> {
            vec!["y".into(), "z".into()]
        }
        fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
            rate[0] = x[1];
            rate[1] = (-x[0].square() + 1.0) * x[1] * 1e3 - x[0];
        }
    }
    assert_eq!(of_evolution(&Linearised::new(VanDerPol)), 0);
}

#[test]
fn views_allocate_nothing() {
    let chain = Differentiated::new(Chain { links: 6 });
    let closures = Differentiated::new(sketch());
    for system in [&chain as &dyn MechanicalSystem, &closures] {
        assert_eq!(of_view::<Index3>(system), 0, "index 3");
        assert_eq!(of_view::<Index2>(system), 0, "index 2");
        assert_eq!(of_view::<Ggl>(system), 0, "ggl");
        assert_eq!(of_view::<Index1>(system), 0, "index 1");
    }
}
