//! A fully implicit Runge-Kutta method, made ready for stepping.

use std::sync::{Arc, Mutex, PoisonError};

use taut_tableau::{ContinuousExtension, Family, Matrix, Spectrum, Tableau, TableauError};

use crate::linear::Transformation;

/// Coefficients that are equal but for rounding differ by less.
const ROUNDING: f64 = 1e-9;

/// The coefficients of a fully implicit method and what follows from them.
#[derive(Clone, Debug)]
pub(crate) struct Coefficients {
    pub(crate) stages: usize,
    pub(crate) a: Matrix,
    /// A², which takes accelerations to positions
    pub(crate) a_squared: Matrix,
    pub(crate) b: Vec<f64>,
    /// bᵀA, which takes accelerations to the position at the end
    pub(crate) b_a: Vec<f64>,
    pub(crate) c: Vec<f64>,
    /// 1/Π (c_i − c_j) over all j but i
    node_weights: Vec<f64>,
    pub(crate) spectrum: Spectrum,
    /// to its eigenvectors and back; nothing where there are too many for one vector register
    pub(crate) transformation: Option<Transformation>,
    /// Lagrange polynomials at 0: extrapolate the stages to the beginning of the step. A first stage that lies there
    /// itself is left out
    pub(crate) at_zero: Vec<f64>,
    /// the same without the last stage: their difference shows how smooth the stages are
    pub(crate) at_zero_without_last: Vec<f64>,
    /// l_i'(1): the derivative of stage values at the end of the step
    pub(crate) slope_at_end: Vec<f64>,
    /// a place half way between two stages; nothing where stages are not those of a polynomial that satisfies the equations there
    pub(crate) middle: Option<Middle>,
    /// the error estimate is O(h^power): s + 1, or s when the first stage is left out
    pub(crate) error_power: f64,
    /// the eigenvalue of A⁻¹ that filters the error estimate
    pub(crate) g: f64,
    /// the error of a step of y' = iωy is this constant times (hω)^(p + 1 − power) times its estimate
    pub(crate) error_per_estimate: f64,
    /// the polynomial through the stages; nothing for a single stage of a diagonally implicit method
    pub(crate) continuous: Option<ContinuousExtension>,
    pub(crate) stiffly_accurate: bool,
    /// A⁻¹; nothing when A is singular
    pub(crate) inverse: Option<Matrix>,
    /// bᵀA⁻¹; nothing when A is singular
    pub(crate) to_end: Option<Vec<f64>>,
    pub(crate) order: usize,
}

/// A place inside of a step that is none of its stages.
#[derive(Clone, Debug)]
pub(crate) struct Middle {
    pub(crate) theta: f64,
    /// the values of the Lagrange polynomials of the stages there
    pub(crate) values: Vec<f64>,
    /// their integrals from 0 on
    pub(crate) integrals: Vec<f64>,
}

impl Coefficients {
    /// Those of members of families are made once in a process: short runs would notice.
    pub(crate) fn shared(tableau: &Tableau) -> Result<Arc<Self>, TableauError> {
        static SHARED: Mutex<Vec<(Family, Arc<Coefficients>)>> = Mutex::new(Vec::new());
        let Some(family) = tableau.family() else { return Self::new(tableau).map(Arc::new) };
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&(Family, Arc<Self>)| known.0 == family && known.1.stages == tableau.stages();
        if let Some((_, known)) = shared.iter().find(same) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(Self::new(tableau)?);
        shared.push((family, Arc::clone(&made)));
        Ok(made)
    }

