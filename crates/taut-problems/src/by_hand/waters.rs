//! Rigid waters with forces between all pairs of atoms, written by hand.

use taut::linear::Pattern;
use taut::system::{Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};

use crate::mechanics;
use crate::mechanics::waters::{ATTRACTION, BONDS, CHARGES, MASSES, REPULSION, TRAP};

/// [`mechanics::Waters`] by hand. Each atom acts on all others, so that K is full; it is not written down.
#[derive(Clone, Debug)]
pub struct Waters {
    structure: Structure,
}

/// The bonds of each atom of a molecule, and whether it is their first end.
const BONDS_OF: [[(usize, bool); 2]; 3] =
    [[(0, true), (1, true)], [(0, false), (2, true)], [(1, false), (2, false)]];

impl Waters {
    /// The molecules of these parameters.
    pub fn new(parameters: mechanics::Waters) -> Self {
        let (n, m) = (9 * parameters.molecules, 3 * parameters.molecules);
        let bonds = |j: usize| BONDS_OF[j / 3 % 3].map(|(bond, _)| (3 * (j / 9) + bond, j));
        let structure = Structure {
            coordinates: parameters.coordinate_names(),
            constraints: parameters.bonds(),
            mass: Pattern::diagonal(n),
            stiffness: Pattern::empty(n, n),
            damping: Pattern::empty(n, n),
            jacobian: Pattern::from_entries(m, n, (0..n).flat_map(bonds)),
            constant_mass: true,
            linear_constraints: false,
        };
        Waters { structure }
    }
}

/// The vectors along the bonds of a molecule.
fn along_bonds(atoms: &[f64]) -> [[f64; 3]; 3] {
    BONDS.map(|(i, j, _)| std::array::from_fn(|d| atoms[3 * i + d] - atoms[3 * j + d]))
}

fn product(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The three atoms of a molecule.
fn atoms(molecule: &[f64]) -> [[f64; 3]; 3] {
    std::array::from_fn(|atom| std::array::from_fn(|d| molecule[3 * atom + d]))
}

/// Adds the forces between two molecules to those on the first, and takes them from those on the second.
fn act(one: &[f64], other: &[f64], on_one: &mut [[f64; 3]; 3], on_other: &mut [f64]) {
    let (one, other) = (atoms(one), atoms(other));
    for (i, (a, charge)) in one.iter().zip(CHARGES).enumerate() {
        for (j, (b, other_charge)) in other.iter().zip(CHARGES).enumerate() {
            let r: [f64; 3] = std::array::from_fn(|d| a[d] - b[d]);
            let inverse = 1.0 / product(r, r);
            let mut strength = charge * other_charge * inverse * inverse.sqrt();
            if i + j == 0 {
                let cube = inverse * inverse * inverse;
                strength += (12.0 * REPULSION * cube - 6.0 * ATTRACTION) * cube * inverse;
            }
            for d in 0..3 {
                on_one[i][d] += strength * r[d];
                on_other[3 * j + d] -= strength * r[d];
            }
        }
    }
}

/// The potential energy between two molecules.
fn between(one: &[f64], other: &[f64]) -> f64 {
    let (one, other) = (atoms(one), atoms(other));
    let inverse = |a: [f64; 3], b: [f64; 3]| {
        let r: [f64; 3] = std::array::from_fn(|d| a[d] - b[d]);
        1.0 / product(r, r)
    };
    let mut energy = 0.0;
    for (a, charge) in one.into_iter().zip(CHARGES) {
        for (b, other_charge) in other.into_iter().zip(CHARGES) {
            energy += charge * other_charge * inverse(a, b).sqrt();
        }
    }
    let cube = inverse(one[0], other[0]).powi(3);
    energy + (REPULSION * cube - ATTRACTION) * cube
}

impl MechanicalSystem for Waters {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        for (i, mass) in mass.iter_mut().enumerate() {
            *mass = MASSES[i / 3 % 3];
        }
        Ok(())
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], _v: &[f64], force: &mut [f64]) -> Evaluation {
        force.fill(0.0);
        if !terms.contain(Terms::POTENTIAL) {
            return Ok(());
        }
        for (i, one) in q.chunks_exact(9).enumerate() {
            let mut on_one = [[0.0; 3]; 3];
            on_one[0] = std::array::from_fn(|d| -TRAP * one[d]);
            let (before, later) = force.split_at_mut(9 * (i + 1));
            for (other, on_other) in q.chunks_exact(9).skip(i + 1).zip(later.chunks_exact_mut(9)) {
                act(one, other, &mut on_one, on_other);
            }
            for (force, more) in before[9 * i..].iter_mut().zip(on_one.as_flattened()) {
                *force += more;
            }
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        for (g, atoms) in g.chunks_exact_mut(3).zip(q.chunks_exact(9)) {
            let along = along_bonds(atoms);
            for ((g, r), (_, _, square)) in g.iter_mut().zip(along).zip(BONDS) {
                *g = 0.5 * (product(r, r) - square);
            }
        }
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, _t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        for (jacobian, atoms) in jacobian.chunks_exact_mut(18).zip(q.chunks_exact(9)) {
            let along = along_bonds(atoms);
            for (entries, bonds) in jacobian.chunks_exact_mut(6).zip(BONDS_OF) {
                for (d, entries) in entries.chunks_exact_mut(2).enumerate() {
                    for (entry, (bond, first)) in entries.iter_mut().zip(bonds) {
                        *entry = if first { along[bond][d] } else { -along[bond][d] };
                    }
                }
            }
        }
        Ok(())
    }

    fn constraint_rate(&self, _t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        for ((rate, q), v) in rate.chunks_exact_mut(3).zip(q.chunks_exact(9)).zip(v.chunks_exact(9)) {
            for ((rate, r), of_r) in rate.iter_mut().zip(along_bonds(q)).zip(along_bonds(v)) {
                *rate = product(r, of_r);
            }
        }
        Ok(())
    }

    fn curvature(&self, _t: f64, _q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        for (curvature, v) in curvature.chunks_exact_mut(3).zip(v.chunks_exact(9)) {
            for (curvature, r) in curvature.iter_mut().zip(along_bonds(v)) {
                *curvature = product(r, r);
            }
        }
        Ok(())
    }

    fn newton_blocks(
        &self,
        _terms: Terms,
        t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        _lambda: &[f64],
        _stiffness: &mut [f64],
        _damping: &mut [f64],
    ) -> Evaluation {
        Err(Fault::raised(t, "the derivatives of the forces between all pairs are not kept"))
    }

    fn has_newton_blocks(&self) -> bool {
        false
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let kinetic = v.iter().enumerate().map(|(i, v)| 0.5 * MASSES[i / 3 % 3] * v * v).sum();
        let mut potential = 0.0;
        for (i, one) in q.chunks_exact(9).enumerate() {
            potential += 0.5 * TRAP * (one[0] * one[0] + one[1] * one[1] + one[2] * one[2]);
            potential += q.chunks_exact(9).skip(i + 1).map(|other| between(one, other)).sum::<f64>();
        }
        Ok(Energy { kinetic, potential })
    }

    fn terms(&self) -> Terms {
        Terms::POTENTIAL
    }

    fn constraints_move(&self) -> bool {
        false
    }
}
