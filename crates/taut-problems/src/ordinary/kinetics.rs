//! Stiff chemical kinetics: HIRES and Robertson.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// High irradiance response: eight concentrations (Schäfer 1975; Hairer & Wanner, section IV.10).
///
/// The rates are those of the Test Set, with the sums of constants multiplied out as there.
#[derive(Clone, Copy, Debug)]
pub struct Hires;

impl FirstOrder for Hires {
    fn variables(&self) -> Vec<String> {
        names("y", 8)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let binding = y[5] * y[7] * 280.0;
        rate[0] = y[0] * -1.71 + y[1] * 0.43 + y[2] * 8.32 + 0.0007;
        rate[1] = y[0] * 1.71 - y[1] * 8.75;
        rate[2] = y[2] * -10.03 + y[3] * 0.43 + y[4] * 0.035;
        rate[3] = y[1] * 8.32 + y[2] * 1.71 - y[3] * 1.12;
        rate[4] = y[4] * -1.745 + y[5] * 0.43 + y[6] * 0.43;
        rate[5] = -binding + y[3] * 0.69 + y[4] * 1.71 - y[5] * 0.43 + y[6] * 0.69;
        rate[6] = binding - y[6] * 1.81;
        rate[7] = -rate[6];
    }
}

/// Robertson's three reactions with rates from 0.04 to 3·10⁷; y1 + y2 + y3 = 1 for ever.
#[derive(Clone, Copy, Debug)]
pub struct Robertson {
    /// k1, k2, k3
    pub rates: [f64; 3],
}

impl FirstOrder for Robertson {
    fn variables(&self) -> Vec<String> {
        names("y", 3)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let [k1, k2, k3] = self.rates;
        let (decay, back, pairing) = (y[0] * k1, y[1] * y[2] * k3, y[1].square() * k2);
        rate[0] = back - decay;
        rate[1] = decay - back - pairing;
        rate[2] = pairing;
    }
}

pub(crate) const HIRES: Entry = Entry { name: "hires", starts: &["default"], build: build_hires };
pub(crate) const ROBERTSON: Entry = Entry { name: "robertson", starts: &["default"], build: build_robertson };

fn build_hires(start: &str) -> Result<Problem, Error> {
    let data = Data::read(HIRES.name, include_str!("../../reference/hires.toml"), start)?;
    let system = System::FirstOrder(Box::new(Linearised::new(Hires)));
    data.problem("a mildly stiff system that every stiff solver should pass", Layout::Variables, system)
}

fn build_robertson(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ROBERTSON.name, include_str!("../../reference/robertson.toml"), start)?;
    let rates = [data.parameter("k1")?, data.parameter("k2")?, data.parameter("k3")?];
    let system = System::FirstOrder(Box::new(Linearised::new(Robertson { rates })));
    let purpose = "steps over eleven decades of time; small components that must stay positive";
    data.problem(purpose, Layout::Variables, system)
}
