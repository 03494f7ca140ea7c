//! Fekete points: particles on a sphere that repel each other until they rest.

use taut::system::{Constraint, Differentiated, ForceClass, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// N particles p_i on the unit sphere, p_i'' = −α p_i' + Σ (p_i − p_j)/|p_i − p_j|² − 2 λ_i p_i, |p_i|² − 1 = 0.
///
/// The Test Set solves the stabilised index-2 form with +2 λ_i p_i; positions and velocities are the same, the
/// multipliers have the opposite sign.
#[derive(Clone, Copy, Debug)]
pub struct Fekete {
    /// N
    pub particles: usize,
    /// α
    pub friction: f64,
}

/// Calls `visit` with i, j and p_i − p_j for all pairs j < i.
fn pairs<S: Scalar>(q: &[S], mut visit: impl FnMut(usize, usize, [S; 3])) {
    for (i, p) in q.chunks_exact(3).enumerate() {
        for (j, other) in q.chunks_exact(3).enumerate().take(i) {
            visit(i, j, [p[0] - other[0], p[1] - other[1], p[2] - other[2]]);
        }
    }
}

fn squared<S: Scalar>(r: &[S]) -> S {
    r[0].square() + r[1].square() + r[2].square()
}

impl Mechanical for Fekete {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.particles).flat_map(|i| ["x", "y", "z"].map(|axis| format!("{axis}{i}"))).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    /// −Σ ln |p_i − p_j|
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let mut sum = S::zero();
        pairs(q, |_, _, r| sum -= squared(&r).ln() * 0.5);
        sum
    }

    fn potential_force<S: Scalar>(&self, q: &[S], force: &mut [S]) -> Given {
        pairs(q, |i, j, r| {
            let distance2 = squared(&r);
            for d in 0..3 {
                let repulsion = r[d] / distance2;
                force[3 * i + d] += repulsion;
                force[3 * j + d] -= repulsion;
            }
        });
        Given::Written
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, _q: &[S], v: &[S], force: &mut [S]) {
        if class == ForceClass::Dissipative {
            for (force, v) in force.iter_mut().zip(v) {
                *force -= *v * self.friction;
            }
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        (1..=self.particles).map(|i| Constraint::rod(format!("sphere{i}"))).collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (g, p) in g.iter_mut().zip(q.chunks_exact(3)) {
            *g = squared(p) - 1.0;
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "fekete", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/fekete.toml"), start)?;
    let fekete = Fekete { particles: data.parameter("N")? as usize, friction: data.parameter("alpha")? };
    let system = System::Mechanical(Box::new(Differentiated::new(fekete)));
    let purpose = "many constraints on a dense system, friction, a long way into an equilibrium";
    let mut problem = data.problem(purpose, Layout::WithMultipliers { factor: -1.0 }, system)?;
    problem.index = 3;
    Ok(problem)
}
