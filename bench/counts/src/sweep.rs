//! What a run of a sweep does before its motion.
//!
//! Where the C library finds memory follows from what was allocated and freed before, which differs from one process to the next while
//! models are read. So nothing of the model that was read is freed inside of the count, and sets of parameters are counted many
//! times, after as many that are not: memory is then found where those before them left it.

use std::hint::black_box;

use taut::Solver;
use taut_text::Compiled;

use crate::workloads::{Failure, Prepared, model_of_squeezer};

/// So many sets of parameters are counted together.
pub const SETS: usize = 100;

/// The squeezer, which stays in memory until the process ends.
fn squeezer() -> Result<&'static Compiled, Failure> {
    Ok(Box::leak(Box::new(model_of_squeezer()?.compiled().clone())))
}

/// Other parameters and other starts of a model that was read before.
pub fn parameter_sets() -> Result<Prepared, Failure> {
    let compiled = squeezer()?;
    let run = move || -> Result<(), Failure> {
        for _ in 0..SETS {
            black_box(compiled.with(&[("c0".into(), 4000.0), ("theta'".into(), 0.1)])?);
        }
        Ok(())
    };
    run()?;
    Ok(Box::new(run))
}

/// What a run of a sweep does before the motion, and one tiny step: two expansions.
pub fn beginning() -> Result<Prepared, Failure> {
    let compiled = squeezer()?;
    let run = move |torque: f64| -> Result<(), Failure> {
        let model = compiled.with(&[("mom".into(), torque)])?;
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let system = model.system.mechanism().ok_or("it is no mechanical system")?;
        black_box(Solver::mechanical(system).tolerance(1e-6).run(0.0, 1e-12, &start)?);
        Ok(())
    };
    // The first runs of a sweep compile formulas and set storage up for the others.
    for _ in 0..RUNS_BEFORE {
        run(0.02)?;
    }
    Ok(Box::new(move || run(0.03)))
}

/// So many runs come before the one that is counted.
const RUNS_BEFORE: usize = 10;
