#![allow(clippy::unwrap_used)]

use taut_tableau::{Lobatto, Spark};

use super::{SparkKind, SparkStep, Stepper};
use crate::geometry::manifold::Manifold;
use crate::linear::Choice;
use crate::method::{Damped, Damping, Shares, SparkOptions, Treatment};
use crate::motion::Statistics;
use crate::options::Options;
use crate::stages::spark::arrived::Arrived;
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::equations::SparkEquations;
use crate::stages::spark::frozen::FrozenMatrix;
use crate::stages::spark::matrix::SparkMatrix;
use crate::stages::step_residuals::StepResiduals;
use crate::system::{Constraint, Differentiated, ForceClass, Mass, Mechanical, Scalar, Sketch, Terms};

/// Forces of all classes, M(q), a spring, and a linear rod.
fn everything() -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| {
            let square = v[0].square() * (q[1].square() + 1.0) + v[1].square() * (q[2].sin() + 2.0);
            (square + v[2].square() * 1.5 + v[0] * v[2] * q[1] * 0.6) * 0.5
        })
        .potential(|q| q[2] * q[0] + q[1].square())
        .force(ForceClass::Dissipative, 0, |_t, q, v| -(v[0] * v[0] * v[0]) * (q[1] + 2.0))
        .force(ForceClass::Driving, 1, |t, _q, v| t.sin() + v[1] * 0.4)
        .force(ForceClass::Oscillatory, 2, |_t, q, _v| -(q[2] * 9.0))
        .spring("spring", 0.3, |_t, q| q[0].hypot(q[1]) - 1.0)
        .rod("rod", |_t, q| q[0] + q[1] * 2.0 - q[2] * 0.5 - 0.3);
    Differentiated::new(sketch)
}

fn coefficients(stages: usize, options: &SparkOptions) -> SparkCoefficients {
    SparkCoefficients::new(&Spark::new(stages).unwrap(), Treatment::ByClass, options).unwrap()
}

#[test]
fn forces_with_the_same_coefficients_are_evaluated_together() {
    let usual = coefficients(3, &SparkOptions::default());
    assert_eq!(usual.groups.len(), 4);
    let together = Terms::KINETIC | Terms::POTENTIAL | Terms::CONSERVATIVE;
    assert!(usual.groups[0].terms == together && usual.groups[0].rods && !usual.groups[0].springs);
    let alike = SparkCoefficients::new(&Spark::new(2).unwrap(), Treatment::Alike, &SparkOptions::default());
    assert_eq!(alike.unwrap().groups.len(), 1);
    let reactions = SparkOptions { reactions: Shares::only(Lobatto::D), ..SparkOptions::default() };
    assert_eq!(coefficients(3, &reactions).groups.len(), 5);
}

#[test]
fn the_error_estimate_is_symmetric_and_sees_degree_s_minus_1_only() {
    for stages in 2..=6 {
        let method = coefficients(stages, &SparkOptions::default());
        let (weights, sign) = (&method.error_weights, if stages % 2 == 0 { -1.0 } else { 1.0 });
        for (i, weight) in weights.iter().enumerate() {
            assert!((weight - sign * weights[stages - 1 - i]).abs() < 1e-14);
        }
        let moment = |k: usize| weights.iter().zip(&method.c).map(|(e, c)| e * c.powi(k as i32)).sum::<f64>();
        assert!((0..stages - 1).all(|k| moment(k).abs() < 1e-14), "{stages} stages");
        assert!(moment(stages - 1).abs() > 1e-4, "{stages} stages");
    }
}

