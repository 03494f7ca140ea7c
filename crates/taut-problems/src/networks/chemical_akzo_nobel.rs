//! A chemical process with one equilibrium.

use taut::system::{Arrangement, Evaluation, Fault, FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// Five concentrations and one equilibrium K_s y1 y4 = y6 (Test Set, "Chemical Akzo Nobel").
#[derive(Clone, Copy, Debug)]
pub struct ChemicalAkzoNobel {
    /// k1 … k4
    rates: [f64; 4],
    /// K
    equilibrium: f64,
    /// klA
    transfer: f64,
    /// K_s
    dissociation: f64,
    /// p(CO2)/H
    saturation: f64,
}

impl ChemicalAkzoNobel {
    /// With the parameters of the literature.
    pub fn new() -> Result<ChemicalAkzoNobel, Error> {
        ChemicalAkzoNobel::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<ChemicalAkzoNobel, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(ChemicalAkzoNobel {
            rates: [of("k1")?, of("k2")?, of("k3")?, of("k4")?],
            equilibrium: of("K")?,
            transfer: of("klA")?,
            dissociation: of("Ks")?,
            saturation: of("pCO2")? / of("H")?,
        })
    }
}

impl FirstOrder for ChemicalAkzoNobel {
    fn variables(&self) -> Vec<String> {
        names("y", 6)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let k = self.rates;
        let root = y[1].sqrt();
        let r1 = y[0].powi(4) * root * k[0];
        let r2 = y[2] * y[3] * k[1];
        let r3 = y[0] * y[4] * (k[1] / self.equilibrium);
        let r4 = y[0] * y[3].square() * k[2];
        let r5 = y[5].square() * root * k[3];
        let inflow = (-y[1] + self.saturation) * self.transfer;
        rate[0] = r1 * -2.0 + r2 - r3 - r4;
        rate[1] = r1 * -0.5 - r4 - r5 * 0.5 + inflow;
        rate[2] = r1 - r2 + r3;
        rate[3] = -r2 + r3 - r4 * 2.0;
        rate[4] = r2 - r3 + r5;
        rate[5] = y[0] * y[3] * self.dissociation - y[5];
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..5).map(|i| (i, i, 1.0)).collect()
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: 5 }
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(vec![1; 6])
    }

    fn domain(&self, t: f64, y: &[f64]) -> Evaluation {
        if y[1] < 0.0 {
            return Err(Fault::OutsideDomain {
                t,
                reason: format!("concentration y2 = {} is negative", y[1]),
            });
        }
        Ok(())
    }
}

const DATA: &str = include_str!("../../reference/chemical_akzo_nobel.toml");

pub(crate) const ENTRY: Entry = Entry { name: "chemical_akzo_nobel", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let process = ChemicalAkzoNobel::read(&data)?;
    let system = System::FirstOrder(Box::new(Linearised::new(process)));
    data.problem("semi-explicit index 1 with a limited domain", Layout::Variables, system)
}
