//! Limits and dry friction of joints.

use super::super::ImportError;
use super::super::tree::{Hanging, Link};
use super::attributes::{Compiler, Item};
use crate::description::{Freedom, Friction, JointKind, Limits};
use crate::vector::{Vector, cross, direction, dot, minus};

/// The time constant and the damping ratio of limits where the file says nothing (`solreflimit`),
const REFERENCE: [f64; 2] = [0.02, 1.0];
/// and the impedance that they are divided by (`solimplimit`).
const IMPEDANCE: f64 = 0.95;
/// The rate at which dry friction has three quarters of its strength.
const SETS_IN: f64 = 1e-2;

/// The limits of a joint by unit of inertia: stiffness in 1/s² and damping in 1/s. [`by_inertia`] makes forces of them.
pub(super) fn limits(
    item: &Item<'_, '_>,
    compiler: &Compiler,
    turns: bool,
) -> Result<Option<Limits>, ImportError> {
    let Some([from, to]) = range(item, compiler)? else { return Ok(None) };
    let angle = |x: f64| if turns { compiler.angle(x) } else { x };
    let reference = item.numbers("solreflimit")?.unwrap_or_default();
    let given = |k: usize| reference.get(k).copied().unwrap_or(REFERENCE[k]);
    let (stiffness, damping) = match (given(0), given(1)) {
        // Negative numbers are stiffness and damping themselves.
        (k, b) if k < 0.0 => (-k / (IMPEDANCE * IMPEDANCE), -b / IMPEDANCE),
        (time, ratio) => ((IMPEDANCE * time * ratio).powi(-2), 2.0 / (IMPEDANCE * time)),
    };
    Ok(Some(Limits { from: angle(from), to: angle(to), stiffness, damping }))
}

/// The range of a joint, where it limits it: an empty one does not unless the file says so.
pub(super) fn range(item: &Item<'_, '_>, compiler: &Compiler) -> Result<Option<[f64; 2]>, ImportError> {
    Ok(item.pair("range")?.filter(|[from, to]| match item.get("limited") {
        Some("true") => true,
        Some("false") => false,
        _ => compiler.ranges_limit && from != to,
    }))
}

/// The range of a joint in radians or metres, whether it limits it or not.
pub(super) fn given_range(
    item: &Item<'_, '_>,
    compiler: &Compiler,
    turns: bool,
) -> Result<Option<[f64; 2]>, ImportError> {
    Ok(item.pair("range")?.map(|range| range.map(|x| if turns { compiler.angle(x) } else { x })))
}

/// Dry friction of a joint.
pub(super) fn friction(item: &Item<'_, '_>) -> Result<Option<Friction>, ImportError> {
    let loss = item.number("frictionloss")?.filter(|&loss| loss > 0.0);
    Ok(loss.map(|coulomb| Friction { coulomb, viscous: 0.0, at: SETS_IN }))
}

/// Stiffness and damping of limits for the inertia behind each joint, where all joints are as the file says.
pub(super) fn by_inertia(links: &mut [Link]) {
    for k in 0..links.len() {
        let Hanging::Joint(joint) = &links[k].hanging else { continue };
        let axes: Vec<(bool, Vector, Vector)> = match &joint.kind {
            JointKind::Serial(freedoms) => {
                freedoms.iter().map(|Freedom { turns, axis, at, .. }| (*turns, *axis, *at)).collect()
            }
            kind => vec![(
                *kind == JointKind::Revolute,
                joint.axis.unwrap_or_default(),
                joint.at.unwrap_or_default(),
            )],
        };
        let armature = joint.armature.clone();
        let behind: Vec<f64> = axes
            .into_iter()
            .enumerate()
            .map(|(i, line)| inertia_behind(links, k, line) + armature.get(i).copied().unwrap_or(0.0))
            .collect();
        if let Hanging::Joint(joint) = &mut links[k].hanging {
            for (limits, inertia) in joint.limits.iter_mut().zip(behind) {
                if let Some(limits) = limits {
                    limits.stiffness *= inertia;
                    limits.damping *= inertia;
                }
            }
        }
    }
}

/// The mass behind a slide, or the inertia behind a hinge about its axis.
fn inertia_behind(links: &[Link], first: usize, (turns, axis, at): (bool, Vector, Vector)) -> f64 {
    let axis = direction(axis).unwrap_or_default();
    let mut carried = vec![false; links.len()];
    let mut sum = 0.0;
    for (k, link) in links.iter().enumerate().skip(first) {
        carried[k] = k == first || link.parent.is_some_and(|parent| carried[parent]);
        if !carried[k] {
            continue;
        }
        let mass = link.mass.moved(link.frame.x, link.frame.p);
        if turns {
            let arm = cross(axis, minus(mass.centre, at));
            let own: f64 = (0..3).map(|i| axis[i] * dot(mass.inertia[i], axis)).sum();
            sum += own + mass.mass * dot(arm, arm);
        } else {
            sum += mass.mass;
        }
    }
    sum
}
