//! A system that writes everything a solver asks for by hand: values, G, curvature and the Newton blocks K and D.
//!
//! A bead slides without friction on a wire of the shape y = x²/2, held by a damper. Most people let the derivatives be found
//! (see the other examples); write them yourself where evaluations decide how long a run takes.

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::method::Method;
use taut::system::{Constraint, Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};

const MASS: f64 = 0.5;
const GRAVITY: f64 = 9.81;
const DAMPING: f64 = 0.2;

struct Bead {
    structure: Structure,
}

impl Bead {
    fn new() -> Self {
        let coordinates = vec!["x".to_owned(), "y".to_owned()];
        let structure = Structure::dense(coordinates, vec![Constraint::rod("wire")]);
        Bead { structure: Structure { constant_mass: true, ..structure } }
    }
}

impl MechanicalSystem for Bead {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        mass.copy_from_slice(&[MASS, 0.0, 0.0, MASS]);
        Ok(())
    }

    fn force(&self, terms: Terms, _t: f64, _q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        force.fill(0.0);
        if terms.contain(Terms::POTENTIAL) {
            force[1] -= MASS * GRAVITY;
        }
        if terms.contain(Terms::DISSIPATIVE) {
            force[0] -= DAMPING * v[0];
            force[1] -= DAMPING * v[1];
        }
        Ok(())
    }

    fn constraint(&self, _t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        g[0] = q[1] - 0.5 * q[0] * q[0];
        Ok(())
    }

    fn jacobian(&self, _t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        jacobian.copy_from_slice(&[-q[0], 1.0]);
        Ok(())
    }

    fn constraint_rate(&self, _t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        rate[0] = v[1] - q[0] * v[0];
        Ok(())
    }

    fn curvature(&self, _t: f64, _q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        curvature[0] = -v[0] * v[0];
        Ok(())
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        // G' lambda = (-x lambda, lambda), and only its first entry depends on the position.
        stiffness.copy_from_slice(&[lambda[0], 0.0, 0.0, 0.0]);
        let strength = if terms.contain(Terms::DISSIPATIVE) { DAMPING } else { 0.0 };
        damping.copy_from_slice(&[-strength, 0.0, 0.0, -strength]);
        Ok(())
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let kinetic = 0.5 * MASS * (v[0] * v[0] + v[1] * v[1]);
        Ok(Energy { kinetic, potential: MASS * GRAVITY * q[1] })
    }
}

fn main() -> Result<(), taut::Error> {
    let bead = Bead::new();
    let start = [1.0, 0.5, 0.0, 0.0];
    let motion = Solver::mechanical(&bead)
        .method(Method::radau())
        .tolerance(1e-9)
        .watch(true)
        .run(0.0, 5.0, &start)?;
    let (begin, end) = motion.invariants.energy;
    println!("x = {:.9}, y = {:.9}", motion.q()[0], motion.q()[1]);
    println!("force of the wire {:.6}", motion.lambda()[0]);
    println!("energy {begin:.4} at the start, {end:.4} at the end");
    let count = motion.statistics;
    println!("{} steps, {} Newton iterations", count.accepted, count.newton_iterations);
    Ok(())
}
