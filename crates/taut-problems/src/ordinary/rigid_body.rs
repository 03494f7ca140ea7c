//! The free rigid body.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// Euler's equations for the angular momentum: y1' = (1/I3 − 1/I2) y2 y3 and cyclic. Invariants: |y|², Σ y_i²/(2 I_i).
#[derive(Clone, Copy, Debug)]
pub struct RigidBody {
    /// I1, I2, I3
    pub inertia: [f64; 3],
}

impl FirstOrder for RigidBody {
    fn variables(&self) -> Vec<String> {
        names("y", 3)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            rate[i] = y[j] * y[k] * (1.0 / self.inertia[k] - 1.0 / self.inertia[j]);
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "rigid_body", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/rigid_body.toml"), start)?;
    let inertia = [data.parameter("I1")?, data.parameter("I2")?, data.parameter("I3")?];
    let system = System::FirstOrder(Box::new(Linearised::new(RigidBody { inertia })));
    data.problem("two quadratic invariants, of which Gauss methods keep both", Layout::Variables, system)
}