/// The matrix is the derivative of the residual. What it leaves out vanishes here: ∂(G v)/∂q with a linear rod, the
/// difference of v₁ and V_s with equal velocities.
#[test]
fn newtons_matrix_is_the_derivative_of_the_equations() {
    let system = everything();
    let several = SparkOptions {
        reactions: Shares::damped(Lobatto::B, 0.25),
        conservative: Shares::only(Lobatto::D),
        ..SparkOptions::default()
    };
    let by_coordinate = SparkOptions {
        damping: Damping::Shares(vec![0.4, 0.0, 1.0]),
        damping_of: Damped::Motion,
        ..SparkOptions::default()
    };
    for (stages, options) in
        [(2, SparkOptions::default()), (3, several), (2, by_coordinate.clone()), (3, by_coordinate)]
    {
        for choice in [Choice::Dense, Choice::Sparse] {
            let mut equations = SparkEquations::new(&system, coefficients(stages, &options));
            let mut matrix = SparkMatrix::new(&equations, choice);
            let unknowns = equations.unknowns;
            let mut x: Vec<f64> = (0..unknowns.len()).map(|k| (1.7 * k as f64).sin()).collect();
            x.copy_within(unknowns.velocities(stages - 1), unknowns.velocities(stages).start);
            let mut count = Statistics::default();
            equations.begin(0.2, 0.3, &Arrived::at(&[0.4, 0.1, 0.3, 0.5, -0.2, 0.6, 0.7, -0.4], 3), None);
            matrix.refresh(&mut equations, &x, &mut count).unwrap();
            matrix.factor(&equations, &mut count).unwrap();
            for k in 0..unknowns.len() {
                let mut residual_at = |shift: f64| {
                    let (mut shifted, mut residual) = (x.clone(), vec![0.0; unknowns.len()]);
                    shifted[k] += shift;
                    equations.residual(&shifted, &mut residual, &mut count).unwrap();
                    residual
                };
                let (ahead, behind) = (residual_at(1e-5), residual_at(-1e-5));
                let mut column: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / 2e-5).collect();
                matrix.whole.solve(&mut column, &mut count);
                for (i, entry) in column.iter().enumerate() {
                    let expected = if i == k { 1.0 } else { 0.0 };
                    assert!((entry - expected).abs() < 1e-7, "{stages} stages: column {k}, row {i}: {entry}");
                }
            }
        }
    }
}

/// With constant M and G, and forces that do not change, the frozen matrix is the whole one.
#[test]
fn the_frozen_matrix_is_exact_where_nothing_changes() {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|_q, v| {
            (v[0].square() * 2.0 + v[1].square() + v[2].square() * 1.5 + v[0] * v[2] * 0.6) * 0.5
        })
        .potential(|q| q[2] - q[0] * 3.0)
        .rod("rod", |_t, q| q[0] + q[1] * 2.0 - q[2] * 0.5 - 0.3);
    let system = Differentiated::new(sketch);
    for stages in 2..=5 {
        for reactions in [Lobatto::B, Lobatto::C, Lobatto::D] {
            let options = SparkOptions { reactions: Shares::only(reactions), ..SparkOptions::default() };
            let mut equations = SparkEquations::new(&system, coefficients(stages, &options));
            let mut frozen = FrozenMatrix::new(&equations, Choice::Auto).unwrap();
            let mut manifold = Manifold::new(&system, Choice::Auto);
            let (unknowns, mut count) = (equations.unknowns, Statistics::default());
            let here = Arrived::at(&[0.4, 0.1, 0.6, 0.5, -0.2, 0.2, 0.7], 3);
            manifold.evaluate(0.0, &here.y[..3], &here.y[3..6], &mut count).unwrap();
            manifold.factor(&mut count).unwrap();
            frozen.prepare(&manifold, &mut count).unwrap();
            equations.begin(0.0, 0.3, &here, None);
            let mut x: Vec<f64> = (0..unknowns.len()).map(|k| (1.7 * k as f64).sin()).collect();
            let mut residual = vec![0.0; unknowns.len()];
            let apart = equations.end_is_apart;
            assert_eq!(apart, reactions == Lobatto::B);
            equations.stages_alone = apart;
            equations.residual(&x, &mut residual, &mut count).unwrap();
            frozen.solve(&manifold, &mut residual, &mut count);
            x.iter_mut().zip(&residual).for_each(|(x, update)| *x -= update);
            if apart {
                // Forces at the last stage, which nothing needs before.
                equations.ends = true;
                equations.evaluate(&x, &mut count).unwrap();
                equations.find_end(&mut x, |system| manifold.solve(system, &mut count)).unwrap();
            }
            equations.residual(&x, &mut residual, &mut count).unwrap();
            let largest = residual.iter().fold(0.0_f64, |largest, r| largest.max(r.abs()));
            assert!(largest < 1e-13, "{stages} stages, {reactions:?}: {largest:.1e}");
        }
    }
}

