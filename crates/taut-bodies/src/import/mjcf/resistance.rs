//! Springs and dampers that are given by a time constant: for the inertia that a coordinate has while all others are free.

use taut::linear::Choice;
use taut::start::consistent_start;
use taut::system::MechanicalSystem;

use crate::course::Course;
use crate::description::{Joint, JointKind};
use crate::world::World;

/// Makes forces of the springs and dampers of these coordinates, which are those of a unit of inertia. What remains are the
/// coordinates of which the inertia cannot be found; these lose both.
pub(super) fn springs_by_inertia<'a>(
    world: &mut World,
    coordinates: &'a [String],
) -> impl Iterator<Item = &'a String> + use<'a> {
    let bare = without_forces(world);
    let found: Vec<Option<f64>> = coordinates.iter().map(|name| inertia(&bare, name)).collect();
    for (name, inertia) in coordinates.iter().zip(&found) {
        if let Some((joint, place)) = place(world, name) {
            let joint = &mut world.joints[joint];
            let lists = [&mut joint.stiffness, &mut joint.damping];
            let strengths = lists.into_iter().filter_map(|list| list.get_mut(place));
            strengths.for_each(|strength| *strength *= inertia.unwrap_or(0.0));
        }
    }
    coordinates.iter().zip(found).filter(|(_, inertia)| inertia.is_none()).map(|(name, _)| name)
}

/// The joint of a coordinate, and which of its coordinates it is.
fn place(world: &World, coordinate: &str) -> Option<(usize, usize)> {
    world.joints.iter().enumerate().find_map(|(k, joint)| match &joint.kind {
        JointKind::Serial(freedoms) => {
            freedoms.iter().position(|freedom| freedom.name == coordinate).map(|place| (k, place))
        }
        _ => (joint.name == coordinate).then_some((k, 0)),
    })
}

/// The same masses and joints, at rest where the file has them.
fn without_forces(world: &World) -> World {
    let mut bare = world.clone();
    bare.gravity = [0.0; 3];
    for joint in &mut bare.joints {
        let Joint { name, kind, between, at, axis, armature, .. } = joint.clone();
        let [first, second] = between;
        let variables = !matches!(kind, JointKind::Spherical | JointKind::Fixed);
        *joint = Joint { at, axis, armature, variables, ..Joint::new(name, kind, first, second) };
    }
    bare
}

/// What a unit of force on a coordinate does not move faster than 1/this: 1/(M⁻¹)ₖₖ of the coordinates of joints.
fn inertia(bare: &World, coordinate: &str) -> Option<f64> {
    let mut pushed = bare.clone();
    let (joint, place) = place(bare, coordinate)?;
    pushed.joints[joint].motors = vec![None; place];
    pushed.joints[joint].motors.push(Some(Course::constant(1.0)));
    let mechanism = pushed.build().ok()?;
    let (n, state) = (mechanism.structure().n(), mechanism.start());
    let start = consistent_start(&mechanism, 0.0, &state[..n], &state[n..], Choice::Auto).ok()?;
    let variable = mechanism.structure().coordinates.iter().position(|name| name == coordinate)?;
    Some(1.0 / start.a[variable]).filter(|inertia| *inertia > 0.0 && inertia.is_finite())
}
