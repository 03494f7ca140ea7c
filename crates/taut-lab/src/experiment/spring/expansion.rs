//! The coefficients y^k(t) of smooth motion, y = y^0 + eps^2 y^1 + ..., from the systems (2.25.k).
//!
//! With c = (1 - e lambda)^-2, e = eps^2, the equations are y'' = -y lambda - (0, 1) and y.y = c, where the coefficient of e^k
//! in c knows lambda^0 ... lambda^(k-1) only. So y^k and lambda^k follow for k = 0, 1, ... as Taylor polynomials in time.

use taut_tableau::number::DoubleDouble;

use super::jet::{evaluate, inner_product, multiple, product};
use super::{State, dot, plus};

/// The degree in time of y^0; each further coefficient loses two.
const DEGREE: usize = 32;
/// Steps of the Taylor polynomials: errors beyond extended precision on the time scale 1 of the pendulum.
const LONGEST_STEP: f64 = 0.05;

/// y^0, y^1, ... and their derivatives at one time.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    pub coefficients: Vec<State>,
}

/// Polynomials in time, one for each power of e.
#[derive(Default)]
struct Jets {
    y: Vec<Vec<[DoubleDouble; 2]>>,
    lambda: Vec<Vec<DoubleDouble>>,
    /// 1/(1 - e lambda), and its square
    u: Vec<Vec<DoubleDouble>>,
    c: Vec<Vec<DoubleDouble>>,
}

impl Expansion {
    /// The coefficients up to e^most of the smooth motion with y^0, y'^0 given and all others orthogonal to the circle.
    pub fn at_start(y0: State, most: usize) -> Self {
        let mut jets = Jets::default();
        let coefficients = (0..=most)
            .map(|k| {
                jets.stretch(k);
                let start = if k == 0 { y0 } else { jets.orthogonal_start(k) };
                jets.extend(k, start);
                start
            })
            .collect();
        Expansion { coefficients }
    }

    /// The coefficients after a time.
    pub fn after(&self, t: f64) -> Self {
        let steps = (t / LONGEST_STEP).ceil();
        let h = DoubleDouble::from(t) / DoubleDouble::from(steps);
        (0..steps as usize).fold(self.clone(), |at, _| at.advanced(h))
    }

    fn advanced(&self, h: DoubleDouble) -> Self {
        let mut jets = Jets::default();
        for (k, &start) in self.coefficients.iter().enumerate() {
            jets.stretch(k);
            jets.extend(k, start);
        }
        Expansion { coefficients: jets.y.iter().map(|y| evaluate(y, h)).collect() }
    }

    /// The smooth motion itself, up to e^most.
    pub fn sum(&self, epsilon: f64, most: usize) -> State {
        let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
        let zero = State { y: [DoubleDouble::ZERO; 2], v: [DoubleDouble::ZERO; 2] };
        self.coefficients.iter().take(most + 1).rev().fold(zero, |sum, coefficient| State {
            y: plus(coefficient.y, e, sum.y),
            v: plus(coefficient.v, e, sum.v),
        })
    }
}

impl Jets {
    /// Appends the coefficients of e^k in 1/(1 - e lambda) and in c.
    fn stretch(&mut self, k: usize) {
        let length = DEGREE + 1 - 2 * k;
        let one = |j: usize| DoubleDouble::from(if (k, j) == (0, 0) { 1.0 } else { 0.0 });
        // u = 1 + e lambda u
        let u = (0..length)
            .map(|j| (0..k).fold(one(j), |sum, i| sum + product(&self.lambda[i], &self.u[k - 1 - i], j)))
            .collect();
        self.u.push(u);
        let c = (0..length)
            .map(|j| (0..=k).fold(DoubleDouble::ZERO, |sum, i| sum + product(&self.u[i], &self.u[k - i], j)));
        let c = c.collect();
        self.c.push(c);
    }

    /// Coefficient (k, j) of y.y from what is known of y.
    fn square(&self, k: usize, j: usize) -> DoubleDouble {
        (0..=k).fold(DoubleDouble::ZERO, |sum, i| match (self.y.get(i), self.y.get(k - i)) {
            (Some(a), Some(b)) => sum + inner_product(a, b, j),
            _ => sum,
        })
    }

    /// y^k and its derivative, multiples of y^0, from the coefficients 1 and t of the constraint.
    fn orthogonal_start(&self, k: usize) -> State {
        let y0 = self.y[0][0];
        let two = DoubleDouble::from(2.0);
        let zero = [DoubleDouble::ZERO; 2];
        let twice_square = two * dot(y0, y0);
        let y = plus(zero, (self.c[k][0] - self.square(k, 0)) / twice_square, y0);
        let turned = two * dot(y, self.y[0][1]);
        let v = plus(zero, (self.c[k][1] - self.square(k, 1) - turned) / twice_square, y0);
        State { y, v }
    }

    /// Appends y^k and lambda^k: the equations of motion at t^j and the constraint at t^(j+2) give y^k_(j+2) and lambda^k_j.
    fn extend(&mut self, k: usize, start: State) {
        self.y.push(vec![start.y, start.v]);
        self.lambda.push(Vec::new());
        let y0 = self.y[0][0];
        for j in 0..=DEGREE - 2 * k - 2 {
            let mut rest = [DoubleDouble::ZERO; 2];
            for i in 0..=k {
                let force = multiple(&self.lambda[i], &self.y[k - i], j);
                rest = plus(rest, DoubleDouble::from(-1.0), force);
            }
            if (k, j) == (0, 0) {
                rest[1] -= DoubleDouble::ONE;
            }
            let factor = DoubleDouble::from((j + 2) * (j + 1));
            let missing = (self.c[k][j + 2] - self.square(k, j + 2)) / DoubleDouble::from(2.0);
            let lambda = (dot(y0, rest) - factor * missing) / dot(y0, y0);
            let y = plus(rest, -lambda, y0);
            self.lambda[k].push(lambda);
            self.y[k].push([y[0] / factor, y[1] / factor]);
        }
    }
}
