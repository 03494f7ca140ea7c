//! What summaries and checks say of bodies and joints.

use serde_json::{Map, Value, json};
use taut_bodies::{Dimension, JointState};
use taut_text::BodiesModel;

/// A state of a model with bodies.
pub struct Seen<'a> {
    /// the model
    pub model: &'a BodiesModel,
    /// positions
    pub q: &'a [f64],
    /// velocities
    pub v: &'a [f64],
    /// all multipliers
    pub lambda: &'a [f64],
}

impl Seen<'_> {
    /// A vector as it is written: two numbers in the plane.
    fn vector(&self, vector: [f64; 3]) -> Value {
        json!(vector[..self.model.mechanism().dimension().positions()])
    }

    /// A rotation vector as it is written: one number in the plane.
    fn turning(&self, vector: [f64; 3]) -> Value {
        match self.model.mechanism().dimension() {
            Dimension::Plane => json!(vector[2]),
            Dimension::Space => json!(vector),
        }
    }

    /// Positions, rotations, velocities and spins by body.
    pub fn bodies(&self) -> Value {
        let mechanism = self.model.mechanism();
        let mut bodies = Map::new();
        for (k, name) in mechanism.body_names().enumerate() {
            let body = mechanism.body_state(k, self.q, self.v);
            let rotation = match mechanism.dimension() {
                Dimension::Plane => json!(body.angle),
                Dimension::Space => json!(body.rotation),
            };
            let state = json!({
                "position": self.vector(body.position),
                "rotation": rotation,
                "velocity": self.vector(body.velocity),
                "spin": self.turning(body.spin),
            });
            bodies.insert(name.to_owned(), state);
        }
        Value::Object(bodies)
    }

    /// What joints do, by name.
    pub fn joint_states(&self) -> Vec<(&str, JointState)> {
        let mechanism = self.model.mechanism();
        let own = self.model.multipliers_of_bodies(self.lambda);
        let state = |k: usize| mechanism.joint_state(k, self.q, self.v, &own);
        mechanism.joint_names().enumerate().map(|(k, name)| (name, state(k))).collect()
    }

    /// Coordinates, rates, forces and torques by joint.
    pub fn joints(&self) -> Value {
        // One number for a joint of one freedom, a list for others, nothing where it is not known.
        let numbers = |list: &[f64]| match list {
            [] => Value::Null,
            [one] => json!(one),
            several => json!(several),
        };
        let mut joints = Map::new();
        for (name, joint) in self.joint_states() {
            let state = json!({
                "coordinate": numbers(&joint.coordinates),
                "rate": numbers(&joint.rates),
                "force": self.vector(joint.force),
                "torque": self.turning(joint.torque),
            });
            joints.insert(name.to_owned(), state);
        }
        Value::Object(joints)
    }
}
