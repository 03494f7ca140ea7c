//! Two species in the air, that follow the sun.

use std::f64::consts::PI;

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// Points of the grid in each direction, and their distance in kilometres.
const POINTS: usize = 10;
const DISTANCE: f64 = 20.0 / 9.0;
/// Half a day in seconds.
const HALF_DAY: f64 = 43200.0;
/// Diffusion along x, wind, and diffusion along z at the height 0.
const ALONG: f64 = 4e-6;
const WIND: f64 = 1e-3;
const UPWARD: f64 = 1e-8;
/// The height of the lowest points.
const LOWEST: f64 = 30.0;
/// Rates of the reactions, and the concentration of oxygen.
const Q1: f64 = 1.63e-16;
const Q2: f64 = 4.66e-16;
const A3: f64 = 22.62;
const A4: f64 = 7.601;
const OXYGEN: f64 = 3.7e16;

/// Oxygen singlet and ozone, c' = K_h c_xx + V c_x + (K_v(z) c_z)_z + R(c, t), on 10 × 10 points, without flux across the
/// edges: an example of CVODE. The reactions that the sun drives end smoothly where sin(πt/43200) is 10⁻³.
#[derive(Clone, Copy, Debug)]
pub struct Diurnal;

/// The neighbours of a point, those beyond an edge reflected.
fn neighbours(i: usize) -> (usize, usize) {
    let before = if i == 0 { 1 } else { i - 1 };
    let after = if i + 1 == POINTS { i - 1 } else { i + 1 };
    (before, after)
}

impl FirstOrder for Diurnal {
    fn variables(&self) -> Vec<String> {
        let point =
            |k: usize| [format!("a{}_{}", k % POINTS, k / POINTS), format!("b{}_{}", k % POINTS, k / POINTS)];
        (0..POINTS * POINTS).flat_map(point).collect()
    }

    fn rate<S: Scalar>(&self, t: S, c: &[S], rate: &mut [S]) {
        let sun = (t * (PI / HALF_DAY)).sin().max(S::constant(1e-3));
        let (dawn, noon) = ((S::constant(-A3) / sun).exp(), (S::constant(-A4) / sun).exp());
        let square = DISTANCE * DISTANCE;
        for j in 0..POINTS {
            let height = LOWEST + j as f64 * DISTANCE;
            let lift = |side: f64| UPWARD * (0.2 * (height + side * 0.5 * DISTANCE)).exp() / square;
            let (below, above) = neighbours(j);
            for i in 0..POINTS {
                let (left, right) = neighbours(i);
                let at = |i: usize, j: usize, species: usize| c[2 * (POINTS * j + i) + species];
                let carried = |species: usize| {
                    let here = at(i, j, species);
                    let (west, east) = (at(left, j, species), at(right, j, species));
                    (at(i, above, species) - here) * lift(1.0) - (here - at(i, below, species)) * lift(-1.0)
                        + (east - here * 2.0 + west) * (ALONG / square)
                        + (east - west) * (WIND / (2.0 * DISTANCE))
                };
                let (singlet, ozone) = (at(i, j, 0), at(i, j, 1));
                let (binding, decay) = (singlet * (Q1 * OXYGEN), singlet * ozone * Q2);
                let split = ozone * noon;
                let k = 2 * (POINTS * j + i);
                rate[k] = carried(0) - binding - decay + dawn * (2.0 * OXYGEN) + split;
                rate[k + 1] = carried(1) + binding - decay - split;
            }
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "diurnal", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/diurnal.toml"), start)?;
    let system = System::FirstOrder(Box::new(Linearised::new(Diurnal)));
    data.problem("rates that change by thirty decades within a day", Layout::Variables, system)
}
