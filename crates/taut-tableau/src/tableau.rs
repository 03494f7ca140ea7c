use std::sync::OnceLock;

use crate::number::{DoubleDouble, Factored, Matrix, Scalar};
use crate::property::{SimplifyingAssumptions, Spectrum, StabilityFunction};
use crate::{ContinuousExtension, Family, TableauError};

/// Checks of coefficients that are known to about 31 digits regard smaller defects as zero.
pub(crate) const TOLERANCE_OF_COMPUTED: f64 = 1e-27;

/// The same for coefficients that are known as `f64` only.
pub(crate) const TOLERANCE_OF_ROUNDED: f64 = 1e-13;

/// A Runge-Kutta method: Y_i = y_0 + h sum_j a_ij f(t_0 + c_j h, Y_j), y_1 = y_0 + h sum_i b_i f(t_0 + c_i h, Y_i).
///
/// The coefficients are kept in extended precision for the computation of properties, and rounded once for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    name: String,
    family: Option<Family>,
    a: Matrix,
    b: Vec<f64>,
    c: Vec<f64>,
    exact: Coefficients,
    tolerance: f64,
    embedded: Vec<Embedded>,
    continuous: Option<ContinuousExtension>,
    pub(crate) known: Known,
}

/// Properties that were asked for before. They follow from the coefficients and are never changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) order: OnceLock<usize>,
    pub(crate) assumptions: OnceLock<SimplifyingAssumptions>,
    pub(crate) stability: OnceLock<StabilityFunction>,
    pub(crate) spectrum: OnceLock<Result<Spectrum, TableauError>>,
    pub(crate) inverse: OnceLock<Result<Matrix<DoubleDouble>, TableauError>>,
}

impl PartialEq for Known {
    /// Tableaux are equal when their coefficients are, whatever was asked of them.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Coefficients in extended precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    /// The Runge-Kutta matrix.
    pub a: Matrix<DoubleDouble>,
    /// The weights.
    pub b: Vec<DoubleDouble>,
    /// The nodes.
    pub c: Vec<DoubleDouble>,
}

/// Weights of a second result of lower order from the same stages; the difference of both estimates the error.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    weights: Vec<f64>,
    exact: Vec<DoubleDouble>,
}

impl Embedded {
    pub(crate) fn new(exact: Vec<DoubleDouble>) -> Self {
        Self { weights: round(&exact), exact }
    }

    /// The weights, one for each stage.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The weights in extended precision.
    pub fn exact(&self) -> &[DoubleDouble] {
        &self.exact
    }
}

pub(crate) fn round(values: &[DoubleDouble]) -> Vec<f64> {
    values.iter().map(|value| value.to_f64()).collect()
}

impl Tableau {
    /// A method of one's own. Its properties are then decided with the accuracy of `f64`.
    pub fn new(name: &str, a: &Matrix, b: &[f64], c: &[f64]) -> Result<Self, TableauError> {
        let stages = b.len();
        if a.rows() != stages || a.columns() != stages || c.len() != stages || stages == 0 {
            let (rows, columns) = (a.rows(), a.columns());
            return Err(TableauError::Shape { rows, columns, weights: stages, nodes: c.len() });
        }
        if !a.as_slice().iter().chain(b).chain(c).all(|entry| entry.is_finite()) {
            return Err(TableauError::NotFinite { name: name.to_owned() });
        }
        let extend = |values: &[f64]| values.iter().map(|&value| value.into()).collect();
        let exact = Coefficients { a: a.map(DoubleDouble::from), b: extend(b), c: extend(c) };
        Ok(Self::assemble(name.to_owned(), None, exact, TOLERANCE_OF_ROUNDED))
    }

    /// A member of a family, computed in extended precision.
    pub(crate) fn computed(
        family: Family,
        a: Matrix<DoubleDouble>,
        b: Vec<DoubleDouble>,
        c: Vec<DoubleDouble>,
    ) -> Self {
        let exact = Coefficients { a, b, c };
        Self::assemble(family.name().to_owned(), Some(family), exact, TOLERANCE_OF_COMPUTED)
    }

