//! A ring modulator: four diodes that mix two signals.

use std::f64::consts::PI;

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// Seven voltages and eight currents (Horneber 1976). Capacities Cs = 2·10⁻¹² beside the diodes make the equations ordinary
/// ones, with vibrations of 10⁸ rad/s.
#[derive(Clone, Copy, Debug)]
pub struct RingModulator {
    /// C, Cs, Cp
    capacities: [f64; 3],
    /// R, Rp, Rg1, Rg2, Rg3, Ri, Rc
    resistances: [f64; 7],
    /// Lh, Ls1, Ls2, Ls3
    inductances: [f64; 4],
    /// γ and δ of I = γ (exp(δU) − 1)
    diode: [f64; 2],
}

impl RingModulator {
    fn read(data: &Data) -> Result<RingModulator, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(RingModulator {
            capacities: [of("C")?, of("Cs")?, of("Cp")?],
            resistances: [of("R")?, of("Rp")?, of("Rg1")?, of("Rg2")?, of("Rg3")?, of("Ri")?, of("Rc")?],
            inductances: [of("Lh")?, of("Ls1")?, of("Ls2")?, of("Ls3")?],
            diode: [of("gamma")?, of("delta")?],
        })
    }

    fn conducts<S: Scalar>(&self, voltage: S) -> S {
        ((voltage * self.diode[1]).exp() - 1.0) * self.diode[0]
    }
}

impl FirstOrder for RingModulator {
    fn variables(&self) -> Vec<String> {
        names("y", 15)
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        let [c, cs, cp] = self.capacities;
        let [r, rp, rg1, rg2, rg3, ri, rc] = self.resistances;
        let [lh, ls1, ls2, ls3] = self.inductances;
        let (signal, carrier) = ((t * (2e3 * PI)).sin() * 0.5, (t * (2e4 * PI)).sin() * 2.0);
        let common = y[6] + carrier;
        let through =
            [y[2] - y[4] - common, y[5] - y[3] - common, y[3] + y[4] + common, common - y[2] - y[5]]
                .map(|voltage| self.conducts(voltage));
        rate[0] = (y[7] + (y[10] - y[9]) * 0.5 + y[13] - y[0] / r) / c;
        rate[1] = (y[8] + (y[12] - y[11]) * 0.5 + y[14] - y[1] / r) / c;
        rate[2] = (y[9] - through[0] + through[3]) / cs;
        rate[3] = (through[1] - y[10] - through[2]) / cs;
        rate[4] = (y[11] + through[0] - through[2]) / cs;
        rate[5] = (through[3] - y[12] - through[1]) / cs;
        rate[6] = (through[0] + through[1] - through[2] - through[3] - y[6] / rp) / cp;
        rate[7] = -y[0] / lh;
        rate[8] = -y[1] / lh;
        rate[9] = (y[0] * 0.5 - y[2] - y[9] * rg2) / ls2;
        rate[10] = (y[3] - y[0] * 0.5 - y[10] * rg3) / ls3;
        rate[11] = (y[1] * 0.5 - y[4] - y[11] * rg2) / ls2;
        rate[12] = (y[5] - y[1] * 0.5 - y[12] * rg3) / ls3;
        rate[13] = (signal - y[0] - y[13] * (ri + rg1)) / ls1;
        rate[14] = (-y[1] - y[14] * (rc + rg1)) / ls1;
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "ring_modulator", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/ring_modulator.toml"), start)?;
    let system = System::FirstOrder(Box::new(Linearised::new(RingModulator::read(&data)?)));
    data.problem("vibrations that are weakly damped and that diodes switch", Layout::Variables, system)
}
