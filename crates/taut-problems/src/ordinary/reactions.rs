//! Stiff reactions: the Oregonator, a Brusselator with a fast third species, and E5.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, System};

/// The Belousov–Zhabotinskii reaction (Field & Noyes 1974): a limit cycle with sudden jumps.
#[derive(Clone, Copy, Debug)]
pub struct Oregonator {
    /// s, q and w
    pub rates: [f64; 3],
}

impl FirstOrder for Oregonator {
    fn variables(&self) -> Vec<String> {
        names("y", 3)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let [s, q, w] = self.rates;
        rate[0] = (y[1] + y[0] * (-y[0] * q + 1.0 - y[1])) * s;
        rate[1] = (y[2] - (y[0] + 1.0) * y[1]) / s;
        rate[2] = (y[0] - y[2]) * w;
    }
}

/// u' = a − (w + 1) u + v u², v' = w u − v u², w' = (b − w)/ε − w u.
#[derive(Clone, Copy, Debug)]
pub struct Brusselator {
    /// a
    pub supply: f64,
    /// b
    pub level: f64,
    /// ε
    pub epsilon: f64,
}

impl FirstOrder for Brusselator {
    fn variables(&self) -> Vec<String> {
        ["u", "v", "w"].map(String::from).to_vec()
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let (u, v, w) = (y[0], y[1], y[2]);
        let pairing = v * u.square();
        rate[0] = pairing - (w + 1.0) * u + self.supply;
        rate[1] = w * u - pairing;
        rate[2] = (-w + self.level) / self.epsilon - w * u;
    }
}

/// Enright, Hull and Lindberg's problem E5: concentrations from 10⁻³ to 10⁻²⁹¹ over thirteen decades of time. It asks for
/// an absolute tolerance of about 10⁻²⁴.
#[derive(Clone, Copy, Debug)]
pub struct E5 {
    /// A, B, C and M
    pub rates: [f64; 4],
}

impl FirstOrder for E5 {
    fn variables(&self) -> Vec<String> {
        names("y", 4)
    }

    fn rate<S: Scalar>(&self, _t: S, y: &[S], rate: &mut [S]) {
        let [a, b, c, m] = self.rates;
        let (first, second) = (y[0] * a, y[0] * y[2] * b);
        let (third, fourth) = (y[1] * y[2] * (m * c), y[3] * c);
        rate[0] = -first - second;
        rate[1] = first - third;
        rate[3] = second - fourth;
        rate[2] = rate[1] - rate[3];
    }
}

pub(crate) const OREGONATOR: Entry =
    Entry { name: "oregonator", starts: &["default"], build: build_oregonator };
pub(crate) const BRUSSELATOR: Entry =
    Entry { name: "brusselator", starts: &["default"], build: build_brusselator };
pub(crate) const E5_ENTRY: Entry = Entry { name: "e5", starts: &["default"], build: build_e5 };

fn build_oregonator(start: &str) -> Result<Problem, Error> {
    let data = Data::read(OREGONATOR.name, include_str!("../../reference/oregonator.toml"), start)?;
    let rates = [data.parameter("s")?, data.parameter("q")?, data.parameter("w")?];
    let system = System::FirstOrder(Box::new(Linearised::new(Oregonator { rates })));
    data.problem("slow motion and sudden jumps, in three variables", Layout::Variables, system)
}

fn build_brusselator(start: &str) -> Result<Problem, Error> {
    let data = Data::read(BRUSSELATOR.name, include_str!("../../reference/brusselator.toml"), start)?;
    let (supply, level, epsilon) = (data.parameter("a")?, data.parameter("b")?, data.parameter("eps")?);
    let system = System::FirstOrder(Box::new(Linearised::new(Brusselator { supply, level, epsilon })));
    data.problem("smooth motion beside one fast variable: few steps of high order", Layout::Variables, system)
}

fn build_e5(start: &str) -> Result<Problem, Error> {
    let data = Data::read(E5_ENTRY.name, include_str!("../../reference/e5.toml"), start)?;
    let rates = [data.parameter("A")?, data.parameter("B")?, data.parameter("C")?, data.parameter("M")?];
    let system = System::FirstOrder(Box::new(Linearised::new(E5 { rates })));
    data.problem("thirteen decades of time; values of 1e-23 that matter", Layout::Variables, system)
}
