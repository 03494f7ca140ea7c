//! The four quadrature formulas that the implicit families stand on.

use crate::legendre::{legendre, legendre_slopes, orthonormal};
use crate::number::{DoubleDouble, Scalar};

/// Which zeros the nodes on [0, 1] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// The zeros of P_s: order 2s.
    Gauss,
    /// The zeros of P_s + P_{s-1}, the first one at 0: order 2s - 1.
    RadauLeft,
    /// The zeros of P_s - P_{s-1}, the last one at 1: order 2s - 1.
    RadauRight,
    /// The zeros of P_s - P_{s-2}, with both ends: order 2s - 2 (Jay 1998, section 8).
    Lobatto,
}

/// Nodes and weights in extended precision.
#[derive(Clone, Debug)]
pub(crate) struct Quadrature {
    pub(crate) c: Vec<DoubleDouble>,
    pub(crate) b: Vec<DoubleDouble>,
    /// sum of b_i p_{s-1}(c_i)^2: one, except for Lobatto's formulas (Jay 1998, proof of Lemma 8.1).
    pub(crate) sigma: DoubleDouble,
}

impl Nodes {
    /// The factors u, v of the node polynomial P_s + u P_{s-1} + v P_{s-2}.
    fn combination(self) -> (f64, f64) {
        match self {
            Self::Gauss => (0.0, 0.0),
            Self::RadauLeft => (1.0, 0.0),
            Self::RadauRight => (-1.0, 0.0),
            Self::Lobatto => (0.0, -1.0),
        }
    }

    /// The zeros at the ends of [-1, 1], which are known without computation.
    fn ends(self, stages: usize) -> Vec<f64> {
        match self {
            Self::Gauss => Vec::new(),
            Self::RadauLeft => vec![-1.0],
            Self::RadauRight => vec![1.0],
            Self::Lobatto if stages < 2 => Vec::new(),
            Self::Lobatto => vec![-1.0, 1.0],
        }
    }

    fn is_symmetric(self) -> bool {
        matches!(self, Self::Gauss | Self::Lobatto)
    }

    /// The quadrature formula with `stages` nodes.
    pub(crate) fn quadrature(self, stages: usize) -> Quadrature {
        let half = DoubleDouble::from(0.5);
        let c: Vec<DoubleDouble> =
            self.zeros(stages).into_iter().map(|zero| half * (DoubleDouble::ONE + zero)).collect();
        let sigma = match self {
            Self::Lobatto => DoubleDouble::ratio(2 * stages as i64 - 1, stages as i64 - 1),
            _ => DoubleDouble::ONE,
        };
        let b = c.iter().map(|&node| weight(node, stages, sigma)).collect();
        Quadrature { c, b, sigma }
    }

    /// The zeros of the node polynomial in [-1, 1], ascending.
    fn zeros(self, stages: usize) -> Vec<DoubleDouble> {
        let mut zeros: Vec<DoubleDouble> = self.ends(stages).into_iter().map(DoubleDouble::from).collect();
        while zeros.len() < stages {
            let zero = self.next_zero(stages, &zeros);
            zeros.push(zero);
        }
        zeros.sort_by(|x, y| x.to_f64().total_cmp(&y.to_f64()));
        if self.is_symmetric() {
            // Mirror images exactly, the one in the middle exactly at zero.
            let half = DoubleDouble::from(0.5);
            let ascending = zeros.clone();
            for i in 0..stages {
                zeros[i] = half * (ascending[i] - ascending[stages - 1 - i]);
            }
        }
        zeros
    }

    /// Newton's iteration with the known zeros divided out (Maehly). Started to the right of all zeros of a
    /// polynomial whose zeros are all real it falls monotonically to the largest one that is left.
    fn next_zero(self, stages: usize, known: &[DoubleDouble]) -> DoubleDouble {
        let mut x = DoubleDouble::from(2.0);
        for _iteration in 0..500 {
            let (value, slope) = self.polynomial(stages, x);
            let repulsion =
                known.iter().fold(DoubleDouble::ZERO, |sum, &zero| sum + DoubleDouble::ONE / (x - zero));
            let correction = value / (slope - value * repulsion);
            x -= correction;
            if correction.magnitude() < 1e-20 {
                break;
            }
        }
        // The last correction squared is far below the rounding of x; one undisturbed step removes the repulsion.
        let (value, slope) = self.polynomial(stages, x);
        x - value / slope
    }

    /// The node polynomial and its derivative.
    fn polynomial(self, stages: usize, x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
        let (u, v) = self.combination();
        let values = legendre(stages, x);
        let slopes = legendre_slopes(&values);
        let combine = |terms: &[DoubleDouble]| {
            let lower = |back: usize| stages.checked_sub(back).map_or(DoubleDouble::ZERO, |k| terms[k]);
            terms[stages] + DoubleDouble::from(u) * lower(1) + DoubleDouble::from(v) * lower(2)
        };
        (combine(&values), combine(&slopes))
    }
}

/// The weight of a node: W D^-1 W^T = B^-1 with w_ik = p_k(c_i) and D = diag(1, ..., 1, sigma).
fn weight(node: DoubleDouble, stages: usize, sigma: DoubleDouble) -> DoubleDouble {
    let values = orthonormal(stages, node);
    let last = values[stages - 1];
    let squares = values[..stages - 1].iter().fold(last * last / sigma, |sum, &p| sum + p * p);
    DoubleDouble::ONE / squares
}