    /// A method that is not (known to be) a member of a family, with coefficients in extended precision.
    pub(crate) fn unnamed(name: &str, exact: Coefficients, tolerance: f64) -> Self {
        Self::assemble(name.to_owned(), None, exact, tolerance)
    }

    fn assemble(name: String, family: Option<Family>, exact: Coefficients, tolerance: f64) -> Self {
        let (a, b, c) = (exact.a.to_f64(), round(&exact.b), round(&exact.c));
        Self {
            name,
            family,
            a,
            b,
            c,
            exact,
            tolerance,
            embedded: Vec::new(),
            continuous: None,
            known: Known::default(),
        }
    }

    /// Says that the coefficients were given with the digits of `f64`.
    pub(crate) fn known_as_rounded(mut self) -> Self {
        self.tolerance = TOLERANCE_OF_ROUNDED;
        self
    }

    pub(crate) fn with_embedded(mut self, weights: Vec<DoubleDouble>) -> Self {
        self.embedded.push(Embedded::new(weights));
        self
    }

    pub(crate) fn with_continuous(mut self, continuous: ContinuousExtension) -> Self {
        self.continuous = Some(continuous);
        self
    }

    /// The name that a user types, or the one given to [`Tableau::new`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The family that the method was asked from.
    pub fn family(&self) -> Option<Family> {
        self.family
    }

    /// The number of stages s.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// The Runge-Kutta matrix A.
    pub fn a(&self) -> &Matrix {
        &self.a
    }

    /// The weights b.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// The nodes c.
    pub fn c(&self) -> &[f64] {
        &self.c
    }

    /// The coefficients in extended precision.
    pub fn exact(&self) -> &Coefficients {
        &self.exact
    }

    /// Defects of order conditions and of other equations between coefficients below this count as zero.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Weights of embedded methods, highest order first; those that go with the eigenvalues of A are in
    /// [`Tableau::error_estimator`].
    pub fn embedded(&self) -> &[Embedded] {
        &self.embedded
    }

    /// Weights that give the solution inside the step.
    pub fn continuous(&self) -> Option<&ContinuousExtension> {
        self.continuous.as_ref()
    }

    /// Whether A is strictly lower triangular.
    pub fn is_explicit(&self) -> bool {
        self.vanishes_from_column(0)
    }

    /// Whether A is lower triangular with something on the diagonal: one stage after the other is solved.
    pub fn is_diagonally_implicit(&self) -> bool {
        self.vanishes_from_column(1) && !self.is_explicit()
    }

    /// Whether a_ij = 0 for all j >= i + offset.
    fn vanishes_from_column(&self, offset: usize) -> bool {
        let stages = self.stages();
        (0..stages).all(|i| (i + offset..stages).all(|j| self.a[(i, j)] == 0.0))
    }

    /// The inverse of A in extended precision; an error where A is singular.
    pub fn inverse(&self) -> Result<Matrix<DoubleDouble>, TableauError> {
        self.known.inverse.get_or_init(|| self.invert()).clone()
    }

    fn invert(&self) -> Result<Matrix<DoubleDouble>, TableauError> {
        let singular = || TableauError::Singular { name: self.name.clone(), stages: self.stages() };
        let factored = Factored::new(&self.exact.a).ok_or_else(singular)?;
        let inverse = factored.inverse();
        // Elimination of a singular matrix leaves a pivot of rounding size, hence an inverse of its reciprocal.
        let condition = inverse.largest() * self.exact.a.largest();
        if condition * self.tolerance < 1.0 { Ok(inverse) } else { Err(singular()) }
    }
}

impl Coefficients {
    /// The largest difference of any coefficient.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let difference = |x: &[DoubleDouble], y: &[DoubleDouble]| {
            x.iter().zip(y).map(|(&x, &y)| (x - y).magnitude()).fold(0.0, f64::max)
        };
        difference(self.a.as_slice(), other.a.as_slice())
            .max(difference(&self.b, &other.b))
            .max(difference(&self.c, &other.c))
    }
}
