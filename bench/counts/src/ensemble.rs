//! Copies of the squeezer with different parameters, evaluated together.

use std::hint::black_box;

use taut::system::{Dynamics, MechanicalSystem};
use taut_text::{MechanicalEnsemble, MechanicalModel, System};

use crate::workloads::{EVALUATIONS, Failure, Prepared, model_of_squeezer};

/// So many copies.
const COPIES: usize = 8;

/// M, f, g and G of the model file, as often as in the workload that evaluates one copy.
pub fn evaluations() -> Result<Prepared, Failure> {
    let model = model_of_squeezer()?;
    let strengths = (0..COPIES).map(|k| ("c0".to_owned(), 4000.0 + 100.0 * k as f64));
    let copies = strengths.map(|strength| Ok(model.compiled().with(&[strength])?.system));
    let copies = copies.collect::<Result<Vec<System>, Failure>>()?;
    let copies: Vec<&MechanicalModel> = copies
        .iter()
        .filter_map(|system| if let System::Mechanical(model) = system { Some(model) } else { None })
        .collect();
    let first = copies.first().ok_or("the squeezer is a mechanical system")?;
    let structure = first.structure().clone();
    let mut ensemble = MechanicalEnsemble::new(&copies).ok_or("copies of one model")?;
    let (t, q, v) = (vec![0.01; COPIES], model.start.q.repeat(COPIES), model.start.v.repeat(COPIES));
    let of_all = |size: usize| vec![0.0; COPIES * size];
    let (mut mass, mut force) = (of_all(structure.mass.nnz()), of_all(structure.n()));
    let (mut constraint, mut jacobian) = (of_all(structure.m()), of_all(structure.jacobian.nnz()));
    Ok(Box::new(move || {
        for _ in 0..EVALUATIONS / COPIES {
            let mut out = Dynamics {
                mass: &mut mass,
                force: &mut force,
                constraint: &mut constraint,
                jacobian: &mut jacobian,
            };
            if !ensemble.dynamics(&t, black_box(&q), black_box(&v), &mut out) {
                return Err("what was evaluated is not finite".into());
            }
        }
        black_box((mass, force, constraint, jacobian));
        Ok(())
    }))
}
