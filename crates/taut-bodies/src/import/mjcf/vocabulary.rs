//! What the words of a file mean: classes that are not there and names that stand for two things are refused; what is neither read
//! nor without effect on the motion is listed.

use std::collections::HashSet;

use roxmltree::Node;

use super::super::xml::wrong;
use super::super::{Ignore, ImportError};
use super::attributes::Defaults;

/// What elements of bodies and around them may have that is read, or that a motion without contacts does not depend on.
const ATTRIBUTES: [(&str, &str); 12] = [
    ("body", "name childclass pos quat axisangle xyaxes zaxis euler gravcomp mocap sleep user"),
    (
        "joint",
        "name class type group pos axis springdamper solreflimit solimplimit solreffriction solimpfriction stiffness range limited \
         margin ref springref armature damping frictionloss user",
    ),
    ("freejoint", "name class group align"),
    (
        "geom",
        "name class type contype conaffinity condim group priority size material friction mass density solmix solref solimp \
         margin gap fromto pos quat axisangle xyaxes zaxis euler hfield mesh rgba fluidshape fluidcoef castshadow adhesion \
         surfacevel user",
    ),
    ("inertial", "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia"),
    ("position", "kp kv"),
    ("velocity", "kv"),
    ("motor", "forcelimited forcerange"),
    ("connect", "name class active body1 body2 anchor site1 site2 solref solimp"),
    ("weld", "name class active body1 body2 anchor site1 site2 relpose torquescale solref solimp"),
    ("equality", "active solref solimp"),
    (
        "compiler",
        "angle assetdir autolimits boundinertia boundmass discardvisual eulerseq fitaabb fusestatic inertiafromgeom \
         inertiagrouprange meshdir texturedir settotalmass strippath usethread alignfree coordinate conflict convexhull \
         exactmeshinertia passthrough savecanonical savecompiled saveinertial",
    ),
];
/// What every actuator may have: its control is 0.
const OF_ACTUATORS: &str = "name class group joint jointinparent tendon slidersite cranksite site refsite body cranklength \
    lengthrange ctrllimited ctrlrange gear inheritrange delay interp nsample user";
/// Attributes of joints that act on motors and servos alone.
const ON_ACTUATORS: &str = "actuatorfrcrange actuatorfrclimited actuatorgravcomp";

const SECTIONS: &str = "compiler option size statistic visual default custom asset worldbody contact tendon equality actuator \
    sensor keyframe extension";
const INSIDE_BODIES: &str = "body inertial joint freejoint geom site camera light frame replicate";

/// Holds a file against all this; lists what is not known.
pub(super) fn examine(
    root: Node<'_, '_>,
    defaults: &Defaults,
    ignore: Ignore,
    left_out: &mut Vec<String>,
) -> Result<(), ImportError> {
    unknown_elements(root, SECTIONS, left_out);
    for world in root.children().filter(|node| node.has_tag_name("worldbody")) {
        for node in world.descendants().filter(|node| node.has_tag_name("body") || *node == world) {
            unknown_elements(node, INSIDE_BODIES, left_out);
        }
        for name in ["body", "joint"] {
            refuse_repeated(world, name)?;
        }
    }
    for node in root.descendants().filter(|node| node.is_element()) {
        refuse_unknown_class(node, defaults)?;
        unknown_attributes(node, ignore, left_out);
    }
    Ok(())
}

fn contains(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

fn unknown_elements(node: Node<'_, '_>, known: &str, left_out: &mut Vec<String>) {
    let names = node.children().filter(|child| child.is_element()).map(|child| child.tag_name().name());
    let unknown = names.filter(|name| !contains(known, name));
    left_out.extend(unknown.map(|name| format!("elements <{name}> of <{}>", node.tag_name().name())));
}

/// No two bodies, and no two joints, have one name.
fn refuse_repeated(world: Node<'_, '_>, tag: &str) -> Result<(), ImportError> {
    let mut known = HashSet::new();
    for node in world.descendants().filter(|node| node.has_tag_name(tag)) {
        if let Some(name) = node.attribute("name").filter(|name| !known.insert(name.to_owned())) {
            let kind = if tag == "body" { "bodies" } else { "joints" };
            return Err(wrong(node, format!("there are two {kind} '{name}'")));
        }
    }
    Ok(())
}

fn refuse_unknown_class(node: Node<'_, '_>, defaults: &Defaults) -> Result<(), ImportError> {
    if node.has_tag_name("default") {
        return Ok(());
    }
    let classes = ["class", "childclass"].into_iter().filter_map(|name| node.attribute(name));
    match classes.into_iter().find(|class| !defaults.has(class)) {
        Some(class) => Err(wrong(node, format!("there is no class '{class}' of defaults"))),
        None => Ok(()),
    }
}

/// Lists attributes that are not known, but for those that say no.
fn unknown_attributes(node: Node<'_, '_>, ignore: Ignore, left_out: &mut Vec<String>) {
    let element = node.tag_name().name();
    let around = node.parent().map_or("", |parent| parent.tag_name().name());
    let is_actuator = matches!(element, "position" | "velocity" | "motor");
    let is_relation = element == "joint" && !matches!(around, "body" | "worldbody" | "default");
    if is_relation || (is_actuator && ignore.actuators) {
        return;
    }
    let Some((_, known)) = ATTRIBUTES.iter().find(|(name, _)| *name == element) else { return };
    let is_known = |name: &str| {
        contains(known, name)
            || (is_actuator && contains(OF_ACTUATORS, name))
            || (ignore.actuators && element == "joint" && contains(ON_ACTUATORS, name))
    };
    for attribute in node.attributes().filter(|attribute| !is_known(attribute.name())) {
        let says_no = attribute.value().split_whitespace().all(|word| matches!(word, "0" | "false" | "auto"));
        if !says_no {
            left_out.push(format!("'{}' of <{element}>", attribute.name()));
        }
    }
}
