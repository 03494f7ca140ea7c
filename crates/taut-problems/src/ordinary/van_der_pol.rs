//! Van der Pol's oscillator.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// y1' = y2, y2' = d (1 − y1²) y2 − k y1.
///
/// d = k = 1/ε is the singularly perturbed form of Hairer & Wanner (section IV.1); d = μ, k = 1 the original one.
#[derive(Clone, Copy, Debug)]
pub struct VanDerPol {
    /// d
    pub damping: f64,
    /// k
    pub stiffness: f64,
}

impl FirstOrder for VanDerPol {
    fn variables(&self) -> Vec<String> {
        names("y", 2)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        rate[0] = y[1];
        rate[1] = (-y[0].square() + 1.0) * y[1] * self.damping - y[0] * self.stiffness;
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "van_der_pol", starts: &["y2_0", "y2_-0.66", "mu1000"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/van_der_pol.toml"), start)?;
    let oscillator = if data.has_parameter("mu") {
        VanDerPol { damping: data.parameter("mu")?, stiffness: 1.0 }
    } else {
        let rate = 1.0 / data.parameter("eps")?;
        VanDerPol { damping: rate, stiffness: rate }
    };
    let system = System::FirstOrder(Box::new(Linearised::new(oscillator)));
    let purpose = "slow motion and sudden jumps: step size control on a stiff equation";
    let mut problem = data.problem(purpose, Layout::Variables, system)?;
    if let Some(last) = problem.references.iter().find(|reference| reference.t >= problem.t_end) {
        problem.t_end = last.t;
    }
    Ok(problem)
}
