//! The functions that a solver calls.

use taut::system::{Dynamics, Energy, Evaluation, Fault, MechanicalSystem, Structure, Terms};

use super::Mechanism;
use super::bond::BondRows;
use super::inertia::{Inertia, Square};
use crate::vector::dot;

impl MechanicalSystem for Mechanism {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation {
        if !self.staying_mass.is_empty() {
            mass.copy_from_slice(&self.staying_mass);
            return Ok(());
        }
        // Bodies and variables write all their entries; armature of ball joints adds to these.
        if !self.ball_forces.is_empty() {
            mass.fill(0.0);
        }
        for body in &self.bodies {
            body.write_mass(q, mass);
        }
        for force in &self.variables {
            if let Some(slot) = force.slots[0] {
                mass[slot] = force.armature;
            }
        }
        self.ball_forces.iter().for_each(|ball| ball.add_mass(q, mass));
        self.structure.finite_block(&self.structure.mass, mass, "the mass", f64::NAN)
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        force.fill(0.0);
        for body in &self.bodies {
            self.add_body_force(body, terms, (q, v), force);
        }
        for variable in &self.variables {
            variable.add_force(terms, t, (q, v), force);
        }
        for ball in &self.ball_forces {
            ball.add_force(terms, (q, v), force);
        }
        if terms.contain(Terms::POTENTIAL) || terms.contain(Terms::DISSIPATIVE) {
            for gap in &self.gaps {
                gap.add_force(terms, q, v, force);
            }
        }
        if terms.contain(Terms::DRIVING) {
            for load in &self.loads {
                load.add_force(t, q, force);
            }
        }
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        self.pins.value(q, g);
        self.value_beside_pins(t, q, g)
    }

    fn jacobian(&self, t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.clear_jacobian(jacobian);
        self.pins.jacobian(q, jacobian);
        self.jacobian_beside_pins(t, q, jacobian)
    }

    /// Sines and cosines of bodies with pins are found once for all.
    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.mass(q, out.mass)?;
        self.force(Terms::ACCELERATING, t, q, v, out.force)?;
        self.clear_jacobian(out.jacobian);
        self.pins.value_and_jacobian(q, out.constraint, out.jacobian);
        self.value_beside_pins(t, q, out.constraint)?;
        self.jacobian_beside_pins(t, q, out.jacobian)
    }

    /// So they are here.
    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        self.mass(q, out.mass)?;
        self.force(Terms::ACCELERATING, t, q, v, out.force)?;
        self.clear_jacobian(out.jacobian);
        self.pins.all(q, v, [&mut *out.constraint, &mut *out.jacobian, &mut *curvature]);
        self.value_beside_pins(t, q, out.constraint)?;
        self.jacobian_beside_pins(t, q, out.jacobian)?;
        self.curvature_beside_pins(t, q, v, curvature)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        for unit in &self.units {
            rate[unit.row] = unit.rate(q, v);
        }
        self.pins.rate(q, v, rate);
        self.balls.rate(q, v, rate);
        for bond in self.other_bonds() {
            bond.bond.rate(q, v, &mut rate[bond.range()]);
        }
        for linked in &self.linked {
            rate[linked.row] = linked.rate(q, v);
        }
        for drive in &self.drives {
            rate[drive.row] = v[drive.variable] - drive.course.at(t)[1];
        }
        for rolling in &self.rolling {
            rolling.rate(q, v, rate);
        }
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.pins.curvature(q, v, curvature);
        self.curvature_beside_pins(t, q, v, curvature)
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
        stiffness.fill(0.0);
        damping.fill(0.0);
        for body in self.bodies.iter().filter(|body| body.is_spatial()) {
            body.add_blocks(terms, [q, v, a], stiffness, damping);
        }
        for unit in &self.units {
            unit.add_stiffness(lambda, stiffness);
        }
        self.pins.add_stiffness(q, lambda, stiffness);
        self.balls.add_stiffness(lambda, stiffness);
        for bond in self.other_bonds() {
            bond.add_stiffness(q, lambda, stiffness);
        }
        for linked in &self.linked {
            linked.add_stiffness(q, lambda, stiffness);
        }
        for rolling in &self.rolling {
            rolling.add_stiffness(lambda, stiffness);
        }
        for variable in &self.variables {
            variable.add_blocks(terms, (q, v), stiffness, damping);
        }
        for ball in &self.ball_forces {
            ball.add_blocks(terms, [q, v, a], stiffness, damping);
        }
        for gap in &self.gaps {
            gap.add_blocks(terms, (q, v), stiffness, damping);
        }
        if terms.contain(Terms::DRIVING) {
            for load in &self.loads {
                load.add_stiffness(t, q, stiffness);
            }
        }
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)?;
        self.structure.finite_block(&self.structure.damping, damping, "the damping", t)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mut energy = Energy::default();
        for body in &self.bodies {
            energy.kinetic += body.energy(q, v);
            energy.potential -= body.mass * dot(self.gravity, body.place.pose(q).x);
        }
        for force in &self.variables {
            energy.kinetic += 0.5 * force.armature * v[force.variable].powi(2);
            energy.potential += force.energy(q);
        }
        for ball in &self.ball_forces {
            let [kinetic, potential] = ball.energy(q, v);
            energy.kinetic += kinetic;
            energy.potential += potential;
        }
        energy.potential += self.gaps.iter().map(|gap| gap.energy(q)).sum::<f64>();
        let constraints = &self.structure.constraints;
        if constraints.iter().any(|constraint| constraint.compliance() > 0.0) {
            let mut g = vec![0.0; constraints.len()];
            self.constraint(t, q, &mut g)?;
            for (constraint, g) in constraints.iter().zip(g).filter(|(c, _)| c.compliance() > 0.0) {
                energy.potential += 0.5 * g * g / constraint.compliance();
            }
        }
        Ok(energy)
    }

    fn constraints_move(&self) -> bool {
        !self.drives.is_empty()
    }
}

