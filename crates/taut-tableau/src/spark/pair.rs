use crate::number::{DoubleDouble, Matrix, Polynomial, Scalar, determinant_polynomial};
use crate::property::{assumption_cc, assumption_dd, first_negative, symplectic_defect};
use crate::{Tableau, TableauError};

/// Two Runge-Kutta matrices on one quadrature formula: a partitioned method for y' = f(y, z), z' = k(y, z).
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    b: Vec<DoubleDouble>,
    c: Vec<DoubleDouble>,
    first: Matrix<DoubleDouble>,
    second: Matrix<DoubleDouble>,
    tolerance: f64,
}

/// The values of h omega for which the oscillations of z'' = -omega^2 z stay bounded (Jay 1998, Definition 5.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Periodicity {
    /// All of them: the pair is P-stable.
    Everywhere,
    /// The interval ends here.
    UpTo(f64),
    /// No interval: amplitudes change at once.
    Nowhere,
}

impl Pair {
    pub(crate) fn new(
        b: Vec<DoubleDouble>,
        c: Vec<DoubleDouble>,
        first: Matrix<DoubleDouble>,
        second: Matrix<DoubleDouble>,
        tolerance: f64,
    ) -> Self {
        Self { b, c, first, second, tolerance }
    }

    /// The pair of two methods with the same weights and nodes; an error when those differ.
    pub fn of(first: &Tableau, second: &Tableau) -> Result<Self, TableauError> {
        let tolerance = first.tolerance().max(second.tolerance());
        let (x, y) = (first.exact(), second.exact());
        let same = |x: &[DoubleDouble], y: &[DoubleDouble]| {
            x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| (x - y).magnitude() <= tolerance)
        };
        if !same(&x.b, &y.b) || !same(&x.c, &y.c) {
            let (first, second) = (first.name().to_owned(), second.name().to_owned());
            return Err(TableauError::DifferentQuadrature { first, second });
        }
        Ok(Self::new(x.b.clone(), x.c.clone(), x.a.clone(), y.a.clone(), tolerance))
    }

    /// The largest Q with C^1 C^2(Q) (Jay 1998, section 4.2); 1 when not even C^1 C^2(2) holds.
    pub fn assumption_cc(&self) -> usize {
        assumption_cc(&self.first, &self.second, &self.c, self.tolerance)
    }

    /// The largest R with D^1 D^2(R) (Jay 1998, section 4.2); 1 when not even D^1 D^2(2) holds.
    pub fn assumption_dd(&self) -> usize {
        assumption_dd(&self.first, &self.second, &self.b, &self.c, self.tolerance)
    }

    /// Whether b_i a2_ij + b_j a1_ji = b_i b_j (Jay 1998, (35)).
    pub fn is_symplectic(&self) -> bool {
        symplectic_defect(&self.b, &self.first, &self.second) <= self.tolerance
    }

    /// Whether a1_{s+1-i,s+1-j} + a2_ij = b_j = b_{s+1-j} (Jay 1998, (37)): one is the adjoint of the other.
    pub fn is_symmetrically_conjugate(&self) -> bool {
        let last = self.b.len() - 1;
        let small = |x: DoubleDouble| x.magnitude() <= self.tolerance;
        (0..=last).all(|j| {
            small(self.b[j] - self.b[last - j])
                && (0..=last)
                    .all(|i| small(self.first[(last - i, last - j)] + self.second[(i, j)] - self.b[j]))
        })
    }

    /// The stability matrix M(mu) of (30) for y' = omega z, z' = -omega y, mu = h omega; rows of the 2 by 2 matrix.
    pub fn stability_matrix(&self, mu: f64) -> [[f64; 2]; 2] {
        let StabilityPolynomials { yy, yz, zy, zz, denominator } = self.stability_polynomials();
        let x = DoubleDouble::from(mu) * DoubleDouble::from(mu) / DoubleDouble::from(self.radius());
        let below = denominator.value(x);
        let entry = |numerator: &Polynomial| (numerator.value(x) / below).to_f64();
        [[entry(&yy), entry(&yz) * mu], [-entry(&zy) * mu, entry(&zz)]]
    }

    /// How far h omega may grow until oscillations are no longer periodic.
    pub fn periodicity(&self) -> Periodicity {
        let StabilityPolynomials { yy, yz, zy, zz, denominator } = self.stability_polynomials();
        let square = denominator.product(&denominator);
        let threshold = self.noise() * largest_coefficient(&square);
        // det M = 1: the product of both eigenvalues.
        let mu_squared = Polynomial::new(vec![DoubleDouble::ZERO, DoubleDouble::from(self.radius())]);
        let determinant = yy.product(&zz).plus(1.0, &mu_squared.product(&yz.product(&zy)));
        if !determinant.plus(-1.0, &square).without_noise(threshold).is_zero() {
            return Periodicity::Nowhere;
        }
        // |trace M| <= 2: both eigenvalues on the unit circle.
        let trace = yy.plus(1.0, &zz);
        let bounded = square.plus(-0.25, &trace.product(&trace)).without_noise(threshold);
        match first_negative(&bounded, self.noise()) {
            None => Periodicity::Everywhere,
            Some(0.0) => Periodicity::Nowhere,
            Some(x) => Periodicity::UpTo((x * self.radius()).sqrt()),
        }
    }

    /// A power of two near the inverse of the eigenvalues of A1 A2.
    fn radius(&self) -> f64 {
        (self.b.len() * self.b.len()).next_power_of_two() as f64
    }

    fn noise(&self) -> f64 {
        self.tolerance.powf(0.8)
    }

    /// Numerators and common denominator of M as polynomials in x = mu^2/radius, by
    /// 1 - mu^2 b^T (I + mu^2 G)^-1 u = det(I + mu^2 G - mu^2 u b^T) / det(I + mu^2 G).
    fn stability_polynomials(&self) -> StabilityPolynomials {
        let stages = self.b.len();
        let (radius, noise) = (self.radius(), self.noise());
        let ones = vec![DoubleDouble::ONE; stages];
        let polynomial =
            |matrix: &Matrix<DoubleDouble>| determinant_polynomial(matrix, radius, noise).scaled(radius);
        let rank_one = |base: &Matrix<DoubleDouble>, factor: f64, column: &[DoubleDouble]| {
            let factor = DoubleDouble::from(factor);
            polynomial(&Matrix::from_fn(stages, stages, |i, j| base[(i, j)] + factor * column[i] * self.b[j]))
        };
        // b^T (I + mu^2 G)^-1 1: the difference of two determinants, divided by mu^2 = radius x.
        let off_diagonal = |base: &Matrix<DoubleDouble>| {
            let difference = rank_one(base, 1.0, &ones).plus(-1.0, &polynomial(base));
            let radius = DoubleDouble::from(radius);
            Polynomial::new(difference.coefficients().iter().skip(1).map(|&entry| entry / radius).collect())
        };
        let for_z = self.second.product(&self.first);
        let for_y = self.first.product(&self.second);
        StabilityPolynomials {
            yy: rank_one(&for_z, -1.0, &self.second.times(&ones)),
            yz: off_diagonal(&for_z),
            zy: off_diagonal(&for_y),
            zz: rank_one(&for_y, -1.0, &self.first.times(&ones)),
            denominator: polynomial(&for_z),
        }
    }
}

struct StabilityPolynomials {
    yy: Polynomial,
    yz: Polynomial,
    zy: Polynomial,
    zz: Polynomial,
    denominator: Polynomial,
}

fn largest_coefficient(polynomial: &Polynomial) -> f64 {
    polynomial.coefficients().iter().map(|coefficient| coefficient.magnitude()).fold(0.0, f64::max)
}
