//! Taut integrates mechanical systems that are held together by rods and by very stiff springs.

mod control;
pub mod equations;
pub mod linear;
pub mod motion;
pub mod options;
pub mod run;
pub mod step;
pub mod system;

#[cfg(test)]
mod scratch {
    use crate::motion::Statistics;
    use crate::options::*;
    use crate::run::Driver;
    use crate::step::*;
    use crate::system::*;
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
            g[0] = q[0].square() + q[1].square() - 1.0;
        }
    }
    #[test]
    fn pendulum() {
        let system = Differentiated::new(Pendulum);
        for controller in [Controller::Standard, Controller::Classical] {
            for projection in [Projection::Velocity, Projection::None] {
                for k in [4, 6, 8, 10, 12] {
                    let tol = 10f64.powi(-k);
                    for stages in [vec![3], vec![5]] {
                        let options = Options { rtol: tol, atol: tol, controller, first_step: Some(1e-6), ..Options::default() };
                        let tableaux: Vec<_> = stages.iter().map(|&s| taut_tableau::Family::RadauIia.tableau(s).unwrap()).collect();
                        let core = ImplicitCore::new(tableaux.iter().map(|t| Coefficients::new(t).unwrap()).collect(), 0, options.newton.clone(), options.order.clone());
                        let mut count = Statistics::default();
                        let stepper = Collocation::new(MechanicalStep::new(&system, &options, projection), core, &options, 0.0, &[1.0, 0.0, 0.0, 0.0, 0.0], &mut count).unwrap();
                        let mut driver = Driver::new(Box::new(stepper), &options, count);
                        let mut r = [0.0f64; 3];
                        while !driver.reached(20.0) {
                            if let Err(e) = driver.step(20.0) { println!("FAIL {e}"); break; }
                            let s = driver.stepper.residuals().unwrap();
                            for i in 0..3 { r[i] = r[i].max(s[i]); }
                        }
                        // reference
                        let y = driver.stepper.state();
                        let c = driver.count;
                        println!("{controller:?} {projection:?} tol {tol:e} s {stages:?}: {y:?}\n   {r:?} steps {} acc {} rejE {} rejN {} rhs {} jac {} lu {} newton {}", c.steps, c.accepted, c.rejected_by_error, c.rejected_by_newton, c.rhs, c.jacobians, c.factorizations, c.newton_iterations);
                    }
                }
            }
        }
    }
}
#[cfg(test)]
mod scratch2 {
    use crate::linear::*;
    #[test]
    fn complex() {
        let p = SaddlePattern { n: 2, m: 1, mass: Pattern::diagonal(2), damping: Pattern::empty(2, 2), stiffness: Pattern::diagonal(2), jacobian: Pattern::dense(1, 2) };
        let mut s = ComplexSaddle::new(&p, Choice::Auto);
        let b = Blocks { mass: &[1.0, 1.0], damping: &[], stiffness: &[0.3, 0.2], jacobian: &[2.0, 0.1], compliance: &[0.0] };
        let g = Complex::new(0.3, -0.7);
        s.assemble_and_factor(&b, ComplexScales { alpha: Complex::from(1.0), beta: Complex::ZERO, gamma: g, delta: Complex::ZERO }).unwrap();
        let mut re = [1.0, 2.0, 3.0];
        let mut im = [0.5, 0.25, 0.125];
        s.solve(&mut re, &mut im);
        let x: Vec<Complex> = (0..3).map(|i| Complex::new(re[i], im[i])).collect();
        println!("{:?} {:?} {:?}", (Complex::from(1.0) + g * 0.3) * x[0] + x[2] * 2.0, (Complex::from(1.0) + g * 0.2) * x[1] + x[2] * 0.1, x[0] * 2.0 + x[1] * 0.1);
        let t = taut_tableau::Family::RadauIia.tableau(3).unwrap();
        let sp = t.spectrum().unwrap();
        println!("{:?}\n{:?}", sp, sp.t_inverse.product(&t.a().product(&sp.t)));
    }
}
