//! The condition of Newton's matrices along motions on stiff springs.

use taut_tableau::Family;

use crate::Solver;
use crate::equations::{Formulation, Layout};
use crate::geometry::manifold::Manifold;
use crate::linear::Choice;
use crate::method::Method;
use crate::motion::Statistics;
use crate::options::Controller;
use crate::run::Output;
use crate::stages::coefficients::Coefficients;
use crate::stages::mechanical::MechanicalStages;
use crate::stages::stage_equations::StageEquations;
use crate::system::{Constraint, Differentiated, FootPoints, Mass, Mechanical, MechanicalSystem, Scalar};

/// Pendulums one below the other on springs.
struct SpringChain {
    links: usize,
    epsilon: f64,
    /// relaxation times of their dampers, in epsilon
    damping: f64,
}

impl Mechanical for SpringChain {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.links).flat_map(|i| [format!("x{i}"), format!("y{i}")]).collect()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.iter().skip(1).step_by(2).fold(S::zero(), |sum, y| sum + *y)
    }
    fn constraints(&self) -> Vec<Constraint> {
        let (compliance, relaxation) = (self.epsilon.powi(2), self.damping * self.epsilon);
        let spring = |i| Constraint::damped_spring(format!("link {i}"), compliance, relaxation);
        (1..=self.links).map(spring).collect()
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (i, g) in g.iter_mut().enumerate() {
            let above = |k: usize| if i == 0 { S::zero() } else { q[2 * i - 2 + k] };
            *g = (q[2 * i] - above(0)).hypot(q[2 * i + 1] - above(1)) - 1.0;
        }
    }
}

/// A body in space near the sphere and near the saddle z = x y, on coupled springs; its masses depend on the position.
struct Body {
    epsilon: f64,
}

impl Mechanical for Body {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y", "z", "w"].map(String::from).to_vec()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(2.0));
        mass.add(0, 1, q[2].sin() * 0.5);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[2] + q[3].square() * 0.5 + q[2] * q[3]
    }
    fn epsilon(&self) -> Option<f64> {
        Some(self.epsilon)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        let sphere = (q[0].square() + q[1].square() + q[2].square()).sqrt() - 1.0;
        let saddle = q[2] - q[0] * q[1];
        sphere.square() + saddle.square() * 2.0 + sphere * saddle * 0.7 + saddle.powi(3) * 0.3
    }
}

/// The largest condition number of Newton's matrices, of all numbers of stages, for the steps that a run takes.
fn largest_condition(system: &dyn MechanicalSystem, start: &[f64], until: f64) -> f64 {
    let structure = system.structure();
    let layout = Layout::mechanical(structure.n(), structure.m());
    let solver = Solver::mechanical(system).method(Method::radau()).output(Output::Steps);
    let motion = solver.run(0.0, until, start).unwrap();
    let methods: Vec<Coefficients> = [2, 3, 5, 7]
        .iter()
        .map(|&s| Coefficients::new(&Family::RadauIia.tableau(s).unwrap()).unwrap())
        .collect();
    let mut stages = MechanicalStages::new(system, Formulation::Index3, Controller::Standard, Choice::Auto);
    let mut manifold = Manifold::new(system, Choice::Auto);
    manifold.follow_springs(|_| false);
    let count = &mut Statistics::default();
    let mut largest = 0.0_f64;
    let frame = system.frame();
    let states: Vec<(f64, &[f64])> = motion.trajectory.iter().collect();
    for pair in states.windows(2) {
        let [(t, y), (to, _)] = pair else { continue };
        let (q, v, _) = layout.split(y);
        if let Some(frame) = frame {
            frame.begin(*t, q).unwrap();
        }
        let (mut a, mut lambda) = (vec![0.0; structure.n()], vec![0.0; structure.m()]);
        manifold.evaluate(*t, q, v, count).unwrap();
        manifold.factor(count).unwrap();
        manifold.accelerations(*t, &mut a, &mut lambda, 2, count).unwrap();
        let unknowns = [a, lambda].concat();
        for method in &methods {
            let unknowns = unknowns.repeat(method.stages);
            stages.begin(*t, to - t, y, method, &unknowns);
            stages.refresh(method, method.stages / 2, &unknowns, count).unwrap();
            stages.factor(method, count).unwrap();
            largest = stages.conditions(method).into_iter().fold(largest, f64::max);
        }
    }
    largest
}

/// Asserts that the condition of a system on springs is bounded, and that of the rods in the limit.
///
/// In between it may be larger: Newton's matrix for a complex eigenvalue μ comes closest to a singular one where (hμ)² is
/// near −C/(G M⁻¹Gᵀ), and misses it by the sine of twice the angle of μ.
fn assert_bounded(what: &str, softest: i32, condition: impl Fn(f64) -> f64) {
    let rods = condition(0.0);
    for epsilon in (softest..=10).map(|power| 10.0_f64.powi(-power)) {
        let ratio = condition(epsilon) / rods;
        println!("{what}, epsilon {epsilon:e}: {ratio:.6} times {rods:.2}");
        let most = if epsilon > 1e-5 { 2.0 } else { 1.01 };
        assert!(ratio < most, "{what}, epsilon {epsilon:e}: {ratio} times {rods}");
    }
}

#[test]
fn the_condition_of_a_pendulum_does_not_depend_on_its_stiffness() {
    assert_bounded("pendulum", 2, |epsilon| {
        let system = Differentiated::new(SpringChain { links: 1, epsilon, damping: 0.0 });
        largest_condition(&system, &[0.6, -0.8, 0.4, 0.3], 10.0)
    });
}

#[test]
fn nor_on_its_damper() {
    for damping in [0.5, 2.0, 20.0] {
        // Softer ones are not taken along: the beginning of their motion is resolved with short steps.
        assert_bounded("damped pendulum", 4, |epsilon| {
            let system = Differentiated::new(SpringChain { links: 1, epsilon, damping });
            largest_condition(&system, &[0.6, -0.8, 0.4, 0.3], 10.0)
        });
    }
}

#[test]
fn nor_does_that_of_a_chain() {
    let (sine, cosine) = 0.5_f64.sin_cos();
    let places = (1..=10).flat_map(|i| [f64::from(i) * sine, -f64::from(i) * cosine]);
    let start: Vec<f64> = places.chain(std::iter::repeat_n(0.0, 20)).collect();
    assert_bounded("chain", 2, |epsilon| {
        let system = Differentiated::new(SpringChain { links: 10, epsilon, damping: 0.0 });
        largest_condition(&system, &start, 4.0)
    });
}

#[test]
fn nor_does_that_of_a_body_in_space_under_a_strong_potential() {
    let (x, y): (f64, f64) = (0.5, (0.75_f64 / 1.25).sqrt());
    // Along the manifold: y' from |q| = 1 and z = x y.
    let slope = -x * (1.0 + y * y) / (y * (1.0 + x * x));
    let start = [x, y, x * y, 0.4, 0.3, 0.3 * slope, 0.3 * (y + x * slope), 0.1];
    assert_bounded("body", 2, |epsilon| {
        let system = FootPoints::of(Body { epsilon }, &start[..4]).unwrap();
        largest_condition(&system, &start, 4.0)
    });
}
