//! A charge pump: a MOS transistor between two capacitors.

use taut::system::{FirstOrder, Linearised, Scalar, Sparsity};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// Charges YT1, YS, YT2, YD, YT3, voltages U1, U2, U3 and the current I of a charge pump (Günther, Denk & Feldmann).
///
/// The current is of index 2; it jumps where the input has a kink.
#[derive(Clone, Copy, Debug)]
pub struct ChargePump {
    threshold: f64,
    gamma: f64,
    phi: f64,
    oxide_capacity: f64,
    source_capacity: f64,
    drain_capacity: f64,
    high: f64,
    period: f64,
    /// the input rises from `times[0]` to `times[1]` and falls from `times[2]` to the end of the period
    times: [f64; 3],
}

impl ChargePump {
    /// U_in(t)
    fn input<S: Scalar>(&self, t: S) -> S {
        let [rise, top, fall] = self.times;
        let phase = t - (t.value() / self.period).floor() * self.period;
        match phase.value() {
            p if p < rise => S::zero(),
            p if p < top => (phase - rise) * (self.high / (top - rise)),
            p if p < fall => S::constant(self.high),
            _ => (-phase + self.period) * (self.high / (self.period - fall)),
        }
    }

    /// The charges (Q_G, Q_S = Q_D) of the transistor from the voltages gate-bulk, gate-source, gate-drain.
    fn charges<S: Scalar>(&self, gate_bulk: S, gate_source: S, gate_drain: S) -> (S, S) {
        let (source, drain) = (gate_source.max(gate_drain), gate_source.min(gate_drain));
        let bulk_source = source - gate_bulk;
        let flat_band = self.threshold - self.gamma * self.phi.sqrt() - self.phi;
        let body = (-bulk_source + self.phi).sqrt() * self.gamma;
        let threshold = body - self.gamma * self.phi.sqrt() + self.threshold;
        if gate_bulk.value() <= flat_band {
            return ((gate_bulk - flat_band) * self.oxide_capacity, S::zero());
        }
        if source.value() <= threshold.value() {
            let root = (gate_bulk + (0.25 * self.gamma * self.gamma - flat_band)).sqrt();
            return ((root - 0.5 * self.gamma) * (self.oxide_capacity * self.gamma), S::zero());
        }
        let (over, under) = (source - threshold, (drain - threshold).max(S::zero()));
        let channel = under + over - under * over / (under + over);
        let gate = (channel * (2.0 / 3.0) + body) * self.oxide_capacity;
        (gate, channel * (-self.oxide_capacity / 3.0))
    }

    /// With the parameters of the literature.
    pub fn new() -> Result<ChargePump, Error> {
        ChargePump::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<ChargePump, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(ChargePump {
            threshold: of("VT0")?,
            gamma: of("gamma")?,
            phi: of("phi")?,
            oxide_capacity: of("Cox")?,
            source_capacity: of("Cs")?,
            drain_capacity: of("Cd")?,
            high: of("Vhigh")?,
            period: of("period")?,
            times: [of("t1")?, of("t2")?, of("t3")?],
        })
    }
}

impl FirstOrder for ChargePump {
    fn variables(&self) -> Vec<String> {
        ["YT1", "YS", "YT2", "YD", "YT3", "U1", "U2", "U3", "I"].map(String::from).to_vec()
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        let (gate, side) = self.charges(y[5], y[5] - y[6], y[5] - y[7]);
        rate[0] = -y[8];
        rate[1] = S::zero();
        rate[2] = S::zero();
        rate[3] = -y[5] + self.input(t);
        rate[4] = y[0] - gate;
        rate[5] = y[1] - y[6] * self.source_capacity;
        rate[6] = y[2] - side;
        rate[7] = y[3] - y[7] * self.drain_capacity;
        rate[8] = y[4] - side;
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        vec![(0, 0, 1.0), (1, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (2, 4, 1.0)]
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(vec![1, 1, 1, 1, 1, 1, 1, 1, 2])
    }

    /// The branches of the charge model depend on different voltages.
    fn sparsity(&self) -> Sparsity {
        Sparsity::Dense
    }
}

const DATA: &str = include_str!("../../reference/charge_pump.toml");

pub(crate) const ENTRY: Entry = Entry { name: "charge_pump", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let pump = ChargePump::read(&data)?;
    let system = System::FirstOrder(Box::new(Linearised::new(pump)));
    let purpose = "index 2 with badly scaled variables and an index-2 variable that jumps";
    let mut problem = data.problem(purpose, Layout::Variables, system)?;
    let in_period = |k: usize| {
        [pump.times[0], pump.times[1], pump.times[2], pump.period].map(|t| t + pump.period * k as f64)
    };
    problem.kinks = (0..10).flat_map(in_period).filter(|t| *t < 0.999 * problem.t_end).collect();
    Ok(problem)
}
