//! Velocities of bodies that events set: `crank.vx`, `crank.spin` in the plane, `crank.spin.x` in space.

use std::collections::BTreeMap;

use taut_formula::graph::Node;

use super::super::Reader;
use crate::events::Place;

/// The angular velocities of bodies that an event sets, by body and axis.
#[derive(Debug, Default)]
pub(in crate::reader) struct Spins(BTreeMap<usize, [Option<Node>; 3]>);

impl Spins {
    pub(in crate::reader) fn set(&mut self, body: usize, axis: usize, node: Node) {
        self.0.entry(body).or_default()[axis] = Some(node);
    }
}

impl Reader<'_> {
    /// The coordinate whose velocity a name of a body is.
    pub(in crate::reader) fn body_velocity(&self, name: &str) -> Option<usize> {
        self.body_names.as_ref()?.velocity(name)
    }

    /// The body and the axis of an angular velocity in space.
    pub(in crate::reader) fn spin_to_set(&self, name: &str) -> Option<(usize, usize)> {
        self.body_names.as_ref()?.spin_axis(name.trim())
    }

    /// p' = (0, ω) ∘ p / 2 of bodies whose angular velocity ω is set; a part that is not given stays.
    pub(in crate::reader) fn set_spins(&mut self, spins: &Spins) -> Vec<(Place, Node)> {
        let Some(names) = self.body_names.clone() else { return Vec::new() };
        let quarter = self.graph.constant(0.25);
        let mut places = Vec::new();
        for (&body, given) in &spins.0 {
            let now = names.spin(&mut self.graph, body);
            let spin = std::array::from_fn(|k| given[k].unwrap_or(now[k]));
            // A torque τ is the force 2 (0, τ) ∘ p.
            for (coordinate, node) in names.torque(&mut self.graph, body, spin) {
                places.push((Place::Velocity(coordinate), self.graph.multiply(quarter, node)));
            }
        }
        places
    }
}
