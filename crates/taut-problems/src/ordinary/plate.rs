//! A plate under two wheels that cross it.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// Points of the grid along x and y.
const ALONG: usize = 8;
const ACROSS: usize = 5;
/// The length of the plate.
const LENGTH: f64 = 2.0;
/// The rows that the wheels roll along.
const TRACKS: [usize; 2] = [1, 3];
/// When the axles are at the edge of the plate.
const AXLES: [f64; 2] = [2.0, 5.0];

/// u'' + ω u' + σ ΔΔu = f(t, x, y), u and Δu zero at the edges (Hairer & Wanner, section IV.10), as (u, u').
#[derive(Clone, Copy, Debug)]
pub struct Plate {
    /// ω
    pub friction: f64,
    /// σ
    pub stiffness: f64,
    /// the load of a wheel
    pub load: f64,
}

/// The five-point Laplacian, times the square of the distance of points, of values that are zero at the edges.
fn laplacian<S: Scalar>(u: impl Fn(usize, usize) -> S, i: usize, j: usize) -> S {
    let mut sum = u(i, j) * -4.0;
    if i > 0 {
        sum += u(i - 1, j);
    }
    if i + 1 < ALONG {
        sum += u(i + 1, j);
    }
    if j > 0 {
        sum += u(i, j - 1);
    }
    if j + 1 < ACROSS {
        sum += u(i, j + 1);
    }
    sum
}

impl FirstOrder for Plate {
    fn variables(&self) -> Vec<String> {
        let points = |letter: char| {
            (1..=ACROSS).flat_map(move |j| (1..=ALONG).map(move |i| format!("{letter}{i}_{j}")))
        };
        points('u').chain(points('w')).collect()
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        let (u, w) = y.split_at(ALONG * ACROSS);
        let distance = LENGTH / (ALONG + 1) as f64;
        let stiffness = self.stiffness / distance.powi(4);
        let once = |i: usize, j: usize| laplacian(|i, j| u[ALONG * j + i], i, j);
        for j in 0..ACROSS {
            for i in 0..ALONG {
                let k = ALONG * j + i;
                let mut force = -(w[k] * self.friction) - laplacian(once, i, j) * stiffness;
                if TRACKS.contains(&j) {
                    let x = (i + 1) as f64 * distance;
                    let press = |axle: f64| ((t - (x + axle)).square() * -5.0).exp() * self.load;
                    force += press(AXLES[0]) + press(AXLES[1]);
                }
                rate[k] = w[k];
                rate[ALONG * ACROSS + k] = force;
            }
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "plate", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/plate.toml"), start)?;
    let plate = Plate {
        friction: data.parameter("omega")?,
        stiffness: data.parameter("sigma")?,
        load: data.parameter("load")?,
    };
    let system = System::FirstOrder(Box::new(Linearised::new(plate)));
    data.problem(
        "a linear stiff system that is driven: errors of stiff components",
        Layout::Variables,
        system,
    )
}
