//! From a description to a mechanism: coordinates, rows, forces, patterns.

use taut::linear::Pattern;
use taut::system::{Constraint, Structure};

use super::balls::Balls;
use super::bond::{Bond, BondRows, ByBodies};
use super::inertia::Inertia;
use super::link::Link;
use super::load::BodyLoad;
use super::pins::Pins;
use super::row::Unit;
use super::rows_of_joint::bond;
use super::state::measures;
use super::variable::VariableForce;
use super::{JointRows, Mechanism};
use crate::description::{Body, Joint, JointKind};
use crate::error::WorldError;
use crate::frames::{JointFrame, Placed};
use crate::placing::{rates, starts};
use crate::pose::{Dimension, Place, TURN};
use crate::rotation::rate_of_spin;
use crate::world::{Index, World};

/// What grows while a mechanism is built.
pub(super) struct Builder<'a> {
    pub(super) world: &'a World,
    pub(super) index: Index<'a>,
    coordinates: Vec<String>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) q: Vec<f64>,
    v: Vec<f64>,
}

impl Mechanism {
    pub(crate) fn new(
        world: &World,
        frames: &[JointFrame],
        placed: &[Placed],
    ) -> Result<Mechanism, WorldError> {
        let mut builder = Builder {
            world,
            index: world.index(),
            coordinates: Vec::new(),
            constraints: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
        };
        let bodies = builder.bodies(placed);
        let variables = builder.variables(frames)?;
        let generic: Vec<f64> =
            (0..builder.q.len()).map(|i| 0.3 + (0.618_033_988_749_894_9 * (i as f64 + 1.0)) % 1.0).collect();
        let units = builder.units(&bodies);
        let (bonds, joints) = builder.bonds(frames, &variables, &generic);
        let (linked, drives) = builder.relations(&joints)?;
        let rolling = builder.rolling(frames, &bodies)?;
        let mut mechanism = Mechanism {
            dimension: world.dimension,
            gravity: world.gravity,
            structure: Structure::dense(Vec::new(), Vec::new()),
            names: world.bodies.iter().map(|body| body.name.clone()).collect(),
            ball_forces: builder.ball_forces(frames)?,
            gaps: builder.gaps(&generic)?,
            loads: builder.loads()?,
            variables: variables.into_iter().flatten().collect(),
            bodies,
            units,
            pins: pins(&bonds),
            balls: balls(&bonds),
            bonds,
            joints,
            linked,
            drives,
            rolling,
            staying_mass: Vec::new(),
            start: Vec::new(),
        };
        let Builder { coordinates, constraints, q, v, .. } = builder;
        mechanism.start = [q, v].concat();
        mechanism.connect(coordinates, constraints);
        mechanism.find_staying_mass();
        mechanism.find_rates(world, frames);
        Ok(mechanism)
    }

    /// Finds all patterns and the places in them.
    fn connect(&mut self, coordinates: Vec<String>, constraints: Vec<Constraint>) {
        let (n, m) = (coordinates.len(), constraints.len());
        let (mut mass, mut damping) = (Vec::new(), Vec::new());
        let mut stiffness: Vec<(usize, usize)> = Vec::new();
        let mut jacobian: Vec<(usize, usize)> = Vec::new();
        for body in &self.bodies {
            let (straight, turn) = (positions(body.place), attitude(body.place));
            mass.extend(straight.iter().map(|&i| (i, i)));
            mass.extend(&turn);
            if body.is_spatial() {
                stiffness.extend(&turn);
                damping.extend(&turn);
            }
        }
        for bond in &self.bonds {
            jacobian.extend(bond.jacobian_places());
            stiffness.extend(bond.stiffness_places());
        }
        for rolling in &self.rolling {
            jacobian.extend(rolling.places());
        }
        for force in &self.variables {
            let place = (force.variable, force.variable);
            let [in_stiffness, in_damping] = force.has_blocks();
            mass.push(place);
            stiffness.extend(in_stiffness.then_some(place));
            damping.extend(in_damping.then_some(place));
        }
        for ball in &self.ball_forces {
            let [in_mass, in_stiffness, in_damping] = ball.places();
            mass.extend(in_mass);
            stiffness.extend(in_stiffness);
            damping.extend(in_damping);
        }
        for gap in &self.gaps {
            let places = gap.places();
            damping.extend(gap.damps().then_some(&places).into_iter().flatten());
            stiffness.extend(places);
        }
        stiffness.extend(self.loads.iter().flat_map(BodyLoad::places));
        let jacobian = self.ask_jacobian((m, n), &jacobian);
        self.structure = Structure {
            mass: Pattern::from_entries(n, n, mass),
            stiffness: self.ask_stiffness(n, &stiffness),
            damping: Pattern::from_entries(n, n, damping),
            jacobian,
            constant_mass: self.dimension == Dimension::Plane,
            linear_constraints: m == 0,
            coordinates,
            constraints,
        };
        self.find_slots();
    }