    pub(crate) fn new(tableau: &Tableau) -> Result<Self, TableauError> {
        let stages = tableau.stages();
        let a = tableau.a().clone();
        let spectrum = tableau.spectrum()?;
        let continuous = tableau.continuous().cloned();
        let starts_at_zero = tableau.c()[0] == 0.0 && stages > 1;
        let first = usize::from(starts_at_zero);
        let at_zero = lagrange_at_zero(tableau.c(), first);
        let at_zero_without_last = lagrange_at_zero(&tableau.c()[..stages - 1], first);
        let inverse = tableau.inverse().ok().map(|inverse| inverse.to_f64());
        let to_end = inverse.as_ref().map(|inverse| {
            (0..stages).map(|j| (0..stages).map(|i| tableau.b()[i] * inverse[(i, j)]).sum()).collect()
        });
        let error_power = stages + 1 - usize::from(starts_at_zero);
        let g = filter_eigenvalue(&spectrum);
        let powers = powers_on_one(&a, tableau.order());
        let error = product(tableau.b(), &powers[tableau.order()]) - 1.0 / factorial(tableau.order() + 1);
        let estimate = product(&at_zero, &powers[(error_power - 1).min(tableau.order())]) / g;
        let mut made = Coefficients {
            stages,
            middle: None,
            error_per_estimate: (error / estimate).abs(),
            a_squared: a.product(&a),
            b: tableau.b().to_vec(),
            b_a: (0..stages).map(|j| (0..stages).map(|i| tableau.b()[i] * a[(i, j)]).sum()).collect(),
            c: tableau.c().to_vec(),
            node_weights: node_weights(tableau.c()),
            at_zero,
            at_zero_without_last,
            slope_at_end: lagrange_slopes_at_one(tableau.c()),
            error_power: error_power as f64,
            g,
            continuous,
            stiffly_accurate: tableau.is_stiffly_accurate(),
            inverse,
            to_end,
            order: tableau.order(),
            transformation: Transformation::new(&spectrum),
            spectrum,
            a,
        };
        made.middle = made.is_collocation().then(|| made.half_way());
        Ok(made)
    }

    /// Whether A integrates the polynomial through the stages.
    fn is_collocation(&self) -> bool {
        let mut integrals = vec![0.0; self.stages];
        (0..self.stages).all(|i| {
            self.integrated_lagrange(self.c[i], &mut integrals);
            integrals.iter().zip(self.a.row(i)).all(|(integral, a)| (integral - a).abs() < ROUNDING)
        })
    }

    /// What is half way between the two stages in the middle.
    fn half_way(&self) -> Middle {
        let between = self.stages / 2;
        let before = between.checked_sub(1).map_or(0.0, |stage| self.c[stage]);
        let theta = 0.5 * (before + self.c[between]);
        let mut middle = Middle { theta, values: vec![0.0; self.stages], integrals: vec![0.0; self.stages] };
        self.lagrange(theta, &mut middle.values);
        self.integrated_lagrange(theta, &mut middle.integrals);
        middle
    }

    /// One stage y* + h γ k of a diagonally implicit method.
    pub(crate) fn single_stage(gamma: f64, stiffly_accurate: bool, order: usize) -> Self {
        let one = |x: f64| Matrix::from_fn(1, 1, |_, _| x);
        Coefficients {
            stages: 1,
            a: one(gamma),
            a_squared: one(gamma * gamma),
            b: vec![gamma],
            b_a: vec![gamma * gamma],
            c: vec![gamma],
            node_weights: vec![1.0],
            spectrum: Spectrum {
                real: vec![gamma],
                complex: Vec::new(),
                real_of_inverse: vec![1.0 / gamma],
                complex_of_inverse: Vec::new(),
                t: one(1.0),
                t_inverse: one(1.0),
            },
            transformation: None,
            at_zero: vec![1.0],
            at_zero_without_last: Vec::new(),
            slope_at_end: vec![0.0],
            middle: None,
            error_power: 2.0,
            g: 1.0 / gamma,
            error_per_estimate: 1.0,
            continuous: None,
            stiffly_accurate,
            inverse: Some(one(1.0 / gamma)),
            to_end: Some(vec![1.0]),
            order,
        }
    }

    /// The values at θ of the Lagrange polynomials of the stages, from the products of θ − c over the nodes before and
    /// after each.
    pub(crate) fn lagrange(&self, theta: f64, values: &mut [f64]) {
        let (mut before, mut after) = (1.0, 1.0);
        for ((value, weight), c) in values.iter_mut().zip(&self.node_weights).zip(&self.c) {
            *value = weight * before;
            before *= theta - c;
        }
        for (value, c) in values.iter_mut().zip(&self.c).rev() {
            *value *= after;
            after *= theta - c;
        }
    }

    /// The weights at θ of the line through the last two of several stages.
    pub(crate) fn line(&self, theta: f64, values: &mut [f64]) {
        values.fill(0.0);
        if let ([.., before, last], [.., c_before, c_last]) = (values, self.c.as_slice()) {
            *last = (theta - c_before) / (c_last - c_before);
            *before = 1.0 - *last;
        }
    }

