#![allow(clippy::unwrap_used, clippy::print_stdout)]
use taut::Solver;
use taut::method::Method;
use taut::system::Differentiated;
use taut_problems::mechanics::Pendulum;

#[test]
fn look() {
    let p = Differentiated::new(Pendulum { mass: 1.0, length: 1.0, gravity: 1.0 });
    for s in [2, 3] {
        let m = Solver::mechanical(&p)
            .method(Method::named("spark").unwrap().with_stages(s).unwrap())
            .step(0.1)
            .watch(true)
            .run(0.0, 0.1, &[1.0, 0.0, 0.0, 0.0])
            .unwrap();
        println!("{s} {:?} {:?} {:?} {:?}", m.q(), m.v(), m.statistics, m.invariants);
    }
    for (s, n) in [(2, 20), (2, 40), (3, 20), (3, 40), (4, 12), (4, 24), (4, 48), (5, 12), (5, 24)] {
        let e = Solver::mechanical(&p).tolerance(1e-13).run(0.0, 2.0, &[1.0, 0.0, 0.0, 0.0]).unwrap();
        let m = Solver::mechanical(&p)
            .method(Method::named("spark").unwrap().with_stages(s).unwrap())
            .step(2.0 / n as f64)
            .run(0.0, 2.0, &[1.0, 0.0, 0.0, 0.0])
            .unwrap();
        let d = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!(
            "{s} {n} q {:.3e} v {:.3e} l {:.3e} it {} jac {} fac {}",
            d(m.q(), e.q()),
            d(m.v(), e.v()),
            d(m.lambda(), e.lambda()),
            m.statistics.newton_iterations,
            m.statistics.jacobians,
            m.statistics.factorizations
        );
    }
}
