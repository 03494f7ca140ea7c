//! Gravity, equalities; and what there is beside them.

use std::collections::HashMap;

use roxmltree::Node;

use super::super::tree::{Frame, Placement};
use super::super::xml::{identifier, vector, wrong};
use super::super::{Ignore, ImportError};
use super::attributes::{Compiler, Defaults, Item};
use super::bodies::KnownJoint;
use super::tendons::Tendon;
use crate::description::{GROUND, Joint, JointKind, Relation};
use crate::vector::Vector;
use crate::world::World;

/// `<option gravity="...">`
pub(super) fn gravity(root: Node<'_, '_>) -> Result<Vector, ImportError> {
    let mut gravity = [0.0, 0.0, -9.81];
    for node in root.children().filter(|node| node.has_tag_name("option")) {
        if let Some(text) = node.attribute("gravity") {
            gravity = vector(node, text)?;
        }
        let flags = node.children().filter(|child| child.has_tag_name("flag"));
        if flags.into_iter().any(|flag| flag.attribute("gravity") == Some("disable")) {
            gravity = [0.0; 3];
        }
    }
    Ok(gravity)
}

/// What `<flag>` switches off beside what may be ignored.
pub(super) struct SwitchedOff {
    pub(super) equalities: bool,
    /// ranges of controls
    pub(super) control_ranges: bool,
    springs: bool,
    dampers: bool,
}

/// Flags of `<option>`: what they switch off is ignored, too.
pub(super) fn switched_off(root: Node<'_, '_>, ignore: Ignore) -> (Ignore, SwitchedOff) {
    let options = root.children().filter(|node| node.has_tag_name("option"));
    let flags = options.flat_map(|node| node.children()).filter(|child| child.has_tag_name("flag"));
    let flags: Vec<Node<'_, '_>> = flags.collect();
    let off = |names: [&str; 2]| {
        let disabled =
            |flag: &Node<'_, '_>| names.iter().any(|&name| flag.attribute(name) == Some("disable"));
        flags.iter().any(disabled)
    };
    let ignore = Ignore {
        actuators: ignore.actuators || off(["actuation", "actuation"]),
        limits: ignore.limits || off(["limit", "constraint"]),
        friction: ignore.friction || off(["frictionloss", "constraint"]),
        contacts: ignore.contacts || off(["contact", "constraint"]),
    };
    let equalities = off(["equality", "constraint"]);
    // `passive` was both in older versions.
    let [control_ranges, springs, dampers] =
        [["clampctrl", "clampctrl"], ["spring", "passive"], ["damper", "passive"]].map(off);
    (ignore, SwitchedOff { equalities, control_ranges, springs, dampers })
}

impl SwitchedOff {
    /// Takes springs and dampers of joints out where they are switched off.
    pub(super) fn take_forces_out(&self, world: &mut World) {
        for joint in &mut world.joints {
            if self.springs {
                joint.stiffness.clear();
            }
            if self.dampers {
                joint.damping.clear();
            }
        }
    }
}

/// What stands beside the bodies.
pub(super) struct Others<'a> {
    pub(super) compiler: &'a Compiler,
    pub(super) defaults: &'a Defaults,
    pub(super) off: &'a SwitchedOff,
    pub(super) placement: &'a Placement,
    pub(super) joints: &'a HashMap<String, KnownJoint>,
    /// by their names in the file
    pub(super) tendons: HashMap<String, Tendon>,
    pub(super) world: &'a mut World,
    pub(super) left_out: &'a mut Vec<String>,
}

