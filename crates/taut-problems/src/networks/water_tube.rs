//! A network of water tubes.

use std::f64::consts::{LN_10, PI};

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// Flows φ and resistances λ of 18 tubes between 13 nodes with pressures p; nodes 5 and 8 are buffers (Test Set,
/// "Water tube system").
///
/// (ρl/a) φ' = p_i − p_j − F(φ, λ), a law of resistance for λ, and the balance of flows in every node. The pressures
/// of the other eleven nodes are of index 2.
#[derive(Clone, Copy, Debug)]
pub struct WaterTube {
    viscosity: f64,
    gravity: f64,
    density: f64,
    critical_reynolds: f64,
    length: f64,
    roughness: f64,
    diameter: f64,
    buffer: f64,
}

const TUBES: [(usize, usize); 18] = [
    (1, 2),
    (2, 3),
    (2, 6),
    (3, 4),
    (3, 5),
    (4, 5),
    (5, 10),
    (6, 5),
    (7, 4),
    (7, 8),
    (8, 5),
    (8, 10),
    (9, 8),
    (11, 9),
    (11, 12),
    (12, 7),
    (12, 8),
    (13, 11),
];
/// The order of the pressures: the buffers first.
const NODES: [usize; 13] = [5, 8, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13];
const BUFFERS: usize = 2;
const T: usize = TUBES.len();

/// The place of each node's pressure among the pressures, by the number of the node.
const PLACE: [usize; NODES.len() + 1] = {
    let mut places = [0; NODES.len() + 1];
    let mut k = 0;
    while k < NODES.len() {
        places[NODES[k]] = k;
        k += 1;
    }
    places
};

/// Water that enters node 1 and node 13, and leaves node 10.
fn supply<S: Scalar>(t: S) -> [(usize, S); 3] {
    let hours = t / 3600.0;
    let opening = -((-hours).exp() - 1.0).cos() + 1.0;
    let demand = hours.square() * (hours.square() * 3.0 - hours * 92.0 + 720.0) / 1e6;
    [(1, opening / 200.0), (13, opening / 80.0), (10, -demand)]
}

impl WaterTube {
    fn area(&self) -> f64 {
        0.25 * PI * self.diameter * self.diameter
    }

    /// F(φ, λ), turbulent or laminar
    fn friction<S: Scalar>(&self, flow: S, resistance: S, reynolds: S) -> S {
        let (a, d, mass) = (self.area(), self.diameter, self.density * self.length);
        let turbulent = resistance * flow.square() * (mass / (a * a * d));
        let laminar = flow * (32.0 * self.viscosity * mass / (a * d * d));
        (reynolds - self.critical_reynolds).select(turbulent, laminar)
    }

    /// With the parameters of the literature.
    pub fn new() -> Result<WaterTube, Error> {
        WaterTube::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<WaterTube, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(WaterTube {
            viscosity: of("nu")?,
            gravity: of("g")?,
            density: of("rho")?,
            critical_reynolds: of("Rcrit")?,
            length: of("length")?,
            roughness: of("k")?,
            diameter: of("d")?,
            buffer: of("b")?,
        })
    }
}

impl FirstOrder for WaterTube {
    fn variables(&self) -> Vec<String> {
        let tubes = |letter: &'static str| TUBES.iter().map(move |(i, j)| format!("{letter}{i}-{j}"));
        tubes("phi").chain(tubes("lambda")).chain(NODES.iter().map(|node| format!("p{node}"))).collect()
    }

    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        let (flow, rest) = x.split_at(T);
        let (resistance, pressure) = rest.split_at(T);
        let (of_tubes, balance) = rate.split_at_mut(2 * T);
        balance.fill(S::zero());
        for (node, inflow) in supply(t) {
            balance[PLACE[node]] += inflow;
        }
        for (k, (from, to)) in TUBES.into_iter().enumerate() {
            let reynolds = flow[k].abs() * (self.diameter / (self.viscosity * self.area()));
            let drop = pressure[PLACE[from]] - pressure[PLACE[to]];
            of_tubes[k] = drop - self.friction(flow[k], resistance[k], reynolds);
            let root = resistance[k].sqrt();
            let turbulence = S::constant(18.7) / (reynolds.max(S::constant(self.critical_reynolds)) * root);
            let logarithm = (turbulence + 2.0 * self.roughness / self.diameter).ln() / LN_10;
            of_tubes[T + k] = S::constant(1.0) / root - 1.74 + logarithm * 2.0;
            balance[PLACE[from]] -= flow[k];
            balance[PLACE[to]] += flow[k];
        }
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        let inertia = self.density * self.length / self.area();
        let storage = self.buffer / (self.density * self.gravity);
        let flows = (0..T).map(|k| (k, k, inertia));
        flows.chain((0..BUFFERS).map(|k| (2 * T + k, 2 * T + k, storage))).collect()
    }

    fn index(&self) -> Option<Vec<u8>> {
        Some([vec![1; 2 * T + BUFFERS], vec![2; NODES.len() - BUFFERS]].concat())
    }
}

const DATA: &str = include_str!("../../reference/water_tube.toml");

pub(crate) const ENTRY: Entry = Entry { name: "water_tube", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let tubes = WaterTube::read(&data)?;
    let system = System::FirstOrder(Box::new(Linearised::new(tubes)));
    let purpose = "index 2 on a sparse network; laminar flow turns turbulent at unknown times";
    data.problem(purpose, Layout::Variables, system)
}