    /// The Jacobian of these entries and of the rows that have all of theirs.
    fn ask_jacobian(&mut self, (m, n): (usize, usize), entries: &[(usize, usize)]) -> Pattern {
        let (jacobian, rows) = Pattern::with_places(m, n, |place| {
            let (mut units, mut linked, mut drives) =
                (self.units.clone(), self.linked.clone(), self.drives.clone());
            let (mut pins, mut balls) = (self.pins.clone(), self.balls.clone());
            units.iter_mut().for_each(|unit| unit.ask(place));
            linked.iter_mut().for_each(|linked| linked.ask(place));
            drives.iter_mut().for_each(|drive| drive.ask(place));
            pins.ask(place);
            balls.ask(place);
            for &(i, j) in entries {
                place(i, j);
            }
            (units, linked, drives, pins, balls)
        });
        (self.units, self.linked, self.drives, self.pins, self.balls) = rows;
        jacobian
    }

    /// The stiffness of these entries and of the rows that have all of theirs.
    fn ask_stiffness(&mut self, n: usize, entries: &[(usize, usize)]) -> Pattern {
        let (stiffness, rows) = Pattern::with_places(n, n, |place| {
            let (mut units, mut linked) = (self.units.clone(), self.linked.clone());
            units.iter_mut().for_each(|unit| unit.ask_stiffness(place));
            linked.iter_mut().for_each(|linked| linked.ask_stiffness(place));
            for &(i, j) in entries {
                place(i, j);
            }
            (units, linked)
        });
        (self.units, self.linked) = rows;
        stiffness
    }

    fn find_slots(&mut self) {
        let Structure { mass, stiffness, damping, jacobian, .. } = &self.structure;
        for body in &mut self.bodies {
            let (straight, turn) = (positions(body.place), attitude(body.place));
            let slots = |pattern: &Pattern, places: &[(usize, usize)]| -> Vec<usize> {
                places.iter().filter_map(|&(i, j)| pattern.position(i, j)).collect()
            };
            body.mass_slots = straight.iter().filter_map(|&i| mass.position(i, i)).collect();
            body.mass_slots.extend(slots(mass, &turn));
            if body.is_spatial() {
                body.stiffness_slots = slots(stiffness, &turn);
                body.damping_slots = slots(damping, &turn);
            }
        }
        self.bonds.iter_mut().for_each(|bond| bond.connect(jacobian, stiffness));
        self.pins.connect(jacobian, stiffness);
        self.balls.connect(jacobian, stiffness);
        self.rolling.iter_mut().for_each(|rolling| rolling.connect(jacobian, stiffness));
        self.ball_forces.iter_mut().for_each(|ball| ball.connect([mass, stiffness, damping]));
        self.gaps.iter_mut().for_each(|gap| gap.connect(stiffness, damping));
        self.loads.iter_mut().for_each(|load| load.connect(stiffness));
        for force in &mut self.variables {
            let k = force.variable;
            force.slots = [mass.position(k, k), stiffness.position(k, k), damping.position(k, k)];
        }
    }

