use super::signs::{first_negative, is_positive};
use crate::Tableau;
use crate::number::{Complex, DoubleDouble, Matrix, Polynomial, Scalar, determinant_polynomial};

/// The stability function R(z) = 1 + z b^T (I - z A)^-1 1 = P(z)/Q(z) with
/// P(z) = det(I - z A + z 1 b^T) and Q(z) = det(I - z A) (Jay 1998, (25); Lubich 1993, (3.3)).
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityFunction {
    numerator: Polynomial,
    denominator: Polynomial,
    /// A power of two near the modulus of the poles; coefficients are compared in the variable z/scale.
    scale: f64,
    /// Coefficients below this fraction of the largest are zero in the variable z/scale.
    noise: f64,
}

impl Tableau {
    /// The stability function.
    pub fn stability_function(&self) -> StabilityFunction {
        self.known.stability.get_or_init(|| self.rational_function()).clone()
    }

    fn rational_function(&self) -> StabilityFunction {
        let stages = self.stages();
        let scale = stages.next_power_of_two() as f64;
        let noise = self.noise();
        let exact = self.exact();
        let minus_a = exact.a.map(|entry| -entry);
        let shifted = Matrix::from_fn(stages, stages, |i, j| minus_a[(i, j)] + exact.b[j]);
        StabilityFunction {
            numerator: determinant_polynomial(&shifted, scale, noise),
            denominator: determinant_polynomial(&minus_a, scale, noise),
            scale,
            noise,
        }
    }

    /// The relative size of rounding errors in polynomials of the coefficients: determinants of up to 20 rows lose
    /// some digits of the coefficients' accuracy.
    pub(crate) fn noise(&self) -> f64 {
        self.tolerance().powf(0.8)
    }
}

impl StabilityFunction {
    /// The polynomial P, with P(0) = 1.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The polynomial Q, with Q(0) = 1.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// The value R(z) at re + i im, as (real part, imaginary part).
    pub fn value(&self, re: f64, im: f64) -> (f64, f64) {
        let z = Complex::new(re.into(), im.into());
        let value = self.numerator.value(z) / self.denominator.value(z);
        (value.re.to_f64(), value.im.to_f64())
    }

    /// The limit for z to infinity; infinite when the degree of P exceeds that of Q.
    pub fn at_infinity(&self) -> f64 {
        let (p, q) = (self.numerator.degree(), self.denominator.degree());
        if p > q {
            return f64::INFINITY;
        }
        (self.numerator.coefficient(q) / self.denominator.coefficient(q)).to_f64()
    }

    /// |R(z)| < 1 for Re z < 0 (Jay 1998, Definition 5.1).
    ///
    /// By the maximum principle: no pole in the closed left half plane, and |R(iy)| <= 1. Poles are the zeros of Q; a
    /// common zero of P and Q, which only a reducible method has, counts as a pole.
    pub fn is_a_stable(&self) -> bool {
        let poles_right = self.denominator.roots().iter().all(|pole| pole.re.to_f64() > 0.0);
        poles_right && first_negative(&self.boundary_defect(), self.noise).is_none()
    }

    /// A-stable and R(inf) = 0 (Jay 1998, Definition 5.1).
    pub fn is_l_stable(&self) -> bool {
        self.numerator.degree() < self.denominator.degree() && self.is_a_stable()
    }

    /// |R(iy)| = 1 for all real y: no oscillation is damped or excited (Jay 1998, Definition 5.3, where the stability
    /// matrix of one method for both components is normal with the eigenvalues R(iy) and R(-iy)).
    pub fn is_p_stable(&self) -> bool {
        self.boundary_defect().is_zero() && self.poles_avoid_the_axis()
    }

    /// |R(z)| > 1 for Re z > 0 (Jay 1998, Definition 5.8): 1/R(-z) is A-stable. Every symmetric A-stable method is.
    pub fn is_explosive(&self) -> bool {
        let zeros_left = self.numerator.roots().iter().all(|zero| zero.re.to_f64() < 0.0);
        let reversed = Polynomial::default().plus(-1.0, &self.boundary_defect());
        zeros_left && first_negative(&reversed, self.noise).is_none()
    }

    /// Explosive, and |R(z)| grows beyond all bounds with Re z (Jay 1998, Definition 5.8).
    pub fn is_unconditionally_explosive(&self) -> bool {
        self.at_infinity().is_infinite() && self.is_explosive()
    }

    /// |R(i omega)| < 1 for all real omega != 0 and no pole on the imaginary axis (Lubich 1993, condition (3.5), which
    /// like (3.4) wants A to be invertible besides).
    pub fn damps_all_oscillations(&self) -> bool {
        self.poles_avoid_the_axis() && is_positive(&self.boundary_defect(), self.noise)
    }

    fn poles_avoid_the_axis(&self) -> bool {
        let limit = 10.0 * self.noise.sqrt();
        self.denominator.roots().iter().all(|pole| pole.re.magnitude() > limit * pole.magnitude())
    }

    /// E(x) = |Q(iy)|^2 - |P(iy)|^2 as a polynomial in x = (y/scale)^2 (Norsett's E-polynomial).
    pub fn boundary_defect(&self) -> Polynomial {
        let (q, q_size) = squared_modulus(&self.denominator.scaled(self.scale));
        let (p, p_size) = squared_modulus(&self.numerator.scaled(self.scale));
        q.plus(-1.0, &p).without_noise(self.noise * q_size.max(p_size))
    }
}

/// |p(iy)|^2 as a polynomial in y^2, and the largest product that went into it.
fn squared_modulus(polynomial: &Polynomial) -> (Polynomial, f64) {
    // p(iy) = even(-y^2) + iy odd(-y^2).
    let part = |first: usize| {
        let terms = polynomial.coefficients().iter().skip(first).step_by(2).enumerate();
        Polynomial::new(terms.map(|(k, &c)| if k % 2 == 1 { -c } else { c }).collect())
    };
    let (even, odd) = (part(0), part(1));
    let y_squared = Polynomial::new(vec![DoubleDouble::ZERO, DoubleDouble::ONE]);
    let size = polynomial.coefficients().iter().map(|c| c.magnitude()).fold(0.0, f64::max);
    (even.product(&even).plus(1.0, &y_squared.product(&odd.product(&odd))), size * size)
}
