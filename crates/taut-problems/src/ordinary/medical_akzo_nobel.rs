//! Penetration of antibodies into a tumour: a reaction-diffusion system in one dimension.

use taut::system::{FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// u_t = u_xx − k u v, v_t = −k u v on a half line, transformed to [0, 1] and discretised in N points (Test Set,
/// "Medical Akzo Nobel"): variables u_1, v_1, …, u_N, v_N.
///
/// The antibodies u enter at the boundary until t = 5, where the right-hand side jumps.
#[derive(Clone, Copy, Debug)]
pub struct MedicalAkzoNobel {
    /// N
    pub points: usize,
    /// k
    pub reaction: f64,
    /// c, of the transformation
    pub stretch: f64,
    /// u at the boundary until t = 5
    pub inflow: f64,
}

/// When the inflow ends.
const INFLOW_ENDS: f64 = 5.0;

impl FirstOrder for MedicalAkzoNobel {
    fn variables(&self) -> Vec<String> {
        (1..=self.points).flat_map(|j| [format!("u{j}"), format!("v{j}")]).collect()
    }

    fn rate<S: Scalar>(&self, t: S, y: &[S], rate: &mut [S]) {
        let width = 1.0 / self.points as f64;
        let boundary = (t - INFLOW_ENDS).select(S::zero(), S::constant(self.inflow));
        for j in 0..self.points {
            let (u, v) = (y[2 * j], y[2 * j + 1]);
            let reaction = u * v * -self.reaction;
            rate[2 * j] = reaction;
            rate[2 * j + 1] = reaction;
            // the last point is at infinity: nothing diffuses
            if j + 1 < self.points {
                let before = if j > 0 { y[2 * j - 2] } else { boundary };
                let after = y[2 * j + 2];
                let s = (j + 1) as f64 * width - 1.0;
                let (drift, diffusion) = (2.0 * s.powi(3), s.powi(4));
                let scale = 1.0 / (self.stretch * self.stretch);
                rate[2 * j] += (before - u * 2.0 + after) * (scale * diffusion / (width * width))
                    + (after - before) * (scale * drift / (2.0 * width));
            }
        }
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "medical_akzo_nobel", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/medical_akzo_nobel.toml"), start)?;
    let tumour = MedicalAkzoNobel {
        points: data.parameter("N")? as usize,
        reaction: data.parameter("k")?,
        stretch: data.parameter("c")?,
        inflow: data.parameter("phi_until_t5")?,
    };
    let system = System::FirstOrder(Box::new(Linearised::new(tumour)));
    let purpose = "four hundred stiff equations with a narrow band; a jump in the right-hand side";
    let mut problem = data.problem(purpose, Layout::Variables, system)?;
    problem.kinks = vec![INFLOW_ENDS];
    Ok(problem)
}
