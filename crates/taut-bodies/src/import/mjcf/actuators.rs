//! `<actuator>`: servos of position and velocity, and motors. Controls are 0, or as near to it as their range lets them.

use std::collections::HashMap;

use roxmltree::Node;

use super::super::ImportError;
use super::super::xml::{numbers, wrong};
use super::attributes::{Attributes, Item};
use super::bodies::KnownJoint;
use super::others::{Others, refuse_unknown_joint};
use crate::course::Course;
use crate::description::{Joint, JointKind};

/// What defaults of all kinds of actuators are called: they share them.
const ACTUATOR: &str = "actuator";
/// The kind whose gains these defaults have.
const KIND: &str = "kind of actuator";
/// The kind that leaves its gains to the others.
const GENERAL: &str = "general";
const GAINS: [&str; 4] = ["kp", "kv", "gainprm", "biasprm"];

/// Puts the defaults of an actuator where all kinds find them; false for another element. Gains do not go on from one kind to
/// another, but for those of `<general>`.
pub(super) fn keep_defaults(element: Node<'_, '_>, known: &mut HashMap<String, Attributes>) -> bool {
    let kind = element.tag_name().name();
    if !matches!(kind, GENERAL | "motor" | "position" | "velocity") {
        return false;
    }
    let shared = known.entry(ACTUATOR.to_string()).or_default();
    if kind != GENERAL && shared.get(KIND).is_some_and(|other| other != GENERAL && other != kind) {
        GAINS.iter().for_each(|gain| drop(shared.remove(*gain)));
    }
    shared.insert(KIND.to_string(), kind.to_string());
    for attribute in element.attributes() {
        shared.insert(attribute.name().to_string(), attribute.value().to_string());
    }
    true
}

/// kp and kv of a servo, gear, control.
struct Numbers {
    kp: f64,
    kv: f64,
    gear: f64,
    control: f64,
}

impl Numbers {
    fn read(item: &Item<'_, '_>, others: &Others<'_>, range: Option<[f64; 2]>) -> Result<Self, ImportError> {
        let kind = item.node.tag_name().name();
        let is_of_this_kind = item.get(KIND).is_none_or(|other| other == GENERAL || other == kind);
        let own = |name: &str| item.node.attribute(name).map(|text| numbers(item.node, text)).transpose();
        let gain = |name: &str| if is_of_this_kind { item.numbers(name) } else { own(name) };
        let (kp, kv) = (gain("kp")?, gain("kv")?);
        let first = gain("gainprm")?.and_then(|list| list.first().copied()).unwrap_or(1.0);
        let third = gain("biasprm")?.and_then(|list| list.get(2).copied()).map_or(0.0, |rate| -rate);
        let one = |list: Option<Vec<f64>>, name: &str, otherwise: f64| match list.as_deref() {
            None => Ok(otherwise),
            Some(&[number]) => Ok(number),
            Some(_) => Err(wrong(item.node, format!("'{name}' is one number"))),
        };
        let gear = item.numbers("gear")?.and_then(|list| list.first().copied()).unwrap_or(1.0);
        Ok(Numbers {
            kp: one(kp, "kp", first)?,
            kv: one(kv, "kv", if kind == "velocity" { first } else { third })?,
            gear,
            control: others.control(item, range)?,
        })
    }

    /// Stiffness and damping of a servo on a coordinate.
    fn gains(&self) -> [f64; 2] {
        [self.kp, self.kv].map(|gain| gain * self.gear * self.gear)
    }
}

