//! A flyball governor whose lower rods are stiff springs with dampers.

use taut::system::{Differentiated, ForceClass, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// The length of an arm, and of the springs from its middle to the sleeve.
const ARM: f64 = 1.0;
const SPRING: f64 = 0.5;
/// The distance of the joints from the axis.
const OFFSET: f64 = 0.05;
/// Masses of an arm, a ball, the sleeve.
const ROD: f64 = 0.3;
const BALL: f64 = 5.0;
const SLEEVE: f64 = 3.0;
/// Moments of inertia of an arm across and along it, and of axis and sleeve together.
const ACROSS: f64 = ROD * 1.0001 / 12.0;
const ALONG: f64 = ROD * 2e-4 / 12.0;
const AXIS: f64 = 5e-6 + 0.005;
const GRAVITY: f64 = 9.81;

/// φ of the axis, s of the sleeve and the angles a, b of the arms: no constraints, stiff forces that are given as forces.
#[derive(Clone, Copy, Debug)]
pub struct Governor {
    /// K
    pub stiffness: f64,
    /// C
    pub damping: f64,
}

/// How long a spring is, and its gradient by a and s.
fn spring<S: Scalar>(angle: S, sleeve: S) -> (S, [S; 2]) {
    let (across, along) = (angle.cos() * SPRING, -(angle.sin() * SPRING) - sleeve + ARM);
    let length = (across.square() + along.square()).sqrt();
    let by_angle = (-(across * angle.sin()) - along * angle.cos()) * SPRING / length;
    (length, [by_angle, -along / length])
}

impl Mechanical for Governor {
    fn coordinates(&self) -> Vec<String> {
        ["phi", "s", "a", "b"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        let spinning = |angle: S| {
            let (sine, cosine) = (angle.sin(), angle.cos());
            (cosine * (0.5 * ARM) + OFFSET).square() * ROD
                + sine.square() * ALONG
                + cosine.square() * ACROSS
                + (cosine * ARM + OFFSET).square() * BALL
        };
        mass.add(0, 0, spinning(q[2]) + spinning(q[3]) + AXIS);
        mass.add(1, 1, S::constant(SLEEVE));
        for arm in [2, 3] {
            mass.add(arm, arm, S::constant(ROD * 0.25 * ARM * ARM + ACROSS + BALL * ARM * ARM));
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let weight = q[1] * SLEEVE - (q[2].sin() + q[3].sin()) * (0.5 * ROD + BALL);
        let stretched = |angle: S| (spring(angle, q[1]).0 - SPRING).square();
        weight * GRAVITY + (stretched(q[2]) + stretched(q[3])) * (0.5 * self.stiffness)
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, q: &[S], v: &[S], force: &mut [S]) {
        if class != ForceClass::Dissipative {
            return;
        }
        for arm in [2, 3] {
            let [by_angle, by_sleeve] = spring(q[arm], q[1]).1;
            let tension = (by_angle * v[arm] + by_sleeve * v[1]) * self.damping;
            force[arm] -= tension * by_angle;
            force[1] -= tension * by_sleeve;
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "governor", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/governor.toml"), start)?;
    let governor = Governor { stiffness: data.parameter("K")?, damping: data.parameter("C")? };
    let system = System::Mechanical(Box::new(Differentiated::new(governor)));
    data.problem("stiff forces that nobody has declared to be springs", Layout::Motion, system)
}
