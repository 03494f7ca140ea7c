//! The crate russell_ode: its Radau5 on first-order systems (analytic Jacobian, mass matrix; its own elimination in
//! Rust, one thread), its DoPri8 on index-reduced mechanical ones. It has no way to declare variables of a higher index,
//! so that constrained systems are not given to its Radau5.

use russell_lab::Vector;
use russell_ode::{Method, OdeSolver, Params, System};
use russell_sparse::{CooMatrix, Sym};
use taut::system::FirstOrderSystem;
use taut_lab::experiment::Reduced;

use crate::subject::Subject;

struct Flow<'a> {
    system: &'a dyn FirstOrderSystem,
    jacobian: Vec<f64>,
}

fn solve<A>(
    subject: &Subject,
    tolerance: f64,
    method: Method,
    system: System<'_, A>,
    start: &[f64],
    mut arguments: A,
) -> Option<Vec<f64>> {
    let mut params = Params::new(method);
    params.set_tolerances(subject.floor * tolerance, tolerance, None).ok()?;
    params.step.n_step_max = 1_000_000;
    params.radau5.concurrent = false;
    let mut solver = OdeSolver::new(params, system).ok()?;
    let mut y = Vector::from(&start);
    solver.solve(&mut y, subject.problem.start.t, subject.until, None, &mut arguments, None).ok()?;
    Some(y.as_data().clone())
}

/// Variables at the end, by Radau5.
pub fn first_order(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let evolution = subject.evolution()?;
    let composition = evolution.composition();
    let entries = composition.jacobian.nnz();
    let mut system = System::new(composition.n(), |f: &mut Vector, t, x: &Vector, flow: &mut Flow<'_>| {
        flow.system.rate(t, x.as_data(), f.as_mut_data()).map_err(|_| "cannot be evaluated")
    });
    let jacobian = |out: &mut CooMatrix, factor: f64, t: f64, x: &Vector, flow: &mut Flow<'_>| {
        flow.system.jacobian(t, x.as_data(), &mut flow.jacobian).map_err(|_| "cannot be evaluated")?;
        out.reset();
        for ((i, j), value) in flow.system.composition().jacobian.entries().zip(&flow.jacobian) {
            out.put(i, j, factor * value)?;
        }
        Ok(())
    };
    system.set_jacobian(Some(entries), Sym::No, jacobian).ok()?;
    if !crate::first_order::is_ordinary(composition) {
        let mass = |out: &mut CooMatrix| {
            for ((i, j), value) in composition.mass.entries().zip(&composition.mass_values) {
                // There is room for all of them.
                let _ = out.put(i, j, *value);
            }
        };
        system.set_mass(Some(composition.mass.nnz()), Sym::No, mass).ok()?;
    }
    let flow = Flow { system: evolution, jacobian: vec![0.0; entries] };
    solve(subject, tolerance, Method::Radau5, system, &subject.variables(), flow)
}

/// Positions at the end, by DoPri8.
pub fn reduced(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let start = [subject.motion.q.as_slice(), &subject.motion.v].concat();
    let system = System::new(start.len(), |f: &mut Vector, t, y: &Vector, field: &mut Reduced<'_>| {
        field.evaluate(t, y.as_data(), f.as_mut_data()).ok_or("cannot be evaluated")
    });
    let field = Reduced::new(subject.mechanism()?);
    solve(subject, tolerance, Method::DoPri8, system, &start, field)
}
