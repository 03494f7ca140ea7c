//! What the words of a file mean: classes that are not there and names that stand for two things are refused; what is neither read
//! nor without effect on the motion is listed.

use std::collections::HashSet;

use roxmltree::Node;

use super::super::xml::wrong;
use super::super::{Ignore, ImportError};
use super::attributes::Defaults;

/// What elements of bodies and around them may have that is read, or that a motion without contacts does not depend on.
const ATTRIBUTES: [(&str, &str); 15] = [
    (
        "fixed",
        "name class group limited range solreflimit solimplimit solreffriction solimpfriction margin frictionloss springlength \
         stiffness damping armature width material rgba user actuatorfrclimited actuatorfrcrange",
    ),
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
        "option",
        "timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance gravity wind \
         magnetic density viscosity o_margin o_solref o_solimp o_friction collision integrator cone jacobian solver iterations \
         ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints",
    ),
    (
        "flag",
        "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent actuation \
         refsafe sensor midphase nativeccd eulerdamp autoreset island multiccd override energy fwdinv invdiscrete sensornoise \
         sleep diagexact",
    ),
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
/// What an equality of joints or tendons may have.
const RELATION: &str = "name class active joint1 joint2 tendon1 tendon2 polycoef solref solimp";
/// Attributes of joints that act on motors and servos alone.
const ON_ACTUATORS: &str = "actuatorfrcrange actuatorfrclimited actuatorgravcomp";

/// Lists of numbers, and how many these have.
const LENGTHS: [(&str, usize); 6] =
    [("quat", 4), ("axisangle", 4), ("xyaxes", 6), ("range", 2), ("ctrlrange", 2), ("springdamper", 2)];

const SECTIONS: &str = "compiler option size statistic visual default custom asset worldbody contact tendon equality actuator \
    sensor keyframe extension";
const INSIDE_BODIES: &str = "body inertial joint freejoint geom site camera light frame replicate";
/// The world has no joints, and no mass.
const INSIDE_THE_WORLD: &str = "body geom site camera light frame replicate";

/// Holds a file against all this; lists what is not known.
pub(super) fn examine(
    root: Node<'_, '_>,
    defaults: &Defaults,
    ignore: Ignore,
    left_out: &mut Vec<String>,
) -> Result<(), ImportError> {
    unknown_elements(root, SECTIONS, left_out);
    for world in root.children().filter(|node| node.has_tag_name("worldbody")) {
        unknown_elements(world, INSIDE_THE_WORLD, left_out);
        for node in world.descendants().filter(|node| node.has_tag_name("body")) {
            unknown_elements(node, INSIDE_BODIES, left_out);
        }
        for name in ["body", "joint"] {
            refuse_repeated(world, name)?;
        }
    }
    for node in root.descendants().filter(|node| node.is_element()) {
        refuse_unknown_class(node, defaults)?;
        refuse_values(node)?;
        unknown_attributes(node, ignore, left_out);
    }
    Ok(())
}

fn of_element(element: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(name, _)| *name == element).map(|(_, known)| *known)
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

/// Words and lengths of lists that nothing is without: what is read as if it were not there would pass unseen.
fn refuse_values(node: Node<'_, '_>) -> Result<(), ImportError> {
    let element = node.tag_name().name();
    for attribute in node.attributes() {
        let (name, text) = (attribute.name(), attribute.value());
        let words = match (element, name) {
            ("compiler", "angle") => "degree radian",
            ("compiler", "inertiafromgeom") | (_, "limited" | "ctrllimited") => "true false auto",
            ("compiler", "autolimits") | (_, "active") => "true false",
            ("flag", _) => "enable disable",
            _ => text,
        };
        if !contains(words, text.trim()) && words != text {
            return Err(wrong(node, format!("'{name}' of <{element}> is one of {words}, not '{text}'")));
        }
        let is_read = of_element(element).is_some();
        let (given, needed) =
            (text.split_whitespace().count(), LENGTHS.iter().find(|(list, _)| *list == name));
        if let Some((_, needed)) = needed.filter(|(_, needed)| is_read && *needed != given) {
            return Err(wrong(node, format!("'{name}' of <{element}> is {needed} numbers, not {given}")));
        }
    }
    Ok(())
}

/// Lists attributes that are not known, but for those that say no.
fn unknown_attributes(node: Node<'_, '_>, ignore: Ignore, left_out: &mut Vec<String>) {
    let element = node.tag_name().name();
    let around = node.parent().map_or("", |parent| parent.tag_name().name());
    let is_actuator = matches!(element, "position" | "velocity" | "motor");
    if is_actuator && ignore.actuators {
        return;
    }
    let known = match (element, around) {
        ("joint" | "tendon", "equality") => Some(RELATION),
        ("joint", "fixed") => Some("joint coef"),
        ("joint", "body" | "worldbody" | "default") | ("fixed", "tendon") => of_element(element),
        ("joint" | "tendon" | "fixed", _) => None,
        _ => of_element(element),
    };
    let Some(known) = known else { return };
    let is_known = |name: &str| {
        contains(known, name)
            || (is_actuator && contains(OF_ACTUATORS, name))
            || (ignore.actuators && element == "joint" && contains(ON_ACTUATORS, name))
    };
    for attribute in node.attributes().filter(|attribute| !is_known(attribute.name())) {
        let says_no = attribute.value().split_whitespace().all(|word| matches!(word, "0" | "false" | "auto"));
        // No gravity is more than nothing.
        if !says_no || element == "option" {
            left_out.push(format!("'{}' of <{element}>", attribute.name()));
        }
    }
}
