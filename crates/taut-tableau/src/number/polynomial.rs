use super::{Complex, DoubleDouble, Matrix, Scalar, determinant};

/// A real polynomial in extended precision, lowest coefficient first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial {
    coefficients: Vec<DoubleDouble>,
}

impl Polynomial {
    /// The polynomial with these coefficients, lowest first. Trailing zeros are dropped.
    pub fn new(mut coefficients: Vec<DoubleDouble>) -> Self {
        while coefficients.last() == Some(&DoubleDouble::ZERO) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    /// The coefficients, lowest first; empty for the zero polynomial.
    pub fn coefficients(&self) -> &[DoubleDouble] {
        &self.coefficients
    }

    /// The coefficients rounded to `f64`, lowest first.
    pub fn to_f64(&self) -> Vec<f64> {
        self.coefficients.iter().map(|coefficient| coefficient.to_f64()).collect()
    }

    /// The degree; zero for constants and for the zero polynomial.
    pub fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The coefficient of x^k, zero beyond the degree.
    pub fn coefficient(&self, k: usize) -> DoubleDouble {
        self.coefficients.get(k).copied().unwrap_or(DoubleDouble::ZERO)
    }

    /// The value at a point, by Horner's scheme.
    pub fn value<T: Scalar + From<DoubleDouble>>(&self, x: T) -> T {
        self.coefficients
            .iter()
            .rev()
            .fold(T::from(0.0), |value, &coefficient| value * x + T::from(coefficient))
    }

    /// The derivative.
    pub fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(k, &coefficient)| coefficient * DoubleDouble::from(k)).collect())
    }

    /// The product.
    pub fn product(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::default();
        }
        let mut coefficients = vec![DoubleDouble::ZERO; self.degree() + other.degree() + 1];
        for (i, &x) in self.coefficients.iter().enumerate() {
            for (j, &y) in other.coefficients.iter().enumerate() {
                coefficients[i + j] += x * y;
            }
        }
        Self::new(coefficients)
    }

    /// The sum `self + factor * other`.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let length = self.coefficients.len().max(other.coefficients.len());
        let factor = DoubleDouble::from(factor);
        Self::new((0..length).map(|k| self.coefficient(k) + factor * other.coefficient(k)).collect())
    }

    /// The polynomial p(factor * x).
    pub fn scaled(&self, factor: f64) -> Self {
        let mut power = DoubleDouble::ONE;
        let mut next = |&coefficient: &DoubleDouble| {
            let scaled = coefficient * power;
            power *= DoubleDouble::from(factor);
            scaled
        };
        Self::new(self.coefficients.iter().map(&mut next).collect())
    }

    /// Coefficients below `threshold` in absolute value are rounding errors of zero: they are set to zero.
    pub(crate) fn without_noise(&self, threshold: f64) -> Self {
        let clean = |&x: &DoubleDouble| if x.magnitude() <= threshold { DoubleDouble::ZERO } else { x };
        Self::new(self.coefficients.iter().map(clean).collect())
    }

    /// All roots, with multiplicity, by the simultaneous iteration of Aberth (1973). Roots at zero are exact.
    pub fn roots(&self) -> Vec<Complex> {
        let zeros = self.coefficients.iter().take_while(|&&c| c == DoubleDouble::ZERO).count();
        let reduced = Self { coefficients: self.coefficients[zeros..].to_vec() };
        let mut roots = vec![Complex::from(0.0); if self.is_zero() { 0 } else { zeros }];
        roots.extend(reduced.nonzero_roots());
        roots
    }

    fn nonzero_roots(&self) -> Vec<Complex> {
        let degree = self.degree();
        if degree == 0 {
            return Vec::new();
        }
        let slope = self.derivative();
        let ratio = (self.coefficient(0) / self.coefficient(degree)).magnitude();
        let radius = ratio.powf(1.0 / degree as f64);
        // Starting points on the circle whose radius is the geometric mean of the roots, turned off the real axis.
        let mut roots: Vec<Complex> = (0..degree)
            .map(|k| {
                let angle = std::f64::consts::TAU * (k as f64 + 0.25) / degree as f64 + 0.1;
                Complex::new((radius * angle.cos()).into(), (radius * angle.sin()).into())
            })
            .collect();
        let mut before = f64::INFINITY;
        for _sweep in 0..200 {
            let largest = (0..degree).fold(0.0, |largest: f64, k| {
                let correction = self.aberth_correction(&slope, &roots, k);
                roots[k] -= correction;
                largest.max(correction.magnitude() / radius)
            });
            // Simple roots are done when the corrections no longer fall; multiple ones halve them to the end.
            if largest < 1e-30 || (largest < 1e-10 && largest >= before) {
                break;
            }
            before = largest;
        }
        roots
    }

    /// Newton's correction of root k with all others divided out.
    fn aberth_correction(&self, slope: &Self, roots: &[Complex], k: usize) -> Complex {
        let z = roots[k];
        let value = self.value(z);
        let repulsion = roots
            .iter()
            .filter(|&&root| (z - root).magnitude() > 0.0)
            .fold(Complex::from(0.0), |sum, &root| sum + Complex::from(1.0) / (z - root));
        let denominator = slope.value(z) - value * repulsion;
        if denominator.magnitude() == 0.0 { Complex::from(0.0) } else { value / denominator }
    }
}

/// The monic polynomial with these real roots.
pub(crate) fn from_roots(roots: &[DoubleDouble]) -> Polynomial {
    let one = Polynomial::new(vec![DoubleDouble::ONE]);
    roots.iter().fold(one, |product, &root| product.product(&Polynomial::new(vec![-root, DoubleDouble::ONE])))
}

/// The polynomial det(I + z M), from its values on the circle |z| = radius.
///
/// Interpolation on a circle leaves errors of one rounding of the largest value there in every `p_k radius^k`,
/// which recursions by powers of M do not; `radius` should be near the inverse of the spectral radius of M.
/// Coefficients that are not above those errors (relative size `noise`) are zero.
pub(crate) fn determinant_polynomial(matrix: &Matrix<DoubleDouble>, radius: f64, noise: f64) -> Polynomial {
    let n = matrix.rows();
    let unity = Complex::roots_of_unity(n + 1);
    let radius_extended = DoubleDouble::from(radius);
    let values: Vec<Complex> = unity
        .iter()
        .map(|&w| {
            let z = Complex::from(radius_extended) * w;
            let shifted = Matrix::from_fn(n, n, |i, j| {
                Complex::from(if i == j { 1.0 } else { 0.0 }) + z * Complex::from(matrix[(i, j)])
            });
            determinant(&shifted)
        })
        .collect();
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.magnitude()));
    let count = DoubleDouble::from(n + 1);
    let coefficients = (0..=n)
        .map(|k| {
            let sum = (0..=n).fold(DoubleDouble::ZERO, |sum, l| {
                sum + (values[l] * unity[(k * l) % (n + 1)].conjugate()).re
            });
            sum / count
        })
        .collect();
    Polynomial::new(coefficients).without_noise(noise * largest).scaled(1.0 / radius)
}
