//! A NAND gate of three MOS transistors, in charges.

use taut::system::{FirstOrder, Linearised, Scalar, Sparsity};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, State, System};

/// Fourteen node voltages of a NAND gate (Günther & Rentrop), with C(y) y' = f(t, y).
///
/// C(y) y' is the rate of charges. They become variables Q_k, so that E is constant and neither the capacities nor the
/// rates of the inputs V1, V2 appear: Q_k' stands in the balances, and 0 = Q_k − Q(voltage). The index is 1.
#[derive(Clone, Debug)]
pub struct NandGate {
    /// resistance at gates, and at the substrate
    gate_resistance: f64,
    substrate_resistance: f64,
    /// C_G, and C9 to ground
    gate_capacity: f64,
    ground_capacity: f64,
    /// junctions: capacity at 0, built-in voltage, current, thermal voltage
    junction_capacity: f64,
    junction_voltage: f64,
    junction_current: f64,
    thermal_voltage: f64,
    /// δ
    modulation: f64,
    /// V_DD and V_BB
    supply: f64,
    substrate: f64,
    depletion: Channel,
    enhancement: Channel,
}

/// A transistor's channel: V_T0, γ, Φ, and β for both directions of the current.
#[derive(Clone, Copy, Debug)]
struct Channel {
    threshold: f64,
    gamma: f64,
    phi: f64,
    beta_forward: f64,
    beta_reverse: f64,
}

/// The input between its kinks: low 0, high 5, and linear in between.
fn pulse<S: Scalar>(t: S, period: f64, rise: f64, fall: f64) -> S {
    let phase = t - (t.value() / period).floor() * period;
    let (ramp, high) = (5.0, S::constant(5.0));
    match phase.value() {
        p if p < rise => S::zero(),
        p if p < rise + ramp => phase - rise,
        p if p < fall => high,
        _ => -(phase - fall) + high,
    }
}

impl NandGate {
    /// The charge of a junction, ∫ c(V) dV from 0.
    fn junction_charge<S: Scalar>(&self, voltage: S) -> S {
        let (c, phi) = (self.junction_capacity, self.junction_voltage);
        if voltage.value() <= 0.0 {
            ((-voltage / phi + 1.0).sqrt() - 1.0) * (-2.0 * c * phi)
        } else {
            (voltage + voltage.square() / (4.0 * phi)) * c
        }
    }

    fn junction_current<S: Scalar>(&self, voltage: S) -> S {
        if voltage.value() <= 0.0 {
            ((voltage / self.thermal_voltage).exp() - 1.0) * -self.junction_current
        } else {
            S::zero()
        }
    }

    /// The current through a channel, from the voltages DS, GS, BS, GD, BD.
    fn channel_current<S: Scalar>(&self, channel: &Channel, [ds, gs, bs, gd, bd]: [S; 5]) -> S {
        let forward = ds.value() >= 0.0;
        let (drop, gate, bulk, beta) = match forward {
            true => (ds, gs, bs, channel.beta_forward),
            false => (-ds, gd, bd, channel.beta_reverse),
        };
        let body = (-bulk + channel.phi).sqrt() - channel.phi.sqrt();
        let excess = gate - (body * channel.gamma + channel.threshold);
        if excess.value() <= 0.0 {
            return S::zero();
        }
        let shape =
            if excess.value() <= drop.value() { excess.square() } else { drop * (excess * 2.0 - drop) };
        let current = shape * (drop * self.modulation + 1.0) * beta;
        if forward { -current } else { current }
    }

    /// The ten charges: six junctions, four gates that are inputs.
    fn charges<S: Scalar>(&self, t: S, y: &[S]) -> [S; 10] {
        let (v1, v2) = self.inputs(t);
        let gate = |voltage: S| voltage * self.gate_capacity;
        [
            self.junction_charge(y[2] - y[4]),
            self.junction_charge(y[3] - self.supply),
            self.junction_charge(y[8] - y[4]),
            self.junction_charge(y[7] - y[9]),
            self.junction_charge(y[13] - y[9]),
            self.junction_charge(y[12]),
            gate(y[5] - v1),
            gate(y[6] - v1),
            gate(y[10] - v2),
            gate(y[11] - v2),
        ]
    }

    fn inputs<S: Scalar>(&self, t: S) -> (S, S) {
        (pulse(t, 20.0, 5.0, 15.0), pulse(t, 40.0, 15.0, 35.0))
    }

