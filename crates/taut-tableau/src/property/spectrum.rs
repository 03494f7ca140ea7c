use crate::number::{Complex, DoubleDouble, Factored, Matrix, Scalar};
use crate::{Tableau, TableauError};

/// Beyond this condition of T the matrix counts as defective. Gauss with 20 stages comes to 7e9.
const LARGEST_CONDITION: f64 = 1e11;

/// The real block-diagonal form A = T Lambda T^-1 of a Runge-Kutta matrix.
///
/// Lambda has first the real eigenvalues mu, then a block [[alpha, beta], [-beta, alpha]] for each pair alpha +- i beta
/// with beta > 0; the columns of T are the real eigenvectors, then real and imaginary part of the eigenvector of
/// alpha + i beta. After the transformation with T^-1 the linear system of all stages falls apart into one real system
/// for each real eigenvalue and one complex system for each pair (Butcher 1976; Hairer and Wanner, IV.8).
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// The real eigenvalues of A, descending; zero is one of them for Lobatto IIIA and IIIB.
    pub real: Vec<f64>,
    /// The pairs alpha +- i beta as (alpha, beta), beta > 0 ascending.
    pub complex: Vec<(f64, f64)>,
    /// The real eigenvalues g = 1/mu of A^-1, in the order of `real`; infinite for mu = 0.
    pub real_of_inverse: Vec<f64>,
    /// The pairs 1/(alpha + i beta) of A^-1 as (real part, imaginary part), in the order of `complex`: the imaginary
    /// parts are negative, so that they belong to the same columns of T.
    pub complex_of_inverse: Vec<(f64, f64)>,
    /// The transformation T.
    pub t: Matrix,
    /// Its inverse.
    pub t_inverse: Matrix,
}

impl Tableau {
    /// The real block-diagonal form of A; an error when eigenvectors are missing (SDIRK and explicit methods).
    pub fn spectrum(&self) -> Result<Spectrum, TableauError> {
        self.known.spectrum.get_or_init(|| self.block_diagonal_form()).clone()
    }

    fn block_diagonal_form(&self) -> Result<Spectrum, TableauError> {
        let defective = || TableauError::Defective { name: self.name().to_owned(), stages: self.stages() };
        let pairs = self.eigenpairs().ok_or_else(defective)?;
        let (real, complex): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|pair| pair.value.im == DoubleDouble::ZERO);
        let mut columns: Vec<Vec<DoubleDouble>> =
            real.iter().map(|pair| pair.vector.iter().map(|z| z.re).collect()).collect();
        for pair in &complex {
            columns.push(pair.vector.iter().map(|z| z.re).collect());
            columns.push(pair.vector.iter().map(|z| z.im).collect());
        }
        let stages = self.stages();
        if columns.len() != stages {
            return Err(defective());
        }
        let t = Matrix::from_fn(stages, stages, |i, j| columns[j][i]);
        let t_inverse = Factored::new(&t).ok_or_else(defective)?.inverse();
        if t.largest() * t_inverse.largest() > LARGEST_CONDITION {
            return Err(defective());
        }
        Ok(Spectrum {
            real: real.iter().map(|pair| pair.value.re.to_f64()).collect(),
            complex: complex.iter().map(|pair| rounded(pair.value)).collect(),
            real_of_inverse: real.iter().map(|pair| inverse_of(pair.value).0).collect(),
            complex_of_inverse: complex.iter().map(|pair| inverse_of(pair.value)).collect(),
            t: t.to_f64(),
            t_inverse: t_inverse.to_f64(),
        })
    }

    /// Eigenvalues of A with imaginary part >= 0 and their eigenvectors, in the order of [`Spectrum`].
    fn eigenpairs(&self) -> Option<Vec<Eigenpair>> {
        // The zeros z of det(I - z A) are the eigenvalues of A^-1; a degree below s tells of zero eigenvalues.
        let denominator = self.stability_function().denominator().clone();
        let mut values: Vec<Complex> = denominator
            .roots()
            .into_iter()
            .filter(|root| root.im.to_f64() > -REAL * root.magnitude())
            .map(|root| upper_half(Complex::from(1.0) / root))
            .collect();
        match self.stages() - denominator.degree() {
            0 => {}
            1 => values.push(Complex::from(0.0)),
            _ => return None,
        }
        values.sort_by(|x, y| {
            let key = |z: &Complex| (z.im.to_f64(), -z.re.to_f64());
            key(x).partial_cmp(&key(y)).unwrap_or(std::cmp::Ordering::Equal)
        });
        values.into_iter().map(|value| Eigenpair::refine(&self.exact().a, value)).collect()
    }
}

/// Imaginary parts below this fraction of an eigenvalue are rounding errors of a real one.
const REAL: f64 = 1e-9;

/// The number itself or its conjugate, with no imaginary part where that is only rounding.
fn upper_half(value: Complex) -> Complex {
    let real = value.im.magnitude() < REAL * value.magnitude();
    Complex::new(value.re, if real { DoubleDouble::ZERO } else { value.im.abs() })
}

fn rounded(value: Complex) -> (f64, f64) {
    (value.re.to_f64(), value.im.to_f64())
}

fn inverse_of(value: Complex) -> (f64, f64) {
    if value.magnitude() == 0.0 { (f64::INFINITY, 0.0) } else { rounded(Complex::from(1.0) / value) }
}

struct Eigenpair {
    value: Complex,
    vector: Vec<Complex>,
}

impl Eigenpair {
    /// Inverse iteration from a good eigenvalue, whose last digits are then corrected.
    fn refine(a: &Matrix<DoubleDouble>, start: Complex) -> Option<Self> {
        let n = a.rows();
        let scale = a.largest();
        let mut value = start;
        let mut vector = vec![Complex::from(1.0); n];
        for _iteration in 0..4 {
            // Off the eigenvalue by a little, for the factors must not be singular.
            let shift = value + Complex::from(scale * 1e-20);
            let shifted = Matrix::from_fn(n, n, |i, j| {
                let entry = Complex::from(a[(i, j)]);
                if i == j { entry - shift } else { entry }
            });
            let solution = Factored::new(&shifted)?.solve(&vector);
            // (A - shift) x = v with x of size 1/distance: the component that is largest gives the correction.
            let largest =
                (0..n).max_by(|&i, &j| solution[i].magnitude().total_cmp(&solution[j].magnitude()))?;
            let correction = vector[largest] / solution[largest];
            if start.magnitude() > 0.0 {
                value = shift + correction;
            }
            vector = solution.iter().map(|&x| x / solution[largest]).collect();
        }
        if start.im == DoubleDouble::ZERO {
            value.im = DoubleDouble::ZERO;
            vector.iter_mut().for_each(|z| z.im = DoubleDouble::ZERO);
        }
        value.magnitude().is_finite().then_some(Self { value, vector })
    }
}