/// After the first steps nothing is allocated any more.
#[test]
fn steps_do_not_allocate() {
    let system = everything();
    let options = Options { linear: Choice::Dense, ..Options::default() };
    let mut count = Statistics::default();
    let y = [0.4, 0.1, 0.4, 0.5, -0.2, 0.2, 0.0, 0.0];
    let method = coefficients(3, &options.spark);
    let mut step = SparkStep::new(&system, method, &options, 0.0, &y, &mut count).unwrap();
    let mut advance = |to: f64| {
        step.attempt(to, &mut count).unwrap();
        step.accept(&mut count).unwrap();
    };
    advance(0.01);
    let allocations = allocation_counter::measure(|| {
        advance(0.02);
        advance(0.035);
    });
    assert_eq!(allocations.count_total, 0, "{allocations:?}");
}

/// So many short rods in the plane with pins between them.
struct Rods(usize);

impl Mechanical for Rods {
    fn coordinates(&self) -> Vec<String> {
        (0..self.0).flat_map(|k| ["x", "y", "turn"].map(|name| format!("{name}{k}"))).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        let length = 2.0 / self.0 as f64;
        for k in 0..self.0 {
            let of_rod = [1.0, 1.0, length * length / 12.0];
            (0..3).for_each(|i| mass.add(3 * k + i, 3 * k + i, S::constant(0.2 * length * of_rod[i])));
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        (0..2 * self.0).map(|k| Constraint::rod(format!("pin{k}"))).collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let mut end = [S::constant(0.0); 2];
        for (q, g) in q.chunks_exact(3).zip(g.chunks_exact_mut(2)) {
            let half = [q[2].cos(), q[2].sin()].map(|part| part * (1.0 / self.0 as f64));
            (0..2).for_each(|i| g[i] = q[i] - half[i] - end[i]);
            end = [q[0] + half[0], q[1] + half[1]];
        }
    }
}

/// Factors of chains have so many entries for each rod, however many there are.
#[test]
fn the_whole_matrix_of_a_chain_stays_sparse() {
    for stages in [2, 3] {
        let fill = [30, 90].map(|rods| {
            let system = Differentiated::new(Rods(rods));
            let mut equations = SparkEquations::new(&system, coefficients(stages, &SparkOptions::default()));
            let mut matrix = SparkMatrix::new(&equations, Choice::Auto);
            let (unknowns, mut count) = (equations.unknowns, Statistics::default());
            let x: Vec<f64> = (0..unknowns.len()).map(|k| (1.7 * k as f64).sin()).collect();
            let y: Vec<f64> = (0..8 * rods).map(|k| (0.3 * k as f64).sin()).collect();
            equations.begin(0.0, 1e-3, &Arrived::at(&y, 3 * rods), None);
            matrix.refresh(&mut equations, &x, &mut count).unwrap();
            matrix.factor(&equations, &mut count).unwrap();
            matrix.whole.fill()
        });
        assert!(fill[0] > 0 && fill[1] < 4 * fill[0], "{stages} stages: {fill:?} entries");
    }
}

/// What is known of the end of a step says the same of its residuals as what is evaluated there.
#[test]
fn residuals_of_rattle_are_those_of_the_state() {
    let sketch = Sketch::new(["x", "y", "z", "w"])
        .kinetic(|_q, v| (v[0].square() + v[1].square() + v[2].square() + v[3].square()) * 0.5)
        .potential(|q| (q[1] + q[3]) * 9.81)
        .rod("first", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5)
        .rod("second", |_t, q| ((q[2] - q[0]).square() + (q[3] - q[1]).square() - 1.0) * 0.5);
    let system = Differentiated::new(sketch);
    let options = Options { constant_step: Some(1e-2), ..Options::default() };
    let y = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let count = &mut Statistics::default();
    let method = SparkCoefficients::new(&Spark::new(2).unwrap(), Treatment::Alike, &SparkOptions::default());
    let mut step = SparkStep::new(&system, method.unwrap(), &options, 0.0, &y, count).unwrap();
    assert!(step.equations.equations.balances_at_once && !step.equations.constraint_is_here);
    for k in 1..=20 {
        step.attempt(1e-2 * k as f64, count).unwrap();
        step.accept(count).unwrap();
        assert!(step.equations.constraint_is_here);
        let known = SparkKind::residuals(&mut step.equations).unwrap();
        step.equations.constraint_is_here = false;
        let evaluated = SparkKind::residuals(&mut step.equations).unwrap();
        for (known, evaluated) in known.into_iter().zip(evaluated) {
            assert!((known - evaluated).abs() < 1e-14 && known < 1e-12, "{known} and {evaluated}");
        }
    }
}
