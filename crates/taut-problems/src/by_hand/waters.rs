//! Rigid waters with forces between all pairs of atoms, written by hand.

use std::cell::RefCell;

use taut::linear::Pattern;
use taut::system::{Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};

use crate::mechanics;
use crate::mechanics::waters::{ATTRACTION, BONDS, CHARGES, MASSES, REPULSION, TRAP};

/// [`mechanics::Waters`] by hand. Each atom acts on all others, so that K is full; it is not written down.
#[derive(Clone, Debug)]
pub struct Waters {
    structure: Structure,
    /// what acts between them, with the energy, which is asked for where forces were: after a step
    pairs: RefCell<Pairs>,
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
        Waters { structure, pairs: RefCell::default() }
    }
}

/// The vectors along the bonds of a molecule.
fn along_bonds(atoms: &[f64]) -> [[f64; 3]; 3] {
    BONDS.map(|(i, j, _)| std::array::from_fn(|d| atoms[3 * i + d] - atoms[3 * j + d]))
}

fn product(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// So many molecules go together: loops over them become vector instructions.
const LANES: usize = 4;
type Lanes = [f64; LANES];

/// One number of each of the molecules that go together.
fn lanes(one: impl FnMut(usize) -> f64) -> Lanes {
    std::array::from_fn(one)
}

/// Forces between all pairs, and the potential energy that belongs to them.
#[derive(Clone, Debug, Default)]
struct Pairs {
    /// the positions that forces were asked for at last
    at: Vec<f64>,
    potential: f64,
    /// by the coordinate of a molecule: the positions of all molecules, and what acts on those that come behind others
    positions: Vec<[Lanes; 9]>,
    forces: Vec<[Lanes; 9]>,
}

/// The square of a distance like this is beyond all numbers, so that nothing at all acts from there.
const FAR_AWAY: f64 = 1e160;

impl Pairs {
    /// Takes the positions over.
    fn place(&mut self, q: &[f64]) {
        self.at.clear();
        self.at.extend_from_slice(q);
        let groups = (q.len() / 9).div_ceil(LANES);
        let at = |i: usize, k: usize| q.get(9 * i + k).copied().unwrap_or(FAR_AWAY);
        let group = |g: usize| std::array::from_fn(|k| lanes(|lane| at(LANES * g + lane, k)));
        self.positions.clear();
        self.positions.extend((0..groups).map(group));
        self.forces.clear();
        self.forces.resize(groups, [[0.0; LANES]; 9]);
    }

    /// Forces and potential energy of all molecules at these positions.
    fn evaluate(&mut self, q: &[f64], force: &mut [f64]) {
        self.place(q);
        let (mut energy, mut trap) = ([0.0; LANES], 0.0);
        for (i, (one, force)) in q.chunks_exact(9).zip(force.chunks_exact_mut(9)).enumerate() {
            let mut on_one = [[0.0; LANES]; 9];
            let (own, behind) = (i / LANES, i / LANES + 1);
            // Of the molecules that go with this one, those behind it.
            let others = self.positions[own].map(|x| lanes(|l| if l > i % LANES { x[l] } else { FAR_AWAY }));
            act(one, &others, &mut on_one, &mut self.forces[own], &mut energy);
            for (others, on_others) in self.positions[behind..].iter().zip(&mut self.forces[behind..]) {
                act(one, others, &mut on_one, on_others, &mut energy);
            }
            for (force, on_one) in force.iter_mut().zip(&on_one) {
                *force = on_one.iter().sum();
            }
            for d in 0..3 {
                force[d] -= TRAP * one[d];
                trap += 0.5 * TRAP * one[d] * one[d];
            }
        }
        self.potential = trap + energy.iter().sum::<f64>();
        for (i, force) in force.chunks_exact_mut(9).enumerate() {
            for (force, on_others) in force.iter_mut().zip(&self.forces[i / LANES]) {
                *force += on_others[i % LANES];
            }
        }
    }
}

/// Adds the forces between a molecule and others to those on it, takes them from those on the others, and adds the energy.
fn act(
    one: &[f64],
    others: &[Lanes; 9],
    on_one: &mut [Lanes; 9],
    on_others: &mut [Lanes; 9],
    energy: &mut Lanes,
) {
    for (i, charge) in CHARGES.into_iter().enumerate() {
        for (j, other_charge) in CHARGES.into_iter().enumerate() {
            let r: [Lanes; 3] = std::array::from_fn(|d| lanes(|l| one[3 * i + d] - others[3 * j + d][l]));
            let inverse = lanes(|l| 1.0 / (r[0][l] * r[0][l] + r[1][l] * r[1][l] + r[2][l] * r[2][l]));
            let coulomb = lanes(|l| charge * other_charge * inverse[l].sqrt());
            let mut strength = lanes(|l| coulomb[l] * inverse[l]);
            *energy = lanes(|l| energy[l] + coulomb[l]);
            if i + j == 0 {
                let cube = lanes(|l| inverse[l] * inverse[l] * inverse[l]);
                *energy = lanes(|l| energy[l] + (REPULSION * cube[l] - ATTRACTION) * cube[l]);
                let further = lanes(|l| (12.0 * REPULSION * cube[l] - 6.0 * ATTRACTION) * cube[l]);
                strength = lanes(|l| strength[l] + further[l] * inverse[l]);
            }
            for d in 0..3 {
                let force = lanes(|l| strength[l] * r[d][l]);
                on_one[3 * i + d] = lanes(|l| on_one[3 * i + d][l] + force[l]);
                on_others[3 * j + d] = lanes(|l| on_others[3 * j + d][l] - force[l]);
            }
        }
    }
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
        self.pairs.borrow_mut().evaluate(q, force);
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
        let mut pairs = self.pairs.borrow_mut();
        if pairs.at != q {
            pairs.evaluate(q, &mut vec![0.0; q.len()]);
        }
        let potential = pairs.potential;
        Ok(Energy { kinetic, potential })
    }

    fn terms(&self) -> Terms {
        Terms::POTENTIAL
    }

    fn constraints_move(&self) -> bool {
        false
    }
}