    /// With the parameters of the literature.
    pub fn new() -> Result<NandGate, Error> {
        NandGate::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<NandGate, Error> {
        let of = |key: &str| data.parameter(key);
        let [threshold, gamma, phi, beta] = data.parameter_array("depletion_VT0_gamma_phi_beta")?;
        let depletion = Channel { threshold, gamma, phi, beta_forward: beta, beta_reverse: beta };
        let [threshold, gamma, phi, beta] = data.parameter_array("enhancement_VT0_gamma_phi_beta_forward")?;
        let beta_reverse = of("enhancement_beta_reverse")?;
        let enhancement = Channel { threshold, gamma, phi, beta_forward: beta, beta_reverse };
        Ok(NandGate {
            gate_resistance: of("RGS")?,
            substrate_resistance: of("RBS")?,
            gate_capacity: of("CGS")?,
            ground_capacity: of("C9")?,
            junction_capacity: of("CBD0")?,
            junction_voltage: of("phiB")?,
            junction_current: of("CURIS")?,
            thermal_voltage: of("VTH")?,
            modulation: of("delta")?,
            supply: of("VDD")?,
            substrate: of("VBB")?,
            depletion,
            enhancement,
        })
    }
}

impl FirstOrder for NandGate {
    fn variables(&self) -> Vec<String> {
        let charges = ["3-5", "4", "9-5", "8-10", "14-10", "13", "6", "7", "11", "12"];
        names("y", 14).into_iter().chain(charges.map(|node| format!("Q{node}"))).collect()
    }

    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        let (y, charges) = x.split_at(14);
        let (v1, v2) = self.inputs(t);
        let gate = |voltage: S| voltage / self.gate_resistance;
        let bulk = |voltage: S| (voltage - self.substrate) / self.substrate_resistance;
        let junction = |voltage: S| self.junction_current(voltage);
        let i1 = [y[1] - y[0], y[4] - y[0], y[2] - y[4], y[4] - y[1], y[3] - self.supply];
        let i2 = [y[6] - y[5], v1 - y[5], y[7] - y[9], v1 - y[6], y[8] - y[4]];
        let i3 = [y[11] - y[10], v2 - y[10], y[12], v2 - y[11], y[13] - y[9]];
        let i1 = self.channel_current(&self.depletion, i1);
        let i2 = self.channel_current(&self.enhancement, i2);
        let i3 = self.channel_current(&self.enhancement, i3);
        rate[0] = -gate(y[0] - y[4]) - i1;
        rate[1] = -gate(y[1] - self.supply) + i1;
        rate[2] = -bulk(y[2]) + junction(y[2] - y[4]);
        rate[3] = -bulk(y[3]) + junction(y[3] - self.supply);
        rate[4] = -gate(y[4] - y[0]) - junction(y[2] - y[4]) - gate(y[4] - y[6]) - junction(y[8] - y[4]);
        rate[5] = -gate(y[5] - y[9]) - i2;
        rate[6] = -gate(y[6] - y[4]) + i2;
        rate[7] = -bulk(y[7]) + junction(y[7] - y[9]);
        rate[8] = -bulk(y[8]) + junction(y[8] - y[4]);
        rate[9] = -gate(y[9] - y[5]) - junction(y[7] - y[9]) - gate(y[9] - y[11]) - junction(y[13] - y[9]);
        rate[10] = -gate(y[10]) - i3;
        rate[11] = -gate(y[11] - y[9]) + i3;
        rate[12] = -bulk(y[12]) + junction(y[12]);
        rate[13] = -bulk(y[13]) + junction(y[13] - y[9]);
        for (k, charge) in self.charges(t, y).into_iter().enumerate() {
            rate[14 + k] = charge - charges[k];
        }
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        let (gate, ground) = (self.gate_capacity, self.ground_capacity);
        let voltages = [
            (0, 0, gate),
            (0, 4, -gate),
            (1, 1, gate),
            (1, 4, -gate),
            (4, 0, -gate),
            (4, 1, -gate),
            (4, 4, 2.0 * gate + ground),
            (9, 9, ground),
        ];
        // (equation, charge, sign)
        let charges = [
            (2, 0, 1.0),
            (4, 0, -1.0),
            (3, 1, 1.0),
            (8, 2, 1.0),
            (4, 2, -1.0),
            (7, 3, 1.0),
            (9, 3, -1.0),
            (13, 4, 1.0),
            (9, 4, -1.0),
            (12, 5, 1.0),
            (5, 6, 1.0),
            (6, 7, 1.0),
            (10, 8, 1.0),
            (11, 9, 1.0),
        ];
        voltages.into_iter().chain(charges.map(|(i, k, sign)| (i, 14 + k, sign))).collect()
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some(vec![1; 24])
    }

    /// The branches of the channels depend on different voltages.
    fn sparsity(&self) -> Sparsity {
        Sparsity::Dense
    }
}

const DATA: &str = include_str!("../../reference/nand_gate.toml");

pub(crate) const ENTRY: Entry = Entry { name: "nand_gate", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let gate = NandGate::read(&data)?;
    let system = System::FirstOrder(Box::new(Linearised::new(gate.clone())));
    let purpose = "charges as variables, switching transistors, inputs with kinks";
    let mut problem = data.problem(purpose, Layout::Variables, system)?;
    problem.index = 1;
    problem.kinks = (1..16).map(|k| 5.0 * f64::from(k)).collect();
    let voltages: Vec<f64> = problem.start.state.variables().into_iter().map(|(_, y)| y).collect();
    let charges = gate.charges(problem.start.t, &voltages);
    problem.start.state = State::Variables([voltages, charges.to_vec()].concat());
    Ok(problem)
}
