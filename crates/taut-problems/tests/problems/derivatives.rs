//! Derivative blocks against numerical differences, for every problem at its start and beside it.

use taut::system::{ForceClass, MechanicalSystem, Terms};
use taut_problems::{Problem, State, System};

use crate::support::*;

const RELATIVE: f64 = 1e-6;

/// Relative to the largest entry, or to `floor` where all are (nearly) 0.
fn assert_close(found: &[f64], expected: &[f64], floor: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = largest(expected).max(largest(found)).max(floor);
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= RELATIVE * scale, "{what}[{i}]: {found} against {expected}, error {error:e}");
    }
}

fn assert_blocks_close(found: &[Vec<f64>], expected: &[Vec<f64>], floor: f64, what: &str) {
    assert_close(&found.concat(), &expected.concat(), floor, what);
}

fn add(x: &[f64], y: &[f64], factor: f64) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x + factor * y).collect()
}

/// The size of each coordinate, for steps and perturbations.
fn sizes(states: &[Vec<f64>], least: f64) -> Vec<f64> {
    (0..states[0].len()).map(|i| states.iter().fold(least, |size, x| size.max(x[i].abs()))).collect()
}

struct Point {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// The start, and a point beside it with all velocities in play.
fn points(problem: &Problem) -> [Point; 2] {
    let motion = problem.start.state.motion().unwrap();
    let (q_size, v_size) = motion_sizes(problem);
    let shift = |x: &[f64], size: &[f64], seed| {
        let noise = scattered(x.len(), seed);
        (0..x.len()).map(|i| x[i] + 0.02 * size[i] * noise[i]).collect::<Vec<f64>>()
    };
    let t = problem.start.t;
    [
        Point { t, q: motion.q.clone(), v: motion.v.clone() },
        Point { t: t + 0.01, q: shift(&motion.q, &q_size, 1), v: shift(&motion.v, &v_size, 2) },
    ]
}

fn motion_sizes(problem: &Problem) -> (Vec<f64>, Vec<f64>) {
    let references = problem.references.iter().map(|reference| &reference.state);
    let motions: Vec<_> =
        references.chain([&problem.start.state]).map(|state| state.motion().unwrap()).collect();
    let q: Vec<_> = motions.iter().map(|motion| motion.q.clone()).collect();
    let v: Vec<_> = motions.iter().map(|motion| motion.v.clone()).collect();
    let typical = motions.iter().fold(1.0, |size: f64, motion| size.max(largest(&motion.v)));
    (sizes(&q, 1e-3), sizes(&v, 0.1 * typical))
}

#[test]
fn mechanical_blocks_agree_with_differences() {
    for problem in every_problem() {
        let Some(system) = problem.system.mechanism() else { continue };
        // At a dead point there are no accelerations to take derivatives at.
        let singular = usize::from(problem.start_name == "dead_point");
        for (k, at) in points(&problem).iter().enumerate().skip(singular) {
            let what = format!("{} at point {k}", label(&problem));
            let (q_size, v_size) = motion_sizes(&problem);
            let (q_steps, v_steps) = (add(&q_size, &q_size, -0.98), add(&v_size, &v_size, -0.9));
            constraints_agree(system, at, &q_steps, &what);
            forces_agree(system, at, &q_steps, &what);
            // Constraints of which one follows from the others have no multipliers of their own to take derivatives at, and
            // differences step across the layer of dry friction.
            if !["bricard", "stiction"].contains(&problem.name.as_str()) {
                newton_blocks_agree(system, at, &q_steps, &v_steps, &what);
            }
        }
    }
}

fn constraints_agree(system: &dyn MechanicalSystem, at: &Point, steps: &[f64], what: &str) {
    let Point { t, q, v } = at;
    if system.structure().m() == 0 {
        return;
    }
    let g = constraint_jacobian(system, *t, q, v);
    assert_blocks_close(&g, &jacobian(q, steps, |q| constraint(system, *t, q)), 0.0, &format!("{what}: G"));
    // along the motion q + τ v, t + τ; a step that moves q as little as the steps of G do
    let step = steps.iter().zip(v).fold(1e-2, |step: f64, (size, v)| step.min(size / v.abs().max(1e-12)));
    let rate = slope(step, |tau| constraint(system, t + tau, &add(q, v, tau)));
    let found = constraint_rate(system, *t, q, v);
    let scale = largest(v) * largest(&g.concat()) * 1e-8;
    for (found, rate) in found.iter().zip(&rate) {
        assert!((found - rate).abs() <= RELATIVE * rate.abs() + scale, "{what}: rate {found} against {rate}");
    }
    let bend = slope(step, |tau| constraint_rate(system, t + tau, &add(q, v, tau), v));
    let found = curvature(system, *t, q, v);
    let scale = largest(v).powi(2) * largest(&g.concat()) * 1e-8;
    for (found, bend) in found.iter().zip(&bend) {
        assert!(
            (found - bend).abs() <= RELATIVE * bend.abs() + scale,
            "{what}: curvature {found} against {bend}"
        );
    }
}

/// Energies and forces belong together, and the terms add up.
fn forces_agree(system: &dyn MechanicalSystem, at: &Point, steps: &[f64], what: &str) {
    let Point { t, q, v } = at;
    let size = largest(&force(system, Terms::ACCELERATING, *t, q, v)).max(1.0);
    let kinetic = jacobian(q, steps, |q| vec![system.energy(*t, q, v).unwrap().kinetic]).concat();
    assert_close(
        &force(system, Terms::KINETIC, *t, q, v),
        &kinetic,
        1e-9 * size,
        &format!("{what}: kinetic term"),
    );
    // (∂(M v)/∂q) v along the motion
    let speed = largest(v).max(1e-12);
    let transport = slope(steps[0] / speed, |tau| multiply(&mass(system, &add(q, v, tau)), v));
    let coriolis = add(&kinetic, &transport, -1.0);
    let found = force(system, Terms::CORIOLIS, *t, q, v);
    let scale = largest(&kinetic).max(largest(&transport)).max(1e-9 * size);
    let error = largest(&add(&found, &coriolis, -1.0));
    assert!(error <= RELATIVE * scale, "{what}: Coriolis term is off by {error:e}");

    let springs: Vec<f64> = system.structure().constraints.iter().map(|c| c.compliance()).collect();
    if springs.iter().all(|compliance| *compliance == 0.0) {
        let potential = jacobian(q, steps, |q| vec![-system.energy(*t, q, v).unwrap().potential]).concat();
        let found = force(system, Terms::POTENTIAL, *t, q, v);
        assert_close(&found, &potential, 1e-9 * size, &format!("{what}: potential term"));
    }
    let mut sum = add(&force(system, Terms::POTENTIAL, *t, q, v), &found, 1.0);
    for class in ForceClass::ALL {
        sum = add(&sum, &force(system, Terms::of(class), *t, q, v), 1.0);
    }
    assert_close(
        &force(system, Terms::ACCELERATING, *t, q, v),
        &sum,
        0.0,
        &format!("{what}: sum of the terms"),
    );
}

fn newton_blocks_agree(
    system: &dyn MechanicalSystem,
    at: &Point,
    q_steps: &[f64],
    v_steps: &[f64],
    what: &str,
) {
    let Point { t, q, v } = at;
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let acceleration_size = largest(&accelerations(system, *t, q, v).0).max(1.0);
    let a: Vec<f64> = scattered(n, 3).iter().map(|a| acceleration_size * a).collect();
    let inertia =
        largest(&multiply(&mass(system, q), &a)).max(largest(&force(system, Terms::ACCELERATING, *t, q, v)));
    let lambda: Vec<f64> = scattered(m, 4).iter().map(|lambda| inertia * lambda).collect();
    for terms in [Terms::ACCELERATING, Terms::KINETIC | Terms::POTENTIAL | Terms::APPLIED] {
        let mut stiffness = vec![0.0; structure.stiffness.nnz()];
        let mut damping = vec![0.0; structure.damping.nnz()];
        system.newton_blocks(terms, *t, q, v, &a, &lambda, &mut stiffness, &mut damping).unwrap();
        let load = |q: &[f64]| {
            let pull = transposed_multiply(&constraint_jacobian(system, *t, q, v), &lambda, n);
            let load = add(&force(system, terms, *t, q, v), &multiply(&mass(system, q), &a), -1.0);
            add(&load, &pull, -1.0)
        };
        let expected = jacobian(q, q_steps, load);
        assert_blocks_close(
            &full(&structure.stiffness, &stiffness),
            &expected,
            1e-3 * inertia,
            &format!("{what}: K"),
        );
        let expected = jacobian(v, v_steps, |v| force(system, terms, *t, q, v));
        assert_blocks_close(
            &full(&structure.damping, &damping),
            &expected,
            1e-9 * inertia,
            &format!("{what}: D"),
        );
    }
}

#[test]
fn first_order_jacobians_agree_with_differences() {
    for problem in every_problem() {
        let System::FirstOrder(system) = &problem.system else { continue };
        let State::Variables(start) = &problem.start.state else { panic!("an incomplete start") };
        let n = start.len();
        let mut sizes: Vec<f64> = start.iter().map(|x| x.abs()).collect();
        for (i, x) in problem.references.iter().flat_map(|reference| reference.state.variables()) {
            sizes[i] = sizes[i].max(x.abs());
        }
        // voltages of the charge pump are 0 at both ends and some volts in between
        let least = if problem.name == "charge_pump" { 0.5 } else { 1e-5 };
        let sizes: Vec<f64> = sizes.iter().map(|size| if *size < 1e-12 { least } else { *size }).collect();
        let noise = scattered(n, 5);
        let beside = (0..n).map(|i| start[i] + 0.01 * sizes[i] * noise[i]).collect();
        for (k, (t, x)) in
            [(problem.start.t, start.clone()), (0.3 * problem.t_end, beside)].iter().enumerate()
        {
            let pattern = &system.composition().jacobian;
            let mut values = vec![0.0; pattern.nnz()];
            system.jacobian(*t, x, &mut values).unwrap();
            let found = full(pattern, &values);
            let steps: Vec<f64> = sizes.iter().map(|size| 1e-3 * size).collect();
            let expected = jacobian(x, &steps, |x| {
                let mut rate = vec![0.0; n];
                system.rate(*t, x, &mut rate).unwrap();
                rate
            });
            // row by row, with variables in units of their size: rows may have very different units
            for i in 0..n {
                let scaled =
                    |row: &[f64]| row.iter().zip(&sizes).map(|(a, size)| a * size).collect::<Vec<_>>();
                let what = format!("{} at point {k}, row {i}", label(&problem));
                assert_close(&scaled(&found[i]), &scaled(&expected[i]), 0.0, &what);
            }
        }
    }
}
