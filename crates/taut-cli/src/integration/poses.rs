//! Where bodies are and what joints do, as rows of numbers.

use taut_text::BodiesModel;

/// A body has a position and a rotation,
pub const OF_BODY: usize = 7;
/// a joint a force.
pub const OF_JOINT: usize = 3;

/// How many numbers a model with bodies adds to a row.
pub fn count(model: &BodiesModel) -> usize {
    OF_BODY * model.world().bodies.len() + OF_JOINT * model.world().joints.len()
}

/// Adds position and rotation of each body, and the force of each joint on its second body.
pub fn extend(model: &BodiesModel, q: &[f64], v: &[f64], lambda: &[f64], row: &mut Vec<f64>) {
    let mechanism = model.mechanism();
    for body in 0..model.world().bodies.len() {
        let state = mechanism.body_state(body, q, v);
        row.extend(state.position);
        row.extend(state.rotation);
    }
    let lambda = model.multipliers_of_bodies(lambda);
    for joint in 0..model.world().joints.len() {
        row.extend(mechanism.joint_state(joint, q, v, &lambda).force);
    }
}