    /// Rates of variables that are not given follow from those of the bodies, as closely as the rows of the joint allow.
    fn find_rates(&mut self, world: &World, frames: &[JointFrame]) {
        let n = self.structure.n();
        let (q, mut v) = (self.start[..n].to_vec(), self.start[n..].to_vec());
        for ((joint, rows), _) in world.joints.iter().zip(&self.joints).zip(frames) {
            if rates(joint).is_none() && !rows.variables.is_empty() {
                let found = self.bonds[rows.bond].bond.variable_rates(&q, &v);
                for (&k, rate) in rows.variables.iter().zip(found) {
                    v[k] = rate;
                }
            }
        }
        self.start[n..].copy_from_slice(&v);
    }
}

/// The links whose rows are written body by body in this way, with their first rows.
fn links(bonds: &[BondRows], way: ByBodies) -> impl Iterator<Item = (&Link, usize)> {
    let chosen = bonds.iter().filter(move |bond| bond.by_bodies == Some(way));
    chosen.filter_map(|bond| match &bond.bond {
        Bond::Link(link) => Some((link, bond.first_row)),
        Bond::Distance(_) => None,
    })
}

/// The rows of bonds that are pins of the plane.
fn pins(bonds: &[BondRows]) -> Pins {
    let mut pins = Pins::default();
    links(bonds, ByBodies::Pin).for_each(|(link, row)| pins.add(link, row));
    pins
}

/// The rows of bonds that are ball joints in space.
fn balls(bonds: &[BondRows]) -> Balls {
    let mut balls = Balls::default();
    links(bonds, ByBodies::Ball).for_each(|(link, row)| balls.add(link, row));
    balls
}

fn positions(place: Place) -> Vec<usize> {
    (0..3).filter_map(|i| place.coordinate(i)).collect()
}

/// The block of the attitude, row by row.
fn attitude(place: Place) -> Vec<(usize, usize)> {
    let turns: Vec<usize> = (0..4).filter_map(|i| place.coordinate(TURN + i)).collect();
    turns.iter().flat_map(|&i| turns.iter().map(move |&j| (i, j))).collect()
}

