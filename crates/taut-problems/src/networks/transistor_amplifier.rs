//! A two-transistor amplifier.

use std::f64::consts::PI;

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// Eight node voltages, E y' = f(t, y) with a singular matrix E of capacities (Hairer & Wanner, section VI.1).
///
/// The input is U_e = 0.1 sin 200πt; a transistor conducts g(x) = β (exp(x/U_F) − 1).
#[derive(Clone, Copy, Debug)]
pub struct TransistorAmplifier {
    supply: f64,
    /// U_F
    thermal_voltage: f64,
    alpha: f64,
    beta: f64,
    /// R0
    input_resistance: f64,
    /// R1 = … = R9
    resistance: f64,
    capacities: [f64; 5],
}

impl TransistorAmplifier {
    fn conducts<S: Scalar>(&self, voltage: S) -> S {
        ((voltage / self.thermal_voltage).exp() - 1.0) * self.beta
    }

    /// With the parameters of the literature.
    pub fn new() -> Result<TransistorAmplifier, Error> {
        TransistorAmplifier::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<TransistorAmplifier, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(TransistorAmplifier {
            supply: of("Ub")?,
            thermal_voltage: of("UF")?,
            alpha: of("alpha")?,
            beta: of("beta")?,
            input_resistance: of("R0")?,
            resistance: of("R1_to_R9")?,
            capacities: [of("C1")?, of("C2")?, of("C3")?, of("C4")?, of("C5")?],
        })
    }
}

impl FirstOrder for TransistorAmplifier {
    fn variables(&self) -> Vec<String> {
        names("y", 8)
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        let input = (t * (200.0 * PI)).sin() * 0.1;
        let (first, second) = (self.conducts(y[1] - y[2]), self.conducts(y[4] - y[5]));
        let through = |voltage: S| voltage / self.resistance;
        let base = 1.0 - self.alpha;
        rate[0] = (y[0] - input) / self.input_resistance;
        rate[1] = through(y[1]) + through(y[1] - self.supply) + first * base;
        rate[2] = through(y[2]) - first;
        rate[3] = through(y[3] - self.supply) + first * self.alpha;
        rate[4] = through(y[4]) + through(y[4] - self.supply) + second * base;
        rate[5] = through(y[5]) - second;
        rate[6] = through(y[6] - self.supply) + second * self.alpha;
        rate[7] = through(y[7]);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        let c = self.capacities;
        let between = |i: usize, c: f64| [(i, i, -c), (i, i + 1, c), (i + 1, i, c), (i + 1, i + 1, -c)];
        let mut entries = vec![(2, 2, -c[1]), (5, 5, -c[3])];
        entries.extend(between(0, c[0]));
        entries.extend(between(3, c[2]));
        entries.extend(between(6, c[4]));
        entries
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(vec![1; 8])
    }
}

const DATA: &str = include_str!("../../reference/transistor_amplifier.toml");

pub(crate) const ENTRY: Entry = Entry { name: "transistor_amplifier", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let amplifier = TransistorAmplifier::read(&data)?;
    let system = System::FirstOrder(Box::new(Linearised::new(amplifier)));
    data.problem("index 1 with a singular matrix E that is not diagonal", Layout::Variables, system)
}
