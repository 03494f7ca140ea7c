//! What is said of a description beyond whether it can be built: what no mechanism has, though it moves; and what there is to know of a
//! coordinate that does not move.

use crate::description::{Body, Joint, JointKind, Spring};
use crate::frames::{Placed, as_given, of};
use crate::moments::{is_impossible, listed, mass_in_words, principal_moments};
use crate::placing;
use crate::pose::Dimension;
use crate::rotation::rotate;
use crate::vector::{minus, norm, plus};
use crate::world::{Index, World};

/// Points that are not further apart than this share of where they are coincide,
const COINCIDENT: f64 = 1e-14;
/// or of this length where that is the origin, to which rounding brings them from afar.
const NEAR: f64 = 0.1;

/// Whether two points are one, but for rounding.
pub(crate) fn coincide(a: [f64; 3], b: [f64; 3]) -> bool {
    norm(minus(a, b)) <= COINCIDENT * norm(a).max(norm(b)).max(NEAR)
}

impl World {
    /// What can be built and moves and is yet no mechanism that there is, one sentence each: inertias that no body has, dampers and
    /// springs that push, springs whose force has no direction at the start.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if self.dimension == Dimension::Space {
            doubts.extend(self.bodies.iter().filter_map(doubt_of_inertia));
        }
        doubts.extend(self.joints.iter().flat_map(doubts_of_joint));
        if !self.springs.is_empty() {
            let placed = match self.joint_frames() {
                Ok(frames) => placing::place(self, &frames),
                Err(_) => as_given(self),
            };
            let index = self.index();
            doubts.extend(self.springs.iter().flat_map(|spring| doubts_of_spring(spring, &index, &placed)));
        }
        doubts
    }

    /// What there is to know of a row that nothing can hold where bodies start: which points of a distance coincide.
    pub fn about_row(&self, row: &str) -> Option<String> {
        let joint =
            self.joints.iter().position(|joint| row.strip_prefix(joint.name.as_str()) == Some(".length"))?;
        let JointKind::Distance { length: Some(length) } = self.joints[joint].kind else { return None };
        let frames = self.joint_frames().ok()?;
        let (placed, frame) = (placing::place(self, &frames), &frames[joint]);
        let [one, two] = [0, 1].map(|k| {
            let body = of(&placed, frame.bodies[k]);
            plus(body.x, rotate(body.p, frame.points[k]))
        });
        let place = listed(one);
        coincide(one, two).then(|| {
            format!(
                "the points of '{}' are both at ({place}) at the start, and there is no direction in which they could be moved to be \
                 {length} apart; move one of the bodies",
                self.joints[joint].name
            )
        })
    }

    /// What there is to know of a coordinate whose acceleration nothing determines: whose it is, and what that weighs.
    pub fn about(&self, coordinate: &str) -> Option<String> {
        let in_plane = self.dimension == Dimension::Plane;
        let body = |name: &str| self.bodies.iter().find(|body| body.name == name);
        if let Some(body) = coordinate.rsplit_once('.').and_then(|(name, _)| body(name)) {
            return Some(format!(
                "{}, and no joint holds it where these are 0",
                mass_in_words(body, in_plane)
            ));
        }
        let own = |joint: &&Joint| {
            let name = coordinate.split_once('[').map_or(coordinate, |(name, _)| name);
            joint.has_coordinate(coordinate) || joint.name == name
        };
        let joint = self.joints.iter().find(own)?;
        let moved = joint.between.iter().filter_map(|name| body(name));
        let masses: Vec<String> = moved.map(|body| mass_in_words(body, in_plane)).collect();
        let several = matches!(&joint.kind, JointKind::Serial(freedoms) if freedoms.len() > 1);
        let hint = if several {
            "; it has several freedoms, and where two of them move the bodies in the same way, as parallel axes through one \
             point do, armature or another start helps"
        } else {
            ""
        };
        Some(format!("it is a coordinate of joint '{}', where {}{hint}", joint.name, masses.join(", ")))
    }
}

fn doubt_of_inertia(body: &Body) -> Option<String> {
    let moments = principal_moments(body.inertia);
    is_impossible(moments).then(|| {
        format!(
            "body '{}': no body has the principal moments of inertia {}, since the sum of two is never below the third",
            body.name,
            listed(moments)
        )
    })
}

fn doubts_of_joint(joint: &Joint) -> Vec<String> {
    let whose = format!("joint '{}'", joint.name);
    let number = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
    let count = joint.stiffness.len().max(joint.damping.len());
    let mut doubts: Vec<String> = (0..count)
        .flat_map(|k| doubts_of_strengths(&whose, number(&joint.stiffness, k), number(&joint.damping, k)))
        .collect();
    if let Some(friction) = joint.friction {
        doubts.extend(doubts_of_strengths(&whose, 0.0, friction.viscous));
    }
    doubts
}

fn doubts_of_strengths(whose: &str, stiffness: f64, damping: f64) -> Vec<String> {
    let pushes =
        (stiffness < 0.0).then(|| format!("{whose}: a stiffness of {stiffness} pushes away from rest"));
    let feeds = (damping < 0.0).then(|| format!("{whose}: a damping of {damping} feeds energy in"));
    pushes.into_iter().chain(feeds).collect()
}

fn doubts_of_spring(spring: &Spring, index: &Index<'_>, placed: &[Placed]) -> Vec<String> {
    let Spring { name, stiffness, damping, .. } = spring;
    let mut doubts = doubts_of_strengths(&format!("spring '{name}'"), *stiffness, *damping);
    let end = |k: usize| {
        let body = of(placed, index.body(name, &spring.between[k]).ok().flatten());
        plus(body.x, rotate(body.p, spring.ends[k]))
    };
    let force = -stiffness * spring.length.unwrap_or(0.0);
    if force != 0.0 && coincide(end(0), end(1)) {
        let place = listed(end(0));
        doubts.push(format!(
            "spring '{name}': its ends are both at ({place}) at the start, where its force of {force} has no direction"
        ));
    }
    doubts
}
