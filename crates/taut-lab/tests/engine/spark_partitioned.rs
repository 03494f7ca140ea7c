//! SPARK on partitioned systems y' = Σ f, (M(y) z)' = Σ k, 0 = g(t, y) (Jay 1998, eq. 2), class by class.

use crate::spark_common::{distance, run, spark};
use taut::Solver;
use taut::method::{Method, Shares};
use taut::options::Options;
use taut::system::{
    FirstOrder, ForceClass, Linearised, PartitionedAdditive, PartitionedAdditiveSystem, PartitionedSystem,
    RatePart, Scalar,
};
use taut_tableau::Lobatto;

/// Terms of all classes in both parts, M(y), a term that depends on time, three z for two y, and a circle that moves.
struct Everything {
    held: bool,
}

/// The determinant and the entries of M(y) of the first two z.
fn mass<S: Scalar>(y: &[S]) -> [S; 4] {
    let (a, b, c) = (y[0].square() * 0.5 + 1.0, y[1] * 0.2, y[1].sin() * 0.3 + 2.0);
    [a, b, c, a * c - b * b]
}

impl PartitionedAdditive for Everything {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (["a", "b"].map(String::from).to_vec(), ["u", "v", "w"].map(String::from).to_vec())
    }

    fn first<S: Scalar>(&self, class: ForceClass, t: S, y: &[S], z: &[S], rate: &mut [S]) {
        match class {
            ForceClass::Conservative => {
                rate[0] += z[0] + z[2] * y[1] * 0.3;
                rate[1] += z[1] + z[0].square() * 0.1;
            }
            ForceClass::Dissipative => rate[0] -= y[0] * 0.2,
            ForceClass::Driving => rate[1] += t.sin() * 0.1,
            ForceClass::Oscillatory => rate[1] += z[2] * 0.2,
        }
    }

    fn second<S: Scalar>(&self, class: ForceClass, t: S, y: &[S], z: &[S], _u: &[S], rate: &mut [S]) {
        match class {
            ForceClass::Conservative => {
                rate[0] -= y[0] + y[1].square();
                rate[1] -= y[1] * y[0] * 2.0;
                rate[2] += y[0] * y[1];
            }
            ForceClass::Dissipative => {
                for (rate, z) in rate.iter_mut().zip(z) {
                    *rate -= *z * (z.square() + 0.3);
                }
            }
            ForceClass::Driving => rate[0] += (t * 2.0).cos() * (y[1] + 1.0),
            ForceClass::Oscillatory => {
                rate[1] -= y[1] * 3.0;
                rate[2] -= z[2] * 0.5;
            }
        }
    }

    fn reaction<S: Scalar>(&self, _t: S, y: &[S], _z: &[S], u: &[S], rate: &mut [S]) {
        if self.held {
            rate[0] -= y[0] * u[0] * 2.0;
            rate[1] -= y[1] * u[0] * 2.0;
        }
    }

    fn momentum<S: Scalar>(&self, y: &[S], z: &[S], momentum: &mut [S]) {
        let [a, b, c, _] = mass(y);
        momentum[0] = a * z[0] + b * z[1];
        momentum[1] = b * z[0] + c * z[1];
        momentum[2] = z[2];
    }

    fn constraints(&self) -> Vec<String> {
        if self.held { vec!["circle".into()] } else { Vec::new() }
    }

    fn constraint<S: Scalar>(&self, t: S, y: &[S], g: &mut [S]) {
        if self.held {
            g[0] = y[0].square() + y[1].square() - t.sin() * 0.1 - 1.0;
        }
    }
}

/// The same motion with y, M z and u as the variables of a first-order system.
struct Together(Everything);

impl FirstOrder for Together {
    fn variables(&self) -> Vec<String> {
        let names = ["a", "b", "p", "q", "r"].map(String::from).to_vec();
        [names, self.0.constraints()].concat()
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..5).map(|i| (i, i, 1.0)).collect()
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(if self.0.held { vec![1, 1, 2, 2, 2, 3] } else { vec![0; 5] })
    }

    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        let (y, p, u) = (&x[..2], &x[2..5], &x[5..]);
        let [a, b, c, det] = mass(y);
        let z = [(c * p[0] - b * p[1]) / det, (a * p[1] - b * p[0]) / det, p[2]];
        rate.fill(S::zero());
        let (f, rest) = rate.split_at_mut(2);
        let (k, g) = rest.split_at_mut(3);
        for class in ForceClass::ALL {
            self.0.first(class, t, y, &z, f);
            self.0.second(class, t, y, &z, u, k);
        }
        self.0.reaction(t, y, &z, u, k);
        self.0.constraint(t, y, g);
    }
}

const START: [f64; 5] = [0.6, 0.8, 0.4, -0.2, 0.3];
const END: f64 = 1.5;

/// y and z at the end with another method.
fn reference(held: bool) -> Vec<f64> {
    let system = PartitionedAdditiveSystem::new(Everything { held });
    let start =
        run(&Solver::partitioned(&system).method(spark(3)).step(0.1), 0.0, 0.1, &START).start.unwrap();
    let mut p = [0.0; 3];
    system.momentum(&start.q, &start.v, &mut p).unwrap();
    let x = [&start.q[..], &p, &start.lambda].concat();
    let together = Linearised::new(Together(Everything { held }));
    let solver = Solver::first_order(&together).method(Method::radau()).tolerance(1e-12);
    let x = run(&solver, 0.0, END, &x).y;
    let [a, b, c, det] = mass(&x[..2]);
    vec![x[0], x[1], (c * x[2] - b * x[3]) / det, (a * x[3] - b * x[2]) / det, x[4]]
}

