//! Linear multistep methods.

use crate::TableauError;
use crate::number::{Complex, DoubleDouble, Polynomial, Scalar};

/// Formulas with more steps are unstable (Cryer 1972).
const MOST_BDF_STEPS: usize = 6;

/// Order conditions of coefficients that are known as `f64` hold up to this.
const TOLERANCE: f64 = 1e-12;

/// A linear multistep method sum_i alpha_i y_i = h sum_i beta_i f_i, i = 0..k, normalised to alpha_k = 1, with the
/// generating polynomials rho(z) = sum alpha_i z^i and sigma(z) = sum beta_i z^i (Nipp 1999, hypothesis H_LMM).
#[derive(Clone, Debug, PartialEq)]
pub struct Multistep {
    name: String,
    alpha: Vec<f64>,
    beta: Vec<f64>,
    rho: Polynomial,
    sigma: Polynomial,
}

impl Multistep {
    /// The backward differentiation formula sum_j (1/j) nabla^j y_k = h f_k with 1 to 6 steps.
    pub fn bdf(steps: usize) -> Result<Self, TableauError> {
        if steps == 0 || steps > MOST_BDF_STEPS {
            return Err(TableauError::NoSuchSteps { steps, most: MOST_BDF_STEPS });
        }
        let zero = Polynomial::default();
        let rho = (1..=steps).fold(zero, |sum, j| {
            // (1/j) (z - 1)^j z^(k-j)
            let mut roots = vec![DoubleDouble::ONE; j];
            roots.resize(steps, DoubleDouble::ZERO);
            let scale = Polynomial::new(vec![DoubleDouble::ratio(1, j as i64)]);
            sum.plus(1.0, &crate::number::from_roots(&roots).product(&scale))
        });
        let mut sigma = vec![DoubleDouble::ZERO; steps];
        sigma.push(DoubleDouble::ONE);
        Ok(Self::normalised("bdf", rho.coefficients(), &sigma))
    }

    /// Any pair of polynomials, lowest coefficient first; both are divided by alpha_k.
    pub fn new(name: &str, alpha: &[f64], beta: &[f64]) -> Result<Self, TableauError> {
        let finite = alpha.iter().chain(beta).all(|coefficient| coefficient.is_finite());
        if !finite {
            return Err(TableauError::NotFinite { name: name.to_owned() });
        }
        let leading = alpha.last().copied().unwrap_or(0.0);
        if alpha.len() < 2 || alpha.len() != beta.len() || leading == 0.0 {
            return Err(TableauError::NotMultistep { alpha: alpha.len(), beta: beta.len() });
        }
        let extend = |values: &[f64]| values.iter().map(|&value| value.into()).collect::<Vec<_>>();
        Ok(Self::normalised(name, &extend(alpha), &extend(beta)))
    }

    fn normalised(name: &str, alpha: &[DoubleDouble], beta: &[DoubleDouble]) -> Self {
        let leading = alpha[alpha.len() - 1];
        let divide = |values: &[DoubleDouble]| values.iter().map(|&x| x / leading).collect::<Vec<_>>();
        let (alpha, beta) = (divide(alpha), divide(beta));
        Self {
            name: name.to_owned(),
            alpha: crate::tableau::round(&alpha),
            beta: crate::tableau::round(&beta),
            rho: Polynomial::new(alpha),
            sigma: Polynomial::new(beta),
        }
    }

    /// The name of the method.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of steps k.
    pub fn steps(&self) -> usize {
        self.alpha.len() - 1
    }

    /// The coefficients of rho, lowest first; the last one is 1.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The coefficients of sigma, lowest first.
    pub fn beta(&self) -> &[f64] {
        &self.beta
    }

    /// C_q = (sum alpha_i i^q - q sum beta_i i^(q-1)) / q! (Hairer, Norsett and Wanner, III.2).
    fn condition(&self, q: usize) -> DoubleDouble {
        let moment = |polynomial: &Polynomial, power: usize| {
            let terms = polynomial.coefficients().iter().enumerate();
            terms.fold(DoubleDouble::ZERO, |sum, (i, &x)| sum + x * DoubleDouble::from(i).powi(power as i32))
        };
        let factorial = (1..=q).fold(DoubleDouble::ONE, |product, k| product * DoubleDouble::from(k));
        let right =
            if q == 0 { DoubleDouble::ZERO } else { DoubleDouble::from(q) * moment(&self.sigma, q - 1) };
        (moment(&self.rho, q) - right) / factorial
    }

    /// The order p: C_0 = ... = C_p = 0; zero when the method is not consistent.
    pub fn order(&self) -> usize {
        // No method with k steps has an order beyond 2k.
        let holding =
            (0..=2 * self.steps() + 1).take_while(|&q| self.condition(q).magnitude() <= TOLERANCE).count();
        holding.saturating_sub(1)
    }

    /// The error constant C_{p+1} / sigma(1).
    pub fn error_constant(&self) -> f64 {
        (self.condition(self.order() + 1) / self.sigma.value(DoubleDouble::ONE)).to_f64()
    }

    /// The zeros of rho as (real part, imaginary part), the principal one, nearest to 1, first.
    pub fn rho_roots(&self) -> Vec<(f64, f64)> {
        let mut roots = self.rho.roots();
        let distance = |root: &Complex| (*root - Complex::from(1.0)).magnitude();
        roots.sort_by(|x, y| distance(x).total_cmp(&distance(y)));
        roots.iter().map(|root| (root.re.to_f64(), root.im.to_f64())).collect()
    }

    /// The zeros of sigma as (real part, imaginary part).
    pub fn sigma_roots(&self) -> Vec<(f64, f64)> {
        self.sigma.roots().iter().map(|root| (root.re.to_f64(), root.im.to_f64())).collect()
    }

    /// rho_1, the largest modulus of the zeros of rho but the principal one.
    pub fn rho_1(&self) -> f64 {
        self.rho_roots().iter().skip(1).map(|&(re, im)| re.hypot(im)).fold(0.0, f64::max)
    }

    /// sigma_1, the largest modulus of the zeros of sigma; infinite for explicit methods (beta_k = 0).
    pub fn sigma_1(&self) -> f64 {
        if self.beta[self.steps()] == 0.0 {
            return f64::INFINITY;
        }
        self.sigma_roots().iter().map(|&(re, im)| re.hypot(im)).fold(0.0, f64::max)
    }

    /// Whether 1 is a simple zero of rho and all others lie inside the unit circle.
    pub fn is_strictly_stable(&self) -> bool {
        self.condition(0).magnitude() <= TOLERANCE && self.rho_1() < 1.0 - TOLERANCE
    }

    /// Whether beta_k != 0 and all zeros of sigma lie inside the unit circle: stable at infinity.
    pub fn is_stable_at_infinity(&self) -> bool {
        self.sigma_1() < 1.0 - TOLERANCE
    }
}

#[cfg(test)]
mod tests;