impl Builder<'_> {
    pub(super) fn place(&self, body: Option<usize>) -> Place {
        let dimension = self.world.dimension;
        Place { dimension, at: body.map(|k| k * dimension.coordinates()) }
    }

    fn bodies(&mut self, placed: &[Placed]) -> Vec<Inertia> {
        let mut bodies = Vec::new();
        for (k, (body, at)) in self.world.bodies.iter().zip(placed).enumerate() {
            let suffixes: &[&str] = match self.world.dimension {
                Dimension::Plane => &["x", "y", "angle"],
                Dimension::Space => &["x", "y", "z", "p0", "p1", "p2", "p3"],
            };
            self.coordinates.extend(suffixes.iter().map(|suffix| format!("{}.{suffix}", body.name)));
            match self.world.dimension {
                Dimension::Plane => {
                    self.q.extend([at.x[0], at.x[1], at.angle]);
                    self.v.extend([at.velocity[0], at.velocity[1], at.spin[2]]);
                }
                Dimension::Space => {
                    self.q.extend(at.x);
                    self.q.extend(at.p);
                    self.v.extend(at.velocity);
                    self.v.extend(rate_of_spin(at.p, at.spin));
                }
            }
            bodies.push(self.inertia(body, k));
        }
        bodies
    }

    fn inertia(&self, body: &Body, k: usize) -> Inertia {
        let [xx, yy, zz, xy, xz, yz] = body.inertia;
        Inertia {
            place: self.place(Some(k)),
            mass: body.mass,
            about_centre: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            principal: ([xy, xz, yz] == [0.0; 3]).then_some([4.0 * xx, 4.0 * yy, 4.0 * zz]),
            extension: 2.0 * (xx + yy + zz),
            mass_slots: Vec::new(),
            stiffness_slots: Vec::new(),
            damping_slots: Vec::new(),
        }
    }

    /// The variables of each joint, and what acts on them.
    fn variables(&mut self, frames: &[JointFrame]) -> Result<Vec<Vec<VariableForce>>, WorldError> {
        let world = self.world;
        world.joints.iter().zip(frames).map(|(joint, frame)| self.variables_of(joint, frame)).collect()
    }

    fn variables_of(&mut self, joint: &Joint, frame: &JointFrame) -> Result<Vec<VariableForce>, WorldError> {
        let rolls_in_plane =
            matches!(joint.kind, JointKind::Rolling { .. }) && self.world.dimension == Dimension::Plane;
        if !joint.has_variables() && !rolls_in_plane {
            return Ok(Vec::new());
        }
        if frame.freedoms.is_empty() {
            let why = match joint.kind {
                JointKind::Spherical => "a ball joint has no drive, motor, friction or limits",
                _ => "a joint without coordinates of its own has no drive, motor, spring, friction or limits",
            };
            return match joint.kind {
                JointKind::Serial(_) | JointKind::Fixed => Ok(Vec::new()),
                _ => Err(WorldError::NotHere { joint: joint.name.clone(), why }),
            };
        }
        let (start, rate) = (starts(joint, frame), rates(joint).unwrap_or_default());
        let number = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        let mut forces = Vec::new();
        for (i, name) in frame.names.iter().enumerate() {
            forces.push(VariableForce {
                variable: self.q.len(),
                armature: number(&joint.armature, i),
                stiffness: number(&joint.stiffness, i),
                rest: number(&joint.rest, i),
                damping: number(&joint.damping, i),
                friction: joint.friction.filter(|_| i == 0),
                limits: joint.limits.get(i).copied().flatten(),
                motor: joint.motors.get(i).cloned().flatten(),
                slots: [None; 3],
            });
            self.coordinates.push(name.clone());
            self.q.push(number(&start, i));
            self.v.push(number(&rate, i));
        }
        Ok(forces)
    }

    fn units(&mut self, bodies: &[Inertia]) -> Vec<Unit> {
        let mut units = Vec::new();
        for (body, inertia) in self.world.bodies.iter().zip(bodies) {
            if let Some(at) = inertia.place.coordinate(TURN).filter(|_| inertia.is_spatial()) {
                units.push(Unit::new(at, self.constraints.len()));
                self.constraints.push(Constraint::rod(format!("{}.unit", body.name)));
            }
        }
        units
    }

    fn bonds(
        &mut self,
        frames: &[JointFrame],
        variables: &[Vec<VariableForce>],
        generic: &[f64],
    ) -> (Vec<BondRows>, Vec<JointRows>) {
        let (mut bonds, mut joints) = (Vec::new(), Vec::new());
        for ((joint, frame), forces) in self.world.joints.iter().zip(frames).zip(variables) {
            let variables: Vec<usize> = forces.iter().map(|force| force.variable).collect();
            let places = frame.bodies.map(|body| self.place(body));
            let bond = bond(joint, frame, places, &variables, frame.given);
            let row = |name: String| {
                let turns = name.starts_with("turn") || name == "angle";
                let compliance = joint.turn_compliance.filter(|_| turns).unwrap_or(joint.compliance);
                Constraint::damped_spring(format!("{}.{name}", joint.name), compliance, joint.relaxation)
            };
            let first_row = self.constraints.len();
            self.constraints.extend(bond.row_names().into_iter().map(row));
            joints.push(JointRows {
                name: joint.name.clone(),
                bond: bonds.len(),
                names: frame.names.clone(),
                measures: if variables.is_empty() {
                    measures(joint, frame, self.world.dimension)
                } else {
                    Vec::new()
                },
                variables,
            });
            bonds.push(BondRows::new(bond, first_row, generic));
        }
        (bonds, joints)
    }
}