    /// The integrals of the Lagrange polynomials from 0 to θ.
    pub(crate) fn integrated_lagrange(&self, theta: f64, values: &mut [f64]) {
        match &self.continuous {
            Some(continuous) => continuous.weights(theta, values),
            None => values.fill(theta / self.stages as f64),
        }
    }

    /// The weight of the old multipliers in λ₁ = (1 − bᵀA⁻¹1) λ₀ + bᵀA⁻¹Λ (Schropp 2003, eq. 2.5).
    pub(crate) fn weight_of_old_multipliers(&self) -> f64 {
        self.to_end.as_ref().map_or(0.0, |weights| 1.0 - weights.iter().sum::<f64>())
    }
}

/// 1/Π (c_i − c_j) over all j but i, for each node.
fn node_weights(c: &[f64]) -> Vec<f64> {
    let weight = |i: usize| {
        let others = (0..c.len()).filter(|&j| j != i);
        others.fold(1.0, |product, j| product / (c[i] - c[j]))
    };
    (0..c.len()).map(weight).collect()
}

/// The derivatives of the Lagrange polynomials of the nodes at 1.
fn lagrange_slopes_at_one(c: &[f64]) -> Vec<f64> {
    let slope = |i: usize| -> f64 {
        let term = |j: usize| {
            let others = (0..c.len()).filter(|&k| k != i && k != j);
            others.fold(1.0 / (c[i] - c[j]), |product, k| product * (1.0 - c[k]) / (c[i] - c[k]))
        };
        (0..c.len()).filter(|&j| j != i).map(term).sum()
    };
    (0..c.len()).map(slope).collect()
}

/// The Lagrange polynomials of the nodes from number `first` on, at 0; zeros for the nodes before.
fn lagrange_at_zero(c: &[f64], first: usize) -> Vec<f64> {
    let value = |i: usize| {
        let others = (first..c.len()).filter(|&j| j != i);
        others.fold(1.0, |product, j| product * c[j] / (c[j] - c[i]))
    };
    (0..c.len()).map(|i| if i < first { 0.0 } else { value(i) }).collect()
}

/// 1, A1, A²1, ... up to this power: the coefficients of the stages of y' = y.
fn powers_on_one(a: &Matrix, highest: usize) -> Vec<Vec<f64>> {
    let first = vec![1.0; a.rows()];
    std::iter::successors(Some(first), |last| Some(a.times(last))).take(highest + 1).collect()
}

fn product(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn factorial(k: usize) -> f64 {
    (1..=k).map(|k| k as f64).product()
}

/// The real eigenvalue of A⁻¹, whose matrix is factored anyhow; without one, the modulus of a complex pair.
fn filter_eigenvalue(spectrum: &Spectrum) -> f64 {
    let real = spectrum.real_of_inverse.iter().copied().find(|g| g.is_finite());
    let modulus = spectrum.complex_of_inverse.first().map(|(re, im)| re.hypot(*im));
    real.or(modulus).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_collocation_has_a_polynomial_to_look_at() {
        let has = |family: Family| Coefficients::new(&family.tableau(5).unwrap()).unwrap().middle.is_some();
        assert!(has(Family::RadauIia) && has(Family::Gauss));
        assert!(!has(Family::RadauIa) && !has(Family::LobattoIiic));
    }

    #[test]
    fn lines_and_polynomials_go_on_outside_of_the_step() {
        for stages in [3, 5, 7] {
            let method = Coefficients::new(&Family::RadauIia.tableau(stages).unwrap()).unwrap();
            let mut weights = vec![f64::NAN; stages];
            for theta in [0.5, 1.0, 1.7, 3.0] {
                let sum = |weights: &[f64], of: &dyn Fn(f64) -> f64| {
                    weights.iter().zip(&method.c).map(|(weight, c)| weight * of(*c)).sum::<f64>()
                };
                let (line, curve) = (|x: f64| 2.0 - 3.0 * x, |x: f64| 2.0 - 3.0 * x + x * x);
                method.line(theta, &mut weights);
                assert!((sum(&weights, &line) - line(theta)).abs() < 1e-13);
                assert!(weights[..stages - 2].iter().all(|weight| *weight == 0.0));
                method.lagrange(theta, &mut weights);
                assert!((sum(&weights, &curve) - curve(theta)).abs() < 1e-9);
            }
        }
    }
}
