//! The Lobatto matrices of SPARK methods and pairs of them.

mod pair;

pub use pair::{Pair, Periodicity};

use crate::family::runge_kutta_matrix;
use crate::number::{DoubleDouble, Matrix, rank};
use crate::quadrature::Nodes;
use crate::tableau::{TOLERANCE_OF_COMPUTED, TOLERANCE_OF_ROUNDED, round};
use crate::{Coefficients, Family, MOST_STAGES, Tableau, TableauError};

/// Which of the Lobatto matrices treats a term of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lobatto {
    /// Lobatto IIIA: positions and constraints.
    A,
    /// Lobatto IIIB: conservative forces and constraint forces; symplectic together with IIIA.
    B,
    /// Lobatto IIIC: dissipative forces.
    C,
    /// Lobatto IIIC*: driving forces.
    CStar,
    /// Lobatto IIID: the mean of IIIC and IIIC*.
    D,
}

impl Lobatto {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::A, Self::B, Self::C, Self::CStar, Self::D];

    /// The Runge-Kutta family with this matrix.
    pub fn family(self) -> Family {
        match self {
            Self::A => Family::LobattoIiia,
            Self::B => Family::LobattoIiib,
            Self::C => Family::LobattoIiic,
            Self::CStar => Family::LobattoIiicStar,
            Self::D => Family::LobattoIiid,
        }
    }
}

/// The s-stage Lobatto IIIA-B-C-C*-D coefficients on one quadrature formula (Jay 1998, section 8).
#[derive(Clone, Debug, PartialEq)]
pub struct Spark {
    b: Vec<f64>,
    c: Vec<f64>,
    matrices: Vec<Matrix>,
    exact_b: Vec<DoubleDouble>,
    exact_c: Vec<DoubleDouble>,
    exact_matrices: Vec<Matrix<DoubleDouble>>,
}

/// Whether the conditions (21) for existence and uniqueness of the SPARK solution hold (Jay 1998, section 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solvability {
    /// (S): the last row of A1 is b.
    pub stiffly_accurate: bool,
    /// (21a): the first row of A1 vanishes.
    pub first_row_vanishes: bool,
    /// (21b): A1 A2 = A1 A3 = ... for all other matrices.
    pub products_agree: bool,
    /// (21c): the rows of A1 A2 but the first, together with b, have rank s.
    pub full_rank: bool,
}

impl Solvability {
    /// Whether all of them hold.
    pub fn holds(self) -> bool {
        self.stiffly_accurate && self.first_row_vanishes && self.products_agree && self.full_rank
    }
}

impl Spark {
    /// The coefficients with s >= 2 stages.
    pub fn new(stages: usize) -> Result<Self, TableauError> {
        let family = "spark";
        if stages < 2 {
            return Err(TableauError::TooFewStages { family, stages, least: 2 });
        }
        if stages > MOST_STAGES {
            return Err(TableauError::TooManyStages { family, stages, most: MOST_STAGES });
        }
        let quadrature = Nodes::Lobatto.quadrature(stages);
        let last_entries = Lobatto::ALL.map(|lobatto| lobatto.family().last_entries());
        let exact_matrices: Vec<Matrix<DoubleDouble>> =
            last_entries.into_iter().flatten().map(|last| runge_kutta_matrix(&quadrature, last)).collect();
        Ok(Self {
            b: round(&quadrature.b),
            c: round(&quadrature.c),
            matrices: exact_matrices.iter().map(Matrix::to_f64).collect(),
            exact_b: quadrature.b,
            exact_c: quadrature.c,
            exact_matrices,
        })
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// The weights, the same for all terms.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// The nodes, the same for all terms.
    pub fn c(&self) -> &[f64] {
        &self.c
    }

    /// One of the matrices.
    pub fn matrix(&self, lobatto: Lobatto) -> &Matrix {
        &self.matrices[lobatto as usize]
    }

    /// One of the matrices in extended precision.
    pub fn exact_matrix(&self, lobatto: Lobatto) -> &Matrix<DoubleDouble> {
        &self.exact_matrices[lobatto as usize]
    }

    /// The method with the convex combination sum_k share_k A_k: a controllable amount of damping (Jay 1998,
    /// section 7). The shares must not be negative and must add up to 1.
    pub fn combination(&self, shares: &[(Lobatto, f64)]) -> Result<Tableau, TableauError> {
        let sum: f64 = shares.iter().map(|&(_, share)| share).sum();
        let least = shares.iter().map(|&(_, share)| share).fold(f64::INFINITY, f64::min);
        if !(least >= 0.0 && (sum - 1.0).abs() <= TOLERANCE_OF_ROUNDED) {
            return Err(TableauError::NotConvex { sum, least });
        }
        let zero = Matrix::zeros(self.stages(), self.stages());
        let a = shares
            .iter()
            .fold(zero, |mix, &(lobatto, share)| mix.plus(share.into(), self.exact_matrix(lobatto)));
        let terms: Vec<String> =
            shares.iter().map(|&(lobatto, share)| format!("{share} {}", lobatto.family())).collect();
        let coefficients = Coefficients { a, b: self.exact_b.clone(), c: self.exact_c.clone() };
        Ok(Tableau::unnamed(&terms.join(" + "), coefficients, TOLERANCE_OF_ROUNDED))
    }

    /// The pair of a matrix for y and a matrix for z.
    pub fn pair(&self, first: Lobatto, second: Lobatto) -> Pair {
        Pair::new(
            self.exact_b.clone(),
            self.exact_c.clone(),
            self.exact_matrix(first).clone(),
            self.exact_matrix(second).clone(),
            TOLERANCE_OF_COMPUTED,
        )
    }

    /// The conditions (21) with `first` in the part of A1 and the others in the parts of A2, A3, A4.
    pub fn solvability(&self, first: Lobatto, others: &[Lobatto]) -> Solvability {
        let stages = self.stages();
        let a = self.exact_matrix(first);
        let products: Vec<Matrix<DoubleDouble>> =
            others.iter().map(|&other| a.product(self.exact_matrix(other))).collect();
        let small = |matrix: Matrix<DoubleDouble>| matrix.largest() <= TOLERANCE_OF_COMPUTED;
        let products_agree =
            products.windows(2).all(|two| small(two[0].plus(DoubleDouble::from(-1.0), &two[1])));
        let full_rank = products.first().is_some_and(|product| {
            let rows = Matrix::from_fn(stages, stages, |i, j| {
                if i + 1 < stages { product[(i + 1, j)] } else { self.exact_b[j] }
            });
            rank(&rows, 1e-20) == stages
        });
        Solvability {
            stiffly_accurate: a
                .row(stages - 1)
                .iter()
                .zip(&self.exact_b)
                .all(|(x, y)| x.to_f64() == y.to_f64()),
            first_row_vanishes: a.row(0).iter().all(|&entry| entry == DoubleDouble::ZERO),
            products_agree,
            full_rank,
        }
    }

    /// One of the matrices with b and c as a Runge-Kutta method.
    pub fn tableau(&self, lobatto: Lobatto) -> Tableau {
        let (b, c) = (self.exact_b.clone(), self.exact_c.clone());
        Tableau::computed(lobatto.family(), self.exact_matrix(lobatto).clone(), b, c)
    }
}

#[cfg(test)]
mod tests;
