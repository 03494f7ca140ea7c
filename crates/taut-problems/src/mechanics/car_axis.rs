//! The car axis: a rod on two springs above a bumpy road.

use taut::system::{Constraint, ForceClass, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// An axis of length L between (xl, yl) and (xr, yr) on stiff springs, the right one over a road that moves as
/// y_b = r sin ωt, x_b = √(L² − y_b²). Constraints: xl x_b + yl y_b = 0 and |l − r|² = L²; they depend on t.
///
/// The Test Set adds +Gᵀλ to the forces; Taut's multipliers have the opposite sign.
#[derive(Clone, Copy, Debug)]
pub struct CarAxis {
    /// L
    pub length: f64,
    /// L0, the rest length of the springs
    pub rest_length: f64,
    /// K = ε² M/2, the mass at each end; the springs have stiffness 1
    pub mass: f64,
    /// g
    pub gravity: f64,
    /// r, the height of the bumps
    pub height: f64,
    /// ω
    pub frequency: f64,
}

impl CarAxis {
    /// (x_b, y_b)
    fn road<S: Scalar>(&self, t: S) -> (S, S) {
        let y = (t * self.frequency).sin() * self.height;
        ((-y.square() + self.length * self.length).sqrt(), y)
    }
}

impl Mechanical for CarAxis {
    fn coordinates(&self) -> Vec<String> {
        ["xl", "yl", "xr", "yr"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(self.mass));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let left = (q[0].square() + q[1].square()).sqrt() - self.rest_length;
        left.square() * 0.5 + (q[1] + q[3]) * (self.mass * self.gravity)
    }

    /// The spring on the moving road; it brings energy in.
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], _v: &[S], force: &mut [S]) {
        if class != ForceClass::Driving {
            return;
        }
        let (x_road, y_road) = self.road(t);
        let (x, y) = (q[2] - x_road, q[3] - y_road);
        let length = (x.square() + y.square()).sqrt();
        let tension = (-length + self.rest_length) / length;
        force[2] += tension * x;
        force[3] += tension * y;
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("left wheel"), Constraint::rod("axis")]
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        let (x_road, y_road) = self.road(t);
        g[0] = q[0] * x_road + q[1] * y_road;
        g[1] = (q[0] - q[2]).square() + (q[1] - q[3]).square() - self.length * self.length;
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "car_axis", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/car_axis.toml"), start)?;
    let axis = CarAxis {
        length: data.parameter("L")?,
        rest_length: data.parameter("L0")?,
        mass: 0.5 * data.parameter("eps")?.powi(2) * data.parameter("M")?,
        gravity: data.parameter("g")?,
        height: data.parameter("r")?,
        frequency: data.parameter("omega")?,
    };
    let system = System::Mechanical(Box::new(by_hand::CarAxis::new(axis)));
    let purpose = "constraints and forces that depend on time";
    data.problem(purpose, Layout::WithMultipliers { factor: -1.0 }, system)
}
