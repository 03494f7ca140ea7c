//! An elastic beam of 40 segments, clamped at one end and pulled at the other.

use std::f64::consts::PI;

use taut::system::{ForceClass, Given, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// The number of segments.
const N: usize = 40;
const N2: f64 = (N * N) as f64;

/// Angles θ_1 … θ_n of the segments (Hairer & Wanner, section IV.10):
/// Σ g_lk cos(θ_l − θ_k) θ_k'' = n⁴ (θ_{l−1} − 2 θ_l + θ_{l+1}) + n² (F_y cos θ_l − F_x sin θ_l) − Σ g_lk sin(θ_l − θ_k) θ_k'²,
/// g_lk = n + 1/2 − max(l, k), θ_0 = −θ_1, θ_{n+1} = θ_n.
///
/// The Test Set multiplies with the inverse of this full mass matrix, which is a product of tridiagonal ones; here the
/// equations keep their mechanical form, with kinetic and potential energy.
#[derive(Clone, Copy, Debug)]
pub struct Beam;

impl Beam {
    /// n
    pub const SEGMENTS: usize = N;

    /// n⁴, the stiffness against bending.
    pub(crate) const BENDING: f64 = N2 * N2;

    /// n² φ, φ = 1.5 sin² t until t = π and 0 afterwards.
    pub(crate) fn load<S: Scalar>(t: S) -> S {
        (t - PI).select(S::zero(), t.sin().square() * (1.5 * N2))
    }
}

/// g_lk, from the numbers of the segments counted from 0
pub(crate) fn share(l: usize, k: usize) -> f64 {
    (N - 1 - l.max(k)) as f64 + 0.5
}

fn sines_and_cosines<S: Scalar>(theta: &[S]) -> [(S, S); N] {
    std::array::from_fn(|l| theta[l].sin_cos())
}

impl Mechanical for Beam {
    fn coordinates(&self) -> Vec<String> {
        (1..=N).map(|l| format!("theta{l}")).collect()
    }

    fn mass<S: Scalar>(&self, theta: &[S], mass: &mut Mass<'_, S>) {
        let directions = sines_and_cosines(theta);
        for (l, (sin_l, cos_l)) in directions.into_iter().enumerate() {
            mass.add(l, l, S::constant(share(l, l)));
            for (k, (sin_k, cos_k)) in directions.into_iter().enumerate().take(l) {
                mass.add(l, k, (cos_l * cos_k + sin_l * sin_k) * share(l, k));
            }
        }
    }

    fn potential<S: Scalar>(&self, theta: &[S]) -> S {
        let bending = |sum: S, pair: &[S]| sum + (pair[1] - pair[0]).square();
        theta.windows(2).fold(theta[0].square() * 2.0, bending) * (0.5 * Self::BENDING)
    }

    fn potential_force<S: Scalar>(&self, theta: &[S], force: &mut [S]) -> Given {
        for l in 0..N {
            let before = if l > 0 { theta[l - 1] } else { -theta[0] };
            let after = if l + 1 < N { theta[l + 1] } else { theta[l] };
            force[l] = (before - theta[l] * 2.0 + after) * Self::BENDING;
        }
        Given::Written
    }

    fn coriolis_force<S: Scalar>(&self, theta: &[S], rate: &[S], force: &mut [S]) -> Given {
        let directions = sines_and_cosines(theta);
        for (l, (sin_l, cos_l)) in directions.into_iter().enumerate() {
            for (k, (sin_k, cos_k)) in directions.into_iter().enumerate().take(l) {
                let pull = (sin_l * cos_k - cos_l * sin_k) * share(l, k);
                force[l] -= pull * rate[k].square();
                force[k] += pull * rate[l].square();
            }
        }
        Given::Written
    }

    /// The load F = (−φ, φ) at the free end, φ = 1.5 sin² t until t = π and 0 afterwards.
    fn force<S: Scalar>(&self, class: ForceClass, t: S, theta: &[S], _v: &[S], force: &mut [S]) {
        if class != ForceClass::Driving {
            return;
        }
        let load = Self::load(t);
        for (force, theta) in force.iter_mut().zip(theta) {
            let (sin, cos) = theta.sin_cos();
            *force += load * (cos + sin);
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "beam", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/beam.toml"), start)?;
    let system = System::Mechanical(Box::new(by_hand::Beam::new()));
    let purpose = "a stiff oscillatory system without constraints, with a full mass matrix M(q)";
    let mut problem = data.problem(purpose, Layout::Motion, system)?;
    problem.kinks = vec![PI];
    Ok(problem)
}
