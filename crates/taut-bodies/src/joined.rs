//! Bodies beside formulas: extra coordinates, constraints and forces that act on the same coordinates.

use std::cell::RefCell;

use taut::linear::Pattern;
use taut::system::{Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};

use crate::mechanism::Mechanism;

/// A mechanism and a system of formulas whose first coordinates are those of the mechanism: masses and forces add up, the
/// constraints of both hold.
#[derive(Clone, Debug)]
pub struct Joined<F> {
    bodies: Mechanism,
    formulas: F,
    structure: Structure,
    /// where the rows of either part are
    rows: [Vec<usize>; 2],
    /// where the values of either part are in M, K, D and G
    slots: [[Vec<usize>; 4]; 2],
    scratch: RefCell<Scratch>,
}

/// Values of one part, before they are put in their places.
#[derive(Clone, Debug, Default)]
struct Scratch {
    values: [Vec<f64>; 2],
    rows: Vec<f64>,
    lambda: Vec<f64>,
    force: Vec<f64>,
}

/// The blocks of a structure in the order of the slots.
fn blocks(structure: &Structure) -> [&Pattern; 4] {
    [&structure.mass, &structure.stiffness, &structure.damping, &structure.jacobian]
}

impl<F: MechanicalSystem> Joined<F> {
    /// Puts the two together; the first coordinates of the formulas are those of the mechanism.
    pub fn new(bodies: Mechanism, formulas: F) -> Self {
        let (one, two) = (bodies.structure(), formulas.structure());
        let (n, m) = (two.n(), one.m() + two.m());
        let rows = order_of_rows(one, two);
        let entries = |part: usize, block: usize| {
            let structure = if part == 0 { one } else { two };
            let rows = &rows[part];
            let place = move |(i, j): (usize, usize)| (if block == 3 { rows[i] } else { i }, j);
            blocks(structure)[block].entries().map(place).collect::<Vec<_>>()
        };
        let mut slots: [[Vec<usize>; 4]; 2] = Default::default();
        let patterns: [Pattern; 4] = std::array::from_fn(|block| {
            let height = if block == 3 { m } else { n };
            let (pattern, places) = Pattern::with_places(height, n, |place| {
                [0, 1].map(|part| entries(part, block).into_iter().map(|(i, j)| place(i, j)).collect())
            });
            [slots[0][block], slots[1][block]] = places;
            pattern
        });
        let mut constraints = vec![None; m];
        for (structure, rows) in [one, two].into_iter().zip(&rows) {
            for (constraint, &row) in structure.constraints.iter().zip(rows) {
                constraints[row] = Some(constraint.clone());
            }
        }
        let [mass, stiffness, damping, jacobian] = patterns;
        let structure = Structure {
            coordinates: two.coordinates.clone(),
            constraints: constraints.into_iter().flatten().collect(),
            mass,
            stiffness,
            damping,
            jacobian,
            constant_mass: one.constant_mass && two.constant_mass,
            linear_constraints: one.linear_constraints && two.linear_constraints,
        };
        Joined { structure, rows, slots, scratch: RefCell::default(), bodies, formulas }
    }

    /// The bodies.
    pub fn bodies(&self) -> &Mechanism {
        &self.bodies
    }

    /// The formulas.
    pub fn formulas(&self) -> &F {
        &self.formulas
    }

    /// The multipliers of the bodies' own rows.
    pub fn multipliers_of_bodies(&self, lambda: &[f64]) -> Vec<f64> {
        self.rows[0].iter().map(|&row| lambda[row]).collect()
    }

    /// Coordinates of the bodies.
    fn count(&self) -> usize {
        self.bodies.structure().n()
    }

    /// Adds the values of a block of either part.
    fn add(
        &self,
        block: usize,
        values: &mut [f64],
        mut evaluate: impl FnMut(usize, &mut [f64]) -> Evaluation,
    ) -> Evaluation {
        values.fill(0.0);
        let scratch = &mut self.scratch.borrow_mut().values[0];
        for part in 0..2 {
            let slots = &self.slots[part][block];
            scratch.clear();
            scratch.resize(slots.len(), 0.0);
            evaluate(part, scratch)?;
            for (&slot, value) in slots.iter().zip(scratch.iter()) {
                values[slot] += value;
            }
        }
        Ok(())
    }

