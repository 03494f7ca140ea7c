//! Rigid water in a trap around a charge that does not move, with RATTLE: constant steps, bonds that keep their lengths to
//! rounding, and an energy that does not drift.

#![allow(clippy::print_stdout)]

use taut::Solver;
use taut::method::Method;
use taut::run::Output;
use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

/// Three atoms: oxygen and two hydrogens, with their masses and charges.
const MASSES: [f64; 3] = [15.999, 1.008, 1.008];
const CHARGES: [f64; 3] = [-0.82, 0.41, 0.41];
/// The bonds (i, j, length).
const BONDS: [(usize, usize, f64); 3] = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.633)];
/// The charge at the origin.
const FIXED_CHARGE: f64 = 20.0;
/// The stiffness of a trap around it, which keeps the molecule near.
const TRAP: f64 = 0.2;

struct Water;

impl Mechanical for Water {
    fn coordinates(&self) -> Vec<String> {
        ["O", "H1", "H2"]
            .iter()
            .flat_map(|atom| ["x", "y", "z"].map(|axis| format!("{atom}.{axis}")))
            .collect()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        for i in 0..9 {
            mass.add(i, i, S::constant(MASSES[i / 3]));
        }
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.chunks_exact(3).zip(CHARGES).fold(S::zero(), |sum, (atom, charge)| {
            let squared = atom[0].square() + atom[1].square() + atom[2].square();
            sum + S::constant(charge * FIXED_CHARGE) / squared.sqrt() + squared * (0.5 * TRAP)
        })
    }
    fn constraints(&self) -> Vec<Constraint> {
        BONDS.iter().map(|(i, j, _)| Constraint::rod(format!("bond {i}-{j}"))).collect()
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (g, (i, j, length)) in g.iter_mut().zip(BONDS) {
            let difference = |axis: usize| q[3 * i + axis] - q[3 * j + axis];
            *g = (difference(0).square() + difference(1).square() + difference(2).square()) - length * length;
        }
    }
}

fn main() -> Result<(), taut::Error> {
    let water = Differentiated::new(Water);
    let positions = [4.0, 0.0, 0.0, 4.577, 0.8165, 0.0, 4.577, -0.8165, 0.0];
    let velocities = [0.0, 0.6, 0.0, 0.0, 0.6, 0.3, 0.0, 0.6, -0.3];
    let start = [positions, velocities].concat();
    let motion = Solver::mechanical(&water)
        .method(Method::named("rattle")?)
        .step(0.01)
        .watch(true)
        .output(Output::Every { first: 0.0, last: 200.0, distance: 50.0 })
        .run(0.0, 200.0, &start)?;

    for (t, state) in motion.trajectory.iter() {
        println!("t = {t:6.1}  oxygen at ({:8.4}, {:8.4}, {:8.4})", state[0], state[1], state[2]);
    }
    println!("{} steps", motion.statistics.accepted);
    println!(
        "bonds off by {:.1e}, energy by at most {:.1e}",
        motion.invariants.residuals[0], motion.invariants.energy_error
    );
    Ok(())
}