impl Others<'_> {
    /// Motors and servos of joints and tendons; what else there is of actuators is listed.
    pub(super) fn read_actuators(&mut self, root: Node<'_, '_>) -> Result<(), ImportError> {
        let sections = root.children().filter(|node| node.has_tag_name("actuator"));
        for node in sections.flat_map(|node| node.children()).filter(|node| node.is_element()) {
            let item = self.defaults.called(ACTUATOR, node, None);
            let kind = node.tag_name().name();
            let name = node.attribute("name").or(item.get("joint")).unwrap_or(kind).to_string();
            if let Some(tendon) = item.get("tendon") {
                self.tendon_actuator(&item, &name, tendon)?;
                continue;
            }
            let known = item.get("joint").map(|joint| (joint, self.joints.get(joint).cloned()));
            if let Some((joint, _)) = known {
                refuse_unknown_joint(&item, joint)?;
            }
            match known {
                Some((_, Some(joint))) => self.joint_actuator(&item, &name, &joint)?,
                _ => self.left_out.push(format!("actuator '{name}', which acts on no joint of one freedom")),
            }
        }
        Ok(())
    }

    fn joint_actuator(
        &mut self,
        item: &Item<'_, '_>,
        name: &str,
        joint: &KnownJoint,
    ) -> Result<(), ImportError> {
        let kind = item.node.tag_name().name();
        if !matches!(kind, "motor" | "position" | "velocity") {
            self.left_out.push(format!("actuator '{name}' of kind '{kind}'"));
            return Ok(());
        }
        let numbers = Numbers::read(item, self, joint.range)?;
        match kind {
            "motor" if numbers.control == 0.0 => {
                self.left_out.push(format!("actuator '{name}': its control is 0"));
            }
            "motor" => self.push(joint, name, numbers.gear * numbers.control),
            "position" => self.servo(joint, name, &numbers),
            _ => {
                self.damper(joint, numbers.kv * numbers.gear * numbers.gear);
                self.push(joint, name, numbers.kv * numbers.gear * numbers.control);
            }
        }
        Ok(())
    }

    /// The control next to 0 in the range of controls; `range` is that of the joint.
    fn control(&self, item: &Item<'_, '_>, range: Option<[f64; 2]>) -> Result<f64, ImportError> {
        if self.off.control_ranges {
            return Ok(0.0);
        }
        let given = item.pair("ctrlrange")?;
        let inherited = item.number("inheritrange")?.filter(|&share| share > 0.0).zip(range);
        let inherited = inherited.map(|(share, [from, to])| {
            let (middle, half) = (0.5 * (from + to), 0.5 * share * (to - from));
            [middle - half, middle + half]
        });
        let range = given.or(inherited).filter(|[from, to]| match item.get("ctrllimited") {
            Some("true") => true,
            Some("false") => false,
            _ => self.compiler.ranges_limit && from < to,
        });
        Ok(range.map_or(0.0, |[from, to]| 0.0_f64.min(to).max(from)))
    }

    /// The joint of a coordinate, and which of its coordinates it is.
    fn joint_of(&mut self, known: &KnownJoint) -> Option<(&mut Joint, usize)> {
        self.world.joints.iter_mut().find_map(|joint| {
            let place = match &joint.kind {
                JointKind::Serial(freedoms) => freedoms.iter().position(|freedom| freedom.name == known.name),
                _ => (joint.name == known.name).then_some(0),
            };
            place.map(|place| (joint, place))
        })
    }

    fn servo(&mut self, known: &KnownJoint, actuator: &str, numbers: &Numbers) {
        let [kp, kv] = numbers.gains();
        if kp == 0.0 {
            return self.damper(known, kv);
        }
        let name = &known.name;
        let reason = match self.joint_of(known) {
            _ if kp < 0.0 || kv < 0.0 => format!("actuator '{actuator}', whose gains are {kp} and {kv}"),
            Some((joint, 0)) if joint.drive.is_none() => {
                joint.drive = Some(Course::constant(numbers.control / numbers.gear));
                joint.drive_compliance = [1.0 / kp, kv / kp];
                return;
            }
            Some((_, 0)) => format!("a second servo on joint '{name}'"),
            _ => format!("a servo on joint '{name}', which is not the first one of its body"),
        };
        self.left_out.push(reason);
    }

    fn damper(&mut self, known: &KnownJoint, damping: f64) {
        if let Some((joint, place)) = self.joint_of(known) {
            let count = joint.damping.len().max(place + 1);
            joint.damping.resize(count, 0.0);
            joint.damping[place] += damping;
        }
    }

    /// A force that stays.
    fn push(&mut self, known: &KnownJoint, actuator: &str, force: f64) {
        if force == 0.0 {
            return;
        }
        match self.joint_of(known) {
            Some((joint, 0)) => {
                let before = joint.motors.first().cloned().flatten().map_or(0.0, |motor| motor.at(0.0)[0]);
                joint.motors = vec![Some(Course::constant(before + force))];
            }
            _ => self.left_out.push(format!("actuator '{actuator}': its force of {force}")),
        }
    }

    /// Motors have no control, and so no force; servos hold a length.
    fn tendon_actuator(&mut self, item: &Item<'_, '_>, name: &str, tendon: &str) -> Result<(), ImportError> {
        let kind = item.node.tag_name().name();
        let numbers = Numbers::read(item, self, None)?;
        if kind == "motor" && numbers.control == 0.0 {
            self.left_out.push(format!("actuator '{name}': its control is 0"));
            return Ok(());
        }
        let length = numbers.control / numbers.gear;
        let known = self.tendons.get(tendon).filter(|_| kind == "position");
        match known.and_then(|tendon| self.servo_of_tendon(name, tendon, length, numbers.gains())) {
            Some(servo) => self.world.relations.push(servo),
            None => self.left_out.push(format!("actuator '{name}' of kind '{kind}' on tendon '{tendon}'")),
        }
        Ok(())
    }
}
