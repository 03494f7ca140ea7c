//! A SPARK method, made ready for stepping.

use taut_tableau::{Lobatto, Matrix, Spark, TableauError};

use crate::method::{Shares, SparkOptions, Treatment};
use crate::system::Terms;

/// The coefficients of a SPARK method: one matrix for positions, one for each group of forces.
///
/// Every matrix has s + 1 rows: those of the stages and, for the end of the step, the weights b.
#[derive(Clone, Debug)]
pub(crate) struct SparkCoefficients {
    pub(super) stages: usize,
    pub(super) c: Vec<f64>,
    /// Lobatto IIIA, which takes velocities to positions
    pub(super) a: Matrix,
    pub(super) groups: Vec<Group>,
    /// bⱼ cⱼ^(i−1) in row i: moments over the step, in which conditions on velocities are imposed
    pub(super) moments: Matrix,
    /// eᵢ = bᵢ − b̃ᵢ of the error estimate (38), symmetric or antisymmetric
    pub(super) error_weights: Vec<f64>,
}

/// Forces that are treated with the same coefficients.
#[derive(Clone, Debug)]
pub(super) struct Group {
    shares: Shares,
    pub(super) matrix: Matrix,
    pub(super) terms: Terms,
    /// whether the reactions of rods are among them
    pub(super) rods: bool,
    /// whether the forces of springs are among them
    pub(super) springs: bool,
}

impl Group {
    /// Whether the force of a constraint with this compliance is among them.
    pub(super) fn holds(&self, compliance: f64) -> bool {
        if compliance == 0.0 { self.rods } else { self.springs }
    }
}

impl SparkCoefficients {
    /// The coefficients of a method with these options.
    pub(crate) fn new(
        spark: &Spark,
        treatment: Treatment,
        options: &SparkOptions,
    ) -> Result<Self, TableauError> {
        let options = match treatment {
            Treatment::ByClass => options.clone(),
            Treatment::Alike => options.alike(),
        };
        let conservative = Terms::KINETIC | Terms::POTENTIAL | Terms::CONSERVATIVE;
        let parts = [
            (options.conservative.clone(), conservative, false, false),
            (options.reactions.clone(), Terms::NONE, true, false),
            (options.dissipative.clone(), Terms::DISSIPATIVE, false, false),
            (options.driving.clone(), Terms::DRIVING, false, false),
            (options.oscillatory(spark.stages()), Terms::OSCILLATORY, false, true),
        ];
        let mut groups: Vec<Group> = Vec::new();
        for (shares, terms, rods, springs) in parts {
            match groups.iter_mut().find(|group| group.shares == shares) {
                Some(group) => {
                    group.terms = group.terms | terms;
                    group.rods |= rods;
                    group.springs |= springs;
                }
                None => {
                    let matrix = with_weights(spark.combination(shares.as_slice())?.a(), spark.b());
                    groups.push(Group { shares, matrix, terms, rods, springs });
                }
            }
        }
        Ok(SparkCoefficients {
            stages: spark.stages(),
            c: spark.c().to_vec(),
            a: with_weights(spark.matrix(Lobatto::A), spark.b()),
            groups,
            moments: Matrix::from_fn(spark.stages(), spark.stages(), |i, j| {
                if i == 0 { 0.0 } else { spark.b()[j] * spark.c()[j].powi(i as i32 - 1) }
            }),
            error_weights: error_weights(spark.b(), spark.c()),
        })
    }

    /// Where stage i lies in the step; number s is its end.
    pub(super) fn node(&self, i: usize) -> f64 {
        self.c.get(i).copied().unwrap_or(1.0)
    }
}

/// The rows of a matrix, then b.
fn with_weights(a: &Matrix, b: &[f64]) -> Matrix {
    Matrix::from_fn(b.len() + 1, b.len(), |i, j| if i < b.len() { a[(i, j)] } else { b[j] })
}

/// b − b̃, b̃ the weights of the interpolatory formula without the first node: orthogonal to all polynomials of degree
/// s − 2, hence a multiple of 1/∏(cᵢ − cⱼ), which is symmetric or antisymmetric as (38) demands.
fn error_weights(b: &[f64], c: &[f64]) -> Vec<f64> {
    let product = |i: usize| -> f64 { (0..c.len()).filter(|&j| j != i).map(|j| c[i] - c[j]).product() };
    (0..c.len()).map(|i| b[0] * product(0) / product(i)).collect()
}