/// With all classes, M(y) and time the order is 2s − 2, towards the motion that another method finds with fewer digits.
#[test]
fn the_order_is_2s_minus_2() {
    for held in [false, true] {
        let system = PartitionedAdditiveSystem::new(Everything { held });
        let exact = run(&Solver::partitioned(&system).method(spark(6)).step(END / 32.0), 0.0, END, &START);
        let exact = &exact.y[..5];
        let apart = distance(exact, &reference(held));
        // Radau knows variables of index 2 to tol^0.6 only.
        assert!(apart < if held { 1e-7 } else { 1e-10 }, "{apart:.1e} from another method");
        assert_eq!(system.structure().parts.len(), if held { 5 } else { 4 });
        for (stages, h) in [(2, END / 64.0), (3, END / 16.0), (4, END / 16.0)] {
            let errors = [h, h / 2.0].map(|h| {
                let motion =
                    run(&Solver::partitioned(&system).method(spark(stages)).step(h), 0.0, END, &START);
                distance(&motion.y[..5], exact)
            });
            let (order, expected) = ((errors[0] / errors[1]).log2(), 2.0 * stages as f64 - 2.0);
            assert!((order - expected).abs() < 0.4, "{stages} stages: {order:.2} from {errors:?}");
        }
    }
}

/// Chooses other coefficients.
type Change<'c> = &'c dyn Fn(&mut Options);

/// Each class has its own coefficients: other ones give another step, of the same order.
#[test]
fn coefficients_go_by_class() {
    let (system, exact) = (PartitionedAdditiveSystem::new(Everything { held: true }), reference(true));
    let errors = |change: Change<'_>| {
        [END / 8.0, END / 16.0].map(|h| {
            let mut options = Options { constant_step: Some(h), ..Options::default() };
            change(&mut options);
            let solver = Solver::partitioned(&system).method(spark(3)).options(options);
            run(&solver, 0.0, END, &START).y[..5].to_vec()
        })
    };
    let usual = errors(&|_| {});
    let changes: [(&str, Change<'_>); 5] = [
        ("positions", &|options| options.spark.positions = Shares::only(Lobatto::C)),
        ("dissipative", &|options| options.spark.dissipative = Shares::only(Lobatto::B)),
        ("driving", &|options| options.spark.driving = Shares::damped(Lobatto::D, 0.5)),
        ("oscillatory", &|options| options.spark.oscillatory = Some(Shares::only(Lobatto::D))),
        ("reactions", &|options| options.spark.reactions = Shares::only(Lobatto::D)),
    ];
    for (name, change) in changes {
        let other = errors(change);
        assert!(distance(&other[0], &usual[0]) > 1e-8, "{name}: nothing changes");
        let order = (distance(&other[0], &exact) / distance(&other[1], &exact)).log2();
        assert!((order - 4.0).abs() < 0.6, "{name}: {order:.2}");
    }
}

/// `rattle` treats all terms alike.
#[test]
fn rattle_treats_all_terms_alike() {
    let (system, exact) = (PartitionedAdditiveSystem::new(Everything { held: true }), reference(true));
    let errors = [END / 64.0, END / 128.0].map(|h| {
        let method = Method::named("rattle").unwrap();
        let motion = run(&Solver::partitioned(&system).method(method).step(h), 0.0, END, &START);
        distance(&motion.y[..5], &exact)
    });
    assert!(((errors[0] / errors[1]).log2() - 2.0).abs() < 0.2, "{errors:?}");
}

/// Coefficients that leave multipliers undetermined break (21b) and are refused.
#[test]
fn coefficients_that_leave_multipliers_undetermined_are_refused() {
    let system = PartitionedAdditiveSystem::new(Everything { held: true });
    let mut options = Options::default();
    options.spark.reactions = Shares::damped(Lobatto::A, 0.5);
    let error = Solver::partitioned(&system).options(options).method(spark(3)).run(0.0, 1.0, &START);
    let text = error.unwrap_err().to_string();
    assert!(text.contains("conditions 21") && text.contains("reaction"), "{text}");
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// The derivatives that the solver sees are those of the formulas.
#[test]
fn derivatives_agree_with_differences() {
    const SHIFT: f64 = 1e-6;
    let system = PartitionedAdditiveSystem::new(Everything { held: true });
    let structure = system.structure();
    let x = [0.6, 0.8, 0.4, -0.2, 0.3, 0.7];
    let at = |x: &'static [f64]| taut::system::PartitionState { t: 0.4, y: &x[..2], z: &x[2..5], u: &x[5..] };
    let shifted = |j: usize, by: f64| {
        let mut x = x;
        x[j] += by;
        &*Box::leak(Box::new(x))
    };
    for part in RatePart::ALL {
        let mut values = vec![0.0; structure.rates.nnz()];
        system.rate_derivatives(part, at(shifted(0, 0.0)), &mut values).unwrap();
        for j in 0..6 {
            let [mut plus, mut minus, mut column] = [[0.0; 5]; 3];
            system.rates(part, at(shifted(j, SHIFT)), &mut plus).unwrap();
            system.rates(part, at(shifted(j, -SHIFT)), &mut minus).unwrap();
            for ((i, k), value) in structure.rates.entries().zip(&values) {
                column[i] += if k == j { *value } else { 0.0 };
            }
            let difference: Vec<f64> =
                (0..5).map(|i| (plus[i] - minus[i]) / (2.0 * SHIFT) - column[i]).collect();
            assert!(largest(&difference) < 1e-8, "{part:?}, column {j}: {difference:?}");
        }
    }
}