    /// Puts the rows of either part in their places.
    fn put(&self, out: &mut [f64], mut evaluate: impl FnMut(usize, &mut [f64]) -> Evaluation) -> Evaluation {
        let scratch = &mut self.scratch.borrow_mut().rows;
        for part in 0..2 {
            let rows = &self.rows[part];
            scratch.clear();
            scratch.resize(rows.len(), 0.0);
            evaluate(part, scratch)?;
            for (&row, value) in rows.iter().zip(scratch.iter()) {
                out[row] = *value;
            }
        }
        Ok(())
    }
}

/// The holonomic rows of both come first.
fn order_of_rows(one: &Structure, two: &Structure) -> [Vec<usize>; 2] {
    let mut next = 0..;
    let mut rows = [vec![0; one.m()], vec![0; two.m()]];
    for holonomic in [true, false] {
        for (structure, rows) in [one, two].into_iter().zip(&mut rows) {
            for (constraint, row) in structure.constraints.iter().zip(rows) {
                if constraint.is_holonomic() == holonomic {
                    *row = next.next().unwrap_or(0);
                }
            }
        }
    }
    rows
}

impl<F: MechanicalSystem> MechanicalSystem for Joined<F> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.add(0, mass, |part, values| match part {
            0 => self.bodies.mass(&q[..n], values),
            _ => self.formulas.mass(q, values),
        })
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.formulas.force(terms, t, q, v, force)?;
        let scratch = &mut self.scratch.borrow_mut().force;
        scratch.clear();
        scratch.resize(n, 0.0);
        self.bodies.force(terms, t, &q[..n], &v[..n], scratch)?;
        for (force, own) in force.iter_mut().zip(scratch.iter()) {
            *force += own;
        }
        Ok(())
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.put(g, |part, rows| match part {
            0 => self.bodies.constraint(t, &q[..n], rows),
            _ => self.formulas.constraint(t, q, rows),
        })
    }

    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.add(3, jacobian, |part, values| match part {
            0 => self.bodies.jacobian(t, &q[..n], &v[..n], values),
            _ => self.formulas.jacobian(t, q, v, values),
        })
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.put(rate, |part, rows| match part {
            0 => self.bodies.constraint_rate(t, &q[..n], &v[..n], rows),
            _ => self.formulas.constraint_rate(t, q, v, rows),
        })
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        let n = self.count();
        self.put(curvature, |part, rows| match part {
            0 => self.bodies.curvature(t, &q[..n], &v[..n], rows),
            _ => self.formulas.curvature(t, q, v, rows),
        })
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        let n = self.count();
        stiffness.fill(0.0);
        damping.fill(0.0);
        let Scratch { values: [in_stiffness, in_damping], lambda: own, .. } = &mut *self.scratch.borrow_mut();
        for part in 0..2 {
            let [_, to_stiffness, to_damping, _] = &self.slots[part];
            own.clear();
            own.extend(self.rows[part].iter().map(|&row| lambda[row]));
            in_stiffness.clear();
            in_stiffness.resize(to_stiffness.len(), 0.0);
            in_damping.clear();
            in_damping.resize(to_damping.len(), 0.0);
            if part == 0 {
                let (q, v, a) = (&q[..n], &v[..n], &a[..n]);
                self.bodies.newton_blocks(terms, t, q, v, a, own, in_stiffness, in_damping)?;
            } else {
                self.formulas.newton_blocks(terms, t, q, v, a, own, in_stiffness, in_damping)?;
            }
            for (values, (slots, found)) in [
                (&mut *stiffness, (to_stiffness, &*in_stiffness)),
                (&mut *damping, (to_damping, &*in_damping)),
            ] {
                for (&slot, value) in slots.iter().zip(found) {
                    values[slot] += value;
                }
            }
        }
        Ok(())
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let n = self.count();
        let (own, other) = (self.bodies.energy(t, &q[..n], &v[..n])?, self.formulas.energy(t, q, v)?);
        Ok(Energy { kinetic: own.kinetic + other.kinetic, potential: own.potential + other.potential })
    }

    fn switching_times(&self, from: f64, to: f64) -> Vec<f64> {
        self.formulas.switching_times(from, to)
    }

    fn constraints_move(&self) -> bool {
        self.bodies.constraints_move() || self.formulas.constraints_move()
    }
}