impl Mechanism {
    /// In the plane masses do not depend on positions.
    pub(super) fn find_staying_mass(&mut self) {
        let mut mass = vec![0.0; self.structure.mass.nnz()];
        if self.structure.constant_mass && self.mass(&self.start, &mut mass).is_ok() {
            self.staying_mass = mass;
        }
    }

    /// The bonds that are neither among the pins nor among the ball joints.
    fn other_bonds(&self) -> impl Iterator<Item = &BondRows> {
        self.bonds.iter().filter(|bond| bond.by_bodies.is_none())
    }

    /// Ball joints and unit quaternions write all their entries, everything else adds to what is there.
    fn clear_jacobian(&self, jacobian: &mut [f64]) {
        if self.balls.count() < self.bonds.len() {
            jacobian.fill(0.0);
        }
    }

    fn value_beside_pins(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        for unit in &self.units {
            g[unit.row] = unit.value(q);
        }
        self.balls.value(q, g);
        for bond in self.other_bonds() {
            bond.bond.value(q, &mut g[bond.range()]);
        }
        for linked in &self.linked {
            g[linked.row] = linked.value(q);
        }
        for drive in &self.drives {
            g[drive.row] = q[drive.variable] - drive.course.at(t)[0];
        }
        for rolling in &self.rolling {
            g[rolling.row..rolling.row + 2].fill(0.0);
        }
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian_beside_pins(&self, t: f64, q: &[f64], jacobian: &mut [f64]) -> Evaluation {
        for unit in &self.units {
            unit.jacobian(q, jacobian);
        }
        self.balls.jacobian(q, jacobian);
        for bond in self.other_bonds() {
            bond.add_jacobian(q, jacobian);
        }
        for linked in &self.linked {
            linked.jacobian(q, jacobian);
        }
        for drive in &self.drives {
            drive.jacobian(jacobian);
        }
        for rolling in &self.rolling {
            rolling.jacobian(q, jacobian);
        }
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn curvature_beside_pins(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        for unit in &self.units {
            curvature[unit.row] = unit.curvature(v);
        }
        self.balls.curvature(v, curvature);
        for bond in self.other_bonds() {
            bond.bond.curvature(q, v, &mut curvature[bond.range()]);
        }
        for linked in &self.linked {
            curvature[linked.row] = linked.curvature(q, v);
        }
        for drive in &self.drives {
            curvature[drive.row] = -drive.course.at(t)[2];
        }
        for rolling in &self.rolling {
            // ω is linear in p' and p: its part without p'' vanishes
            curvature[rolling.row..rolling.row + 2].fill(0.0);
        }
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn add_body_force(&self, body: &Inertia, terms: Terms, (q, v): (&[f64], &[f64]), force: &mut [f64]) {
        let Some(at) = body.place.at else { return };
        let positions = self.dimension.positions();
        if terms.contain(Terms::POTENTIAL) {
            for k in 0..positions {
                force[at + k] += body.mass * self.gravity[k];
            }
        }
        if !body.is_spatial() {
            return;
        }
        let (p, rate) = (body.place.quaternion(q), body.place.quaternion(v));
        let mut add = |turn: [f64; 4]| {
            for (i, x) in turn.into_iter().enumerate() {
                force[at + positions + i] += x;
            }
        };
        if terms.contain(Terms::CORIOLIS) {
            add(body.coriolis(p, rate));
        }
        if terms.contain(Terms::KINETIC) {
            add(body.kinetic(p, rate));
        }
    }
}

fn add_square(square: &Square, factor: f64, slots: &[usize], values: &mut [f64]) {
    for (row, slots) in square.iter().zip(slots.chunks_exact(4)) {
        for (x, &slot) in row.iter().zip(slots) {
            values[slot] += factor * x;
        }
    }
}

impl Inertia {
    fn write_mass(&self, q: &[f64], mass: &mut [f64]) {
        let positions = self.place.dimension.positions();
        let (straight, turn) = self.mass_slots.split_at(positions);
        for &slot in straight {
            mass[slot] = self.mass;
        }
        if self.is_spatial() {
            // The block is symmetric, and full: its columns are pieces of four.
            let block = self.mass_block(self.place.quaternion(q));
            for (row, &start) in block.iter().zip(turn) {
                mass[start..start + 4].copy_from_slice(row);
            }
        } else {
            turn.iter().for_each(|&slot| mass[slot] = self.in_plane());
        }
    }

    fn add_blocks(&self, terms: Terms, [q, v, a]: [&[f64]; 3], stiffness: &mut [f64], damping: &mut [f64]) {
        let p = self.place.pose(q).turn();
        let (rate, acceleration) = (self.place.rate(v).turn, self.place.rate(a).turn);
        add_square(&self.load_stiffness(p, acceleration), -1.0, &self.stiffness_slots, stiffness);
        let mut add = |[by_p, by_v]: [Square; 2]| {
            add_square(&by_p, 1.0, &self.stiffness_slots, stiffness);
            add_square(&by_v, 1.0, &self.damping_slots, damping);
        };
        if terms.contain(Terms::CORIOLIS) {
            add(self.coriolis_blocks(p, rate));
        }
        if terms.contain(Terms::KINETIC) {
            add(self.kinetic_blocks(p, rate));
        }
    }
}
