//! The chain of Fermi, Pasta and Ulam with alternating soft and stiff springs.

use taut::system::{Differentiated, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// m stiff springs (frequency ω) between soft ones of fourth order, in scaled displacements x0 (slow) and lengths x1
/// (fast): V = ω²/2 Σ x1_i² + 1/4 Σ d_k⁴ with the elongations d_k of the m + 1 soft springs (Hairer, Lubich & Wanner,
/// section I.5.1).
#[derive(Clone, Copy, Debug)]
pub struct FermiPastaUlam {
    /// m
    pub stiff_springs: usize,
    /// ω
    pub frequency: f64,
}

impl FermiPastaUlam {
    /// The elongation of soft spring k = 0 … m.
    fn elongation<S: Scalar>(&self, q: &[S], k: usize) -> S {
        let (slow, fast) = q.split_at(self.stiff_springs);
        let right = if k < self.stiff_springs { slow[k] - fast[k] } else { S::zero() };
        let left = if k > 0 { slow[k - 1] + fast[k - 1] } else { S::zero() };
        right - left
    }
}

impl Mechanical for FermiPastaUlam {
    fn coordinates(&self) -> Vec<String> {
        let named = |kind: usize| (1..=self.stiff_springs).map(move |i| format!("x{kind}{i}"));
        named(0).chain(named(1)).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let stiff = q[self.stiff_springs..].iter().fold(S::zero(), |sum, fast| sum + fast.square());
        let soft = (0..=self.stiff_springs).fold(S::zero(), |sum, k| sum + self.elongation(q, k).powi(4));
        stiff * (0.5 * self.frequency * self.frequency) + soft * 0.25
    }

    fn potential_force<S: Scalar>(&self, q: &[S], force: &mut [S]) -> Given {
        let m = self.stiff_springs;
        for i in 0..m {
            let (before, after) = (self.elongation(q, i).powi(3), self.elongation(q, i + 1).powi(3));
            force[i] = after - before;
            force[m + i] = after + before - q[m + i] * (self.frequency * self.frequency);
        }
        Given::Written
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "fermi_pasta_ulam", starts: &["default"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, include_str!("../../reference/fermi_pasta_ulam.toml"), start)?;
    let chain =
        FermiPastaUlam { stiff_springs: data.parameter("m")? as usize, frequency: data.parameter("omega")? };
    let system = System::Mechanical(Box::new(Differentiated::new(chain)));
    data.problem("fast oscillations that exchange energy slowly", Layout::Motion, system)
}
