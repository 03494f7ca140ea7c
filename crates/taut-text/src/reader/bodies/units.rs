//! Units of bodies, joints, springs and loads: m, kg, rad and the unit of time, where the model has units at all.

use toml::de::DeValue;

use super::super::document::Value;
use super::super::{Indices, Reader};
use super::names::BodyNames;
use crate::unit::Unit;

/// Powers of mass, length and time.
type Powers = [i8; 3];

pub(super) const LENGTH: Powers = [0, 1, 0];
pub(super) const ANGLE: Powers = [0, 0, 0];
const SPEED: Powers = [0, 1, -1];
const RATE: Powers = [0, 0, -1];
pub(super) const FORCE: Powers = [1, 1, -2];
pub(super) const TORQUE: Powers = [1, 2, -2];

/// What a spring or a damper gives for each unit of its length or angle, or of their rate.
pub(super) fn stiffness(force: Powers, way: Powers) -> Powers {
    std::array::from_fn(|k| force[k] - way[k])
}

/// The same of a damper.
pub(super) fn damping(force: Powers, way: Powers) -> Powers {
    let [mass, length, time] = stiffness(force, way);
    [mass, length, time + 1]
}

/// What a number that describes bodies is measured in, by the word for it; nothing where that depends on what it belongs to.
fn powers_of(what: &str) -> Option<Powers> {
    Some(match what {
        "mass" => [1, 0, 0],
        "inertia" => [1, 2, 0],
        "position" | "at" | "a point" | "point" | "centre" | "box" | "sphere" | "shape" | "radius"
        | "pitch" | "length" => LENGTH,
        "velocity" => SPEED,
        "gravity" => [0, 1, -2],
        "spin" => RATE,
        "angle" | "angles" => ANGLE,
        "relaxation" => [0, 0, 1],
        _ => return None,
    })
}

impl BodyNames {
    /// What a name of a body or joint is measured in.
    fn powers(&self, name: &str) -> Option<Powers> {
        let Some((owner, rest)) = name.split_once('.') else {
            return self.turns(name).map(|turns| if turns { ANGLE } else { LENGTH });
        };
        match (self.turns(owner), rest) {
            (Some(_), "angle") => return Some(ANGLE),
            (Some(_), "length") => return Some(LENGTH),
            (Some(turns), "rate") => return Some(if turns { RATE } else { SPEED }),
            _ => {}
        }
        if !self.is_body(owner) {
            return None;
        }
        // The last word is an axis, after the name of a point or not.
        match rest.rsplit('.').next()? {
            _ if rest == "spin" || rest.starts_with("spin.") => Some(RATE),
            "angle" => Some(ANGLE),
            "x" | "y" | "z" => Some(LENGTH),
            "vx" | "vy" | "vz" => Some(SPEED),
            _ => None,
        }
    }
}

impl<'a> Reader<'a> {
    /// The unit of a name of a body or joint.
    pub(in crate::reader) fn unit_of_body(&self, name: &str) -> Option<Unit> {
        let powers = self.body_names.as_ref()?.powers(name)?;
        Some(self.units.mechanical(powers))
    }

    /// Checks the unit of a number that describes bodies, by the word for it.
    pub(super) fn expect_unit_of(&mut self, what: &'static str, value: &'a Value<'a>, indices: &mut Indices) {
        if let Some(powers) = powers_of(what) {
            self.expect_powers(powers, what, value, indices);
        }
    }

    /// Checks the unit of a number, or of each one of a list.
    pub(super) fn expect_powers(
        &mut self,
        powers: Powers,
        of: &str,
        value: &'a Value<'a>,
        indices: &mut Indices,
    ) {
        let unit = Some(self.units.mechanical(powers));
        match value.get_ref() {
            DeValue::Array(items) => {
                items.iter().for_each(|item| self.expect_unit(item, unit, of, indices));
            }
            _ => self.expect_unit(value, unit, of, indices),
        }
    }
}
