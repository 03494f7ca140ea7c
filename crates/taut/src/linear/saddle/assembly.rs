//! From the blocks to the matrix.

use super::{Blocks, SaddlePattern};
use crate::linear::{Complex, Pattern};

/// For each value of each block its place in the storage of the matrix, so that assembly is one loop,
/// `matrix[place[k]] += scale * value[k]`, for every storage.
#[derive(Clone, Debug, Default)]
pub(in crate::linear) struct Assembly {
    mass: Vec<usize>,
    damping: Vec<usize>,
    stiffness: Vec<usize>,
    jacobian: Vec<usize>,
    jacobian_transposed: Vec<usize>,
    compliance: Vec<usize>,
}

/// A factor of a block.
pub(in crate::linear) trait Factor: Copy {
    /// This factor -delta of a spring's compliance, divided by 1 - beta delta R for its relaxation time R.
    fn relaxed(self, beta: Self, relaxation: f64) -> Self;
}

impl Factor for f64 {
    fn relaxed(self, beta: Self, relaxation: f64) -> Self {
        self / (1.0 + beta * self * relaxation)
    }
}

impl Factor for Complex {
    fn relaxed(self, beta: Self, relaxation: f64) -> Self {
        self * (Self::from(1.0) + beta * self * relaxation).reciprocal()
    }
}

impl Assembly {
    /// Places in a column-major dense matrix whose columns begin `stride` apart.
    pub(super) fn dense(pattern: &SaddlePattern, stride: usize) -> Self {
        Self::new(pattern, |i, j| i + j * stride)
    }

    /// The pattern of the whole matrix, and places in its values.
    pub(super) fn sparse(pattern: &SaddlePattern) -> (Pattern, Self) {
        Pattern::with_places(pattern.size(), pattern.size(), |place| Self::new(pattern, place))
    }

    /// Places in a column-major dense matrix whose rows and columns have other positions; of a symmetric one, the
    /// multipliers after the coordinates, Gᵀ is left out.
    pub(in crate::linear) fn ordered(
        pattern: &SaddlePattern,
        position: &[usize],
        stride: usize,
        symmetric: bool,
    ) -> Self {
        let mut assembly = Self::new(pattern, |i, j| position[i] + position[j] * stride);
        if symmetric {
            assembly.jacobian_transposed.clear();
        }
        assembly
    }

    /// Places in any storage of a symmetric matrix whose lower half has the multipliers after the coordinates: Gᵀ is left out.
    pub(in crate::linear) fn lower_half(
        pattern: &SaddlePattern,
        place: impl Fn(usize, usize) -> usize,
    ) -> Self {
        Self { jacobian_transposed: Vec::new(), ..Self::new(pattern, place) }
    }

    fn new(pattern: &SaddlePattern, mut place: impl FnMut(usize, usize) -> usize) -> Self {
        let n = pattern.n;
        let mut block = |block: &Pattern| block.entries().map(|(i, j)| place(i, j)).collect();
        let jacobian = &pattern.jacobian;
        Self {
            mass: block(&pattern.mass),
            damping: block(&pattern.damping),
            stiffness: block(&pattern.stiffness),
            jacobian: jacobian.entries().map(|(i, j)| place(n + i, j)).collect(),
            jacobian_transposed: jacobian.entries().map(|(i, j)| place(j, n + i)).collect(),
            compliance: (n..pattern.size()).map(|i| place(i, i)).collect(),
        }
    }

    /// Calls `add(place, scale, value)` for every value of every block; the scales are alpha, beta, gamma,
    /// 1 and minus delta, as numbers of any kind.
    #[inline(always)]
    pub(in crate::linear) fn each<T: Factor>(
        &self,
        blocks: &Blocks<'_>,
        [alpha, beta, gamma, one, minus_delta]: [T; 5],
        mut add: impl FnMut(usize, T, f64),
    ) {
        let terms = [
            (&self.mass, blocks.mass, alpha),
            (&self.damping, blocks.damping, beta),
            (&self.stiffness, blocks.stiffness, gamma),
            (&self.jacobian, blocks.jacobian, one),
            (&self.jacobian_transposed, blocks.jacobian, one),
        ];
        for (places, values, scale) in terms {
            debug_assert!(
                values.is_empty() || places.is_empty() || places.len() == values.len(),
                "a block does not fit its pattern"
            );
            for (&place, &value) in places.iter().zip(values) {
                add(place, scale, value);
            }
        }
        for (&place, (scale, compliance)) in self.compliance.iter().zip(blocks.springs(minus_delta, beta)) {
            add(place, scale, compliance);
        }
    }
}