impl Others<'_> {
    pub(super) fn read_equalities(&mut self, root: Node<'_, '_>) -> Result<(), ImportError> {
        let sections = root.children().filter(|node| node.has_tag_name("equality"));
        for (k, node) in
            sections.flat_map(|node| node.children()).filter(|node| node.is_element()).enumerate()
        {
            let item = self.defaults.called("equality", node, None);
            if item.get("active") == Some("false") {
                continue;
            }
            let kind = node.tag_name().name();
            let name = node.attribute("name").map_or_else(|| format!("equality{}", k + 1), identifier);
            match kind {
                "connect" | "weld" => self.loop_joint(&item, name, kind == "weld")?,
                "joint" => self.relation(&item, name)?,
                "tendon" => self.tendon_equality(&item, name)?,
                other => self.left_out.push(format!("equality '{name}' of kind '{other}'")),
            }
        }
        Ok(())
    }

    /// The anchor is where it is with all joints at their references: there the bodies are.
    fn loop_joint(&mut self, item: &Item<'_, '_>, name: String, weld: bool) -> Result<(), ImportError> {
        let link = |this: &Self, attribute: &str| match item.get(attribute) {
            None | Some("world") => Ok(None),
            Some(body) => match this.placement.find(body) {
                Some(link) => Ok(Some(link)),
                None => Err(wrong(item.node, format!("there is no body '{body}'"))),
            },
        };
        if item.get("site1").is_some() || item.get("body1").is_none() {
            self.left_out.push(format!("equality '{name}' between sites"));
            return Ok(());
        }
        let links = [link(self, "body1")?, link(self, "body2")?];
        let pose = item.numbers("relpose")?.filter(|pose| weld && !self.is_pose_at_start(pose, links));
        if pose.is_some() {
            self.left_out.push(format!("equality '{name}': its relative pose; the one at the start is kept"));
        }
        let anchor = item.vector("anchor")?.unwrap_or_default();
        // A weld has its anchor on the second body.
        let of = if weld { links[1].or(links[0]) } else { links[0] };
        let at = of.map_or(anchor, |link| self.placement.frames[link].point(anchor));
        let bodies = links.map(|link| link.and_then(|link| self.placement.carriers[link]));
        let [first, second] =
            bodies.map(|body| body.map_or_else(|| GROUND.to_string(), |k| self.world.bodies[k].name.clone()));
        let kind = if weld { JointKind::Fixed } else { JointKind::Spherical };
        self.world.joints.push(Joint::new(name, kind, first, second).at(at));
        Ok(())
    }

    /// Whether a pose of the second body in the first, as position and quaternion, is the one that the file starts with. A
    /// quaternion of zeros asks for that.
    fn is_pose_at_start(&self, pose: &[f64], links: [Option<usize>; 2]) -> bool {
        let &[x, y, z, a, b, c, d] = pose else { return false };
        if [a, b, c, d] == [0.0; 4] {
            return true;
        }
        let [first, second] = links.map(|link| link.map_or(Frame::HERE, |k| self.placement.frames[k]));
        let asked = first.then(Frame { x: [x, y, z], p: [a, b, c, d] });
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        near(&asked.x, &second.x) && (near(&asked.p, &second.p) || near(&asked.p.map(|x| -x), &second.p))
    }

    /// joint₁ − ref₁ = a₀ + a₁ (joint₂ − ref₂) + ...
    fn relation(&mut self, item: &Item<'_, '_>, name: String) -> Result<(), ImportError> {
        for joint in ["joint1", "joint2"].into_iter().filter_map(|attribute| item.get(attribute)) {
            refuse_unknown_joint(item, joint)?;
        }
        let known = |attribute: &str| item.get(attribute).and_then(|joint| self.joints.get(joint)).cloned();
        let (first, second) = (known("joint1"), known("joint2"));
        let polynomial = item.numbers("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0]);
        match (first, second) {
            (Some(first), Some(second)) if first.zero == 0.0 && second.zero == 0.0 => {
                let relation = Relation::gear(name, first.name, second.name, 1.0);
                self.world.relations.push(Relation { polynomial, ..relation });
            }
            _ => self.left_out.push(format!("equality '{name}' of a joint alone or with a reference")),
        }
        Ok(())
    }

    pub(super) fn note_what_is_left(&mut self, root: Node<'_, '_>, ignore: Ignore) {
        for node in root.children().filter(|node| node.has_tag_name("option")) {
            for medium in ["density", "viscosity"] {
                let there = |text: &str| text.parse::<f64>().is_ok_and(|x| x != 0.0);
                if node.attribute(medium).is_some_and(there) {
                    self.left_out.push(format!("the {medium} of the medium"));
                }
            }
        }
        let held = root
            .descendants()
            .filter(|node| node.has_tag_name("body") && node.attribute("gravcomp").is_some());
        for node in held.filter(|node| node.attribute("gravcomp") != Some("0")) {
            let name = node.attribute("name").unwrap_or("without a name");
            self.left_out.push(format!("body '{name}': compensation of its gravity"));
        }
        let geoms = root.descendants().filter(|node| node.has_tag_name("geom")).count();
        if geoms > 0 && !ignore.contacts {
            self.left_out.push(format!("contacts of {geoms} geoms"));
        }
    }
}

/// Refuses the name of a joint that no body has; one of several freedoms may still be left out.
pub(super) fn refuse_unknown_joint(item: &Item<'_, '_>, joint: &str) -> Result<(), ImportError> {
    let is_there = |node: Node<'_, '_>| {
        let joins = node.has_tag_name("joint") || node.has_tag_name("freejoint");
        joins
            && node.attribute("name") == Some(joint)
            && node.parent().is_some_and(|node| node.has_tag_name("body"))
    };
    match item.node.document().descendants().any(is_there) {
        true => Ok(()),
        false => Err(wrong(item.node, format!("there is no joint '{joint}'"))),
    }
}
